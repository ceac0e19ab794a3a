// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/paths/paths.h"

#include <algorithm>
#include <array>
#include <string>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/geometry/motion/catmull_rom.h"
#include "sim/world/components/named_definitions.h"

namespace reprise::sim {
namespace {

// With these, lengths of smooth spans are right to a part in 10^9 (measured on
// circles of four points and more).
constexpr size_t kPiecesPerSpan = 8;

// Newton's method doubles the digits that are right; the first guess has two.
constexpr int kNewtonSteps = 5;

// Gauss-Legendre quadrature with 5 nodes on [-1, 1] (Abramowitz and Stegun,
// table 25.4).
struct QuadratureNode {
  double position;
  double weight;
};
constexpr std::array<QuadratureNode, 5> kQuadrature = {
    {{-0.906179845938664, 0.236926885056189},
     {-0.538469310105683, 0.478628670499366},
     {0.0, 0.568888888888889},
     {0.538469310105683, 0.478628670499366},
     {0.906179845938664, 0.236926885056189}}};

double ParameterOfPiece(size_t piece) {
  return static_cast<double>(piece) / kPiecesPerSpan;
}

std::string FindMistake(const PathDefinition& path) {
  const size_t count = path.points.size();
  const size_t count_min = path.is_closed ? 3 : 2;
  if (count < count_min || count > kPathPointsMax) {
    return fmt::format("it has {} points, not {} to {}", count, count_min,
                       kPathPointsMax);
  }
  for (size_t i = 0; i < count; ++i) {
    const Vector3 point = path.points[i];
    for (const double coordinate : {point.x, point.y, point.z}) {
      // NaN fails the comparison.
      if (!(Abs(coordinate) <= kPathCoordinateMaxM)) {
        return fmt::format("point {} is not within {} m of the origin", i,
                           kPathCoordinateMaxM);
      }
    }
  }
  for (size_t i = path.is_closed ? 0 : 1; i < count; ++i) {
    const size_t before = (i + count - 1) % count;
    if (Length(path.points[i] - path.points[before]) < kPathStepMinM) {
      return fmt::format("points {} and {} are closer than {} m", before, i,
                         kPathStepMinM);
    }
  }
  return {};
}

}  // namespace

absl::Status ValidatePaths(std::span<const PathDefinition> paths,
                           const NameTable& names) {
  std::vector<Id> ids;
  for (const PathDefinition& path : paths) ids.push_back(path.name);
  if (absl::Status status = ValidateNames("path", ids, kPathsMax, names);
      !status.ok()) {
    return status;
  }
  for (const PathDefinition& path : paths) {
    const std::string mistake = FindMistake(path);
    if (!mistake.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("path {}: {}", Quoted(names, path.name), mistake));
    }
  }
  return absl::OkStatus();
}

Path::Path(const PathDefinition& definition)
    : points_(definition.points), is_closed_(definition.is_closed) {
  lengths_m_.push_back(0.0);
  for (size_t span = 0; span < span_count(); ++span) {
    for (size_t piece = 0; piece < kPiecesPerSpan; ++piece) {
      lengths_m_.push_back(lengths_m_.back() +
                           MeasurePiece(span, ParameterOfPiece(piece),
                                        ParameterOfPiece(piece + 1)));
    }
  }
}

double Path::DistanceOfPoint(size_t index) const {
  CHECK(index <= span_count(), "point {} of {}", index, points_.size());
  return lengths_m_[index * kPiecesPerSpan];
}

PathPlace Path::At(double distance_m) const {
  const double length = length_m();
  double distance = distance_m;
  if (is_closed_) distance -= Floor(distance / length) * length;
  // Rounding may leave a closed path's distance just outside, too.
  distance = std::clamp(distance, 0.0, length);

  // The last piece that begins before the place.
  const auto end =
      std::upper_bound(lengths_m_.begin() + 1, lengths_m_.end() - 1, distance);
  const auto piece = static_cast<size_t>(end - lengths_m_.begin()) - 1;
  const size_t span = piece / kPiecesPerSpan;
  const double from = ParameterOfPiece(piece % kPiecesPerSpan);
  const double to = ParameterOfPiece(piece % kPiecesPerSpan + 1);

  // As if the piece were walked at constant speed, then corrected.
  const double wanted = distance - lengths_m_[piece];
  const double piece_length = lengths_m_[piece + 1] - lengths_m_[piece];
  double parameter =
      piece_length > 0.0
          ? std::clamp(from + wanted / piece_length * (to - from), from, to)
          : from;
  for (int step = 0; step < kNewtonSteps; ++step) {
    const double speed = Length(Evaluate(span, parameter).derivative);
    if (speed == 0.0) break;
    const double excess = MeasurePiece(span, from, parameter) - wanted;
    parameter = std::clamp(parameter - excess / speed, from, to);
  }
  const Sample sample = Evaluate(span, parameter);
  Vector3 direction = sample.derivative;
  if (direction == Vector3{}) {
    direction = Evaluate(span, to).point - Evaluate(span, from).point;
  }
  return {sample.point, Normalized(direction)};
}

size_t Path::span_count() const {
  return is_closed_ ? points_.size() : points_.size() - 1;
}

Vector3 Path::ControlPoint(ptrdiff_t index) const {
  const auto count = static_cast<ptrdiff_t>(points_.size());
  const auto at = [this](ptrdiff_t i) {
    return points_[static_cast<size_t>(i)];
  };
  if (is_closed_) return at((index + count) % count);
  if (index < 0) return 2.0 * at(0) - at(1);
  if (index >= count) return 2.0 * at(count - 1) - at(count - 2);
  return at(index);
}

Path::Sample Path::Evaluate(size_t span, double parameter) const {
  const auto first = static_cast<ptrdiff_t>(span);
  const Vector3 p0 = ControlPoint(first - 1);
  const Vector3 p1 = ControlPoint(first);
  const Vector3 p2 = ControlPoint(first + 1);
  const Vector3 p3 = ControlPoint(first + 2);
  return {CatmullRom(p0, p1, p2, p3, parameter),
          CatmullRomTangent(p0, p1, p2, p3, parameter)};
}

double Path::MeasurePiece(size_t span, double from, double to) const {
  const double middle = 0.5 * (from + to);
  const double half = 0.5 * (to - from);
  double sum = 0.0;
  for (const auto [position, weight] : kQuadrature) {
    sum += weight * Length(Evaluate(span, middle + half * position).derivative);
  }
  return half * sum;
}

}  // namespace reprise::sim

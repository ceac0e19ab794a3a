// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/motion/catmull_rom.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// Steps of the table for each stretch.
constexpr size_t kSteps = 16;

// A length is known when halving its piece changes no more than this part of
// it, or when pieces are too small to matter.
constexpr double kTolerance = 1e-12;
constexpr int kHalvingsMax = 16;

// Newton's method doubles the digits each time; between two steps of the table
// it starts with two or three of them.
constexpr int kNewtonSteps = 6;

// Gauss and Legendre's five points of [-1, 1] and their weights.
constexpr std::array<std::pair<double, double>, 5> kQuadrature = {
    std::pair{0.0, 0.5688888888888889},
    std::pair{-0.5384693101056831, 0.4786286704993665},
    std::pair{0.5384693101056831, 0.4786286704993665},
    std::pair{-0.9061798459386640, 0.2369268850561891},
    std::pair{0.9061798459386640, 0.2369268850561891}};

}  // namespace

class CatmullRomSpline::Stretch {
 public:
  Stretch(Vector3 p0, Vector3 p1, Vector3 p2, Vector3 p3)
      : p0_(p0), p1_(p1), p2_(p2), p3_(p3) {}

  Vector3 end() const { return p2_; }

  Vector3 PointAt(double t) const { return CatmullRom(p0_, p1_, p2_, p3_, t); }
  Vector3 TangentAt(double t) const {
    return CatmullRomTangent(p0_, p1_, p2_, p3_, t);
  }

  // The length of the curve from one t to another, by halves until they agree
  // with the whole: at once where the curve is smooth, late at a cusp.
  double LengthBetween(double from, double to, int halvings = 0) const {
    const double middle = 0.5 * (from + to);
    const double whole = Estimate(from, to);
    const double halves = Estimate(from, middle) + Estimate(middle, to);
    if (Abs(whole - halves) <= kTolerance * halves ||
        halvings == kHalvingsMax) {
      return halves;
    }
    return LengthBetween(from, middle, halvings + 1) +
           LengthBetween(middle, to, halvings + 1);
  }

 private:
  double Estimate(double from, double to) const {
    const double half = 0.5 * (to - from);
    const double middle = 0.5 * (from + to);
    double sum = 0.0;
    for (const auto& [place, weight] : kQuadrature) {
      sum += weight * Length(TangentAt(middle + half * place));
    }
    return sum * half;
  }

  Vector3 p0_;
  Vector3 p1_;
  Vector3 p2_;
  Vector3 p3_;
};

absl::Status CatmullRomSpline::Validate(std::span<const Vector3> points) {
  if (points.size() < 4) {
    return absl::InvalidArgumentError(
        fmt::format("{} points; a spline needs 4", points.size()));
  }
  for (size_t i = 0; i < points.size(); ++i) {
    if (!IsFinite(points[i].x) || !IsFinite(points[i].y) ||
        !IsFinite(points[i].z)) {
      return absl::InvalidArgumentError(
          fmt::format("point {} is not finite", i));
    }
  }
  return absl::OkStatus();
}

CatmullRomSpline::CatmullRomSpline(std::vector<Vector3> points, Ends ends)
    : points_(std::move(points)), ends_(ends) {
  CHECK(points_.size() >= 4, "{} points", points_.size());
  stretch_count_ = ends_ == Ends::kOpen ? points_.size() - 3 : points_.size();
  lengths_.reserve(stretch_count_ * kSteps + 1);
  lengths_.push_back(0.0);
  for (size_t i = 0; i < stretch_count_; ++i) {
    const Stretch stretch = StretchAt(i);
    for (size_t step = 0; step < kSteps; ++step) {
      const double from = static_cast<double>(step) / kSteps;
      const double to = static_cast<double>(step + 1) / kSteps;
      lengths_.push_back(lengths_.back() + stretch.LengthBetween(from, to));
    }
  }
}

SplinePoint CatmullRomSpline::At(size_t stretch, double t) const {
  CHECK(stretch < stretch_count_, "{} of {}", stretch, stretch_count_);
  CHECK(t >= 0.0 && t <= 1.0, "{}", t);
  const Stretch at = StretchAt(stretch);
  return {.position = t == 1.0 ? at.end() : at.PointAt(t),
          .direction = Normalized(at.TangentAt(t)),
          .stretch = stretch,
          .t = t};
}

SplinePoint CatmullRomSpline::AtDistance(double distance) const {
  CHECK(IsFinite(distance), "{}", distance);
  if (length() == 0.0) return At(0, 0.0);
  double place = distance;
  if (ends_ == Ends::kClosed) {
    place = distance - length() * Floor(distance / length());
  }
  if (place <= 0.0) return At(0, 0.0);
  if (place >= length()) return At(stretch_count_ - 1, 1.0);
  const auto after = std::upper_bound(lengths_.begin(), lengths_.end(), place);
  const size_t index = static_cast<size_t>(after - lengths_.begin()) - 1;
  const Stretch stretch = StretchAt(index / kSteps);
  const double from = static_cast<double>(index % kSteps) / kSteps;
  const double to = static_cast<double>(index % kSteps + 1) / kSteps;
  const double wanted = place - lengths_[index];
  // Newton's method, kept between two bounds that close in on the place.
  double low = from;
  double high = to;
  double t =
      from + (to - from) * (wanted / (lengths_[index + 1] - lengths_[index]));
  for (int i = 0; i < kNewtonSteps; ++i) {
    const double excess = stretch.LengthBetween(from, t) - wanted;
    (excess > 0.0 ? high : low) = t;
    const double speed = Length(stretch.TangentAt(t));
    const double next = speed > 0.0 ? t - excess / speed : -1.0;
    t = next < low || next > high ? 0.5 * (low + high) : next;
  }
  return At(index / kSteps, t);
}

CatmullRomSpline::Stretch CatmullRomSpline::StretchAt(size_t index) const {
  if (ends_ == Ends::kOpen) {
    return {points_[index], points_[index + 1], points_[index + 2],
            points_[index + 3]};
  }
  const size_t count = points_.size();
  return {points_[(index + count - 1) % count], points_[index],
          points_[(index + 1) % count], points_[(index + 2) % count]};
}

}  // namespace reprise::sim

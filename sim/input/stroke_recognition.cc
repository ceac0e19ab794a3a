// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/input/stroke_recognition.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/geometry/vector2.h"

namespace reprise::sim {
namespace {

// By the features' places.
enum Feature : uint8_t {
  kStartCosine,
  kStartSine,
  kDiagonal,
  kDiagonalAngle,
  kSpan,
  kSpanCosine,
  kSpanSine,
  kLength,
  kTurn,
  kTurnSize,
  kTurnSquares,
  kSpeedSquared,
  kDuration,
};

// Added to a feature's variance, by which the covariance of few examples can be
// inverted: no hand repeats a stroke better than to 2 % of the view, a degree
// and 20 ms.
constexpr double kRelativeVariance = 0.01;
constexpr double kLeastVariance = 4e-4;

Vector2 PlaceOf(const StrokePoint& point) { return {point.x, point.y}; }

Vector2 DirectionOfStroke(Vector2 way) {
  const double length = Length(way);
  return length > 0.0 ? way / length : Vector2{};
}

double DotOf(const StrokeFeatures& a, const StrokeFeatures& b) {
  double sum = 0.0;
  for (size_t i = 0; i < kStrokeFeatureCount; ++i) sum += a[i] * b[i];
  return sum;
}

void AddTurnsAndSpeeds(std::span<const StrokePoint> stroke,
                       StrokeFeatures& features) {
  Vector2 way_before;
  for (size_t i = 1; i < stroke.size(); ++i) {
    const Vector2 way = PlaceOf(stroke[i]) - PlaceOf(stroke[i - 1]);
    features[kLength] += Length(way);
    const double time_s = stroke[i].time_s - stroke[i - 1].time_s;
    if (time_s > 0.0) {
      features[kSpeedSquared] = std::max(
          features[kSpeedSquared], LengthSquared(way) / (time_s * time_s));
    }
    if (way == Vector2{}) continue;
    if (way_before != Vector2{}) {
      const double turn = Atan2(Cross(way_before, way), Dot(way_before, way));
      features[kTurn] += turn;
      features[kTurnSize] += Abs(turn);
      features[kTurnSquares] += turn * turn;
    }
    way_before = way;
  }
}

}  // namespace

StrokeFeatures FeaturesOf(std::span<const StrokePoint> stroke) {
  CHECK(!stroke.empty());
  StrokeFeatures features = {};
  const Vector2 first = PlaceOf(stroke.front());
  // The third point, as the second is often the first again.
  const size_t start = std::min<size_t>(2, stroke.size() - 1);
  const Vector2 start_way = DirectionOfStroke(PlaceOf(stroke[start]) - first);
  features[kStartCosine] = start_way.x;
  features[kStartSine] = start_way.y;
  Vector2 low = first;
  Vector2 high = first;
  for (const StrokePoint& point : stroke) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  const Vector2 diagonal = high - low;
  features[kDiagonal] = Length(diagonal);
  if (diagonal != Vector2{}) {
    features[kDiagonalAngle] = Atan2(diagonal.y, diagonal.x);
  }
  const Vector2 span = PlaceOf(stroke.back()) - first;
  const Vector2 span_way = DirectionOfStroke(span);
  features[kSpan] = Length(span);
  features[kSpanCosine] = span_way.x;
  features[kSpanSine] = span_way.y;
  AddTurnsAndSpeeds(stroke, features);
  features[kDuration] = stroke.back().time_s - stroke.front().time_s;
  return features;
}

absl::StatusOr<StrokeClassifier> StrokeClassifier::Train(
    uint32_t kind_count, std::span<const Example> examples) {
  if (kind_count < 2) {
    return absl::InvalidArgumentError(
        "strokes: at least two kinds are told apart");
  }
  std::vector<uint32_t> counts(kind_count);
  StrokeClassifier classifier;
  classifier.kinds_.resize(kind_count);
  for (const Example& example : examples) {
    CHECK(example.kind < kind_count);
    ++counts[example.kind];
    Kind& kind = classifier.kinds_[example.kind];
    for (size_t i = 0; i < kStrokeFeatureCount; ++i) {
      kind.mean[i] += example.features[i];
    }
  }
  for (uint32_t kind = 0; kind < kind_count; ++kind) {
    if (counts[kind] < 2) {
      return absl::InvalidArgumentError(fmt::format(
          "strokes: kind {} has {} examples, two at least are needed", kind,
          counts[kind]));
    }
    for (double& feature : classifier.kinds_[kind].mean) {
      feature /= counts[kind];
    }
  }
  // How examples differ from the mean of their kind, for all kinds together.
  Matrix covariance = {};
  for (const Example& example : examples) {
    const StrokeFeatures& mean = classifier.kinds_[example.kind].mean;
    for (size_t i = 0; i < kStrokeFeatureCount; ++i) {
      for (size_t k = 0; k < kStrokeFeatureCount; ++k) {
        covariance[i][k] +=
            (example.features[i] - mean[i]) * (example.features[k] - mean[k]);
      }
    }
  }
  const double freedom = static_cast<double>(examples.size() - kind_count);
  for (size_t i = 0; i < kStrokeFeatureCount; ++i) {
    for (double& value : covariance[i]) value /= freedom;
    covariance[i][i] += kRelativeVariance * covariance[i][i] + kLeastVariance;
  }
  classifier.inverse_covariance_ = Inverse(covariance);
  for (Kind& kind : classifier.kinds_) {
    for (size_t i = 0; i < kStrokeFeatureCount; ++i) {
      kind.weights[i] = DotOf(classifier.inverse_covariance_[i], kind.mean);
    }
    kind.constant = -0.5 * DotOf(kind.weights, kind.mean);
  }
  return classifier;
}

// Gauss and Jordan's elimination without pivots, which a positive definite
// matrix doesn't need.
StrokeClassifier::Matrix StrokeClassifier::Inverse(Matrix matrix) {
  Matrix inverse = {};
  for (size_t i = 0; i < kStrokeFeatureCount; ++i) inverse[i][i] = 1.0;
  for (size_t pivot = 0; pivot < kStrokeFeatureCount; ++pivot) {
    const double divisor = matrix[pivot][pivot];
    for (size_t k = 0; k < kStrokeFeatureCount; ++k) {
      matrix[pivot][k] /= divisor;
      inverse[pivot][k] /= divisor;
    }
    for (size_t row = 0; row < kStrokeFeatureCount; ++row) {
      if (row == pivot) continue;
      const double factor = matrix[row][pivot];
      for (size_t k = 0; k < kStrokeFeatureCount; ++k) {
        matrix[row][k] -= factor * matrix[pivot][k];
        inverse[row][k] -= factor * inverse[pivot][k];
      }
    }
  }
  return inverse;
}

RecognisedStroke StrokeClassifier::Classify(
    const StrokeFeatures& features) const {
  std::vector<double> scores;
  for (const Kind& kind : kinds_) {
    scores.push_back(kind.constant + DotOf(kind.weights, features));
  }
  RecognisedStroke found;
  found.kind =
      static_cast<uint32_t>(std::ranges::max_element(scores) - scores.begin());
  double sum = 0.0;
  for (const double score : scores) sum += Exp(score - scores[found.kind]);
  found.probability = 1.0 / sum;
  StrokeFeatures difference = {};
  for (size_t i = 0; i < kStrokeFeatureCount; ++i) {
    difference[i] = features[i] - kinds_[found.kind].mean[i];
  }
  for (size_t i = 0; i < kStrokeFeatureCount; ++i) {
    found.distance_squared +=
        difference[i] * DotOf(inverse_covariance_[i], difference);
  }
  return found;
}

std::optional<uint32_t> StrokeClassifier::Recognise(
    const StrokeFeatures& features) const {
  const RecognisedStroke found = Classify(features);
  if (found.probability < kStrokeProbabilityMin ||
      found.distance_squared > kStrokeDistanceSquaredMax) {
    return std::nullopt;
  }
  return found.kind;
}

}  // namespace reprise::sim

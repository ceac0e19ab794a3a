// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Tells shapes apart that are drawn with one stroke, by the method of D.
// Rubine, "Specifying Gestures by Example", SIGGRAPH 1991: thirteen features of
// a stroke, and a linear classifier that is trained with examples.

#ifndef REPRISE_SIM_INPUT_STROKE_RECOGNITION_H_
#define REPRISE_SIM_INPUT_STROKE_RECOGNITION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace reprise::sim {

// Where a stroke was at a time. The unit of length is anything, but the same in
// all strokes; y points down, as on a view.
struct StrokePoint {
  double x = 0.0;
  double y = 0.0;
  double time_s = 0.0;  // never before that of the point before
};

// By the paper: cosine and sine of the angle at the start, length and angle of
// the bounding box's diagonal, distance from the first to the last point,
// cosine and sine of the angle between these, length, sum of the angles turned,
// of their sizes, of their squares (rad), square of the highest speed, duration
// (s). Where an angle has no meaning (points alike), its cosine and sine are 0.
inline constexpr size_t kStrokeFeatureCount = 13;
using StrokeFeatures = std::array<double, kStrokeFeatureCount>;

// REQUIRES: at least one point; numbers are finite and below 1e6.
StrokeFeatures FeaturesOf(std::span<const StrokePoint> stroke);

struct RecognisedStroke {
  uint32_t kind = 0;
  // That it is this kind and no other, by the classifier's own estimate.
  double probability = 0.0;
  // The squared Mahalanobis distance from the mean of the kind's examples.
  double distance_squared = 0.0;
};

// What the paper rejects: below this probability it might be another kind, and
// beyond this squared distance none.
inline constexpr double kStrokeProbabilityMin = 0.95;
inline constexpr double kStrokeDistanceSquaredMax =
    0.5 * kStrokeFeatureCount * kStrokeFeatureCount;

// Immutable, once it is trained.
class StrokeClassifier {
 public:
  // An example of the kind with this number; those of a pack are 0 and up.
  struct Example {
    uint32_t kind = 0;
    StrokeFeatures features = {};
  };

  // INVALID_ARGUMENT: fewer than two kinds, or fewer than two examples of one.
  // Features that don't vary among the examples of any kind, and others that
  // follow from each other, are given a small variance of their own, so that
  // every set of examples can be told apart as far as they differ.
  static absl::StatusOr<StrokeClassifier> Train(
      uint32_t kind_count, std::span<const Example> examples);

  // The likeliest kind, however unlikely.
  RecognisedStroke Classify(const StrokeFeatures& features) const;

  // That, unless the paper rejects it.
  std::optional<uint32_t> Recognise(const StrokeFeatures& features) const;

 private:
  struct Kind {
    StrokeFeatures mean = {};
    StrokeFeatures weights = {};
    double constant = 0.0;
  };
  using Matrix =
      std::array<std::array<double, kStrokeFeatureCount>, kStrokeFeatureCount>;

  // The inverse of a symmetric, positive definite matrix.
  static Matrix Inverse(Matrix matrix);

  std::vector<Kind> kinds_;
  Matrix inverse_covariance_ = {};
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_INPUT_STROKE_RECOGNITION_H_

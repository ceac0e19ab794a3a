// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Checks the fields of one thing of a physics definition, and says which of
// them is the first that physics could not live with.

#ifndef REPRISE_SIM_PHYSICS_DEFINITION_FIELD_CHECKER_H_
#define REPRISE_SIM_PHYSICS_DEFINITION_FIELD_CHECKER_H_

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

// Rotations are given by people and programs in decimal: near enough to length
// 1 is meant as 1, and what is built from them is normalised.
inline constexpr double kLengthTolerance = 1e-6;

// Collects the first complaint about the fields of one thing, which are named
// as in "joints[3].anchor".
class FieldChecker {
 public:
  explicit FieldChecker(std::string thing) : thing_(std::move(thing)) {}

  void Require(bool holds, std::string_view field, std::string_view rule) {
    if (holds || !status_.ok()) return;
    status_ = absl::InvalidArgumentError(
        fmt::format("{}.{} {}", thing_, field, rule));
  }

  void RequireInRange(double value, double low, double high,
                      std::string_view field) {
    if (IsInRange(value, low, high)) return;
    Require(false, field,
            fmt::format("is {}, not from {} to {}", value, low, high));
  }

  void RequireWithin(Vector3 value, double limit, std::string_view field) {
    RequireComponentWithin(value.x, limit, field, 'x');
    RequireComponentWithin(value.y, limit, field, 'y');
    RequireComponentWithin(value.z, limit, field, 'z');
  }

  void RequireUnit(Quaternion value, std::string_view field) {
    const double squared = Dot(value, value);
    if (IsInRange(squared, 1.0 - kLengthTolerance, 1.0 + kLengthTolerance)) {
      return;
    }
    RequireInRange(squared, 1.0 - kLengthTolerance, 1.0 + kLengthTolerance,
                   fmt::format("squared length of {}", field));
  }

  void RequireSize(double value, std::string_view field) {
    RequireInRange(value, kSizeMinM, kSizeMaxM, field);
  }

  absl::Status status() const { return status_; }

 private:
  // What holds, which is nearly all, makes no text.
  static bool IsInRange(double value, double low, double high) {
    return value >= low && value <= high;
  }
  void RequireComponentWithin(double value, double limit,
                              std::string_view field, char component) {
    if (IsInRange(value, -limit, limit)) return;
    RequireInRange(value, -limit, limit,
                   fmt::format("{}.{}", field, component));
  }

  std::string thing_;
  absl::Status status_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_FIELD_CHECKER_H_

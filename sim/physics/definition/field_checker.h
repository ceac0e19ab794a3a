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

  // Texts are made of what is wrong alone: each object that comes passes here.
  void RequireInRange(double value, double low, double high,
                      std::string_view field) {
    if (value >= low && value <= high) return;
    Require(false, field,
            fmt::format("is {}, not from {} to {}", value, low, high));
  }

  void RequireWithin(Vector3 value, double limit, std::string_view field) {
    constexpr std::pair<double Vector3::*, char> kAxes[] = {
        {&Vector3::x, 'x'}, {&Vector3::y, 'y'}, {&Vector3::z, 'z'}};
    for (const auto& [axis, name] : kAxes) {
      if (value.*axis >= -limit && value.*axis <= limit) continue;
      RequireInRange(value.*axis, -limit, limit,
                     fmt::format("{}.{}", field, name));
    }
  }

  void RequireUnit(Quaternion value, std::string_view field) {
    const double squared = Dot(value, value);
    constexpr double kLeast = 1.0 - kLengthTolerance;
    constexpr double kMost = 1.0 + kLengthTolerance;
    if (squared >= kLeast && squared <= kMost) return;
    RequireInRange(squared, kLeast, kMost,
                   fmt::format("squared length of {}", field));
  }

  void RequireSize(double value, std::string_view field) {
    RequireInRange(value, kSizeMinM, kSizeMaxM, field);
  }

  absl::Status status() const { return status_; }

 private:
  std::string thing_;
  absl::Status status_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_FIELD_CHECKER_H_

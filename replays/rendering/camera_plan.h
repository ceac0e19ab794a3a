// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a person asks of a camera, in one line of text:
// "follow:player,distance=8,height=3".

#ifndef REPRISE_REPLAYS_RENDERING_CAMERA_PLAN_H_
#define REPRISE_REPLAYS_RENDERING_CAMERA_PLAN_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/math.h"
#include "sim/base/tick.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

struct CameraPlan {
  enum class Kind {
    kAuto,         // what shows all of the first frame: flat where it is flat
    kFixed,        // from `eye` to `at`
    kLookAt,       // from `eye` to the object
    kFollow,       // behind and above the object
    kSpring,       // the same, as if on a spring
    kOrbit,        // around the object
    kFirstPerson,  // from the object
    kSpline,       // along `points`, to the object or along the curve
    kFlat,         // along an axis, without perspective
  };

  Kind kind = Kind::kAuto;
  std::string object;  // empty: none
  std::optional<sim::Vector3> eye;
  std::optional<sim::Vector3> at;
  std::vector<sim::Vector3> points;
  // Of first-person, where the eyes are above the object; of flat, how much is
  // seen from top to bottom, all if unset.
  std::optional<double> height_m;
  std::optional<double> distance_m;
  double field_of_view_rad = sim::Radians(50);
  double yaw_rad = 0;
  std::optional<double> pitch_rad;
  double turn_rad_per_s = 0;     // of orbit
  double speed_per_s = 1;        // of spline: stretches
  double stiffness_per_s2 = 60;  // of spring
  sim::Tick start = 0;           // when orbit and spline begin to move
  bool is_turned_with = false;   // whether yaw starts at the object's own
  char axis = 'y';               // of flat
  std::optional<double> near_m;
};

// INVALID_ARGUMENT says which word isn't known or what a value has to be.
absl::StatusOr<CameraPlan> ParseCameraPlan(std::string_view text);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_CAMERA_PLAN_H_

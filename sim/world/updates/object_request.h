// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a behaviour wants of objects: that one comes, as it is to begin, or that
// it gets a parent.

#ifndef REPRISE_SIM_WORLD_UPDATES_OBJECT_REQUEST_H_
#define REPRISE_SIM_WORLD_UPDATES_OBJECT_REQUEST_H_

#include <optional>
#include <vector>

#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector3.h"
#include "sim/world/components/property_ref.h"
#include "sim/world/components/property_value.h"

namespace reprise::sim {

struct ObjectRequest {
  struct Setting {
    PropertyRef property;
    PropertyValue value;
  };

  Id archetype;  // or a type
  Id name;       // kNoId: none; several may have one, which finds the oldest
  Transform place;
  // Of its body, if it has a dynamic one and isn't dormant.
  Vector3 linear_velocity_m_s;
  Vector3 angular_velocity_rad_s;
  Handle parent;  // null: none; it may be one that is to come itself
  // Moves with its parent from then on. Only without a body, or with a
  // kinematic one.
  bool is_attached = false;
  bool is_dormant = false;
  // What differs from the archetype; of one property the last counts.
  std::vector<Setting> set;
};

// A parent that an object is to get.
struct AttachRequest {
  Handle object;  // null: the one that asks
  Handle parent;  // null: none any more
  // Moves with its parent from then on. Only without a body, or with a
  // kinematic one.
  bool is_carried = true;
  // Where on its parent; unset: where it is then.
  std::optional<Transform> place_on_parent;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_OBJECT_REQUEST_H_

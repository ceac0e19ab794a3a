// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What somebody who looks for a reason wants to see of a state beside its
// objects: contacts, joints, triggers, regions, paths and where one can walk.
// Derived from state, never a part of it, and made only when somebody asks.

#ifndef REPRISE_SIM_DEBUG_FRAME_H_
#define REPRISE_SIM_DEBUG_FRAME_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// A point in which two bodies touch, or are about to.
struct DebugContact {
  ObjectId object_a;
  ObjectId object_b;
  Vector3 point;             // m, on object_b
  Vector3 normal;            // unit, out of object_b
  double impulse_n_s = 0.0;  // along the normal, in the last substep; 0: none
};

// What a line of a guide stands for.
enum class DebugRole : uint8_t {
  kOutline,  // of a volume, or between what belongs together
  kAxis,     // what something turns around or slides along
  kLimit,    // how far it may
};

// Each end is in the frame of an object, m; of kNoObject in the world's.
struct DebugLine {
  ObjectId start_object;
  Vector3 start;
  ObjectId end_object;
  Vector3 end;
  DebugRole role = DebugRole::kOutline;

  friend bool operator==(const DebugLine&, const DebugLine&) = default;
};

// Lines that show one thing, which objects carry along.
struct DebugGuide {
  enum class Kind : uint8_t {
    kJoint,
    kTrigger,
    kRegion,
    kPath,   // of who finds its way, or what a search has reached
    kSpace,  // where one can walk
  };

  Kind kind = Kind::kJoint;
  std::string name;
  ObjectId owner;         // of a trigger, the object itself; else kNoObject
  bool is_active = true;  // not where it is broken or switched off
  std::vector<DebugLine> lines;

  friend bool operator==(const DebugGuide&, const DebugGuide&) = default;
};

struct DebugFrame {
  std::vector<DebugContact> contacts;
  std::vector<DebugGuide> guides;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_DEBUG_FRAME_H_

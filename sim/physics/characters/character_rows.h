// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The state of characters, besides that of their bodies.

#ifndef REPRISE_SIM_PHYSICS_CHARACTERS_CHARACTER_ROWS_H_
#define REPRISE_SIM_PHYSICS_CHARACTERS_CHARACTER_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// One row a character that has a body, in the order of objects.
struct CharacterRow {
  ObjectId object;
  // What it is told: where to go, level, until told otherwise; and to jump.
  Vector3 wanted_velocity;
  uint64_t wants_jump = 0;  // 0 or 1; the next tick takes it
  // Its own: on the ground against what it stands on, and level; in the air
  // against the world.
  Vector3 velocity;
  ObjectId ground;  // what it stands on; none: it is in the air
  // Its centre and where it faces, in the frame of the ground.
  Vector3 ground_point;
  Vector3 ground_forward;
  uint64_t air_ticks = 0;   // since it stood, to the end of the coyote time
  uint64_t jump_ticks = 0;  // for how long a jump that was asked for waits

  static constexpr std::string_view kTable = "characters";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(CharacterRow, object, ""),
                      REPRISE_FIELD(CharacterRow, wanted_velocity, "m/s"),
                      REPRISE_FIELD(CharacterRow, wants_jump, ""),
                      REPRISE_FIELD(CharacterRow, velocity, "m/s"),
                      REPRISE_FIELD(CharacterRow, ground, ""),
                      REPRISE_FIELD(CharacterRow, ground_point, "m"),
                      REPRISE_FIELD(CharacterRow, ground_forward, ""),
                      REPRISE_FIELD(CharacterRow, air_ticks, "tick"),
                      REPRISE_FIELD(CharacterRow, jump_ticks, "tick")};
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CHARACTERS_CHARACTER_ROWS_H_

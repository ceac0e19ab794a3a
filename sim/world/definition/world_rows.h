// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows of the room "world": what the built-in simulation keeps between
// ticks besides bodies.

#ifndef REPRISE_SIM_WORLD_DEFINITION_WORLD_ROWS_H_
#define REPRISE_SIM_WORLD_DEFINITION_WORLD_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/random.h"
#include "sim/base/tick.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// One row: how far the run has come, and how it ended.
struct RunRow {
  Tick tick = 0;
  // Outcome::Status as a number; it never changes back to 0 (running).
  int64_t outcome = 0;
  // The object that decided it, if one did, why, and the tick in which it did.
  ObjectId decided_by;
  Id reason;  // a text of the pack; none: the name of that object
  Tick decided_at = 0;

  static constexpr std::string_view kTable = "run";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(RunRow, tick, "tick"),
                      REPRISE_FIELD(RunRow, outcome, ""),
                      REPRISE_FIELD(RunRow, decided_by, ""),
                      REPRISE_FIELD(RunRow, reason, ""),
                      REPRISE_FIELD(RunRow, decided_at, "tick")};
  }
};

// A stream of random numbers that the world keeps for an object.
struct RandomStreamRow {
  ObjectId object;
  Id name;
  RandomStream stream;

  static constexpr std::string_view kTable = "random_streams";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(RandomStreamRow, object, ""),
                      REPRISE_FIELD(RandomStreamRow, name, ""),
                      REPRISE_FIELD(RandomStreamRow, stream, "")};
  }
};

// A ray that an object has asked for, and that is cast when it is due.
struct RayRequestRow {
  Tick due = 0;  // of the game
  uint64_t request = 0;
  Handle object;  // who asked
  Id event;       // the type of the answer
  Vector3 from;
  Vector3 to;

  static constexpr std::string_view kTable = "ray_requests";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(RayRequestRow, due, "tick"),
                      REPRISE_FIELD(RayRequestRow, request, ""),
                      REPRISE_FIELD(RayRequestRow, object, ""),
                      REPRISE_FIELD(RayRequestRow, event, ""),
                      REPRISE_FIELD(RayRequestRow, from, "m"),
                      REPRISE_FIELD(RayRequestRow, to, "m")};
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_DEFINITION_WORLD_ROWS_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows of senses: the component of objects that have some, and whom they
// remember.

#ifndef REPRISE_SIM_SYSTEMS_SENSES_SENSES_ROWS_H_
#define REPRISE_SIM_SYSTEMS_SENSES_SENSES_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/handle.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// In the place of an age: there is nothing.
inline constexpr int64_t kNeverNoticed = -1;

// Only in packs that have such types. Ages are as of its last look.
struct SensesRow {
  ObjectId object;
  uint64_t overridden = 0;
  int64_t is_active = 1;
  int64_t sees = 0;  // how many
  // The nearest that it sees; else the last that it saw, while it remembers.
  Handle seen;
  Vector3 seen_at;
  int64_t seen_age = kNeverNoticed;
  Vector3 heard_at;
  int64_t heard_age = kNeverNoticed;
  // Its own.
  Tick look_at = 0;     // its next look
  Tick heard_on = 0;    // the tick of the last noise
  Vector3 looked_from;  // its place at the last look
  Vector3 heading;      // the way that it went before; none at the beginning

  static constexpr std::string_view kTable = "senses";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(SensesRow, object, ""),
                      REPRISE_FIELD(SensesRow, overridden, ""),
                      REPRISE_FIELD(SensesRow, is_active, ""),
                      REPRISE_FIELD(SensesRow, sees, ""),
                      REPRISE_FIELD(SensesRow, seen, ""),
                      REPRISE_FIELD(SensesRow, seen_at, "m"),
                      REPRISE_FIELD(SensesRow, seen_age, "tick"),
                      REPRISE_FIELD(SensesRow, heard_at, "m"),
                      REPRISE_FIELD(SensesRow, heard_age, "tick"),
                      REPRISE_FIELD(SensesRow, look_at, "tick"),
                      REPRISE_FIELD(SensesRow, heard_on, "tick"),
                      REPRISE_FIELD(SensesRow, looked_from, "m"),
                      REPRISE_FIELD(SensesRow, heading, "")};
  }
};

// Whom an object remembers, in so many places as its type has.
struct MemoryRow {
  ObjectId object;
  uint64_t number = 0;
  ObjectId subject;      // kNoObject: nobody
  uint64_t is_seen = 0;  // as of the last look
  Tick seen_on = 0;      // the tick in which it was last seen
  uint64_t age = 0;      // ticks since, as of the last look
  Vector3 place;         // where it was then

  static constexpr std::string_view kTable = "memories";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(MemoryRow, object, ""),
                      REPRISE_FIELD(MemoryRow, number, ""),
                      REPRISE_FIELD(MemoryRow, subject, ""),
                      REPRISE_FIELD(MemoryRow, is_seen, ""),
                      REPRISE_FIELD(MemoryRow, seen_on, "tick"),
                      REPRISE_FIELD(MemoryRow, age, "tick"),
                      REPRISE_FIELD(MemoryRow, place, "m")};
  }
};

// One row: who looks first, since lines of sight were used up before.
struct SensesTurnRow {
  ObjectId next;

  static constexpr std::string_view kTable = "turns";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(SensesTurnRow, next, "")};
  }
};

// Memories at a time: 80 bytes each.
inline constexpr uint32_t kMemoryRowsMax = 1u << 22;

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SENSES_SENSES_ROWS_H_

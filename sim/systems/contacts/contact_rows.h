// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows of the room "contacts": who is in which trigger, and whose bodies
// touch.

#ifndef REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_ROWS_H_
#define REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"

namespace reprise::sim {

// An object that touches a trigger; while the row stands, it has not left.
struct OverlapRow {
  ObjectId trigger;
  ObjectId object;
  Tick entered_at = 0;

  static constexpr std::string_view kTable = "overlaps";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(OverlapRow, trigger, ""),
                      REPRISE_FIELD(OverlapRow, object, ""),
                      REPRISE_FIELD(OverlapRow, entered_at, "tick")};
  }
};

// Two objects whose bodies touch, one of which at least hears of it; while the
// row stands, that has not ended.
struct ContactRow {
  ObjectId object_a;  // object_a < object_b
  ObjectId object_b;
  Tick began_at = 0;  // of the game

  static constexpr std::string_view kTable = "contacts";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ContactRow, object_a, ""),
                      REPRISE_FIELD(ContactRow, object_b, ""),
                      REPRISE_FIELD(ContactRow, began_at, "tick")};
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_ROWS_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which bodies touch which, and the events of it for those who want to hear.

#ifndef REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_EVENTS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/base/table.h"
#include "sim/base/tick.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Two objects whose bodies touch, one of which at least hears of it; while the
// row stands, that has not ended. Only in packs with such types.
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

// OK, or DATA_LOSS where the rows of a snapshot can't be.
absl::Status CheckContacts(const Table& rows);

// Brings the rows up to the contacts of the physics step just made, and posts
// to both objects what began, stays and has ended, in the order of (object_a,
// object_b), each time to object_a first. One that is gone is told nothing, but
// for the other the contact has ended.
void FollowContacts(const WorldParts& parts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_EVENTS_H_

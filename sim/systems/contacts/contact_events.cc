// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/contacts/contact_events.h"

#include <utility>
#include <vector>

#include "sim/physics/contact_tally.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/components/world_names.h"

namespace reprise::sim {
namespace {

using Pair = std::pair<ObjectId, ObjectId>;

Pair PairOf(const ContactRow& row) { return {row.object_a, row.object_b}; }
Pair PairOf(const BodyContact& contact) {
  return {contact.object_a, contact.object_b};
}

// What an object wants to hear; null when it is gone or wants nothing.
const ContactEventsDefinition* WishOf(const WorldParts& parts,
                                      ObjectId object) {
  const uint32_t row = parts.objects.RowOf(parts.state, object);
  if (row == kNoRow) return nullptr;
  const TypeDefinition& type =
      parts.definition.types[parts.objects.TypeOf(row)];
  return type.contact_events.has_value() ? &*type.contact_events : nullptr;
}

// Tells `object` of a contact. `sign` is 1 where the normal points to it.
void Tell(const WorldParts& parts, Id event, ObjectId object, ObjectId other,
          const BodyContact& contact, double sign) {
  const Vector3 normal = sign * contact.normal;
  TellObject(parts, event, object,
             {{kObject, FieldValue::OfObject(other)},
              {kImpulse, FieldValue::OfDouble(contact.impulse_n_s)},
              {kX, FieldValue::OfDouble(contact.point.x)},
              {kY, FieldValue::OfDouble(contact.point.y)},
              {kZ, FieldValue::OfDouble(contact.point.z)},
              {kNormalX, FieldValue::OfDouble(normal.x)},
              {kNormalY, FieldValue::OfDouble(normal.y)},
              {kNormalZ, FieldValue::OfDouble(normal.z)}});
}

void TellBoth(const WorldParts& parts, Id event, const BodyContact& contact,
              Tick lasted) {
  const auto tell = [&](ObjectId object, ObjectId other, double sign) {
    const ContactEventsDefinition* const wish = WishOf(parts, object);
    if (wish == nullptr || contact.impulse_n_s < wish->impulse_min_n_s) return;
    const bool is_wanted =
        event == kContactBegan
            ? wish->begin
            : wish->stay_period != 0 && lasted % wish->stay_period == 0;
    if (is_wanted) Tell(parts, event, object, other, contact, sign);
  };
  tell(contact.object_a, contact.object_b, 1.0);
  tell(contact.object_b, contact.object_a, -1.0);
}

void TellEnd(const WorldParts& parts, const ContactRow& row) {
  const auto tell = [&](ObjectId object, ObjectId other) {
    const ContactEventsDefinition* const wish = WishOf(parts, object);
    if (wish == nullptr || !wish->end) return;
    TellObject(parts, kContactEnded, object,
               {{kObject, FieldValue::OfObject(other)}});
  };
  tell(row.object_a, row.object_b);
  tell(row.object_b, row.object_a);
}

}  // namespace

absl::Status CheckContacts(const Table& rows) {
  Pair before;
  for (const ContactRow& row : ReadRows<ContactRow>(rows)) {
    if (PairOf(row) <= before || row.object_a >= row.object_b ||
        row.began_at > kTickMax) {
      return absl::DataLossError(
          "snapshot: the contacts are not in order, or can't be");
    }
    before = PairOf(row);
  }
  return absl::OkStatus();
}

void FollowContacts(const WorldParts& parts) {
  if (!parts.definition.follows_contacts) return;
  Table& rows = parts.state.mutable_table(parts.tables.contacts);
  const std::vector<ContactRow> before = ReadRows<ContactRow>(rows);
  std::vector<ContactRow> after;
  auto old = before.begin();
  for (const BodyContact& contact : parts.physics.contacts()) {
    for (; old != before.end() && PairOf(*old) < PairOf(contact); ++old) {
      TellEnd(parts, *old);
    }
    if (old != before.end() && PairOf(*old) == PairOf(contact)) {
      after.push_back(*old++);
      TellBoth(parts, kContactStayed, contact,
               parts.game_tick - after.back().began_at);
    } else if (WishOf(parts, contact.object_a) != nullptr ||
               WishOf(parts, contact.object_b) != nullptr) {
      after.push_back({contact.object_a, contact.object_b, parts.game_tick});
      TellBoth(parts, kContactBegan, contact, 0);
    }
  }
  for (; old != before.end(); ++old) TellEnd(parts, *old);
  WriteTail<ContactRow>(rows, 0, after);
}

}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/contacts/contact_system.h"

#include <utility>

#include "sim/physics/physics_world.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"
#include "sim/systems/contacts/contact_events.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kOverlapTable = 0;
constexpr uint32_t kContactTable = 1;

constexpr uint32_t kTriggersStep = 0;

using Pair = std::pair<ObjectId, ObjectId>;

Pair PairOf(const ContactRow& row) { return {row.object_a, row.object_b}; }
Pair PairOf(const BodyContact& contact) {
  return {contact.object_a, contact.object_b};
}

}  // namespace

const SystemDeclaration& ContactsDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "who comes into triggers, and contacts of bodies, as events",
      .tables = {RowSchema::Of<OverlapRow>(), RowSchema::Of<ContactRow>()},
      .steps = {{.name = "triggers",
                 .point = StepPoint::kContacts,
                 .writes = {"events"}},
                {.name = "contacts",
                 .point = StepPoint::kContacts,
                 .after = {"triggers"},
                 .writes = {"events"}}},
      .events = kContactEvents};
  return declaration;
}

std::unique_ptr<System> ContactsDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Contacts>(*this, place);
}

Contacts::Contacts(const ContactsDefinition& definition,
                   const SystemPlace& place)
    : System(place),
      definition_(definition),
      wishes_(PartsOfTypes<ContactEventsDefinition>(place.parts.definition)) {}

absl::Status Contacts::CheckRows(const State& snapshot) const {
  const Table& overlaps = snapshot.table(index(kOverlapTable));
  if (!RowsAscend(overlaps) ||
      (!definition_.has_triggers && overlaps.row_count() > 0)) {
    return absl::DataLossError(
        "snapshot: the overlaps are not in order, or can't be");
  }
  const Table& contacts = snapshot.table(index(kContactTable));
  bool is_sound = RowsAscend(contacts) &&
                  (definition_.hears_contacts || contacts.row_count() == 0);
  for (const ContactRow& row : ReadRows<ContactRow>(contacts)) {
    is_sound &= row.object_a != kNoObject && row.object_a < row.object_b &&
                row.began_at <= kTickMax;
  }
  if (!is_sound) {
    return absl::DataLossError(
        "snapshot: the contacts are not in order, or can't be");
  }
  return absl::OkStatus();
}

void Contacts::Run(uint32_t step) {
  if (step == kTriggersStep) {
    if (definition_.has_triggers) FollowTriggers();
  } else if (definition_.hears_contacts) {
    FollowContacts();
  }
}

void Contacts::FollowTriggers() {
  const WorldTables& tables = parts().tables;
  const Tick tick = state().table(tables.run).Get<RunRow>(0).tick;
  const OverlapChanges& changes =
      overlaps_.Follow(parts().definition.physics, state(), parts().physics,
                       tick, mutable_table(kOverlapTable));
  for (const Overlap& overlap : changes.left) {
    // With no trigger left to hear it, everybody with interest would.
    if (parts().objects.RowOf(state(), overlap.trigger) == kNoRow) continue;
    TellObject(parts(), kTriggerLeft, overlap.trigger,
               {{kVisitor, FieldValue::OfObject(overlap.object)}});
  }
  for (const Overlap& overlap : changes.entered) {
    TellObject(parts(), kTriggerEntered, overlap.trigger,
               {{kVisitor, FieldValue::OfObject(overlap.object)}});
  }
  entered_ = changes.entered;
}

const ContactEventsDefinition* Contacts::WishOf(ObjectId object) const {
  const uint32_t row = parts().objects.RowOf(state(), object);
  return row == kNoRow ? nullptr : wishes_[parts().objects.TypeOf(row)];
}

void Contacts::Tell(Id event, ObjectId object, ObjectId other,
                    const BodyContact& contact, double sign) const {
  const Vector3 normal = sign * contact.normal;
  TellObject(parts(), event, object,
             {{kObject, FieldValue::OfObject(other)},
              {kImpulse, FieldValue::OfDouble(contact.impulse_n_s)},
              {kX, FieldValue::OfDouble(contact.point.x)},
              {kY, FieldValue::OfDouble(contact.point.y)},
              {kZ, FieldValue::OfDouble(contact.point.z)},
              {kNormalX, FieldValue::OfDouble(normal.x)},
              {kNormalY, FieldValue::OfDouble(normal.y)},
              {kNormalZ, FieldValue::OfDouble(normal.z)}});
}

void Contacts::TellBoth(Id event, const BodyContact& contact,
                        Tick lasted) const {
  const auto tell = [&](ObjectId object, ObjectId other, double sign) {
    const ContactEventsDefinition* const wish = WishOf(object);
    if (wish == nullptr || contact.impulse_n_s < wish->impulse_min_n_s) return;
    const bool is_wanted =
        event == kContactBegan
            ? wish->begin
            : wish->stay_period != 0 && lasted % wish->stay_period == 0;
    if (is_wanted) Tell(event, object, other, contact, sign);
  };
  tell(contact.object_a, contact.object_b, 1.0);
  tell(contact.object_b, contact.object_a, -1.0);
}

void Contacts::TellEnd(const ContactRow& row) const {
  const auto tell = [&](ObjectId object, ObjectId other) {
    const ContactEventsDefinition* const wish = WishOf(object);
    if (wish == nullptr || !wish->end) return;
    TellObject(parts(), kContactEnded, object,
               {{kObject, FieldValue::OfObject(other)}});
  };
  tell(row.object_a, row.object_b);
  tell(row.object_b, row.object_a);
}

void Contacts::FollowContacts() {
  const std::vector<ContactRow> before =
      ReadRows<ContactRow>(table(kContactTable));
  std::vector<ContactRow> after;
  auto old = before.begin();
  for (const BodyContact& contact : parts().physics.contacts()) {
    for (; old != before.end() && PairOf(*old) < PairOf(contact); ++old) {
      TellEnd(*old);
    }
    if (old != before.end() && PairOf(*old) == PairOf(contact)) {
      after.push_back(*old++);
      TellBoth(kContactStayed, contact,
               parts().game_tick - after.back().began_at);
    } else if (WishOf(contact.object_a) != nullptr ||
               WishOf(contact.object_b) != nullptr) {
      after.push_back({contact.object_a, contact.object_b, parts().game_tick});
      TellBoth(kContactBegan, contact, 0);
    }
  }
  for (; old != before.end(); ++old) TellEnd(*old);
  WriteTail<ContactRow>(mutable_table(kContactTable), 0, after);
}

}  // namespace reprise::sim

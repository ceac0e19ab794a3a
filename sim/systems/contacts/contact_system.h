// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What touching bodies tell the game: who comes into triggers and leaves them,
// and contacts for those who want to hear of them.

#ifndef REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/physics/contact_tally.h"
#include "sim/state/state.h"
#include "sim/systems/contacts/contact_definition.h"
#include "sim/systems/contacts/contact_rows.h"
#include "sim/systems/contacts/overlaps.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

// Of a pack with triggers, or with types that hear of contacts.
struct ContactsDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "contacts";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
  bool follows_contacts() const override { return hears_contacts; }

  bool has_triggers = false;
  bool hears_contacts = false;
};

class Contacts final : public System {
 public:
  static constexpr std::string_view kSystem = ContactsDefinition::kSystem;

  // `definition` outlives this.
  Contacts(const ContactsDefinition& definition, const SystemPlace& place);

  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;

  // Who came into which trigger in this step of the game, ascending; after the
  // step "triggers".
  std::span<const Overlap> entered() const { return entered_; }

 private:
  // Brings the rows up to who is in which trigger, and tells each trigger.
  void FollowTriggers();

  // Brings the rows up to the contacts of the physics step just made, and posts
  // to both objects what began, stays and has ended, in the order of (object_a,
  // object_b), each time to object_a first. One that is gone is told nothing,
  // but for the other the contact has ended.
  void FollowContacts();

  // What an object wants to hear; null when it is gone or wants nothing.
  const ContactEventsDefinition* WishOf(ObjectId object) const;

  // Tells `object` of a contact. `sign` is 1 where the normal points to it.
  void Tell(Id event, ObjectId object, ObjectId other,
            const BodyContact& contact, double sign) const;
  void TellBoth(Id event, const BodyContact& contact, Tick lasted) const;
  void TellEnd(const ContactRow& row) const;

  const ContactsDefinition& definition_;
  std::vector<const ContactEventsDefinition*> wishes_;  // of each type
  OverlapFollower overlaps_;
  std::span<const Overlap> entered_;  // of overlaps_
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTACTS_CONTACT_SYSTEM_H_

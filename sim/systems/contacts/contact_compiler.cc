// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what types want to hear of contacts, and finds the triggers.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reprise/v1/contact.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/contacts/contact_definition.h"
#include "sim/systems/contacts/contact_system.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

// Whether a body of that kind could have contacts.
bool CanBeTouched(const BodyKind& kind, const PhysicsDefinition& physics) {
  if (kind.motion == Motion::kDynamic) return true;
  const auto filter_of = [&](const BodyKind& each) {
    return UnionFilter(each, physics.shapes[each.shape]);
  };
  const CollisionFilter filter = filter_of(kind);
  // A body without shapes is on no layer, and was reported.
  if (filter.layers == 0) return true;
  return std::ranges::any_of(physics.kinds, [&](const BodyKind& other) {
    return other.motion == Motion::kDynamic &&
           CanMeet(filter, filter_of(other));
  });
}

class ContactCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) override {
    if (!message.has_contact_events()) return;
    if (!type.body_kind.has_value() ||
        world().physics.kinds[*type.body_kind].is_trigger) {
      checker.Problem("contact_events", "needs a body that isn't a trigger");
      return;
    }
    const v1::ContactEvents& events = message.contact_events();
    const MessageChecker place = checker.In(events, "contact_events");
    ContactEventsDefinition compiled{.begin = events.begin(),
                                     .end = events.end()};
    const Tick period = CompileSeconds("stay_period_s", events.stay_period_s(),
                                       world().info.tick_rate, place);
    if (events.stay_period_s() != 0.0) {
      compiled.stay_period = std::max(period, Tick{1});
    }
    compiled.impulse_min_n_s = place.Number(
        "impulse_min_ns", events.impulse_min_ns(), 0.0, kMagnitudeMax);
    type.parts.Set(compiled);
  }

  void CompilePack() override {
    for (const BodyKind& kind : world().physics.kinds) {
      definition_->has_triggers |= kind.is_trigger;
    }
    for (const TypeDefinition& type : world().types) {
      definition_->hears_contacts |=
          type.parts.Find<ContactEventsDefinition>() != nullptr;
    }
  }

  // Once all bodies that a type may have are known: reports types that want to
  // hear of contacts though no body can have one with theirs.
  void CompileObjects() override {
    for (int i = 0; i < pack().types_size(); ++i) {
      const v1::Type& message = pack().types(i);
      const std::optional<uint32_t> index =
          world().FindType(IdOf(message.name()));
      if (!index.has_value() || CanHear(world().types[*index])) continue;
      checker()
          .In(message, "types", i)
          .Problem("contact_events",
                   "the pack has no dynamic body that could touch it");
    }
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    const bool is_used =
        definition_->has_triggers || definition_->hears_contacts;
    return is_used ? definition_ : nullptr;
  }

 private:
  // Whether what a type wants to hear can happen, whichever body it has then.
  bool CanHear(const TypeDefinition& type) const {
    // Others were reported, or ask for nothing.
    if (type.parts.Find<ContactEventsDefinition>() == nullptr ||
        !type.body_kind.has_value()) {
      return true;
    }
    std::vector<uint32_t> kinds = {*type.body_kind};
    if (type.body_choice.has_value()) {
      const std::vector<uint32_t>& chosen = type.body_choice->kinds;
      kinds.insert(kinds.end(), chosen.begin(), chosen.end());
    }
    const PhysicsDefinition& physics = world().physics;
    return std::ranges::any_of(kinds, [&](uint32_t kind) {
      return CanBeTouched(physics.kinds[kind], physics);
    });
  }

  std::shared_ptr<ContactsDefinition> definition_ =
      std::make_shared<ContactsDefinition>();
};

REPRISE_REGISTER_SYSTEM(contacts, MakeSystemModule<ContactCompiler>(
                                      ContactsDefinition::Declaration(),
                                      {"Type.contact_events"}));

}  // namespace
}  // namespace reprise::sim

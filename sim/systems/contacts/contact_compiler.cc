// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what types want to hear of contacts, and finds the triggers.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "reprise/v1/contact.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/pack_names.h"
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
    const Tick period = CompilePeriod("stay_period_s", events.stay_period_s(),
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
    WarnOfSources();
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    const bool is_used =
        definition_->has_triggers || definition_->hears_contacts;
    return is_used ? definition_ : nullptr;
  }

 private:
  // Warns where events are waited for of somebody who sends none.
  void WarnOfSources() const {
    for (int i = 0; i < pack().connections_size(); ++i) {
      const v1::Connection& message = pack().connections(i);
      const MessageChecker place = checker().In(message, "connections", i);
      if (!message.source().empty()) {
        CheckSource(message.event(), "source", message.source(), place);
      } else if (!message.source_type().empty()) {
        CheckSourceType(message.event(), message.source_type(), place);
      }
    }
    for (int i = 0; i < pack().objectives_size(); ++i) {
      const v1::Objective& message = pack().objectives(i);
      const MessageChecker place = checker().In(message, "objectives", i);
      CheckCondition(message.condition(),
                     place.In(message.condition(), "condition"));
      for (int k = 0; k < message.failures_size(); ++k) {
        CheckCondition(message.failures(k),
                       place.In(message.failures(k), "failures", k));
      }
    }
  }

  void CheckCondition(const v1::Condition& condition,
                      const MessageChecker& place) const {
    if (!condition.has_event() || condition.event().object().empty()) return;
    CheckSource(condition.event().event(), "object", condition.event().object(),
                place.In(condition.event(), "event"));
  }

  void CheckSource(std::string_view event, std::string_view field,
                   const std::string& name, const MessageChecker& place) const {
    const ObjectDefinition* const object = FindObjectNamed(name, world());
    if (object == nullptr) return;  // reported
    const TypeDefinition& type =
        world().types[world().archetypes[object->archetype].type];
    const std::string_view why = WhyNotSent(event, type);
    if (!why.empty()) Warn(event, field, name, why, place);
  }

  // The type is the one of a source, or what it is extended by.
  void CheckSourceType(std::string_view event, const std::string& name,
                       const MessageChecker& place) const {
    const Id id = IdOf(name);
    std::string_view why;
    for (const TypeDefinition& type : world().types) {
      if (type.id != id &&
          std::ranges::find(type.bases, id) == type.bases.end()) {
        continue;
      }
      why = WhyNotSent(event, type);
      if (why.empty()) return;
    }
    if (!why.empty()) Warn(event, "source_type", name, why, place);
  }

  void Warn(std::string_view event, std::string_view field,
            std::string_view name, std::string_view why,
            const MessageChecker& place) const {
    if (IsSentByPack(event)) return;
    place.Warning(field,
                  fmt::format("'{}' sends no '{}': {}", name, event, why));
  }

  // Packs may send the like themselves.
  bool IsSentByPack(std::string_view event) const {
    return std::ranges::any_of(pack().connections(),
                               [&](const v1::Connection& each) {
                                 return each.send() == event;
                               }) ||
           std::ranges::any_of(pack().types(), [&](const v1::Type& type) {
             return std::ranges::any_of(
                 type.timers(),
                 [&](const v1::Timer& each) { return each.event() == event; });
           });
  }

  // Empty where objects of the type send such events, whichever body they have
  // then, or they are none of this system's.
  std::string_view WhyNotSent(std::string_view event,
                              const TypeDefinition& type) const {
    const bool is_of_triggers =
        event == "trigger_entered" || event == "trigger_left";
    if (is_of_triggers) {
      const bool is_trigger =
          std::ranges::any_of(KindsOf(type), [&](uint32_t kind) {
            return world().physics.kinds[kind].is_trigger;
          });
      return is_trigger ? "" : "it is no trigger";
    }
    const auto* const wanted = type.parts.Find<ContactEventsDefinition>();
    if (event == "contact_began") {
      return wanted != nullptr && wanted->begin
                 ? ""
                 : "its type doesn't say contact_events { begin: true }";
    }
    if (event == "contact_ended") {
      return wanted != nullptr && wanted->end
                 ? ""
                 : "its type doesn't say contact_events { end: true }";
    }
    if (event == "contact_stayed") {
      return wanted != nullptr && wanted->stay_period != 0
                 ? ""
                 : "its type doesn't say contact_events { stay_period_s }";
    }
    return "";
  }

  // Of all bodies that objects of the type may have.
  static std::vector<uint32_t> KindsOf(const TypeDefinition& type) {
    std::vector<uint32_t> kinds;
    if (type.body_kind.has_value()) kinds.push_back(*type.body_kind);
    if (type.body_choice.has_value()) {
      const std::vector<uint32_t>& chosen = type.body_choice->kinds;
      kinds.insert(kinds.end(), chosen.begin(), chosen.end());
    }
    return kinds;
  }

  // Whether what a type wants to hear can happen, whichever body it has then.
  bool CanHear(const TypeDefinition& type) const {
    // Others were reported, or ask for nothing.
    if (type.parts.Find<ContactEventsDefinition>() == nullptr ||
        !type.body_kind.has_value()) {
      return true;
    }
    const PhysicsDefinition& physics = world().physics;
    return std::ranges::any_of(KindsOf(type), [&](uint32_t kind) {
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

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what connections do when events are delivered.

#ifndef REPRISE_SIM_COMPILER_EVENTS_EFFECT_COMPILER_H_
#define REPRISE_SIM_COMPILER_EVENTS_EFFECT_COMPILER_H_

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/events/event_references.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/events/event_effect.h"

namespace reprise::sim {

class EffectCompiler {
 public:
  // All outlive this.
  EffectCompiler(const EventReferences& references, EventCatalogue& events,
                 std::set<std::string>& words, const WorldDefinition& world)
      : references_(references),
        events_(events),
        words_(words),
        world_(world) {}

  // What is done for an event; nullopt after reporting, at the effect's place,
  // that it can't be.
  std::optional<EventEffect> Compile(const v1::Effect& effect,
                                     const std::string& event,
                                     const MessageChecker& place) const;

 private:
  std::optional<EventEffect> CompileProperty(
      const std::string& object, const std::string& property,
      std::string_view value_field, const std::string& value, bool is_added,
      const std::string& event, const MessageChecker& place) const;
  bool CompileReference(const std::string& name, const std::string& event,
                        const MessageChecker& place,
                        PropertyEffect& effect) const;
  bool FindTarget(const std::string& name, const MessageChecker& place,
                  PropertyEffect& effect) const;
  std::optional<EventEffect> CompileSend(const v1::SendEffect& effect,
                                         const std::string& event,
                                         const MessageChecker& place) const;
  std::optional<EventEffect> CompileSpawn(const v1::SpawnEffect& effect,
                                          const std::string& event,
                                          const MessageChecker& place) const;
  std::optional<EventEffect> CompileOutcome(const v1::OutcomeEffect& effect,
                                            const std::string& event,
                                            const MessageChecker& place) const;
  std::optional<Participant> FindObject(const std::string& name,
                                        const std::string& event,
                                        const MessageChecker& place) const;

  const EventReferences& references_;
  EventCatalogue& events_;
  std::set<std::string>& words_;
  const WorldDefinition& world_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_EVENTS_EFFECT_COMPILER_H_

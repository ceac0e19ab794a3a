// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The language of connections for the systems of a pack.

#ifndef REPRISE_SIM_COMPILER_EVENTS_PACK_EVENT_LANGUAGE_H_
#define REPRISE_SIM_COMPILER_EVENTS_PACK_EVENT_LANGUAGE_H_

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/event_language.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/events/event_effect.h"
#include "sim/world/events/event_expression.h"
#include "sim/world/events/participant.h"

namespace reprise::sim {

class PackEventLanguage final : public EventLanguage {
 public:
  // All outlive this. What is compiled sees the types and objects that are
  // there by then.
  PackEventLanguage(EventCatalogue& events, std::set<std::string>& words,
                    const WorldDefinition& world)
      : events_(events), words_(words), world_(world) {}

  std::shared_ptr<const EventExpression> CompileExpression(
      std::string_view field, const std::string& text, const std::string& event,
      const MessageChecker& place) const override;
  std::optional<EventEffect> CompileEffect(
      const v1::Effect& effect, const std::string& event,
      const MessageChecker& place) const override;
  std::optional<Participant> FindObject(
      std::string_view field, const std::string& name,
      const MessageChecker& place) const override;

 private:
  EventCatalogue& events_;
  std::set<std::string>& words_;
  const WorldDefinition& world_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_EVENTS_PACK_EVENT_LANGUAGE_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/events/pack_event_language.h"

#include "sim/compiler/events/effect_compiler.h"
#include "sim/compiler/events/event_references.h"

namespace reprise::sim {

std::shared_ptr<const EventExpression> PackEventLanguage::CompileExpression(
    std::string_view field, const std::string& text, const std::string& event,
    const MessageChecker& place) const {
  return EventReferences(events_, words_, world_, EventReferences::Self::kIs)
      .CompileExpression(field, text, event, place);
}

std::optional<EventEffect> PackEventLanguage::CompileEffect(
    const v1::Effect& effect, const std::string& event,
    const MessageChecker& place) const {
  if (effect.has_start_timer()) {
    events_.AddArgument(effect.start_timer().timer().event(), "timer",
                        ScalarType::kId);
  }
  const EventReferences references(events_, words_, world_,
                                   EventReferences::Self::kIs);
  return EffectCompiler(references, events_, words_, world_)
      .Compile(effect, event, place);
}

std::optional<Participant> PackEventLanguage::FindObject(
    std::string_view field, const std::string& name,
    const MessageChecker& place) const {
  return EventReferences(events_, words_, world_)
      .FindObject(field, name, place);
}

}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The words that connections are written in (conditions, numbers, effects), for
// systems that let packs write them, too.

#ifndef REPRISE_SIM_COMPILER_CHECKING_EVENT_LANGUAGE_H_
#define REPRISE_SIM_COMPILER_CHECKING_EVENT_LANGUAGE_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/events/event_effect.h"
#include "sim/world/events/event_expression.h"
#include "sim/world/events/participant.h"

namespace reprise::sim {

// Each compiles something about an event that an object hears, which `self`
// stands for and which is the event's target; or, with no event, about the
// object alone. It reports what is wrong at its place.
class EventLanguage {
 public:
  virtual ~EventLanguage() = default;

  // Null after reporting.
  virtual std::shared_ptr<const EventExpression> CompileExpression(
      std::string_view field, const std::string& text, const std::string& event,
      const MessageChecker& place) const = 0;

  // nullopt after reporting.
  virtual std::optional<EventEffect> CompileEffect(
      const v1::Effect& effect, const std::string& event,
      const MessageChecker& place) const = 0;

  // An object of the pack; nullopt after reporting.
  virtual std::optional<Participant> FindObject(
      std::string_view field, const std::string& name,
      const MessageChecker& place) const = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_EVENT_LANGUAGE_H_

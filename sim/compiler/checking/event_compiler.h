// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what a pack says of events and time: limits, the game's clock, and
// the interests and timers of its types.

#ifndef REPRISE_SIM_COMPILER_CHECKING_EVENT_COMPILER_H_
#define REPRISE_SIM_COMPILER_CHECKING_EVENT_COMPILER_H_

#include <set>
#include <string>
#include <string_view>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/time/timers.h"

namespace reprise::sim {

// Each adds to `world` what the pack says, and to `words` the names that are
// not those of events. `checker` is the pack's own, or the type's.

// REQUIRES: the inputs are there.
void CompileClock(const v1::Pack& pack, const MessageChecker& checker,
                  WorldDefinition& world);

void CompileEventLimits(const v1::Limits& limits, const MessageChecker& checker,
                        EventLimits& compiled);

void CompileInterests(const v1::Type& type, const MessageChecker& checker,
                      EventCatalogue& events, TypeDefinition& compiled);

// A timer without its object, which begins with the object or is started later.
TimerStart CompileTimer(const v1::Timer& timer, const MessageChecker& place,
                        TickRate rate, EventCatalogue& events,
                        std::set<std::string>& words);

void CompileTimers(const v1::Type& type, const MessageChecker& checker,
                   TickRate rate, EventCatalogue& events,
                   std::set<std::string>& words, TypeDefinition& compiled);

// Seconds as ticks by the exact rule of tick.h; 0 after reporting that the
// field is negative or too long.
Tick CompileSeconds(std::string_view field, double seconds, TickRate rate,
                    const MessageChecker& checker);

// The same of a time whose 0 means that there is none: what isn't 0 and rounds
// to it leads nowhere (MessageChecker::LeadsNowhere).
Tick CompilePeriod(std::string_view field, double seconds, TickRate rate,
                   const MessageChecker& checker);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_EVENT_COMPILER_H_

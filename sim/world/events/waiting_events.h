// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The account of what happened in a world, for whoever listens. Nothing in the
// state depends on it.

#ifndef REPRISE_SIM_WORLD_EVENTS_WAITING_EVENTS_H_
#define REPRISE_SIM_WORLD_EVENTS_WAITING_EVENTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/world/events/event_router.h"

namespace reprise::sim {

// Events wait here for a listener; a run that nobody listens to keeps the first
// ones and counts the rest.
inline constexpr size_t kWaitingEventsMax = size_t{1} << 16;

class WaitingEvents final : public EventJournal {
 public:
  // From now on events are of `tick`, whatever the game's own clock says.
  void Begin(Tick tick) { tick_ = tick; }

  // Begins a step of the game. Of its events, those of `types` (ascending; they
  // outlive this) are kept for the world itself, whoever listens.
  void BeginStep(std::span<const Id> types);
  std::span<const Event> step_events() const { return step_events_; }

  void Record(Event event) override;
  void RecordDelivered(const Event& event) override;

  // The events since the last call, oldest first; then, if some were dropped,
  // one `events_dropped` with their number, as of `tick`.
  std::vector<Event> Drain(Tick tick);

  void Clear();

 private:
  // Keeps an event for the world itself, where somebody wants it.
  void Keep(const Event& event);

  Tick tick_ = 0;
  std::vector<Event> events_;
  uint64_t dropped_ = 0;
  std::span<const Id> step_types_;
  std::vector<Event> step_events_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENTS_WAITING_EVENTS_H_

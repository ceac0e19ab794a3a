// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The account of what happened in a world, for whoever listens. Nothing in the
// state depends on it.

#ifndef REPRISE_SIM_WORLD_EVENT_JOURNAL_H_
#define REPRISE_SIM_WORLD_EVENT_JOURNAL_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/tick.h"
#include "sim/event.h"

namespace reprise::sim {

// Events wait here for a listener; a run that nobody listens to keeps the first
// ones and counts the rest.
inline constexpr size_t kWaitingEventsMax = size_t{1} << 16;

class EventJournal {
 public:
  void Add(Event event);

  // The events since the last call, oldest first; then, if some were dropped,
  // one `events_dropped` with their number, as of `tick`.
  std::vector<Event> Drain(Tick tick);

  void Clear();

 private:
  std::vector<Event> events_;
  uint64_t dropped_ = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_EVENT_JOURNAL_H_

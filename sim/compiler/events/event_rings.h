// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds connections by which an event sends itself again within one tick, and
// so for as long as the bounds of events allow.

#ifndef REPRISE_SIM_COMPILER_EVENTS_EVENT_RINGS_H_
#define REPRISE_SIM_COMPILER_EVENTS_EVENT_RINGS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/world/events/event_connections.h"

namespace reprise::sim {

struct EventRing {
  // Each posts the event that the next follows, the last that of the first.
  std::vector<size_t> connections;
  // The effect by which the last one does; unset: what it posts itself.
  std::optional<size_t> effect;
};

// Rings of connections without a condition, and of what they post or their
// effects send without a delay, each connection in one at most. The sender of
// an event stays, so those of different senders make none.
std::vector<EventRing> FindEventRings(
    std::span<const EventConnection> connections);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_EVENTS_EVENT_RINGS_H_

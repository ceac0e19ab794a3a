// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/events/waiting_events.h"

#include <algorithm>
#include <utility>

#include "sim/world/components/world_names.h"

namespace reprise::sim {

void WaitingEvents::BeginStep(std::span<const Id> types) {
  step_types_ = types;
  step_events_.clear();
}

void WaitingEvents::Record(Event event) {
  event.tick = tick_;
  Keep(event);
  if (events_.size() >= kWaitingEventsMax) {
    ++dropped_;
    return;
  }
  events_.push_back(std::move(event));
}

void WaitingEvents::RecordDelivered(const Event& event) { Keep(event); }

void WaitingEvents::Keep(const Event& event) {
  if (!std::ranges::binary_search(step_types_, event.type)) return;
  step_events_.push_back(event);
  step_events_.back().tick = tick_;
}

std::vector<Event> WaitingEvents::Drain(Tick tick) {
  if (dropped_ > 0) {
    const auto count = static_cast<int64_t>(std::exchange(dropped_, 0));
    events_.push_back({.tick = tick,
                       .type = kEventsDropped,
                       .object = kNoObject,
                       .arguments = {{kCount, FieldValue::OfInt64(count)}}});
  }
  return std::exchange(events_, {});
}

void WaitingEvents::Clear() {
  events_.clear();
  dropped_ = 0;
  step_events_.clear();
}

}  // namespace reprise::sim

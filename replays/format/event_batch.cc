// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/event_batch.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "replays/messages/proto_conversion.h"

namespace reprise::replays {
namespace {

constexpr std::string_view kEventsDropped = "events_dropped";

}  // namespace

uint64_t AddEvents(sim::Tick tick, std::span<const sim::Event> events,
                   const sim::Simulation& simulation, v1::EventBatch& batch) {
  uint64_t event_bytes = 0;
  int64_t dropped = 0;
  for (const sim::Event& event : events) {
    v1::Event added = ToProto(event, simulation);
    // Told behind the step is still of it: how many events were dropped.
    added.set_tick(std::min(event.tick, tick));
    const uint64_t bytes = added.ByteSizeLong();
    if (event_bytes + bytes > kTickEventBytesMax &&
        added.type() != kEventsDropped) {
      ++dropped;
      continue;
    }
    event_bytes += bytes;
    *batch.add_events() = std::move(added);
  }
  if (dropped > 0) {
    v1::Event& told = *batch.add_events();
    told.set_tick(tick);
    told.set_type(std::string(kEventsDropped));
    v1::EventArgument& count = *told.add_arguments();
    count.set_name("count");
    count.set_int_value(dropped);
  }
  return event_bytes;
}

}  // namespace reprise::replays

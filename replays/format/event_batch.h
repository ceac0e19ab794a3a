// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is recorded of a tick's events, and which events a batch may hold.

#ifndef REPRISE_REPLAYS_FORMAT_EVENT_BATCH_H_
#define REPRISE_REPLAYS_FORMAT_EVENT_BATCH_H_

#include <cstdint>
#include <span>

#include "reprise/v1/event.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/simulation.h"

namespace reprise::replays {

// What is recorded of the events of one tick at most. What is beyond is told by
// its number, as by a world that had to forget events.
inline constexpr uint64_t kTickEventBytesMax = uint64_t{16} << 20;

// Adds to `batch` what is recorded of `events`, the ones of the step `tick`, in
// the names that `simulation` has after it. Returns the bytes of all that was
// added, which is the same for the same events.
uint64_t AddEvents(sim::Tick tick, std::span<const sim::Event> events,
                   const sim::Simulation& simulation, v1::EventBatch& batch);

// Whether `event` is of one of the batch's ticks, from `lowest` on. How many
// events were dropped is told behind the last step, and the first recorders
// wrote it as of the tick behind that.
inline bool IsInBatch(const v1::Event& event, const v1::EventBatch& batch,
                      sim::Tick lowest) {
  if (event.tick() < lowest || event.tick() < batch.first_tick()) return false;
  const uint64_t place = event.tick() - batch.first_tick();
  return place < batch.tick_count() ||
         (place == batch.tick_count() && event.type() == "events_dropped");
}

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_EVENT_BATCH_H_

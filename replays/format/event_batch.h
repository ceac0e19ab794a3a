// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which events a batch may hold.

#ifndef REPRISE_REPLAYS_FORMAT_EVENT_BATCH_H_
#define REPRISE_REPLAYS_FORMAT_EVENT_BATCH_H_

#include <cstdint>

#include "reprise/v1/event.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "sim/base/tick.h"

namespace reprise::replays {

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

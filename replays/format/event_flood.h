// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Ticks with as many events as a world delivers in one at all: events that send
// each other have no end, and make a run slow without another sign of it.

#ifndef REPRISE_REPLAYS_FORMAT_EVENT_FLOOD_H_
#define REPRISE_REPLAYS_FORMAT_EVENT_FLOOD_H_

#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/tick.h"

namespace reprise::replays {

// As many as worlds deliver in a tick unless their pack says otherwise.
inline constexpr uint64_t kEventFlood = uint64_t{1} << 16;

class EventFlood {
 public:
  // Takes in that `tick` had so many events. Ticks ascend.
  void Count(sim::Tick tick, uint64_t events) {
    if (events < kEventFlood) return;
    if (!first_tick_.has_value()) first_tick_ = tick;
    ++tick_count_;
  }

  // Takes in what was found in the ticks behind.
  void Add(const EventFlood& later) {
    if (!first_tick_.has_value()) first_tick_ = later.first_tick_;
    tick_count_ += later.tick_count_;
  }

  bool is_found() const { return tick_count_ > 0; }

  // "24 ticks, from tick 6 on, have 65536 events or more each: do events send
  // each other in a circle?". REQUIRES: is_found().
  std::string Format() const;

 private:
  std::optional<sim::Tick> first_tick_;
  uint64_t tick_count_ = 0;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_EVENT_FLOOD_H_

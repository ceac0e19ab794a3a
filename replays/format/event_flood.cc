// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/event_flood.h"

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::replays {

std::string EventFlood::Format() const {
  CHECK(is_found());
  return fmt::format(
      "{} tick{}, from tick {} on, {} {} events or more{}: do events send each "
      "other in a circle?",
      tick_count_, tick_count_ == 1 ? "" : "s", *first_tick_,
      tick_count_ == 1 ? "has" : "have", kEventFlood,
      tick_count_ == 1 ? "" : " each");
}

}  // namespace reprise::replays

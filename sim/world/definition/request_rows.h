// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What behaviours have asked for and are answered later. There is one queue,
// whatever the kinds: what a request asks exactly is kept by who answers it, in
// a table of its own, under the same key.

#ifndef REPRISE_SIM_WORLD_DEFINITION_REQUEST_ROWS_H_
#define REPRISE_SIM_WORLD_DEFINITION_REQUEST_ROWS_H_

#include <array>
#include <cstdint>
#include <map>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/world/components/built_in_events.h"

namespace reprise::sim {

// Requests that wait at a time, of all kinds: more than any game makes in a
// second.
inline constexpr uint32_t kRequestsMax = 1 << 16;

// The kind of UpdateContext::RequestRay, which the world itself answers.
inline constexpr Id kRayRequest = WordIdOf("ray");

// Rays that are cast in a tick: some 10 ms.
inline constexpr uint32_t kRaysPerTickMax = 1 << 13;

// How many requests of each kind that a pack knows are answered in a tick.
using RequestBudgets = std::map<Id, uint32_t>;

// Answered when `due` has come, in the order of the table; behind that, as long
// as others of its kind before it used up what is answered in a tick.
struct RequestRow {
  Tick due = 0;          // of the game
  uint64_t request = 0;  // among those of one tick, in the order of asking
  Id kind;
  Handle object;  // who asked
  Id event;       // the type of the answer

  static constexpr std::string_view kTable = "requests";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(RequestRow, due, "tick"),
                      REPRISE_FIELD(RequestRow, request, ""),
                      REPRISE_FIELD(RequestRow, kind, ""),
                      REPRISE_FIELD(RequestRow, object, ""),
                      REPRISE_FIELD(RequestRow, event, "")};
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_DEFINITION_REQUEST_ROWS_H_

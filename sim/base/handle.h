// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A reference to a slot that may be emptied and used again. The generation
// tells a slot's present tenant from those before, so a handle kept too long is
// found out and never leads to a stranger.

#ifndef REPRISE_SIM_BASE_HANDLE_H_
#define REPRISE_SIM_BASE_HANDLE_H_

#include <compare>
#include <cstdint>

namespace reprise::sim {

struct Handle {
  uint32_t index = 0;
  uint32_t generation = 0;  // 0 is the null handle's; tenants count from 1

  constexpr bool is_null() const { return generation == 0; }

  // By index, then generation: an order for sorted containers and searches. The
  // order in which objects are visited is ObjectId's, never this one.
  friend auto operator<=>(const Handle&, const Handle&) = default;
};

inline constexpr Handle kNullHandle = {};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_HANDLE_H_

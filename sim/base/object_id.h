// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The identity of an object for the whole of a run: its creation serial.
// Serials are never used again, and their order is the order in which objects
// are visited, compared and reported.

#ifndef REPRISE_SIM_BASE_OBJECT_ID_H_
#define REPRISE_SIM_BASE_OBJECT_ID_H_

#include <compare>
#include <cstdint>

namespace reprise::sim {

struct ObjectId {
  // 0 is no object; the objects of a pack are numbered from 1 in the order of
  // their full names, later ones as they are spawned.
  uint64_t serial = 0;

  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;
};

inline constexpr ObjectId kNoObject = {};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_OBJECT_ID_H_

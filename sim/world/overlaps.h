// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which objects are inside which triggers, and who came and left this tick.

#ifndef REPRISE_SIM_WORLD_OVERLAPS_H_
#define REPRISE_SIM_WORLD_OVERLAPS_H_

#include <compare>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/base/table.h"
#include "sim/base/tick.h"
#include "sim/physics/physics_definition.h"
#include "sim/physics/touching_pairs.h"

namespace reprise::sim {

struct Overlap {
  ObjectId trigger;
  ObjectId object;

  friend auto operator<=>(const Overlap&, const Overlap&) = default;
};

// Those of `touching` in which one is a trigger, ascending. Two triggers that
// touch are inside each other. `bodies` is the table of bodies.
std::vector<Overlap> FindOverlaps(const PhysicsDefinition& definition,
                                  const Table& bodies,
                                  const std::vector<TouchingPair>& touching);

// What changed from one tick to the next, both ascending.
struct OverlapChanges {
  std::vector<Overlap> entered;
  std::vector<Overlap> left;
};

// Brings `rows` (a table of OverlapRow) up to `now`; rows that stay keep their
// tick of entry. A table that has nothing to change is not written.
OverlapChanges UpdateOverlaps(const std::vector<Overlap>& now, Tick tick,
                              Table& rows);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_OVERLAPS_H_

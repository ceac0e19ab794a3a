// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which objects are inside which triggers, and who came and left this tick.

#ifndef REPRISE_SIM_SYSTEMS_CONTACTS_OVERLAPS_H_
#define REPRISE_SIM_SYSTEMS_CONTACTS_OVERLAPS_H_

#include <compare>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/physics_world.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::sim {

struct Overlap {
  ObjectId trigger;
  ObjectId object;

  friend auto operator<=>(const Overlap&, const Overlap&) = default;
};

// What changed from one tick to the next, both ascending.
struct OverlapChanges {
  std::vector<Overlap> entered;
  std::vector<Overlap> left;
};

// Keeps its memory from tick to tick, and nothing else.
class OverlapFollower {
 public:
  // Brings `rows` (a table of OverlapRow) up to who touches whom in `state` or
  // has passed through whom in the last step of `physics`;
  // rows that stay keep their tick of entry, and a table that has nothing to
  // change is not written. Two triggers that touch are inside each other. The
  // result is valid until the next call.
  const OverlapChanges& Follow(const PhysicsDefinition& definition,
                               const State& state, const PhysicsWorld& physics,
                               Tick tick, Table& rows);

 private:
  std::vector<Overlap> now_;
  std::vector<Overlap> before_;
  std::vector<Tick> entered_at_;  // of those before
  OverlapChanges changes_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CONTACTS_OVERLAPS_H_

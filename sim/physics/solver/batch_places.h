// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Divides manifolds, in their order, into batches of a few that share no body
// which moves. A manifold comes into a later batch than all before it that
// share one with it, so that going through the batches, forth or back, gives
// every body the same impulses in the same order as going through manifolds one
// by one.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_BATCH_PLACES_H_
#define REPRISE_SIM_PHYSICS_SOLVER_BATCH_PLACES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/contact_batch.h"

namespace reprise::sim {

struct BatchPlace {
  uint32_t batch = 0;
  int lane = 0;
};

class BatchPlaces {
 public:
  // Forgets all batches.
  void Reset(uint32_t body_count);

  // The place of the next manifold, of two bodies. Its batch is the next new
  // one, or one of the same kind.
  BatchPlace Add(const BodyPair& pair, const ContactBatchKind& kind);

 private:
  // Batches of a kind that have room, in ascending order.
  struct Open {
    std::vector<BatchPlace> places;  // the next lane of each
  };
  static constexpr uint32_t kKinds = 32;

  uint32_t batch_count_ = 0;
  std::array<Open, kKinds> open_;
  std::vector<uint32_t> ends_;  // by body: behind the last batch that has it
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_BATCH_PLACES_H_

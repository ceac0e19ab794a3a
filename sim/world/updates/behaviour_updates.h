// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Has behaviours update their objects, bucket by bucket. Nothing depends on the
// order within a bucket: what objects send each other meanwhile is delivered
// when all of the bucket are updated.

#ifndef REPRISE_SIM_WORLD_UPDATES_BEHAVIOUR_UPDATES_H_
#define REPRISE_SIM_WORLD_UPDATES_BEHAVIOUR_UPDATES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "sim/state/state.h"
#include "sim/world/objects/update_order.h"
#include "sim/world/objects/update_times.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/updates/step_writers.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

// Belongs to one world.
class BehaviourUpdates {
 public:
  // `cached` as UpdateContext's. `writers` is told which behaviour writes. All
  // outlive this.
  BehaviourUpdates(const WorldParts& parts, const State* cached,
                   StepWriters& writers);

  // Makes one of the two updates of the game's tick: of each bucket, carries
  // the objects that are attached, runs the behaviours that are due, and
  // delivers what they sent. `cached` holds the state as it is now.
  void Run(Hook hook);

 private:
  // An attached object and its parent, by their rows.
  struct Attached {
    uint64_t bucket = 0;
    uint32_t attachment = 0;
    uint32_t object = 0;
    uint32_t parent = 0;
  };

  // Makes attached_ of the attachments, which change with the objects.
  void FindAttached();
  void Carry(std::span<const Attached> attached);
  void RunBatch(const UpdateBatch& batch, Hook hook, UpdateContext& context);
  // Those of `rows` that take part in this update: some may have failed or been
  // put to sleep in the middle of it.
  std::span<const uint32_t> StillActive(std::span<const uint32_t> rows);

  const WorldParts& parts_;
  const State* const cached_;
  StepWriters& writers_;
  UpdateOrder order_;
  uint64_t generation_ = 0;         // of the objects, when the update began
  std::vector<Attached> attached_;  // by bucket, then in object order
  std::vector<uint32_t> active_rows_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_BEHAVIOUR_UPDATES_H_

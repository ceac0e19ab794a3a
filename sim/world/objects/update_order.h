// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// In which order behaviours update objects: bucket by bucket, so that whoever
// depends on another comes after it; within a bucket type by type, so that one
// behaviour sees all its objects at once. Derived from the objects, made anew
// when they change.

#ifndef REPRISE_SIM_WORLD_OBJECTS_UPDATE_ORDER_H_
#define REPRISE_SIM_WORLD_OBJECTS_UPDATE_ORDER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {

// The active objects of one type in one bucket, in object order.
struct UpdateBatch {
  uint64_t bucket = 0;
  uint32_t type = 0;
  uint32_t first_row = 0;  // into UpdateOrder's rows
  uint32_t row_count = 0;
};

class UpdateOrder {
 public:
  explicit UpdateOrder(const WorldDefinition& definition);

  // Follows the objects as they are. Cheap when nothing has changed.
  void Follow(const Objects& objects, const State& state);

  std::span<const UpdateBatch> batches() const { return batches_; }

  // The rows of a batch that `use` updates at `tick` (UpdateOffset). Valid
  // until the next call.
  std::span<const uint32_t> DueRows(const UpdateBatch& batch,
                                    const BehaviourUse& use, Tick tick);

 private:
  const WorldDefinition& definition_;
  uint64_t generation_ = 0;
  std::vector<UpdateBatch> batches_;
  std::vector<uint32_t> rows_;
  std::vector<ObjectId> objects_;  // of rows_
  std::vector<uint32_t> due_rows_;
  // By bucket and type: how many rows, then where the next of them goes.
  std::vector<uint32_t> ends_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_OBJECTS_UPDATE_ORDER_H_

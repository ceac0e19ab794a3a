// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/objects/update_order.h"

#include <algorithm>
#include <tuple>

#include "sim/world/components/object_rows.h"
#include "sim/world/objects/update_times.h"

namespace reprise::sim {

UpdateOrder::UpdateOrder(const WorldDefinition& definition)
    : definition_(definition) {
  rows_.reserve(definition.objects_max);
  objects_.reserve(definition.objects_max);
  due_rows_.reserve(definition.objects_max);
}

void UpdateOrder::Follow(const Objects& objects, const State& state) {
  if (generation_ == objects.generation()) return;
  generation_ = objects.generation();
  const Table& table = state.table(objects.tables().objects);
  const auto bucket_of = [&](uint32_t row) {
    return table.Get<ObjectRow>(row).bucket;
  };
  rows_.clear();
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const TypeDefinition& type = definition_.types[objects.TypeOf(row)];
    if (table.Get<ObjectRow>(row).status == ObjectStatus::kActive &&
        !type.behaviours.empty()) {
      rows_.push_back(row);
    }
  }
  // A total order: no row is there twice.
  std::ranges::sort(rows_, {}, [&](uint32_t row) {
    return std::tuple(bucket_of(row), objects.TypeOf(row), row);
  });
  batches_.clear();
  objects_.clear();
  for (uint32_t i = 0; i < rows_.size(); ++i) {
    const uint64_t bucket = bucket_of(rows_[i]);
    const uint32_t type = objects.TypeOf(rows_[i]);
    objects_.push_back(table.Get<ObjectRow>(rows_[i]).object);
    if (batches_.empty() || batches_.back().bucket != bucket ||
        batches_.back().type != type) {
      batches_.push_back(
          {.bucket = bucket, .type = type, .first_row = i, .row_count = 0});
    }
    ++batches_.back().row_count;
  }
}

std::span<const uint32_t> UpdateOrder::DueRows(const UpdateBatch& batch,
                                               const BehaviourUse& use,
                                               Tick tick) {
  const std::span<const uint32_t> rows =
      std::span(rows_).subspan(batch.first_row, batch.row_count);
  if (use.every_ticks == 1) return rows;
  if (!use.is_spread) {
    const bool is_due = (tick + use.offset) % use.every_ticks == 0;
    return is_due ? rows : std::span<const uint32_t>();
  }
  due_rows_.clear();
  for (uint32_t i = 0; i < rows.size(); ++i) {
    const ObjectId object = objects_[batch.first_row + i];
    if ((tick + UpdateOffset(use, object)) % use.every_ticks == 0) {
      due_rows_.push_back(rows[i]);
    }
  }
  return due_rows_;
}

}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/objects/update_order.h"

#include <utility>

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
  const auto type_count = static_cast<uint32_t>(definition_.types.size());
  // What are sorted are few numbers, bucket by bucket and type by type: they
  // are counted, and each row goes where its number says.
  const auto for_each = [&](const auto& visit) {
    uint32_t row = 0;
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      for (const ObjectRow& object : table.PageRows<ObjectRow>(page)) {
        const uint32_t type = objects.TypeOf(row);
        if (object.status == ObjectStatus::kActive &&
            !definition_.types[type].behaviours.empty()) {
          const auto bucket = static_cast<uint32_t>(object.bucket);
          visit(object.object, row, bucket * type_count + type);
        }
        ++row;
      }
    }
  };
  ends_.clear();
  uint32_t count = 0;
  for_each([&](ObjectId, uint32_t, uint32_t number) {
    if (number >= ends_.size()) ends_.resize(number + 1, 0);
    ++ends_[number];
    ++count;
  });
  batches_.clear();
  uint32_t first = 0;
  for (uint32_t number = 0; number < ends_.size(); ++number) {
    const uint32_t row_count = std::exchange(ends_[number], first);
    if (row_count == 0) continue;
    batches_.push_back({.bucket = number / type_count,
                        .type = number % type_count,
                        .first_row = first,
                        .row_count = row_count});
    first += row_count;
  }
  rows_.resize(count);
  objects_.resize(count);
  for_each([&](ObjectId object, uint32_t row, uint32_t number) {
    const uint32_t place = ends_[number]++;
    rows_[place] = row;
    objects_[place] = object;
  });
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

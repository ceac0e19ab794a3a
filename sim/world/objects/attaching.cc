// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/objects/attaching.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/base/check.h"
#include "sim/world/components/built_in_events.h"
#include "sim/world/components/object_rows.h"

namespace reprise::sim {
namespace {

// The objects that others come after, by their rows: their parents, and those
// that the pack names in `after`.
class Dependencies {
 public:
  // As if the object of `row` had `parent`, a row or kNoRow.
  Dependencies(const WorldDefinition& definition, const Objects& objects,
               const State& state, uint32_t row, uint32_t parent)
      : table_(state.table(objects.tables().objects)),
        before_(table_.row_count()),
        behind_(table_.row_count()) {
    for (uint32_t each = 0; each < table_.row_count(); ++each) {
      Add(each, each == row
                    ? parent
                    : objects.RowOf(state, table_.Get<ObjectRow>(each).parent));
      const ObjectDefinition* const object =
          DefinitionOf(definition, table_.Get<ObjectRow>(each));
      if (object == nullptr) continue;
      for (const Id name : object->after) Add(each, objects.RowNamed(name));
    }
  }

  // Those that depend on `row`, itself first; each after all that it depends on
  // among them. Empty where they make a ring.
  std::vector<uint32_t> BehindInOrder(uint32_t row) const {
    std::vector<uint32_t> found = {row};
    std::vector<uint32_t> waits_for(table_.row_count());
    std::vector<bool> is_found(table_.row_count());
    is_found[row] = true;
    for (size_t i = 0; i < found.size(); ++i) {
      for (const uint32_t each : behind_[found[i]]) {
        ++waits_for[each];
        if (is_found[each]) continue;
        is_found[each] = true;
        found.push_back(each);
      }
    }
    if (waits_for[row] > 0) return {};
    std::vector<uint32_t> ordered = {row};
    for (size_t i = 0; i < ordered.size(); ++i) {
      for (const uint32_t each : behind_[ordered[i]]) {
        if (--waits_for[each] == 0) ordered.push_back(each);
      }
    }
    if (ordered.size() < found.size()) return {};
    return ordered;
  }

  const std::vector<uint32_t>& before(uint32_t row) const {
    return before_[row];
  }

 private:
  static const ObjectDefinition* DefinitionOf(const WorldDefinition& definition,
                                              const ObjectRow& object) {
    if (object.chunk != kNoId) return definition.FindPassingObject(object.name);
    // Those of tick 0 are numbered from 1.
    const uint64_t index = object.object.serial - 1;
    if (index >= definition.objects.size()) return nullptr;
    return &definition.objects[index];
  }

  void Add(uint32_t row, uint32_t other) {
    if (other == kNoRow) return;
    before_[row].push_back(other);
    behind_[other].push_back(row);
  }

  const Table& table_;
  std::vector<std::vector<uint32_t>> before_;
  std::vector<std::vector<uint32_t>> behind_;
};

}  // namespace

Id ReasonOf(AttachRefusal refusal) {
  switch (refusal) {
    case AttachRefusal::kNone:
      break;
    case AttachRefusal::kIsGone:
      return WordIdOf("is_gone");
    case AttachRefusal::kIsRing:
      return WordIdOf("is_ring");
    case AttachRefusal::kNoBucket:
      return WordIdOf("no_bucket");
    case AttachRefusal::kNotKinematic:
      return WordIdOf("not_kinematic");
  }
  CHECK(false, "it isn't refused");
}

bool CanBeCarried(const WorldDefinition& definition,
                  const TypeDefinition& type) {
  return !type.body_kind.has_value() ||
         definition.physics.kinds[*type.body_kind].motion == Motion::kKinematic;
}

AttachRefusal SetParent(const WorldDefinition& definition,
                        const Objects& objects, State& state, Handle object,
                        Handle parent) {
  const uint32_t row = objects.RowOf(state, object);
  const uint32_t parent_row =
      parent.is_null() ? kNoRow : objects.RowOf(state, parent);
  if (row == kNoRow || (parent_row == kNoRow && !parent.is_null())) {
    return AttachRefusal::kIsGone;
  }
  const Dependencies dependencies(definition, objects, state, row, parent_row);
  const std::vector<uint32_t> behind = dependencies.BehindInOrder(row);
  if (behind.empty()) return AttachRefusal::kIsRing;
  Table& table = state.mutable_table(objects.tables().objects);
  std::vector<uint64_t> buckets(table.row_count());
  for (uint32_t each = 0; each < table.row_count(); ++each) {
    buckets[each] = table.Get<ObjectRow>(each).bucket;
  }
  for (const uint32_t each : behind) {
    buckets[each] = 0;
    for (const uint32_t other : dependencies.before(each)) {
      buckets[each] = std::max(buckets[each], buckets[other] + 1);
    }
    if (buckets[each] >= kBucketsMax) return AttachRefusal::kNoBucket;
  }
  table.Mutable<ObjectRow>(row).parent = parent;
  for (const uint32_t each : behind) {
    if (table.Get<ObjectRow>(each).bucket == buckets[each]) continue;
    table.Mutable<ObjectRow>(each).bucket = buckets[each];
  }
  return AttachRefusal::kNone;
}

}  // namespace reprise::sim

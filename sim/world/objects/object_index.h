// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How objects are found: by slot, name and type, and the rows of their
// components. Derived from rows, and brought up to date when some of many
// objects come or go, at the price of a look at each number.

#ifndef REPRISE_SIM_WORLD_OBJECTS_OBJECT_INDEX_H_
#define REPRISE_SIM_WORLD_OBJECTS_OBJECT_INDEX_H_

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/id.h"
#include "sim/state/state.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// No row: an object has no such component.
inline constexpr uint32_t kNoRow = ~uint32_t{0};

class ObjectIndex {
 public:
  // `definition` outlives this.
  explicit ObjectIndex(const WorldDefinition& definition);

  // Makes the index of tables: of objects, of slots, and one for each component
  // of the definition.
  void Load(const State& state, TableIndex objects, TableIndex slots,
            std::span<const TableIndex> components);

  // Follows the tables where `rows` of the table of objects are gone, with the
  // rows of their components. REQUIRES: they ascend.
  void Erase(std::span<const uint32_t> rows);
  // Follows them where an object is new, behind all others, and its components'
  // rows, too: `component_rows` are those of its type, in its order.
  void Append(uint32_t type, uint32_t slot, Id name,
              std::span<const uint32_t> component_rows);

  uint32_t object_count() const { return static_cast<uint32_t>(types_.size()); }
  uint32_t TypeOf(uint32_t row) const { return types_[row]; }
  // REQUIRES: an object is in the slot.
  uint32_t RowInSlot(uint32_t slot) const { return rows_of_slots_[slot]; }
  uint32_t RowNamed(Id name) const;
  uint32_t ComponentRow(uint32_t row, uint32_t component) const;
  std::span<const uint32_t> RowsOfType(uint32_t type) const {
    return rows_of_types_[type];
  }

 private:
  struct NamedRow {
    Id name;
    uint32_t row = 0;
  };

  const WorldDefinition& definition_;
  // By row of the table of objects:
  std::vector<uint32_t> types_;
  std::vector<uint32_t> first_component_rows_;  // into component_rows_
  // For each object, the rows of its type's components in their order.
  std::vector<uint32_t> component_rows_;
  std::vector<uint32_t> rows_of_slots_;
  std::vector<std::vector<uint32_t>> rows_of_types_;
  std::vector<NamedRow> named_rows_;  // ascending
  // Where a component stands among those of a type; kNoRow: it has none.
  std::vector<std::vector<uint32_t>> places_in_types_;
  // Of the last Erase: the rows from the first that went on, as they are now.
  std::vector<uint32_t> moved_rows_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_OBJECTS_OBJECT_INDEX_H_

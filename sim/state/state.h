// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The whole state of a simulation at one moment: tables, grouped by room, and
// the digest tree over them. A copy shares all pages with its original, so a
// copy is a snapshot, and any number of them can live side by side.

#ifndef REPRISE_SIM_STATE_STATE_H_
#define REPRISE_SIM_STATE_STATE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/digest.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"

namespace reprise::sim {

// Where a table lies in its State. Fixed once the table is added.
struct TableIndex {
  uint32_t value = 0;

  friend bool operator==(const TableIndex&, const TableIndex&) = default;
};

class State {
 public:
  // Adds an empty table to `room`; tables of one room are added one after
  // another. REQUIRES: no table of the room has the schema's name.
  TableIndex AddTable(std::string_view room,
                      std::shared_ptr<const RowSchema> schema);

  uint32_t table_count() const { return static_cast<uint32_t>(tables_.size()); }
  const Table& table(TableIndex index) const { return tables_[index.value]; }
  Table& mutable_table(TableIndex index) { return tables_[index.value]; }

  // Finds the table `table` of `room`; nullopt where there is none.
  std::optional<TableIndex> Find(std::string_view room,
                                 std::string_view table) const;

  // The rooms in order; each holds the tables from `first_table` up to the next
  // room's first.
  struct Room {
    std::string name;
    uint32_t first_table = 0;
    uint32_t table_count = 0;
  };
  std::span<const Room> rooms() const { return rooms_; }

  // The room of a table.
  const Room& room_of(TableIndex index) const;

  // The digest tree: pages -> table -> room -> root.
  Digest ComputeRoomDigest(const Room& room) const;
  Digest ComputeRootDigest() const;

  // XXH3-64 of a text that says what the state consists of: of each room a line
  // with its name and its number of tables, and of each of these one with its
  // schema's fingerprint, as FormatDigest writes it. Rows don't matter.
  Digest ComputeShapeDigest() const;

  // Whether both have the same rooms and tables with the same schemas.
  // FAILED_PRECONDITION names the first difference.
  absl::Status CheckSameShape(const State& other) const;

 private:
  std::vector<Room> rooms_;
  std::vector<Table> tables_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_STATE_STATE_H_

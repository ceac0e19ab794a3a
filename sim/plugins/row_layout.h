// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a row lies in a plug-in's memory, and how in a table: the same bytes
// where the plug-in's struct has neither gaps nor scalars that tables don't
// know, and scalar by scalar otherwise.

#ifndef REPRISE_SIM_PLUGINS_ROW_LAYOUT_H_
#define REPRISE_SIM_PLUGINS_ROW_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "include/reprise/simulation.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {

class RowLayout {
 public:
  // INVALID_ARGUMENT names the field that can't be: an unknown type or shape, a
  // count that isn't its shape's, fields beyond the row, scalars of one name,
  // keys that aren't, a row that is too large. REQUIRES: CheckName(table.name).
  static absl::StatusOr<RowLayout> Read(const reprise_table& table);

  const std::shared_ptr<const RowSchema>& schema() const { return schema_; }

  // Bytes of a row in the plug-in's memory.
  uint32_t foreign_size() const { return foreign_size_; }

  // Whether both rows are the same bytes.
  bool is_plain() const { return is_plain_; }

  // The bytes of a row in the plug-in's memory that no field describes, as
  // first ones and ends, ascending.
  std::vector<std::pair<uint32_t, uint32_t>> UndescribedBytes() const;

  // The rows of a table for as many of a plug-in's, and back. What isn't
  // described becomes zeros. REQUIRES: both spans hold the same whole number of
  // rows; of ToForeign, Check accepts `rows`.
  void FromForeign(std::span<const std::byte> foreign,
                   std::span<std::byte> rows) const;
  void ToForeign(std::span<const std::byte> rows,
                 std::span<std::byte> foreign) const;

  // The same of one row that doesn't lie in one piece in front of us, field by
  // field: `read` copies bytes of the plug-in's row from `offset` on, `write`
  // the other way round. What isn't described is neither read nor written.
  using ReadPiece =
      absl::FunctionRef<void(uint32_t offset, std::span<std::byte> bytes)>;
  using WritePiece = absl::FunctionRef<void(uint32_t offset,
                                            std::span<const std::byte> bytes)>;
  void FromPieces(ReadPiece read, std::span<std::byte> row) const;
  void ToPieces(std::span<const std::byte> row, WritePiece write) const;

  // Whether a field lies in the bytes of a plug-in's row from `begin` up to
  // `end`, or a part of it.
  bool HasFieldIn(uint64_t begin, uint64_t end) const;

  // Whether rows can be a state's and the plug-in's: no NaN, no boolean but 0
  // and 1, whole numbers that fit. DATA_LOSS names the field and the row, which
  // is counted from `first_row` on.
  absl::Status Check(std::span<const std::byte> rows, uint64_t first_row) const;

 private:
  // Scalars of one field.
  struct Run {
    uint32_t type = 0;  // REPRISE_BOOL ...
    uint32_t count = 0;
    uint32_t foreign_offset = 0;
    uint32_t offset = 0;
    uint32_t field = 0;
  };

  RowLayout() = default;

  // What a run takes in the plug-in's row: at most kPageSize.
  static uint32_t ForeignBytes(const Run& run);

  // Appends a field whose shape was checked, also to those that are kept.
  // INVALID_ARGUMENT: there is no room.
  absl::Status AddField(const reprise_field& field, std::vector<Field>& kept);
  // Whether the runs lie one behind the other and as they are kept.
  bool LiesAsKept() const;

  std::shared_ptr<const RowSchema> schema_;
  std::vector<Run> runs_;
  std::vector<Run> checked_runs_;  // those of which not all bits are values
  uint32_t foreign_size_ = 0;
  bool is_plain_ = false;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_ROW_LAYOUT_H_

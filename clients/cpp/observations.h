// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a session shows of its ticks, by the names under which it was declared
// (`Observe.groups`): columns of numbers, truth values or texts, a value for
// each tick and row.

#ifndef REPRISE_CLIENTS_CPP_OBSERVATIONS_H_
#define REPRISE_CLIENTS_CPP_OBSERVATIONS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reprise/v1/observation.pb.h"

namespace reprise::client {

// The list that a column has values of a type in: double, int64_t, uint64_t,
// bool or std::string.
template <typename Value>
struct ColumnValues;

template <>
struct ColumnValues<double> {
  static constexpr auto kKind = v1::ObservedColumnLayout::KIND_NUMBER;
  static const auto& Of(const v1::ObservedColumn& column) {
    return column.numbers();
  }
};
template <>
struct ColumnValues<int64_t> {
  static constexpr auto kKind = v1::ObservedColumnLayout::KIND_INTEGER;
  static const auto& Of(const v1::ObservedColumn& column) {
    return column.integers();
  }
};
template <>
struct ColumnValues<uint64_t> {
  static constexpr auto kKind = v1::ObservedColumnLayout::KIND_UNSIGNED_INTEGER;
  static const auto& Of(const v1::ObservedColumn& column) {
    return column.unsigned_integers();
  }
};
template <>
struct ColumnValues<bool> {
  static constexpr auto kKind = v1::ObservedColumnLayout::KIND_BOOLEAN;
  static const auto& Of(const v1::ObservedColumn& column) {
    return column.booleans();
  }
};
template <>
struct ColumnValues<std::string> {
  static constexpr auto kKind = v1::ObservedColumnLayout::KIND_TEXT;
  static const auto& Of(const v1::ObservedColumn& column) {
    return column.texts();
  }
};

// The values of one field. It is a part of its block, and lives as long.
template <typename Value>
class Column {
 public:
  // The field as it was declared, its unit, and the names of a value's parts:
  // none where there is one value a row.
  const v1::ObservedColumnLayout& layout() const { return *layout_; }

  // Of a tick and a row, each counted from 0 in the block, and of a part. Where
  // it is absent: 0, false or an empty text. REQUIRES: there are so many.
  Value at(size_t tick, size_t row, size_t part = 0) const {
    return ColumnValues<Value>::Of(*column_).Get(
        static_cast<int>(IndexOf(tick, row, part)));
  }

  // Whether there is no value: the object has no such component, the
  // computation has no answer, or a text did not fit.
  bool is_absent(size_t tick, size_t row, size_t part = 0) const {
    return std::binary_search(column_->absent().begin(),
                              column_->absent().end(),
                              uint64_t{IndexOf(tick, row, part)});
  }

  // All of them: tick by tick, of a tick row by row, of a row part by part.
  const auto& values() const { return ColumnValues<Value>::Of(*column_); }

 private:
  friend class Block;

  Column(const v1::ObservedColumnLayout* layout,
         const v1::ObservedColumn* column, size_t rows)
      : layout_(layout),
        column_(column),
        rows_(rows),
        parts_(std::max(1, layout->parts_size())) {}

  size_t IndexOf(size_t tick, size_t row, size_t part) const {
    return (tick * rows_ + row) * parts_ + part;
  }

  const v1::ObservedColumnLayout* layout_;
  const v1::ObservedColumn* column_;
  size_t rows_;
  size_t parts_;
};

// A group at ticks in which its rows are the same.
class Block {
 public:
  // Which of Observe.groups, counted from 0.
  uint32_t group() const { return block_->group(); }

  // The ticks, ascending.
  size_t tick_count() const {
    return static_cast<size_t>(block_->ticks_size());
  }
  uint64_t tick(size_t index) const {
    return block_->ticks(static_cast<int>(index));
  }

  // The rows: objects by creation serial, ascending, or one without a name.
  size_t row_count() const { return rows_->count(); }
  // Of a row; empty where it has none.
  std::string_view name(size_t row) const {
    return rows_->names().empty() ? std::string_view()
                                  : rows_->names(static_cast<int>(row));
  }
  // Its creation serial, or the bits of another key; 0 where it has none.
  uint64_t key(size_t row) const {
    return rows_->keys().empty() ? 0 : rows_->keys(static_cast<int>(row));
  }
  // The row of a name; nullopt: there is none now.
  std::optional<size_t> RowOf(std::string_view name) const;
  // How many more there are at each tick than the server sends.
  uint32_t rows_omitted() const { return block_->rows_omitted(); }

  // The column of a field, as it was declared, whose values are of this type:
  //   block.column<double>("bodies.position")
  // NOT_FOUND: the group has no such field. INVALID_ARGUMENT: its values are of
  // another type, which the message says.
  template <typename Value>
  absl::StatusOr<Column<Value>> column(std::string_view field) const {
    const auto index = Find(field, ColumnValues<Value>::kKind);
    if (!index.ok()) return index.status();
    return Column<Value>(&layout_->columns(*index), &block_->columns(*index),
                         row_count());
  }

 private:
  friend class ObservationReader;

  Block(std::shared_ptr<const v1::ObservedColumnLayouts> layout,
        std::shared_ptr<const v1::ObservedRows> rows,
        std::shared_ptr<const v1::ObservationBlock> block)
      : layout_(std::move(layout)),
        rows_(std::move(rows)),
        block_(std::move(block)) {}

  absl::StatusOr<int> Find(std::string_view field,
                           v1::ObservedColumnLayout::Kind kind) const;

  std::shared_ptr<const v1::ObservedColumnLayouts> layout_;
  std::shared_ptr<const v1::ObservedRows> rows_;
  std::shared_ptr<const v1::ObservationBlock> block_;
};

// Reads the observations of one stream, or of one session's steps, response by
// response: what columns and rows are is said when it changes. One thread at a
// time.
class ObservationReader {
 public:
  // The blocks of a StepResponse or StepSessionResponse, in order: at each tick
  // group by group. INVALID_ARGUMENT: they aren't of what was declared, as far
  // as that has been read here; nothing changes.
  template <typename Response>
  absl::StatusOr<std::vector<Block>> Read(const Response& response) {
    return Read(response.has_layout() ? &response.layout() : nullptr,
                response.observations());
  }

 private:
  using Layouts = std::vector<std::shared_ptr<const v1::ObservedColumnLayouts>>;
  using Rows = std::map<uint32_t, std::shared_ptr<const v1::ObservedRows>>;

  absl::StatusOr<std::vector<Block>> Read(const v1::ObservationLayout* layout,
                                          const v1::Observations& observations);

  Layouts layouts_;
  Rows rows_;  // by group
};

}  // namespace reprise::client

#endif  // REPRISE_CLIENTS_CPP_OBSERVATIONS_H_

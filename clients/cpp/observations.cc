// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "observations.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace reprise::client {
namespace {

using Layout = v1::ObservedColumnLayout;

// What C++ calls the values of a kind.
std::string_view TypeName(Layout::Kind kind) {
  switch (kind) {
    case Layout::KIND_NUMBER:
      return "double";
    case Layout::KIND_INTEGER:
      return "int64_t";
    case Layout::KIND_UNSIGNED_INTEGER:
      return "uint64_t";
    case Layout::KIND_BOOLEAN:
      return "bool";
    case Layout::KIND_TEXT:
      return "std::string";
    default:
      return "unknown";
  }
}

int CountOf(const v1::ObservedColumn& column, Layout::Kind kind) {
  switch (kind) {
    case Layout::KIND_NUMBER:
      return column.numbers_size();
    case Layout::KIND_INTEGER:
      return column.integers_size();
    case Layout::KIND_UNSIGNED_INTEGER:
      return column.unsigned_integers_size();
    case Layout::KIND_BOOLEAN:
      return column.booleans_size();
    case Layout::KIND_TEXT:
      return column.texts_size();
    default:
      return -1;
  }
}

absl::Status BlockError(uint32_t group, std::string_view problem) {
  return absl::InvalidArgumentError(
      absl::StrCat("observations of group ", group, ": ",
                   absl::string_view(problem.data(), problem.size())));
}

// Whether each name and value that Block hands out is there.
absl::Status Check(const v1::ObservedColumnLayouts& layout,
                   const v1::ObservedRows& rows,
                   const v1::ObservationBlock& block) {
  const auto is_count = [&](int size) {
    return size == 0 || static_cast<uint32_t>(size) == rows.count();
  };
  if (!is_count(rows.names_size()) || !is_count(rows.keys_size())) {
    return BlockError(block.group(), "a row without a name or a key");
  }
  if (block.columns_size() != layout.columns_size()) {
    return BlockError(block.group(), "as many columns as fields, or not");
  }
  const uint64_t rows_in_all =
      static_cast<uint64_t>(block.ticks_size()) * rows.count();
  for (int i = 0; i < layout.columns_size(); ++i) {
    const Layout& of_column = layout.columns(i);
    const uint64_t parts =
        static_cast<uint64_t>(std::max(1, of_column.parts_size()));
    const int count = CountOf(block.columns(i), of_column.kind());
    if (count < 0 || static_cast<uint64_t>(count) != rows_in_all * parts) {
      return BlockError(
          block.group(),
          absl::StrCat("field '", of_column.field(), "' has ", count,
                       " values, not ", rows_in_all, " * ", parts));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<size_t> Block::RowOf(std::string_view name) const {
  const auto found =
      std::find(rows_->names().begin(), rows_->names().end(), name);
  if (found == rows_->names().end()) return std::nullopt;
  return static_cast<size_t>(found - rows_->names().begin());
}

absl::StatusOr<int> Block::Find(std::string_view field,
                                Layout::Kind kind) const {
  for (int i = 0; i < layout_->columns_size(); ++i) {
    const Layout& column = layout_->columns(i);
    if (column.field() != field) continue;
    if (column.kind() == kind) return i;
    return absl::InvalidArgumentError(absl::StrCat(
        "values of '", column.field(), "' are ", TypeName(column.kind()).data(),
        ", not ", TypeName(kind).data()));
  }
  return absl::NotFoundError(absl::StrCat("group ", group(), " has no field '",
                                          std::string(field), "'"));
}

absl::StatusOr<std::vector<Block>> ObservationReader::Read(
    const v1::ObservationLayout* layout, const v1::Observations& observations) {
  Layouts layouts = layouts_;
  Rows rows = rows_;
  if (layout != nullptr) {
    layouts.clear();
    rows.clear();
    for (const v1::ObservedColumnLayouts& group : layout->groups()) {
      layouts.push_back(
          std::make_shared<const v1::ObservedColumnLayouts>(group));
    }
  }
  std::vector<Block> blocks;
  for (const v1::ObservationBlock& block : observations.blocks()) {
    if (block.group() >= layouts.size()) {
      return BlockError(block.group(), "nothing has said what they are");
    }
    auto& known = rows[block.group()];
    if (block.has_rows()) {
      known = std::make_shared<const v1::ObservedRows>(block.rows());
    }
    if (known == nullptr) {
      return BlockError(block.group(), "nothing has said who the rows are");
    }
    const auto& of_group = layouts[block.group()];
    if (absl::Status fits = Check(*of_group, *known, block); !fits.ok()) {
      return fits;
    }
    blocks.push_back(Block(
        of_group, known, std::make_shared<const v1::ObservationBlock>(block)));
  }
  layouts_ = std::move(layouts);
  rows_ = std::move(rows);
  return blocks;
}

}  // namespace reprise::client

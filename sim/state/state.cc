// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/state/state.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// Most rooms have fewer tables: the digest of a state allocates nothing.
constexpr size_t kInlinedParts = 16;

// A field is the same where its values are.
bool IsSame(const Field& one, const Field& other) {
  return one.unit == other.unit && one.scalar == other.scalar &&
         one.shape == other.shape && one.count == other.count;
}

// Adds the fields of `schema` that `other` has in no form, or in another one.
void AddOthers(const RowSchema& schema, const RowSchema& other,
               std::vector<std::string>& missing,
               std::vector<std::string>* changed) {
  for (const Field& field : schema.fields()) {
    const auto found =
        std::ranges::find(other.fields(), field.name, &Field::name);
    if (found == other.fields().end()) {
      missing.push_back(field.name);
    } else if (changed != nullptr && !IsSame(field, *found)) {
      changed->push_back(field.name);
    }
  }
}

// ": without a, b; with c; another d".
std::string NamesOfOthers(const RowSchema& schema, const RowSchema& other) {
  std::vector<std::string> without;
  std::vector<std::string> with;
  std::vector<std::string> changed;
  AddOthers(schema, other, without, &changed);
  AddOthers(other, schema, with, nullptr);
  std::string text;
  const auto add = [&](std::string_view word,
                       const std::vector<std::string>& names) {
    if (names.empty()) return;
    text += fmt::format("{}{} {}", text.empty() ? ": " : "; ", word,
                        fmt::join(names, ", "));
  };
  add("without", without);
  add("with", with);
  add("another", changed);
  // Else they are the same ones in another order, or by another key.
  return text;
}

}  // namespace

TableIndex State::AddTable(std::string_view room,
                           std::shared_ptr<const RowSchema> schema) {
  CHECK(!Find(room, schema->name()).has_value(), "{}.{} is there already", room,
        schema->name());
  if (rooms_.empty() || rooms_.back().name != room) {
    for (const Room& earlier : rooms_) {
      CHECK(earlier.name != room, "tables of {} are not together", room);
    }
    rooms_.push_back(
        Room{.name = std::string(room), .first_table = table_count()});
  }
  ++rooms_.back().table_count;
  tables_.emplace_back(std::move(schema));
  return TableIndex{table_count() - 1};
}

std::optional<TableIndex> State::Find(std::string_view room,
                                      std::string_view table) const {
  for (const Room& candidate : rooms_) {
    if (candidate.name != room) continue;
    for (uint32_t i = 0; i < candidate.table_count; ++i) {
      const TableIndex index{candidate.first_table + i};
      if (tables_[index.value].schema().name() == table) return index;
    }
  }
  return std::nullopt;
}

const State::Room& State::room_of(TableIndex index) const {
  CHECK(index.value < table_count());
  size_t room = 0;
  while (rooms_[room].first_table + rooms_[room].table_count <= index.value) {
    ++room;
  }
  return rooms_[room];
}

Digest State::ComputeRoomDigest(const Room& room) const {
  absl::InlinedVector<Digest, kInlinedParts> parts;
  parts.reserve(room.table_count);
  for (uint32_t i = 0; i < room.table_count; ++i) {
    parts.push_back(tables_[room.first_table + i].ComputeDigest());
  }
  return CombineDigests(parts);
}

Digest State::ComputeRootDigest() const {
  absl::InlinedVector<Digest, kInlinedParts> parts;
  parts.reserve(rooms_.size());
  for (const Room& room : rooms_) parts.push_back(ComputeRoomDigest(room));
  return CombineDigests(parts);
}

Digest State::ComputeShapeDigest() const {
  std::string text;
  for (const Room& room : rooms_) {
    text += fmt::format("{} {}\n", room.name, room.table_count);
    for (uint32_t i = 0; i < room.table_count; ++i) {
      const RowSchema& schema = tables_[room.first_table + i].schema();
      text += FormatDigest(schema.fingerprint()) + "\n";
    }
  }
  return DigestOf(std::as_bytes(std::span(text)));
}

absl::Status State::CheckSameShape(const State& other) const {
  for (uint32_t i = 0; i < table_count() && i < other.table_count(); ++i) {
    const std::string name = fmt::format("{}.{}", room_of(TableIndex{i}).name,
                                         tables_[i].schema().name());
    const std::string other_name =
        fmt::format("{}.{}", other.room_of(TableIndex{i}).name,
                    other.tables_[i].schema().name());
    if (name != other_name) {
      return absl::FailedPreconditionError(
          fmt::format("table {} is {}, not {}", i, name, other_name));
    }
    if (tables_[i].schema().fingerprint() !=
        other.tables_[i].schema().fingerprint()) {
      return absl::FailedPreconditionError(fmt::format(
          "table {} has other fields{}", name,
          NamesOfOthers(tables_[i].schema(), other.tables_[i].schema())));
    }
  }
  if (table_count() != other.table_count()) {
    return absl::FailedPreconditionError(fmt::format(
        "the state has {} tables, not {}", table_count(), other.table_count()));
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/state/state_codec.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kMagic = "RPRSTAT2";
constexpr std::string_view kFingerprintsMagic = "RPRSTAT1";

// The project runs on little-endian machines only (see digest.cc), so integers
// are copied as they lie.
template <typename Integer>
void AppendInteger(Integer value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Takes bytes off the front of a span and knows how far it came.
class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  size_t offset() const { return offset_; }
  size_t remaining() const { return bytes_.size() - offset_; }

  // An empty span when fewer than `size` (> 0) bytes are left.
  std::span<const std::byte> Take(size_t size) {
    if (size > remaining()) return {};
    offset_ += size;
    return bytes_.subspan(offset_ - size, size);
  }

  template <typename Integer>
  bool Read(Integer* value) {
    const std::span<const std::byte> bytes = Take(sizeof(Integer));
    if (bytes.empty()) return false;
    std::memcpy(value, bytes.data(), sizeof(Integer));
    return true;
  }

 private:
  std::span<const std::byte> bytes_;
  size_t offset_ = 0;
};

absl::Status Damaged(const Cursor& cursor, std::string_view what) {
  return absl::DataLossError(
      fmt::format("snapshot: {} at byte {}", what, cursor.offset()));
}

bool IsMagic(std::span<const std::byte> bytes, std::string_view magic) {
  return bytes.size() == magic.size() &&
         std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// What precedes the tables: that they are the ones of `shape`.
absl::Status CheckShape(Cursor& cursor, const State& shape) {
  uint64_t digest = 0;
  if (!cursor.Read(&digest)) return Damaged(cursor, "cut off");
  if (Digest{digest} == shape.ComputeShapeDigest()) return absl::OkStatus();
  return absl::FailedPreconditionError("snapshot: it is of other tables");
}

absl::Status CheckTableCount(Cursor& cursor, const State& shape) {
  uint32_t table_count = 0;
  if (!cursor.Read(&table_count)) return Damaged(cursor, "cut off");
  if (table_count == shape.table_count()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("snapshot: {} tables where {} are expected", table_count,
                  shape.table_count()));
}

absl::Status CheckFingerprint(Cursor& cursor, const Table& table) {
  uint64_t fingerprint = 0;
  if (!cursor.Read(&fingerprint)) return Damaged(cursor, "cut off");
  if (Digest{fingerprint} == table.schema().fingerprint()) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(fmt::format(
      "snapshot: table {} has other fields", table.schema().name()));
}

absl::Status DecodeRows(Cursor& cursor, Table& table) {
  uint32_t row_count = 0;
  if (!cursor.Read(&row_count)) return Damaged(cursor, "cut off");
  if (row_count > kTableRowsMax ||
      uint64_t{row_count} * table.schema().row_size() > cursor.remaining()) {
    return Damaged(cursor, "more rows than bytes");
  }
  table.Resize(0);
  table.Resize(row_count);
  for (uint32_t row = 0; row < row_count; ++row) {
    // Of pointers, a copy isn't made byte by byte.
    const std::span<const std::byte> bytes =
        cursor.Take(table.schema().row_size());
    std::copy_n(bytes.data(), bytes.size(), table.MutableRow(row).data());
  }
  return absl::OkStatus();
}

void AppendRows(const Table& table, std::string* out) {
  AppendInteger(table.row_count(), out);
  for (uint32_t page = 0; page < table.page_count(); ++page) {
    const std::span<const std::byte> bytes = table.PageBytes(page);
    out->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
}

}  // namespace

std::string EncodeState(const State& state) {
  std::string out(kMagic);
  AppendInteger(state.ComputeShapeDigest().value, &out);
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    AppendRows(state.table(TableIndex{i}), &out);
  }
  AppendInteger(state.ComputeRootDigest().value, &out);
  return out;
}

std::string EncodeStateWithFingerprints(const State& state) {
  std::string out(kFingerprintsMagic);
  AppendInteger(state.table_count(), &out);
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const Table& table = state.table(TableIndex{i});
    AppendInteger(table.schema().fingerprint().value, &out);
    AppendRows(table, &out);
  }
  AppendInteger(state.ComputeRootDigest().value, &out);
  return out;
}

absl::StatusOr<State> DecodeState(std::span<const std::byte> bytes,
                                  const State& shape) {
  Cursor cursor(bytes);
  const std::span<const std::byte> magic = cursor.Take(kMagic.size());
  const bool has_fingerprints = IsMagic(magic, kFingerprintsMagic);
  if (!has_fingerprints && !IsMagic(magic, kMagic)) {
    return Damaged(cursor, "not a snapshot");
  }
  absl::Status status = has_fingerprints ? CheckTableCount(cursor, shape)
                                         : CheckShape(cursor, shape);
  if (!status.ok()) return status;
  State state = shape;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    Table& table = state.mutable_table({i});
    if (has_fingerprints) status = CheckFingerprint(cursor, table);
    if (status.ok()) status = DecodeRows(cursor, table);
    if (!status.ok()) return status;
  }
  uint64_t root = 0;
  if (!cursor.Read(&root)) return Damaged(cursor, "cut off");
  if (cursor.remaining() != 0) return Damaged(cursor, "bytes after the end");
  if (Digest{root} != state.ComputeRootDigest()) {
    return Damaged(cursor, "the digest does not match the contents");
  }
  return state;
}

}  // namespace reprise::sim

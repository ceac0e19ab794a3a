// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/state/state_schema_codec.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/state/page.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {
namespace {

constexpr char kEnd = '\0';
constexpr uint32_t kShapeShift = 4;
constexpr uint32_t kScalarMask = 0xf;

bool IsControl(char character) {
  return static_cast<unsigned char>(character) < 0x20 || character == 0x7f;
}

bool IsText(std::string_view text) {
  return text.size() <= kNameBytesMax && std::ranges::none_of(text, &IsControl);
}

bool IsName(std::string_view name) { return !name.empty() && IsText(name); }

void AppendText(std::string_view text, std::string& out) {
  out += text;
  out += kEnd;
}

absl::Status AppendField(const Field& field, std::string& out) {
  const uint32_t count = ScalarCount(field.shape);
  if (!IsName(field.name) || !IsText(field.unit) ||
      (count == 0 ? field.count > kPageSize : field.count != count)) {
    return absl::InvalidArgumentError(fmt::format(
        "field '{}' [{}] of {} scalars", field.name, field.unit, field.count));
  }
  AppendText(field.name, out);
  out += static_cast<char>(static_cast<uint32_t>(field.shape) << kShapeShift |
                           static_cast<uint32_t>(field.scalar));
  if (count == 0) {
    out += static_cast<char>(field.count & 0xff);
    out += static_cast<char>(field.count >> 8);
  }
  AppendText(field.unit, out);
  return absl::OkStatus();
}

absl::Status AppendTable(const RowSchema& schema, std::string& out) {
  if (!IsName(schema.name()) ||
      schema.key_field_count() > std::numeric_limits<uint8_t>::max()) {
    return absl::InvalidArgumentError(
        fmt::format("{} key fields", schema.key_field_count()));
  }
  AppendText(schema.name(), out);
  out += static_cast<char>(schema.key_field_count());
  for (const Field& field : schema.fields()) {
    absl::Status status = AppendField(field, out);
    if (!status.ok()) return status;
  }
  out += kEnd;
  return absl::OkStatus();
}

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> bytes)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {}

  absl::StatusOr<State> Decode() {
    while (offset_ < text_.size()) {
      absl::Status status = TakeRoom();
      if (!status.ok()) return status;
    }
    return std::move(state_);
  }

 private:
  absl::Status Refused(std::string_view what) const {
    return absl::DataLossError(
        fmt::format("schema: {} at byte {}", what, offset_));
  }

  absl::StatusOr<std::string> TakeText() {
    const size_t end = text_.find(kEnd, offset_);
    if (end == std::string_view::npos) return Refused("cut off");
    const std::string_view text = text_.substr(offset_, end - offset_);
    if (!IsText(text)) return Refused("no name");
    offset_ = end + 1;
    return std::string(text);
  }

  std::optional<uint8_t> TakeByte() {
    if (offset_ >= text_.size()) return std::nullopt;
    return static_cast<uint8_t>(text_[offset_++]);
  }

  absl::Status TakeRoom() {
    const absl::StatusOr<std::string> room = TakeText();
    if (!room.ok()) return room.status();
    if (room->empty()) return Refused("a room without a name");
    if (!rooms_.insert(*room).second) {
      return Refused(fmt::format("a second room {}", *room));
    }
    std::set<std::string> tables;
    while (true) {
      const absl::StatusOr<std::string> table = TakeText();
      if (!table.ok()) return table.status();
      if (table->empty()) break;
      if (!tables.insert(*table).second) {
        return Refused(fmt::format("a second table {}.{}", *room, *table));
      }
      if (state_.table_count() == kStateTablesMax) {
        return Refused(fmt::format("more than {} tables", kStateTablesMax));
      }
      absl::Status status = TakeTable(*room, *table);
      if (!status.ok()) return status;
    }
    if (tables.empty()) {
      return Refused(fmt::format("room {} without tables", *room));
    }
    return absl::OkStatus();
  }

  absl::Status TakeTable(const std::string& room, const std::string& table) {
    const std::optional<uint8_t> key_field_count = TakeByte();
    if (!key_field_count.has_value()) return Refused("cut off");
    std::vector<Field> fields;
    std::set<std::string> names;
    uint32_t row_size = 0;
    while (true) {
      absl::StatusOr<std::string> name = TakeText();
      if (!name.ok()) return name.status();
      if (name->empty()) break;
      if (!names.insert(*name).second) {
        return Refused(
            fmt::format("a second field {} of {}.{}", *name, room, table));
      }
      absl::StatusOr<Field> field = TakeField(*std::move(name), row_size);
      if (!field.ok()) return field.status();
      // Each is a page at most, and so are all before it: nothing overflows.
      row_size += field->count * ScalarSize(field->scalar);
      if (row_size > kPageSize) {
        return Refused(fmt::format("a row of {}.{} with more than {} bytes",
                                   room, table, kPageSize));
      }
      fields.push_back(*std::move(field));
    }
    if (fields.empty()) {
      return Refused(fmt::format("table {}.{} without fields", room, table));
    }
    if (*key_field_count > fields.size()) {
      return Refused(fmt::format("{} key fields of {} in {}.{}",
                                 *key_field_count, fields.size(), room, table));
    }
    state_.AddTable(room, std::make_shared<const RowSchema>(
                              table, *key_field_count, std::move(fields)));
    return absl::OkStatus();
  }

  absl::StatusOr<Field> TakeField(std::string name, uint32_t offset) {
    const std::optional<uint8_t> type = TakeByte();
    if (!type.has_value()) return Refused("cut off");
    const uint32_t scalar = *type & kScalarMask;
    const uint32_t shape = *type >> kShapeShift;
    if (scalar < static_cast<uint32_t>(ScalarType::kBool) ||
        scalar > static_cast<uint32_t>(ScalarType::kHandle) ||
        shape < static_cast<uint32_t>(FieldShape::kScalar) ||
        shape > static_cast<uint32_t>(FieldShape::kVector2)) {
      return Refused(fmt::format("field {} of unknown type {}", name, *type));
    }
    Field field{.name = std::move(name),
                .unit = "",
                .scalar = static_cast<ScalarType>(scalar),
                .shape = static_cast<FieldShape>(shape),
                .count = ScalarCount(static_cast<FieldShape>(shape)),
                .offset = offset};
    if (field.count == 0) {
      const std::optional<uint8_t> low = TakeByte();
      const std::optional<uint8_t> high = TakeByte();
      if (!high.has_value()) return Refused("cut off");
      field.count = uint32_t{*low} | uint32_t{*high} << 8;
      if (field.count == 0 ||
          field.count > kPageSize / ScalarSize(field.scalar)) {
        return Refused(
            fmt::format("field {} of {} scalars", field.name, field.count));
      }
    }
    absl::StatusOr<std::string> unit = TakeText();
    if (!unit.ok()) return unit.status();
    field.unit = *std::move(unit);
    return field;
  }

  const std::string_view text_;
  size_t offset_ = 0;
  State state_;
  std::set<std::string> rooms_;
};

}  // namespace

absl::StatusOr<std::string> EncodeStateSchema(const State& state) {
  std::string out;
  for (const State::Room& room : state.rooms()) {
    if (!IsName(room.name)) {
      return absl::InvalidArgumentError(
          fmt::format("room '{}' can't be described in a schema", room.name));
    }
    AppendText(room.name, out);
    for (uint32_t i = 0; i < room.table_count; ++i) {
      const RowSchema& schema = state.table({room.first_table + i}).schema();
      const absl::Status status = AppendTable(schema, out);
      if (status.ok()) continue;
      return absl::InvalidArgumentError(
          fmt::format("table {}.{} can't be described in a schema: {}",
                      room.name, schema.name(), std::string(status.message())));
    }
    out += kEnd;
  }
  if (state.table_count() > kStateTablesMax ||
      out.size() > kStateSchemaBytesMax) {
    return absl::ResourceExhaustedError(
        fmt::format("{} tables are described in {} bytes; {} in {} are allowed",
                    state.table_count(), out.size(), kStateTablesMax,
                    kStateSchemaBytesMax));
  }
  return out;
}

absl::StatusOr<State> DecodeStateSchema(std::span<const std::byte> bytes) {
  if (bytes.size() > kStateSchemaBytesMax) {
    return absl::DataLossError(
        fmt::format("schema: {} bytes, at most {} are allowed", bytes.size(),
                    kStateSchemaBytesMax));
  }
  return Decoder(bytes).Decode();
}

}  // namespace reprise::sim

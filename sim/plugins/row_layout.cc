// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/row_layout.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/plugins/plugin_text.h"
#include "sim/state/field_value.h"
#include "sim/state/page.h"

namespace reprise::sim {
namespace {

// As large as a region, of whose bytes named fields are a row.
constexpr uint32_t kForeignRowBytesMax = uint32_t{1} << 30;

// What a page holds of the largest scalars.
constexpr uint32_t kArrayScalarsMax = kPageSize / sizeof(uint64_t);

// A type of scalars, as the plug-in has them and as they are kept.
struct ForeignType {
  uint32_t type;
  uint32_t size;
  ScalarType kept;
  // Whether they lie in a table as they lie in the plug-in.
  constexpr bool is_plain() const { return size == ScalarSize(kept); }
};

constexpr auto kForeignTypes = std::to_array<ForeignType>({
    {REPRISE_BOOL, 1, ScalarType::kBool},
    {REPRISE_INT16, 2, ScalarType::kInt16},
    {REPRISE_INT32, 4, ScalarType::kInt32},
    {REPRISE_INT64, 8, ScalarType::kInt64},
    {REPRISE_UINT32, 4, ScalarType::kUint32},
    {REPRISE_UINT64, 8, ScalarType::kUint64},
    {REPRISE_DOUBLE, 8, ScalarType::kDouble},
    {REPRISE_ID, 8, ScalarType::kId},
    {REPRISE_OBJECT, 8, ScalarType::kObject},
    {REPRISE_INT8, 1, ScalarType::kInt16},
    {REPRISE_UINT8, 1, ScalarType::kUint32},
    {REPRISE_UINT16, 2, ScalarType::kUint32},
    {REPRISE_FLOAT, 4, ScalarType::kDouble},
});

const ForeignType* FindType(uint32_t type) {
  const auto found = std::ranges::find(kForeignTypes, type, &ForeignType::type);
  return found == kForeignTypes.end() ? nullptr : &*found;
}

template <typename T>
T Load(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <typename T>
void Store(T value, std::byte* bytes) {
  std::memcpy(bytes, &value, sizeof(T));
}

template <typename Foreign, typename Kept>
void Convert(const std::byte* from, uint32_t count, std::byte* to) {
  for (uint32_t i = 0; i < count; ++i) {
    Store(static_cast<Kept>(Load<Foreign>(from + i * sizeof(Foreign))),
          to + i * sizeof(Kept));
  }
}

// `count` scalars of the plug-in's, as they are kept.
void Widen(uint32_t type, const std::byte* from, uint32_t count,
           std::byte* to) {
  switch (type) {
    case REPRISE_INT8:
      return Convert<int8_t, int16_t>(from, count, to);
    case REPRISE_UINT8:
      return Convert<uint8_t, uint32_t>(from, count, to);
    case REPRISE_UINT16:
      return Convert<uint16_t, uint32_t>(from, count, to);
    case REPRISE_FLOAT:
      return Convert<float, double>(from, count, to);
    default:
      std::memcpy(to, from, size_t{count} * FindType(type)->size);
  }
}

void Narrow(uint32_t type, const std::byte* from, uint32_t count,
            std::byte* to) {
  switch (type) {
    case REPRISE_INT8:
      return Convert<int16_t, int8_t>(from, count, to);
    case REPRISE_UINT8:
      return Convert<uint32_t, uint8_t>(from, count, to);
    case REPRISE_UINT16:
      return Convert<uint32_t, uint16_t>(from, count, to);
    case REPRISE_FLOAT:
      return Convert<double, float>(from, count, to);
    default:
      std::memcpy(to, from, size_t{count} * FindType(type)->size);
  }
}

// Whether the kept scalar at `bytes` is a value of the plug-in's type.
bool IsValue(uint32_t type, const std::byte* bytes) {
  switch (type) {
    case REPRISE_BOOL:
      return Load<uint8_t>(bytes) <= 1;
    case REPRISE_INT8:
      return std::in_range<int8_t>(Load<int16_t>(bytes));
    case REPRISE_UINT8:
      return std::in_range<uint8_t>(Load<uint32_t>(bytes));
    case REPRISE_UINT16:
      return std::in_range<uint16_t>(Load<uint32_t>(bytes));
    case REPRISE_DOUBLE:
      return !IsNan(Load<double>(bytes));
    case REPRISE_FLOAT: {
      const double value = Load<double>(bytes);
      return !IsNan(value) &&
             static_cast<double>(static_cast<float>(value)) == value;
    }
    default:
      return true;
  }
}

// Of which not each pattern of bits is a value.
bool IsChecked(uint32_t type) {
  return type == REPRISE_BOOL || type == REPRISE_DOUBLE ||
         !FindType(type)->is_plain();
}

absl::Status CheckShape(const reprise_field& field, uint32_t row_size) {
  const ForeignType* type = FindType(field.type);
  if (type == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("type {} is none", field.type));
  }
  if (field.shape < REPRISE_SCALAR || field.shape > REPRISE_VECTOR2) {
    return absl::InvalidArgumentError(
        fmt::format("shape {} is none", field.shape));
  }
  const uint32_t count = ScalarCount(static_cast<FieldShape>(field.shape));
  if (field.count == 0 || field.count > kArrayScalarsMax ||
      (count != 0 && field.count != count)) {
    return absl::InvalidArgumentError(
        count != 0 ? fmt::format("its shape has {} scalars, not {}", count,
                                 field.count)
                   : fmt::format("it has {} scalars, not 1 to {}", field.count,
                                 kArrayScalarsMax));
  }
  if (uint64_t{field.offset} + uint64_t{field.count} * type->size > row_size) {
    return absl::InvalidArgumentError(
        fmt::format("it reaches beyond the {} bytes of a row", row_size));
  }
  return absl::OkStatus();
}

// The names of fields and of their scalars: `speed.x` is a vector's, and may be
// a field.
struct TakenNames {
  std::set<std::string> fields;
  std::set<std::string> scalars;

  // INVALID_ARGUMENT: a name is another's.
  absl::Status Add(const Field& field) {
    if (!fields.insert(field.name).second) {
      return absl::InvalidArgumentError("there are two of the name");
    }
    for (uint32_t i = 0; i < field.count; ++i) {
      const std::string name = field.ScalarName(i);
      if (scalars.insert(name).second) continue;
      return absl::InvalidArgumentError(
          fmt::format("another field has its '{}'", name));
    }
    return absl::OkStatus();
  }
};

absl::Status CheckKey(const reprise_field& field) {
  const bool is_key =
      (field.type == REPRISE_UINT64 || field.type == REPRISE_OBJECT) &&
      field.shape == REPRISE_SCALAR;
  if (is_key) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "a key is one REPRISE_UINT64 or REPRISE_OBJECT");
}

}  // namespace

absl::StatusOr<RowLayout> RowLayout::Read(const reprise_table& table) {
  const absl::StatusOr<std::vector<reprise_field>> fields =
      ReadList<reprise_field>(table.fields);
  if (!fields.ok()) return At("fields", fields.status());
  if (table.row_size == 0 || table.row_size > kForeignRowBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("its rows of {} bytes are not 1 to {}", table.row_size,
                    kForeignRowBytesMax));
  }
  if (fields->empty() || table.key_fields > fields->size()) {
    return absl::InvalidArgumentError(fmt::format(
        "it has {} fields, {} of them keys", fields->size(), table.key_fields));
  }
  RowLayout layout;
  layout.foreign_size_ = table.row_size;
  std::vector<Field> kept;
  TakenNames names;
  for (uint32_t i = 0; i < fields->size(); ++i) {
    const reprise_field& field = (*fields)[i];
    absl::Status status = CheckName(field.name);
    if (status.ok()) status = CheckUnit(field.unit);
    if (status.ok()) status = CheckShape(field, table.row_size);
    if (status.ok() && i < table.key_fields) status = CheckKey(field);
    if (status.ok()) status = layout.AddField(field, kept);
    if (status.ok()) status = names.Add(kept.back());
    if (!status.ok()) return At(PluginItem("field", i, field.name), status);
  }
  layout.is_plain_ = layout.LiesAsKept();
  layout.schema_ = std::make_shared<const RowSchema>(
      table.name, table.key_fields, std::move(kept));
  return layout;
}

absl::Status RowLayout::AddField(const reprise_field& field,
                                 std::vector<Field>& kept) {
  const ForeignType& type = *FindType(field.type);
  const uint32_t begin =
      kept.empty() ? 0
                   : kept.back().offset +
                         kept.back().count * ScalarSize(kept.back().scalar);
  if (begin + field.count * ScalarSize(type.kept) > kPageSize) {
    return absl::InvalidArgumentError(fmt::format(
        "with it, a row takes more than {} bytes as kept", kPageSize));
  }
  const Run run = {.type = field.type,
                   .count = field.count,
                   .foreign_offset = field.offset,
                   .offset = begin,
                   .field = static_cast<uint32_t>(kept.size())};
  runs_.push_back(run);
  if (IsChecked(field.type)) checked_runs_.push_back(run);
  kept.push_back({.name = field.name,
                  .unit = field.unit == nullptr ? "" : field.unit,
                  .scalar = type.kept,
                  .shape = static_cast<FieldShape>(field.shape),
                  .count = field.count,
                  .offset = begin});
  return absl::OkStatus();
}

bool RowLayout::LiesAsKept() const {
  uint32_t end = 0;
  for (const Run& run : runs_) {
    const ForeignType& type = *FindType(run.type);
    if (!type.is_plain() || run.foreign_offset != end) return false;
    end += run.count * type.size;
  }
  return end == foreign_size_;
}

std::vector<std::pair<uint32_t, uint32_t>> RowLayout::UndescribedBytes() const {
  std::vector<bool> is_described(foreign_size_);
  for (const Run& run : runs_) {
    std::fill_n(is_described.begin() + run.foreign_offset, ForeignBytes(run),
                true);
  }
  std::vector<std::pair<uint32_t, uint32_t>> gaps;
  for (uint32_t i = 0; i < foreign_size_; ++i) {
    if (is_described[i]) continue;
    if (gaps.empty() || gaps.back().second != i) gaps.emplace_back(i, i);
    gaps.back().second = i + 1;
  }
  return gaps;
}

void RowLayout::FromForeign(std::span<const std::byte> foreign,
                            std::span<std::byte> rows) const {
  if (is_plain_) {
    std::copy_n(foreign.data(), foreign.size(), rows.data());
    return;
  }
  const uint32_t row_size = schema_->row_size();
  const size_t count = rows.size() / row_size;
  for (size_t row = 0; row < count; ++row) {
    const std::byte* const from = foreign.data() + row * foreign_size_;
    std::byte* const to = rows.data() + row * row_size;
    for (const Run& run : runs_) {
      Widen(run.type, from + run.foreign_offset, run.count, to + run.offset);
    }
  }
}

void RowLayout::ToForeign(std::span<const std::byte> rows,
                          std::span<std::byte> foreign) const {
  if (is_plain_) {
    std::copy_n(rows.data(), rows.size(), foreign.data());
    return;
  }
  std::ranges::fill(foreign, std::byte{0});
  const uint32_t row_size = schema_->row_size();
  const size_t count = rows.size() / row_size;
  for (size_t row = 0; row < count; ++row) {
    const std::byte* const from = rows.data() + row * row_size;
    std::byte* const to = foreign.data() + row * foreign_size_;
    for (const Run& run : runs_) {
      Narrow(run.type, from + run.offset, run.count, to + run.foreign_offset);
    }
  }
}

void RowLayout::FromPieces(ReadPiece read, std::span<std::byte> row) const {
  std::array<std::byte, kPageSize> piece;  // no field is larger
  for (const Run& run : runs_) {
    read(run.foreign_offset, std::span(piece).first(ForeignBytes(run)));
    Widen(run.type, piece.data(), run.count, row.data() + run.offset);
  }
}

void RowLayout::ToPieces(std::span<const std::byte> row,
                         WritePiece write) const {
  std::array<std::byte, kPageSize> piece;
  for (const Run& run : runs_) {
    Narrow(run.type, row.data() + run.offset, run.count, piece.data());
    write(run.foreign_offset, std::span(piece).first(ForeignBytes(run)));
  }
}

bool RowLayout::HasFieldIn(uint64_t begin, uint64_t end) const {
  return std::ranges::any_of(runs_, [begin, end](const Run& run) {
    return run.foreign_offset < end &&
           run.foreign_offset + ForeignBytes(run) > begin;
  });
}

uint32_t RowLayout::ForeignBytes(const Run& run) {
  return run.count * FindType(run.type)->size;
}

absl::Status RowLayout::Check(std::span<const std::byte> rows,
                              uint64_t first_row) const {
  const uint32_t row_size = schema_->row_size();
  const size_t count = rows.size() / row_size;
  for (const Run& run : checked_runs_) {
    const Field& field = schema_->fields()[run.field];
    const uint32_t size = ScalarSize(field.scalar);
    for (size_t row = 0; row < count; ++row) {
      const std::byte* const scalars =
          rows.data() + row * row_size + run.offset;
      for (uint32_t i = 0; i < run.count; ++i) {
        if (IsValue(run.type, scalars + size_t{i} * size)) continue;
        const FieldValue value =
            ReadScalar(*schema_, rows.subspan(row * row_size, row_size),
                       {.field = run.field, .index = i});
        // A boolean would be told as true.
        return absl::DataLossError(fmt::format(
            "table '{}' row {}: {} is {}", schema_->name(), first_row + row,
            field.ScalarName(i),
            run.type == REPRISE_BOOL ? fmt::to_string(value.bits)
                                     : FormatFieldValue(value, {})));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim

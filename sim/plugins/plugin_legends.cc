// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/plugin_legends.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/field.h"
#include "sim/plugins/plugin_text.h"

namespace reprise::sim {
namespace {

// Whether a scalar of `type` can be `value`. Of 64 bits, any may be meant.
bool CanBe(ScalarType type, int64_t value) {
  switch (type) {
    case ScalarType::kBool:
      return value == 0 || value == 1;
    case ScalarType::kInt16:
      return std::in_range<int16_t>(value);
    case ScalarType::kInt32:
      return std::in_range<int32_t>(value);
    case ScalarType::kUint32:
      return std::in_range<uint32_t>(value);
    default:
      return true;
  }
}

bool IsWhole(ScalarType type) {
  return type != ScalarType::kDouble && type != ScalarType::kId &&
         type != ScalarType::kObject;
}

absl::Status CheckValue(const Field& field, bool is_mask, int64_t value) {
  const int64_t bits = int64_t{8} * ScalarSize(field.scalar);
  if (is_mask ? value >= 0 && value < bits : CanBe(field.scalar, value)) {
    return absl::OkStatus();
  }
  if (!is_mask) {
    return absl::InvalidArgumentError(
        fmt::format("its field can't be {}", value));
  }
  return absl::InvalidArgumentError(
      fmt::format("its field has bits 0 to {}, and not {}", bits - 1, value));
}

absl::StatusOr<std::vector<Legend::Entry>> ReadEntries(
    const Field& field, const reprise_legend& legend) {
  const auto entries = ReadList<reprise_legend_entry>(legend.entries);
  if (!entries.ok()) return entries.status();
  std::vector<Legend::Entry> result;
  std::set<std::string> names;
  std::set<int64_t> values;
  for (uint32_t i = 0; i < entries->size(); ++i) {
    const reprise_legend_entry& entry = (*entries)[i];
    absl::Status status = CheckName(entry.name);
    if (status.ok() && !names.insert(entry.name).second) {
      status = absl::InvalidArgumentError("there are two of the name");
    }
    if (status.ok()) {
      status = CheckValue(field, legend.is_mask != 0, entry.value);
    }
    if (status.ok() && !values.insert(entry.value).second) {
      status = absl::InvalidArgumentError(
          fmt::format("there are two of the number {}", entry.value));
    }
    if (!status.ok()) return At(PluginItem("entry", i, entry.name), status);
    result.push_back({.value = entry.value, .name = entry.name});
  }
  return result;
}

absl::StatusOr<Legend> ReadLegend(std::string_view room,
                                  const RowSchema& schema,
                                  const reprise_legend& legend) {
  const absl::Status status = CheckName(legend.field);
  if (!status.ok()) return status;
  const auto field = std::ranges::find(
      schema.fields(), std::string_view(legend.field),
      [](const Field& one) -> std::string_view { return one.name; });
  if (field == schema.fields().end() || !IsWhole(field->scalar)) {
    return absl::InvalidArgumentError("there is no whole number of the name");
  }
  if (legend.is_mask > 1) {
    return absl::InvalidArgumentError(
        fmt::format("is_mask {} is not 0 or 1", legend.is_mask));
  }
  absl::StatusOr<std::vector<Legend::Entry>> entries =
      ReadEntries(*field, legend);
  if (!entries.ok()) return entries.status();
  return Legend{.room = std::string(room),
                .table = schema.name(),
                .field = legend.field,
                .is_mask = legend.is_mask != 0,
                .entries = *std::move(entries)};
}

}  // namespace

absl::StatusOr<std::vector<Legend>> ReadPluginLegends(
    std::string_view room, const RowSchema& schema,
    const reprise_list& legends) {
  const auto given = ReadList<reprise_legend>(legends);
  if (!given.ok()) return At("legends", given.status());
  std::vector<Legend> result;
  std::set<std::string> fields;
  for (uint32_t i = 0; i < given->size(); ++i) {
    const reprise_legend& legend = (*given)[i];
    absl::StatusOr<Legend> read = ReadLegend(room, schema, legend);
    absl::Status status = read.status();
    if (status.ok() && !fields.insert(read->field).second) {
      status = absl::InvalidArgumentError("there are two of its field");
    }
    if (!status.ok()) return At(PluginItem("legend", i, legend.field), status);
    result.push_back(*std::move(read));
  }
  return result;
}

}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/game_description.h"

#include <algorithm>
#include <tuple>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// More names than this in one sentence are counted.
constexpr size_t kListedNamesMax = 6;

// The whole number that a legend names.
int64_t WholeNumber(FieldValue value) {
  switch (value.type) {
    case ScalarType::kInt16:
      return static_cast<int16_t>(value.bits);
    case ScalarType::kInt32:
      return static_cast<int32_t>(value.bits);
    case ScalarType::kInt64:
    case ScalarType::kUint32:
    case ScalarType::kUint64:
      return static_cast<int64_t>(value.bits);
    default:
      CHECK(false, "a legend of values of scalar type {}",
            static_cast<int>(value.type));
  }
  return 0;
}

}  // namespace

std::string Legend::NameOf(FieldValue value) const {
  const int64_t number = WholeNumber(value);
  std::string names;
  for (const Entry& entry : entries) {
    const bool is_meant =
        is_mask ? (static_cast<uint64_t>(number) >> entry.value & 1) != 0
                : number == entry.value;
    if (!is_meant) continue;
    if (!names.empty()) names += ", ";
    names += entry.name;
  }
  const auto bits = static_cast<uint64_t>(number);
  if (!names.empty() || bits < least) return names;
  for (const Part& part : parts) {
    const uint64_t mask = ~uint64_t{0} >> (64 - part.bits);
    const auto own = static_cast<double>(bits >> part.shift & mask);
    names += fmt::format("{}{} {:.6g}{}{}", names.empty() ? "" : ", ",
                         part.name, own * part.scale + part.offset,
                         part.unit.empty() ? "" : " ", part.unit);
  }
  return names;
}

const Legend* GameDescription::FindLegend(std::string_view room,
                                          std::string_view table,
                                          std::string_view field) const {
  const auto found = std::ranges::find_if(legends, [&](const Legend& legend) {
    return std::tie(legend.room, legend.table, legend.field) ==
           std::tie(room, table, field);
  });
  return found == legends.end() ? nullptr : &*found;
}

Legend MakeLegend(std::string_view room, std::string_view table,
                  std::string_view field, std::span<const ValueName> names) {
  Legend legend{.room = std::string(room),
                .table = std::string(table),
                .field = std::string(field),
                .entries = {},
                .parts = {}};
  for (const ValueName& name : names) {
    legend.entries.push_back(
        {.value = name.value, .name = std::string(name.name)});
  }
  return legend;
}

std::string ListNames(const std::set<std::string>& names) {
  std::string list;
  size_t listed = 0;
  for (const std::string& name : names) {
    if (listed == kListedNamesMax) {
      return fmt::format("{} and {} more", list, names.size() - listed);
    }
    list += (list.empty() ? "" : ", ") + name;
    ++listed;
  }
  return list;
}

std::string FormatFieldValue(FieldValue value, const NameResolver& names,
                             const Legend* legend) {
  std::string text = FormatFieldValue(value, names);
  if (legend == nullptr) return text;
  const std::string name = legend->NameOf(value);
  return name.empty() ? text : fmt::format("{} ({})", name, text);
}

std::string_view EventValueTypeName(ScalarType type) {
  switch (type) {
    case ScalarType::kBool:
      return TraitsOf(PropertyType::kBool).name;
    case ScalarType::kInt16:
    case ScalarType::kInt32:
    case ScalarType::kInt64:
    case ScalarType::kUint32:
    case ScalarType::kUint64:
      return TraitsOf(PropertyType::kInt).name;
    case ScalarType::kDouble:
      return TraitsOf(PropertyType::kDouble).name;
    case ScalarType::kId:
      return TraitsOf(PropertyType::kName).name;
    case ScalarType::kObject:
      return "object";
    case ScalarType::kHandle:
      return TraitsOf(PropertyType::kReference).name;
  }
  return "";
}

}  // namespace reprise::sim

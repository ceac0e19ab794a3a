// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/matrix/injection.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::tools {
namespace {

// The key of a row as comparisons print it.
std::string FormatKey(const sim::Table& table, uint32_t row,
                      const sim::NameResolver& names) {
  const sim::RowSchema& schema = table.schema();
  if (schema.key_field_count() == 0) return fmt::format("{}", row);
  std::string key;
  for (uint32_t field = 0; field < schema.key_field_count(); ++field) {
    if (field > 0) key += ' ';
    key += sim::FormatFieldValue(
        sim::ReadScalar(schema, table.Row(row), {.field = field}), names);
  }
  return key;
}

absl::StatusOr<sim::FieldAddress> FindField(const Injection& injection,
                                            const sim::Simulation& simulation) {
  const sim::State& state = simulation.state();
  const std::optional<sim::TableIndex> index =
      state.Find(injection.room, injection.table);
  if (!index.has_value()) {
    return absl::NotFoundError(
        fmt::format("no table {}.{}", injection.room, injection.table));
  }
  const sim::Table& table = state.table(*index);
  const std::optional<sim::ScalarPath> scalar =
      table.schema().Find(injection.field);
  if (!scalar.has_value()) {
    return absl::NotFoundError(fmt::format("no field {} in {}.{}",
                                           injection.field, injection.room,
                                           injection.table));
  }
  const sim::NameResolver names = sim::NamesOf(simulation);
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    if (FormatKey(table, row, names) != injection.key) continue;
    return sim::FieldAddress{.table = *index, .row = row, .scalar = *scalar};
  }
  return absl::NotFoundError(fmt::format("no row {} in {}.{}", injection.key,
                                         injection.room, injection.table));
}

}  // namespace

absl::StatusOr<Injection> ParseInjection(std::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(std::string(text), ':');
  Injection injection;
  if (parts.size() == 4 && absl::SimpleAtoi(parts[0], &injection.tick)) {
    const std::vector<std::string> table = absl::StrSplit(parts[1], '.');
    if (table.size() == 2) {
      injection.room = table[0];
      injection.table = table[1];
      injection.key = parts[2];
      injection.field = parts[3];
      return injection;
    }
  }
  return absl::InvalidArgumentError(
      fmt::format("'{}' is not TICK:ROOM.TABLE:KEY:FIELD", text));
}

absl::Status Inject(const Injection& injection, sim::Simulation& simulation) {
  CHECK(simulation.tick() == injection.tick);
  const absl::StatusOr<sim::FieldAddress> address =
      FindField(injection, simulation);
  if (!address.ok()) return address.status();
  sim::FieldValue value = sim::ReadScalar(simulation.state(), *address);
  // Behind the largest finite double, by its bits, comes infinity.
  ++value.bits;
  if (value.type != sim::ScalarType::kDouble ||
      !sim::IsFinite(value.AsDouble())) {
    return absl::InvalidArgumentError(fmt::format(
        "{} is not a double with a finite neighbour", injection.field));
  }
  return simulation.Inject(*address, value);
}

}  // namespace reprise::tools

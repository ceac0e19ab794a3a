// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/verifying/divergence.h"

#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "sim/base/field.h"
#include "sim/game_description.h"
#include "sim/scalar_legend.h"
#include "sim/state/field_value.h"
#include "sim/state/state_comparison.h"

namespace reprise::replays {
namespace {

std::string FormatSide(const std::optional<sim::FieldValue>& value,
                       bool is_whole_row, const sim::NameResolver& names) {
  if (!value.has_value()) return "missing";
  return is_whole_row ? "present" : sim::FormatFieldValue(*value, names);
}

// "dormant (2)", or the value alone.
std::string WithName(const std::string& value, const std::string& name) {
  return name.empty() ? value : fmt::format("{} ({})", name, value);
}

// All of `text` as a number.
std::optional<double> ParseNumber(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end ? std::optional(number)
                                                : std::nullopt;
}

// Distances up to here are roundings, of which a percentage says nothing: they
// are below 1e-9 of the value.
constexpr uint64_t kRoundingUlpsMax = uint64_t{1} << 20;

// " (3 ulp)", " (4503599627370496 ulp, +100 %)", " (changes sign)", " (-100
// %)": of values across and from 0 the units in between count nothing that
// anybody means.
std::string FormatDistance(const FieldDivergence& field) {
  if (!field.ulps.has_value()) return "";
  const std::optional<double> expected = ParseNumber(field.expected);
  const std::optional<double> actual = ParseNumber(field.actual);
  if (!expected || !actual) return fmt::format(" ({} ulp)", *field.ulps);
  const bool has_zero = (*expected == 0) != (*actual == 0);
  if (!has_zero && std::signbit(*expected) != std::signbit(*actual)) {
    return " (changes sign)";
  }
  const double change = (*actual - *expected) / std::fabs(*expected);
  if (has_zero) return *expected == 0 ? "" : " (-100 %)";
  if (*field.ulps <= kRoundingUlpsMax || !std::isfinite(change)) {
    return fmt::format(" ({} ulp)", *field.ulps);
  }
  return fmt::format(" ({} ulp, {:+.3g} %)", *field.ulps, 100 * change);
}

// "active (1) | dormant (2) [unit]", without who wrote it.
std::string FormatBoth(const FieldDivergence& field) {
  std::string text =
      fmt::format("{} | {}", WithName(field.expected, field.expected_name),
                  WithName(field.actual, field.actual_name));
  text += FormatDistance(field);
  if (!field.unit.empty()) text += fmt::format(" [{}]", field.unit);
  return text;
}

// "physics.bodies crate_7 linear_velocity.y: -1.25 | -1.5 [m/s]".
std::string FormatLine(const FieldDivergence& field) {
  return fmt::format("{}.{} {}{}{}: {}", field.room, field.table, field.object,
                     field.field.empty() ? "" : " ", field.field,
                     FormatBoth(field));
}

// Says what the numbers of `described` stand for, where that is known.
void AddNames(const sim::FieldDifference& difference, const sim::Field& field,
              const sim::GameDescription& game, FieldDivergence& described) {
  const sim::Legend* const legend = sim::FindScalarLegend(
      game, described.room, described.table, field, difference.scalar->index);
  if (legend == nullptr) return;
  described.expected_name = legend->NameOf(*difference.expected);
  described.actual_name = legend->NameOf(*difference.actual);
}

FieldDivergence DescribeField(const sim::FieldDifference& difference,
                              const sim::State& state,
                              const sim::GameDescription& game,
                              const sim::NameResolver& names) {
  const sim::RowSchema& schema = state.table(difference.table).schema();
  const bool is_whole_row = !difference.scalar.has_value();
  FieldDivergence described{
      .room = state.room_of(difference.table).name,
      .table = schema.name(),
      .object = absl::StrJoin(difference.key, " ",
                              [&](std::string* out, sim::FieldValue key) {
                                out->append(sim::FormatFieldValue(key, names));
                              }),
      .is_object = difference.key.front().type == sim::ScalarType::kObject,
      .field = "",
      .unit = "",
      .expected = FormatSide(difference.expected, is_whole_row, names),
      .actual = FormatSide(difference.actual, is_whole_row, names),
      .ulps = std::nullopt,
      .expected_writer = "",
      .actual_writer = "",
      .text = "",
  };
  if (is_whole_row) {
    described.text = FormatLine(described);
    return described;
  }
  const sim::Field& field = schema.fields()[difference.scalar->field];
  described.field = field.ScalarName(difference.scalar->index);
  described.unit = field.unit;
  if (field.scalar == sim::ScalarType::kDouble) {
    described.ulps = sim::UlpDistance(*difference.expected, *difference.actual);
  }
  AddNames(difference, field, game, described);
  described.text = FormatLine(described);
  return described;
}

std::string FormatWriters(const FieldDivergence& field) {
  if (field.expected_writer.empty() && field.actual_writer.empty()) return "";
  if (field.expected_writer == field.actual_writer) {
    return "; last written by " + field.expected_writer;
  }
  const auto name = [](const std::string& writer) {
    return writer.empty() ? "nobody in this tick" : writer;
  };
  return fmt::format("; last written by {} | {}", name(field.expected_writer),
                     name(field.actual_writer));
}

// "object crate_7, bodies.position.y: 1 | 2".
std::string FormatHeadline(const FieldDivergence& field) {
  return fmt::format("{} {}, {}{}{}: {}", field.is_object ? "object" : "row",
                     field.object, field.table, field.field.empty() ? "" : ".",
                     field.field, FormatValues(field));
}

std::string FormatWhere(const Divergence& divergence) {
  const sim::Tick last = divergence.last_equal_tick.value_or(0);
  if (divergence.kind == Divergence::Kind::kRefusedInputs) {
    return fmt::format("tick {}: inputs refused",
                       divergence.first_different_tick);
  }
  if (divergence.kind == Divergence::Kind::kOutcome) {
    return fmt::format("tick {}: the outcomes differ",
                       divergence.first_different_tick);
  }
  if (divergence.kind == Divergence::Kind::kEvents) {
    return fmt::format("tick {}: the events differ",
                       divergence.last_equal_tick.value_or(0));
  }
  if (divergence.kind == Divergence::Kind::kBranch) {
    return fmt::format("tick {}: the branch is of another past",
                       divergence.first_different_tick);
  }
  if (!divergence.last_equal_tick.has_value()) {
    return fmt::format(
        "tick {}: different before its inputs, and never "
        "known to be equal",
        divergence.first_different_tick);
  }
  if (divergence.is_exact()) {
    return divergence.phase.empty()
               ? fmt::format("tick {}", last)
               : fmt::format("tick {}, {}", last, divergence.phase);
  }
  if (last >= divergence.first_different_tick) {
    return fmt::format(
        "tick {}: equal to one of the states that were recorded of it, and not "
        "to another",
        divergence.first_different_tick);
  }
  return fmt::format("ticks {} to {}: {}", last,
                     divergence.first_different_tick - 1,
                     divergence.kind == Divergence::Kind::kHistory
                         ? "different in between, equal again afterwards"
                         : "equal before, different after");
}

}  // namespace

bool Divergence::is_exact() const {
  return last_equal_tick.has_value() &&
         first_different_tick == *last_equal_tick + 1;
}

std::string DivergenceKindName(Divergence::Kind kind) {
  switch (kind) {
    case Divergence::Kind::kState:
      return "state";
    case Divergence::Kind::kHistory:
      return "history";
    case Divergence::Kind::kOutcome:
      return "outcome";
    case Divergence::Kind::kRefusedInputs:
      return "refused_inputs";
    case Divergence::Kind::kEvents:
      return "events";
    case Divergence::Kind::kBranch:
      return "branch";
  }
  return "";
}

std::vector<sim::FieldDifference> DescribeFields(
    const sim::State& expected, const sim::State& actual, size_t limit,
    const sim::Simulation& simulation, Divergence& divergence) {
  const sim::NameResolver names = sim::NamesOf(simulation);
  // One more than asked for tells whether there are more.
  std::vector<sim::FieldDifference> differences =
      sim::CompareStates(expected, actual, limit + 1);
  divergence.has_more_fields = differences.size() > limit;
  if (divergence.has_more_fields) differences.resize(limit);
  divergence.fields.clear();
  for (const sim::FieldDifference& difference : differences) {
    divergence.fields.push_back(
        DescribeField(difference, expected, simulation.description(), names));
  }
  return differences;
}

std::optional<uint64_t> TellableUlps(const FieldDivergence& field) {
  const std::optional<double> expected = ParseNumber(field.expected);
  const std::optional<double> actual = ParseNumber(field.actual);
  if (expected && actual && !sim::CountsInUlps(*expected, *actual)) {
    return std::nullopt;
  }
  return field.ulps;
}

std::string FormatValues(const FieldDivergence& field) {
  return FormatBoth(field) + FormatWriters(field);
}

std::string FormatDivergence(const Divergence& divergence) {
  std::string text = FormatWhere(divergence);
  const bool has_headline =
      !divergence.fields.empty() && !divergence.fields_tick.has_value();
  if (has_headline) {
    text += ", " + FormatHeadline(divergence.fields.front());
  }
  if (!divergence.rooms.empty()) {
    absl::StrAppend(&text, has_headline ? "\n  rooms: " : " (rooms: ",
                    absl::StrJoin(divergence.rooms, ", "),
                    has_headline ? "" : ")");
  }
  absl::StrAppend(&text, "\n");
  if (!divergence.remark.empty()) {
    absl::StrAppend(&text, "  ", divergence.remark, "\n");
  }
  if (divergence.fields_tick.has_value()) {
    absl::StrAppend(&text, "  at tick ", *divergence.fields_tick, ":\n");
  }
  for (size_t i = has_headline ? 1 : 0; i < divergence.fields.size(); ++i) {
    const FieldDivergence& field = divergence.fields[i];
    absl::StrAppend(&text, "  ", field.text, FormatWriters(field), "\n");
  }
  if (divergence.has_more_fields) absl::StrAppend(&text, "  and more\n");
  return text;
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/controls/control_row_checks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/input/input_frame.h"
#include "sim/systems/controls/control_rows.h"
#include "sim/systems/controls/control_system.h"

namespace reprise::sim {
namespace {

absl::Status Impossible(std::string_view table, uint32_t row) {
  return absl::DataLossError(fmt::format(
      "snapshot: row {} of {} is none of this pack", row, std::string(table)));
}

bool IsValue(double value) { return value >= -1.0 && value <= 1.0; }

// Whether something can have happened in that step; 0 is also never.
bool IsPast(Tick step, Tick now) { return step == 0 || step < now; }

bool IsControl(const ControlRow& row, Tick now) {
  return IsValue(row.x) && IsValue(row.y) && row.is_down <= 1 &&
         row.was_down <= 1 && IsPast(row.changed_at, now);
}

bool IsContext(const ContextRow& row) { return row.is_enabled <= 1; }

bool IsPattern(const PatternRow& row, Tick now) {
  return row.direction <= static_cast<uint64_t>(StickDirection::kDownRight) &&
         IsPast(row.direction_since, now) &&
         std::ranges::all_of(row.done,
                             [now](uint64_t done) { return done <= now; });
}

// Whether the actions are of the kind that the binding reads.
bool IsBinding(const BindingDefinition& binding, const InputGrammar& grammar,
               const BindingRow& row) {
  if (!IsValue(row.x) || !IsValue(row.y)) return false;
  for (uint32_t i = 0; i < kBindingSlots; ++i) {
    if (i >= binding.slot_count || !binding.is_rebindable()) {
      if (row.actions[i] != binding.actions[i]) return false;
      continue;
    }
    const Action* const action = grammar.Find(row.actions[i]);
    if (action == nullptr) return false;
    const bool fits = binding.uses_buttons()
                          ? action->is_button()
                          : action->kind == Action::Kind::kAxis;
    if (!fits) return false;
  }
  return true;
}

// Whether there is a row for each player and each of `names`, in order, of
// which is_possible(index of the name, row) holds.
template <typename Row, Id Row::*kName, typename IsPossible>
absl::Status CheckRowOfEach(const Table& table, uint32_t player_count,
                            const std::vector<Id>& names,
                            const IsPossible& is_possible) {
  if (table.row_count() != player_count * names.size()) {
    return absl::DataLossError(fmt::format(
        "snapshot: {} rows of {} where this pack has {}", table.row_count(),
        std::string(Row::kTable), player_count * names.size()));
  }
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const auto& each = table.Get<Row>(row);
    const size_t index = row % names.size();
    if (each.player != row / names.size() || each.*kName != names[index] ||
        !is_possible(index, each)) {
      return Impossible(Row::kTable, row);
    }
  }
  return absl::OkStatus();
}

template <typename Definitions>
std::vector<Id> NamesOf(const Definitions& definitions) {
  std::vector<Id> names;
  for (const auto& definition : definitions) names.push_back(definition.name);
  return names;
}

absl::Status CheckFingers(const ControlsDefinition& definition,
                          uint32_t player_count, Tick now, const Table& table) {
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const auto& finger = table.Get<FingerRow>(row);
    const uint32_t binding = definition.FindBinding(finger.binding);
    const bool is_pinch =
        binding != kNoIndex && std::holds_alternative<PinchSource>(
                                   definition.bindings[binding].source);
    // In units of the view's sides.
    const bool is_distance =
        is_pinch ? finger.distance > 0.0 && finger.distance < 2.0
                 : finger.distance == 0.0;
    if (binding == kNoIndex || finger.player >= player_count ||
        !definition.bindings[binding].follows_touches() || !is_distance ||
        finger.x > kViewEdge || finger.y > kViewEdge || finger.began >= now) {
      return Impossible(FingerRow::kTable, row);
    }
  }
  return absl::OkStatus();
}

// The points of each stroke are counted from 0, and its finger is there.
absl::Status CheckStrokes(const ControlsDefinition& definition,
                          const ControlTables& tables) {
  uint64_t expected = 0;
  for (uint32_t row = 0; row < tables.strokes.row_count(); ++row) {
    const auto& point = tables.strokes.Get<StrokePointRow>(row);
    if (row > 0) {
      const auto& before = tables.strokes.Get<StrokePointRow>(row - 1);
      const bool is_same =
          before.player == point.player && before.binding == point.binding;
      expected = is_same ? expected + 1 : 0;
    }
    const uint32_t binding = definition.FindBinding(point.binding);
    const bool is_stroke =
        binding != kNoIndex && std::holds_alternative<StrokeSource>(
                                   definition.bindings[binding].source);
    const uint64_t key[] = {point.player, point.binding.value};
    const uint32_t finger = tables.fingers.LowerBound(key);
    const bool is_followed =
        finger < tables.fingers.row_count() &&
        tables.fingers.Get<FingerRow>(finger).player == point.player &&
        tables.fingers.Get<FingerRow>(finger).binding == point.binding;
    if (!is_stroke || !is_followed || point.point != expected ||
        point.point > kStrokePointsMax || point.x > kViewEdge ||
        point.y > kViewEdge) {
      return Impossible(StrokePointRow::kTable, row);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckControlRows(const ControlsDefinition& definition,
                              const InputGrammar& grammar, Tick now,
                              const ControlTables& tables) {
  const uint32_t players = grammar.player_count;
  absl::Status status = CheckRowOfEach<ControlRow, &ControlRow::control>(
      tables.controls, players, NamesOf(definition.controls),
      [now](size_t /*index*/, const ControlRow& row) {
        return IsControl(row, now);
      });
  if (!status.ok()) return status;
  status = CheckRowOfEach<ContextRow, &ContextRow::context>(
      tables.contexts, players, NamesOf(definition.contexts),
      [](size_t /*index*/, const ContextRow& row) { return IsContext(row); });
  if (!status.ok()) return status;
  status = CheckRowOfEach<BindingRow, &BindingRow::binding>(
      tables.bindings, players, NamesOf(definition.bindings),
      [&](size_t index, const BindingRow& row) {
        return IsBinding(definition.bindings[index], grammar, row);
      });
  if (!status.ok()) return status;
  std::vector<Id> patterns;
  for (const uint32_t control : definition.pattern_rows) {
    patterns.push_back(definition.controls[control].name);
  }
  status = CheckRowOfEach<PatternRow, &PatternRow::control>(
      tables.patterns, players, patterns,
      [now](size_t /*index*/, const PatternRow& row) {
        return IsPattern(row, now);
      });
  if (!status.ok()) return status;
  status = CheckFingers(definition, players, now, tables.fingers);
  if (!status.ok()) return status;
  return CheckStrokes(definition, tables);
}

}  // namespace reprise::sim

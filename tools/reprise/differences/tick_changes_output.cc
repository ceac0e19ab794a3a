// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/differences/tick_changes_output.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/base/digest.h"
#include "sim/base/field.h"
#include "sim/game_description.h"
#include "sim/scalar_legend.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"

namespace reprise::tools {
namespace {

// One change in words.
struct Words {
  std::string room;
  std::string table;
  std::string object;
  bool is_object = false;
  std::string field;  // empty: the whole row
  bool is_double = false;
  std::string unit;
  std::optional<std::string> before;
  std::optional<std::string> after;
  // What the values stand for; empty for a mere number.
  std::string before_name = {};
  std::string after_name = {};
};

class Describer {
 public:
  Describer(const sim::Simulation& simulation, const std::string& object)
      : state_(simulation.state()),
        description_(simulation.description()),
        names_(sim::NamesOf(simulation)),
        object_(object) {}

  // nullopt: of another object than was asked for.
  std::optional<Words> Describe(const sim::FieldDifference& change) const {
    const sim::RowSchema& schema = state_.table(change.table).schema();
    Words words{
        .room = state_.room_of(change.table).name,
        .table = schema.name(),
        .object = "",
        .is_object = change.key.front().type == sim::ScalarType::kObject,
        .field = "",
        .unit = "",
        .before = std::nullopt,
        .after = std::nullopt};
    bool is_wanted = object_.empty();
    for (const sim::FieldValue key : change.key) {
      const std::string name = sim::FormatFieldValue(key, names_);
      is_wanted |= name == object_;
      words.object += (words.object.empty() ? "" : " ") + name;
    }
    if (!is_wanted) return std::nullopt;
    if (!change.scalar.has_value()) {
      // Only rows that go are changes as a whole.
      words.before = "present";
      return words;
    }
    const sim::Field& field = schema.fields()[change.scalar->field];
    words.field = field.ScalarName(change.scalar->index);
    words.is_double = field.scalar == sim::ScalarType::kDouble;
    words.unit = field.unit;
    words.before = Format(change.expected);
    words.after = Format(change.actual);
    const sim::Legend* const legend = sim::FindScalarLegend(
        description_, words.room, words.table, field, change.scalar->index);
    if (legend != nullptr && change.expected.has_value()) {
      words.before_name = legend->NameOf(*change.expected);
    }
    if (legend != nullptr && change.actual.has_value()) {
      words.after_name = legend->NameOf(*change.actual);
    }
    return words;
  }

 private:
  std::optional<std::string> Format(
      const std::optional<sim::FieldValue>& value) const {
    if (!value.has_value()) return std::nullopt;
    return sim::FormatFieldValue(*value, names_);
  }

  const sim::State& state_;
  const sim::GameDescription& description_;
  const sim::NameResolver names_;
  const std::string& object_;
};

// "dormant (2)", "2", "missing".
std::string FormatSide(const std::optional<std::string>& value,
                       const std::string& name) {
  if (!value.has_value()) return "missing";
  return name.empty() ? *value : fmt::format("{} ({})", name, *value);
}

Json ToJson(const std::optional<std::string>& text) {
  return text.has_value() ? Json(*text) : Json(nullptr);
}

}  // namespace

std::string FormatTickChanges(const replays::TickChanges& changes,
                              const sim::Simulation& simulation,
                              const std::string& object) {
  const Describer describer(simulation, object);
  std::string text;
  for (const replays::PhaseChanges& phase : changes.phases()) {
    text += fmt::format("{}  {}\n", simulation.info().phases[phase.phase],
                        sim::FormatDigest(phase.root));
    for (const replays::FieldChange& change : phase.changes) {
      const std::optional<Words> words = describer.Describe(change.difference);
      if (!words) continue;
      text += fmt::format(
          "  {}.{} {}{}{}: {} -> {}{}{}, by {}\n", words->room, words->table,
          words->object, words->field.empty() ? "" : " ", words->field,
          FormatSide(words->before, words->before_name),
          FormatSide(words->after, words->after_name),
          words->unit.empty() ? "" : " ", words->unit, change.writer);
    }
  }
  return text;
}

Json TickChangesToJson(const replays::TickChanges& changes,
                       const sim::Simulation& simulation,
                       const std::string& object) {
  const Describer describer(simulation, object);
  Json phases = Json::array();
  for (const replays::PhaseChanges& phase : changes.phases()) {
    Json list = Json::array();
    for (const replays::FieldChange& change : phase.changes) {
      const std::optional<Words> words = describer.Describe(change.difference);
      if (!words) continue;
      list.push_back({{"room", words->room},
                      {"table", words->table},
                      {"object", words->object},
                      {"is_object", words->is_object},
                      {"field", words->field},
                      {"is_double", words->is_double},
                      {"unit", words->unit},
                      {"before", ToJson(words->before)},
                      {"after", ToJson(words->after)},
                      {"before_name", words->before_name},
                      {"after_name", words->after_name},
                      {"writer", change.writer}});
    }
    phases.push_back({{"phase", simulation.info().phases[phase.phase]},
                      {"digest", sim::FormatDigest(phase.root)},
                      {"changes", std::move(list)}});
  }
  return phases;
}

}  // namespace reprise::tools

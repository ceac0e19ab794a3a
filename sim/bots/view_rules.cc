// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/bots/view_rules.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/world/components/component.h"
#include "sim/world/components/object_rows.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kComponentsRoom = "components";
constexpr Id kPlayerArgument = IdOf("player");

// The tables of a world, which other simulations may lack.
std::optional<ViewTables> FindTables(const State& state) {
  const auto objects = state.Find("world", ObjectRow::kTable);
  const auto slots = state.Find("world", SlotRow::kTable);
  const auto places = state.Find("world", PlaceRow::kTable);
  const auto bodies = state.Find("physics", BodyRow::kTable);
  if (!objects || !slots || !places || !bodies) return std::nullopt;
  const auto has = [&](TableIndex table, const auto& schema) {
    return state.table(table).schema().fingerprint() == schema->fingerprint();
  };
  if (!has(*objects, RowSchema::Of<ObjectRow>()) ||
      !has(*slots, RowSchema::Of<SlotRow>()) ||
      !has(*places, RowSchema::Of<PlaceRow>()) ||
      !has(*bodies, RowSchema::Of<BodyRow>())) {
    return std::nullopt;
  }
  return ViewTables{.objects = *objects,
                    .slots = *slots,
                    .places = *places,
                    .bodies = *bodies};
}

}  // namespace

std::optional<PropertyPlace> FindProperty(const State& state,
                                          std::string_view path) {
  const size_t dot = path.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::optional<TableIndex> table =
      state.Find(kComponentsRoom, path.substr(0, dot));
  if (!table) return std::nullopt;
  const std::string_view rest = path.substr(dot + 1);
  const RowSchema& schema = state.table(*table).schema();
  const std::span<const Field> fields = schema.fields();
  // What every component's row begins with is no property.
  for (uint32_t i = kComponentOverriddenField + 1; i < fields.size(); ++i) {
    if (fields[i].name == rest && fields[i].shape != FieldShape::kArray) {
      return PropertyPlace{
          .table = *table, .field = i, .first = 0, .count = fields[i].count};
    }
  }
  const std::optional<ScalarPath> scalar = schema.Find(rest);
  if (!scalar || scalar->field <= kComponentOverriddenField) {
    return std::nullopt;
  }
  return PropertyPlace{.table = *table,
                       .field = scalar->field,
                       .first = scalar->index,
                       .count = 1};
}

std::optional<uint32_t> FindObjectRow(const Table& table, ObjectId object) {
  const std::array<uint64_t, 1> key = {object.serial};
  const uint32_t row = table.LowerBound(key);
  if (row >= table.row_count()) return std::nullopt;
  const FieldValue found = ReadScalar(table.schema(), table.Row(row), {});
  if (found.bits != object.serial) return std::nullopt;
  return row;
}

absl::StatusOr<ViewRules> ViewRules::Create(const Simulation& simulation) {
  const State& state = simulation.state();
  const GameDescription& game = simulation.description();
  ViewRules rules;
  rules.tables_ = FindTables(state);
  rules.sees_everything_ = game.senses.sees.empty();
  const auto find = [&](const std::string& path,
                        std::optional<PropertyPlace>& place) {
    place = FindProperty(state, path);
    return place ? absl::OkStatus()
                 : absl::InvalidArgumentError(fmt::format(
                       "players see '{}', which there isn't", path));
  };
  for (const SightDescription& description : game.senses.sees) {
    Sight sight{.is_place_only = description.is_place_only,
                .properties = {},
                .player_property = std::nullopt};
    for (const std::string& path : description.properties) {
      std::optional<PropertyPlace> place;
      const absl::Status status = find(path, place);
      if (!status.ok()) return status;
      sight.properties.push_back(*place);
    }
    if (!description.player_property.empty()) {
      const absl::Status status =
          find(description.player_property, sight.player_property);
      if (!status.ok()) return status;
    }
    rules.sights_.push_back(std::move(sight));
  }
  for (const TypeDescription& type : game.types) {
    TypeRules entry{.type = IdOf(type.name), .bases = {}, .sights = {}};
    const TypeDescription* base = &type;
    while (base != nullptr) {
      entry.bases.push_back(IdOf(base->name));
      for (uint32_t i = 0; i < game.senses.sees.size(); ++i) {
        if (game.senses.sees[i].type == base->name) entry.sights.push_back(i);
      }
      const auto next =
          std::ranges::find(game.types, base->extends, &TypeDescription::name);
      base =
          base->extends.empty() || next == game.types.end() ? nullptr : &*next;
    }
    rules.types_.push_back(std::move(entry));
  }
  // A total order: types have names of their own.
  std::ranges::sort(rules.types_, {}, &TypeRules::type);
  for (const std::string& event : game.senses.hears) {
    rules.heard_.push_back(IdOf(event));
  }
  // A total order: equal ids are the same.
  std::ranges::sort(rules.heard_);
  return rules;
}

const ViewRules::TypeRules* ViewRules::RulesOf(Id type) const {
  const auto found =
      std::ranges::lower_bound(types_, type, {}, &TypeRules::type);
  return found != types_.end() && found->type == type ? &*found : nullptr;
}

bool ViewRules::IsOf(Id type, Id base) const {
  if (type == base) return true;
  const TypeRules* const rules = RulesOf(type);
  return rules != nullptr &&
         std::ranges::find(rules->bases, base) != rules->bases.end();
}

bool ViewRules::Applies(const Sight& sight, const State& state, uint32_t player,
                        ObjectId object) {
  if (!sight.player_property) return true;
  const PropertyPlace& place = *sight.player_property;
  const Table& table = state.table(place.table);
  const std::optional<uint32_t> row = FindObjectRow(table, object);
  if (!row) return false;
  const FieldValue value =
      ReadScalar(table.schema(), table.Row(*row),
                 {.field = place.field, .index = place.first});
  return value.bits == player;
}

bool ViewRules::Shows(const State& state, uint32_t player, Id type,
                      ObjectId object) const {
  if (sees_everything_) return true;
  const TypeRules* const rules = RulesOf(type);
  return rules != nullptr &&
         std::ranges::any_of(rules->sights, [&](uint32_t sight) {
           return Applies(sights_[sight], state, player, object);
         });
}

bool ViewRules::ShowsProperty(const State& state, uint32_t player, Id type,
                              ObjectId object,
                              const PropertyPlace& property) const {
  if (sees_everything_) return true;
  const TypeRules* const rules = RulesOf(type);
  if (rules == nullptr) return false;
  return std::ranges::any_of(rules->sights, [&](uint32_t index) {
    const Sight& sight = sights_[index];
    if (sight.is_place_only) return false;
    const bool has =
        sight.properties.empty() ||
        std::ranges::any_of(sight.properties, [&](const PropertyPlace& seen) {
          return seen.table == property.table && seen.field == property.field;
        });
    return has && Applies(sight, state, player, object);
  });
}

bool ViewRules::Hears(uint32_t player, const Event& event) const {
  if (!heard_.empty() && !std::ranges::binary_search(heard_, event.type)) {
    return false;
  }
  for (const EventArgument& argument : event.arguments) {
    if (argument.name != kPlayerArgument) continue;
    if (argument.value.type == ScalarType::kInt64) {
      return argument.value.bits == player;
    }
  }
  return true;
}

}  // namespace reprise::sim

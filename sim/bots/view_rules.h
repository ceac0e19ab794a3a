// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What players of a game may see of its state: the sights that its pack
// declares, found in the tables once.

#ifndef REPRISE_SIM_BOTS_VIEW_RULES_H_
#define REPRISE_SIM_BOTS_VIEW_RULES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/event.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::sim {

// Scalars of a component's row: a property, or one number of it.
struct PropertyPlace {
  TableIndex table;
  uint32_t field = 0;
  uint32_t first = 0;
  uint32_t count = 1;
};

// Finds "component.property", "component.property.x" or "component.list[2]" in
// a state; nullopt where there is no such thing.
std::optional<PropertyPlace> FindProperty(const State& state,
                                          std::string_view path);

// The row of an object in a table that is keyed by objects.
std::optional<uint32_t> FindObjectRow(const Table& table, ObjectId object);

// The tables of objects, where a simulation has them.
struct ViewTables {
  TableIndex objects;
  TableIndex slots;
  TableIndex places;
  TableIndex bodies;
};

// Immutable; good for every simulation of its pack.
class ViewRules {
 public:
  // INVALID_ARGUMENT: a sight is of what there isn't in the simulation.
  static absl::StatusOr<ViewRules> Create(const Simulation& simulation);

  // nullopt: the simulation has no objects that can be looked at.
  const std::optional<ViewTables>& tables() const { return tables_; }

  // Whether `type` is `base`, or extends it.
  bool IsOf(Id type, Id base) const;

  // Whether a player sees an object of this type. REQUIRES: it is there.
  bool Shows(const State& state, uint32_t player, Id type,
             ObjectId object) const;
  // Whether the player sees this property of it, too.
  bool ShowsProperty(const State& state, uint32_t player, Id type,
                     ObjectId object, const PropertyPlace& property) const;

  bool Hears(uint32_t player, const Event& event) const;

 private:
  struct Sight {
    bool is_place_only = false;
    std::vector<PropertyPlace> properties;  // none: all
    std::optional<PropertyPlace> player_property;
  };
  struct TypeRules {
    Id type;
    std::vector<Id> bases;         // itself first
    std::vector<uint32_t> sights;  // into sights_
  };

  const TypeRules* RulesOf(Id type) const;
  static bool Applies(const Sight& sight, const State& state, uint32_t player,
                      ObjectId object);

  std::optional<ViewTables> tables_;
  bool sees_everything_ = true;
  std::vector<Sight> sights_;
  std::vector<TypeRules> types_;  // ascending by type
  std::vector<Id> heard_;         // ascending; none: all
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOTS_VIEW_RULES_H_

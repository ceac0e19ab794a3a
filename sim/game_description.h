// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a game consists of, for whoever plays, watches or checks it and doesn't
// have its files: types, components and their properties, events and their
// arguments, and what numbers in the state stand for. It is the same for the
// whole of a run and no state. What players give is SimulationInfo::inputs;
// tables, fields and units are the schemas of the state.

#ifndef REPRISE_SIM_GAME_DESCRIPTION_H_
#define REPRISE_SIM_GAME_DESCRIPTION_H_

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/field.h"
#include "sim/base/property_type.h"
#include "sim/base/value_name.h"
#include "sim/bot_description.h"
#include "sim/fuzzing_description.h"
#include "sim/state/field_value.h"

namespace reprise::sim {

struct TypeDescription {
  std::string name;
  std::string extends;                  // the nearest base; empty: none
  std::vector<std::string> components;  // ascending, inherited ones included
  std::vector<std::string> behaviours;  // in the order in which they run
  std::vector<std::string> archetypes;  // what has this type and other values
  uint32_t objects_max = 0;             // that there can be at a time
};

struct PropertyDescription {
  std::string name;
  PropertyType type = PropertyType::kDouble;
  std::string unit;       // an SI symbol; empty for a pure number
  uint32_t list_max = 0;  // 0: one value; otherwise a list of up to this many
  // The scalars of the value, or of all values that the list begins with.
  std::vector<FieldValue> default_value;
  // Inclusive bounds of each number.
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::vector<std::string> choices;  // of kEnum
  std::string help;
};

struct ComponentDescription {
  std::string name;
  std::string help;
  std::vector<PropertyDescription> properties;
};

struct BehaviourDescription {
  std::string name;
  std::string help;
  // What a pack can choose where a type uses it, in the program's order.
  std::vector<PropertyDescription> parameters;
};

struct EventArgumentDescription {
  std::string name;
  // Unset: that of an argument of an action or another event, which is passed
  // on.
  std::optional<ScalarType> type;
  std::string unit;
  bool is_optional = false;  // there are such events without it

  friend bool operator==(const EventArgumentDescription&,
                         const EventArgumentDescription&) = default;
};

// One way in which events of a name come to be; there may be several.
struct EventDescription {
  std::string name;
  std::string sender;    // in words, as the two below
  std::string receiver;  // unhandled, an event goes on to the object's parents
  std::string when;
  std::vector<EventArgumentDescription> arguments;
};

// One way in which a run is decided, as far as the pack itself says it.
struct OutcomeRule {
  bool is_won = true;  // otherwise it is lost
  std::string when;    // in words
  std::string reason;  // of the outcome; empty: the name of who decides

  friend bool operator==(const OutcomeRule&, const OutcomeRule&) = default;
};

// What the numbers of a field of the state stand for.
struct Legend {
  struct Entry {
    int64_t value = 0;  // or, of a mask, the bit from 0 on
    std::string name;

    friend bool operator==(const Entry&, const Entry&) = default;
  };
  // A part of a number that says several things at once: bits from `shift` on,
  // of which one is `scale` in its unit, and 0 is `offset`.
  struct Part {
    std::string name;
    uint32_t shift = 0;
    uint32_t bits = 0;
    double scale = 1.0;
    double offset = 0.0;
    std::string unit;

    friend bool operator==(const Part&, const Part&) = default;
  };

  std::string room;
  std::string table;
  std::string field;
  bool is_mask = false;  // each bit that is set has a name
  std::vector<Entry> entries;
  std::vector<Part> parts;
  uint64_t least = 0;  // only numbers from here on have parts

  // What `value` stands for; the names of its bits, or its parts, with commas
  // between them; empty where it has no name. REQUIRES: the value is of a whole
  // number.
  std::string NameOf(FieldValue value) const;
};

// All in ascending order of names, but legends, which are by room, table and
// field, what players see, and outcomes, which are by their words.
struct GameDescription {
  std::vector<TypeDescription> types;
  std::vector<ComponentDescription> components;
  std::vector<BehaviourDescription> behaviours;  // of the program
  std::vector<EventDescription> events;
  // Behaviours, scripts and other simulations may decide runs besides.
  std::vector<OutcomeRule> outcome_rules;
  std::vector<Legend> legends;
  std::vector<BotDescription> bots;
  PlayerSenses senses;  // of each player
  FuzzingDescription fuzzing;

  // The legend of a field; null where its numbers are just numbers.
  const Legend* FindLegend(std::string_view room, std::string_view table,
                           std::string_view field) const;
};

// A legend of the names that stand beside an enumeration.
Legend MakeLegend(std::string_view room, std::string_view table,
                  std::string_view field, std::span<const ValueName> names);

// Names in one sentence; of many, the first ones and the number of the others.
std::string ListNames(const std::set<std::string>& names);

// As the two-argument form; where `legend` isn't null and names the value, its
// name comes first: "dormant (2)".
std::string FormatFieldValue(FieldValue value, const NameResolver& names,
                             const Legend* legend);

// As packs and people call the values of events: "number", "name", "object".
std::string_view EventValueTypeName(ScalarType type);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GAME_DESCRIPTION_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who can play a game in the place of persons, and what players may see of it,
// as a pack declares them. No state follows from either.

#ifndef REPRISE_SIM_BOT_DESCRIPTION_H_
#define REPRISE_SIM_BOT_DESCRIPTION_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace reprise::sim {

inline constexpr uint32_t kBotsMax = 64;  // of a pack

struct BotParameterValue {
  std::string name;
  std::variant<double, std::string> value = 0.0;

  friend bool operator==(const BotParameterValue&,
                         const BotParameterValue&) = default;
};

// A script as it stands in the pack, so that who runs a bot needs no files.
struct BotScript {
  std::string name;
  std::string source;

  friend bool operator==(const BotScript&, const BotScript&) = default;
};

struct BotDescription {
  std::string name;
  std::string help;
  std::vector<uint32_t> players;  // that it may play, ascending; none: any
  bool is_reserve = false;        // it plays only where it is asked for
  // Either the name of a native bot or the script whose `decide` is called.
  std::string native;
  std::string script;
  std::vector<BotScript> scripts;      // that one, and those that it requires
  uint32_t every_ticks = 1;            // it decides at multiples of this
  int64_t instructions_max = 100'000;  // of a decision, in Lua
  std::vector<BotParameterValue> parameters;  // ascending by name

  friend bool operator==(const BotDescription&,
                         const BotDescription&) = default;
};

// What players see of the objects of a type and of those that extend it.
struct SightDescription {
  std::string type;
  std::vector<std::string> properties;  // component.property; empty: all
  bool is_place_only = false;           // no property is seen
  // component.property of a whole number: who sees them; empty: everybody.
  std::string player_property;

  friend bool operator==(const SightDescription&,
                         const SightDescription&) = default;
};

// Of a pack that has none of these, players see and hear everything.
struct PlayerSenses {
  std::vector<SightDescription> sees;
  // Types of events; one with an argument `player` is heard by that one alone.
  std::vector<std::string> hears;

  friend bool operator==(const PlayerSenses&, const PlayerSenses&) = default;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOT_DESCRIPTION_H_

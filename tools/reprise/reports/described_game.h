// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A game's description as people and programs read it: all of it, or what has
// one name.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_DESCRIBED_GAME_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_DESCRIBED_GAME_H_

#include <string>
#include <string_view>
#include <vector>

#include "sim/game_description.h"
#include "sim/input/input_grammar.h"
#include "sim/state/field_value.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

struct DescribedGame {
  sim::GameDescription description;
  sim::InputGrammar inputs;
  sim::NameResolver names;  // of values that properties begin with

  // Nothing has a name.
  bool empty() const;
};

// What of `game` is called `word`: types (also by their archetypes),
// components, their properties ("tag.colour", "colour"), events, actions and
// legends by their field ("world.objects.status", "objects.status", "status").
DescribedGame SelectNamed(const DescribedGame& game, std::string_view word);

// Every word that selects something, for suggestions.
std::vector<std::string> NamesIn(const DescribedGame& game);

// In lines of at most 80 columns, by kind; kinds of which there are none are
// left out.
std::string FormatDescribedGame(const DescribedGame& game);

// The keys "player_count", "commands_per_tick_max" and, each a list, "actions",
// "bots", "types", "components", "behaviours", "events", "outcome_rules" and
// "legends". Values are as in JSON of states.
Json DescribedGameToJson(const DescribedGame& game);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_DESCRIBED_GAME_H_

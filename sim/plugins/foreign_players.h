// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What players hold and do, as a plug-in is given it, and whether it left it as
// it was.

#ifndef REPRISE_SIM_PLUGINS_FOREIGN_PLAYERS_H_
#define REPRISE_SIM_PLUGINS_FOREIGN_PLAYERS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "include/reprise/simulation.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"
#include "sim/plugins/shown_items.h"
#include "sim/state/state.h"
#include "sim/state/table.h"
#include "sim/world/inputs/input_tables.h"

namespace reprise::sim {

// Keeps its memory from tick to tick.
class ForeignPlayers {
 public:
  // Of all players: what is held, from the tables of inputs, and what `frames`
  // say is done. Valid until the next call. REQUIRES: the frames are valid, and
  // the tables have taken them.
  reprise_list Make(const InputGrammar& grammar, const InputTables& tables,
                    const State& state, std::span<const InputFrame> frames);

  // ABORTED: what was made last isn't what it was, or a guard behind it isn't.
  absl::Status Check() const;

 private:
  void Reset(uint32_t player_count, std::span<const InputFrame> frames);

  void AddHeld(const InputTables& tables, const State& state, uint32_t player,
               reprise_player& result) const;
  void AddTouches(const Table& touches, uint32_t player);
  void AddCommands(const InputGrammar& grammar, const InputFrame& frame,
                   reprise_player& result);
  const char* AddText(std::string_view text);

  ShownItems<reprise_player> players_;
  ShownItems<reprise_touch> touches_;
  ShownItems<reprise_command> commands_;
  ShownItems<reprise_value> values_;
  ShownItems<char> texts_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_FOREIGN_PLAYERS_H_

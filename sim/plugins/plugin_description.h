// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a plug-in says of itself, checked and copied, so that nothing of its
// memory is read again.

#ifndef REPRISE_SIM_PLUGINS_PLUGIN_DESCRIPTION_H_
#define REPRISE_SIM_PLUGINS_PLUGIN_DESCRIPTION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "include/reprise/simulation.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/game_description.h"
#include "sim/input/input_grammar.h"
#include "sim/plugins/row_layout.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {

// The rooms in which Reprise keeps what is its own of a plug-in's run: how far
// it is, and what players hold.
inline constexpr std::string_view kPluginHostRoom = "reprise";
inline constexpr std::string_view kPluginInputRoom = "input";

struct PluginDescription {
  struct Table {
    std::string room;
    RowLayout layout;
  };

  // Bytes of a plug-in's own memory.
  struct Region {
    std::string room;
    std::string name;
    uint64_t size = 0;
    std::optional<RowLayout> layout;         // of its named fields, in one row
    std::shared_ptr<const RowSchema> pages;  // all of its bytes, a page a row
  };

  TickRate tick_rate;
  uint32_t rules_revision = 0;
  InputGrammar inputs;
  std::vector<Table> tables;  // tables of one room stand together
  std::vector<Region> regions;
  GameDescription game;
  NameTable
      names;  // of events, their arguments, actions and what ids stand for
  // Of all of the above: two simulations of one pack have the same.
  Digest fingerprint;
};

// INVALID_ARGUMENT names what can't be.
absl::StatusOr<PluginDescription> ReadPluginDescription(
    const reprise_info& info);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_PLUGIN_DESCRIPTION_H_

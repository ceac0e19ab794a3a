// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows of a plug-in's tables and the bytes of its regions: taken into a
// state's tables, page by page where they changed, and given back.

#ifndef REPRISE_SIM_PLUGINS_FOREIGN_ROWS_H_
#define REPRISE_SIM_PLUGINS_FOREIGN_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "include/reprise/simulation.h"
#include "sim/plugins/foreign_call.h"
#include "sim/plugins/foreign_regions.h"
#include "sim/plugins/plugin_description.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::sim {

class ForeignRows {
 public:
  // Both must outlive it.
  ForeignRows(const reprise_plugin& calls,
              const PluginDescription& description);

  // Adds the tables of the description to a state. Once, before all else.
  void AddTables(State& state);

  // Takes all rows and regions; `everything`: whatever the plug-in says of
  // what changed. DATA_LOSS names the table and the row that can't be; ABORTED:
  // as CallForeign, or the rows can't be where it says.
  absl::Status Take(reprise_simulation* foreign, bool everything, State& state);

  // Whether the last Take left out what the plug-in said hadn't changed.
  bool has_left_out() const { return has_left_out_ || regions_.has_left_out(); }

  // Has the plug-in take the rows of `state`. Errors are the plug-in's; ABORTED
  // names the table or region that it wrote behind, too.
  absl::Status Give(const State& state, reprise_simulation* foreign) const;

  // Whether the rows of `state` can be the plug-in's. DATA_LOSS as above.
  absl::Status Check(const State& state) const;

  // Has the bytes of a region be what its named fields say, or the other way
  // round, of which `changed` is the table that was written.
  void Follow(TableIndex changed, State& state) const;

  // Has `to` take the rows of `from` as they lie, with what no field describes.
  absl::Status GiveAsShown(reprise_simulation* from,
                           reprise_simulation* to) const;

  // The first bytes of a row that no field describes and that aren't zero:
  // "row 0 of table 'apples' has bytes 28 to 31 that ..."; empty: none. Errors
  // are those of Take.
  absl::StatusOr<std::string> FindUndescribedBytes(
      reprise_simulation* foreign) const;

 private:
  // Asks for the rows of a table that is no region.
  absl::Status Ask(uint32_t index, reprise_simulation* foreign,
                   GuardedStruct<reprise_rows>& rows) const;
  absl::Status TakeTable(uint32_t index, reprise_simulation* foreign,
                         bool everything, Table& table);
  // The rows where the plug-in says that they are.
  absl::Status TakeShown(uint32_t index, const reprise_rows& rows,
                         bool everything, Table& table);
  // Returns whether the page's rows are others than they were.
  absl::StatusOr<bool> TakePage(const PluginDescription::Table& described,
                                std::span<const std::byte> foreign,
                                uint32_t page, Table& table);

  // "the rows of table 'apples'", "the bytes of region 'memory'".
  std::string WhatIsGiven(uint32_t index) const;
  absl::Status Give(const std::vector<reprise_rows>& tables,
                    reprise_simulation* foreign) const;

  const reprise_plugin& calls_;
  const std::vector<PluginDescription::Table>& tables_;
  ForeignRegions regions_;
  uint32_t first_table_ = 0;
  bool has_left_out_ = false;
  std::vector<std::byte> page_;  // of rows that are no plain copies
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_FOREIGN_ROWS_H_

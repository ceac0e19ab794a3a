// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The regions of a plug-in's own memory: their bytes taken into a state, page
// by page where they changed, with the fields that have names beside them, and
// given back.

#ifndef REPRISE_SIM_PLUGINS_FOREIGN_REGIONS_H_
#define REPRISE_SIM_PLUGINS_FOREIGN_REGIONS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "include/reprise/simulation.h"
#include "sim/plugins/foreign_call.h"
#include "sim/plugins/plugin_description.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::sim {

// As a plug-in is given it to say where rows are: any may differ.
inline constexpr reprise_rows kAnyRows = {
    .struct_size = sizeof(reprise_rows),
    .rows = nullptr,
    .row_count = 0,
    .changed_begin = 0,
    .changed_end = std::numeric_limits<uint64_t>::max()};

// Asks where the rows of table `number` are: `rows`, made of kAnyRows, is what
// is said. ABORTED: as CallForeign, or what is said can't be.
absl::Status AskForRows(const reprise_plugin& calls, uint32_t number,
                        reprise_simulation* foreign,
                        GuardedStruct<reprise_rows>& rows);

class ForeignRegions {
 public:
  // Both must outlive it.
  ForeignRegions(const reprise_plugin& calls,
                 const PluginDescription& description);

  uint32_t count() const { return static_cast<uint32_t>(regions_.size()); }
  const std::string& NameOf(uint32_t index) const {
    return regions_[index].name;
  }

  // As that of ForeignRows.
  bool has_left_out() const { return has_left_out_; }

  // Adds the tables of all regions, as many rows as they have, to a state.
  void AddTables(State& state);

  // As those of ForeignRows, of all regions; Give appends to what is given, and
  // to the memory that it lies in.
  absl::Status Take(reprise_simulation* foreign, bool everything, State& state);
  void Give(const State& state, std::vector<std::vector<std::byte>>& memory,
            std::vector<reprise_rows>& given) const;
  absl::Status Check(const State& state) const;
  void Follow(TableIndex changed, State& state) const;

 private:
  using Region = PluginDescription::Region;

  // Where a region is in a state.
  struct Place {
    TableIndex names;  // where its layout has fields
    TableIndex pages;
  };

  absl::Status TakeRegion(uint32_t index, reprise_simulation* foreign,
                          bool everything, State& state);
  // The bytes where the plug-in says that they are.
  absl::Status TakeBytes(uint32_t index, const reprise_rows& rows,
                         bool everything, State& state);

  const reprise_plugin& calls_;
  const std::vector<Region>& regions_;
  const std::vector<PluginDescription::Table>& tables_;
  std::vector<Place> places_;
  bool has_left_out_ = false;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_FOREIGN_REGIONS_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the states of a search have shown of a game: which names its fields
// held, and which properties of objects ever changed.

#ifndef REPRISE_REPLAYS_FUZZING_FEEDBACK_STATE_COVERAGE_H_
#define REPRISE_REPLAYS_FUZZING_FEEDBACK_STATE_COVERAGE_H_

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "sim/base/id.h"
#include "sim/game_description.h"
#include "sim/simulation.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::replays {

// Used by one thread at a time.
class StateCoverage {
 public:
  // `start` is what the search starts from; its description must remain live.
  // It is looked at.
  explicit StateCoverage(const sim::Simulation& start);

  // Looks at a state of the shape of the start. Pages that it shares with the
  // start cost nothing.
  void Look(const sim::State& state);

  // Whether there are fields of this name, which is "type" or "region": what an
  // object is, and the key of what is said of who is where; and whether one
  // held `id`.
  bool HasField(std::string_view field) const;
  bool HasHeld(std::string_view field, sim::Id id) const;

  // Of a property that the state has: an object whose value of it isn't that
  // which it had at the start, or, if it came later, which such objects begin
  // with.
  struct Property {
    std::string_view component;
    const sim::PropertyDescription* description = nullptr;
    bool has_changed = false;
  };
  // Those of components that a type has, in the order of the description.
  const std::vector<Property>& properties() const { return properties_; }

 private:
  struct NameColumn {
    std::string_view field;
    sim::TableIndex table;
    uint32_t offset = 0;
  };
  // Of a property, with the same index.
  struct PropertyColumn {
    sim::TableIndex table;
    uint32_t field = 0;
  };
  struct SeenField {
    std::string_view name;
    std::unordered_set<uint64_t> ids;  // only looked into
  };

  void FindNames(const sim::State& state);
  void FindProperties(const sim::GameDescription& description);
  bool IsAsAtStart(const sim::Table& table, sim::TableIndex index,
                   uint32_t page) const;
  bool HasChanged(const sim::State& state, const PropertyColumn& column,
                  const sim::PropertyDescription& description) const;

  const sim::State start_;
  std::vector<NameColumn> name_columns_;
  std::vector<SeenField> seen_;
  std::vector<Property> properties_;
  std::vector<PropertyColumn> property_columns_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_FEEDBACK_STATE_COVERAGE_H_

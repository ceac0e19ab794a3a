// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Keeps the plans that brains seek over several updates, in packs that have
// such. Brains read and write them; it does nothing by itself. A search goes on
// from what is kept of it beside its rows, which only get what is new.

#ifndef REPRISE_SIM_SYSTEMS_BRAINS_PLAN_SEARCHES_H_
#define REPRISE_SIM_SYSTEMS_BRAINS_PLAN_SEARCHES_H_

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/object_id.h"
#include "sim/decisions/brain_run.h"
#include "sim/decisions/brain_tree.h"
#include "sim/decisions/planner.h"
#include "sim/state/state.h"
#include "sim/systems/brains/plan_search_rows.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/owned_rows.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

struct PlanSearchesDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "plan_searches";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
};

class PlanSearches final : public System {
 public:
  static constexpr std::string_view kSystem = PlanSearchesDefinition::kSystem;

  explicit PlanSearches(const SystemPlace& place) : System(place) {}

  void Load() override { kept_.clear(); }
  void Run(uint32_t step) override;

  // The searches of an object, of each plan of its brain, to be changed; none
  // where it seeks none over updates. Valid until the next call of Run or Load.
  std::span<PlanSearch> Read(ObjectId object, const BrainTree& tree);
  // Puts what has changed of them into their rows.
  void Write(ObjectId object, const BrainTree& tree);
  // How many reached facts have been read from rows so far: for tests.
  uint64_t restored_nodes() const { return restored_nodes_; }

  // Whether the rows of a snapshot are what brains can have left there. Returns
  // DATA_LOSS if not. `tree_of` says the brain of a type; null: none.
  template <typename TreeOf>
  absl::Status CheckRowsOf(const State& snapshot, const TreeOf& tree_of) const;

 private:
  // Its tables, by their places in the declaration.
  enum TableNumber : uint32_t { kNodes, kSearches };

  // What the rows of a search say of its nodes.
  struct Written {
    uint64_t run = 0;    // of the planner
    uint64_t first = 0;  // among those of the object
    uint64_t count = 0;
  };
  // The searches of an object that has sought a plan since Load.
  struct Kept {
    std::vector<PlanSearch> searches;  // of each plan
    std::vector<Written> written;      // of each plan
  };

  Kept& Restored(ObjectId object, const BrainTree& tree);
  void WriteNodes(ObjectId object, const BrainTree& tree, Kept& kept);

  // The rows of one owner, from `search_row` and `node_row` on, which are moved
  // behind them.
  absl::Status CheckOwner(const State& snapshot, ObjectId owner,
                          const BrainTree& tree, uint32_t& search_row,
                          uint32_t& node_row) const;
  static absl::Status Misfit();

  std::map<ObjectId, Kept> kept_;
  std::vector<PlanSearchRow> search_rows_;
  uint64_t restored_nodes_ = 0;
};

template <typename TreeOf>
absl::Status PlanSearches::CheckRowsOf(const State& snapshot,
                                       const TreeOf& tree_of) const {
  uint32_t search_row = 0;
  uint32_t node_row = 0;
  const std::vector<RowOwner> owners =
      OwnersIn(snapshot, parts(),
               [&](uint32_t type) { return tree_of(type) != nullptr; });
  for (const RowOwner& owner : owners) {
    absl::Status status = CheckOwner(
        snapshot, owner.object, *tree_of(owner.type), search_row, node_row);
    if (!status.ok()) return status;
  }
  const bool is_all =
      search_row == snapshot.table(index(kSearches)).row_count() &&
      node_row == snapshot.table(index(kNodes)).row_count();
  return is_all ? absl::OkStatus() : Misfit();
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_BRAINS_PLAN_SEARCHES_H_

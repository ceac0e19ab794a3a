// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/brains/plan_searches.h"

#include <algorithm>

#include "sim/base/row_schema.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/systems/owned_ranges.h"

namespace reprise::sim {
namespace {

// The plan of a brain with this number; null where it has none.
const BrainNode* PlanOf(const BrainTree& tree, uint64_t plan) {
  const auto found = std::ranges::find_if(tree.nodes, [&](const auto& node) {
    return node.kind == BrainNodeKind::kPlan && node.plan == plan;
  });
  return found == tree.nodes.end() ? nullptr : &*found;
}

PlanNode NodeOf(const PlanNodeRow& row) {
  return {.wanted = {.mask = row.wanted, .values = row.values},
          .cost = row.cost,
          .steps = static_cast<uint32_t>(row.steps),
          .next = static_cast<uint32_t>(row.next),
          .action = static_cast<uint32_t>(row.child),
          .is_expanded = row.is_expanded != 0};
}

PlanSearch SearchOf(const PlanSearchRow& row) {
  return {.is_under_way = true,
          .facts = row.facts,
          .goal = row.place,
          .impossible = row.impossible,
          .passed = row.passed,
          .expansions = row.expansions,
          .restarts = row.restarts,
          .nodes = {}};
}

}  // namespace

const SystemDeclaration& PlanSearchesDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "plans that brains seek over several updates",
      .tables = {RowSchema::Of<PlanNodeRow>(), RowSchema::Of<PlanSearchRow>()},
      .steps = {
          {.name = "plan search rows", .point = StepPoint::kAfterObjects}}};
  return declaration;
}

std::unique_ptr<System> PlanSearchesDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<PlanSearches>(place);
}

void PlanSearches::Run([[maybe_unused]] uint32_t step) {
  EraseRowsOfLost(parts(), index(kNodes));
  EraseRowsOfLost(parts(), index(kSearches));
}

void PlanSearches::Read(ObjectId object, const BrainTree& tree,
                        std::vector<PlanSearch>& searches) const {
  searches.resize(tree.plan_count);
  for (PlanSearch& search : searches) search.Clear();
  const RowRange rows = RowsOfOwner(table(kSearches), object);
  if (rows.size() == 0) return;
  for (uint32_t row = rows.first; row < rows.last; ++row) {
    const auto& search = table(kSearches).Get<PlanSearchRow>(row);
    searches[search.plan] = SearchOf(search);
  }
  const RowRange nodes = RowsOfOwner(table(kNodes), object);
  for (uint32_t row = nodes.first; row < nodes.last; ++row) {
    const auto& node = table(kNodes).Get<PlanNodeRow>(row);
    searches[node.plan].nodes.push_back(NodeOf(node));
  }
}

void PlanSearches::Write(ObjectId object, const BrainTree& tree,
                         std::span<const PlanSearch> searches) {
  search_rows_.clear();
  node_rows_.clear();
  for (uint64_t plan = 0; plan < searches.size(); ++plan) {
    const PlanSearch& search = searches[plan];
    if (!search.is_under_way) continue;
    const BrainNode& node = *PlanOf(tree, plan);
    search_rows_.push_back(
        {.object = object,
         .plan = plan,
         .goal = tree.goals[node.first_goal + search.goal].name,
         .place = search.goal,
         .facts = search.facts,
         .impossible = search.impossible,
         .passed = search.passed,
         .expansions = search.expansions,
         .restarts = search.restarts});
    for (const PlanNode& reached : search.nodes) {
      const Id action =
          reached.steps == 0
              ? kNoId
              : tree.nodes[tree.ChildOf(node, reached.action)].name;
      node_rows_.push_back({.object = object,
                            .number = node_rows_.size(),
                            .plan = plan,
                            .wanted = reached.wanted.mask,
                            .values = reached.wanted.values,
                            .cost = reached.cost,
                            .action = action,
                            .child = reached.action,
                            .next = reached.next,
                            .steps = reached.steps,
                            .is_expanded = reached.is_expanded ? 1u : 0u});
    }
  }
  ReplaceRowsOfOwner<PlanSearchRow>(state(), index(kSearches), object,
                                    search_rows_);
  ReplaceRowsOfOwner<PlanNodeRow>(state(), index(kNodes), object, node_rows_);
}

absl::Status PlanSearches::Misfit() {
  return absl::DataLossError(
      "snapshot: searches for plans of nobody, or that no brain leaves");
}

absl::Status PlanSearches::CheckOwner(const State& snapshot, ObjectId owner,
                                      const BrainTree& tree,
                                      uint32_t& search_row,
                                      uint32_t& node_row) const {
  const Table& searches = snapshot.table(index(kSearches));
  const Table& nodes = snapshot.table(index(kNodes));
  constexpr uint64_t kHighest = 0xffffffff;
  uint64_t number = 0;
  uint64_t plan_min = 0;
  for (; search_row < searches.row_count(); ++search_row) {
    const auto& row = searches.Get<PlanSearchRow>(search_row);
    if (row.object != owner) break;
    const BrainNode* const plan = PlanOf(tree, row.plan);
    if (plan == nullptr || row.plan < plan_min) return Misfit();
    plan_min = row.plan + 1;
    PlanSearch search = SearchOf(row);
    for (; node_row < nodes.row_count(); ++node_row, ++number) {
      const auto& node = nodes.Get<PlanNodeRow>(node_row);
      if (node.object != owner || node.plan != row.plan) break;
      if (node.number != number || node.steps > kHighest ||
          node.next > kHighest || node.child > kHighest ||
          node.is_expanded > 1) {
        return Misfit();
      }
      search.nodes.push_back(NodeOf(node));
    }
    if (!CanBeSearch(tree, *plan, search)) return Misfit();
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim

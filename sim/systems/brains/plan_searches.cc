// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/brains/plan_searches.h"

#include <algorithm>

#include "sim/state/row_schema.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/objects/objects.h"
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
          .planner = {}};
}

PlanNodeRow RowOf(ObjectId object, uint64_t number, uint64_t plan,
                  const PlanNode& reached, const BrainNode& node,
                  const BrainTree& tree) {
  const Id action = reached.steps == 0
                        ? kNoId
                        : tree.nodes[tree.ChildOf(node, reached.action)].name;
  return {.object = object,
          .number = number,
          .plan = plan,
          .wanted = reached.wanted.mask,
          .values = reached.wanted.values,
          .cost = reached.cost,
          .action = action,
          .child = reached.action,
          .next = reached.next,
          .steps = reached.steps,
          .is_expanded = reached.is_expanded ? 1u : 0u};
}

bool SeeksOverUpdates(const BrainTree& tree) {
  return std::ranges::any_of(tree.nodes, [](const BrainNode& node) {
    return node.expansions_per_update != 0;
  });
}

// Makes an object's rows so many; those that are new are to be written. Returns
// the first.
uint32_t ResizeRowsOfOwner(State& state, TableIndex index, ObjectId owner,
                           uint32_t count) {
  const RowRange before = RowsOfOwner(state.table(index), owner);
  if (before.size() == count) return before.first;
  Table& table = state.mutable_table(index);
  if (before.size() > count) {
    table.EraseRange(before.first + count, before.size() - count);
    return before.first;
  }
  // At once: one by one, each would move all that is behind it.
  const uint32_t more = count - before.size();
  uint32_t row = table.row_count();
  table.Resize(row + more);
  for (; row > before.last; --row) {
    const std::span<std::byte> to = table.MutableRow(row - 1 + more);
    std::ranges::copy(table.Row(row - 1), to.begin());
  }
  return before.first;
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
  std::erase_if(kept_, [this](const auto& each) {
    return parts().objects.RowOf(state(), each.first) == kNoRow;
  });
}

std::span<PlanSearch> PlanSearches::Read(ObjectId object,
                                         const BrainTree& tree) {
  if (!SeeksOverUpdates(tree)) return {};
  const auto found = kept_.find(object);
  return found != kept_.end() ? found->second.searches
                              : Restored(object, tree).searches;
}

PlanSearches::Kept& PlanSearches::Restored(ObjectId object,
                                           const BrainTree& tree) {
  Kept& kept = kept_[object];
  kept.searches.resize(tree.plan_count);
  kept.written.resize(tree.plan_count);
  const RowRange rows = RowsOfOwner(table(kSearches), object);
  uint32_t node_row = RowsOfOwner(table(kNodes), object).first;
  uint64_t first = 0;
  for (uint32_t row = rows.first; row < rows.last; ++row) {
    const auto& search = table(kSearches).Get<PlanSearchRow>(row);
    std::vector<PlanNode> nodes;
    for (; node_row < table(kNodes).row_count(); ++node_row) {
      const auto& node = table(kNodes).Get<PlanNodeRow>(node_row);
      if (node.object != object || node.plan != search.plan) break;
      nodes.push_back(NodeOf(node));
    }
    PlanSearch& own = kept.searches[search.plan];
    own = SearchOf(search);
    own.planner.Restore(search.facts,
                        ActionsOf(tree, *PlanOf(tree, search.plan)), nodes);
    kept.written[search.plan] = {
        .run = own.planner.run(), .first = first, .count = nodes.size()};
    first += nodes.size();
  }
  restored_nodes_ += first;
  return kept;
}

void PlanSearches::Write(ObjectId object, const BrainTree& tree) {
  const auto found = kept_.find(object);
  if (found == kept_.end()) return;
  Kept& kept = found->second;
  search_rows_.clear();
  for (uint64_t plan = 0; plan < kept.searches.size(); ++plan) {
    const PlanSearch& search = kept.searches[plan];
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
  }
  ReplaceRowsOfOwner<PlanSearchRow>(state(), index(kSearches), object,
                                    search_rows_);
  WriteNodes(object, tree, kept);
}

void PlanSearches::WriteNodes(ObjectId object, const BrainTree& tree,
                              Kept& kept) {
  uint64_t total = 0;
  for (const PlanSearch& search : kept.searches) {
    total += search.planner.reached().size();
  }
  const uint32_t first_row = ResizeRowsOfOwner(state(), index(kNodes), object,
                                               static_cast<uint32_t>(total));
  uint64_t first = 0;
  for (uint64_t plan = 0; plan < kept.searches.size(); ++plan) {
    Planner& planner = kept.searches[plan].planner;
    Written& written = kept.written[plan];
    const std::span<const PlanNode> reached = planner.reached();
    if (!reached.empty()) {
      const BrainNode& node = *PlanOf(tree, plan);
      const auto write = [&](uint64_t i) {
        WriteRow(mutable_table(kNodes),
                 first_row + static_cast<uint32_t>(first + i),
                 RowOf(object, first + i, plan, reached[i], node, tree));
      };
      const bool goes_on =
          written.run == planner.run() && written.first == first;
      const uint64_t known = goes_on ? written.count : 0;
      for (const uint32_t i : planner.changed()) {
        if (i < known) write(i);
      }
      for (uint64_t i = known; i < reached.size(); ++i) write(i);
    }
    planner.ForgetChanged();
    written = {.run = planner.run(), .first = first, .count = reached.size()};
    first += reached.size();
  }
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
    std::vector<PlanNode> reached;
    for (; node_row < nodes.row_count(); ++node_row, ++number) {
      const auto& node = nodes.Get<PlanNodeRow>(node_row);
      if (node.object != owner || node.plan != row.plan) break;
      if (node.number != number || node.steps > kHighest ||
          node.next > kHighest || node.child > kHighest ||
          node.is_expanded > 1) {
        return Misfit();
      }
      reached.push_back(NodeOf(node));
    }
    if (!CanBeSearch(tree, *plan, SearchOf(row), reached)) return Misfit();
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim

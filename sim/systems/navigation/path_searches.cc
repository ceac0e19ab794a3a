// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/path_searches.h"

#include <algorithm>
#include <array>

#include "sim/base/check.h"
#include "sim/systems/navigation/navigation_events.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {

uint64_t PathSearches::Put(PathSearchRow search) {
  auto& counters = parts_.state.mutable_table(tables_.counters)
                       .Mutable<NavigationCounterRow>(0);
  search.serial = ++counters.searches;
  Table& table = mutable_searches();
  const uint32_t row = table.LowerBound(std::array{search.due, search.request});
  table.Insert(row);
  table.Mutable<PathSearchRow>(row) = search;
  return search.serial;
}

void PathSearches::TakeDue(const RequestRow& request) {
  const std::optional<uint32_t> row =
      FindRow(searches(), std::array{request.due, request.request});
  CHECK(row.has_value(), "a request that nobody keeps");
  mutable_searches().Mutable<PathSearchRow>(*row).stage = kSearchIsDue;
}

std::optional<EndedSearch> PathSearches::Advance(uint32_t index,
                                                 const PathSeeker& seeker,
                                                 uint64_t& budget) {
  PathSearchRow search = searches().Get<PathSearchRow>(index);
  if (search.stage == kSearchIsUnderWay) {
    LoadReached(seeker, search);
  } else if (const Id reason = Begin(seeker, search); reason != kNoId) {
    return EndedSearch{.search = search, .reason = reason};
  }
  const uint64_t slice =
      std::min(budget, expansions_per_search_ - search.expansions);
  uint64_t left = slice;
  // The last expansion may count as more than was left.
  uint64_t spent = 0;
  const auto advance = [&] {
    const uint64_t before = search_.spent();
    const SearchStatus status =
        spaces_.Advance(*seeker.use, EndsOf(search), search_, left);
    spent += search_.spent() - before;
    return status;
  };
  SearchStatus status = advance();
  if (status == SearchStatus::kFound && corridor_.empty() &&
      spaces_.GoesByClusters(*seeker.use, search.goal_node)) {
    EnterCorridor(seeker, search);
    status = advance();
  }
  budget -= std::min(budget, spent);
  search.expansions += spent;
  parts_.state.mutable_table(tables_.counters)
      .Mutable<NavigationCounterRow>(0)
      .expansions += spent;
  if (status == SearchStatus::kFound) {
    return EndedSearch{
        .search = search,
        .path = spaces_.PathOf(*seeker.use, EndsOf(search), search_),
        .cost = search_.PathCost()};
  }
  if (status == SearchStatus::kExhausted) {
    return EndedSearch{.search = search, .reason = IdOf(kUnreachable)};
  }
  if (status == SearchStatus::kFull ||
      search.expansions >= expansions_per_search_) {
    return EndedSearch{.search = search, .reason = IdOf(kTooFar)};
  }
  SaveReached();
  WriteRow(mutable_searches(), index, search);
  return std::nullopt;
}

Id PathSearches::Begin(const PathSeeker& seeker, PathSearchRow& search) {
  const uint32_t space = seeker.use->space;
  const uint64_t start = spaces_.NodeAt(
      *seeker.use, PlaceOf(parts_, parts_.state, seeker.row).position);
  if (start == kNowhere) return IdOf(kStartOutside);
  if (search.goal_node == kNowhere) return IdOf(kGoalOutside);
  // One that stands in a wall may leave it, and stay.
  if (!spaces_.IsOpenGoal(space, search.goal_node, start)) {
    return IdOf(kGoalBlocked);
  }
  search.start_node = start;
  corridor_.clear();
  spaces_.Begin(*seeker.use, EndsOf(search), search_);
  search.stage = kSearchIsUnderWay;
  loaded_serial_ = search.serial;
  return kNoId;
}

void PathSearches::LoadReached(const PathSeeker& seeker,
                               const PathSearchRow& search) {
  if (loaded_serial_ == search.serial) return;
  const Table& corridor = parts_.state.table(tables_.corridor);
  corridor_.clear();
  for (uint32_t row = 0; row < corridor.row_count(); ++row) {
    corridor_.push_back(
        static_cast<uint32_t>(corridor.Get<CorridorRow>(row).cluster));
  }
  const Table& rows = parts_.state.table(tables_.reached);
  read_.clear();
  for (uint32_t row = 0; row < rows.row_count(); ++row) {
    const auto& reached = rows.Get<ReachedNodeRow>(row);
    read_.push_back({.cost = reached.cost,
                     .node = reached.node,
                     .came_from = reached.came_from,
                     .is_expanded = reached.is_expanded != 0});
  }
  spaces_.Restore(*seeker.use, EndsOf(search), read_, search_);
  loaded_serial_ = search.serial;
}

void PathSearches::SaveReached() {
  Table& rows = parts_.state.mutable_table(tables_.reached);
  const auto write = [&](uint32_t index) {
    const ReachedNode& reached = search_.reached()[index];
    WriteRow(rows, index,
             ReachedNodeRow{.number = index,
                            .cost = reached.cost,
                            .node = reached.node,
                            .came_from = reached.came_from,
                            .is_expanded = reached.is_expanded ? 1u : 0u});
  };
  const uint32_t before = rows.row_count();
  const auto count = static_cast<uint32_t>(search_.reached().size());
  rows.Resize(count);
  for (const uint32_t index : search_.changed()) {
    if (index < before) write(index);
  }
  for (uint32_t index = before; index < count; ++index) write(index);
  search_.ForgetChanged();
}

void PathSearches::ForgetReached() {
  loaded_serial_ = 0;
  for (const TableIndex table : {tables_.reached, tables_.corridor}) {
    if (parts_.state.table(table).row_count() == 0) continue;
    parts_.state.mutable_table(table).Resize(0);
  }
}

void PathSearches::EnterCorridor(const PathSeeker& seeker,
                                 const PathSearchRow& search) {
  corridor_ = spaces_.CorridorOf(seeker.use->space, search_);
  ForgetReached();
  loaded_serial_ = search.serial;
  const auto count = static_cast<uint32_t>(corridor_.size());
  Table& rows = parts_.state.mutable_table(tables_.corridor);
  rows.Resize(count);
  for (uint32_t row = 0; row < count; ++row) {
    rows.Mutable<CorridorRow>(row) = {.cluster = corridor_[row]};
  }
  spaces_.Begin(*seeker.use, EndsOf(search), search_);
}

std::optional<PathSearchRow> PathSearches::UnderWay() const {
  if (searches().row_count() == 0) return std::nullopt;
  const auto& first = searches().Get<PathSearchRow>(0);
  if (first.stage != kSearchIsUnderWay) return std::nullopt;
  return first;
}

void PathSearches::Restart() {
  ForgetReached();
  auto& first = mutable_searches().Mutable<PathSearchRow>(0);
  first.stage = kSearchIsDue;
  first.start_node = kNowhere;
}

}  // namespace reprise::sim

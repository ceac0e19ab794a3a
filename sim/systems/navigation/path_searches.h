// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The searches of one world: they take turns in the order of their requests,
// and one that doesn't end within what a tick may expand goes on in the next,
// from its rows.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_PATH_SEARCHES_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_PATH_SEARCHES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/id.h"
#include "sim/navigation/best_first_search.h"
#include "sim/state/state.h"
#include "sim/systems/navigation/navigation_definition.h"
#include "sim/systems/navigation/navigation_rows.h"
#include "sim/systems/navigation/navigation_spaces.h"
#include "sim/world/definition/request_rows.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// The reason of a search in the place of which its object wants another.
inline constexpr Id kSearchSuperseded = IdOf("superseded");

// Who wants a path, by the row of the object. Null: nobody does any more.
struct PathSeeker {
  const NavigatorUse* use = nullptr;
  uint32_t row = 0;
  uint64_t search = 0;  // what it waits for
};

struct EndedSearch {
  PathSearchRow search;
  Id reason = kNoId;  // kNoId: there is a path
  std::vector<uint64_t> path;
  uint64_t cost = 0;
};

class PathSearches {
 public:
  struct Tables {
    TableIndex searches;
    TableIndex reached;
    TableIndex corridor;
    TableIndex counters;
  };

  // All outlive this.
  PathSearches(const WorldParts& parts, const Tables& tables,
               const NavigationSpaces& spaces, uint64_t expansions_per_search)
      : parts_(parts),
        tables_(tables),
        spaces_(spaces),
        expansions_per_search_(expansions_per_search) {}

  // Forgets what isn't in rows.
  void Load() { loaded_serial_ = 0; }

  // Keeps what a request in the world's queue asks. Returns the serial.
  uint64_t Put(PathSearchRow search);
  // The request's turn has come.
  void TakeDue(const RequestRow& request);

  // Makes up to `budget` expansions, and takes them from it; calls
  // seeker_of(search) for each search that has a turn and settle(ended) for
  // each that ends but those of nobody, in order. Returns how many are left
  // that are due.
  template <typename SeekerOf, typename Settle>
  uint32_t Run(uint64_t budget, const SeekerOf& seeker_of,
               const Settle& settle);

  // The search that is under way, if one is.
  std::optional<PathSearchRow> UnderWay() const;
  // Has it begin anew: what it has reached holds no longer.
  void Restart();

 private:
  const Table& searches() const { return parts_.state.table(tables_.searches); }
  Table& mutable_searches() const {
    return parts_.state.mutable_table(tables_.searches);
  }

  // Goes on with a search. nullopt: it isn't at its end yet, and what it has
  // reached is in its rows.
  std::optional<EndedSearch> Advance(uint32_t index, const PathSeeker& seeker,
                                     uint64_t& budget);
  // Why it can't begin; kNoId when it has.
  Id Begin(const PathSeeker& seeker, PathSearchRow& search);
  void LoadReached(const PathSeeker& seeker, const PathSearchRow& search);
  void SaveReached();
  void ForgetReached();
  // Has the search that has found a way from cluster to cluster look for a path
  // there.
  void EnterCorridor(const PathSeeker& seeker, const PathSearchRow& search);
  NavigationSpaces::Ends EndsOf(const PathSearchRow& search) const {
    return {.start = search.start_node,
            .goal = search.goal_node,
            .corridor = corridor_};
  }

  const WorldParts& parts_;
  Tables tables_;
  const NavigationSpaces& spaces_;
  uint64_t expansions_per_search_;
  // What the rows of the search with this serial say; 0: of none.
  uint64_t loaded_serial_ = 0;
  BestFirstSearch search_;
  std::vector<uint32_t> corridor_;
  std::vector<ReachedNode> read_;
};

template <typename SeekerOf, typename Settle>
uint32_t PathSearches::Run(uint64_t budget, const SeekerOf& seeker_of,
                           const Settle& settle) {
  uint32_t done = 0;
  uint32_t left = 0;
  while (done < searches().row_count()) {
    const PathSearchRow search = searches().Get<PathSearchRow>(done);
    if (search.stage == kSearchIsAsked) break;
    const PathSeeker seeker = seeker_of(search);
    const bool is_wanted =
        seeker.use != nullptr && seeker.search == search.serial;
    if (!is_wanted) {
      if (search.stage == kSearchIsUnderWay) ForgetReached();
      if (seeker.use != nullptr) {
        settle(EndedSearch{.search = search, .reason = kSearchSuperseded});
      }
      ++done;
      continue;
    }
    if (budget == 0) break;
    const std::optional<EndedSearch> ended = Advance(done, seeker, budget);
    if (!ended.has_value()) break;
    ForgetReached();
    settle(*ended);
    ++done;
  }
  if (done > 0) mutable_searches().EraseRange(0, done);
  while (left < searches().row_count() &&
         searches().Get<PathSearchRow>(left).stage != kSearchIsAsked) {
    ++left;
  }
  return left;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_PATH_SEARCHES_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows of plans that are sought over several updates: what is sought, and
// what has been come to.

#ifndef REPRISE_SIM_SYSTEMS_BRAINS_PLAN_SEARCH_ROWS_H_
#define REPRISE_SIM_SYSTEMS_BRAINS_PLAN_SEARCH_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"

namespace reprise::sim {

// A search that is under way (PlanSearch). Goals are bits, by their places.
struct PlanSearchRow {
  ObjectId object;
  uint64_t plan = 0;  // among those of its brain
  Id goal;
  uint64_t place = 0;  // of the goal
  uint64_t facts = 0;
  uint64_t impossible = 0;
  uint64_t passed = 0;
  uint64_t expansions = 0;
  uint64_t restarts = 0;

  static constexpr std::string_view kTable = "searches";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(PlanSearchRow, object, ""),
                      REPRISE_FIELD(PlanSearchRow, plan, ""),
                      REPRISE_FIELD(PlanSearchRow, goal, ""),
                      REPRISE_FIELD(PlanSearchRow, place, ""),
                      REPRISE_FIELD(PlanSearchRow, facts, ""),
                      REPRISE_FIELD(PlanSearchRow, impossible, ""),
                      REPRISE_FIELD(PlanSearchRow, passed, ""),
                      REPRISE_FIELD(PlanSearchRow, expansions, ""),
                      REPRISE_FIELD(PlanSearchRow, restarts, "")};
  }
};

// Facts that a search has come to (PlanNode). Those of an object's searches
// stand behind each other, in the order of plans and of coming there; the open
// list is what isn't expanded.
struct PlanNodeRow {
  ObjectId object;
  uint64_t number = 0;
  uint64_t plan = 0;
  uint64_t wanted = 0;  // the facts that have to be one way or the other
  uint64_t values = 0;  // which of them have to be so
  uint64_t cost = 0;
  Id action;           // that leads to the next; kNoId: it is the goal
  uint64_t child = 0;  // which action of the plan that is
  uint64_t next = 0;   // by its place in the search
  uint64_t steps = 0;
  uint64_t is_expanded = 0;

  static constexpr std::string_view kTable = "reached_facts";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(PlanNodeRow, object, ""),
                      REPRISE_FIELD(PlanNodeRow, number, ""),
                      REPRISE_FIELD(PlanNodeRow, plan, ""),
                      REPRISE_FIELD(PlanNodeRow, wanted, ""),
                      REPRISE_FIELD(PlanNodeRow, values, ""),
                      REPRISE_FIELD(PlanNodeRow, cost, ""),
                      REPRISE_FIELD(PlanNodeRow, action, ""),
                      REPRISE_FIELD(PlanNodeRow, child, ""),
                      REPRISE_FIELD(PlanNodeRow, next, ""),
                      REPRISE_FIELD(PlanNodeRow, steps, ""),
                      REPRISE_FIELD(PlanNodeRow, is_expanded, "")};
  }
};

// Reached facts at a time: 88 bytes each. A pack that could have more is
// refused.
inline constexpr uint32_t kPlanNodeRowsMax = 1u << 22;

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_BRAINS_PLAN_SEARCH_ROWS_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which of many units does which of several tasks, by priorities of the tasks
// and by how well each unit suits each.

#ifndef REPRISE_SIM_DECISIONS_ASSIGNMENT_H_
#define REPRISE_SIM_DECISIONS_ASSIGNMENT_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace reprise::sim {

// In the place of a task: there is none.
inline constexpr uint32_t kNoTask = std::numeric_limits<uint32_t>::max();

struct TaskNeed {
  double priority = 0.0;  // any number but NaN
  uint32_t units_min = 1;
  uint32_t units_max = 1;  // at least units_min
};

// Memory that an assignment needs; kept, so that later ones allocate nothing.
class Assigner {
 public:
  // Gives tasks their units. Those of the highest priority choose first, among
  // the units that are left to them. Tasks of equal priority choose together:
  // the pair of task and unit with the highest score first, of equal ones that
  // of the first task, then of the first unit; until each has units_min, and
  // then until each has units_max. One that doesn't come to units_min so gets
  // none, and the others of its priority choose anew: of several the last.
  //
  // `scores` are of the units for the first task, then for the second, and so
  // on; a unit can't do a task for which it scores 0 or less. Returns of each
  // unit the index of its task, valid until the next call.
  // REQUIRES: tasks.size() * unit_count scores, none of them NaN.
  std::span<const uint32_t> Assign(std::span<const TaskNeed> tasks,
                                   size_t unit_count,
                                   std::span<const double> scores);

 private:
  struct Pair {
    double score = 0.0;
    uint32_t task = 0;
    uint32_t unit = 0;
  };

  // Those tasks of order_ from `first` up to `last`, all of one priority.
  void AssignEquals(std::span<const TaskNeed> tasks, size_t unit_count,
                    std::span<const double> scores, size_t first, size_t last);
  // Gives the pairs that are left to tasks that have fewer than their bound.
  void Fill(std::span<const TaskNeed> tasks, bool to_minimum);

  std::vector<uint32_t> order_;
  std::vector<uint32_t> task_of_;  // each unit
  std::vector<uint32_t> counts_;   // of each task
  std::vector<uint8_t> is_out_;    // of each task: it can't be done
  std::vector<Pair> pairs_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_DECISIONS_ASSIGNMENT_H_

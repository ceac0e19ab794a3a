// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/decisions/assignment.h"

#include <algorithm>

#include "sim/base/check.h"

namespace reprise::sim {

std::span<const uint32_t> Assigner::Assign(std::span<const TaskNeed> tasks,
                                           size_t unit_count,
                                           std::span<const double> scores) {
  CHECK(scores.size() == tasks.size() * unit_count);
  task_of_.assign(unit_count, kNoTask);
  counts_.assign(tasks.size(), 0);
  is_out_.assign(tasks.size(), 0);
  order_.clear();
  for (uint32_t i = 0; i < tasks.size(); ++i) order_.push_back(i);
  // A total order: of equal priorities the first task.
  std::ranges::sort(order_, [&](uint32_t a, uint32_t b) {
    return tasks[a].priority != tasks[b].priority
               ? tasks[a].priority > tasks[b].priority
               : a < b;
  });
  size_t first = 0;
  while (first < order_.size()) {
    size_t last = first + 1;
    while (last < order_.size() &&
           tasks[order_[last]].priority == tasks[order_[first]].priority) {
      ++last;
    }
    AssignEquals(tasks, unit_count, scores, first, last);
    first = last;
  }
  return task_of_;
}

void Assigner::AssignEquals(std::span<const TaskNeed> tasks, size_t unit_count,
                            std::span<const double> scores, size_t first,
                            size_t last) {
  pairs_.clear();
  for (size_t i = first; i < last; ++i) {
    const uint32_t task = order_[i];
    for (uint32_t unit = 0; unit < unit_count; ++unit) {
      const double score = scores[task * unit_count + unit];
      if (task_of_[unit] != kNoTask || !(score > 0.0)) continue;
      pairs_.push_back({.score = score, .task = task, .unit = unit});
    }
  }
  // A total order: each pair is there once.
  std::ranges::sort(pairs_, [](const Pair& a, const Pair& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.task != b.task ? a.task < b.task : a.unit < b.unit;
  });
  for (;;) {
    Fill(tasks, /*to_minimum=*/true);
    size_t shortest = last;
    for (size_t i = first; i < last; ++i) {
      const uint32_t task = order_[i];
      if (is_out_[task] == 0 && counts_[task] < tasks[task].units_min) {
        shortest = i;
      }
    }
    if (shortest == last) break;
    is_out_[order_[shortest]] = 1;
    for (const Pair& pair : pairs_) task_of_[pair.unit] = kNoTask;
    for (size_t i = first; i < last; ++i) counts_[order_[i]] = 0;
  }
  Fill(tasks, /*to_minimum=*/false);
}

void Assigner::Fill(std::span<const TaskNeed> tasks, bool to_minimum) {
  for (const Pair& pair : pairs_) {
    const TaskNeed& task = tasks[pair.task];
    const uint32_t bound = to_minimum ? task.units_min : task.units_max;
    if (task_of_[pair.unit] != kNoTask || is_out_[pair.task] != 0 ||
        counts_[pair.task] >= bound) {
      continue;
    }
    task_of_[pair.unit] = pair.task;
    ++counts_[pair.task];
  }
}

}  // namespace reprise::sim

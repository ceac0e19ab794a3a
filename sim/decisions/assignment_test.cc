// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that assignments are what the rule says, against one that looks for
// the next pair over and over, on thousands of random cases; and what follows
// from the rule for whoever reads one: who has a task suits it, tasks have as
// many units as they need or none, and a lower priority takes nothing from a
// higher one.

#include "sim/decisions/assignment.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

struct Case {
  std::vector<TaskNeed> tasks;
  size_t unit_count = 0;
  std::vector<double> scores;

  double Score(uint32_t task, uint32_t unit) const {
    return scores[task * unit_count + unit];
  }
};

Case RandomCase(RandomStream& random) {
  Case result;
  result.tasks.resize(NextBelow(random, 8));
  result.unit_count = NextBelow(random, 12);
  for (TaskNeed& task : result.tasks) {
    // Often equal.
    task.priority = static_cast<double>(NextBelow(random, 3)) - 1.0;
    task.units_min = static_cast<uint32_t>(1 + NextBelow(random, 4));
    task.units_max =
        task.units_min + static_cast<uint32_t>(NextBelow(random, 4));
  }
  for (size_t i = 0; i < result.tasks.size() * result.unit_count; ++i) {
    // Often equal, and often none.
    const double eighth = static_cast<double>(NextBelow(random, 9)) / 8.0;
    result.scores.push_back(NextBelow(random, 3) == 0 ? 0.0 : eighth);
  }
  return result;
}

// The rule, word for word: one pair at a time, found by looking at all.
std::vector<uint32_t> ByTheRule(const Case& problem) {
  std::vector<uint32_t> result(problem.unit_count, kNoTask);
  const auto count_of = [&](uint32_t task) {
    return static_cast<uint32_t>(std::ranges::count(result, task));
  };
  std::set<double, std::greater<>> priorities;
  for (const TaskNeed& task : problem.tasks) priorities.insert(task.priority);
  for (const double priority : priorities) {
    const std::vector<uint32_t> before = result;
    std::set<uint32_t> left;
    for (uint32_t i = 0; i < problem.tasks.size(); ++i) {
      if (problem.tasks[i].priority == priority) left.insert(i);
    }
    const auto fill = [&](bool to_minimum) {
      for (;;) {
        double best = 0.0;
        uint32_t best_task = kNoTask;
        uint32_t best_unit = 0;
        for (const uint32_t task : left) {
          const TaskNeed& need = problem.tasks[task];
          if (count_of(task) >= (to_minimum ? need.units_min : need.units_max))
            continue;
          for (uint32_t unit = 0; unit < problem.unit_count; ++unit) {
            if (result[unit] == kNoTask && problem.Score(task, unit) > best) {
              best = problem.Score(task, unit);
              best_task = task;
              best_unit = unit;
            }
          }
        }
        if (best_task == kNoTask) return;
        result[best_unit] = best_task;
      }
    };
    for (;;) {
      fill(/*to_minimum=*/true);
      const auto is_short = [&](uint32_t task) {
        return count_of(task) < problem.tasks[task].units_min;
      };
      std::optional<uint32_t> last;
      for (const uint32_t task : left) {
        if (is_short(task)) last = task;
      }
      if (!last.has_value()) break;
      left.erase(*last);
      result = before;
    }
    fill(/*to_minimum=*/false);
  }
  return result;
}

TEST(AssignmentTest, AssignmentsAreThoseOfTheRule) {
  RandomStream random = MakeRandomStream(1, IdOf("assignments"));
  Assigner assigner;
  int assigned = 0;
  int without = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Case problem = RandomCase(random);
    const std::span<const uint32_t> tasks =
        assigner.Assign(problem.tasks, problem.unit_count, problem.scores);
    const std::vector<uint32_t> expected = ByTheRule(problem);
    ASSERT_EQ(std::vector<uint32_t>(tasks.begin(), tasks.end()), expected)
        << round;
    for (const uint32_t task : tasks) ++(task == kNoTask ? without : assigned);
  }
  EXPECT_GT(assigned, 20'000);
  EXPECT_GT(without, 20'000);
}

TEST(AssignmentTest, TasksHaveWhatTheyNeedOrNothing) {
  RandomStream random = MakeRandomStream(2, IdOf("assignments"));
  Assigner assigner;
  for (int round = 0; round < 5'000; ++round) {
    const Case problem = RandomCase(random);
    const std::span<const uint32_t> tasks =
        assigner.Assign(problem.tasks, problem.unit_count, problem.scores);
    std::vector<uint32_t> counts(problem.tasks.size());
    for (uint32_t unit = 0; unit < problem.unit_count; ++unit) {
      if (tasks[unit] == kNoTask) continue;
      EXPECT_GT(problem.Score(tasks[unit], unit), 0.0) << round;
      ++counts[tasks[unit]];
    }
    for (uint32_t task = 0; task < problem.tasks.size(); ++task) {
      const TaskNeed& need = problem.tasks[task];
      if (counts[task] != 0) {
        EXPECT_GE(counts[task], need.units_min) << round;
        EXPECT_LE(counts[task], need.units_max) << round;
        continue;
      }
      // It had no way: too few units that suit it are left to it by tasks of
      // its priority and above. What lower ones hold it could have had.
      uint32_t could = 0;
      for (uint32_t unit = 0; unit < problem.unit_count; ++unit) {
        const bool is_left =
            tasks[unit] == kNoTask ||
            problem.tasks[tasks[unit]].priority < need.priority;
        could += is_left && problem.Score(task, unit) > 0.0 ? 1u : 0u;
      }
      // Others of its priority may hold units that they got only once it was
      // given up; without such the claim is exact.
      const bool is_alone = std::ranges::count(problem.tasks, need.priority,
                                               &TaskNeed::priority) == 1;
      if (is_alone) {
        EXPECT_LT(could, need.units_min) << round;
      }
    }
  }
}

// What a lower priority has to say changes nothing above it.
TEST(AssignmentTest, LowerPrioritiesTakeNothingFromHigherOnes) {
  RandomStream random = MakeRandomStream(3, IdOf("assignments"));
  Assigner assigner;
  for (int round = 0; round < 5'000; ++round) {
    Case problem = RandomCase(random);
    const std::span<const uint32_t> all =
        assigner.Assign(problem.tasks, problem.unit_count, problem.scores);
    const std::vector<uint32_t> before(all.begin(), all.end());
    for (uint32_t task = 0; task < problem.tasks.size(); ++task) {
      if (problem.tasks[task].priority >= 0.0) continue;
      for (uint32_t unit = 0; unit < problem.unit_count; ++unit) {
        problem.scores[task * problem.unit_count + unit] = 0.0;
      }
    }
    const std::span<const uint32_t> without =
        assigner.Assign(problem.tasks, problem.unit_count, problem.scores);
    for (uint32_t unit = 0; unit < problem.unit_count; ++unit) {
      const bool is_high =
          before[unit] != kNoTask && problem.tasks[before[unit]].priority >= 0;
      EXPECT_EQ(without[unit], is_high ? before[unit] : kNoTask) << round;
    }
  }
}

// Two wells and two squads, each nearer to the other's namesake: the better
// pair is chosen first, so neither crosses the other's way.
TEST(AssignmentTest, EqualPrioritiesTakeTheBestPairFirst) {
  Assigner assigner;
  const std::vector<TaskNeed> wells = {{}, {}};
  const std::vector<double> scores = {0.4, 0.9, 0.8, 0.7};
  const auto tasks = assigner.Assign(wells, 2, scores);
  EXPECT_EQ(tasks[0], 1u);
  EXPECT_EQ(tasks[1], 0u);
}

TEST(AssignmentTest, HugePrioritiesAreOrdered) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Assigner assigner;
  const std::vector<TaskNeed> tasks = {
      {.priority = -kInfinity}, {.priority = 1e308}, {.priority = kInfinity}};
  const std::vector<double> scores(3, 1.0);
  EXPECT_EQ(assigner.Assign(tasks, 1, scores)[0], 2u);
  EXPECT_TRUE(assigner.Assign({}, 0, {}).empty());
  const auto idle = assigner.Assign({}, 2, {});
  EXPECT_EQ(idle[0], kNoTask);
  EXPECT_EQ(idle[1], kNoTask);
}

}  // namespace
}  // namespace reprise::sim

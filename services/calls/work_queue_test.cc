// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the queue runs what it accepted, in turns, also of tenants, and
// accepts no more than its limit. Tasks wait for each other through latches,
// never for time.

#include "services/calls/work_queue.h"

#include <functional>
#include <latch>
#include <string>

#include "gtest/gtest.h"
#include "services/base/tenant.h"

namespace reprise::services {
namespace {

using Progress = WorkQueue::Progress;

TEST(WorkQueueTest, DestructionRunsWhatWasAccepted) {
  int runs = 0;
  {
    WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/100);
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(queue.Post(Tenant(), [&runs] {
        ++runs;
        return Progress::kDone;
      }));
    }
  }
  EXPECT_EQ(runs, 100);
}

TEST(WorkQueueTest, AnUnfinishedTaskLetsOthersRunBeforeItGoesOn) {
  std::string order;
  std::latch both_posted(1);
  {
    WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/2);
    ASSERT_TRUE(queue.Post(Tenant(), [&, slice = 0]() mutable {
      both_posted.wait();
      order += "long ";
      return ++slice < 3 ? Progress::kUnfinished : Progress::kDone;
    }));
    ASSERT_TRUE(queue.Post(Tenant(), [&order] {
      order += "short ";
      return Progress::kDone;
    }));
    both_posted.count_down();
  }
  EXPECT_EQ(order, "long short long long ");
}

// However many long requests there are, a short one waits for one slice.
TEST(WorkQueueTest, AShortTaskWaitsForOneSliceOfManyLongTasks) {
  constexpr int kLongTasks = 40;
  int slices = 0;
  int slices_before_short = 0;
  bool is_short_posted = false;
  {
    std::latch all_posted(1);
    WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/kLongTasks + 1);
    for (int i = 0; i < kLongTasks; ++i) {
      ASSERT_TRUE(queue.Post(Tenant(), [&, slice = 0]() mutable {
        all_posted.wait();
        ++slices;
        // Each has run once: a client comes with one tick.
        if (slices == 2 * kLongTasks) {
          is_short_posted = queue.Post(Tenant(), [&] {
            slices_before_short = slices;
            return Progress::kDone;
          });
        }
        return ++slice < 4 ? Progress::kUnfinished : Progress::kDone;
      }));
    }
    all_posted.count_down();
  }
  EXPECT_TRUE(is_short_posted);
  EXPECT_LE(slices_before_short, 2 * kLongTasks + 1);
  EXPECT_EQ(slices, 4 * kLongTasks);
}

// New requests that never end don't keep a long one from its end.
TEST(WorkQueueTest, ALongTaskGetsItsShareOfTheTurns) {
  int new_turns = 0;
  int long_slices = 0;
  {
    std::latch both_posted(1);
    std::function<bool()> post_another;
    WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/4);
    post_another = [&] {
      return queue.Post(Tenant(), [&] {
        both_posted.wait();
        ++new_turns;
        if (long_slices < 10 && new_turns < 1000) {
          EXPECT_TRUE(post_another());
        }
        return Progress::kDone;
      });
    };
    ASSERT_TRUE(queue.Post(Tenant(), [&] {
      both_posted.wait();
      return ++long_slices < 10 ? Progress::kUnfinished : Progress::kDone;
    }));
    ASSERT_TRUE(post_another());
    both_posted.count_down();
  }
  EXPECT_EQ(long_slices, 10);
  EXPECT_LE(new_turns, 10 * static_cast<int>(kLongTurn));
}

// A tenant with many requests under way costs another one a slice a turn.
TEST(WorkQueueTest, TenantsTakeTurnsHoweverManyTasksEachHas) {
  constexpr int kReds = 50;
  const Tenant red = {.name = "red"}, blue = {.name = "blue"};
  int red_slices = 0;
  int red_slices_before_blue = 0;
  {
    std::latch all_posted(1);
    WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/4 * kReds);
    for (int i = 0; i < kReds; ++i) {
      ASSERT_TRUE(queue.Post(red, [&, slice = 0]() mutable {
        all_posted.wait();
        ++red_slices;
        return ++slice < 10 ? Progress::kUnfinished : Progress::kDone;
      }));
    }
    ASSERT_TRUE(queue.Post(blue, [&, slice = 0]() mutable {
      if (++slice < 10) return Progress::kUnfinished;
      red_slices_before_blue = red_slices;
      return Progress::kDone;
    }));
    all_posted.count_down();
  }
  EXPECT_EQ(red_slices, 10 * kReds);
  // Of its nine later slices each comes at the second turn of long ones at the
  // latest, and those come at every kLongTurn-th turn while new ones wait.
  EXPECT_LE(red_slices_before_blue, 10 * 2 * static_cast<int>(kLongTurn));
}

TEST(WorkQueueTest, NewTasksOfATenantDoNotComeBeforeAllOfAnothers) {
  std::string order;
  {
    std::latch all_posted(1);
    WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/100);
    const auto post = [&](const std::string& tenant) {
      EXPECT_TRUE(queue.Post({.name = tenant}, [&, tenant] {
        all_posted.wait();
        order += tenant;
        return Progress::kDone;
      }));
    };
    for (int i = 0; i < 4; ++i) post("r");
    for (int i = 0; i < 2; ++i) post("b");
    all_posted.count_down();
  }
  // The first one may have begun before the others came.
  EXPECT_TRUE(order == "rbrbrr" || order == "rrbrbr") << order;
}

TEST(WorkQueueTest, OneTenantDoesNotHaveAllPlaces) {
  std::latch started(1), release(1);
  WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/4);
  const Tenant red = {.name = "red"};
  ASSERT_TRUE(queue.Post(red, [&] {
    started.count_down();
    release.wait();
    return Progress::kDone;
  }));
  started.wait();
  const auto done = [] { return Progress::kDone; };

  EXPECT_TRUE(queue.Post(red, done));
  EXPECT_TRUE(queue.Post(red, done));
  EXPECT_FALSE(queue.Post(red, done));
  EXPECT_TRUE(queue.Post({.name = "blue"}, done));
  EXPECT_FALSE(queue.Post({.name = "blue"}, done));

  release.count_down();
}

TEST(WorkQueueTest, RunningTasksCountAgainstTheLimit) {
  std::latch started(1), release(1);
  WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/2);
  ASSERT_TRUE(queue.Post(Tenant(), [&] {
    started.count_down();
    release.wait();
    return Progress::kDone;
  }));
  started.wait();
  const auto done = [] { return Progress::kDone; };

  EXPECT_TRUE(queue.Post(Tenant(), done));
  EXPECT_FALSE(queue.Post(Tenant(), done));

  release.count_down();
}

TEST(WorkQueueTest, EachTaskWaitsOnceAndIsThereUntilItIsDone) {
  std::latch started(1), release(1);
  WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/3);
  EXPECT_EQ(queue.size(), 0u);
  ASSERT_TRUE(queue.Post(Tenant(), [&, slice = 0]() mutable {
    if (slice == 0) started.count_down();
    release.wait();
    return ++slice < 3 ? Progress::kUnfinished : Progress::kDone;
  }));
  ASSERT_TRUE(queue.Post(Tenant(), [] { return Progress::kDone; }));
  started.wait();

  EXPECT_EQ(queue.size(), 2u);
  EXPECT_EQ(queue.waits().total(), 1u);

  release.count_down();
  std::latch done(1);
  ASSERT_TRUE(queue.Post(Tenant(), [&] {
    done.count_down();
    return Progress::kDone;
  }));
  done.wait();
  EXPECT_EQ(queue.waits().total(), 3u);
}

TEST(WorkQueueTest, AsManyTasksRunAtOnceAsThereAreThreads) {
  std::latch first(1), second(1);
  WorkQueue queue(/*thread_count=*/2, /*tasks_max=*/2);
  // Each returns only once the other runs.
  EXPECT_TRUE(queue.Post(Tenant(), [&] {
    first.count_down();
    second.wait();
    return Progress::kDone;
  }));
  EXPECT_TRUE(queue.Post(Tenant(), [&] {
    second.count_down();
    first.wait();
    return Progress::kDone;
  }));
}

}  // namespace
}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the queue runs what it accepted, in turns, and accepts no more
// than its limit. Tasks wait for each other through latches, never for time.

#include "services/calls/work_queue.h"

#include <functional>
#include <latch>
#include <string>

#include "gtest/gtest.h"

namespace reprise::services {
namespace {

using Progress = WorkQueue::Progress;

TEST(WorkQueueTest, DestructionRunsWhatWasAccepted) {
  int runs = 0;
  {
    WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/100);
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(queue.Post([&runs] {
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
    ASSERT_TRUE(queue.Post([&, slice = 0]() mutable {
      both_posted.wait();
      order += "long ";
      return ++slice < 3 ? Progress::kUnfinished : Progress::kDone;
    }));
    ASSERT_TRUE(queue.Post([&order] {
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
      ASSERT_TRUE(queue.Post([&, slice = 0]() mutable {
        all_posted.wait();
        ++slices;
        // Each has run once: a client comes with one tick.
        if (slices == 2 * kLongTasks) {
          is_short_posted = queue.Post([&] {
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
      return queue.Post([&] {
        both_posted.wait();
        ++new_turns;
        if (long_slices < 10 && new_turns < 1000) {
          EXPECT_TRUE(post_another());
        }
        return Progress::kDone;
      });
    };
    ASSERT_TRUE(queue.Post([&] {
      both_posted.wait();
      return ++long_slices < 10 ? Progress::kUnfinished : Progress::kDone;
    }));
    ASSERT_TRUE(post_another());
    both_posted.count_down();
  }
  EXPECT_EQ(long_slices, 10);
  EXPECT_LE(new_turns, 10 * static_cast<int>(kLongTurn));
}

TEST(WorkQueueTest, RunningTasksCountAgainstTheLimit) {
  std::latch started(1), release(1);
  WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/2);
  ASSERT_TRUE(queue.Post([&] {
    started.count_down();
    release.wait();
    return Progress::kDone;
  }));
  started.wait();
  const auto done = [] { return Progress::kDone; };

  EXPECT_TRUE(queue.Post(done));
  EXPECT_FALSE(queue.Post(done));

  release.count_down();
}

TEST(WorkQueueTest, EachTaskWaitsOnceAndIsThereUntilItIsDone) {
  std::latch started(1), release(1);
  WorkQueue queue(/*thread_count=*/1, /*tasks_max=*/3);
  EXPECT_EQ(queue.size(), 0u);
  ASSERT_TRUE(queue.Post([&, slice = 0]() mutable {
    if (slice == 0) started.count_down();
    release.wait();
    return ++slice < 3 ? Progress::kUnfinished : Progress::kDone;
  }));
  ASSERT_TRUE(queue.Post([] { return Progress::kDone; }));
  started.wait();

  EXPECT_EQ(queue.size(), 2u);
  EXPECT_EQ(queue.waits().total(), 1u);

  release.count_down();
  std::latch done(1);
  ASSERT_TRUE(queue.Post([&] {
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
  EXPECT_TRUE(queue.Post([&] {
    first.count_down();
    second.wait();
    return Progress::kDone;
  }));
  EXPECT_TRUE(queue.Post([&] {
    second.count_down();
    first.wait();
    return Progress::kDone;
  }));
}

}  // namespace
}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the queue runs what it accepted, in turns, and accepts no more
// than its limit. Tasks wait for each other through latches, never for time.

#include "services/calls/work_queue.h"

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

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no task waits for another one, by tasks that end only when all of
// them run at a time, and that threads are used again.

#include "services/storage/disk_writers.h"

#include <atomic>
#include <cstddef>
#include <latch>

#include "gtest/gtest.h"

namespace reprise::services {
namespace {

TEST(DiskWritersTest, TasksThatWaitHoldUpNoOther) {
  constexpr int kTasks = 20;
  std::latch all_run(kTasks);
  std::atomic<int> done = 0;
  {
    DiskWriters writers;
    for (int i = 0; i < kTasks; ++i) {
      writers.Run([&] {
        all_run.arrive_and_wait();
        ++done;
      });
    }
    all_run.wait();
    EXPECT_EQ(writers.thread_count(), static_cast<size_t>(kTasks));
  }
  EXPECT_EQ(done, kTasks);
}

TEST(DiskWritersTest, ThreadsAreUsedAgain) {
  DiskWriters writers;
  for (int i = 0; i < 1000; ++i) {
    std::latch ran(1);
    writers.Run([&ran] { ran.count_down(); });
    ran.wait();
  }
  // One may still be on its way back when the next task comes.
  EXPECT_LE(writers.thread_count(), 3u);
}

TEST(DiskWritersTest, WhatIsLeftIsRunAtTheEnd) {
  std::atomic<int> ran = 0;
  {
    DiskWriters writers;
    for (int i = 0; i < 100; ++i) writers.Run([&ran] { ++ran; });
  }
  EXPECT_EQ(ran, 100);
}

}  // namespace
}  // namespace reprise::services

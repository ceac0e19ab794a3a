// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/playing/segment_workers.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

using ::testing::ElementsAre;

class SegmentWorkersTest : public ::testing::Test {
 protected:
  // Works the segments off by `threads` threads.
  absl::Status Run(
      uint32_t threads, SegmentWorkers& workers, SegmentWorkers::Work work,
      SegmentWorkers::OnWaiting on_waiting = [](sim::Tick) {}) {
    const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
    return workers.Run(*replay_, /*pack=*/nullptr, threads, *simulation, work,
                       on_waiting);
  }

  const Bytes file_ = RecordTiny({.tick_count = 95});
  const std::unique_ptr<ReplayReader> replay_ = *OpenReplay(file_);
};

// Keyframes lie at 40 and 80.
std::vector<sim::Tick> Cut(sim::Tick tick_count, uint64_t count) {
  const Bytes file = RecordTiny({.tick_count = tick_count});
  return *CutAtKeyframes(**OpenReplay(file), count);
}

TEST(CutAtKeyframesTest, SegmentsBeginAtKeyframes) {
  EXPECT_THAT(Cut(95, 16), ElementsAre(0, 40, 80));
  EXPECT_THAT(Cut(95, 2), ElementsAre(0, 40));
  EXPECT_THAT(Cut(95, 1), ElementsAre(0));
}

TEST(CutAtKeyframesTest, SegmentHasMoreThanOneTick) {
  EXPECT_THAT(Cut(81, 81), ElementsAre(0, 40));
  EXPECT_THAT(Cut(82, 82), ElementsAre(0, 40, 80));
}

TEST(CutAtKeyframesTest, RunWithoutTicksIsOneSegment) {
  EXPECT_THAT(Cut(0, 16), ElementsAre(0));
}

TEST_F(SegmentWorkersTest, OneThreadTakesSegmentsInTheirOrder) {
  SegmentWorkers workers(4);
  std::vector<size_t> taken;

  ASSERT_TRUE(Run(1, workers, [&](size_t i, sim::Simulation&, bool) {
                taken.push_back(i);
              }).ok());

  EXPECT_THAT(taken, ElementsAre(0, 1, 2, 3));
}

TEST_F(SegmentWorkersTest, EachSegmentIsTakenOnceOnAThreadsOwnSimulation) {
  constexpr size_t kSegments = 50;
  SegmentWorkers workers(kSegments);
  std::mutex mutex;
  std::multiset<size_t> taken;
  std::set<const sim::Simulation*> busy;
  std::set<const sim::Simulation*> seen;

  ASSERT_TRUE(Run(3, workers, [&](size_t i, sim::Simulation& own, bool) {
                {
                  const std::lock_guard lock(mutex);
                  EXPECT_TRUE(busy.insert(&own).second);
                  EXPECT_EQ(seen.contains(&own) ? 1u : 0u, own.tick());
                  seen.insert(&own);
                  taken.insert(i);
                }
                if (own.tick() == 0) own.Step({}, /*observer=*/nullptr);
                const std::lock_guard lock(mutex);
                busy.erase(&own);
              }).ok());

  EXPECT_EQ(taken.size(), kSegments);
  EXPECT_EQ(std::set(taken.begin(), taken.end()).size(), kSegments);
  EXPECT_LE(seen.size(), 3u);
}

TEST_F(SegmentWorkersTest, SegmentsBehindTheLastWantedAreNotBegun) {
  SegmentWorkers workers(9);
  std::vector<size_t> taken;

  ASSERT_TRUE(Run(1, workers, [&](size_t i, sim::Simulation&, bool) {
                taken.push_back(i);
                if (i == 2) workers.EndBehind(3);
                // What is not wanted stays so.
                if (i == 3) workers.EndBehind(5);
              }).ok());

  EXPECT_THAT(taken, ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(workers.IsWanted(3));
  EXPECT_FALSE(workers.IsWanted(4));
}

TEST_F(SegmentWorkersTest, WhoWaitsForOthersIsToldThatTheyWork) {
  SegmentWorkers workers(2);
  std::mutex mutex;
  std::condition_variable changed;
  bool has_other_begun = false;
  bool is_told = false;

  // The other thread's segment ends when the caller's has been told of it.
  ASSERT_TRUE(Run(
                  2, workers,
                  [&](size_t, sim::Simulation&, bool is_callers) {
                    std::unique_lock lock(mutex);
                    if (is_callers) {
                      changed.wait(lock, [&] { return has_other_begun; });
                      return;
                    }
                    has_other_begun = true;
                    changed.notify_one();
                    while (!is_told) {
                      workers.AddTicks(1);
                      changed.wait_for(lock, std::chrono::milliseconds(1));
                    }
                  },
                  [&](sim::Tick ticks_done) {
                    EXPECT_GT(ticks_done, 0u);
                    const std::scoped_lock lock(mutex);
                    is_told = true;
                    changed.notify_one();
                  })
                  .ok());

  EXPECT_TRUE(is_told);
}

TEST_F(SegmentWorkersTest, CallersThreadIsOneOfThem) {
  SegmentWorkers workers(1);

  ASSERT_TRUE(Run(8, workers, [&](size_t, sim::Simulation&, bool is_callers) {
                EXPECT_TRUE(is_callers);
                EXPECT_EQ(workers.AddTicks(5), 5u);
                EXPECT_EQ(workers.AddTicks(7), 12u);
              }).ok());
}

}  // namespace
}  // namespace reprise::replays

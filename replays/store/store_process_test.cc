// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that processes may share a store, and may be killed while they do.
// Children add and remove replays; the kernel kills some of them, with no
// chance to clean up, at a random moment. What a child said was added is there,
// what it said was removed is not, and a check finds nothing that repair
// doesn't put right. 20 kills; REPRISE_KILLS asks for more.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/store/replay_store.h"
#include "replays/store/store_check.h"
#include "replays/store/testing/store_folder.h"
#include "replays/testing/kills.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {
namespace {

constexpr int kKillsDefault = 20;
constexpr uint64_t kReplays = 6;

// One line of what a child has done.
struct Done {
  uint64_t seed = 0;
  bool is_added = false;  // else removed
};

class StoreProcessTest : public testing::Test {
 protected:
  StoreProcessTest() {
    for (uint64_t seed = 0; seed < kReplays; ++seed) {
      paths_.push_back(folder_.Record(seed));
      digests_.push_back(sim::ContentDigestOf(ReadBytes(paths_.back())));
    }
  }

  // Starts a process that adds and removes the replays from `begin` on, every
  // `step`th, round after round, and writes to `pipe` what it has done.
  pid_t Start(uint64_t begin, uint64_t step, int rounds, int pipe) const {
    const pid_t child = fork();
    if (child != 0) return child;
    auto store = ReplayStore::Open(folder_.path());
    CHECK(store.ok(), "{}", store.status().ToString());
    for (int round = 0; round < rounds; ++round) {
      for (uint64_t seed = begin; seed < kReplays; seed += step) {
        const auto added = (*store)->Add(
            paths_[seed], {.recorded_at = kTestBefore, .now = kTestNow});
        CHECK(added.ok(), "{}", added.status().ToString());
        Tell(pipe, {seed, true});
      }
      for (uint64_t seed = begin; seed < kReplays; seed += 2 * step) {
        const absl::Status status = (*store)->Remove(digests_[seed]);
        // Another process may have been faster.
        CHECK(status.ok() || absl::IsNotFound(status), "{}", status.ToString());
        Tell(pipe, {seed, false});
      }
    }
    _exit(0);
  }

  static void Tell(int pipe, const Done& done) {
    if (pipe >= 0) {
      CHECK(write(pipe, &done, sizeof(done)) == sizeof(done));
    }
  }

  static int Wait(pid_t child) {
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    return status;
  }

  const StoreFolder folder_;
  std::vector<std::string> paths_;
  std::vector<sim::ContentDigest> digests_;
};

TEST_F(StoreProcessTest, ProcessesThatDoTheSameDoNotHinderEachOther) {
  const int rounds = 10;
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) children.push_back(Start(0, 1, rounds, -1));
  const std::unique_ptr<ReplayStore> store = folder_.Open();
  // Meanwhile nothing that is about to be finished is taken for a problem.
  for (int i = 0; i < 5; ++i) {
    const auto report = CheckStore(*store, {.repair = true, .now = kTestNow});
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_TRUE(report->is_clean());
  }
  for (const pid_t child : children) EXPECT_EQ(Wait(child), 0);
  const auto report = CheckStore(*store, {});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->is_clean());
}

TEST_F(StoreProcessTest, KilledProcessLosesNothingThatItSaidWasDone) {
  uint64_t done_count = 0;
  for (int kill_number = 0; kill_number < KillCount(kKillsDefault);
       ++kill_number) {
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = Start(0, 1, 1000, pipe_ends[1]);
    close(pipe_ends[1]);
    // Somewhere within the first rounds, at another place each time.
    absl::SleepFor(absl::Microseconds(5'000 + 7'321 * kill_number % 90'000));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    ASSERT_TRUE(WIFSIGNALED(Wait(child)));

    // What the child said last about each replay; the one that it was at may
    // be either way.
    std::map<uint64_t, bool> is_there;
    Done done;
    while (read(pipe_ends[0], &done, sizeof(done)) == sizeof(done)) {
      is_there[done.seed] = done.is_added;
      ++done_count;
    }
    close(pipe_ends[0]);
    // SQLite's connections don't cross a fork: none is open at one.
    const std::unique_ptr<ReplayStore> store = folder_.Open();
    const auto repaired = CheckStore(*store, {.repair = true, .now = kTestNow});
    ASSERT_TRUE(repaired.ok()) << repaired.status();
    for (const StoreProblem& problem : repaired->problems) {
      EXPECT_TRUE(problem.is_repaired) << problem.path;
      EXPECT_FALSE(problem.is_loss()) << problem.path;
    }
    EXPECT_TRUE(CheckStore(*store, {})->is_clean());
    int different = 0;
    for (const auto& [seed, is_expected] : is_there) {
      const bool is_found = store->catalogue().Find(digests_[seed]).ok();
      different += is_found == is_expected ? 0 : 1;
    }
    EXPECT_LE(different, 1) << "kill " << kill_number;
  }
  EXPECT_GT(done_count, 0u);
}

}  // namespace
}  // namespace reprise::replays

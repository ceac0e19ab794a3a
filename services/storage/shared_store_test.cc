// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a server and `reprise store` may use one folder at once, and may
// be killed while they do. One process records, finishes and takes in as a
// server; another takes in, lists, tags, adds, prunes and removes as a person
// does. The kernel kills one of the two, with no chance to clean up, at another
// moment each time. Whatever was said to be finished is there, whole and
// tagged, unless it was asked to be removed, and nobody is ever told that
// something is damaged.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/store/recording_names.h"
#include "replays/store/replay_store.h"
#include "replays/store/retention.h"
#include "replays/store/store_check.h"
#include "replays/testing/kills.h"
#include "replays/testing/tiny_simulation.h"
#include "services/storage/replay_store.h"
#include "services/testing/test_folders.h"
#include "sim/base/check.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

constexpr int kKillsDefault = 12;
constexpr std::string_view kKeptTag = "kept";

// What a process says before and behind what it does with a seed.
struct Told {
  enum class Deed : uint32_t { kFinished, kRemoving };
  Deed deed = Deed::kFinished;
  uint32_t seed = 0;
};

void Tell(int pipe, const Told& told) {
  CHECK(write(pipe, &told, sizeof(told)) == sizeof(told));
}

void ExpectNoReport(std::string_view sentence) { CHECK(false, "{}", sentence); }

class SharedStoreTest : public testing::Test {
 protected:
  // Records runs from `first_seed` on until it is killed. Every third is a
  // tenant's.
  [[noreturn]] void Serve(uint32_t first_seed, int pipe) const {
    const auto store = ReplayStore::Open(folders_.store(), {});
    CHECK(store.ok(), "{}", store.status().ToString());
    for (uint32_t seed = first_seed;; ++seed) {
      const Tenant tenant = {.name = seed % 3 == 0 ? "red" : ""};
      const auto simulation = *replays::TinySimulation::Create(pack_, seed);
      auto recording = (*store)->Record(tenant, fmt::format("r{}", seed),
                                        simulation.get(), pack_);
      CHECK(recording.ok(), "{}", recording.status().ToString());
      for (int tick = 0; tick < 50; ++tick) {
        CHECK((*recording)->Step({}).ok());
      }
      const absl::Status finished = (*recording)->Finish();
      CHECK(finished.ok(), "{}", finished.ToString());
      Tell(pipe, {Told::Deed::kFinished, seed});
      if (seed % 2 == 0) {
        (*store)->TakeIn(
            absl::Now(), [] { return false; }, ExpectNoReport);
      }
      CHECK((*store)->List(tenant, 0, "").ok());
    }
  }

  // Removes every fourth of what it finds, tags the others, prunes what isn't
  // tagged, and adds one replay again and again.
  [[noreturn]] void Care(int pipe) const {
    const auto store = replays::ReplayStore::Open(folders_.store());
    CHECK(store.ok(), "{}", store.status().ToString());
    while (true) {
      absl::Status status =
          (*store)->TakeInNew(absl::Now(), [](const absl::Status& problem) {
            ExpectNoReport(std::string(problem.message()));
          });
      CHECK(status.ok(), "{}", status.ToString());
      const auto added =
          (*store)->Add(added_, {.recorded_at = absl::Now(),
                                 .now = absl::Now(),
                                 .tags = {std::string(kKeptTag)}});
      CHECK(added.ok(), "{}", added.status().ToString());
      const auto all = (*store)->catalogue().List({}, 100, {});
      CHECK(all.ok(), "{}", all.status().ToString());
      for (const replays::StoredReplay& replay : *all) {
        if (replay.seed % 4 == 1) {
          Tell(pipe,
               {Told::Deed::kRemoving, static_cast<uint32_t>(replay.seed)});
          status = (*store)->Remove(replay.digest);
        } else {
          status = (*store)->catalogue().ChangeTags(
              replay.digest, std::vector{std::string(kKeptTag)}, {});
        }
        CHECK(status.ok(), "{}", status.ToString());
      }
      // Nothing is left for it but what came in this moment.
      const auto plan = replays::PlanRetention(
          (*store)->catalogue(),
          {.age_max = absl::Hours(1), .kept_tags = {std::string(kKeptTag)}},
          absl::Now());
      CHECK(plan.ok() && plan->expired.empty());
    }
  }

  template <typename Act>
  static pid_t Start(Act act) {
    const pid_t child = fork();
    if (child != 0) return child;
    act();
    _exit(1);
  }

  static void Kill(pid_t child) {
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    // Else it ended by itself, and said why.
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }

  // Reads what was told, in the order of seeds that were finished or removed.
  void Hear(int pipe) {
    Told told;
    while (read(pipe, &told, sizeof(told)) == sizeof(told)) {
      if (told.deed == Told::Deed::kRemoving) {
        removed_.insert(told.seed);
      } else {
        finished_.insert(told.seed);
      }
    }
    close(pipe);
  }

  std::string PathOf(uint32_t seed) const {
    return fmt::format("{}/replays/{}r{}.mcap", folders_.store(),
                       seed % 3 == 0 ? "red/" : "", seed);
  }

  // As the next server does, and whoever looks then.
  void Repair() {
    (*ReplayStore::Open(folders_.store(), {}))
        ->RecoverUnfinished([](std::string_view sentence) {
          EXPECT_THAT(std::string(sentence), testing::HasSubstr("recovered"));
        });
    const auto store = *replays::ReplayStore::Open(folders_.store());
    ASSERT_EQ(store->TakeInNew(absl::Now(),
                               [](const absl::Status& problem) {
                                 ADD_FAILURE() << problem;
                               }),
              absl::OkStatus());
    const auto report =
        replays::CheckStore(*store, {.repair = true, .now = absl::Now()});
    ASSERT_TRUE(report.ok()) << report.status();
    for (const replays::StoreProblem& problem : report->problems) {
      EXPECT_TRUE(problem.is_repaired) << problem.path;
      EXPECT_FALSE(problem.is_loss()) << problem.path;
    }
    EXPECT_TRUE(replays::CheckStore(*store, {})->is_clean());
    EXPECT_TRUE(replays::ListNewRecordings(folders_.store())->empty());
  }

  void ExpectAllThatWasFinished() const {
    const auto store = *replays::ReplayStore::Open(folders_.store());
    std::set<uint64_t> seeds;
    const absl::Status listed = replays::ForEachStoredReplay(
        store->catalogue(), {}, [&seeds](const replays::StoredReplay& replay) {
          seeds.insert(replay.seed);
          return absl::OkStatus();
        });
    ASSERT_EQ(listed, absl::OkStatus());
    for (const uint32_t seed : finished_) {
      if (removed_.contains(seed)) continue;
      EXPECT_TRUE(std::filesystem::exists(PathOf(seed))) << PathOf(seed);
      EXPECT_TRUE(seeds.contains(seed)) << seed;
    }
  }

  const TestFolders folders_;
  const sim::PackArchive pack_ = replays::MakeTinyPack();
  std::string added_;  // a replay beside the store
  std::set<uint32_t> finished_;
  std::set<uint32_t> removed_;
};

TEST_F(SharedStoreTest, WhoeverIsKilledNothingThatWasFinishedIsLost) {
  {
    const TestFolders other;
    const auto simulation = *replays::TinySimulation::Create(pack_, 0);
    ASSERT_EQ((*(*ReplayStore::Open(other.store(), {}))
                    ->Record({}, "added", simulation.get(), pack_))
                  ->Finish(),
              absl::OkStatus());
    added_ = folders_.PathOf("added.mcap");
    std::filesystem::copy_file(other.store() + "/replays/added.mcap", added_);
  }
  for (int kill_number = 0; kill_number < replays::KillCount(kKillsDefault);
       ++kill_number) {
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t server =
        Start([&] { Serve(1 + 10'000 * (kill_number + 1), pipe_ends[1]); });
    const pid_t person = Start([&] { Care(pipe_ends[1]); });
    close(pipe_ends[1]);
    absl::SleepFor(absl::Microseconds(50'000 + 17'321 * kill_number % 100'000));
    const bool is_servers_turn = kill_number % 2 == 0;
    Kill(is_servers_turn ? server : person);
    // The other one goes on beside what was left.
    absl::SleepFor(absl::Microseconds(50'000));
    Kill(is_servers_turn ? person : server);
    Hear(pipe_ends[0]);
    Repair();
    ExpectAllThatWasFinished();
  }
  EXPECT_GT(finished_.size(), removed_.size());
  EXPECT_GT(removed_.size(), 0u);
}

}  // namespace
}  // namespace reprise::services

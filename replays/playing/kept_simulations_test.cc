// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a pack is compiled twice at most for many replays, that what
// comes of it runs as one created for it alone, events included, and that what
// differs in pack or seed is never mistaken for another.

#include "replays/playing/kept_simulations.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_reader.h"
#include "replays/playing/replay_player.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

// Behind the first event of the tiny simulation.
constexpr sim::Tick kTicks = 120;

// A recording that lives as long as its reader.
class Recording {
 public:
  explicit Recording(
      const TinyRecordingOptions& options = {.tick_count = kTicks})
      : file_(RecordTiny(options)), replay_(*OpenReplay(file_)) {}

  const ReplayReader& replay() const { return *replay_; }

 private:
  const Bytes file_;
  const std::unique_ptr<ReplayReader> replay_;
};

// What the recorded inputs come to: a digest and a number of events a tick.
struct Course {
  std::vector<sim::Digest> digests;
  std::vector<size_t> events;

  bool operator==(const Course&) const = default;
};

Course Play(const ReplayReader& replay, sim::Simulation& simulation) {
  Course course;
  const std::unique_ptr<InputSource> inputs = replay.ReadInputs();
  while (simulation.tick() < kTicks) {
    EXPECT_TRUE(
        StepRecordedTick(*inputs, simulation, /*observer=*/nullptr).ok());
    course.digests.push_back(simulation.state().ComputeRootDigest());
    course.events.push_back(simulation.DrainEvents().size());
  }
  return course;
}

TEST(KeptSimulationsTest, PackIsCompiledTwiceForManyReplays) {
  const Recording one;
  const Recording other({.tick_count = kTicks, .is_idle = true});
  KeptSimulations kept(2);
  for (int i = 0; i < 3; ++i) {
    for (const Recording* recording : {&one, &other}) {
      ASSERT_TRUE(kept.Create(recording->replay()).ok());
    }
  }
  EXPECT_EQ(kept.created(), 2);
}

TEST(KeptSimulationsTest, EachRunsAsOneOfItsOwn) {
  const Recording recording;
  const Course expected =
      Play(recording.replay(), **CreateRecordedSimulation(recording.replay()));
  KeptSimulations kept(1);
  for (int i = 0; i < 3; ++i) {
    const std::unique_ptr<sim::Simulation> simulation =
        *kept.Create(recording.replay());
    ASSERT_EQ(simulation->tick(), 0);
    EXPECT_EQ(Play(recording.replay(), *simulation), expected) << i;
  }
}

TEST(KeptSimulationsTest, OtherSeedsAndPacksAreOthers) {
  const Recording one({.tick_count = kTicks, .seed = 1});
  const Recording two({.tick_count = kTicks, .seed = 2});
  const Recording far({.tick_count = kTicks, .seed = 1, .goal = 1000});
  KeptSimulations kept(3);
  for (int i = 0; i < 4; ++i) {
    for (const Recording* recording : {&one, &two, &far}) {
      const std::unique_ptr<sim::Simulation> simulation =
          *kept.Create(recording->replay());
      EXPECT_EQ(simulation->state().ComputeRootDigest(),
                (*CreateRecordedSimulation(recording->replay()))
                    ->state()
                    .ComputeRootDigest());
      EXPECT_EQ(simulation->info().seed, recording->replay().metadata().seed);
    }
  }
  EXPECT_EQ(kept.created(), 6);
}

TEST(KeptSimulationsTest, GivenPackGoesBeforeTheOneInside) {
  const Recording recording;
  const sim::PackArchive far = MakeTinyPack(0.1, 1000);
  KeptSimulations kept(2);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ((*kept.Create(recording.replay(), &far))->info().pack_digest,
              far.ComputeDigest());
    EXPECT_EQ((*kept.Create(recording.replay()))->info().pack_digest,
              recording.replay().ReadPack()->ComputeDigest());
  }
  EXPECT_EQ(kept.created(), 4);
}

TEST(KeptSimulationsTest, OldestGoesFirst) {
  const Recording one({.tick_count = kTicks, .seed = 1});
  const Recording two({.tick_count = kTicks, .seed = 2});
  const Recording three({.tick_count = kTicks, .seed = 3});
  KeptSimulations kept(2);
  const auto ask = [&kept](const Recording& recording) {
    const uint64_t before = kept.created();
    EXPECT_TRUE(kept.Create(recording.replay()).ok());
    return kept.created() > before;  // whether its pack was compiled
  };
  for (const Recording* recording : {&one, &one, &two, &two}) {
    EXPECT_TRUE(ask(*recording));
  }
  EXPECT_FALSE(ask(one));
  EXPECT_TRUE(ask(three));  // two goes
  EXPECT_FALSE(ask(one));
  EXPECT_TRUE(ask(two));
}

TEST(KeptSimulationsTest, ReplaysThatShareNothingKeepNothing) {
  const Recording one({.tick_count = kTicks, .seed = 1});
  const Recording two({.tick_count = kTicks, .seed = 2});
  KeptSimulations kept(1);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(kept.Create(one.replay()).ok());
    ASSERT_TRUE(kept.Create(two.replay()).ok());
  }
  EXPECT_EQ(kept.created(), 6);
}

TEST(KeptSimulationsTest, RefusedPackIsRefusedEachTime) {
  const Recording recording;
  sim::PackArchive broken;
  KeptSimulations kept(1);
  const auto expected = CreateRecordedSimulation(recording.replay(), &broken);
  ASSERT_FALSE(expected.ok());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(kept.Create(recording.replay(), &broken).status(),
              expected.status());
  }
}

}  // namespace
}  // namespace reprise::replays

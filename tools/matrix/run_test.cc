// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a run takes its pack, inputs and length from where it is told to,
// injects where it is told to, goes on from the keyframes of its recording, and
// refuses what contradicts itself: on a pack of one ball, written to the test's
// own folder.

#include "tools/matrix/run.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kManifest = R"pb(
  name: "one_ball"
  tick_rate: 60
  types {
    name: "ball"
    body {
      motion: MOTION_DYNAMIC
      mass_kg: 1
      shapes { sphere { radius: 0.5 } }
    }
  }
  objects {
    name: "ball"
    type: "ball"
    position { y: 2 }
  }
)pb";

class RunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(pack_);
    Write(pack_ + "/pack.txtpb", kManifest);
    Write(track_, "tick_count: 7");
  }

  static void Write(const std::string& path, std::string_view text) {
    std::ofstream(path) << text;
  }

  // The root digest at the end of a run that has to succeed.
  static sim::Digest DigestAtEnd(const RunSpecification& specification) {
    const auto run = Run::Open(specification);
    EXPECT_TRUE(run.ok()) << run.status();
    if (!run.ok()) return {};
    while ((*run)->simulation().tick() < (*run)->tick_count()) {
      const absl::Status status = (*run)->Step();
      EXPECT_TRUE(status.ok()) << status;
    }
    return (*run)->simulation().state().ComputeRootDigest();
  }

  // Records a run with random inputs, with keyframes at these ticks.
  absl::Status Record(const std::set<sim::Tick>& keyframes) const {
    const auto run =
        Run::Open({.source = pack_, .random_inputs = 1, .tick_count = 20});
    if (!run.ok()) return run.status();
    auto file = replays::FileSink::Create(replay_);
    if (!file.ok()) return file.status();
    return (*run)->Record(keyframes, *std::move(file));
  }

  static absl::StatusCode CodeOf(const RunSpecification& specification) {
    return Run::Open(specification).status().code();
  }

  const std::string folder_ = ::testing::TempDir();
  const std::string pack_ = folder_ + "/one_ball";
  const std::string track_ = folder_ + "/idle.txtpb";
  const std::string replay_ = folder_ + "/one_ball.mcap";
};

TEST_F(RunTest, TrackSaysHowLong) {
  const auto run = Run::Open({.source = pack_, .inputs = track_});

  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ((*run)->tick_count(), 7u);
}

TEST_F(RunTest, TicksComeBeforeTheTrack) {
  const auto run =
      Run::Open({.source = pack_, .inputs = track_, .tick_count = 3});

  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ((*run)->tick_count(), 3u);
}

TEST_F(RunTest, EqualSpecificationsGiveEqualDigests) {
  const RunSpecification specification = {
      .source = pack_, .random_inputs = 1, .tick_count = 20};

  EXPECT_EQ(DigestAtEnd(specification), DigestAtEnd(specification));
}

TEST_F(RunTest, InjectionChangesWhatFollows) {
  RunSpecification specification = {.source = pack_, .tick_count = 20};
  const sim::Digest untouched = DigestAtEnd(specification);
  specification.injection = {.tick = 20,
                             .room = "physics",
                             .table = "bodies",
                             .key = "ball",
                             .field = "position.y"};

  EXPECT_NE(DigestAtEnd(specification), untouched);
}

TEST_F(RunTest, RecordedRunGoesOnFromEachKeyframe) {
  ASSERT_EQ(Record({0, 7, 13, 20}), absl::OkStatus());
  const sim::Digest expected =
      DigestAtEnd({.source = pack_, .random_inputs = 1, .tick_count = 20});

  for (const sim::Tick tick : {0u, 7u, 13u, 20u}) {
    const auto run = Run::Open({.source = replay_, .from = tick});
    ASSERT_TRUE(run.ok()) << run.status();
    EXPECT_EQ((*run)->simulation().tick(), tick);
    EXPECT_EQ(DigestAtEnd({.source = replay_, .from = tick}), expected);
  }
}

TEST_F(RunTest, InjectionIntoAKeyframeChangesIt) {
  ASSERT_EQ(Record({7}), absl::OkStatus());
  RunSpecification specification = {
      .source = replay_, .from = 7, .tick_count = 7};
  const sim::Digest untouched = DigestAtEnd(specification);
  specification.injection = {.tick = 7,
                             .room = "physics",
                             .table = "bodies",
                             .key = "ball",
                             .field = "position.y"};

  EXPECT_NE(DigestAtEnd(specification), untouched);
}

TEST_F(RunTest, KeyframeThatWasNotRecordedIsNotFound) {
  ASSERT_EQ(Record({7}), absl::OkStatus());

  EXPECT_EQ(CodeOf({.source = replay_, .from = 6}),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(CodeOf({.source = replay_, .from = 8}),
            absl::StatusCode::kNotFound);
}

TEST_F(RunTest, KeyframeOfAPackIsRefused) {
  EXPECT_EQ(CodeOf({.source = pack_, .from = 7, .tick_count = 20}),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(RunTest, EndBeforeTheKeyframeIsRefused) {
  ASSERT_EQ(Record({7}), absl::OkStatus());

  EXPECT_EQ(CodeOf({.source = replay_, .from = 7, .tick_count = 6}),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(RunTest, KeyframeBehindTheEndIsRefused) {
  EXPECT_EQ(Record({7, 21}).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(RunTest, OnlyWholeAndUnchangedRunsAreRecorded) {
  ASSERT_EQ(Record({7}), absl::OkStatus());
  for (const RunSpecification& specification :
       {RunSpecification{.source = replay_, .from = 7},
        RunSpecification{.source = replay_,
        .injection = Injection{.tick = 20,
                     .room = "physics",
                     .table = "bodies",
                     .key = "ball",
                     .field = "position.y"}}}) {
    const auto run = Run::Open(specification);
    ASSERT_TRUE(run.ok()) << run.status();
    replays::Bytes bytes;
    EXPECT_EQ((*run)
                  ->Record({}, std::make_unique<replays::MemorySink>(&bytes))
                  .code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST_F(RunTest, NoLengthIsRefused) {
  EXPECT_EQ(CodeOf({.source = pack_}), absl::StatusCode::kInvalidArgument);
}

TEST_F(RunTest, TwoKindsOfInputsAreRefused) {
  EXPECT_EQ(CodeOf({.source = pack_, .inputs = track_, .random_inputs = 1}),
            absl::StatusCode::kInvalidArgument);
}

// One player, whom a bot gives a button to hold.
class RunOfBotsTest : public RunTest {
 protected:
  void SetUp() override {
    RunTest::SetUp();
    Write(pack_ + "/pack.txtpb",
          std::string(kManifest) +
              R"pb(players { actions { name: "push" button: 0 } })pb");
  }

  RunSpecification Played() const {
    return {.source = pack_,
            .bots = {.all = false, .named = {"0:random"}},
            .tick_count = 200};
  }

  // The root digest of each tick.
  static std::vector<sim::Digest> DigestsOf(
      const RunSpecification& specification) {
    const auto run = Run::Open(specification);
    EXPECT_TRUE(run.ok()) << run.status();
    std::vector<sim::Digest> digests;
    while (run.ok() && (*run)->simulation().tick() < (*run)->tick_count()) {
      const absl::Status status = (*run)->Step();
      EXPECT_TRUE(status.ok()) << status;
      if (!status.ok()) break;
      digests.push_back((*run)->simulation().state().ComputeRootDigest());
    }
    return digests;
  }
};

// What a button that is up again did may be gone at the end.
TEST_F(RunOfBotsTest, BotsPlayAndPlayAlikeAgain) {
  const std::vector<sim::Digest> played = DigestsOf(Played());

  EXPECT_EQ(DigestsOf(Played()), played);
  EXPECT_NE(DigestsOf({.source = pack_, .tick_count = 200}), played);
}

TEST_F(RunOfBotsTest, RecordingGoesOnWithoutThem) {
  const auto run = Run::Open(Played());
  ASSERT_TRUE(run.ok()) << run.status();
  auto file = replays::FileSink::Create(replay_);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ((*run)->Record({0, 31}, *std::move(file)), absl::OkStatus());
  const sim::Digest expected = DigestAtEnd(Played());

  EXPECT_EQ(DigestAtEnd({.source = replay_}), expected);
  EXPECT_EQ(DigestAtEnd({.source = replay_, .from = 31}), expected);
}

TEST_F(RunOfBotsTest, MistakesAreRefused) {
  RunSpecification both = Played();
  both.random_inputs = 1;
  EXPECT_EQ(CodeOf(both), absl::StatusCode::kInvalidArgument);
  both = Played();
  both.inputs = track_;
  EXPECT_EQ(CodeOf(both), absl::StatusCode::kInvalidArgument);
  RunSpecification nobody = Played();
  nobody.bots = {.all = false, .named = {"0:nobody"}};
  EXPECT_EQ(CodeOf(nobody), absl::StatusCode::kInvalidArgument);
  // The pack has none of its own.
  nobody.bots = {.all = true, .named = {}};
  EXPECT_EQ(CodeOf(nobody), absl::StatusCode::kInvalidArgument);
}

TEST_F(RunTest, MissingPackIsNotFound) {
  EXPECT_EQ(CodeOf({.source = folder_ + "/nowhere", .tick_count = 1}),
            absl::StatusCode::kNotFound);
}

TEST_F(RunTest, MissingTrackIsNotFound) {
  EXPECT_EQ(CodeOf({.source = pack_, .inputs = folder_ + "/nowhere"}),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace reprise::tools

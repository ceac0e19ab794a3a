// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a replay asked in parts, by any number of threads, answers as one
// run of it does, whatever is asked and wherever the answer lies; also where
// the keyframes are of another run than this build plays; and that changes are
// told with those who made them.

#include "replays/query/replay_query.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"

namespace reprise::replays {
namespace {

constexpr sim::Tick kTicks = 400;

TinyRecordingOptions Options() {
  TinyRecordingOptions options;
  options.tick_count = kTicks;
  return options;
}

// A recording with a keyframe every 40 ticks.
class ReplayQueryTest : public testing::Test {
 protected:
  explicit ReplayQueryTest(const TinyRecordingOptions& options = Options())
      : file_(RecordTiny(options)), replay_(*OpenReplay(file_)) {}

  absl::StatusOr<QueryFindings> Ask(const std::string& expression,
                                    ReplayQueryOptions options) {
    ticks_done_ = 0;
    has_begun_again_ = false;
    options.progress = [&](sim::Tick ticks_done) {
      if (ticks_done <= ticks_done_) has_begun_again_ = true;
      ticks_done_ = ticks_done;
    };
    return QueryReplay(*replay_, expression, options);
  }

  const Bytes file_;
  const std::unique_ptr<ReplayReader> replay_;
  // What this thread was told last, and whether it was ever told less than
  // before. It may be told nothing, where the other threads do all the work.
  sim::Tick ticks_done_ = 0;
  bool has_begun_again_ = false;
};

struct Question {
  std::string expression;
  QueryAim aim;
};

std::vector<Question> Questions() {
  return {
      {"tick >= 20", QueryAim::kTicks},
      {"pieces.x > 0.5", QueryAim::kTicks},
      {"event('hundred_ticks') > 0", QueryAim::kTicks},
      {"1 / (tick - 205) > 0", QueryAim::kTicks},
      {"pieces.x > 0.5", QueryAim::kFirst},
      {"tick == 81", QueryAim::kFirst},
      {"tick == 333", QueryAim::kFirst},
      {"tick == 400", QueryAim::kFirst},
      {"tick == 401", QueryAim::kFirst},
      {"pieces.x > 0.5", QueryAim::kCount},
      {"pieces.x", QueryAim::kMinimum},
      {"pieces.x", QueryAim::kMaximum},
      {"-tick", QueryAim::kMaximum},
      {"pieces.x", QueryAim::kChanges},
      {"pieces.x > 0.5", QueryAim::kChanges},
      {"event('hundred_ticks')", QueryAim::kChanges},
      {"tick", QueryAim::kChanges},
      {"outcome", QueryAim::kChanges},
  };
}

TEST_F(ReplayQueryTest, AnyNumberOfThreadsFindsTheSame) {
  for (const auto& [expression, aim] : Questions()) {
    for (const uint64_t limit : {3, 1000}) {
      const QueryFindings expected =
          *Ask(expression, {.aim = aim, .limit = limit});
      for (const uint32_t threads : {2, 3, 8}) {
        const QueryFindings actual =
            *Ask(expression, {.aim = aim, .limit = limit, .threads = threads});
        EXPECT_EQ(actual, expected) << expression << " by " << threads;
        EXPECT_FALSE(has_begun_again_) << expression << " by " << threads;
      }
    }
  }
}

TEST_F(ReplayQueryTest, AllTicksAreAskedOnce) {
  EXPECT_EQ(Ask("tick >= 0", {.threads = 3})->ticks_asked, kTicks + 1);
  EXPECT_EQ(Ask("tick >= 0", {.threads = 3})->match_count, kTicks + 1);
}

TEST_F(ReplayQueryTest, AnotherPackIsAskedInOneGo) {
  const sim::PackArchive faster = MakeTinyPack(0.2);
  const ReplayQueryOptions options = {
      .aim = QueryAim::kMaximum, .pack = &faster, .threads = 3};
  const QueryFindings findings = *Ask("runner.pieces.x", options);
  EXPECT_EQ(findings, *Ask("runner.pieces.x",
                           {.aim = QueryAim::kMaximum, .pack = &faster}));
  EXPECT_NE(findings, *Ask("runner.pieces.x", {.aim = QueryAim::kMaximum}));
}

TEST_F(ReplayQueryTest, ChangesAreToldWithTheirWriters) {
  const QueryFindings findings =
      *Ask("pieces.x", {.aim = QueryAim::kChanges, .limit = 1000});
  ASSERT_GT(findings.changes.size(), 100u);
  for (const QueryChange& change : findings.changes) {
    EXPECT_EQ(change.writer, "move") << change.tick;
  }
  const QueryFindings held =
      *Ask("device.axes[0]", {.aim = QueryAim::kChanges, .limit = 1});
  ASSERT_EQ(held.changes.size(), 1u);
  EXPECT_EQ(held.changes[0].writer, "input");
}

TEST_F(ReplayQueryTest, EventsHaveNoWriters) {
  const QueryFindings findings =
      *Ask("event('hundred_ticks')", {.aim = QueryAim::kChanges});
  ASSERT_FALSE(findings.changes.empty());
  EXPECT_EQ(findings.changes[0].tick, 100u);
  EXPECT_EQ(findings.changes[0].writer, "");
}

TEST_F(ReplayQueryTest, MistakesAreRefused) {
  EXPECT_EQ(Ask("pieces.z > 1", {.threads = 2}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Ask("tick", {.aim = QueryAim::kTicks}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// Something from outside came in at tick 210: the keyframes behind it are of
// another run than the inputs make.
class ForeignReplayQueryTest : public ReplayQueryTest {
 protected:
  ForeignReplayQueryTest() : ReplayQueryTest(DisturbedOptions()) {}

  static TinyRecordingOptions DisturbedOptions() {
    TinyRecordingOptions options = Options();
    options.injection =
        OneUlpMore(*MakeTiny(), "board", "pieces", 1, "x", /*tick=*/210);
    options.injection->value = sim::FieldValue::OfDouble(1000.0);
    return options;
  }
};

TEST_F(ForeignReplayQueryTest, InputsDecideAndNotTheKeyframes) {
  const Bytes undisturbed_file = RecordTiny(Options());
  const auto undisturbed = *OpenReplay(undisturbed_file);
  for (const auto& [expression, aim] : Questions()) {
    const QueryFindings expected =
        *QueryReplay(*undisturbed, expression, {.aim = aim});
    EXPECT_EQ(*Ask(expression, {.aim = aim, .threads = 3}), expected)
        << expression;
  }
  EXPECT_EQ(Ask("pieces.x > 900", {.threads = 3})->match_count, 0u);
  // In one go; side by side they are more.
  EXPECT_EQ(ticks_done_, kTicks);
}

TEST_F(ForeignReplayQueryTest, WhatIsFoundBeforeStands) {
  EXPECT_EQ(
      Ask("tick == 150", {.aim = QueryAim::kFirst, .threads = 3})->match_count,
      1u);
  EXPECT_FALSE(has_begun_again_);
}

class PlainReplayQueryTest : public ReplayQueryTest {
 protected:
  PlainReplayQueryTest() : ReplayQueryTest(PlainOptions()) {}

  static TinyRecordingOptions PlainOptions() {
    TinyRecordingOptions options = Options();
    options.writer.keyframe_stride = 0;
    return options;
  }
};

TEST_F(PlainReplayQueryTest, WithoutKeyframesThereIsOnePart) {
  EXPECT_EQ(Ask("tick >= 0", {.threads = 3})->match_count, kTicks + 1);
  EXPECT_FALSE(has_begun_again_);
}

}  // namespace
}  // namespace reprise::replays

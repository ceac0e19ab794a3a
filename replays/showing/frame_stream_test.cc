// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that frames are those of a simulation that is stepped beside the
// stream, whatever the range, stride and direction, on a simulation that is not
// the built-in one; and that the fields of a page are its rows.

#include "replays/showing/frame_stream.h"

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/playing/replay_player.h"
#include "replays/showing/recorded_fields.h"
#include "replays/showing/shown_scene.h"
#include "replays/testing/tiny_recording.h"
#include "sim/base/content_digest.h"
#include "sim/base/digest.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

constexpr sim::Tick kTicks = 100;

// What there is to see at each tick, by stepping from 0 on.
struct Seen {
  sim::Frame frame;
  sim::Digest state;
  std::vector<sim::Event> events;  // of the step that led to it
};

class FrameStreamTest : public testing::Test {
 protected:
  FrameStreamTest() : file_(RecordTiny()), replay_(*OpenReplay(file_)) {
    const auto player = *ReplayPlayer::Create(replay_.get());
    sim::Simulation& simulation = player->simulation();
    for (sim::Tick tick = 0; tick <= kTicks; ++tick) {
      seen_.push_back({simulation.ProduceFrame(),
                       simulation.state().ComputeRootDigest(),
                       simulation.DrainEvents()});
      if (tick == kTicks) break;
      EXPECT_TRUE(player->Step().ok());
    }
  }

  std::unique_ptr<FrameStream> Open(const FrameStreamOptions& options) {
    return *FrameStream::Open(replay_.get(), options);
  }

  // Expects the frame that the stream is at to be that of its tick.
  void ExpectSeen(const FrameStream& stream, sim::Tick tick) const {
    const Seen& seen = seen_[tick];
    const ShownFrame& frame = stream.frame();
    ASSERT_EQ(frame.tick, tick);
    EXPECT_EQ(frame.state, seen.state);
    ASSERT_EQ(frame.poses.size(), seen.frame.objects.size());
    for (size_t i = 0; i < frame.poses.size(); ++i) {
      const sim::FrameObject& object = seen.frame.objects[i];
      const ShownPose& pose = frame.poses[i];
      EXPECT_EQ(stream.objects()[pose.object].name, object.name);
      EXPECT_EQ(pose.position, object.position);
      EXPECT_EQ(pose.rotation, object.rotation);
    }
  }

  const Bytes file_;
  const std::unique_ptr<ReplayReader> replay_;
  std::vector<Seen> seen_;
};

TEST_F(FrameStreamTest, FramesAreThoseOfTheRunAtAnyStride) {
  for (const uint64_t every : {1, 7, 50, 1000}) {
    const auto stream = Open({.first = 3, .every = every});
    sim::Tick tick = 3;
    uint64_t count = 0;
    for (; *stream->Next(); tick += every, ++count) {
      ExpectSeen(*stream, tick);
      EXPECT_EQ(stream->frame().events, seen_[tick].events);
    }
    EXPECT_EQ(count, stream->frame_count());
    EXPECT_GT(tick, kTicks);
  }
}

// By name, by type, by what begins or ends so; the states stay those of all.
TEST_F(FrameStreamTest, OnlyChosenObjectsAreShown) {
  const auto names = [&](const std::vector<std::string>& objects) {
    const auto stream = Open({.first = 5, .last = 5, .objects = objects});
    EXPECT_TRUE(*stream->Next());
    EXPECT_EQ(stream->frame().state, seen_[5].state);
    EXPECT_EQ(stream->frame().poses.size(), stream->objects().size());
    std::vector<std::string> shown;
    for (const ShownObject& object : stream->objects()) {
      shown.push_back(object.name);
    }
    return shown;
  };
  const std::vector<std::string> both = {"runner", "drifter"};
  const std::vector<std::string> runner = {"runner"};
  EXPECT_EQ(names({}), both);
  EXPECT_EQ(names({"piece"}), both);
  EXPECT_EQ(names({"runner"}), runner);
  EXPECT_EQ(names({"run*"}), runner);
  EXPECT_EQ(names({"*un*r"}), runner);
  EXPECT_EQ(names({"*r"}), both);
  EXPECT_EQ(names({"*"}), both);
  EXPECT_EQ(names({"nobody", "runn*er*"}), runner);
  EXPECT_TRUE(names({"run", "*x*", "runner?"}).empty());
}

TEST_F(FrameStreamTest, BackwardsTheyAreTheSame) {
  const auto stream =
      Open({.first = 10, .last = 60, .every = 5, .reverse = true});
  for (sim::Tick tick = 60; tick >= 10; tick -= 5) {
    ASSERT_TRUE(*stream->Next());
    ExpectSeen(*stream, tick);
  }
  EXPECT_FALSE(*stream->Next());
}

TEST_F(FrameStreamTest, EventsBetweenFramesAreKeptWhereTheyAreAskedFor) {
  const auto stream = Open({.every = 25, .keeps_events = true});
  size_t kept = 0;
  while (*stream->Next()) kept += stream->frame().events.size();
  size_t all = 0;
  for (const Seen& seen : seen_) all += seen.events.size();
  EXPECT_GT(all, 0u);
  EXPECT_EQ(kept, all);
}

// What is between two of the stride is a part of the way from one to the other;
// the run is the one that is shown without: nothing is fed back.
TEST_F(FrameStreamTest, AtARateOfTheirOwnFramesLieBetween) {
  const uint32_t ticks = replay_->metadata().tick_rate.ticks_per_second;
  for (const uint64_t every : {1, 5}) {
    for (const bool is_reverse : {false, true}) {
      // Four frames each `every` ticks.
      const auto stream =
          Open({.every = every,
                .rate = FrameRate{4 * ticks, static_cast<uint32_t>(every)},
                .reverse = is_reverse});
      ASSERT_EQ(stream->frame_count(), 4 * kTicks / every + 1);
      for (uint64_t i = 0; *stream->Next(); ++i) {
        const ShownFrame& frame = stream->frame();
        const uint64_t gone = i / 4 * every;
        const uint64_t left = kTicks - gone;
        if (i % 4 == 0) {
          EXPECT_EQ(frame.ticks_before, 0);
          ExpectSeen(*stream, is_reverse ? left : gone);
          continue;
        }
        const sim::Tick from = is_reverse ? left : gone;
        const sim::Tick to = is_reverse ? from - every : from + every;
        const double part = 0.25 * static_cast<double>(i % 4);
        ASSERT_EQ(frame.tick, to);
        EXPECT_EQ(frame.tick, stream->TickOf(i));
        EXPECT_EQ(frame.state, seen_[to].state);
        EXPECT_EQ(frame.events, seen_[to].events);
        EXPECT_DOUBLE_EQ(
            frame.time_ticks(),
            static_cast<double>(from) +
                part * (static_cast<double>(to) - static_cast<double>(from)));
        for (size_t object = 0; object < frame.poses.size(); ++object) {
          const double x = frame.poses[object].position.x;
          const double start = seen_[from].frame.objects[object].position.x;
          const double end = seen_[to].frame.objects[object].position.x;
          EXPECT_DOUBLE_EQ(x, (1 - part) * start + part * end);
        }
      }
    }
  }
}

TEST_F(FrameStreamTest, AtARateEachEventIsToldOnceWhenItsTimeHasCome) {
  const uint32_t ticks = replay_->metadata().tick_rate.ticks_per_second;
  size_t all = 0;
  for (const Seen& seen : seen_) all += seen.events.size();
  // More frames than ticks, and fewer.
  for (const FrameRate rate : {FrameRate{3 * ticks, 1}, FrameRate{ticks, 7}}) {
    const auto stream = Open({.rate = rate, .keeps_events = true});
    size_t kept = 0;
    double before = -1;
    while (*stream->Next()) {
      const double now = stream->frame().time_ticks();
      for (const sim::Event& event : stream->frame().events) {
        const auto time = static_cast<double>(event.tick + 1);
        EXPECT_LE(time, now);
        EXPECT_GT(time, before - 1e-9);
        ++kept;
      }
      before = now;
    }
    // All, but those behind the last frame.
    size_t late = 0;
    for (const Seen& seen : seen_) {
      for (const sim::Event& event : seen.events) {
        late += static_cast<double>(event.tick + 1) > before ? 1 : 0;
      }
    }
    EXPECT_EQ(kept + late, all);
  }
}

TEST_F(FrameStreamTest, ARateOfMoreThanCanBeCountedIsRefused) {
  EXPECT_EQ(FrameStream::Open(replay_.get(),
                              {.every = uint64_t{1} << 41, .rate = FrameRate{}})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(FrameStreamTest, ObjectsAreToldOnce) {
  const auto stream = Open({});
  ASSERT_TRUE(*stream->Next());
  EXPECT_EQ(stream->first_new_object(), 0u);
  EXPECT_EQ(stream->objects().size(), 2u);
  while (*stream->Next()) {
    EXPECT_EQ(stream->first_new_object(), stream->objects().size());
  }
  EXPECT_EQ(stream->source().replay_digest, sim::ContentDigestOf(file_));
}

TEST_F(FrameStreamTest, TicksThatAreNotThereAreRefused) {
  const auto code = [&](const FrameStreamOptions& options) {
    return FrameStream::Open(replay_.get(), options).status().code();
  };
  EXPECT_EQ(code({.last = kTicks + 1}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.first = 9, .last = 8}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.every = 0}), absl::StatusCode::kInvalidArgument);
}

// What the changes of a chunk come to at a frame, by column.
std::map<uint32_t, nlohmann::json> ValuesAt(const nlohmann::json& chunk,
                                            uint32_t frame) {
  std::map<uint32_t, nlohmann::json> values;
  for (const nlohmann::json& column : chunk) {
    uint32_t at = 0;
    for (size_t i = 0; i < column[1].size(); ++i) {
      at += column[1][i].get<uint32_t>();
      if (at <= frame) values[column[0]] = column[2][i];
    }
  }
  return values;
}

TEST_F(FrameStreamTest, RecordedFieldsAreTheRowsInEveryChunk) {
  const auto stream = Open({});
  const auto fields =
      *RecordedFields::Create(stream.get(), {.expressions = {"tick * 2"}});
  std::vector<nlohmann::json> chunks;
  for (sim::Tick tick = 0; *stream->Next(); ++tick) {
    ASSERT_TRUE(fields->AddFrame().ok());
    if (tick % 40 == 39 || tick == kTicks)
      chunks.push_back(fields->TakeChunk());
  }
  ASSERT_EQ(chunks.size(), 3u);
  for (const auto& column : fields->columns()) {
    const uint32_t index =
        static_cast<uint32_t>(&column - &fields->columns().front());
    const std::string name = column[1];
    for (sim::Tick tick = 0; tick <= kTicks; ++tick) {
      const auto values = ValuesAt(chunks[tick / 40], tick % 40);
      ASSERT_TRUE(values.contains(index)) << name;
      if (name == "tick * 2") {
        EXPECT_EQ(values.at(index), 2 * tick);
      }
      if (name != "pieces.x") continue;
      for (const sim::FrameObject& object : seen_[tick].frame.objects) {
        if (object.object.serial != column[0].get<uint64_t>()) continue;
        EXPECT_NEAR(values.at(index).get<double>(), object.position.x,
                    1e-4 * (1 + std::abs(object.position.x)));
      }
    }
  }
}

}  // namespace
}  // namespace reprise::replays

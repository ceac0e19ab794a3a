// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a behaviour's timelines tell its objects of the marks that they
// pass, also after they were paused, hurried, turned round and moved, and that
// a snapshot of any tick goes on as the run did.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/world/time/timeline.h"
#include "tests/world/acting_behaviour.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kPack = R"(
types { name: "actor" behaviours { behaviour: "testing_act" } }
objects { name: "clip" type: "actor" }
)";
constexpr Id kClip = IdOf("clip");
constexpr int64_t kTick = kTickParts;

// Ten ticks, with marks at 3 and at the end.
absl::Status StartClip(UpdateContext& context, uint32_t i, TimelineMode mode) {
  return context.StartTimeline(
      i, {.name = kClip, .duration = 10, .mode = mode},
      std::array{TimelineMark{3 * kTick, IdOf("middle")},
                 TimelineMark{10 * kTick, IdOf("end")}});
}

class TimelinesWorldTest : public ::testing::Test {
 protected:
  TimelinesWorldTest() : world_(WorldOf(Manifest({kPack}))) {
    TheActs().on_event = [this](UpdateContext& context,
                                const WorldEvent& event) {
      EXPECT_EQ(event.arguments.GetId(IdOf("timeline")).value_or(kNoId), kClip);
      told_.push_back(std::to_string(context.tick()) +
                      (event.type == IdOf("end") ? " end" : " middle"));
      return true;
    };
  }
  ~TimelinesWorldTest() override { TheActs() = {}; }

  // Has the object do something in one update.
  void Act(std::function<void(UpdateContext&, uint32_t)> act) {
    TheActs().before_physics = std::move(act);
    StepTimes(*world_, 1);
    TheActs().before_physics = {};
  }

  std::unique_ptr<Simulation> world_;
  std::vector<std::string> told_;
};

TEST_F(TimelinesWorldTest, MarksAreToldInTheTickInWhichTheyArePassed) {
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(StartClip(context, i, TimelineMode::kLoop).ok());
  });
  StepTimes(*world_, 23);
  EXPECT_EQ(told_, (std::vector<std::string>{"3 middle", "10 end", "13 middle",
                                             "20 end", "23 middle"}));
}

TEST_F(TimelinesWorldTest, PauseAndRateCount) {
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(StartClip(context, i, TimelineMode::kClamp).ok());
  });
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(context.PauseTimeline(i, kClip).ok());
  });
  StepTimes(*world_, 18);
  EXPECT_EQ(told_, std::vector<std::string>{});
  // At 1 since tick 1; it is tick 20 now.
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(context.ResumeTimeline(i, kClip).ok());
    EXPECT_TRUE(
        context.SetTimelineRate(i, kClip, {.numerator = 2, .denominator = 1})
            .ok());
  });
  StepTimes(*world_, 10);
  EXPECT_EQ(told_, (std::vector<std::string>{"21 middle", "25 end"}));
  told_.clear();
  // Back from its end.
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(
        context.SetTimelineRate(i, kClip, {.numerator = -1, .denominator = 1})
            .ok());
  });
  StepTimes(*world_, 12);
  EXPECT_EQ(told_, std::vector<std::string>{"38 middle"});
}

TEST_F(TimelinesWorldTest, SeekAndStopTellNothing) {
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(StartClip(context, i, TimelineMode::kClamp).ok());
    EXPECT_TRUE(context.SeekTimeline(i, kClip, 8 * kTick).ok());
    EXPECT_EQ(context.SeekTimeline(i, kClip, 11 * kTick).code(),
              absl::StatusCode::kOutOfRange);
  });
  StepTimes(*world_, 1);
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_EQ(LocalTicks(*context.Timeline(i, kClip), context.tick()), 10.0);
    EXPECT_TRUE(context.SeekTimeline(i, kClip, 2 * kTick).ok());
    EXPECT_TRUE(context.StopTimeline(i, kClip));
    EXPECT_FALSE(context.StopTimeline(i, kClip));
    EXPECT_EQ(context.PauseTimeline(i, kClip).code(),
              absl::StatusCode::kNotFound);
  });
  StepTimes(*world_, 10);
  EXPECT_EQ(told_, std::vector<std::string>{"2 end"});
}

TEST_F(TimelinesWorldTest, WhoSleepsIsToldWhenItGoesOn) {
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(StartClip(context, i, TimelineMode::kClamp).ok());
    context.Post(i, context.handle(i), IdOf("sleep"), {}, /*delay=*/2);
    context.Post(i, context.handle(i), IdOf("wake"), {}, /*delay=*/7);
  });
  TheActs().on_event = [this](UpdateContext& context, const WorldEvent& event) {
    if (event.type != IdOf("middle")) return false;
    told_.push_back(std::to_string(context.tick()) + " middle");
    return true;
  };
  StepTimes(*world_, 12);
  EXPECT_EQ(told_, std::vector<std::string>{"8 middle"});
}

TEST_F(TimelinesWorldTest, SnapshotsOfAnyTickGoOnAsTheRunDid) {
  TheActs().on_event = [](UpdateContext& context, const WorldEvent& event) {
    // Turns round at each mark.
    const auto timeline = context.Timeline(0, kClip);
    const int64_t way = timeline->rate_numerator > 0 ? -1 : 1;
    EXPECT_TRUE(
        context.SetTimelineRate(0, kClip, {.numerator = way, .denominator = 1})
            .ok());
    context.Post(0, kNullHandle, event.type, {});
    return true;
  };
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(StartClip(context, i, TimelineMode::kPingPong).ok());
  });
  for (int tick = 0; tick < 40; ++tick) {
    const auto restored = WorldOf(Manifest({kPack}));
    ASSERT_EQ(restored->Restore(world_->state()), absl::OkStatus());
    StepTimes(*world_, 1);
    StepTimes(*restored, 1);
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              world_->state().ComputeRootDigest())
        << tick;
  }
}

}  // namespace
}  // namespace reprise::sim

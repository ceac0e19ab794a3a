// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nothing of an object goes on while it sleeps: its timers and
// timelines stand still, however it came to sleep, and go on with what was left
// when it wakes; and that a snapshot in which they don't is refused.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/time/timeline.h"
#include "sim/world/time/timers.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Starts a timeline of 1000 ticks in its first update; sets `hits` to where it
// is and `speed` to the ticks that the timer `beep` has left.
class Watch final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status =
        binder.Property("marker", "hits", PropertyType::kInt, hits_);
    if (!status.ok()) return status;
    return binder.Property("marker", "speed", PropertyType::kDouble, speed_);
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      if (!context.Timeline(i, IdOf("clip")).has_value()) {
        const absl::Status status =
            context.StartTimeline(i, {.name = IdOf("clip"), .duration = 1000});
        EXPECT_TRUE(status.ok()) << status;
      }
      const auto clip = context.Timeline(i, IdOf("clip"));
      const auto ticks =
          static_cast<int64_t>(LocalTicks(*clip, context.tick()));
      context.SetInt(i, hits_, ticks);
      const Tick left = context.TimerDueIn(i, IdOf("beep")).value_or(99);
      context.SetNumber(i, speed_, static_cast<double>(left));
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }

 private:
  PropertyRef hits_;
  PropertyRef speed_;
};
REPRISE_REGISTER_BEHAVIOUR(testing_watch, "testing_watch", Watch);

// One that beeps after 30 ticks and then every 15, and one that has it sleep
// and wake at ticks of its own.
constexpr std::string_view kBeeper = R"(
types { name: "beeper" components { component: "marker" }
        behaviours { behaviour: "testing_watch" }
        timers { name: "beep" event: "beeped" delay_s: 0.5 period_s: 0.25 firings: 3 } }
)";

std::string At(int tick, std::string_view event) {
  return fmt::format(
      "types {{ name: \"hand_{0}\" timers {{ name: \"t\" event: \"at_{0}\" "
      "delay_s: {1} }} }}\n"
      "objects {{ name: \"hand_{0}\" type: \"hand_{0}\" }}\n"
      "connections {{ name: \"c_{0}\" source: \"hand_{0}\" event: \"at_{0}\" "
      "target: \"beeper\" send: \"{2}\" }}\n",
      tick, tick / 60.0, std::string(event));
}

std::string Beeper(std::string_view more = "") {
  return fmt::format("objects {{ name: \"beeper\" type: \"beeper\" {} }}\n",
                     std::string(more));
}

std::vector<Tick> Beeps(Simulation& world, int ticks) {
  std::vector<Tick> beeps;
  for (int i = 0; i < ticks; ++i) {
    StepTimes(world, 1);
    for (const Event& event : EventsOf(world, "beeped")) {
      beeps.push_back(event.tick);
    }
  }
  return beeps;
}

TEST(SleepersTest, TimersStandStillAndGoOnWithWhatWasLeft) {
  const auto world = WorldOf(
      Manifest({kMarker, kBeeper, Beeper(), At(20, "sleep"), At(120, "wake")}));
  EXPECT_THAT(Beeps(*world, 300), ElementsAre(130, 145, 160));
}

TEST(SleepersTest, BetweenFiringsTheyStandStillToo) {
  const auto world =
      WorldOf(Manifest({kMarker, kBeeper, Beeper(), At(31, "sleep"),
                        At(100, "wake"), At(101, "sleep"), At(200, "wake")}));
  EXPECT_THAT(Beeps(*world, 300), ElementsAre(30, 213, 228));
}

TEST(SleepersTest, OneThatComesAsleepHasItsWholeDelayLeft) {
  const auto world = WorldOf(
      Manifest({kMarker, kBeeper, Beeper("dormant: true"), At(50, "wake")}));
  EXPECT_THAT(Beeps(*world, 200), ElementsAre(80, 95, 110));
}

TEST(SleepersTest, OneThatNobodyWakesNeverBeeps) {
  const auto world =
      WorldOf(Manifest({kMarker, kBeeper, Beeper("dormant: true")}));
  EXPECT_THAT(Beeps(*world, 200), IsEmpty());
}

TEST(SleepersTest, TicksLeftAndTimelinesAreThoseOfItsOwnTime) {
  const auto world = WorldOf(
      Manifest({kMarker, kBeeper, Beeper(), At(20, "sleep"), At(120, "wake")}));
  StepTimes(*world, 20);
  EXPECT_EQ(HitsOf(*world, "beeper"), 19);
  StepTimes(*world, 101);  // the update of tick 120 is the first one again
  EXPECT_EQ(HitsOf(*world, "beeper"), 20);
  EXPECT_EQ(ValueOf(*world, "components", "marker", "beeper", "speed"),
            FieldValue::OfDouble(10.0));
  StepTimes(*world, 5);
  EXPECT_EQ(HitsOf(*world, "beeper"), 25);
  EXPECT_EQ(ValueOf(*world, "components", "marker", "beeper", "speed"),
            FieldValue::OfDouble(5.0));
}

TEST(SleepersTest, RowsSaySo) {
  const auto world =
      WorldOf(Manifest({kMarker, kBeeper, Beeper(), At(20, "sleep")}));
  StepTimes(*world, 60);
  EXPECT_EQ(ValueOf(*world, "time", "timers", "beeper", "is_asleep")->bits, 1u);
  EXPECT_EQ(ValueOf(*world, "time", "timers", "beeper", "due")->bits, 10u);
  EXPECT_EQ(ValueOf(*world, "time", "timelines", "beeper", "is_asleep")->bits,
            1u);
}

TEST(SleepersTest, RestoredInItsSleepItGoesOnAsIt) {
  const std::string manifest =
      Manifest({kMarker, kBeeper, Beeper(), At(20, "sleep"), At(120, "wake")});
  const auto world = WorldOf(manifest);
  StepTimes(*world, 70);
  const auto restored = WorldOf(manifest);
  ASSERT_EQ(restored->Restore(world->state()), absl::OkStatus());
  for (int tick = 70; tick < 200; ++tick) {
    StepTimes(*world, 1);
    StepTimes(*restored, 1);
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              world->state().ComputeRootDigest());
  }
}

// What restoring says when the table `table` of the room "time" has a row of
// the beeper's changed by `change`, and its page refreshed.
template <typename Row, typename Change>
absl::Status RestoreChanged(Simulation& world, std::string_view table,
                            const Change& change) {
  State state = world.state();
  Table& rows = state.mutable_table(*state.Find("time", table));
  Tick earliest = ~Tick{0};
  for (uint32_t row = 0; row < rows.row_count(); ++row) {
    if (world.ObjectName(rows.Get<Row>(row).object) == "beeper") {
      change(rows.Mutable<Row>(row));
    }
    if constexpr (std::is_same_v<Row, TimerRow>) {
      const auto& timer = rows.Get<Row>(row);
      if (timer.is_asleep == 0) earliest = std::min(earliest, timer.due);
    }
  }
  if constexpr (std::is_same_v<Row, TimerRow>) {
    state.mutable_table(*state.Find("time", "timer_pages"))
        .Mutable<TimerPageRow>(0)
        .earliest = earliest;
  }
  return world.Restore(state);
}

TEST(SleepersTest, SnapshotInWhichTimeGoesOnForASleeperIsRefused) {
  const auto world =
      WorldOf(Manifest({kMarker, kBeeper, Beeper(), At(20, "sleep")}));
  const auto timer_becomes = [&](uint64_t is_asleep) {
    return RestoreChanged<TimerRow>(
        *world, "timers", [&](TimerRow& row) { row.is_asleep = is_asleep; });
  };
  const auto timeline_becomes = [&](uint64_t is_asleep) {
    return RestoreChanged<TimelineRow>(
        *world, "timelines",
        [&](TimelineRow& row) { row.is_asleep = is_asleep; });
  };
  for (const uint64_t right : {0, 1}) {
    StepTimes(*world, 15 + static_cast<int>(right) * 15);
    EXPECT_EQ(timer_becomes(right), absl::OkStatus());
    EXPECT_EQ(timeline_becomes(right), absl::OkStatus());
    const absl::Status timer = timer_becomes(1 - right);
    EXPECT_EQ(timer.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(timer.message()),
                HasSubstr("a timer that sleeps or runs without its object"));
    const absl::Status timeline = timeline_becomes(1 - right);
    EXPECT_EQ(timeline.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(timeline.message()), HasSubstr("a timeline that"));
  }
}

// What there is nothing to do for is understood, too: it isn't its parent's.
TEST(SleepersTest, WakeAndSleepAreForTheObjectAlone) {
  const auto world = WorldOf(Manifest({R"(
types { name: "house" timers { name: "nap" event: "sleep" delay_s: 0.1 } }
types { name: "lamp" timers { name: "alarm" event: "wake" delay_s: 0.5 } }
types { name: "night" timers { name: "t" event: "dusk" delay_s: 0.2 period_s: 0.1 } }
connections { name: "dusk" event: "dusk" target: "bat" send: "sleep" }
objects { name: "house" type: "house" }
objects { name: "lamp" type: "lamp" parent: "house" }
objects { name: "tower" type: "night" }
objects { name: "bat" type: "lamp" parent: "tower" }
)"}));
  const auto status_of = [&](const std::string& name) {
    return static_cast<ObjectStatus>(
        ValueOf(*world, "world", "objects", name, "status")->bits);
  };
  StepTimes(*world, 60);
  EXPECT_EQ(status_of("house"), ObjectStatus::kDormant);
  EXPECT_EQ(status_of("lamp"), ObjectStatus::kActive);
  EXPECT_EQ(status_of("bat"), ObjectStatus::kDormant);
  EXPECT_EQ(status_of("tower"), ObjectStatus::kActive);
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves in which order objects are updated, how often, and what of each other
// they see: earlier buckets as of this tick, everybody else as of the last.

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kTypes = R"(
types {
  name: "clock"
  components { component: "marker" }
  behaviours { behaviour: "testing_count" }
}
types {
  name: "early_reader"
  components { component: "marker" }
  behaviours { behaviour: "testing_copy_this_tick" }
}
types {
  name: "late_reader"
  components { component: "marker" }
  behaviours { behaviour: "testing_copy_last_tick" }
}
)";

// An object that looks at `friend`.
std::string Reader(std::string_view name, std::string_view type,
                   std::string_view friend_name, std::string_view more = "") {
  return "objects { name: \"" + std::string(name) + "\" type: \"" +
         std::string(type) + "\" " + std::string(more) +
         " components { component: \"marker\" set { property: \"friend\" value "
         "{ text: \"" +
         std::string(friend_name) + "\" } } } }\n";
}

constexpr std::string_view kClock =
    "objects { name: \"clock\" type: \"clock\" }\n";

TEST(UpdateTest, LaterBucketSeesAnEarlierOneAsOfThisTick) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, kClock,
       Reader("reader", "early_reader", "clock", "after: \"clock\"")}));
  StepTimes(*world, 3);
  EXPECT_EQ(HitsOf(*world, "reader"), 3);
}

TEST(UpdateTest, LastTickIsOneTickBehindWhateverTheBucket) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, kClock, Reader("same_bucket", "late_reader", "clock"),
       Reader("later_bucket", "late_reader", "clock", "after: \"clock\"")}));
  StepTimes(*world, 3);
  EXPECT_EQ(HitsOf(*world, "same_bucket"), 2);
  EXPECT_EQ(HitsOf(*world, "later_bucket"), 2);
}

TEST(UpdateTest, ChainOfThreeHasNoLag) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, kClock,
       Reader("second", "early_reader", "clock", "after: \"clock\""),
       Reader("third", "early_reader", "second", "after: \"second\"")}));
  StepTimes(*world, 5);
  EXPECT_EQ(HitsOf(*world, "second"), 5);
  EXPECT_EQ(HitsOf(*world, "third"), 5);
}

TEST(UpdateTest, TimeStampSaysOfWhichTickAValueIs) {
  const auto world = WorldOf(
      Manifest({kMarker, kTypes, R"(
types { name: "watcher" components { component: "marker" }
        behaviours { behaviour: "testing_age" } }
)",
                kClock, Reader("beside", "watcher", "clock"),
                Reader("behind", "watcher", "clock", "after: \"clock\"")}));
  StepTimes(*world, 3);
  EXPECT_EQ(HitsOf(*world, "beside"), 1);
  EXPECT_EQ(HitsOf(*world, "behind"), 0);
}

TEST(UpdateTest, ReadingOnesOwnBucketAsOfThisTickIsRefusedAndTold) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes, kClock, Reader("reader", "early_reader", "clock")}));
  StepTimes(*world, 2);
  EXPECT_EQ(HitsOf(*world, "reader"), 0);
  EXPECT_EQ(EventsOf(*world, "read_refused").size(), 2u);
}

// Two readers of each other, and one that reads a third: what they see does not
// depend on who of them comes first.
TEST(UpdateTest, OrderWithinABucketIsNothing) {
  const auto hits = [](std::string_view first, std::string_view second) {
    const auto world = WorldOf(Manifest(
        {kMarker, kTypes, "objects { name: \"clock\" type: \"clock\" }\n",
         Reader(first, "late_reader", "clock"),
         Reader(second, "late_reader", first)}));
    StepTimes(*world, 6);
    return std::pair(HitsOf(*world, first), HitsOf(*world, second));
  };
  EXPECT_EQ(hits("a", "b"), hits("b", "a"));
  EXPECT_EQ(hits("a", "b"), std::pair(int64_t{5}, int64_t{4}));
}

TEST(UpdateTest, RingOfDependenciesIsRefusedWithItsNames) {
  const std::vector<std::string> problems = Problems(Manifest(
      {kMarker, kTypes,
       "objects { name: \"ship\" type: \"clock\" after: \"rider\" }\n",
       "objects { name: \"platform\" type: \"clock\" parent: \"ship\" }\n",
       "objects { name: \"rider\" type: \"clock\" parent: \"platform\" }\n"}));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("platform -> ship -> rider -> platform"),
            std::string::npos)
      << problems[0];
}

// Clocks in a row, each of which waits for the one before; their names say in
// which order they are looked at.
std::string ClocksInARow(int count, bool is_from_the_end,
                         std::string_view field) {
  std::string clocks;
  for (int i = 0; i < count; ++i) {
    const auto name = [&](int which) {
      return "c" + std::to_string(1000 + (is_from_the_end ? -which : which));
    };
    clocks += "objects { name: \"" + name(i) + "\" type: \"clock\" ";
    if (i > 0) clocks += std::string(field) + ": \"" + name(i - 1) + "\" ";
    clocks += "}\n";
  }
  return clocks;
}

TEST(UpdateTest, AsManyInARowAsThereAreBucketsAreRestoredAndOneMoreIsRefused) {
  for (const std::string_view field : {"parent", "after"}) {
    for (const bool is_from_the_end : {false, true}) {
      const auto world = WorldOf(Manifest(
          {kMarker, kTypes, ClocksInARow(64, is_from_the_end, field)}));
      StepTimes(*world, 2);
      EXPECT_TRUE(world->Fork()->Restore(world->state()).ok());
      const std::vector<std::string> problems = Problems(Manifest(
          {kMarker, kTypes, ClocksInARow(65, is_from_the_end, field)}));
      ASSERT_EQ(problems.size(), 1u);
      EXPECT_NE(problems[0].find("more than 64 objects in a chain"),
                std::string::npos)
          << problems[0];
    }
  }
}

TEST(UpdateTest, DivisorGivesTheExactNumberOfUpdates) {
  const auto world = WorldOf(Manifest({kMarker, R"(
tick_rate: 120
types { name: "fast" components { component: "marker" }
        behaviours { behaviour: "testing_count" } }
types { name: "half" components { component: "marker" }
        behaviours { behaviour: "testing_count" every_ticks: 2 } }
types { name: "slow" components { component: "marker" }
        behaviours { behaviour: "testing_count" every_ticks: 120 offset_ticks: 7 } }
objects { name: "fast" type: "fast" }
objects { name: "half" type: "half" }
objects { name: "slow" type: "slow" }
)"}));
  StepTimes(*world, 1200);
  EXPECT_EQ(HitsOf(*world, "fast"), 1200);
  EXPECT_EQ(HitsOf(*world, "half"), 600);
  EXPECT_EQ(HitsOf(*world, "slow"), 10);
}

TEST(UpdateTest, SpreadWorkIsTheSameInEachTick) {
  const auto world = WorldOf(Manifest({kMarker, R"(
types { name: "ant" components { component: "marker" }
        behaviours { behaviour: "testing_count" every_ticks: 4 spread: true } }
objects { name: "ant" type: "ant" grid { count_x: 40 } }
)"}));
  const auto total = [&] {
    int64_t sum = 0;
    for (int i = 0; i < 40; ++i) {
      sum += HitsOf(*world, "ant_" + std::to_string(i));
    }
    return sum;
  };
  for (int tick = 1; tick <= 8; ++tick) {
    StepTimes(*world, 1);
    EXPECT_EQ(total(), 10 * tick);
  }
}

TEST(UpdateTest, AttachedObjectsFollowWithoutLag) {
  const auto world = WorldOf(Manifest({kMarker, R"(
types { name: "ship" components { component: "marker" set { property: "speed" value { number: 6 } } }
        behaviours { behaviour: "testing_drift" } }
types { name: "thing" components { component: "marker" } }
objects { name: "ship" type: "ship" position { x: 10 } rotation_degrees { y: 90 } }
objects { name: "mast" type: "thing" parent: "ship" attached: true position { x: 10 y: 5 z: -2 } rotation_degrees { y: 90 } }
objects { name: "bird" type: "thing" parent: "mast" attached: true position { x: 10 y: 6 z: -2 } }
)"}));
  const auto x_of = [&](std::string_view name) {
    return ValueOf(*world, "world", "places", name, "position.x")->AsDouble();
  };
  for (int tick = 0; tick < 60; ++tick) {
    StepTimes(*world, 1);
    EXPECT_NEAR(x_of("mast"), x_of("ship"), 1e-12);
    EXPECT_NEAR(x_of("bird"), x_of("ship"), 1e-12);
  }
  EXPECT_NEAR(x_of("ship"), 16.0, 1e-9);
  EXPECT_NEAR(
      ValueOf(*world, "world", "places", "bird", "position.y")->AsDouble(), 6.0,
      1e-12);
}

TEST(UpdateTest, DormantObjectIsNotUpdated) {
  const auto world = WorldOf(Manifest(
      {kMarker, kTypes,
       "objects { name: \"clock\" type: \"clock\" dormant: true }\n"}));
  StepTimes(*world, 3);
  EXPECT_EQ(HitsOf(*world, "clock"), 0);
}

TEST(UpdateTest, ValueBeyondItsBoundsIsNotWrittenAndTold) {
  const auto world = WorldOf(Manifest({kMarker, R"(
types { name: "car" components { component: "marker" set { property: "speed" value { integer: 3 } } }
        behaviours { behaviour: "testing_overdo" } }
objects { name: "car" type: "car" }
)"}));
  StepTimes(*world, 1);
  EXPECT_EQ(ValueOf(*world, "components", "marker", "car", "speed"),
            FieldValue::OfDouble(3.0));
  EXPECT_EQ(EventsOf(*world, "property_refused").size(), 1u);
}

TEST(UpdateTest, RandomStreamsAreOfTheirObjectsAndTheSeed) {
  const std::string manifest = Manifest({kMarker, R"(
types { name: "die" components { component: "marker" }
        behaviours { behaviour: "testing_dice" } }
objects { name: "die" type: "die" grid { count_x: 2 } }
)"});
  const auto roll = [&](uint64_t seed, std::string_view object) {
    const auto world = WorldOf(manifest, seed);
    StepTimes(*world, 3);
    return ValueOf(*world, "components", "marker", object, "speed")->bits;
  };
  EXPECT_EQ(roll(1, "die_0"), roll(1, "die_0"));
  EXPECT_NE(roll(1, "die_0"), roll(1, "die_1"));
  EXPECT_NE(roll(1, "die_0"), roll(2, "die_0"));
}

}  // namespace
}  // namespace reprise::sim

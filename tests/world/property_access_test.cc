// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a behaviour reads and writes any property of its objects by its
// name, and reads those of others by the rules of what is known when; and that
// what can't be says why and changes nothing.

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/world/components/property_value.h"
#include "tests/world/acting_behaviour.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kPack = R"(
components {
  name: "all"
  properties { name: "flag" type: TYPE_BOOLEAN }
  properties { name: "count" type: TYPE_INTEGER minimum: 0 maximum: 9 }
  properties { name: "size" type: TYPE_NUMBER maximum: 9 }
  properties { name: "key" type: TYPE_NAME }
  properties { name: "line" type: TYPE_TEXT }
  properties { name: "colour" type: TYPE_CHOICE choices: "red" choices: "green" }
  properties { name: "plan" type: TYPE_VECTOR2 }
  properties { name: "way" type: TYPE_VECTOR3 }
  properties { name: "turn" type: TYPE_ROTATION }
  properties { name: "friend" type: TYPE_REFERENCE }
  properties { name: "stops" type: TYPE_VECTOR3 list_max: 3 }
  properties { name: "scores" type: TYPE_INTEGER list_max: 4 minimum: 0 }
}
components { name: "other" properties { name: "count" type: TYPE_INTEGER } }
types {
  name: "actor" components { component: "all" }
  behaviours { behaviour: "testing_act" }
}
types { name: "prop" components { component: "all" } }
objects { name: "first" type: "actor" }
objects { name: "second" type: "prop"
  components { component: "all" set { property: "count" value { integer: 5 } } } }
)";

class PropertyAccessTest : public ::testing::Test {
 protected:
  PropertyAccessTest() : world_(WorldOf(Manifest({kPack}))) {}
  ~PropertyAccessTest() override { TheActs() = {}; }

  // Has `first` do something in one update.
  void Act(std::function<void(UpdateContext&, uint32_t)> act) {
    TheActs().before_physics = std::move(act);
    StepTimes(*world_, 1);
    TheActs() = {};
  }

  FieldValue Stored(std::string_view object, std::string_view scalar) const {
    return *ValueOf(*world_, "components", "all", object, scalar);
  }

  std::unique_ptr<Simulation> world_;
};

TEST_F(PropertyAccessTest, EveryTypeIsWrittenAndReadByName) {
  Act([](UpdateContext& context, uint32_t i) {
    const auto check = [&](std::string_view name, const PropertyValue& value) {
      EXPECT_EQ(context.Set(i, "all", name, value), absl::OkStatus()) << name;
      const absl::StatusOr<PropertyValue> read = context.Get(i, "all", name);
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(*read, value) << name;
    };
    check("flag", PropertyValue::OfBool(true));
    check("count", PropertyValue::OfInt(7));
    check("size", PropertyValue::OfNumber(-2.5));
    check("key", PropertyValue::OfName(IdOf("first")));
    check("line", PropertyValue::OfText(IdOf("A line.")));
    check("colour", PropertyValue::OfChoice(IdOf("green")));
    check("plan", PropertyValue::OfVector2({1.0, 2.0}));
    check("way", PropertyValue::OfVector3({1.0, 2.0, 3.0}));
    check("turn", PropertyValue::OfRotation({0.0, 0.6, 0.0, 0.8}));
    check("friend", PropertyValue::OfReference(context.handle(i)));
    PropertyValue stops = PropertyValue::ListOf(PropertyType::kVector3);
    stops.Append(PropertyValue::OfVector3({4.0, 5.0, 6.0}));
    stops.Append(PropertyValue::OfVector3({7.0, 8.0, 9.0}));
    check("stops", stops);
  });
  EXPECT_EQ(Stored("first", "flag").bits, 1u);
  EXPECT_EQ(Stored("first", "size").AsDouble(), -2.5);
  EXPECT_EQ(Stored("first", "way.z").AsDouble(), 3.0);
  EXPECT_EQ(Stored("first", "stops_count").bits, 2u);
  EXPECT_EQ(Stored("first", "stops[5]").AsDouble(), 9.0);
}

TEST_F(PropertyAccessTest, TypedCallsReachWhatNamesReach) {
  Act([](UpdateContext& context, uint32_t i) {
    const auto plan = context.FindProperty("all", "plan");
    const auto scores = context.FindProperty("all", "scores");
    ASSERT_TRUE(plan.ok() && scores.ok());
    EXPECT_TRUE(context.SetVector2(i, *plan, {3.0, 4.0}));
    EXPECT_EQ(context.Get(i, *plan)->AsVector2(), (Vector2{3.0, 4.0}));
    EXPECT_EQ(context.Vector2(i, *plan), (Vector2{3.0, 4.0}));
    PropertyValue list = PropertyValue::ListOf(PropertyType::kInt);
    for (const int64_t score : {3, 1, 4}) {
      list.Append(PropertyValue::OfInt(score));
    }
    ASSERT_TRUE(context.Set(i, *scores, list).ok());
    ASSERT_EQ(context.ListSize(i, *scores), 3u);
    EXPECT_EQ(context.Int(i, scores->At(2)), 4);
    EXPECT_TRUE(context.SetInt(i, scores->At(1), 8));
    EXPECT_FALSE(context.SetInt(i, scores->At(1), -1));
    EXPECT_EQ(context.Get(i, *scores)->AsInt(1), 8);
  });
  EXPECT_EQ(EventsOf(*world_, "property_refused").size(), 1u);
}

TEST_F(PropertyAccessTest, WhatCantBeSaysWhyAndChangesNothing) {
  const Digest before = world_->state()
                            .table(*world_->state().Find("components", "all"))
                            .ComputeDigest();
  Act([](UpdateContext& context, uint32_t i) {
    const auto refusal = [&](std::string_view component, std::string_view name,
                             const PropertyValue& value) {
      return context.Set(i, component, name, value);
    };
    const PropertyValue five = PropertyValue::OfInt(5);
    EXPECT_EQ(refusal("al", "count", five).code(), absl::StatusCode::kNotFound);
    EXPECT_EQ(refusal("all", "cuont", five).code(),
              absl::StatusCode::kNotFound);
    EXPECT_EQ(
        refusal("other", "count", five),
        absl::FailedPreconditionError("the object has no component 'other'"));
    EXPECT_EQ(refusal("all", "flag", five).code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(refusal("all", "stops", five).code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(refusal("all", "count", PropertyValue::OfInt(10)),
              absl::OutOfRangeError("'count': 10 is above the maximum 9"));
    EXPECT_EQ(context.Get(i, "other", "count").status().code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(context.Get(i, "all", "cuont").status().code(),
              absl::StatusCode::kNotFound);
  });
  // Bounds are the game's business, all else the program's.
  EXPECT_EQ(EventsOf(*world_, "property_refused").size(), 1u);
  EXPECT_EQ(world_->state()
                .table(*world_->state().Find("components", "all"))
                .ComputeDigest(),
            before);
}

TEST_F(PropertyAccessTest, WritingWhatIsThereLeavesThePageAsItWas) {
  const TableIndex table = *world_->state().Find("components", "all");
  const uint64_t stamp = world_->state().table(table).PageStamp(0);
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(context.Set(i, "all", "count", PropertyValue::OfInt(0)).ok());
  });
  EXPECT_EQ(world_->state().table(table).PageStamp(0), stamp);
}

TEST_F(PropertyAccessTest, OthersAreReadByWhatIsKnownWhen) {
  Act([](UpdateContext& context, uint32_t i) {
    const Handle other = context.Find(IdOf("second"));
    const auto count =
        context.Read(i, other, "all", "count", ReadTime::kLastTick);
    ASSERT_TRUE(count.ok()) << count.status();
    EXPECT_EQ(count->AsInt(), 5);
    const auto ref = context.FindProperty("all", "turn");
    ASSERT_TRUE(ref.ok());
    EXPECT_EQ(context.ReadRotation(i, other, *ref, ReadTime::kLastTick),
              Quaternion{});
    EXPECT_EQ(context.Read(i, other, "all", "count", ReadTime::kThisTick)
                  .status()
                  .code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(context.Read(i, other, "other", "count", ReadTime::kLastTick)
                  .status()
                  .code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(context
                  .Read(i, {.index = 50, .generation = 1}, "all", "count",
                        ReadTime::kLastTick)
                  .status()
                  .code(),
              absl::StatusCode::kNotFound);
  });
  EXPECT_EQ(EventsOf(*world_, "read_refused").size(), 1u);
}

}  // namespace
}  // namespace reprise::sim

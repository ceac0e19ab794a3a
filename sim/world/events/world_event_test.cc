// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that arguments are found by name and type or refused, never converted;
// that their order of entry is nothing; and that an event owns what it says.

#include "sim/world/events/world_event.h"

#include <bit>
#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/state/field_value.h"

namespace reprise::sim {
namespace {

constexpr Id kForce = IdOf("force");
constexpr Id kWho = IdOf("who");
constexpr Id kWhere = IdOf("where");

TEST(WorldEventTest, ArgumentsAreReadAsWhatTheyWereSetAs) {
  constexpr Handle kHandle = {.index = 3, .generation = 9};
  const EventArguments arguments = {{IdOf("a"), {ScalarType::kBool, 1}},
                                    {IdOf("b"), FieldValue::OfInt64(-7)},
                                    {IdOf("c"), FieldValue::OfDouble(-0.0)},
                                    {IdOf("d"), FieldValue::OfId(kForce)},
                                    {IdOf("e"), FieldValue::OfObject({5})},
                                    {IdOf("f"), FieldValue::OfHandle(kHandle)}};
  EXPECT_EQ(*arguments.GetBool(IdOf("a")), true);
  EXPECT_EQ(*arguments.GetInt64(IdOf("b")), -7);
  EXPECT_EQ(std::bit_cast<uint64_t>(*arguments.GetDouble(IdOf("c"))),
            std::bit_cast<uint64_t>(-0.0));
  EXPECT_EQ(*arguments.GetId(IdOf("d")), kForce);
  EXPECT_EQ(*arguments.GetObject(IdOf("e")), ObjectId{5});
  EXPECT_EQ(*arguments.GetHandle(IdOf("f")), kHandle);
}

TEST(WorldEventTest, AbsentAndOtherTypesAreResults) {
  const EventArguments arguments = {{kForce, FieldValue::OfInt64(2)}};
  EXPECT_EQ(arguments.Get(kWho).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(arguments.GetDouble(kWho).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(arguments.GetDouble(kForce).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(arguments.GetBool(kForce).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(WorldEventTest, OrderOfEntryIsNothing) {
  const EventArgument force = {kForce, FieldValue::OfDouble(1.5)};
  const EventArgument who = {kWho, FieldValue::OfObject({1})};
  const EventArgument where = {kWhere, FieldValue::OfInt64(3)};
  EXPECT_EQ((EventArguments{force, who, where}),
            (EventArguments{where, force, who}));
  EXPECT_NE((EventArguments{force, who}), (EventArguments{force, where}));
}

TEST(WorldEventTest, SettingAgainReplaces) {
  EventArguments arguments = {{kForce, FieldValue::OfInt64(2)}};
  EXPECT_TRUE(arguments.Set(kForce, FieldValue::OfDouble(2.5)).ok());
  EXPECT_EQ(*arguments.GetDouble(kForce), 2.5);
  EXPECT_EQ(arguments.all().size(), 1u);
}

TEST(WorldEventTest, WhatIsNoValueIsRefused) {
  EventArguments arguments;
  const FieldValue nan =
      FieldValue::OfDouble(std::numeric_limits<double>::quiet_NaN());
  for (const FieldValue value : {nan, FieldValue{ScalarType::kBool, 2},
                                 FieldValue{ScalarType::kInt16, 1},
                                 FieldValue{static_cast<ScalarType>(99), 1}}) {
    EXPECT_EQ(arguments.Set(kForce, value).code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(arguments.Set(kNoId, FieldValue::OfInt64(1)).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(arguments, EventArguments());
}

TEST(WorldEventTest, NinthArgumentIsRefusedAndOldOnesCanBeSet) {
  EventArguments arguments;
  for (size_t i = 0; i < kEventArgumentsMax; ++i) {
    EXPECT_TRUE(
        arguments.Set(IdOf(std::to_string(i)), FieldValue::OfInt64(0)).ok());
  }
  const EventArguments full = arguments;
  EXPECT_EQ(arguments.Set(kForce, FieldValue::OfInt64(1)).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(arguments, full);
  EXPECT_TRUE(arguments.Set(IdOf("0"), FieldValue::OfInt64(1)).ok());
}

TEST(WorldEventTest, CopyKeepsItsArguments) {
  WorldEvent event = {.type = IdOf("hit"),
                      .arguments = {{kForce, FieldValue::OfInt64(2)}}};
  const WorldEvent copy = event;
  ASSERT_TRUE(event.arguments.Set(kForce, FieldValue::OfInt64(3)).ok());
  EXPECT_EQ(*copy.arguments.GetInt64(kForce), 2);
  EXPECT_NE(copy, event);
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves which connections an event follows and in which order, what the events
// that they post say, and that a wrong one is named.

#include "sim/world/events/event_connections.h"

#include <span>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/world/events/testing_receivers.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Id kPressed = IdOf("pressed");
constexpr Id kOpen = IdOf("open");
constexpr Id kForce = IdOf("force");
constexpr Id kSpeed = IdOf("speed");
constexpr Id kColour = IdOf("colour");

EventConnection Connection(uint64_t source, Id type, Id name) {
  return {.source = {source}, .type = type, .name = name, .posted_type = kOpen};
}

std::vector<Id> NamesOf(std::span<const EventConnection> connections) {
  std::vector<Id> names;
  for (const EventConnection& connection : connections) {
    names.push_back(connection.name);
  }
  return names;
}

TEST(EventConnectionsTest, FoundBySourceAndTypeInTheOrderOfNames) {
  const EventConnections connections(
      {Connection(2, kPressed, {8}), Connection(1, kPressed, {9}),
       Connection(1, kPressed, {3}), Connection(1, kOpen, {4}),
       Connection(0, kPressed, {5})});
  EXPECT_THAT(NamesOf(connections.Find({1}, kPressed)),
              ElementsAre(Id{3}, Id{9}));
  EXPECT_THAT(NamesOf(connections.Find(kNoObject, kPressed)),
              ElementsAre(Id{5}));
  EXPECT_THAT(NamesOf(connections.Find({3}, kPressed)), IsEmpty());
}

TEST(EventConnectionsTest, OutputsBecomeInputsAndConstantsAreAdded) {
  EventConnection connection = Connection(1, kPressed, {1});
  connection.priority = 4;
  connection.mappings = {{.output = kForce, .input = kSpeed},
                         {.output = IdOf("absent"), .input = IdOf("left_out")}};
  connection.constants = {{kColour, FieldValue::OfInt64(3)}};
  const WorldEvent sent = {
      .type = kPressed,
      .sender = {.index = 1, .generation = 1},
      .arguments = {{kForce, FieldValue::OfDouble(2.5)},
                    {IdOf("unmapped"), FieldValue::OfInt64(1)}}};
  const Handle door = {.index = 7, .generation = 2};
  const WorldEvent expected = {
      .type = kOpen,
      .sender = sent.sender,
      .target = door,
      .priority = 4,
      .arguments = {{kSpeed, FieldValue::OfDouble(2.5)},
                    {kColour, FieldValue::OfInt64(3)}}};
  EXPECT_EQ(ConnectedEvent(connection, sent, door, TestingReceivers()),
            expected);
}

TEST(EventConnectionsTest, ArgumentsBecomeWhatTheOtherEventIsSaidToHave) {
  TestingReceivers receivers;
  const Handle guard = receivers.Create([](const WorldEvent&) { return true; });
  const ObjectId guard_object = receivers.ObjectOf(guard);
  EventConnection connection = Connection(1, kPressed, {1});
  connection.mappings = {{.output = IdOf("whole"),
                          .input = IdOf("number"),
                          .becomes = ScalarType::kDouble},
                         {.output = IdOf("who"),
                          .input = IdOf("whom"),
                          .becomes = ScalarType::kHandle},
                         {.output = IdOf("held"),
                          .input = IdOf("object"),
                          .becomes = ScalarType::kObject},
                         {.output = IdOf("gone"),
                          .input = IdOf("nobody"),
                          .becomes = ScalarType::kHandle}};
  const WorldEvent sent = {
      .type = kPressed,
      .arguments = {{IdOf("whole"), FieldValue::OfInt64(-3)},
                    {IdOf("who"), FieldValue::OfObject(guard_object)},
                    {IdOf("held"), FieldValue::OfHandle(guard)},
                    {IdOf("gone"), FieldValue::OfObject({77})}}};
  const EventArguments arguments =
      ConnectedEvent(connection, sent, {}, receivers).arguments;
  EXPECT_EQ(*arguments.GetDouble(IdOf("number")), -3.0);
  EXPECT_EQ(*arguments.GetHandle(IdOf("whom")), guard);
  EXPECT_EQ(*arguments.GetObject(IdOf("object")), guard_object);
  EXPECT_EQ(*arguments.GetHandle(IdOf("nobody")), kNullHandle);
}

TEST(EventConnectionsTest, EveryMistakeIsNamedByItsPosition) {
  std::vector<EventConnection> wrong(7, Connection(1, kPressed, {2}));
  wrong[0].type = kNoId;
  wrong[1].name = kNoId;
  wrong[2].posted_type = kNoId;
  wrong[3].delay = kTickMax + 1;
  wrong[4].mappings = {{.output = kForce, .input = kSpeed}};
  wrong[4].constants = {{kSpeed, FieldValue::OfInt64(1)}};
  wrong[5].constants = {{kNoId, FieldValue::OfInt64(1)}};
  wrong[6].mappings = {{.output = kNoId, .input = kSpeed}};
  for (const EventConnection& connection : wrong) {
    const std::vector pair = {Connection(1, kPressed, {1}), connection};
    const absl::Status status = ValidateEventConnections(pair);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("connection 1:"));
  }
}

TEST(EventConnectionsTest, SameSourceTypeAndNameIsAMistake) {
  const std::vector twice = {Connection(1, kPressed, {1}),
                             Connection(2, kPressed, {1}),
                             Connection(1, kPressed, {1})};
  const absl::Status status = ValidateEventConnections(twice);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("connection 2: has the source, type and name of 0"));
}

TEST(EventConnectionsTest, NineInputsAreTooMany) {
  EventConnection connection = Connection(1, kPressed, {1});
  for (uint64_t i = 1; i <= kEventArgumentsMax + 1; ++i) {
    connection.constants.push_back({{i}, FieldValue::OfInt64(0)});
  }
  EXPECT_EQ(ValidateEventConnections(std::vector{connection}).code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that following connections, with conditions about names, numbers and
// who takes part, allocates nothing once it has been done.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/game_description.h"
#include "sim/state/field_value.h"
#include "sim/world/events/event_expression.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/testing_receivers.h"

namespace {

uint64_t allocation_count = 0;

}  // namespace

void* operator new(size_t size) {
  ++allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace reprise::sim {
namespace {

constexpr Id kHit = IdOf("hit");
constexpr Id kHurt = IdOf("hurt");

EventConnection Connection(Id name, std::string_view condition) {
  const std::vector<EventArgumentDescription> arguments = {
      {.name = "amount", .type = ScalarType::kDouble, .unit = ""},
      {.name = "by", .type = ScalarType::kHandle, .unit = ""},
      {.name = "where", .type = ScalarType::kId, .unit = ""}};
  absl::StatusOr<EventExpression> parsed =
      EventExpression::Parse(condition, {.arguments = arguments,
                                         .components = {},
                                         .types = {},
                                         .find_object = {},
                                         .name_of = {}});
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  EventConnection connection{.type = kHit, .name = name, .posted_type = kHurt};
  connection.condition =
      std::make_shared<const EventExpression>(*std::move(parsed));
  connection.participant = {.kind = Participant::Kind::kArgument,
                            .id = IdOf("by")};
  connection.mappings = {{.output = IdOf("amount"), .input = IdOf("much")}};
  return connection;
}

TEST(SteadyConnectionsTest, FollowingAgainAllocatesNothing) {
  const EventConnections connections(
      {Connection(IdOf("a"),
                  "amount * 2 > 3 and where == \"a place with a name that is "
                  "longer than a short text\""),
       Connection(IdOf("b"), "by == sender or where != \"elsewhere\""),
       Connection(IdOf("c"), "amount < 0")});
  TestingReceivers receivers;
  uint64_t heard = 0;
  const Handle one = receivers.Create([&](const WorldEvent&) { return true; });
  const Handle other = receivers.Create([&](const WorldEvent& event) {
    heard += event.type == kHurt;
    return true;
  });
  State state;
  const EventTables tables = AddEventTables(state);
  EventRouter router({}, connections, state, tables, receivers,
                     /*journal=*/nullptr);
  const WorldEvent hit = {
      .type = kHit,
      .sender = one,
      .target = one,
      .arguments = {
          {IdOf("amount"), FieldValue::OfDouble(2.0)},
          {IdOf("by"), FieldValue::OfHandle(other)},
          {IdOf("where"), FieldValue::OfId(IdOf("a place with a name that is "
                                                "longer than a short text"))}}};
  Tick now = 0;
  const auto tick = [&] {
    router.BeginTick(++now);
    for (int i = 0; i < 10; ++i) router.Post(hit);
    router.DeliverQueued();
  };
  for (int i = 0; i < 5; ++i) tick();
  const uint64_t count_before = allocation_count;
  for (int i = 0; i < 5; ++i) tick();
  EXPECT_EQ(allocation_count, count_before);
  // Two of three conditions hold.
  EXPECT_EQ(heard, 200u);
}

}  // namespace
}  // namespace reprise::sim

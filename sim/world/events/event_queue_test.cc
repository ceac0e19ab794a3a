// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the order of delivery, the bound, what a storm leaves, that equal
// contents are equal bytes, and that a queue goes on from a snapshot.

#include "sim/world/events/event_queue.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/state/state_codec.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint32_t kCapacity = 4096;
constexpr int64_t kInt64Min = std::numeric_limits<int64_t>::min();
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();

class EventQueueTest : public testing::Test {
 protected:
  EventQueue Open(uint32_t capacity = kCapacity) {
    return EventQueue(state_, tables_, capacity);
  }

  const Table& queued() const { return state_.table(tables_.queued); }
  const EventCounterRow& counters() const {
    return state_.table(tables_.counters).Get<EventCounterRow>(0);
  }

  State state_;
  EventTables tables_ = AddEventTables(state_);
};

WorldEvent Named(std::string_view name, int64_t priority = 0) {
  return {.type = IdOf(name), .priority = priority};
}

// The types of all that is due, in the order of delivery.
std::vector<Id> PopAll(EventQueue& queue, Tick now) {
  std::vector<Id> types;
  while (const auto event = queue.PopDue(now)) types.push_back(event->type);
  return types;
}

TEST_F(EventQueueTest, OrderIsTickThenPriorityThenFirstComeFirstServed) {
  EventQueue queue = Open();
  queue.Post(Named("late"), 7);
  queue.Post(Named("low", kInt64Min), 5);
  queue.Post(Named("first"), 5);
  queue.Post(Named("second"), 5);
  queue.Post(Named("high", kInt64Max), 5);
  queue.Post(Named("overdue", -1), 3);
  queue.Settle();
  EXPECT_THAT(PopAll(queue, 6),
              ElementsAre(IdOf("overdue"), IdOf("high"), IdOf("first"),
                          IdOf("second"), IdOf("low")));
  EXPECT_THAT(PopAll(queue, 7), ElementsAre(IdOf("late")));
}

TEST_F(EventQueueTest, PostedMeanwhileTakesItsPlaceAmongTheRest) {
  EventQueue queue = Open();
  queue.Post(Named("a"), 1);
  queue.Post(Named("c", -1), 1);
  queue.Settle();
  EXPECT_EQ(queue.PopDue(1)->type, IdOf("a"));
  queue.Post(Named("d", -2), 1);
  queue.Post(Named("b"), 1);
  EXPECT_THAT(PopAll(queue, 1), ElementsAre(IdOf("b"), IdOf("c"), IdOf("d")));
}

TEST_F(EventQueueTest, EventComesOutAsItWentIn) {
  const WorldEvent event = {
      .type = IdOf("hit"),
      .sender = {.index = 1, .generation = 2},
      .target = {.index = 3, .generation = 4},
      .priority = -5,
      .arguments = {{IdOf("force"), FieldValue::OfDouble(2.5)},
                    {IdOf("who"), FieldValue::OfObject({9})}}};
  EventQueue queue = Open();
  queue.Post(event, 1);
  queue.Settle();
  EXPECT_EQ(queue.PopDue(1), event);
}

TEST_F(EventQueueTest, FullQueueRefusesAndCountsUntilSomethingIsPopped) {
  EventQueue queue = Open(2);
  EXPECT_TRUE(queue.Post(Named("a"), 1));
  EXPECT_TRUE(queue.Post(Named("b"), 1));
  EXPECT_FALSE(queue.Post(Named("c"), 1));
  EXPECT_EQ(counters().queue_full, 1u);
  EXPECT_TRUE(queue.PopDue(1).has_value());
  EXPECT_TRUE(queue.Post(Named("d"), 1));
  EXPECT_THAT(PopAll(queue, 1), ElementsAre(IdOf("b"), IdOf("d")));
  EXPECT_EQ(counters().queue_full, 1u);
}

TEST_F(EventQueueTest, StormIsBoundedCountedAndTheSameAgain) {
  constexpr uint32_t kStorm = 100'000;
  const auto storm = [&](State& state) {
    EventQueue queue(state, tables_, kCapacity);
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < kStorm; ++i) {
      if (queue.Post(Named("drop", i % 17), 1 + i * 7919 % 64)) ++accepted;
    }
    return accepted;
  };
  State again = state_;
  EXPECT_EQ(storm(state_), kCapacity);
  EXPECT_EQ(storm(again), kCapacity);
  EXPECT_EQ(again.ComputeRootDigest(), state_.ComputeRootDigest());
  EXPECT_EQ(queued().row_count(), kCapacity);
  EXPECT_EQ(counters().queue_full, kStorm - kCapacity);
  EXPECT_EQ(counters().sequence_next, kCapacity);
  EXPECT_TRUE(CheckEventQueue(state_, tables_, kCapacity).ok());
}

TEST_F(EventQueueTest, CascadeOfAnyLengthPassesThroughAQueueOfOne) {
  EventQueue queue = Open(1);
  queue.Post(Named("again"), 1);
  for (int i = 0; i < 100'000; ++i) {
    const auto event = queue.PopDue(1);
    ASSERT_TRUE(event.has_value());
    ASSERT_TRUE(queue.Post(*event, 1));
  }
  queue.Settle();
  EXPECT_EQ(queued().row_count(), 1u);
}

TEST_F(EventQueueTest, EqualContentsAreEqualBytesHoweverTheyCame) {
  State other_state;
  const EventTables other_tables = AddEventTables(other_state);
  {
    EventQueue queue = Open();
    EventQueue other(other_state, other_tables, kCapacity);
    for (uint32_t i = 0; i < 1000; ++i) {
      const Tick due = 1 + i * 7919 % 32;
      queue.Post(Named("e", i % 3), due);
      other.Post(Named("e", i % 3), due);
      if (i % 10 == 0) queue.Settle();
    }
    for (Tick now = 1; now <= 16; ++now) PopAll(queue, now);
    PopAll(other, 16);
  }
  EXPECT_EQ(state_.ComputeRootDigest(), other_state.ComputeRootDigest());
  EXPECT_GT(queued().row_count(), 0u);
}

TEST_F(EventQueueTest, LaterEventsLeaveTheRowsBeforeThemUnwritten) {
  EventQueue queue = Open();
  for (uint32_t i = 0; i < 100; ++i) queue.Post(Named("early"), 10);
  queue.Settle();
  const uint64_t stamp = queued().PageStamp(0);
  queue.Post(Named("late"), 20);
  queue.Settle();
  EXPECT_THAT(PopAll(queue, 9), IsEmpty());
  queue.Settle();
  EXPECT_EQ(queued().PageStamp(0), stamp);
}

// A handler that works every `period` ticks by posting its own next event
// (Gregory, Game Engine Architecture, 7.3.3), saved and restored on the way.
TEST_F(EventQueueTest, HandlerThatPostsItselfFiresEveryPeriodAcrossASave) {
  constexpr Tick kPeriod = 7;
  constexpr Tick kTicks = 1000;
  Open().Post(Named("again"), kPeriod);
  uint64_t firings = 0;
  for (Tick now = 1; now <= kTicks; ++now) {
    if (now % 100 == 50) {
      const std::string saved = EncodeState(state_);
      state_ = *DecodeState(std::as_bytes(std::span(saved)), state_);
      ASSERT_TRUE(CheckEventQueue(state_, tables_, kCapacity).ok());
    }
    EventQueue queue = Open();
    while (const auto event = queue.PopDue(now)) {
      ++firings;
      queue.Post(*event, now + kPeriod);
    }
  }
  EXPECT_EQ(firings, kTicks / kPeriod);
}

TEST_F(EventQueueTest, CountsWhatIsDueWhereverItLies) {
  EventQueue queue = Open();
  queue.Post(Named("a"), 1);
  queue.Post(Named("b"), 2);
  queue.Settle();
  queue.Post(Named("c"), 1);
  queue.Post(Named("d"), 9);
  queue.PopDue(1);
  EXPECT_EQ(queue.CountDue(1), 1u);
  EXPECT_EQ(queue.CountDue(2), 2u);
  EXPECT_EQ(queue.waiting_count(), 3u);
}

TEST_F(EventQueueTest, DamagedRowsAreDataLoss) {
  {
    EventQueue queue = Open();
    const EventArgument force = {IdOf("force"), FieldValue::OfDouble(1.0)};
    for (uint32_t i = 0; i < 3; ++i) {
      queue.Post({.type = IdOf("hit"), .arguments = {force}}, 1);
    }
  }
  const auto code_after = [&](auto change) {
    State damaged = state_;
    change(damaged.mutable_table(tables_.queued).Mutable<QueuedEventRow>(1));
    return CheckEventQueue(damaged, tables_, kCapacity).code();
  };
  using Row = QueuedEventRow;
  EXPECT_EQ(code_after([](Row&) {}), absl::StatusCode::kOk);
  const auto data_loss = absl::StatusCode::kDataLoss;
  EXPECT_EQ(code_after([](Row& row) { row.due = 2; }), data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.sequence = 0; }), data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.is_announced = 2; }), data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.types[0] = 77; }), data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.types[1] = 1; }), data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.names[1] = row.names[0]; }),
            data_loss);
  EXPECT_EQ(code_after([](Row& row) { row.values[0] = ~uint64_t{0}; }),
            data_loss);
  EXPECT_EQ(CheckEventQueue(state_, tables_, 2).code(), data_loss);
}

}  // namespace
}  // namespace reprise::sim

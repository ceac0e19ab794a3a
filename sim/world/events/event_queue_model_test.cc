// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the queue is the simplest thing that could be meant: a vector
// from which the least is taken, under random posts, pops, settlings and saves.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/world/events/event_queue.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kCapacity = 40;
constexpr int kSteps = 20'000;

// The queue as one would explain it.
class NaiveQueue {
 public:
  bool Post(const WorldEvent& event, Tick due) {
    if (events_.size() == kCapacity) return false;
    events_.push_back({due, event.priority, sequence_next_++, event});
    return true;
  }

  std::optional<WorldEvent> PopDue(Tick now) {
    const auto first =
        std::ranges::min_element(events_, {}, [](const Waiting& waiting) {
          // No priority here is the least int64, which has no negative.
          return std::tuple(waiting.due, -waiting.priority, waiting.sequence);
        });
    if (first == events_.end() || first->due > now) return std::nullopt;
    const WorldEvent event = first->event;
    events_.erase(first);
    return event;
  }

  size_t size() const { return events_.size(); }

 private:
  struct Waiting {
    Tick due;
    int64_t priority;
    uint64_t sequence;
    WorldEvent event;
  };
  std::vector<Waiting> events_;
  uint64_t sequence_next_ = 0;
};

WorldEvent RandomEvent(RandomStream& stream) {
  WorldEvent event = {.type = {1 + NextBelow(stream, 5)}};
  event.priority = NextInRange(stream, -2, 2);
  const uint64_t argument_count = NextBelow(stream, kEventArgumentsMax + 1);
  for (uint64_t i = 0; i < argument_count; ++i) {
    const Id name = {NextUint64(stream) | 1};
    EXPECT_TRUE(event.arguments
                    .Set(name, FieldValue::OfInt64(NextInRange(stream, -9, 9)))
                    .ok());
  }
  return event;
}

class EventQueueModelTest : public testing::TestWithParam<uint64_t> {};

TEST_P(EventQueueModelTest, QueueIsTheVector) {
  RandomStream stream = MakeRandomStream(GetParam(), IdOf("queue"));
  State state;
  const EventTables tables = AddEventTables(state);
  auto queue = std::make_unique<EventQueue>(state, tables, kCapacity);
  NaiveQueue model;
  Tick now = 0;
  for (int step = 0; step < kSteps; ++step) {
    switch (NextBelow(stream, 10)) {
      case 0:
        ++now;
        break;
      case 1:
        queue->Settle();
        ASSERT_TRUE(CheckEventQueue(state, tables, kCapacity).ok());
        break;
      case 2:  // a copy is a snapshot: go on from it
        queue.reset();
        state = State(state);
        queue = std::make_unique<EventQueue>(state, tables, kCapacity);
        break;
      case 3:
      case 4:
      case 5:
        ASSERT_EQ(queue->PopDue(now), model.PopDue(now)) << "step " << step;
        break;
      default: {
        const WorldEvent event = RandomEvent(stream);
        const Tick due = now + NextBelow(stream, 6);
        ASSERT_EQ(queue->Post(event, due), model.Post(event, due));
      }
    }
    ASSERT_EQ(queue->waiting_count(), model.size()) << "step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, EventQueueModelTest,
                         testing::Range<uint64_t>(1, 6));

}  // namespace
}  // namespace reprise::sim

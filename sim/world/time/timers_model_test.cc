// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that timers are the simplest thing that could be meant, a vector that
// is searched every tick, under random starts, stops, sleep and waking, also
// while firing.

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/world/time/timers.h"

namespace reprise::sim {
namespace {

constexpr uint64_t kObjects = 20;
constexpr uint64_t kNames = 20;
constexpr Tick kTicks = 3000;
constexpr Id kEvent = IdOf("tick");

struct Firing {
  Tick now;
  ObjectId object;
  Id name;

  friend bool operator==(const Firing&, const Firing&) = default;
};

// Timers as one would explain them.
class NaiveTimers {
 public:
  void Start(const TimerStart& start, Tick now) {
    Stop(start.object, start.name);
    timers_.push_back({.start = start,
                       .due = start.is_asleep ? 0 : now + start.delay,
                       .left = start.is_asleep ? start.delay : 0,
                       .is_asleep = start.is_asleep,
                       .remaining = start.period == 0 ? 1 : start.firings,
                       .sequence = sequence_next_++});
  }

  bool Stop(ObjectId object, Id name) {
    return std::erase_if(timers_, [&](const Timer& timer) {
             return timer.start.object == object && timer.start.name == name;
           }) > 0;
  }

  void StopAllOf(ObjectId object) {
    std::erase_if(timers_, [&](const Timer& timer) {
      return timer.start.object == object;
    });
  }

  void SleepAllOf(ObjectId object, Tick now) {
    for (Timer& timer : timers_) {
      if (timer.start.object != object || timer.is_asleep) continue;
      timer.left = timer.due - std::min(timer.due, now);
      timer.is_asleep = true;
    }
  }

  void WakeAllOf(ObjectId object, Tick now) {
    for (Timer& timer : timers_) {
      if (timer.start.object != object || !timer.is_asleep) continue;
      timer.due = now + timer.left;
      timer.is_asleep = false;
    }
  }

  template <typename Visitor>
  void FireDue(Tick now, const Visitor& visit) {
    std::vector<Timer> due;
    for (const Timer& timer : timers_) {
      if (!timer.is_asleep && timer.due <= now) due.push_back(timer);
    }
    std::ranges::sort(due, {}, [](const Timer& timer) {
      return std::tuple(timer.due, -timer.start.priority, timer.sequence);
    });
    for (const Timer& fired : due) {
      const auto timer =
          std::ranges::find(timers_, fired.sequence, &Timer::sequence);
      if (timer == timers_.end() || timer->is_asleep) continue;
      if (timer->remaining == 1) {
        timers_.erase(timer);
      } else {
        timer->due += timer->start.period;
        if (timer->remaining > 0) --timer->remaining;
      }
      visit(fired.start.object, fired.start.name);
    }
  }

  size_t size() const { return timers_.size(); }

 private:
  struct Timer {
    TimerStart start;
    Tick due;
    Tick left;
    bool is_asleep;
    uint64_t remaining;
    uint64_t sequence;
  };
  std::vector<Timer> timers_;
  uint64_t sequence_next_ = 0;
};

ObjectId RandomObject(RandomStream& stream) {
  return {1 + NextBelow(stream, kObjects)};
}

Id RandomName(RandomStream& stream) { return {1 + NextBelow(stream, kNames)}; }

// Does one random thing to `timers`, which is either kind, of objects of which
// some are asleep.
template <typename AnyTimers>
void Disturb(AnyTimers& timers, std::set<ObjectId>& asleep, Tick now,
             RandomStream& stream) {
  const ObjectId object = RandomObject(stream);
  const Id name = RandomName(stream);
  switch (NextBelow(stream, 10)) {
    case 0:
      timers.StopAllOf(object);
      break;
    case 1:
    case 2:
      timers.Stop(object, name);
      break;
    case 3:
      timers.SleepAllOf(object, now);
      asleep.insert(object);
      break;
    case 4:
      timers.WakeAllOf(object, now);
      asleep.erase(object);
      break;
    default: {
      TimerStart start = {.object = object, .name = name, .event = kEvent};
      start.is_asleep = asleep.contains(object);
      start.delay = 1 + NextBelow(stream, 40);
      start.period = NextBelow(stream, 30);
      if (start.period > 0) start.firings = NextBelow(stream, 5);
      start.priority = NextInRange(stream, -1, 1);
      static_cast<void>(timers.Start(start, now));
    }
  }
}

// Runs either kind; the firings, and sizes between them, are its account.
template <typename AnyTimers>
std::vector<Firing> FiringsOf(AnyTimers& timers, uint64_t seed) {
  RandomStream stream = MakeRandomStream(seed, IdOf("timers"));
  std::set<ObjectId> asleep;
  std::vector<Firing> firings;
  for (Tick now = 1; now <= kTicks; ++now) {
    Disturb(timers, asleep, now - 1, stream);
    const auto note = [&](ObjectId object, Id name) {
      firings.push_back({.now = now, .object = object, .name = name});
      EXPECT_FALSE(asleep.contains(object));
      if (NextBelow(stream, 3) == 0) Disturb(timers, asleep, now, stream);
    };
    if constexpr (std::is_same_v<AnyTimers, Timers>) {
      timers.FireDue(
          now, [&](const TimerRow& timer) { note(timer.object, timer.name); });
    } else {
      timers.FireDue(now, note);
    }
  }
  return firings;
}

class TimersModelTest : public testing::TestWithParam<uint64_t> {};

TEST_P(TimersModelTest, TimersAreTheVector) {
  State state;
  const TimerTables tables = AddTimerTables(state, "time");
  Timers timers(state, tables);
  NaiveTimers model;
  const std::vector<Firing> expected = FiringsOf(model, GetParam());
  EXPECT_GT(expected.size(), 1000u);
  EXPECT_EQ(FiringsOf(timers, GetParam()), expected);
  EXPECT_EQ(state.table(tables.timers).row_count(), model.size());
  EXPECT_TRUE(CheckTimers(state, tables).ok());
}

INSTANTIATE_TEST_SUITE_P(Seeds, TimersModelTest,
                         testing::Range<uint64_t>(1, 9));

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an event costs: posted, queued and routed to a handler, against calling
// that handler directly and through a virtual function in the same run. The
// sides take turns, so that what else the machine does meets all alike; the
// ratios are of their sums. Also what a tick of many timers costs.

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <memory>

#include "benchmark/benchmark.h"
#include "sim/base/random.h"
#include "sim/world/events/event_router.h"
#include "sim/world/time/timers.h"

namespace reprise::sim {
namespace {

constexpr Id kHit = IdOf("hit");
constexpr Id kForce = IdOf("force");

// Enough of each side that a turn is far longer than the clock's microsecond.
constexpr uint32_t kEventsPerTurn = 20'000;
constexpr uint32_t kTurns = 40;
constexpr uint32_t kTicksPerTurn = 100;

// What every handler does: it reads one argument.
class Health {
 public:
  virtual ~Health() = default;
  virtual bool OnEvent(const WorldEvent& event) {
    sum_ += event.arguments.Find(kForce)->value.AsDouble();
    return true;
  }
  double sum() const { return sum_; }

 private:
  double sum_ = 0.0;
};

// The same as a plain function, which the compiler may not inline.
[[gnu::noinline]] bool HandleDirectly(const WorldEvent& event, double& sum) {
  sum += event.arguments.Find(kForce)->value.AsDouble();
  return true;
}

// Routes to one object, with a virtual call and nothing else.
class OneReceiver final : public EventReceivers {
 public:
  explicit OneReceiver(Health& health) : health_(health) {}

  ObjectId ObjectOf(Handle handle) const override { return {handle.index}; }
  Handle HandleOf(ObjectId object) const override {
    return {.index = static_cast<uint32_t>(object.serial), .generation = 1};
  }
  Handle ParentOf(Handle /*handle*/) const override { return kNullHandle; }
  bool Deliver(Handle /*receiver*/, const WorldEvent& event) override {
    return health_.OnEvent(event);
  }

 private:
  Health& health_;
};

template <typename Work>
void TakeTurn(const Work& work, double& seconds) {
  const std::clock_t begin = std::clock();
  work();
  seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// `count` events a tick, all of one priority or of four. The time reported is
// that of one event through queue and router.
void BM_EventAgainstCall(benchmark::State& benchmark_state) {
  const auto count = static_cast<uint32_t>(benchmark_state.range(0));
  const auto priorities = static_cast<uint32_t>(benchmark_state.range(1));
  const WorldEvent hit = {.type = kHit,
                          .target = {.index = 1, .generation = 1},
                          .arguments = {{kForce, FieldValue::OfDouble(0.5)}}};
  const EventLimits limits = {.queue_capacity = count,
                              .events_per_tick_max = count};
  const EventConnections connections;
  const std::unique_ptr<Health> health = std::make_unique<Health>();
  OneReceiver receivers(*health);
  State state;
  const EventTables tables = AddEventTables(state);
  EventRouter router(limits, connections, state, tables, receivers,
                     /*journal=*/nullptr);
  double direct_seconds = 0.0;
  double virtual_seconds = 0.0;
  double queued_seconds = 0.0;
  double sent_seconds = 0.0;
  double sum = 0.0;
  Tick now = 0;
  // Whole ticks of `count` events.
  const uint32_t ticks = std::max(1u, kEventsPerTurn / count);
  const auto call = [&] {
    for (uint32_t i = 0; i < ticks * count; ++i) HandleDirectly(hit, sum);
  };
  const auto call_virtually = [&] {
    Health* receiver = health.get();
    benchmark::DoNotOptimize(receiver);
    for (uint32_t i = 0; i < ticks * count; ++i) receiver->OnEvent(hit);
  };
  const auto queue = [&] {
    WorldEvent event = hit;
    for (uint32_t tick = 0; tick < ticks; ++tick) {
      router.BeginTick(++now);
      for (uint32_t i = 0; i < count; ++i) {
        event.priority = i % priorities;
        router.Post(event);
      }
      router.DeliverQueued();
    }
  };
  const auto send = [&] {
    for (uint32_t tick = 0; tick < ticks; ++tick) {
      router.BeginTick(++now);
      for (uint32_t i = 0; i < count; ++i) router.Send(hit);
    }
  };
  const double event_count = double{kTurns} * ticks * count;
  for (auto _ : benchmark_state) {
    for (uint32_t turn = 0; turn < kTurns; ++turn) {
      TakeTurn(call, direct_seconds);
      TakeTurn(call_virtually, virtual_seconds);
      TakeTurn(queue, queued_seconds);
      TakeTurn(send, sent_seconds);
    }
    benchmark_state.SetIterationTime(queued_seconds / event_count);
  }
  benchmark::DoNotOptimize(sum + health->sum());
  benchmark_state.counters["queued_per_call"] = queued_seconds / direct_seconds;
  benchmark_state.counters["queued_per_virtual_call"] =
      queued_seconds / virtual_seconds;
  benchmark_state.counters["sent_per_virtual_call"] =
      sent_seconds / virtual_seconds;
  benchmark_state.counters["events_per_second"] = event_count / queued_seconds;
}
BENCHMARK(BM_EventAgainstCall)
    ->Args({1000, 1})
    ->Args({1000, 4})
    ->Args({100'000, 1})
    ->Args({100'000, 4})
    ->Iterations(1)  // one is kTurns of each
    ->UseManualTime()
    ->Unit(benchmark::kNanosecond);

// A storm of events due at random ticks, delivered over the 64 ticks that
// follow. The time reported is that of one event; were it quadratic, it would
// grow as the storm does.
void BM_StormOfTimedEvents(benchmark::State& benchmark_state) {
  const auto count = static_cast<uint32_t>(benchmark_state.range(0));
  State state;
  const EventTables tables = AddEventTables(state);
  RandomStream stream = MakeRandomStream(1, IdOf("storm"));
  EventQueue queue(state, tables, count);
  for (auto _ : benchmark_state) {
    for (uint32_t i = 0; i < count; ++i) {
      queue.Post({.type = kHit}, 1 + NextBelow(stream, 64));
    }
    queue.Settle();
    for (Tick now = 1; now <= 64; ++now) {
      while (queue.PopDue(now).has_value()) {
      }
      queue.Settle();
    }
  }
  benchmark_state.counters["events_per_second"] = benchmark::Counter(
      static_cast<double>(benchmark_state.iterations()) * count,
      benchmark::Counter::kIsRate);
}
BENCHMARK(BM_StormOfTimedEvents)
    ->Arg(1000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

// A tick of `count` repeating timers of which about one in 600 is due, against
// looking at every row of them.
void BM_TickOfTimers(benchmark::State& benchmark_state) {
  const auto count = static_cast<uint64_t>(benchmark_state.range(0));
  State state;
  const TimerTables tables = AddTimerTables(state, "time");
  Timers timers(state, tables);
  RandomStream stream = MakeRandomStream(1, IdOf("timers"));
  for (uint64_t i = 0; i < count; ++i) {
    const TimerStart start = {.object = {1 + i / 4},
                              .name = {1 + i % 4},
                              .delay = 1 + NextBelow(stream, 600),
                              .period = 600,
                              .event = kHit};
    if (!timers.Start(start, 0).ok()) return;
  }
  double timer_seconds = 0.0;
  double scan_seconds = 0.0;
  uint64_t firings = 0;
  Tick now = 0;
  const auto fire = [&] {
    for (uint32_t tick = 0; tick < kTicksPerTurn; ++tick) {
      timers.FireDue(++now, [&](const TimerRow&) { ++firings; });
    }
  };
  const auto scan = [&] {
    const Table& rows = state.table(tables.timers);
    for (uint32_t tick = 0; tick < kTicksPerTurn; ++tick) {
      uint64_t due = 0;
      for (uint32_t i = 0; i < rows.row_count(); ++i) {
        if (rows.Get<TimerRow>(i).due <= now) ++due;
      }
      benchmark::DoNotOptimize(due);
    }
  };
  for (auto _ : benchmark_state) {
    for (uint32_t turn = 0; turn < kTurns; ++turn) {
      TakeTurn(fire, timer_seconds);
      TakeTurn(scan, scan_seconds);
    }
    benchmark_state.SetIterationTime(timer_seconds / static_cast<double>(now));
  }
  benchmark_state.counters["per_scan"] = timer_seconds / scan_seconds;
  benchmark_state.counters["firings_per_tick"] =
      static_cast<double>(firings) / static_cast<double>(now);
}
BENCHMARK(BM_TickOfTimers)
    ->Arg(1000)
    ->Arg(10'000)
    ->Iterations(1)  // one is kTurns of each
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::sim

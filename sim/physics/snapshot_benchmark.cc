// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What snapshots of rigid bodies cost against a tick of the same pile: to save
// one every tick, to restore it into the same world and into a fresh one, a
// digest every tick, and the bytes of a portable keyframe.

#include <zstd.h>

#include <cstdint>
#include <ctime>
#include <string>

#include "benchmark/benchmark.h"
#include "sim/base/check.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/state/state.h"
#include "sim/state/state_codec.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kTicksBefore = 600;  // the pile has come down by then
constexpr uint32_t kTurns = 40;
constexpr uint32_t kTicksPerTurn = 5;
// As in a replay's chunks.
constexpr int kCompressionLevel = 3;

class Stopwatch {
 public:
  template <typename Work>
  void Time(const Work& work) {
    const std::clock_t begin = std::clock();
    work();
    seconds_ += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  }
  double seconds() const { return seconds_; }

 private:
  double seconds_ = 0.0;
};

double CompressedBytes(const State& state) {
  const std::string bytes = EncodeState(state);
  std::string compressed(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size =
      ZSTD_compress(compressed.data(), compressed.size(), bytes.data(),
                    bytes.size(), kCompressionLevel);
  CHECK(ZSTD_isError(size) == 0);
  return static_cast<double>(size);
}

// One world takes turns, so that all sides simulate the same pile. The time
// reported is that of a tick.
void BM_SnapshotAgainstTick(benchmark::State& benchmark_state) {
  const auto body_count = static_cast<uint32_t>(benchmark_state.range(0));
  Stopwatch plain;
  Stopwatch saving;
  Stopwatch digesting;
  Stopwatch same_world;
  Stopwatch fresh_world;
  double settled_bytes = 0.0;
  for (auto _ : benchmark_state) {
    TestingWorld world(MakePile({.body_count = body_count}));
    world.Step(kTicksBefore);
    settled_bytes = CompressedBytes(world.state());
    const double plain_before = plain.seconds();
    for (uint32_t turn = 0; turn < kTurns; ++turn) {
      plain.Time([&] { world.Step(kTicksPerTurn); });
      State saved = world.state();
      saving.Time([&] {
        for (uint32_t i = 0; i < kTicksPerTurn; ++i) {
          saved = world.state();
          world.Step();
        }
      });
      digesting.Time([&] {
        for (uint32_t i = 0; i < kTicksPerTurn; ++i) {
          world.Step();
          benchmark::DoNotOptimize(world.digest());
        }
      });
      same_world.Time([&] {
        world.state() = saved;
        CHECK(world.world().Load(world.state()).ok());
      });
      fresh_world.Time([&] {
        PhysicsWorld fresh(world.definition(), world.tables());
        CHECK(fresh.Load(saved).ok());
      });
    }
    benchmark_state.SetIterationTime((plain.seconds() - plain_before) /
                                     (kTurns * kTicksPerTurn));
  }
  const double tick = plain.seconds() / kTicksPerTurn;
  benchmark_state.counters["saving_ratio"] =
      saving.seconds() / plain.seconds() - 1.0;
  benchmark_state.counters["digest_ratio"] =
      digesting.seconds() / plain.seconds() - 1.0;
  benchmark_state.counters["same_world_ratio"] = same_world.seconds() / tick;
  benchmark_state.counters["fresh_world_ratio"] = fresh_world.seconds() / tick;
  benchmark_state.counters["keyframe_bytes_per_body"] =
      settled_bytes / body_count;
}
BENCHMARK(BM_SnapshotAgainstTick)
    ->Arg(100)
    ->Arg(300)
    ->Arg(1000)
    ->Iterations(1)  // one is 1,200 ticks
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a query costs: against plain steps with the same inputs, and by two
// threads against one.

#include <time.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/playing/pack_folder.h"
#include "replays/playing/replay_player.h"
#include "replays/query/replay_query.h"
#include "replays/recording/recorder.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/input/random_input_source.h"
#include "sim/simulation_registry.h"

namespace reprise::replays {
namespace {

constexpr uint64_t kKeyframeStride = 60;

// What is asked of every tick.
struct Question {
  const char* expression;
  QueryAim aim;
};

constexpr Question kQuestions[] = {
    // Of the tick, of every body, and for how many of them.
    {"tick > 3", QueryAim::kCount},
    {"bodies.position.y < 0", QueryAim::kCount},
    {"bodies.position.y", QueryAim::kMinimum},
    {"count(bodies.linear_velocity.y < -1) > 10", QueryAim::kCount},
    {"outcome", QueryAim::kChanges},
};

// The file of a pile of bodies that falls and comes to rest.
Bytes Record(sim::Tick ticks) {
  const absl::StatusOr<sim::PackArchive> pack =
      ReadPackFolder("sim/packs/pile");
  CHECK(pack.ok(), "{}", pack.status().ToString());
  const std::unique_ptr<sim::Simulation> world =
      *sim::CreateSimulation("world", *pack, /*seed=*/1);
  Bytes file;
  const std::unique_ptr<ReplayWriter> writer = *ReplayWriter::Create(
      std::make_unique<MemorySink>(&file), *world, *pack,
      {.keyframe_stride = kKeyframeStride, .keyframe_bytes_per_tick = 0});
  Recorder recorder(world.get(), writer.get());
  sim::RandomInputSource inputs(world->info().inputs, /*seed=*/2);
  while (world->tick() < ticks) {
    CHECK(recorder.Step(inputs.Next()).ok());
    recorder.DrainEvents();
  }
  CHECK(recorder.Finish().ok());
  return file;
}

double Now(clockid_t clock) {
  timespec time = {};
  CHECK(clock_gettime(clock, &time) == 0);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

template <typename Work>
double SecondsOf(Work&& work, clockid_t clock) {
  const double begin = Now(clock);
  work();
  return Now(clock) - begin;
}

// The sides take turns. Against plain steps by this thread's time on the
// processor; threads against threads by the clock on the wall.
void BM_QueryAgainstPlainRun(benchmark::State& state) {
  const auto ticks = static_cast<sim::Tick>(state.range(0));
  const Question& question = kQuestions[state.range(1)];
  const Bytes file = Record(ticks);
  const std::unique_ptr<ReplayReader> replay =
      *ReplayReader::Open(std::make_unique<MemorySource>(file));
  const auto ask = [&](uint32_t threads) {
    const auto findings =
        QueryReplay(*replay, question.expression,
                    {.aim = question.aim, .threads = threads});
    CHECK(findings.ok(), "{}", findings.status().ToString());
    CHECK(findings->ticks_asked == ticks + 1);
  };
  double plain_seconds = 0;
  double query_seconds = 0;
  double one_thread_seconds = 0;
  double two_threads_seconds = 0;
  for (auto _ : state) {
    plain_seconds += SecondsOf(
        [&] {
          const std::unique_ptr<sim::Simulation> world =
              *CreateRecordedSimulation(*replay);
          const std::unique_ptr<InputSource> inputs = replay->ReadInputs();
          while (world->tick() < ticks) {
            CHECK(StepRecordedTick(*inputs, *world, /*observer=*/nullptr).ok());
            world->DrainEvents();
          }
        },
        CLOCK_THREAD_CPUTIME_ID);
    one_thread_seconds += SecondsOf(
        [&] {
          query_seconds += SecondsOf([&] { ask(1); }, CLOCK_THREAD_CPUTIME_ID);
        },
        CLOCK_MONOTONIC);
    const double seconds = SecondsOf([&] { ask(2); }, CLOCK_MONOTONIC);
    state.SetIterationTime(seconds);
    two_threads_seconds += seconds;
  }
  state.counters["query_per_plain"] = query_seconds / plain_seconds;
  state.counters["speedup_of_two_threads"] =
      one_thread_seconds / two_threads_seconds;
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(ticks));
  state.SetLabel(std::string(question.expression) + ", digest " +
                 sim::FormatDigest(replay->end()->root));
}
BENCHMARK(BM_QueryAgainstPlainRun)
    ->ArgsProduct({{60}, {0}})
    ->ArgsProduct({{1200}, {0, 1, 2, 3, 4}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::replays

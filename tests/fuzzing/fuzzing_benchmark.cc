// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a tick costs while a game is searched, forks, looking, counting scripts
// and merging included, against plain stepping: of the runs that the search
// found, so that both are in states of the same kind. Of packs whose tick takes
// 10 us or more a search is to make 0.8 of the ticks that plain stepping makes.

#include <time.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/playing/pack_folder.h"
#include "sim/base/check.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/simulation_registry.h"
#include "tools/reprise/inputs/script_places.h"

namespace reprise::tests {
namespace {

using replays::FuzzCampaign;
using replays::PlayedInputs;

constexpr const char* kPacks[] = {"marble", "pong",    "fighter", "skirmish",
                                  "pile",   "parlour", "harbour"};

// Of this thread, in seconds: the machine may be others', too.
double Now() {
  timespec time = {};
  CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

std::unique_ptr<sim::Simulation> Open(const std::string& pack) {
  const auto archive = replays::ReadPackFolder("sim/packs/" + pack);
  CHECK(archive.ok(), "{}", archive.status().ToString());
  auto start = sim::CreateSimulation("world", *archive, /*seed=*/1);
  CHECK(start.ok(), "{}", start.status().ToString());
  return *std::move(start);
}

// Plays the run from the start, and returns how many ticks that made.
uint64_t PlayPlainly(const PlayedInputs& run, const sim::Simulation& start,
                     sim::Simulation& simulation) {
  CHECK(simulation.Restore(start.state()).ok());
  simulation.DrainEvents();
  auto next = run.ticks.begin();
  while (simulation.tick() < run.tick_count) {
    std::span<const sim::InputFrame> frames;
    if (next != run.ticks.end() && next->tick == simulation.tick()) {
      frames = (next++)->frames;
    }
    simulation.Step(frames, /*observer=*/nullptr);
    simulation.DrainEvents();
  }
  return run.tick_count;
}

void BM_FuzzingAgainstPlainSteps(benchmark::State& state) {
  const auto ticks = static_cast<uint64_t>(state.range(1));
  const std::unique_ptr<sim::Simulation> start = Open(kPacks[state.range(0)]);
  const auto rules =
      replays::FuzzRules::Create(start->description().fuzzing, *start);
  CHECK(rules.ok(), "{}", rules.status().ToString());
  const auto scripts = tools::ScriptPlaces::Create(*start);
  const std::unique_ptr<sim::Simulation> plain = start->Fork();
  double fuzzing_seconds = 0;
  double plain_seconds = 0;
  uint64_t fuzzing_ticks = 0;
  uint64_t plain_ticks = 0;
  uint64_t seed = 0;
  for (auto _ : state) {
    const auto campaign = *FuzzCampaign::Create(
        *start, *rules,
        {.seed = ++seed, .keeps_runs = false, .code = scripts.get()});
    const double begin = Now();
    while (campaign->progress().ticks < ticks) {
      campaign->RunRound(ticks - campaign->progress().ticks);
    }
    const double seconds = Now() - begin;
    fuzzing_seconds += seconds;
    fuzzing_ticks += campaign->progress().ticks;
    state.SetIterationTime(seconds);
    // About as many plain ones.
    const std::vector<PlayedInputs> runs = campaign->OpenEnds(SIZE_MAX);
    uint64_t made = 0;
    const double plain_begin = Now();
    for (size_t i = 0; i < runs.size() && made < ticks; ++i) {
      // Spread over all of them: the last ones are the deepest.
      made += PlayPlainly(runs[i * 7919 % runs.size()], *start, *plain);
    }
    plain_seconds += Now() - plain_begin;
    plain_ticks += made;
  }
  const double per_second =
      static_cast<double>(fuzzing_ticks) / fuzzing_seconds;
  const double plain_per_second =
      static_cast<double>(plain_ticks) / plain_seconds;
  state.counters["of_plain"] = per_second / plain_per_second;
  state.counters["plain_us"] = 1e6 / plain_per_second;
  state.SetItemsProcessed(static_cast<int64_t>(fuzzing_ticks));
  state.SetLabel(fmt::format("{} ticks plainly", plain_ticks));
}

void AddPacks(benchmark::internal::Benchmark* all) {
  for (int64_t pack = 0; pack < static_cast<int64_t>(std::size(kPacks));
       ++pack) {
    all->Args({pack, 100'000});
  }
  all->Args({0, 8192});  // for a test
}

BENCHMARK(BM_FuzzingAgainstPlainSteps)
    ->Apply(AddPacks)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::tests

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a tick of the skirmish costs by the number of its units: both armies
// march against each other and fight. Linear in their number.

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "replays/playing/pack_folder.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::sim {
namespace {

// The ticks that are measured: from well before the armies meet on.
constexpr int kTicksBefore = 120;
constexpr int kTicks = 480;

// The pack with so many times as many spears in a squad, that much closer.
PackArchive PackOf(int64_t times) {
  const auto shipped = replays::ReadPackFolder("sim/packs/skirmish");
  CHECK(shipped.ok(), "{}", shipped.status().ToString());
  PackArchive pack;
  for (const auto& [path, bytes] : shipped->files()) {
    std::string text(bytes);
    for (const std::string side : {"", "-"}) {
      const std::string line = fmt::format(
          "grid {{ count_x: 4 count_z: 5 spacing {{ x: {}0.8", side);
      const std::string scaled =
          fmt::format("grid {{ count_x: {} count_z: 5 spacing {{ x: {}{}",
                      4 * times, side, 0.8 / static_cast<double>(times));
      for (size_t at = text.find(line); at != std::string::npos;
           at = text.find(line, at + scaled.size())) {
        text.replace(at, line.size(), scaled);
      }
    }
    CHECK(pack.Add(path, text).ok(), "{}", path);
  }
  return pack;
}

// Every squad goes to the middle.
std::vector<InputFrame> Orders() {
  std::vector<InputFrame> frames;
  for (uint32_t player = 0; player < 2; ++player) {
    InputFrame frame{.player = player};
    for (int64_t squad = 0; squad < 4; ++squad) {
      frame.commands.push_back(
          {.name = IdOf("order"),
           .arguments = {InputValue(squad), InputValue(int64_t{24}),
                         InputValue(5 + 5 * squad)}});
    }
    frames.push_back(std::move(frame));
  }
  return frames;
}

double Seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec);
}

struct Measured {
  double unit_ticks = 0.0;  // units that there were, over all ticks
  double seconds = 0.0;
  Digest digest = {};
};

Measured Play(const Simulation& begun, int64_t ticks) {
  Measured measured;
  const auto world = begun.Fork();
  const auto unit = *world->state().Find("components", "unit");
  for (int64_t tick = 0; tick < ticks; ++tick) {
    measured.unit_ticks += world->state().table(unit).row_count();
    const double before = Seconds();
    world->Step({}, nullptr);
    measured.seconds += Seconds() - before;
    world->DrainEvents();
  }
  measured.digest = world->state().ComputeRootDigest();
  return measured;
}

void BM_SkirmishTick(benchmark::State& state) {
  auto created = CreateWorld(PackOf(state.range(0)), 1);
  CHECK(created.ok(), "{}", created.status().ToString());
  Simulation& world = **created;
  world.Step(Orders(), nullptr);
  for (int tick = 1; tick < kTicksBefore; ++tick) world.Step({}, nullptr);
  world.DrainEvents();
  Measured all;
  for ([[maybe_unused]] auto _ : state) {
    const Measured once = Play(world, state.range(1));
    all.unit_ticks += once.unit_ticks;
    all.seconds += once.seconds;
    all.digest = once.digest;
  }
  const double ticks = static_cast<double>(state.iterations() * state.range(1));
  state.counters["units"] = all.unit_ticks / ticks;
  state.counters["us_per_tick"] = 1e6 * all.seconds / ticks;
  state.counters["us_per_unit"] = 1e6 * all.seconds / all.unit_ticks;
  state.SetLabel(fmt::format("digest {:016x}", all.digest.value));
}
BENCHMARK(BM_SkirmishTick)
    ->ArgNames({"times", "ticks"})
    ->Args({1, 10})
    ->Args({1, kTicks})
    ->Args({2, kTicks})
    ->Args({4, kTicks})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::sim

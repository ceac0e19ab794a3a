// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a tick of the skirmish costs by the number of its units: both armies
// march against each other and fight. Linear in their number: of two and four
// times as many units a tick takes as long for each.

#include <array>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "replays/playing/pack_folder.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/event.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::sim {
namespace {

// The ticks that are measured: from well before the armies meet on.
constexpr int kTicksBefore = 120;
constexpr int kTicks = 480;

// Puts `to` in the place of every `from`, of which there is one at least.
void Replace(std::string_view from, std::string_view to, std::string& text) {
  size_t at = text.find(from);
  CHECK(at != std::string::npos, "{}", from);
  for (; at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// The pack with so many times as many spears in a squad, that much closer, and
// what it allows of them raised.
PackArchive PackOf(int64_t times) {
  const auto shipped = replays::ReadPackFolder("sim/packs/skirmish");
  CHECK(shipped.ok(), "{}", shipped.status().ToString());
  PackArchive pack;
  for (const auto& [path, bytes] : shipped->files()) {
    std::string text(bytes);
    if (path == "armies.txtpb") {
      for (const std::string_view side : {"", "-"}) {
        Replace(
            fmt::format("grid {{ count_x: 4 count_z: 5 spacing {{ x: {}0.8 ",
                        side),
            fmt::format("grid {{ count_x: {} count_z: 5 spacing {{ x: {}{} ",
                        4 * times, side, 0.8 / static_cast<double>(times)),
            text);
      }
    }
    if (path == "pack.txtpb") {
      Replace("\"alive\" type: TYPE_INTEGER minimum: 0 maximum: 200 ",
              "\"alive\" type: TYPE_INTEGER minimum: 0 maximum: 10000 ", text);
      Replace("lines_per_tick: 2000 ",
              fmt::format("lines_per_tick: {} ", 2000 * times), text);
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

// A battle under way, and what its ticks have taken.
struct Battle {
  std::unique_ptr<Simulation> begun;
  std::unique_ptr<Simulation> world;
  double unit_ticks = 0.0;  // units that there were, over all ticks
  double seconds = 0.0;
  int64_t ticks = 0;

  explicit Battle(int64_t times) {
    auto created = CreateWorld(PackOf(times), 1);
    CHECK(created.ok(), "{}", created.status().ToString());
    begun = *std::move(created);
    begun->Step(Orders(), nullptr);
    for (int tick = 1; tick < kTicksBefore; ++tick) begun->Step({}, nullptr);
    CheckEvents(*begun);
  }

  // Who fails does nothing more, and would be measured as quick.
  static void CheckEvents(Simulation& battle) {
    for (const Event& event : battle.DrainEvents()) {
      const std::string type = battle.IdName(event.type);
      CHECK(type != "script_failed" && type != "property_refused", "{}", type);
    }
  }

  void Step(int64_t count) {
    const auto unit = *world->state().Find("components", "unit");
    for (int64_t tick = 0; tick < count; ++tick) {
      unit_ticks += world->state().table(unit).row_count();
      const double before = Seconds();
      world->Step({}, nullptr);
      seconds += Seconds() - before;
      CheckEvents(*world);
    }
    ticks += count;
  }
  double Units() const { return unit_ticks / static_cast<double>(ticks); }
  double MicrosecondsAUnit() const { return 1e6 * seconds / unit_ticks; }
};

// All sizes take turns, so that what else the machine does is done to all.
void BM_SkirmishBySize(benchmark::State& state) {
  constexpr int64_t kTurn = 10;
  std::array<Battle, 3> battles = {Battle(1), Battle(2), Battle(4)};
  for ([[maybe_unused]] auto _ : state) {
    for (Battle& battle : battles) battle.world = battle.begun->Fork();
    for (int64_t tick = 0; tick < state.range(0); tick += kTurn) {
      for (Battle& battle : battles) battle.Step(kTurn);
    }
  }
  const auto& [once, twice, four_times] = battles;
  state.counters["units"] = once.Units();
  state.counters["units_x2"] = twice.Units();
  state.counters["units_x4"] = four_times.Units();
  state.counters["us_per_tick"] =
      1e6 * once.seconds / static_cast<double>(once.ticks);
  state.counters["us_per_unit"] = once.MicrosecondsAUnit();
  state.counters["x2_per_unit_ratio"] =
      twice.MicrosecondsAUnit() / once.MicrosecondsAUnit();
  state.counters["x4_per_unit_ratio"] =
      four_times.MicrosecondsAUnit() / once.MicrosecondsAUnit();
  state.SetLabel(
      fmt::format("digests {:016x} {:016x} {:016x}",
                  once.world->state().ComputeRootDigest().value,
                  twice.world->state().ComputeRootDigest().value,
                  four_times.world->state().ComputeRootDigest().value));
}
BENCHMARK(BM_SkirmishBySize)
    ->ArgName("ticks")
    ->Arg(10)
    ->Arg(kTicks)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::sim

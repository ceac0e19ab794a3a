// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a library costs as a plug-in: a tick with its digest against the
// library's own step, the saving of its state in each tick against memcpy of
// all of the state, and a fork against the same. Of the example with one block
// of memory, or of any: REPRISE_BENCHMARK_LIBRARY=FILE and
// REPRISE_BENCHMARK_PACK=FOLDER name another. Its first player pushes each axis
// for a while and lets go. Of two sides, each goes first in every other turn.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "include/reprise/simulation.h"
#include "replays/playing/pack_folder.h"
#include "sim/base/check.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"
#include "sim/pack_archive.h"
#include "sim/plugins/plugin.h"
#include "sim/plugins/plugin_simulation.h"
#include "sim/simulation.h"
#include "sim/state/state.h"
#include "sim/state/table.h"
#include "tests/plugins/turns.h"
#include "tools/reprise/inputs/plugin_library.h"

namespace reprise::tests {
namespace {

using sim::PackArchive;
using sim::Plugin;
using sim::PluginSimulation;
using sim::Simulation;
using sim::State;
using sim::Table;
using sim::Tick;

// How long a run is before it begins anew: of Doom, half a minute.
constexpr Tick kTicksOfARun = 1000;

std::string Named(const char* variable, const std::string& otherwise) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? otherwise : value;
}

// Where it is built, or beside this program's test.
std::string DefaultLibrary() {
  std::string path = "tests/plugins/libarena.so";
  return std::filesystem::exists(path) ? path : "bazel-bin/" + path;
}

struct Library {
  std::shared_ptr<const Plugin> plugin;
  PackArchive pack;
};

const Library& TheLibrary() {
  static const Library library = [] {
    absl::StatusOr<Plugin> plugin =
        tools::LoadPlugin(Named("REPRISE_BENCHMARK_LIBRARY", DefaultLibrary()));
    CHECK(plugin.ok(), "{}", std::string(plugin.status().message()));
    absl::StatusOr<PackArchive> pack = replays::ReadPackFolder(
        Named("REPRISE_BENCHMARK_PACK", "docs/examples/plugin/vault"));
    CHECK(pack.ok(), "{}", std::string(pack.status().message()));
    return Library{std::make_shared<const Plugin>(*std::move(plugin)),
                   *std::move(pack)};
  }();
  return library;
}

std::unique_ptr<Simulation> Create() {
  absl::StatusOr<std::unique_ptr<Simulation>> made = PluginSimulation::Create(
      TheLibrary().plugin, TheLibrary().pack, /*seed=*/1);
  CHECK(made.ok(), "{}", std::string(made.status().message()));
  return *std::move(made);
}

int16_t PushAt(Tick tick) { return tick % 60 < 40 ? 12800 : 0; }

void Step(Simulation& simulation) {
  std::vector<sim::InputFrame> frames(1);
  for (const sim::Action& action : simulation.info().inputs.actions) {
    if (action.kind != sim::Action::Kind::kAxis) continue;
    frames[0].device.axes[action.device_index] = PushAt(simulation.tick());
  }
  simulation.Step(frames, nullptr);
  CHECK(simulation.status().ok(), "{}",
        std::string(simulation.status().message()));
}

// The library's simulation, stepped by nobody but itself.
class BareSimulation {
 public:
  explicit BareSimulation(const sim::InputGrammar& grammar)
      : players_(grammar.player_count) {
    const Library& library = TheLibrary();
    std::vector<reprise_file> files;
    for (const auto& [path, contents] : library.pack.files()) {
      files.push_back({path.c_str(), contents.data(), contents.size()});
    }
    const reprise_create_arguments arguments = {
        .struct_size = sizeof(arguments),
        .pack = "benchmark",
        .seed = 1,
        .files = {files.data(), static_cast<uint32_t>(files.size()),
                  sizeof(reprise_file)}};
    CHECK(calls().create(&arguments, &simulation_, &error_) == REPRISE_OK, "{}",
          text_);
    for (const sim::Action& action : grammar.actions) {
      if (action.kind == sim::Action::Kind::kAxis) {
        axes_.push_back(action.device_index);
      }
    }
  }
  ~BareSimulation() { calls().destroy(simulation_); }
  BareSimulation(const BareSimulation&) = delete;
  BareSimulation& operator=(const BareSimulation&) = delete;

  Tick tick() const { return tick_; }

  void Step() {
    for (const uint32_t axis : axes_) players_[0].axes[axis] = PushAt(tick_);
    const reprise_step_arguments arguments = {
        .struct_size = sizeof(arguments),
        .tick = tick_,
        .players = {players_.data(), static_cast<uint32_t>(players_.size()),
                    sizeof(reprise_player)},
        .emit = [](void* /*sink*/, const reprise_event* /*event*/) {},
        .sink = nullptr};
    CHECK(calls().step(simulation_, &arguments, &error_) == REPRISE_OK, "{}",
          text_);
    ++tick_;
  }

 private:
  static const reprise_plugin& calls() { return TheLibrary().plugin->calls; }

  char text_[1024] = "";
  reprise_error error_ = {.struct_size = sizeof(reprise_error),
                          .capacity = sizeof(text_),
                          .text = text_};
  std::vector<reprise_player> players_;
  std::vector<uint32_t> axes_;
  reprise_simulation* simulation_ = nullptr;
  Tick tick_ = 0;
};

// All rows of a state, as often as they are copied.
class CopiedState {
 public:
  void Copy(const State& state) {
    size_t size = 0;
    for (uint32_t i = 0; i < state.table_count(); ++i) {
      const Table& table = state.table({i});
      for (uint32_t page = 0; page < table.page_count(); ++page) {
        const std::span<const std::byte> bytes = table.PageBytes(page);
        if (bytes_.size() < size + bytes.size()) {
          bytes_.resize(size + bytes.size());
        }
        std::memcpy(bytes_.data() + size, bytes.data(), bytes.size());
        size += bytes.size();
      }
    }
    size_ = size;
    benchmark::DoNotOptimize(bytes_.data());
    benchmark::ClobberMemory();
  }

  size_t size() const { return size_; }

 private:
  std::vector<std::byte> bytes_;
  size_t size_ = 0;
};

// Ticks a second as a verification makes them, each with a digest; "ratio" is
// to those of the library alone.
void BM_TickAndDigest(benchmark::State& state) {
  std::unique_ptr<Simulation> ours = Create();
  auto bare = std::make_unique<BareSimulation>(ours->info().inputs);
  Turns turns;
  for (auto _ : state) {
    if (bare->tick() == kTicksOfARun) {
      ours = Create();
      bare = std::make_unique<BareSimulation>(ours->info().inputs);
    }
    turns.Take(
        [&] {
          Step(*ours);
          benchmark::DoNotOptimize(ours->state().ComputeRootDigest());
        },
        [&] { bare->Step(); });
  }
  // Of ticks a second, so the other way round than of time.
  state.counters["ratio"] = RatioOf(turns.of_other(), turns.of_one());
  state.counters["slower"] = RatioOf(turns.of_one(), turns.of_other());
}
BENCHMARK(BM_TickAndDigest)->Unit(benchmark::kMicrosecond);

// A snapshot in each tick: what ticks take longer for it, against memcpy.
void BM_SaveAgainstMemcpy(benchmark::State& state) {
  std::unique_ptr<Simulation> saved = Create();
  std::unique_ptr<Simulation> unsaved = Create();
  CopiedState copied;
  Turns turns;
  Turns::Clock::duration of_copies{};
  for (auto _ : state) {
    if (saved->tick() == kTicksOfARun) {
      saved = Create();
      unsaved = Create();
    }
    turns.Take(
        [&] {
          const State snapshot = saved->state();
          Step(*saved);
          benchmark::DoNotOptimize(snapshot.table_count());
        },
        [&] { Step(*unsaved); });
    of_copies += Turns::TimeOf([&] { copied.Copy(unsaved->state()); });
  }
  state.counters["ratio"] =
      RatioOf(turns.of_one() - turns.of_other(), of_copies);
  state.counters["bytes"] = static_cast<double>(copied.size());
}
BENCHMARK(BM_SaveAgainstMemcpy)->Unit(benchmark::kMicrosecond);

// A fork in the middle of a run, which is another simulation of the library's
// and all of its state restored.
void BM_ForkAgainstMemcpy(benchmark::State& state) {
  const std::unique_ptr<Simulation> original = Create();
  while (original->tick() < kTicksOfARun / 2) Step(*original);
  CopiedState copied;
  Turns turns;
  for (auto _ : state) {
    std::unique_ptr<Simulation> fork;
    turns.Take([&] { fork = original->Fork(); },
               [&] { copied.Copy(original->state()); });
    CHECK(fork->status().ok(), "{}", std::string(fork->status().message()));
  }
  state.counters["ratio"] = RatioOf(turns.of_one(), turns.of_other());
  state.counters["bytes"] = static_cast<double>(copied.size());
}
BENCHMARK(BM_ForkAgainstMemcpy)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::tests

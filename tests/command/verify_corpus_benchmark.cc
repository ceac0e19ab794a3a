// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What verifying a corpus costs beside the runs themselves: `reprise verify` on
// so many replays of ten seconds, of all packs that ship in turn, on one
// process at a time. `not_stepping` is the share of its wall time in which
// nothing was stepped or digested: starts of processes, reading, compiling
// packs, comparing, reports.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "replays/container/byte_file.h"
#include "replays/format/replay_writer.h"
#include "replays/playing/pack_folder.h"
#include "replays/recording/recorder.h"
#include "sim/base/check.h"
#include "sim/input/random_input_source.h"
#include "sim/simulation_registry.h"
#include "tools/reprise/terminal/child_program.h"

namespace reprise::tests {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSeconds = 10;
constexpr const char* kReprise = "tools/reprise/reprise";

std::vector<sim::PackArchive> ReadPacks() {
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator("sim/packs")) {
    if (fs::exists(entry.path() / "pack.txtpb")) {
      folders.push_back(entry.path());
    }
  }
  std::ranges::sort(folders);
  std::vector<sim::PackArchive> packs;
  for (const std::string& folder : folders) {
    packs.push_back(*replays::ReadPackFolder(folder));
  }
  CHECK(!packs.empty());
  return packs;
}

void Record(const sim::PackArchive& pack, uint64_t seed,
            const std::string& path) {
  const std::unique_ptr<sim::Simulation> world =
      *sim::CreateSimulation("world", pack, seed);
  const auto writer = *replays::ReplayWriter::Create(
      *replays::FileSink::Create(path), *world, pack, {});
  replays::Recorder recorder(world.get(), writer.get());
  sim::RandomInputSource inputs(world->info().inputs, seed);
  const uint64_t ticks = kSeconds * world->info().tick_rate.ticks_per_second;
  while (world->tick() < ticks) {
    CHECK(recorder.Step(inputs.Next()).ok());
    recorder.DrainEvents();
  }
  CHECK(recorder.Finish().ok());
}

// A folder of so many replays, which are recorded once and stay there for as
// long as the program is the same: another one may have other rules.
std::string MakeCorpus(int64_t replays) {
  const fs::path place = fs::temp_directory_path() / "reprise-corpus";
  const auto written = fs::last_write_time(fs::canonical(kReprise));
  const fs::path mine =
      place / fmt::format("{}", written.time_since_epoch().count());
  if (!fs::exists(mine)) fs::remove_all(place);
  std::string folder = mine / fmt::format("{}", replays);
  if (fs::exists(fmt::format("{}/{:04}.mcap", folder, replays - 1))) {
    return folder;
  }
  fs::create_directories(folder);
  const std::vector<sim::PackArchive> packs = ReadPacks();
  for (int64_t i = 0; i < replays; ++i) {
    Record(packs[static_cast<size_t>(i) % packs.size()],
           static_cast<uint64_t>(i) + 1,
           fmt::format("{}/{:04}.mcap", folder, i));
  }
  return folder;
}

void BM_VerifyCorpus(benchmark::State& state, const char* isolation) {
  const std::string folder = MakeCorpus(state.range(0));
  double seconds = 0;
  double stepping_seconds = 0;
  for ([[maybe_unused]] const auto iteration : state) {
    const auto start = std::chrono::steady_clock::now();
    const absl::StatusOr<tools::ProgramResult> result = tools::RunProgram(
        kReprise, {"verify", folder, "--jobs", "1", "--isolation", isolation,
                   "--format", "json"});
    CHECK(result.ok(), "{}", result.status().ToString());
    seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    CHECK(result->exit_code == 0, "{}", result->err);
    const nlohmann::json document = nlohmann::json::parse(result->out);
    for (const nlohmann::json& file : document["files"]) {
      stepping_seconds += file["stepping_seconds"].get<double>();
    }
  }
  state.counters["not_stepping"] = 1 - stepping_seconds / seconds;
  state.counters["ms_beside"] =
      1e3 * (seconds - stepping_seconds) /
      static_cast<double>(state.range(0) * state.iterations());
}
BENCHMARK_CAPTURE(BM_VerifyCorpus, worker, "worker")
    ->Arg(20)
    ->Arg(1000)
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_VerifyCorpus, process, "process")
    ->Arg(20)
    ->Arg(1000)
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::tests

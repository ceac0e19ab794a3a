// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What recording costs: time against the same run unrecorded, and bytes of the
// file for each tick. The recorded and the plain run are stepped in turns, a
// few ticks each, so that whatever else the machine does falls on both.

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "replays/byte_file.h"
#include "replays/pack_folder.h"
#include "replays/recorder.h"
#include "replays/replay_writer.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/input/random_input_source.h"
#include "sim/simulation_registry.h"

namespace reprise::replays {
namespace {

using Clock = std::chrono::steady_clock;

// Ticks that one run makes before it is the other one's turn.
constexpr int kTurnTicks = 10;

sim::PackArchive ReadPack(const std::string& name) {
  absl::StatusOr<sim::PackArchive> pack = ReadPackFolder("sim/packs/" + name);
  CHECK(pack.ok(), "{}", pack.status().ToString());
  return *std::move(pack);
}

std::unique_ptr<sim::Simulation> MakeWorld(const sim::PackArchive& pack) {
  absl::StatusOr<std::unique_ptr<sim::Simulation>> world =
      sim::CreateSimulation("world", pack, /*seed=*/1);
  CHECK(world.ok(), "{}", world.status().ToString());
  return *std::move(world);
}

// A run and its recording in memory.
class RecordedRun {
 public:
  RecordedRun(const sim::PackArchive& pack, const ReplayWriterOptions& options)
      : simulation_(MakeWorld(pack)),
        writer_(*ReplayWriter::Create(std::make_unique<MemorySink>(&file_),
                                      *simulation_, pack, options)),
        start_bytes_(file_.size()),
        recorder_(simulation_.get(), writer_.get()) {}

  void Step(std::span<const sim::InputFrame> frames) {
    CHECK(recorder_.Step(frames).ok());
    recorder_.DrainEvents();
  }

  // Bytes for each tick, without what every file has: metadata, pack, index.
  double FinishBytesPerTick() {
    CHECK(recorder_.Flush().ok());
    const uint64_t end_bytes = file_.size();
    CHECK(recorder_.Finish().ok());
    return static_cast<double>(end_bytes - start_bytes_) /
           static_cast<double>(simulation_->tick());
  }

  // The whole file's.
  double FileBytesPerTick() const {
    return static_cast<double>(file_.size()) /
           static_cast<double>(simulation_->tick());
  }

  sim::Digest root() const { return recorder_.root(); }

 private:
  const std::unique_ptr<sim::Simulation> simulation_;
  Bytes file_;
  const std::unique_ptr<ReplayWriter> writer_;
  const uint64_t start_bytes_;
  Recorder recorder_;
};

// A run of the pile, played at random, recorded as a server does by default.
void BM_RecordedAgainstPlainRun(benchmark::State& state) {
  const int64_t ticks = state.range(0);
  const sim::PackArchive pack = ReadPack("pile");
  Clock::duration plain_time{};
  Clock::duration recorded_time{};
  sim::Digest root;
  for (auto _ : state) {
    const std::unique_ptr<sim::Simulation> plain = MakeWorld(pack);
    RecordedRun recorded(pack, {});
    sim::RandomInputSource plain_inputs(plain->info().inputs, /*seed=*/2);
    sim::RandomInputSource recorded_inputs(plain->info().inputs, /*seed=*/2);
    const Clock::duration recorded_time_before = recorded_time;
    for (int64_t tick = 0; tick < ticks; tick += kTurnTicks) {
      const Clock::time_point begin = Clock::now();
      for (int i = 0; i < kTurnTicks; ++i) {
        plain->Step(plain_inputs.Next(), /*observer=*/nullptr);
        plain->DrainEvents();
      }
      const Clock::time_point middle = Clock::now();
      for (int i = 0; i < kTurnTicks; ++i)
        recorded.Step(recorded_inputs.Next());
      plain_time += middle - begin;
      recorded_time += Clock::now() - middle;
    }
    state.SetIterationTime(
        std::chrono::duration<double>(recorded_time - recorded_time_before)
            .count());
    root = recorded.root();
    CHECK(root == plain->state().ComputeRootDigest());
  }
  state.counters["recorded_per_plain"] =
      std::chrono::duration<double>(recorded_time) /
      std::chrono::duration<double>(plain_time);
  state.SetItemsProcessed(state.iterations() * ticks);
  state.SetLabel("digest " + sim::FormatDigest(root));
}
BENCHMARK(BM_RecordedAgainstPlainRun)
    ->Arg(60)
    ->Arg(600)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// Nobody plays: a digest every ten ticks, no keyframes.
void BM_IdleBytesPerTick(benchmark::State& state) {
  const int64_t ticks = state.range(0);
  const sim::PackArchive pack = ReadPack("marble");
  for (auto _ : state) {
    RecordedRun run(pack, {.digest_stride = 10, .keyframe_stride = 0});
    for (int64_t tick = 0; tick < ticks; ++tick) run.Step({});
    state.counters["bytes_per_tick"] = run.FinishBytesPerTick();
    state.counters["file_bytes_per_tick"] = run.FileBytesPerTick();
    state.SetLabel("digest " + sim::FormatDigest(run.root()));
  }
  state.SetItemsProcessed(state.iterations() * ticks);
}
BENCHMARK(BM_IdleBytesPerTick)
    ->Arg(600)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What recording costs: time against the same run unrecorded, and bytes of the
// file for each tick. The recorded and the plain run are stepped in turns, a
// few ticks each, so that whatever else the machine does falls on both.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_writer.h"
#include "replays/playing/pack_folder.h"
#include "replays/recording/recorder.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/base/tick.h"
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

std::unique_ptr<ByteSink> MakeFile() {
  return *FileSink::Create(
      (std::filesystem::temp_directory_path() / "recording_benchmark.mcap")
          .string());
}

// A run and its recording in a file.
class RecordedRun {
 public:
  RecordedRun(const sim::PackArchive& pack, const ReplayWriterOptions& options)
      : simulation_(MakeWorld(pack)),
        writer_(*ReplayWriter::Create(MakeFile(), *simulation_, pack, options)),
        start_bytes_(writer_->size_bytes()),
        recorder_(simulation_.get(), writer_.get()) {}

  void Step(std::span<const sim::InputFrame> frames) {
    CHECK(recorder_.Step(frames).ok());
    recorder_.DrainEvents();
  }

  // Bytes for each tick, without what every file has: metadata, pack, index.
  double FinishBytesPerTick() {
    CHECK(recorder_.Flush().ok());
    const uint64_t end_bytes = writer_->size_bytes();
    CHECK(recorder_.Finish().ok());
    return static_cast<double>(end_bytes - start_bytes_) /
           static_cast<double>(simulation_->tick());
  }

  // The whole file's.
  double FileBytesPerTick() const {
    return static_cast<double>(writer_->size_bytes()) /
           static_cast<double>(simulation_->tick());
  }

  sim::Digest root() const { return recorder_.root(); }

 private:
  const std::unique_ptr<sim::Simulation> simulation_;
  const std::unique_ptr<ReplayWriter> writer_;
  const uint64_t start_bytes_;
  Recorder recorder_;
};

// A run of a pack, played at random, recorded as a server does by default.
void BM_RecordedAgainstPlainRun(benchmark::State& state,
                                const char* pack_name) {
  const int64_t ticks = state.range(0);
  const sim::PackArchive pack = ReadPack(pack_name);
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
BENCHMARK_CAPTURE(BM_RecordedAgainstPlainRun, pile, "pile")
    ->Arg(60)
    ->Arg(600)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
// Whose ticks cost little, so that what is recorded of each weighs more.
BENCHMARK_CAPTURE(BM_RecordedAgainstPlainRun, nursery, "nursery")
    ->Arg(6000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_RecordedAgainstPlainRun, marble, "marble")
    ->Arg(6000)
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

// One simulation, recorded as often as there are options, without its events.
class Recordings {
 public:
  Recordings(const sim::PackArchive& pack,
             std::span<const ReplayWriterOptions> options)
      : simulation_(MakeWorld(pack)), files_(options.size()) {
    for (size_t i = 0; i < options.size(); ++i) {
      writers_.push_back(
          *ReplayWriter::Create(std::make_unique<MemorySink>(&files_[i]),
                                *simulation_, pack, options[i]));
      start_bytes_.push_back(files_[i].size());
    }
    AddState();
  }

  // REQUIRES: as a Recorder gives them to its writer, without frames that
  // repeat the held device and command nothing.
  void Step(std::span<const sim::InputFrame> frames) {
    const sim::Tick tick = simulation_->tick();
    for (const auto& writer : writers_) {
      CHECK(writer->AddTick(tick, frames, {}).ok());
    }
    simulation_->Step(frames, /*observer=*/nullptr);
    simulation_->DrainEvents();
    AddState();
  }

  // Without what every file has: metadata, pack, index.
  uint64_t FlushedBytes(size_t i) {
    CHECK(writers_[i]->Flush().ok());
    return files_[i].size() - start_bytes_[i];
  }

  const sim::Simulation& simulation() const { return *simulation_; }
  sim::Digest chain() const { return chain_; }

 private:
  void AddState() {
    const sim::Digest root = simulation_->state().ComputeRootDigest();
    chain_ = sim::ExtendChain(chain_, root);
    for (const auto& writer : writers_) {
      CHECK(writer
                ->AddState(simulation_->tick(), simulation_->state(), root,
                           chain_)
                .ok());
    }
  }

  const std::unique_ptr<sim::Simulation> simulation_;
  std::vector<Bytes> files_;
  std::vector<std::unique_ptr<ReplayWriter>> writers_;
  std::vector<uint64_t> start_bytes_;
  sim::Digest chain_;
};

// Somebody gives 400 commands a minute, at any ticks: what their inputs take,
// what a digest every ten ticks adds, and what keyframes at the default stride
// add.
void BM_CommandBytes(benchmark::State& state) {
  constexpr uint64_t kTicksPerCommand = 9;  // at 60 ticks a second
  const int64_t ticks = state.range(0);
  const sim::PackArchive pack = ReadPack("nursery");
  const uint32_t never = std::numeric_limits<uint32_t>::max();
  const ReplayWriterOptions options[] = {
      {.digest_stride = never, .keyframe_stride = 0},
      {.digest_stride = 10, .keyframe_stride = 0},
      {.digest_stride = 10},
  };
  for (auto _ : state) {
    Recordings recordings(pack, options);
    sim::RandomStream random = sim::MakeRandomStream(3, sim::IdOf("commands"));
    for (int64_t tick = 0; tick < ticks; ++tick) {
      if (sim::NextBelow(random, kTicksPerCommand) != 0) {
        recordings.Step({});
        continue;
      }
      sim::InputFrame frame;
      frame.commands.push_back(
          {.name = sim::IdOf("ring"),
           .arguments = {static_cast<int64_t>(sim::NextBelow(random, 2)) + 1}});
      recordings.Step({&frame, 1});
    }
    const uint64_t inputs = recordings.FlushedBytes(0);
    const uint64_t digests = recordings.FlushedBytes(1) - inputs;
    state.counters["input_bytes"] = static_cast<double>(inputs);
    state.counters["digest_bytes"] = static_cast<double>(digests);
    state.counters["keyframe_bytes"] =
        static_cast<double>(recordings.FlushedBytes(2) - inputs - digests);
    state.SetLabel("chain " + sim::FormatDigest(recordings.chain()));
  }
  state.SetItemsProcessed(state.iterations() * ticks);
}
BENCHMARK(BM_CommandBytes)
    ->Arg(600)
    ->Arg(216'000)  // an hour
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::replays

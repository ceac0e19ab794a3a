// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What verifying one replay on two threads is worth: its ticks a second against
// those of two processes that verify it alone, each on one thread. They take
// turns, and the ratio is the median of the turns', for whatever else the
// machine does falls on some of them.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/playing/pack_folder.h"
#include "replays/recording/recorder.h"
#include "replays/verifying/verifier.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/input/random_input_source.h"
#include "sim/simulation_registry.h"

namespace reprise::replays {
namespace {

// A run with the strides that recorders use by default.
Bytes Record(const std::string& pack_name, sim::Tick ticks) {
  const absl::StatusOr<sim::PackArchive> pack =
      ReadPackFolder("sim/packs/" + pack_name);
  CHECK(pack.ok(), "{}", pack.status().ToString());
  const std::unique_ptr<sim::Simulation> world =
      *sim::CreateSimulation("world", *pack, /*seed=*/1);
  Bytes file;
  const std::unique_ptr<ReplayWriter> writer = *ReplayWriter::Create(
      std::make_unique<MemorySink>(&file), *world, *pack, {});
  Recorder recorder(world.get(), writer.get());
  sim::RandomInputSource inputs(world->info().inputs, /*seed=*/2);
  while (world->tick() < ticks) {
    CHECK(recorder.Step(inputs.Next()).ok());
    recorder.DrainEvents();
  }
  CHECK(recorder.Finish().ok());
  return file;
}

std::unique_ptr<ReplayReader> Open(const Bytes& file) {
  auto replay = ReplayReader::Open(std::make_unique<MemorySource>(file));
  CHECK(replay.ok(), "{}", replay.status().ToString());
  return *std::move(replay);
}

void Verify(const ReplayReader& replay, uint32_t threads) {
  const auto report = VerifyReplay(replay, {.threads = threads});
  CHECK(report.ok(), "{}", report.status().ToString());
  CHECK(report->ticks_verified == replay.tick_count());
}

// A process that verifies a replay, on one thread, whenever it is told to.
class VerifyingProcess {
 public:
  explicit VerifyingProcess(const Bytes& file) {
    CHECK(pipe(to_) == 0);
    CHECK(pipe(from_) == 0);
    child_ = fork();
    CHECK(child_ >= 0);
    if (child_ == 0) RunChild(file);
    // An end that this process kept open would hide the child's death.
    close(to_[0]);
    close(from_[1]);
    Wait();
  }
  ~VerifyingProcess() {
    close(to_[1]);
    close(from_[0]);
    waitpid(child_, nullptr, 0);
  }
  VerifyingProcess(const VerifyingProcess&) = delete;
  VerifyingProcess& operator=(const VerifyingProcess&) = delete;

  void Start() {
    const char byte = 0;
    CHECK(write(to_[1], &byte, 1) == 1);
  }
  void Wait() {
    char byte = 0;
    CHECK(read(from_[0], &byte, 1) == 1, "the process died");
  }

 private:
  [[noreturn]] void RunChild(const Bytes& file) {
    // Or it would wait for itself.
    close(to_[1]);
    close(from_[0]);
    const std::unique_ptr<ReplayReader> replay = Open(file);
    Verify(*replay, 1);  // brings its memory in
    char byte = 0;
    CHECK(write(from_[1], &byte, 1) == 1);
    while (read(to_[0], &byte, 1) == 1) {
      Verify(*replay, 1);
      CHECK(write(from_[1], &byte, 1) == 1);
    }
    _exit(0);
  }

  int to_[2] = {};
  int from_[2] = {};
  pid_t child_ = 0;
};

template <typename F>
double SecondsOf(F work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

double MedianOf(std::vector<double> values) {
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

void BM_VerifyOnTwoThreads(benchmark::State& state) {
  const auto ticks = static_cast<sim::Tick>(state.range(0));
  const Bytes file = Record("pile", ticks);
  // Destroyed in reverse order: the second process holds a copy of the first
  // one's pipe, and has to be gone before that one can see its end.
  VerifyingProcess first(file);
  VerifyingProcess second(file);
  const std::unique_ptr<ReplayReader> replay = Open(file);
  Verify(*replay, 2);
  std::vector<double> ratios;
  for (auto _ : state) {
    // As many ticks as both processes: the replay twice.
    const double thread_seconds = SecondsOf([&] {
      Verify(*replay, 2);
      Verify(*replay, 2);
    });
    state.SetIterationTime(thread_seconds);
    const double process_seconds = SecondsOf([&] {
      first.Start();
      second.Start();
      first.Wait();
      second.Wait();
    });
    ratios.push_back(process_seconds / thread_seconds);
  }
  state.counters["threads_per_processes"] = MedianOf(ratios);
  state.SetItemsProcessed(state.iterations() * 2 * static_cast<int64_t>(ticks));
  state.SetLabel("digest " + sim::FormatDigest(replay->end()->root));
}
// Two minutes, with twelve keyframes to start at.
BENCHMARK(BM_VerifyOnTwoThreads)
    ->Arg(7200)
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_VerifyOnTwoThreads)
    ->Arg(120)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::replays

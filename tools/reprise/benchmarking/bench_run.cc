// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/benchmarking/bench_run.h"

#include <time.h>

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/event.h"
#include "sim/simulation.h"

namespace reprise::tools {
namespace {

using Clock = std::chrono::steady_clock;

// Between two pauses: about what a thread gets at a time on a busy machine.
constexpr std::chrono::milliseconds kSlice(5);

absl::Status Step(RunSetup& setup, PhaseTimes* times) {
  sim::Simulation& simulation = setup.simulation();
  const auto frames = setup.FramesAt(simulation.tick());
  if (!frames.ok()) return frames.status();
  absl::Status status = simulation.Validate(*frames);
  if (!status.ok()) return status;
  if (times != nullptr) times->BeginTick();
  simulation.Step(*frames, times);
  const std::vector<sim::Event> events = simulation.DrainEvents();
  if (setup.bots != nullptr) setup.bots->Hear(events);
  return simulation.status();
}

}  // namespace

absl::StatusOr<BenchRun> MakeBenchRun(RunSetup& setup, PhaseTimes* times,
                                      const std::function<void()>& pause) {
  sim::Simulation& simulation = setup.simulation();
  const sim::Tick first_tick = simulation.tick();
  BenchRun run;
  while (simulation.tick() < setup.tick_count) {
    pause();
    const double thread_start = ThreadSeconds();
    const Clock::time_point start = Clock::now();
    Clock::time_point now = start;
    for (; simulation.tick() < setup.tick_count && now - start < kSlice;
         now = Clock::now()) {
      const sim::Tick tick = simulation.tick();
      const absl::Status status = Step(setup, times);
      if (!status.ok()) {
        return absl::Status(
            status.code(),
            fmt::format("tick {}: {}", tick, std::string(status.message())));
      }
    }
    run.seconds += std::chrono::duration<double>(now - start).count();
    run.thread_seconds += ThreadSeconds() - thread_start;
  }
  run.tick_count = simulation.tick() - first_tick;
  run.root = simulation.state().ComputeRootDigest();
  return run;
}

double ThreadSeconds() {
  timespec time = {};
  CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace reprise::tools

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What objects cost: a tick by their number, coming and going, and many worlds
// on two threads against as many in two processes.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/simulation.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kComponents = R"(
components {
  name: "marker"
  properties { name: "hits" type: TYPE_INTEGER minimum: 0 }
  properties { name: "speed" type: TYPE_NUMBER maximum: 100 }
  properties { name: "friend" type: TYPE_REFERENCE }
}
components { name: "health" properties { name: "points" type: TYPE_INTEGER } }
components { name: "tint" properties { name: "colour" type: TYPE_VECTOR3 } }
components { name: "home" properties { name: "place" type: TYPE_VECTOR3 } }
types {
  name: "ant"
  components { component: "marker" set { property: "speed" value { integer: 1 } } }
  components { component: "health" }
  components { component: "tint" }
  components { component: "home" }
  behaviours { behaviour: "testing_count" }
  behaviours { behaviour: "testing_drift" }
}
types { name: "chick" components { component: "marker" } }
types {
  name: "hen"
  components { component: "marker" }
  behaviours { behaviour: "testing_breed" }
}
)";

// Copies of one type, in grids of ten thousand.
std::string Objects(std::string_view type, uint32_t count) {
  constexpr uint32_t kGrid = 10000;
  std::string text;
  for (uint32_t first = 0; first < count; first += kGrid) {
    text += fmt::format(
        "objects {{ name: \"o{}\" type: \"{}\" grid {{ count_x: {} }} }}\n",
        first, type, std::min(kGrid, count - first));
  }
  return text;
}

std::unique_ptr<Simulation> MakeWorld(std::string_view type, uint32_t count) {
  PackArchive pack;
  CHECK(pack.Add(std::string(kPackManifestPath), "name: \"bench\"\n" +
                                                     std::string(kComponents) +
                                                     Objects(type, count))
            .ok());
  auto world = CreateWorld(pack, 1);
  CHECK(world.ok(), "{}", world.status().ToString());
  return *std::move(world);
}

// The cost of a tick has to grow with the objects, and no faster.
void BM_TickByObjects(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  const auto world = MakeWorld("ant", count);
  for (auto _ : state) world->Step({}, nullptr);
  state.SetComplexityN(count);
  state.counters["ns_per_object"] =
      benchmark::Counter(static_cast<double>(count) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}
BENCHMARK(BM_TickByObjects)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(50000)
    ->Complexity(benchmark::oN)
    ->Unit(benchmark::kMicrosecond);

// Each hen has one chick come and one go in each tick, against as many ants
// that are only updated.
void BM_ComingAndGoing(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  const auto hens = MakeWorld("hen", count);
  const auto ants = MakeWorld("ant", count);
  std::clock_t hen_clocks = 0;
  std::clock_t ant_clocks = 0;
  for (auto _ : state) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < 10; ++i) hens->Step({}, nullptr);
    const std::clock_t middle = std::clock();
    for (int i = 0; i < 10; ++i) ants->Step({}, nullptr);
    hen_clocks += middle - begin;
    ant_clocks += std::clock() - middle;
    benchmark::DoNotOptimize(hens->DrainEvents());
  }
  state.counters["ratio_to_updates"] =
      static_cast<double>(hen_clocks) / static_cast<double>(ant_clocks);
}
BENCHMARK(BM_ComingAndGoing)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);

constexpr int kWorlds = 1000;
constexpr int kObjectsPerWorld = 100;
constexpr int kTicks = 60;

// Half of the worlds, and their steps.
class Half {
 public:
  Half() {
    const auto first = MakeWorld("ant", kObjectsPerWorld);
    for (int i = 0; i < kWorlds / 2; ++i) worlds_.push_back(first->Fork());
  }
  void Run() {
    for (const auto& world : worlds_) {
      for (int tick = 0; tick < kTicks; ++tick) world->Step({}, nullptr);
    }
  }

 private:
  std::vector<std::unique_ptr<Simulation>> worlds_;
};

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

// A process that has made its half, and runs it whenever a byte comes.
class HalfProcess {
 public:
  HalfProcess() {
    CHECK(pipe(to_) == 0 && pipe(from_) == 0);
    child_ = fork();
    CHECK(child_ >= 0);
    if (child_ > 0) {
      WaitForReply();
      return;
    }
    // The child must not keep the other end open, or it would wait for itself.
    close(to_[1]);
    Half half;
    char byte = 0;
    CHECK(write(from_[1], &byte, 1) == 1);
    while (read(to_[0], &byte, 1) == 1) {
      half.Run();
      CHECK(write(from_[1], &byte, 1) == 1);
    }
    _exit(0);
  }
  ~HalfProcess() {
    close(to_[1]);
    waitpid(child_, nullptr, 0);
  }
  HalfProcess(const HalfProcess&) = delete;
  HalfProcess& operator=(const HalfProcess&) = delete;

  void Start() {
    const char byte = 1;
    CHECK(write(to_[1], &byte, 1) == 1);
  }
  void WaitForReply() {
    char byte = 0;
    CHECK(read(from_[0], &byte, 1) == 1);
  }

 private:
  int to_[2] = {};
  int from_[2] = {};
  pid_t child_ = 0;
};

// Throughput of two threads over that of two processes.
void BM_WorldsOnTwoThreads(benchmark::State& state) {
  double thread_seconds = 0.0;
  double process_seconds = 0.0;
  // Destroyed in reverse order: the second process holds a copy of the first
  // one's pipe, and has to be gone before that one can see its end.
  HalfProcess first_process;
  HalfProcess second_process;
  Half first;
  Half second;
  for (auto _ : state) {
    auto begin = std::chrono::steady_clock::now();
    std::thread thread([&first] { first.Run(); });
    second.Run();
    thread.join();
    const double seconds = SecondsSince(begin);
    thread_seconds += seconds;
    state.SetIterationTime(seconds);
    begin = std::chrono::steady_clock::now();
    first_process.Start();
    second_process.Start();
    first_process.WaitForReply();
    second_process.WaitForReply();
    process_seconds += SecondsSince(begin);
  }
  state.counters["ratio"] = process_seconds / thread_seconds;
}
BENCHMARK(BM_WorldsOnTwoThreads)
    ->UseManualTime()
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::sim

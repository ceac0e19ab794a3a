// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the world costs where its design decides it: values of a batch against a
// loop over structs, one object of many that comes and goes, a snapshot in
// every tick meanwhile, and questions that are asked or not.

#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/random.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/simulation.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/columns.h"
#include "sim/world/updates/update_context.h"
#include "sim/world/updates/world_queries.h"

namespace reprise::sim {
namespace {

// What the objects of a world do at a hook, all at once.
std::function<void(UpdateContext&)>& TheAct() {
  static std::function<void(UpdateContext&)> act;
  return act;
}

class Act : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder&) override {
    return absl::OkStatus();
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    if (TheAct()) TheAct()(context);
  }
  Hooks hooks() const override { return {.before_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(bench_act, "bench_act", Act);

class ActAndAsk final : public Act {
 public:
  Hooks hooks() const override {
    return {.before_physics = true, .queries = true};
  }
};
REPRISE_REGISTER_BEHAVIOUR(bench_ask, "bench_ask", ActAndAsk);

// Four components of 64 bytes, as in //sim/base:state_benchmark.
std::string Components() {
  std::string text;
  for (const char letter : std::string_view("abcd")) {
    text += fmt::format("components {{ name: \"{}\"", letter);
    for (const char* const name : {"x", "speed", "p", "q", "r", "s"}) {
      text +=
          fmt::format(" properties {{ name: \"{}\" type: TYPE_NUMBER }}", name);
    }
    text += " }\n";
  }
  return text;
}

constexpr std::string_view kTypes = R"(
types { name: "ant" components { component: "a" } components { component: "b" }
        components { component: "c" } components { component: "d" }
        behaviours { behaviour: "bench_act" } }
types { name: "eye" components { component: "a" } behaviours { behaviour: "bench_act" } }
types { name: "asker" behaviours { behaviour: "bench_ask" } }
types { name: "post" body { motion: MOTION_FIXED shapes { box { half_extents { x: 0.2 y: 1 z: 0.2 } } } } }
)";

std::unique_ptr<Simulation> MakeWorld(std::string_view objects) {
  PackArchive pack;
  CHECK(pack.Add(std::string(kPackManifestPath),
                 fmt::format("name: \"bench\"\n{}{}{}", Components(), kTypes,
                             objects))
            .ok());
  auto world = CreateWorld(pack, 1);
  CHECK(world.ok(), "{}", world.status().ToString());
  return *std::move(world);
}

std::string Grid(std::string_view type, int64_t count) {
  return fmt::format(
      "objects {{ name: \"o\" type: \"{}\" grid {{ count_x: {} "
      "spacing {{ x: 1 }} }} }}\n",
      type, count);
}

class Stopwatch {
 public:
  template <typename Work>
  void Time(const Work& work) {
    const std::clock_t begin = std::clock();
    work();
    seconds_ += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  }
  double seconds() const { return seconds_; }

 private:
  double seconds_ = 0.0;
};

// Rounds of one turn: long enough for the clock's grain of a microsecond.
constexpr int kRoundsPerTurn = 10;
constexpr double kStepS = 1.0 / 60.0;

struct Row {
  uint64_t object = 0;
  uint64_t overridden = 0;
  double x = 0.0;
  double speed = 1.0;
  double rest[4] = {};
};
struct Ant {
  Row a;
  Row b;
  Row c;
  Row d;
};

// One value of each of four components of ten thousand objects goes on by
// another: as columns, by calls for each value, and as a vector of structs.
void BM_ColumnsAgainstStructs(benchmark::State& state) {
  const int64_t count = state.range(0);
  const auto world = MakeWorld(Grid("ant", count));
  std::vector<Ant> ants(static_cast<size_t>(count));
  Stopwatch columns;
  Stopwatch one_column;
  Stopwatch calls;
  Stopwatch structs;
  Stopwatch one_member;
  const auto in_world = [&](const std::function<void(UpdateContext&)>& act,
                            Stopwatch& stopwatch) {
    TheAct() = [&](UpdateContext& context) {
      stopwatch.Time([&] {
        for (int i = 0; i < kRoundsPerTurn; ++i) act(context);
      });
    };
    world->Step({}, nullptr);
    TheAct() = {};
  };
  // Found once, as a behaviour does when it is bound.
  struct Bound {
    PropertyRef x;
    PropertyRef speed;
  };
  std::vector<Bound> bound;
  in_world(
      [&](UpdateContext& context) {
        bound.clear();
        for (const char* const name : {"a", "b", "c", "d"}) {
          bound.push_back({.x = *context.FindProperty(name, "x"),
                           .speed = *context.FindProperty(name, "speed")});
        }
      },
      calls);
  calls = Stopwatch();
  const auto advance = [](UpdateContext& context, const Bound& component) {
    // A component at a time, as the tables lie.
    Columns(Writes<double>{component.x}, Reads<double>{component.speed})
        .ForEach(context,
                 [](double& x, double speed) { x += (speed + 1.0) * kStepS; });
  };
  for (auto _ : state) {
    in_world(
        [&](UpdateContext& context) {
          for (const Bound& component : bound) advance(context, component);
        },
        columns);
    in_world([&](UpdateContext& context) { advance(context, bound.front()); },
             one_column);
    in_world(
        [&](UpdateContext& context) {
          for (const Bound& component : bound) {
            for (uint32_t i = 0; i < context.object_count(); ++i) {
              context.SetNumber(
                  i, component.x,
                  context.Number(i, component.x) +
                      (context.Number(i, component.speed) + 1.0) * kStepS);
            }
          }
        },
        calls);
    structs.Time([&] {
      for (int i = 0; i < kRoundsPerTurn; ++i) {
        for (Ant& ant : ants) {
          for (Row* const row : {&ant.a, &ant.b, &ant.c, &ant.d}) {
            row->x += (row->speed + 1.0) * kStepS;
          }
        }
        benchmark::ClobberMemory();
      }
    });
    one_member.Time([&] {
      for (int i = 0; i < kRoundsPerTurn; ++i) {
        for (Ant& ant : ants) ant.a.x += (ant.a.speed + 1.0) * kStepS;
        benchmark::ClobberMemory();
      }
    });
  }
  state.counters["ratio"] = columns.seconds() / structs.seconds();
  state.counters["ratio_one_component"] =
      one_column.seconds() / one_member.seconds();
  state.counters["ratio_of_calls"] = calls.seconds() / structs.seconds();
  const double values =
      static_cast<double>(state.iterations() * count) * kRoundsPerTurn * 4.0;
  state.counters["ns_of_value"] = columns.seconds() / values * 1e9;
}
BENCHMARK(BM_ColumnsAgainstStructs)
    ->Arg(100)
    ->Arg(10000)
    ->Unit(benchmark::kMicrosecond);

// Has the batch's first object have one go, by its place among all, and one
// come, in each update.
std::function<void(UpdateContext&)> ReplaceOne(double place) {
  return [place](UpdateContext& context) {
    const auto last = context.object_count() - 1;
    const auto i = static_cast<uint32_t>(place * last);
    context.Destroy(i, context.handle(i));
    const Handle made = context.Spawn(i, IdOf("ant"), {});
    CHECK(!made.is_null());
  };
}

// A tick in which one of many objects goes and one comes, against one in which
// none does: the oldest, one in the middle, and the youngest.
void BM_OneComesAndGoes(benchmark::State& state) {
  const int64_t count = state.range(0);
  const double place = static_cast<double>(state.range(1)) / 100.0;
  const auto steady = MakeWorld(Grid("ant", count));
  const auto changing = MakeWorld(Grid("ant", count));
  Stopwatch with;
  Stopwatch without;
  Stopwatch with_snapshot;
  State snapshot;
  uint32_t shared = 0;
  uint32_t pages = 0;
  for (auto _ : state) {
    TheAct() = {};
    without.Time([&] {
      for (int i = 0; i < kRoundsPerTurn; ++i) steady->Step({}, nullptr);
    });
    TheAct() = ReplaceOne(place);
    with.Time([&] {
      for (int i = 0; i < kRoundsPerTurn; ++i) changing->Step({}, nullptr);
    });
    with_snapshot.Time([&] {
      for (int i = 0; i < kRoundsPerTurn; ++i) {
        snapshot = changing->state();
        changing->Step({}, nullptr);
      }
    });
    shared = 0;
    pages = 0;
    for (uint32_t i = 0; i < snapshot.table_count(); ++i) {
      const Table& now = changing->state().table({i});
      const Table& then = snapshot.table({i});
      for (uint32_t page = 0; page < then.page_count(); ++page, ++pages) {
        if (page < now.page_count() &&
            now.PageBytes(page).data() == then.PageBytes(page).data()) {
          ++shared;
        }
      }
    }
    snapshot = State();
    benchmark::DoNotOptimize(changing->DrainEvents());
  }
  TheAct() = {};
  const double ticks = static_cast<double>(state.iterations()) * kRoundsPerTurn;
  state.counters["us_more"] =
      (with.seconds() - without.seconds()) / ticks * 1e6;
  state.counters["us_of_snapshot"] =
      (with_snapshot.seconds() - with.seconds()) / ticks * 1e6;
  state.counters["us_steady"] = without.seconds() / ticks * 1e6;
  state.counters["pages_shared"] = static_cast<double>(shared) / pages;
}
BENCHMARK(BM_OneComesAndGoes)
    ->Args({100, 50})
    ->Args({10000, 0})
    ->Args({10000, 50})
    ->Args({10000, 100})
    ->Unit(benchmark::kMicrosecond);

// Lines of sight between a thousand pairs among posts.
void BM_LinesOfSight(benchmark::State& state) {
  const int64_t posts = state.range(0);
  const auto world = MakeWorld(fmt::format(
      "objects {{ name: \"asker\" type: \"asker\" }}\n"
      "objects {{ name: \"post\" type: \"post\" grid {{ count_x: {} count_z: "
      "100 spacing {{ x: 3 z: 3 }} }} }}\n",
      posts / 100));
  RandomStream random = MakeRandomStream(1, IdOf("sight"));
  Stopwatch pairs_time;
  Stopwatch first_time;
  TheAct() = [&](UpdateContext& context) {
    const std::vector<FoundObject> all =
        context.queries().Find({.type = IdOf("post")});
    std::vector<SightPair> pairs;
    for (int i = 0; i < 1000; ++i) {
      // Those who could see each other: about thirty metres apart.
      const uint64_t from = NextBelow(random, all.size() - 10);
      pairs.push_back({all[from].handle, all[from + 10].handle});
    }
    // What is made once for all.
    first_time.Time([&] {
      benchmark::DoNotOptimize(
          context.queries().HasLineOfSight(pairs[0].from, pairs[0].to));
    });
    pairs_time.Time([&] {
      benchmark::DoNotOptimize(context.queries().HaveLinesOfSight(pairs));
    });
  };
  for (auto _ : state) world->Step({}, nullptr);
  TheAct() = {};
  const auto ticks = static_cast<double>(state.iterations());
  state.counters["us_of_1000_pairs"] = pairs_time.seconds() / ticks * 1e6;
  state.counters["us_before"] = first_time.seconds() / ticks * 1e6;
}
BENCHMARK(BM_LinesOfSight)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMicrosecond);

// A tick of objects of which one may ask for others but doesn't, and of which
// one asks, against a tick of a pack in which nobody asks.
void BM_QuestionsAskedOrNot(benchmark::State& state) {
  const int64_t count = state.range(0);
  const auto plain = MakeWorld(Grid("eye", count));
  const std::string asker = "objects { name: \"x\" type: \"asker\" }\n";
  const auto silent = MakeWorld(Grid("eye", count) + asker);
  const auto asking = MakeWorld(Grid("eye", count) + asker);
  Stopwatch times[3];
  const auto step = [&](Simulation& world, Stopwatch& time) {
    time.Time([&] {
      for (int i = 0; i < kRoundsPerTurn; ++i) world.Step({}, nullptr);
    });
  };
  for (auto _ : state) {
    TheAct() = {};
    step(*plain, times[0]);
    step(*silent, times[1]);
    TheAct() = [&](UpdateContext& context) {
      if (context.object_count() > 1) return;
      benchmark::DoNotOptimize(context.queries().FindNearest({}, 3, {}));
    };
    step(*asking, times[2]);
  }
  TheAct() = {};
  state.counters["ratio_silent"] = times[1].seconds() / times[0].seconds();
  state.counters["ratio_asking"] = times[2].seconds() / times[0].seconds();
}
BENCHMARK(BM_QuestionsAskedOrNot)
    ->Arg(100)
    ->Arg(10000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::sim

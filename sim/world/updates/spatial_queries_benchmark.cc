// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an index is worth: the same queries, builds and moves with a list, a
// grid and a quadtree, in a world of 1 km by 1 km. They take turns within one
// run, so that what else the machine does meets all alike; the figures are
// ratios of their sums. The answers are compared on the way.

#include <array>
#include <cstdint>
#include <ctime>
#include <memory>
#include <vector>

#include "benchmark/benchmark.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/spatial/quadtree.h"
#include "sim/geometry/spatial/uniform_grid.h"
#include "sim/world/updates/spatial_queries.h"

namespace reprise::sim {
namespace {

constexpr Aabb kBounds = {{-500.0, 0.0, -500.0}, {500.0, 40.0, 500.0}};
constexpr uint32_t kQueriesPerTurn = 500;

enum Kind { kList, kGrid, kQuadtree, kKindCount };

std::unique_ptr<SpatialIndex> MakeIndex(int kind) {
  switch (kind) {
    case kList:
      return std::make_unique<SpatialList>();
    case kGrid:
      return std::make_unique<UniformGrid>(
          UniformGridOptions{.bounds = kBounds, .cell_size = 20.0});
    default:
      return std::make_unique<Quadtree>(QuadtreeOptions{.bounds = kBounds});
  }
}

Vector3 DrawPoint(RandomStream& random) {
  const double x = (NextUnit(random) - 0.5) * 1000.0;
  const double y = NextUnit(random) * 40.0;
  const double z = (NextUnit(random) - 0.5) * 1000.0;
  return {x, y, z};
}

// Spheres of 0.5 m to 2 m; every tenth object is a box.
std::vector<SpatialObject> MakeObjects(int64_t count) {
  RandomStream random = MakeRandomStream(1, IdOf("objects"));
  std::vector<SpatialObject> objects;
  for (int64_t i = 0; i < count; ++i) {
    const Vector3 center = DrawPoint(random);
    const double size = 0.5 + 1.5 * NextUnit(random);
    SpatialShape shape = Sphere{.center = center, .radius = size};
    if (i % 10 == 0) shape = Expanded({center, center}, size);
    objects.push_back(
        {.object = {static_cast<uint64_t>(i + 1)}, .shape = shape});
  }
  return objects;
}

// One query of each sort at a place; each returns a number that depends on all
// that was found.
uint64_t AskSphere(const SpatialQueries& queries, Vector3 place, Vector3) {
  uint64_t sum = 0;
  for (const auto& near : queries.FindInSphere({place, 20.0})) {
    sum += near.object.serial;
  }
  return sum;
}

uint64_t AskNearest(const SpatialQueries& queries, Vector3 place, Vector3) {
  uint64_t sum = 0;
  for (const auto& near : queries.FindNearest(place, 8)) {
    sum = sum * 31 + near.object.serial;
  }
  return sum;
}

// A ray of 100 m.
Segment RayFrom(Vector3 place, Vector3 other) {
  Vector3 direction = other - place;
  direction.y *= 0.1;
  return {.start = place, .end = place + Normalized(direction) * 100.0};
}

uint64_t AskFirstHit(const SpatialQueries& queries, Vector3 place,
                     Vector3 other) {
  const auto hit = queries.FindFirstAlong(RayFrom(place, other));
  return hit.has_value() ? hit->object.serial : 0;
}

uint64_t AskCone(const SpatialQueries& queries, Vector3 place, Vector3 other) {
  uint64_t sum = 0;
  const Cone view = {.apex = place,
                     .axis = Normalized(other - place),
                     .half_angle_rad = 0.5,
                     .length = 40.0};
  for (const auto& near : queries.FindInCone(view)) sum += near.object.serial;
  return sum;
}

double SecondsSince(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

using SecondsByKind = std::array<double, kKindCount>;

// How many times as fast as the list the others are.
void ReportSpeedups(const SecondsByKind& seconds, benchmark::State& state) {
  state.counters["grid_speedup"] = seconds[kList] / seconds[kGrid];
  state.counters["quadtree_speedup"] = seconds[kList] / seconds[kQuadtree];
}

// The time reported is the list's, of one query.
template <uint64_t (*kAsk)(const SpatialQueries&, Vector3, Vector3)>
void BM_Query(benchmark::State& state) {
  const auto objects = MakeObjects(state.range(0));
  std::vector<std::unique_ptr<SpatialQueries>> sides;
  for (int kind = 0; kind < kKindCount; ++kind) {
    sides.push_back(std::make_unique<SpatialQueries>(MakeIndex(kind)));
    sides.back()->Build(objects);
  }
  RandomStream random = MakeRandomStream(2, IdOf("queries"));
  std::vector<Vector3> places;
  for (uint32_t i = 0; i <= kQueriesPerTurn; ++i) {
    places.push_back(DrawPoint(random));
  }
  SecondsByKind seconds = {};
  for (auto _ : state) {
    std::array<uint64_t, kKindCount> answers = {};
    const double list_seconds_before = seconds[kList];
    for (int kind = 0; kind < kKindCount; ++kind) {
      const std::clock_t begin = std::clock();
      for (uint32_t i = 0; i < kQueriesPerTurn; ++i) {
        answers[kind] =
            answers[kind] * 31 + kAsk(*sides[kind], places[i], places[i + 1]);
      }
      seconds[kind] += SecondsSince(begin);
    }
    if (answers[kGrid] != answers[kList] ||
        answers[kQuadtree] != answers[kList]) {
      state.SkipWithError("the indexes disagree");
      return;
    }
    state.SetIterationTime((seconds[kList] - list_seconds_before) /
                           kQueriesPerTurn);
  }
  ReportSpeedups(seconds, state);
}

// The time reported is the list's, of building all anew.
void BM_Build(benchmark::State& state) {
  const auto objects = MakeObjects(state.range(0));
  std::vector<std::unique_ptr<SpatialQueries>> sides;
  for (int kind = 0; kind < kKindCount; ++kind) {
    sides.push_back(std::make_unique<SpatialQueries>(MakeIndex(kind)));
    sides.back()->Build(objects);
  }
  SecondsByKind seconds = {};
  for (auto _ : state) {
    const double list_seconds_before = seconds[kList];
    for (int kind = 0; kind < kKindCount; ++kind) {
      const std::clock_t begin = std::clock();
      for (int i = 0; i < 10; ++i) sides[kind]->Build(objects);
      seconds[kind] += SecondsSince(begin);
    }
    state.SetIterationTime((seconds[kList] - list_seconds_before) / 10);
  }
  ReportSpeedups(seconds, state);
}

// Every object moved by 0.1 m, one by one, against building all anew. The time
// reported is the grid's, of moving all.
void BM_MoveAll(benchmark::State& state) {
  auto objects = MakeObjects(state.range(0));
  std::vector<std::unique_ptr<SpatialQueries>> sides;
  for (int kind = 0; kind < kKindCount; ++kind) {
    sides.push_back(std::make_unique<SpatialQueries>(MakeIndex(kind)));
    sides.back()->Build(objects);
  }
  SecondsByKind move_seconds = {};
  SecondsByKind build_seconds = {};
  for (auto _ : state) {
    for (SpatialObject& object : objects) {
      if (auto* sphere = std::get_if<Sphere>(&object.shape)) {
        sphere->center.x += sphere->center.x > 0.0 ? -0.1 : 0.1;
      }
    }
    const double grid_seconds_before = move_seconds[kGrid];
    for (int kind = 0; kind < kKindCount; ++kind) {
      std::clock_t begin = std::clock();
      for (const SpatialObject& object : objects) sides[kind]->Put(object);
      move_seconds[kind] += SecondsSince(begin);
      begin = std::clock();
      sides[kind]->Build(objects);
      build_seconds[kind] += SecondsSince(begin);
    }
    state.SetIterationTime(move_seconds[kGrid] - grid_seconds_before);
  }
  state.counters["grid_of_build"] = move_seconds[kGrid] / build_seconds[kGrid];
  state.counters["quadtree_of_build"] =
      move_seconds[kQuadtree] / build_seconds[kQuadtree];
}

// 100 rays in one call against 100 calls, with a grid. The time reported is
// that of the one call.
void BM_BatchOf100Rays(benchmark::State& state) {
  SpatialQueries queries(MakeIndex(kGrid));
  queries.Build(MakeObjects(state.range(0)));
  RandomStream random = MakeRandomStream(3, IdOf("rays"));
  std::vector<Segment> rays;
  for (int i = 0; i < 100; ++i) {
    const Vector3 place = DrawPoint(random);
    rays.push_back(RayFrom(place, DrawPoint(random)));
  }
  double single_seconds = 0.0;
  double batch_seconds = 0.0;
  for (auto _ : state) {
    const double batch_seconds_before = batch_seconds;
    std::clock_t begin = std::clock();
    for (int i = 0; i < 20; ++i) {
      for (const Segment& ray : rays) {
        benchmark::DoNotOptimize(queries.FindFirstAlong(ray));
      }
    }
    single_seconds += SecondsSince(begin);
    begin = std::clock();
    for (int i = 0; i < 20; ++i) {
      benchmark::DoNotOptimize(queries.FindFirstAlongEach(rays));
    }
    batch_seconds += SecondsSince(begin);
    state.SetIterationTime((batch_seconds - batch_seconds_before) / 20);
  }
  state.counters["speedup"] = single_seconds / batch_seconds;
}

void AtEachSize(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(100)->Arg(1'000)->Arg(10'000);
  benchmark->Iterations(20)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

BENCHMARK(BM_Query<AskSphere>)->Name("BM_Sphere")->Apply(AtEachSize);
BENCHMARK(BM_Query<AskCone>)->Name("BM_Cone")->Apply(AtEachSize);
BENCHMARK(BM_Query<AskNearest>)->Name("BM_Nearest8")->Apply(AtEachSize);
BENCHMARK(BM_Query<AskFirstHit>)->Name("BM_Ray")->Apply(AtEachSize);
BENCHMARK(BM_Build)->Apply(AtEachSize);
BENCHMARK(BM_MoveAll)->Apply(AtEachSize);
BENCHMARK(BM_BatchOf100Rays)->Apply(AtEachSize);

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a picture costs: 1,000 objects, half of them boxes and half balls, at
// 640 by 360. "real_time" is how many times faster than at 60 pictures a
// second.

#include <cstdint>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "replays/rendering/picture.h"
#include "replays/rendering/projection.h"
#include "replays/rendering/scene_renderer.h"
#include "replays/showing/shown_scene.h"
#include "sim/base/digest.h"
#include "sim/frame.h"
#include "sim/geometry/quaternion.h"

namespace reprise::replays {
namespace {

constexpr uint32_t kObjects = 1000;
constexpr uint32_t kSide = 10;

void BM_Picture(benchmark::State& state) {
  std::vector<ShownObject> objects;
  ShownFrame frame;
  for (uint32_t i = 0; i < kObjects; ++i) {
    const bool is_box = i % 2 == 0;
    sim::FrameShape shape = {.kind = is_box ? sim::FrameShape::Kind::kBox
                                            : sim::FrameShape::Kind::kSphere,
                             .size = {0.4, 0.4, 0.4}};
    objects.push_back(
        {.name = "one", .type = is_box ? "box" : "ball", .shapes = {shape}});
    const uint32_t layer = i / kSide % kSide;
    const uint32_t row = i / kSide / kSide;
    frame.poses.push_back({i,
                           {1.3 * (i % kSide), 0.5 + 1.3 * layer, 1.3 * row},
                           sim::FromTurns({7.0 * i, 11.0 * i, 0})});
  }
  objects.push_back(
      {.name = "ground",
       .type = "ground",
       .shapes = {{.kind = sim::FrameShape::Kind::kPlane, .size = {0, 1, 0}}}});
  frame.poses.push_back({kObjects, {}, {}});
  RenderOptions options;
  options.samples = static_cast<uint32_t>(state.range(0));
  options.has_shadows = state.range(1) != 0;
  SceneRenderer renderer({}, options);
  const Camera camera = {.view = LookAt({22, 16, 24}, {6, 5, 6}, {0, 1, 0})};
  for (auto _ : state) {
    benchmark::DoNotOptimize(renderer.Draw({frame, objects, {}}, camera));
  }
  state.counters["real_time"] =
      benchmark::Counter(static_cast<double>(state.iterations()) / 60,
                         benchmark::Counter::kIsRate);
  const Picture picture = renderer.Draw({frame, objects, {}}, camera);
  state.SetLabel(sim::FormatDigest(picture.ComputeDigest()));
}
BENCHMARK(BM_Picture)
    ->ArgNames({"samples", "shadows"})
    ->Args({1, 0})
    ->Args({1, 1})
    ->Args({4, 0})
    ->Args({4, 1})
    ->Args({16, 1})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::replays

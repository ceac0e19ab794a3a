// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <ctime>

#include "benchmark/benchmark.h"
#include "sim/base/digest.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kTicks = 600;  // falls and settles

void BM_Pile(benchmark::State& benchmark_state) {
  const auto body_count = static_cast<uint32_t>(benchmark_state.range(0));
  Digest digest;
  for (auto _ : benchmark_state) {
    TestingWorld world(MakePile({.body_count = body_count}));
    const std::clock_t begin = std::clock();
    for (uint32_t i = 0; i < kTicks; ++i) world.Step();
    benchmark_state.SetIterationTime(static_cast<double>(std::clock() - begin) /
                                     CLOCKS_PER_SEC / kTicks);
    digest = world.digest();
  }
  benchmark_state.SetLabel(FormatDigest(digest));
}
BENCHMARK(BM_Pile)
    ->Arg(100)
    ->Arg(300)
    ->Arg(1000)
    ->Arg(3000)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::sim

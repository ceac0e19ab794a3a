// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Our worlds and a stock Bullet loop take turns every few ticks within one run,
// from the fall to the rest, so that what else the machine does meets both
// alike; the ratios are of their sums.
//
// Stock Bullet is always built with -O2 (see stock_world.h); ours is built as
// the command line says, --config=release being how it ships.

#ifndef REPRISE_SIM_PHYSICS_STOCK_STOCK_COMPARISON_BENCHMARK_H_
#define REPRISE_SIM_PHYSICS_STOCK_STOCK_COMPARISON_BENCHMARK_H_

#include <cstdint>
#include <ctime>

#include "benchmark/benchmark.h"
#include "sim/base/digest.h"

namespace reprise::sim {

// One iteration of RunAgainstStock is this many ticks of each side.
inline constexpr uint32_t kStockComparisonTicks = 600;

// Time and contact points of one side.
struct SideSums {
  double seconds = 0.0;
  double contact_points = 0.0;
};

inline constexpr uint32_t kTicksPerTurn = 10;

template <typename Side>
void TakeTurn(uint32_t first_tick, Side& side, SideSums& sums) {
  const std::clock_t begin = std::clock();
  for (uint32_t i = 0; i < kTicksPerTurn; ++i) side.Step(first_tick + i);
  sums.seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  sums.contact_points += side.contact_point_count();
}

// Compares what `make_stock()` makes with what `make_ours(has_digest)` makes,
// without and with a digest of all state every tick. Both sides have
// Step(tick) and contact_point_count(), ours has digest().
//
// The time reported is ours, of one tick, without a digest. Contact points are
// those of a tick, on the average.
template <typename MakeStock, typename MakeOurs>
void RunAgainstStock(benchmark::State& benchmark_state,
                     const MakeStock& make_stock, const MakeOurs& make_ours) {
  SideSums stock_sums;
  SideSums our_sums;
  SideSums digest_sums;
  Digest digest;
  double turns = 0.0;
  for (auto _ : benchmark_state) {
    auto stock = make_stock();
    auto ours = make_ours(/*has_digest=*/false);
    auto with_digest = make_ours(/*has_digest=*/true);
    const double seconds_before = our_sums.seconds;
    for (uint32_t tick = 0; tick < kStockComparisonTicks;
         tick += kTicksPerTurn) {
      TakeTurn(tick, *stock, stock_sums);
      TakeTurn(tick, *ours, our_sums);
      TakeTurn(tick, *with_digest, digest_sums);
      turns += 1.0;
    }
    benchmark_state.SetIterationTime((our_sums.seconds - seconds_before) /
                                     kStockComparisonTicks);
    digest = ours->digest();
  }
  benchmark_state.counters["ratio"] = our_sums.seconds / stock_sums.seconds;
  benchmark_state.counters["ratio_with_digest"] =
      digest_sums.seconds / stock_sums.seconds;
  benchmark_state.counters["contact_points"] = our_sums.contact_points / turns;
  benchmark_state.counters["stock_contact_points"] =
      stock_sums.contact_points / turns;
  benchmark_state.SetLabel(FormatDigest(digest));
}

// What every benchmark of RunAgainstStock is run with.
inline void ConfigureStockComparison(
    benchmark::internal::Benchmark* benchmark) {
  benchmark->Iterations(1)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_STOCK_STOCK_COMPARISON_BENCHMARK_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an archetype costs to compile in a pack of many, against a pack of a
// tenth of them in the same run: 1 is linear. Each is made from the one that
// stands after it, as badly ordered as can be, and has an object.

#include <cstdint>
#include <ctime>
#include <string>
#include <utility>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/pack_archive.h"

namespace reprise::sim {
namespace {

// Rows of archetypes are this long, so that what they copy is alike.
constexpr int64_t kRow = 50;

PackArchive PackWith(int64_t archetypes) {
  std::string manifest =
      "name: \"many\"\n"
      "components { name: \"health\" properties { name: \"points\" type: "
      "TYPE_INTEGER } }\n"
      "types { name: \"orc\" components { component: \"health\" } }\n";
  for (int64_t i = 0; i < archetypes; ++i) {
    const bool is_last = i % kRow == kRow - 1 || i + 1 == archetypes;
    manifest += fmt::format(
        "archetypes {{ name: \"a{}\" of: \"{}\" set {{ property: "
        "\"health.points\" to: \"{}\" }} }}\nobjects {{ name: \"o{}\" type: "
        "\"a{}\" }}\n",
        i, is_last ? "orc" : fmt::format("a{}", i + 1), i, i, i);
  }
  PackArchive pack;
  CHECK(pack.Add(std::string(kPackManifestPath), std::move(manifest)).ok());
  return pack;
}

double SecondsToCompile(const PackArchive& pack) {
  const std::clock_t begin = std::clock();
  PackReport report;
  CHECK(CompilePack(pack, /*seed=*/1, report) != nullptr, "{}",
        report.ToStatus().ToString());
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void BM_CompileArchetypes(benchmark::State& benchmark_state) {
  const int64_t count = benchmark_state.range(0);
  const PackArchive many = PackWith(count);
  const PackArchive few = PackWith(count / 10);
  double many_seconds = 0.0;
  double few_seconds = 0.0;
  for (auto _ : benchmark_state) {
    const double seconds = SecondsToCompile(many);
    many_seconds += seconds;
    // As many archetypes in all.
    for (int turn = 0; turn < 10; ++turn) few_seconds += SecondsToCompile(few);
    benchmark_state.SetIterationTime(seconds / static_cast<double>(count));
  }
  benchmark_state.counters["per_archetype_of_a_tenth"] =
      many_seconds / few_seconds;
}
BENCHMARK(BM_CompileArchetypes)
    ->Arg(10000)
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::sim

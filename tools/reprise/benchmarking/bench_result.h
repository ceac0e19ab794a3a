// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What came of measuring a pack: for people, for programs, and for baselines.

#ifndef REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_RESULT_H_
#define REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_RESULT_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sim/base/tick.h"
#include "tools/reprise/benchmarking/phase_times.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

// Which run was measured: of another one, no figure can be compared.
struct BenchSubject {
  std::string pack;
  std::string simulation;
  uint64_t seed = 0;
  sim::Tick tick_count = 0;
  std::string inputs;  // "none", "random 7", "course.txtpb, bots 0:racer"

  friend bool operator==(const BenchSubject&, const BenchSubject&) = default;
};

struct BenchResult {
  BenchSubject subject;
  std::string pack_digest;
  std::string digest;  // of the state at the end
  std::string build;   // the compiler and the kind of build
  double dt_s = 0;     // what a tick is in the game
  uint64_t repeats = 0;
  // The median of the repeats; and a tick's time in units of the reference
  // load, both of the quickest repeat.
  double ticks_per_second = 0;
  double ratio = 0;
  // How much longer the run took in which each phase was looked at.
  double watched_slowdown = 0;
  std::vector<PhaseTime> phases;
  std::chrono::nanoseconds outside = {};  // bots, inputs and events
  std::optional<double> instructions;     // a tick
  // Why there are none: nobody asked, or what keeps them from being counted.
  std::string instructions_missing;
};

// The longest phases and parts are shown, all that make a thousandth.
void PrintHuman(const BenchResult& result, std::ostream& stream);

// All of it, as keys of a document.
void AddTo(const BenchResult& result, Json& document);

// "613k", "61.3k", "612": three digits and what they stand for.
std::string FormatCount(double count);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BENCHMARKING_BENCH_RESULT_H_

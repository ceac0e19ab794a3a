// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/benchmarking/bench_result.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

#include "fmt/format.h"
#include "fmt/ostream.h"
#include "tools/reprise/terminal/escaped_text.h"

namespace reprise::tools {
namespace {

using std::chrono::nanoseconds;

// A share below it is noise to a reader.
constexpr double kShareShown = 0.001;

constexpr std::string_view kOutside = "bots and inputs";

nanoseconds Total(const BenchResult& result) {
  nanoseconds total = result.outside;
  for (const PhaseTime& phase : result.phases) total += phase.time;
  // A clock that stood still has no shares to give.
  return std::max(total, nanoseconds(1));
}

double ShareOf(nanoseconds time, nanoseconds total) {
  return static_cast<double>(time.count()) / static_cast<double>(total.count());
}

void PrintShare(std::string_view name, double share, std::ostream& stream) {
  if (share < kShareShown) return;
  fmt::print(stream, "  {:<44}{:5.1f} %\n", EscapeLine(name), share * 100);
}

void PrintShares(const BenchResult& result, std::ostream& stream) {
  const nanoseconds total = Total(result);
  fmt::print(stream, "time of a tick\n");
  for (const PhaseTime& phase : result.phases) {
    PrintShare(phase.name, ShareOf(phase.time, total), stream);
    for (const PartTime& part : phase.parts) {
      PrintShare("  " + part.name, ShareOf(part.time, total), stream);
    }
  }
  PrintShare(kOutside, ShareOf(result.outside, total), stream);
}

}  // namespace

void PrintHuman(const BenchResult& result, std::ostream& stream) {
  const BenchSubject& subject = result.subject;
  fmt::print(stream, "pack      {} {}\n", subject.pack, result.pack_digest);
  fmt::print(stream, "seed      {}\n", subject.seed);
  fmt::print(stream, "inputs    {}\n", subject.inputs);
  fmt::print(stream, "ticks     {}, {} times\n", subject.tick_count,
             result.repeats);
  fmt::print(stream, "digest    {}\n", result.digest);
  fmt::print(stream, "speed     {} ticks/s, {} times real time\n",
             FormatCount(result.ticks_per_second),
             FormatCount(result.ticks_per_second * result.dt_s));
  fmt::print(stream, "ratio     a tick takes {:.4g} units of reference load\n",
             result.ratio);
  if (result.instructions.has_value()) {
    fmt::print(stream, "counted   {} instructions a tick\n",
               FormatCount(*result.instructions));
  } else {
    fmt::print(stream, "counted   no instructions: {}\n",
               EscapeLine(result.instructions_missing));
  }
  PrintShares(result, stream);
}

void AddTo(const BenchResult& result, Json& document) {
  const BenchSubject& subject = result.subject;
  document["pack"] = subject.pack;
  document["pack_digest"] = result.pack_digest;
  document["simulation"] = subject.simulation;
  document["seed"] = std::to_string(subject.seed);
  document["tick_count"] = subject.tick_count;
  document["inputs"] = subject.inputs;
  document["digest"] = result.digest;
  document["build"] = result.build;
  document["repeats"] = result.repeats;
  document["ticks_per_second"] = result.ticks_per_second;
  document["ratio"] = result.ratio;
  document["instructions"] = result.instructions.has_value()
                                 ? Json(*result.instructions)
                                 : Json(nullptr);
  if (!result.instructions.has_value()) {
    document["instructions_missing"] = result.instructions_missing;
  }
  const nanoseconds total = Total(result);
  document["watched_slowdown"] = result.watched_slowdown;
  document["outside_share"] = ShareOf(result.outside, total);
  document["phases"] = Json::array();
  for (const PhaseTime& phase : result.phases) {
    Json parts = Json::array();
    for (const PartTime& part : phase.parts) {
      parts.push_back(
          {{"name", part.name}, {"share", ShareOf(part.time, total)}});
    }
    document["phases"].push_back({{"name", phase.name},
                                  {"share", ShareOf(phase.time, total)},
                                  {"parts", std::move(parts)}});
  }
}

std::string FormatCount(double count) {
  constexpr auto kSuffixes = std::to_array<std::string_view>({"", "k", "M"});
  size_t suffix = 0;
  // 999.5 would be rounded to four digits.
  while (count >= 999.5 && suffix + 1 < kSuffixes.size()) {
    count /= 1000;
    ++suffix;
  }
  const int decimals = count >= 99.95 ? 0 : count >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", count, decimals, kSuffixes[suffix]);
}

}  // namespace reprise::tools

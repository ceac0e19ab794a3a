// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Looks once for what a game hides, and says how many ticks that took; or says
// which games there are:
//   finding_main campaign|random GAME SEED TICKS_MAX
//   finding_main games
// tools/fuzz/finding.sh makes a table of many such searches.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "sim/base/tick.h"
#include "tests/fuzzing/finding.h"
#include "tests/fuzzing/planted_bugs.h"

namespace reprise::tests {
namespace {

// Of random inputs, a minute of 60 ticks a second.
constexpr sim::Tick kRunTicks = 3600;

std::vector<std::string> Games() {
  std::vector<std::string> games = HidingPacks();
  for (const PlantedBug& bug : PlantedBugs()) games.emplace_back(bug.name);
  return games;
}

uint64_t NumberOf(const char* text) { return std::strtoull(text, nullptr, 10); }

int Main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1 && arguments[0] == "games") {
    for (const std::string& game : Games()) fmt::print("{}\n", game);
    return 0;
  }
  if (arguments.size() != 4 ||
      (arguments[0] != "campaign" && arguments[0] != "random")) {
    fmt::print(stderr,
               "usage: finding_main campaign|random GAME SEED TICKS_MAX\n"
               "       finding_main games\n");
    return 2;
  }
  const HidingGame game = OpenGame(std::string(arguments[1]));
  const uint64_t seed = NumberOf(argv[3]);
  const uint64_t ticks_max = NumberOf(argv[4]);
  const Finding finding =
      arguments[0] == "campaign"
          ? FindByCampaign(game, seed, ticks_max)
          : FindByRandomInputs(game, seed, ticks_max, kRunTicks);
  // In the words of raw_bytes_fuzz.
  fmt::print("{} after {} ticks\n", finding.is_found ? "found" : "not found",
             finding.ticks);
  return 0;
}

}  // namespace
}  // namespace reprise::tests

int main(int argc, char** argv) { return reprise::tests::Main(argc, argv); }

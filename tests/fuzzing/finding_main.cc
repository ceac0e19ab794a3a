// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Prints how many ticks it takes to find what each game hides:
//   finding_main [SEEDS [CAP_OF_CAMPAIGNS [CAP_OF_RANDOM_INPUTS [GAME...]]]]

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/fuzzing/finding.h"
#include "tests/fuzzing/planted_bugs.h"

namespace reprise::tests {
namespace {

uint64_t NumberOf(int argc, char** argv, int index, uint64_t otherwise) {
  return index < argc ? std::strtoull(argv[index], nullptr, 10) : otherwise;
}

// "25,088"; "more than 2,000,000" where most found nothing.
std::string Told(const std::vector<Finding>& findings) {
  const Finding median = MedianOf(findings);
  std::string number = fmt::format("{}", median.ticks);
  for (size_t place = number.size(); place > 3;) {
    place -= 3;
    number.insert(place, 1, ',');
  }
  return median.is_found ? number : "more than " + number;
}

int Main(int argc, char** argv) {
  const uint64_t seeds = NumberOf(argc, argv, 1, 20);
  const uint64_t campaign_max = NumberOf(argc, argv, 2, 2'000'000);
  const uint64_t random_max = NumberOf(argc, argv, 3, 20'000'000);
  fmt::print(
      "| game | campaign, median ticks | found | random inputs | found |\n"
      "|---|---|---|---|---|\n");
  std::vector<std::string> games(argv + std::min(argc, 4), argv + argc);
  if (games.empty()) {
    games = HidingPacks();
    for (const PlantedBug& bug : PlantedBugs()) games.emplace_back(bug.name);
  }
  for (const std::string& name : games) {
    const HidingGame game = OpenGame(name);
    std::vector<Finding> campaigns;
    std::vector<Finding> randoms;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      campaigns.push_back(FindByCampaign(game, seed, campaign_max));
      randoms.push_back(FindByRandomInputs(game, seed, random_max, 3600));
    }
    const auto found = [](const std::vector<Finding>& findings) {
      return std::ranges::count(findings, true, &Finding::is_found);
    };
    fmt::print("| {} | {} | {} of {} | {} | {} of {} |\n", name,
               Told(campaigns), found(campaigns), seeds, Told(randoms),
               found(randoms), seeds);
    std::fflush(stdout);  // the next game takes minutes
  }
  return 0;
}

}  // namespace
}  // namespace reprise::tests

int main(int argc, char** argv) { return reprise::tests::Main(argc, argv); }

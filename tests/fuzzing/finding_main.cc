// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Prints how many ticks it takes to find what each pack hides:
//   finding_main [SEEDS [CAP_OF_CAMPAIGNS [CAP_OF_RANDOM_INPUTS [PACK...]]]]

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/fuzzing/finding.h"

namespace reprise::tests {
namespace {

uint64_t NumberOf(int argc, char** argv, int index, uint64_t otherwise) {
  return index < argc ? std::strtoull(argv[index], nullptr, 10) : otherwise;
}

int Main(int argc, char** argv) {
  const uint64_t seeds = NumberOf(argc, argv, 1, 20);
  const uint64_t campaign_max = NumberOf(argc, argv, 2, 2'000'000);
  const uint64_t random_max = NumberOf(argc, argv, 3, 20'000'000);
  fmt::print(
      "| pack | campaign, median ticks | found | random inputs | found |\n"
      "|---|---|---|---|---|\n");
  std::vector<std::string> packs(argv + std::min(argc, 4), argv + argc);
  if (packs.empty()) packs = {"lock", "maze", "hops", "market", "race"};
  for (const std::string& pack : packs) {
    const auto start = OpenFuzzingPack(pack);
    std::vector<Finding> campaigns;
    std::vector<Finding> randoms;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      campaigns.push_back(FindByCampaign(*start, seed, campaign_max));
      randoms.push_back(FindByRandomInputs(*start, seed, random_max, 3600));
    }
    const auto found = [](const std::vector<Finding>& findings) {
      int count = 0;
      for (const Finding& finding : findings) count += finding.is_found;
      return count;
    };
    fmt::print("| {} | {} | {} of {} | {}{} | {} of {} |\n", pack,
               MedianOf(campaigns).ticks, found(campaigns), seeds,
               MedianOf(randoms).is_found ? "" : "more than ",
               MedianOf(randoms).ticks, found(randoms), seeds);
    std::fflush(stdout);  // the next pack takes minutes
  }
  return 0;
}

}  // namespace
}  // namespace reprise::tests

int main(int argc, char** argv) { return reprise::tests::Main(argc, argv); }

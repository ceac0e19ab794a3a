// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzzing/finding.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/fuzz_rules.h"
#include "replays/fuzzing/run_watch.h"
#include "replays/playing/pack_folder.h"
#include "sim/input/random_input_source.h"
#include "sim/simulation_registry.h"

namespace reprise::tests {
namespace {

replays::FuzzRules RulesOf(const sim::Simulation& start) {
  auto rules = replays::FuzzRules::Create(start.description().fuzzing, start);
  EXPECT_TRUE(rules.ok()) << rules.status();
  return *std::move(rules);
}

}  // namespace

std::unique_ptr<sim::Simulation> OpenFuzzingPack(const std::string& name) {
  const auto pack = replays::ReadPackFolder("tests/fuzzing/packs/" + name);
  EXPECT_TRUE(pack.ok()) << pack.status();
  auto simulation = sim::CreateSimulation("world", *pack, /*seed=*/1);
  EXPECT_TRUE(simulation.ok()) << simulation.status();
  return *std::move(simulation);
}

Finding FindByCampaign(const sim::Simulation& start, uint64_t seed,
                       uint64_t ticks_max) {
  auto campaign =
      replays::FuzzCampaign::Create(start, RulesOf(start), {.seed = seed});
  EXPECT_TRUE(campaign.ok()) << campaign.status();
  while ((*campaign)->failures().empty() &&
         (*campaign)->progress().ticks < ticks_max) {
    (*campaign)->RunRound(ticks_max - (*campaign)->progress().ticks);
  }
  return {.ticks = (*campaign)->progress().ticks,
          .is_found = !(*campaign)->failures().empty()};
}

Finding FindByRandomInputs(const sim::Simulation& start, uint64_t seed,
                           uint64_t ticks_max, sim::Tick run_ticks) {
  const replays::FuzzRules rules = RulesOf(start);
  const sim::State& first = start.state();
  const std::unique_ptr<sim::Simulation> simulation = start.Fork();
  replays::RunWatch watch(&rules, start);
  Finding finding;
  for (uint64_t run = 0;; ++run) {
    EXPECT_TRUE(simulation->Restore(first).ok());
    watch.Restore(first, {});
    sim::RandomInputSource inputs(start.info().inputs, seed * 1'000'000 + run);
    while (simulation->tick() < run_ticks &&
           simulation->outcome().status == sim::Outcome::Status::kRunning) {
      if (finding.ticks == ticks_max) return finding;
      const std::vector<sim::InputFrame> frames = inputs.Next();
      simulation->Step(frames, nullptr);
      ++finding.ticks;
      if (watch.Look(*simulation, simulation->DrainEvents(), true)) {
        finding.is_found = true;
        return finding;
      }
    }
  }
}

Finding MedianOf(std::vector<Finding> findings) {
  std::ranges::sort(findings, {}, [](const Finding& finding) {
    return std::pair(!finding.is_found, finding.ticks);
  });
  return findings[findings.size() / 2];
}

}  // namespace reprise::tests

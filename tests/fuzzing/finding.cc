// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzzing/finding.h"

#include <string_view>
#include <utility>

#include "gtest/gtest.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/playing/pack_folder.h"
#include "sim/fuzzing_description.h"
#include "sim/input/random_input_source.h"
#include "sim/pack_archive.h"
#include "sim/simulation_registry.h"
#include "tests/fuzzing/planted_bugs.h"
#include "tools/reprise/inputs/script_places.h"

namespace reprise::tests {
namespace {

sim::PackArchive ReadPack(const std::string& folder) {
  const auto pack = replays::ReadPackFolder(folder);
  EXPECT_TRUE(pack.ok()) << pack.status();
  return pack.value_or(sim::PackArchive());
}

// `pack` with the one place in `file` that is `from` made `to`.
sim::PackArchive Replace(const sim::PackArchive& pack, std::string_view file,
                         std::string_view from, std::string_view to) {
  sim::PackArchive changed;
  for (const auto& [path, contents] : pack.files()) {
    std::string text = contents;
    if (path == file) {
      const size_t place = text.find(from);
      EXPECT_NE(place, std::string::npos) << from;
      if (place == std::string::npos) continue;
      EXPECT_EQ(text.find(from, place + 1), std::string::npos) << from;
      text.replace(place, from.size(), to);
    }
    EXPECT_TRUE(changed.Add(path, text).ok());
  }
  return changed;
}

HidingGame Open(const sim::PackArchive& pack, const PlantedBug* bug) {
  auto start = sim::CreateSimulation("world", pack, /*seed=*/1);
  EXPECT_TRUE(start.ok()) << start.status();
  sim::FuzzingDescription description = (*start)->description().fuzzing;
  if (bug != nullptr && !bug->always.empty()) {
    description.always.push_back(
        {.name = std::string(bug->name), .text = std::string(bug->always)});
  }
  if (bug != nullptr && !bug->maximize.empty()) {
    description.maximize.push_back(
        {.name = std::string(bug->name), .text = std::string(bug->maximize)});
  }
  auto rules = replays::FuzzRules::Create(description, **start);
  EXPECT_TRUE(rules.ok()) << rules.status();
  auto scripts = tools::ScriptPlaces::Create(**start);
  return {.start = *std::move(start),
          .rules = *std::move(rules),
          .scripts = std::move(scripts),
          .signature = bug == nullptr ? "" : std::string(bug->signature)};
}

}  // namespace

std::vector<std::string> HidingPacks() {
  return {"lock", "maze", "hops", "leaps", "market", "race", "wall"};
}

HidingGame OpenGame(const std::string& name, bool is_mended) {
  for (const PlantedBug& bug : PlantedBugs()) {
    if (bug.name != name) continue;
    sim::PackArchive pack = ReadPack("sim/packs/" + std::string(bug.pack));
    if (!is_mended) pack = Replace(pack, bug.file, bug.from, bug.to);
    return Open(pack, &bug);
  }
  sim::PackArchive pack = ReadPack("tests/fuzzing/packs/" + name);
  if (is_mended) {
    pack = Replace(pack, sim::kPackManifestPath, "MOTION_DYNAMIC",
                   "MOTION_DYNAMIC continuous: true");
  }
  return Open(pack, nullptr);
}

Finding FindByCampaign(const HidingGame& game, uint64_t seed,
                       uint64_t ticks_max) {
  auto campaign = replays::FuzzCampaign::Create(
      *game.start, game.rules, {.seed = seed, .code = game.scripts.get()});
  EXPECT_TRUE(campaign.ok()) << campaign.status();
  const auto is_found = [&] {
    const auto& failures = (*campaign)->failures();
    return game.signature.empty() ? !failures.empty()
                                  : failures.contains(game.signature);
  };
  while (!is_found() && (*campaign)->progress().ticks < ticks_max) {
    (*campaign)->RunRound(ticks_max - (*campaign)->progress().ticks);
  }
  return {.ticks = (*campaign)->progress().ticks, .is_found = is_found()};
}

Finding FindByRandomInputs(const HidingGame& game, uint64_t seed,
                           uint64_t ticks_max, sim::Tick run_ticks) {
  const sim::State& first = game.start->state();
  const std::unique_ptr<sim::Simulation> simulation = game.start->Fork();
  replays::RunWatch watch(&game.rules, *game.start);
  Finding finding;
  for (uint64_t run = 0;; ++run) {
    EXPECT_TRUE(simulation->Restore(first).ok());
    simulation->DrainEvents();
    watch.Restore(first, {});
    sim::RandomInputSource inputs(game.start->info().inputs,
                                  seed * 1'000'000 + run);
    while (simulation->tick() < run_ticks &&
           simulation->outcome().status == sim::Outcome::Status::kRunning) {
      if (finding.ticks == ticks_max) return finding;
      const std::vector<sim::InputFrame> frames = inputs.Next();
      simulation->Step(frames, nullptr);
      ++finding.ticks;
      const auto failure =
          watch.Look(*simulation, simulation->DrainEvents(), true);
      if (!failure.has_value()) continue;
      if (!game.signature.empty() && failure->signature != game.signature) {
        break;
      }
      finding.is_found = true;
      return finding;
    }
  }
}

}  // namespace reprise::tests

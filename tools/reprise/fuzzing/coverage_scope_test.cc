// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves on packs that ship that a report of coverage speaks of what a pack
// declares, sends or uses, and of nothing else that the program knows; and that
// types, properties and regions come as objects do.

#include "tools/reprise/fuzzing/coverage_scope.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/fuzz_coverage.h"
#include "replays/playing/pack_folder.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/pack_archive.h"

namespace reprise::tools {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

struct Game {
  sim::PackArchive pack;
  std::unique_ptr<sim::Simulation> start;
};

Game Open(sim::PackArchive pack) {
  auto start = sim::CreateWorld(pack, /*seed=*/1);
  EXPECT_TRUE(start.ok()) << start.status();
  return {.pack = std::move(pack), .start = *std::move(start)};
}

Game OpenShipped(const std::string& name) {
  return Open(*replays::ReadPackFolder("sim/packs/" + name));
}

Game OpenText(const std::string& text) {
  sim::PackArchive pack;
  EXPECT_TRUE(pack.Add(std::string(sim::kPackManifestPath), text).ok());
  return Open(std::move(pack));
}

replays::FuzzCoverage Search(const Game& game, int rounds) {
  const auto rules = replays::FuzzRules::Create(
      game.start->description().fuzzing, *game.start);
  auto campaign =
      *replays::FuzzCampaign::Create(*game.start, *rules, {.seed = 1});
  for (int round = 0; round < rounds; ++round) {
    campaign->RunRound(replays::FuzzCampaign::kRoundTicks);
  }
  return replays::CoverageOf(*campaign, *game.start,
                             CoverageScopeOf(game.pack, *game.start));
}

const replays::FuzzCoveragePart& Part(const replays::FuzzCoverage& coverage,
                                      std::string_view name) {
  static const replays::FuzzCoveragePart kNone;
  const auto part =
      std::ranges::find(coverage, name, &replays::FuzzCoveragePart::name);
  EXPECT_NE(part, coverage.end()) << name;
  return part == coverage.end() ? kNone : *part;
}

TEST(CoverageScopeTest, EventsOfTheWorldAndOfUnusedSystemsAreForeign) {
  const Game quarry = OpenShipped("quarry");
  const auto scope = CoverageScopeOf(quarry.pack, *quarry.start);
  EXPECT_THAT(scope.foreign_events, Contains("object_spawned"));
  EXPECT_THAT(scope.foreign_events, Contains("path_arrived"));  // navigation
  EXPECT_THAT(scope.foreign_events, Not(Contains("region_entered")));
  EXPECT_THAT(scope.foreign_events, Not(Contains("opened")));  // its own
  EXPECT_THAT(scope.regions, ElementsAre("pit", "shaft", "lodestone"));
}

TEST(CoverageScopeTest, EventOfTheWorldThatThePackSendsIsItsOwn) {
  const Game harbour = OpenShipped("harbour");  // whose ferry starts
  const auto scope = CoverageScopeOf(harbour.pack, *harbour.start);
  EXPECT_THAT(scope.foreign_events, Not(Contains("start")));
  EXPECT_THAT(scope.foreign_events, Contains("stop"));
}

// A stone falls into the pit; nothing comes to the loft, and no feather.
constexpr char kPit[] = R"(name: "pit"
players { commands_per_tick_max: 1 actions { name: "drop" command {} } actions { name: "lift" command {} } }
events { name: "landed" }
events { name: "soared" }
components {
  name: "tag"
  properties { name: "drops" type: TYPE_INTEGER }
  properties { name: "lifts" type: TYPE_INTEGER }
}
types { name: "thing" components { component: "tag" } interests { event: "landed" } interests { event: "soared" } }
types { name: "stone" extends: "thing" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.2 } } } }
types { name: "feather" extends: "thing" }
types { name: "leaf" }
objects { name: "stone" type: "stone" position { y: 5 } }
regions { name: "depth" volume { box { centre { y: -5 } half_extents { x: 5 y: 4 z: 5 } } } }
regions { name: "loft" volume { box { centre { y: 50 } half_extents { x: 5 y: 4 z: 5 } } } }
connections { name: "land" event: "drop" target: "stone" send: "landed" then { add { object: "stone" property: "tag.drops" amount: "1" } } }
connections { name: "soar" event: "lift" if: "stone.tag.drops < 0" target: "stone" send: "soared" then { add { object: "stone" property: "tag.lifts" amount: "1" } } then { spawn { archetype: "leaf" object: "stone" } } }
)";

// Explosions and what breaks declare a blast, rollers and characters a jump.
TEST(CoverageScopeTest, EventsThatSeveralUnusedSystemsDeclareAreForeign) {
  const Game pit = OpenText(kPit);
  const auto scope = CoverageScopeOf(pit.pack, *pit.start);
  EXPECT_THAT(scope.foreign_events, Contains("blast"));
  EXPECT_THAT(scope.foreign_events, Contains("jumped"));
  EXPECT_THAT(scope.foreign_events, Not(Contains("landed")));  // its own
}

TEST(CoverageScopeTest, ReportSaysWhatOfThePackNeverCame) {
  const replays::FuzzCoverage coverage = Search(OpenText(kPit), 4);
  EXPECT_THAT(Part(coverage, "events").never, Contains("soared"));
  EXPECT_THAT(Part(coverage, "events").never, Not(Contains("landed")));
  EXPECT_THAT(Part(coverage, "events").never, Not(Contains("event_dropped")));
  EXPECT_THAT(Part(coverage, "actions").never, ElementsAre());
  EXPECT_THAT(Part(coverage, "types").never, ElementsAre("feather", "leaf"));
  EXPECT_EQ(Part(coverage, "types").count, 4u);
  EXPECT_THAT(Part(coverage, "properties").never, ElementsAre("tag.lifts"));
  EXPECT_THAT(Part(coverage, "regions").never, ElementsAre("loft"));
}

// A broken pot has the body of a shard, and nothing ever is one; of chips
// something could come.
TEST(CoverageScopeTest, TypesForBodiesAloneArentExpectedToCome) {
  const Game kiln = OpenText(R"(name: "kiln"
types { name: "shard" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.1 } } } }
types { name: "chip" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.05 } } } }
types {
  name: "pot"
  body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.2 } } }
  destructible {
    health: 9
    stages { name: "cracked" health_max: 5 body_of: "shard" }
    stages { name: "chipped" health_max: 2 body_of: "chip" }
  }
}
objects { name: "pot" type: "pot" }
connections { name: "c" event: "wake" target: "pot" send: "sleep" then { spawn { archetype: "chip" object: "pot" } } }
)");
  EXPECT_THAT(CoverageScopeOf(kiln.pack, *kiln.start).body_types,
              ElementsAre("shard"));
  EXPECT_THAT(Part(Search(kiln, 2), "types").never, ElementsAre("chip"));
}

TEST(CoverageScopeTest, WhatIsSpawnedHasCome) {
  std::string text = kPit;
  const std::string_view never = " if: \"stone.tag.drops < 0\"";
  text.erase(text.find(never), never.size());
  const replays::FuzzCoverage coverage = Search(OpenText(text), 4);
  EXPECT_THAT(Part(coverage, "types").never, ElementsAre("feather"));
  EXPECT_THAT(Part(coverage, "properties").never, ElementsAre());
}

}  // namespace
}  // namespace reprise::tools

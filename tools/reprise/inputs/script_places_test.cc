// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that lines and branches of scripts are told when a run comes to them,
// and only then; that a search goes from one to the next where nothing else of
// the state says that it is on its way; and that its report names those that it
// never came to.

#include "tools/reprise/inputs/script_places.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/fuzzing/feedback/code_places.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/fuzz_coverage.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::tools {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr char kManifest[] = R"(name: "safe"
players {
  actions { name: "left" button: 0 }
  actions { name: "right" button: 1 }
  actions { name: "reset" button: 2 }
}
components { name: "dial" properties { name: "at" type: TYPE_INTEGER } }
types { name: "door" components { component: "dial" } behaviours { file: "door.lua" } }
objects { name: "door" type: "door" }
)";

std::unique_ptr<sim::Simulation> Open(const std::string& script,
                                      const std::string& more = "") {
  sim::PackArchive pack;
  EXPECT_TRUE(
      pack.Add(std::string(sim::kPackManifestPath), kManifest + more).ok());
  EXPECT_TRUE(pack.Add("door.lua", script).ok());
  auto start = sim::CreateWorld(pack, /*seed=*/1);
  EXPECT_TRUE(start.ok()) << start.status();
  return *std::move(start);
}

// Line 3 runs while the game is loaded, 5 and 6 each tick, 7 where
// somebody holds the button, and nobody destroys the door.
constexpr char kDoor[] = R"(-- A door.

return {
  update = function()
    local is_left = player.holds(0, "left")
    if is_left then
      own.set("dial.at", 7)
    end
  end,
  destroyed = function() own.set("dial.at", 0) end,
}
)";

// A watched fork, and what it comes to.
class Watched {
 public:
  Watched(const ScriptPlaces& places, const sim::Simulation& start)
      : places_(places),
        simulation_(start.Fork()),
        watch_(places.Watch(*simulation_)) {}

  replays::CodeWatch& watch() { return *watch_; }

  // Makes a tick, and returns the names of what is told.
  std::set<std::string> Step(bool is_left) {
    sim::InputFrame frame;
    frame.device.buttons = is_left ? 1 : 0;
    simulation_->Step({&frame, 1}, /*observer=*/nullptr);
    std::vector<uint32_t> told;
    watch_->Take(told);
    std::set<std::string> names;
    for (const uint32_t place : told) {
      names.insert(places_.places()[place].name);
    }
    EXPECT_EQ(names.size(), told.size());
    return names;
  }

  void Know(std::string_view name) {
    const auto& places = places_.places();
    watch_->Know(static_cast<uint32_t>(
        std::ranges::find(places, name, &replays::CodePlace::name) -
        places.begin()));
  }

 private:
  const ScriptPlaces& places_;
  const std::unique_ptr<sim::Simulation> simulation_;
  const std::unique_ptr<replays::CodeWatch> watch_;
};

TEST(ScriptPlacesTest, PlacesAreLinesWithCodeAndWaysOfConditions) {
  const auto start = Open(kDoor);
  const auto places = ScriptPlaces::Create(*start);
  ASSERT_NE(places, nullptr);
  std::set<std::string> branches;
  for (const replays::CodePlace& place : places->places()) {
    if (place.is_branch) branches.insert(place.name);
    if (place.name == "door.lua:3") {
      EXPECT_TRUE(place.came_at_start);
    }
    if (place.name == "door.lua:5") {
      EXPECT_FALSE(place.came_at_start);
    }
    EXPECT_NE(place.name, "door.lua:1");
    EXPECT_NE(place.name, "door.lua:2");
  }
  EXPECT_THAT(branches, UnorderedElementsAre("door.lua:6 branch 0 way 0",
                                             "door.lua:6 branch 0 way 1"));
}

TEST(ScriptPlacesTest, LinesAndWaysAreToldOfTheTickThatComesToThem) {
  const auto start = Open(kDoor);
  const auto places = ScriptPlaces::Create(*start);
  Watched door(*places, *start);
  door.watch().Count(true);
  const std::set<std::string> without = door.Step(false);
  EXPECT_TRUE(without.contains("door.lua:5"));
  EXPECT_FALSE(without.contains("door.lua:7"));
  const std::set<std::string> with = door.Step(true);
  EXPECT_TRUE(with.contains("door.lua:7"));
  // The condition went one way, then the other.
  const auto ways = [](const std::set<std::string>& names) {
    return names.contains("door.lua:6 branch 0 way 0") * 1 +
           names.contains("door.lua:6 branch 0 way 1") * 2;
  };
  EXPECT_EQ(ways(without) + ways(with), 3);
  EXPECT_EQ(ways(without) & ways(with), 0);
  EXPECT_EQ(door.Step(false), without);
}

TEST(ScriptPlacesTest, WhatIsKnownOrNotCountedIsNotTold) {
  const auto start = Open(kDoor);
  const auto places = ScriptPlaces::Create(*start);
  Watched door(*places, *start);
  EXPECT_THAT(door.Step(true), IsEmpty());
  door.watch().Count(true);
  for (const std::string& name : door.Step(false)) door.Know(name);
  EXPECT_THAT(door.Step(false), IsEmpty());
  EXPECT_TRUE(door.Step(true).contains("door.lua:7"));
  door.watch().Count(false);
  EXPECT_THAT(door.Step(true), IsEmpty());
}

TEST(ScriptPlacesTest, RunIsTheSameWhetherOrNotAnybodyLooksOn) {
  const auto start = Open(kDoor);
  const auto places = ScriptPlaces::Create(*start);
  const auto counted = start->Fork();
  const auto watch = places->Watch(*counted);
  watch->Count(true);
  const auto plain = start->Fork();
  sim::InputFrame frame;
  frame.device.buttons = 1;
  for (int tick = 0; tick < 5; ++tick) {
    counted->Step({&frame, 1}, /*observer=*/nullptr);
    plain->Step({&frame, 1}, /*observer=*/nullptr);
  }
  EXPECT_EQ(counted->state().ComputeRootDigest(),
            plain->state().ComputeRootDigest());
}

TEST(ScriptPlacesTest, GameWithoutScriptsOrWithReplacedOnesHasNone) {
  sim::PackArchive pack;
  ASSERT_TRUE(
      pack.Add(std::string(sim::kPackManifestPath), "name: \"still\"\n").ok());
  EXPECT_EQ(ScriptPlaces::Create(**sim::CreateWorld(pack, /*seed=*/1)),
            nullptr);
  std::string manifest = kManifest;
  const std::string_view reset = "actions { name: \"reset\" button: 2 }";
  manifest.replace(manifest.find(reset), reset.size(),
                   "commands_per_tick_max: 1 "
                   "actions { name: \"reload\" script_reload {} }");
  sim::PackArchive reloaded;
  ASSERT_TRUE(reloaded.Add(std::string(sim::kPackManifestPath), manifest).ok());
  ASSERT_TRUE(reloaded.Add("door.lua", kDoor).ok());
  EXPECT_EQ(ScriptPlaces::Create(**sim::CreateWorld(reloaded, /*seed=*/1)),
            nullptr);
}

// A safe that eight turns open, each right one on a line of its own; a wrong
// one begins anew. How far one is lies within one power of two, so tables don't
// tell.
std::string Safe() {
  std::string script = R"(local function turn(at, name)
)";
  const std::string_view turns = "LRRLRLLR";
  for (size_t i = 0; i < turns.size(); ++i) {
    script += "  if at == " + std::to_string(i) + " and name == \"" + turns[i] +
              "\" then\n    return " + std::to_string(i + 1) + "\n  end\n";
  }
  return script + R"(  return 0
end

return {
  update = function()
    local at = own.get("dial.at") - 65536
    if player.presses(0, "left") then at = turn(at, "L") end
    if player.presses(0, "right") then at = turn(at, "R") end
    if player.presses(0, "reset") then at = 0 end
    own.set("dial.at", 65536 + math.max(at, 0))
  end,
  destroyed = function()
    own.set("dial.at", 0)
  end,
}
)";
}

std::unique_ptr<replays::FuzzCampaign> Search(const sim::Simulation& start,
                                              const ScriptPlaces* places,
                                              uint64_t ticks) {
  auto rules = replays::FuzzRules::Create(start.description().fuzzing, start);
  EXPECT_TRUE(rules.ok()) << rules.status();
  auto campaign = *replays::FuzzCampaign::Create(start, *std::move(rules),
                                                 {.seed = 1, .code = places});
  while (campaign->failures().empty() && campaign->progress().ticks < ticks) {
    campaign->RunRound(replays::FuzzCampaign::kRoundTicks);
  }
  return campaign;
}

constexpr char kClosed[] =
    "fuzzing { always { name: \"closed\" that: \"door.dial.at < 65544\" } }\n";

TEST(ScriptPlacesTest, SearchGoesFromLineToLine) {
  const auto start = Open(Safe(), kClosed);
  const auto places = ScriptPlaces::Create(*start);
  const auto campaign = Search(*start, places.get(), 1'000'000);
  ASSERT_EQ(campaign->failures().size(), 1);
  EXPECT_EQ(campaign->failures().begin()->first, "always closed");
  const auto same = Search(*start, places.get(), 1'000'000);
  EXPECT_EQ(same->progress(), campaign->progress());
  EXPECT_EQ(same->code_came(), campaign->code_came());
}

const std::vector<std::string>& NeverOf(const replays::FuzzCoverage& coverage,
                                        std::string_view name) {
  static const std::vector<std::string> kNone = {"no such part"};
  const auto part =
      std::ranges::find(coverage, name, &replays::FuzzCoveragePart::name);
  return part == coverage.end() ? kNone : part->never;
}

TEST(ScriptPlacesTest, ReportNamesLinesThatNeverRan) {
  const auto start = Open(Safe(), kClosed);
  const auto places = ScriptPlaces::Create(*start);
  const auto campaign = Search(*start, places.get(), 1'000'000);
  const replays::FuzzCoverage coverage =
      replays::CoverageOf(*campaign, *start, {});
  // The line of the last turn ran in the tick that failed. Nobody destroys the
  // door: 26 lines of turns, `return 0`, `end`, and what comes up to there.
  EXPECT_THAT(NeverOf(coverage, "lines"), ElementsAre("door.lua:38"));
  EXPECT_NE(NeverOf(coverage, "branches"),
            std::vector<std::string>{"no such part"});
  const auto unwatched = Search(*start, nullptr, 4096);
  EXPECT_EQ(NeverOf(replays::CoverageOf(*unwatched, *start, {}), "lines"),
            std::vector<std::string>{"no such part"});
}

}  // namespace
}  // namespace reprise::tools

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a search for a way goes from line to line of a game's scripts,
// where nothing else of its state says that it is on its way: without lines the
// same search finds none in four times as many ticks. And that the way leads to
// the goal.

#include "tools/reprise/inputs/way_search.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "replays/fuzzing/goals/goal_search.h"
#include "replays/fuzzing/goals/soft_locks.h"
#include "replays/query/query.h"
#include "replays/query/query_evaluation.h"
#include "replays/tracks/input_track.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/expression/value.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/inputs/script_places.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {
namespace {

constexpr char kGoal[] = "door.dial.at == 65548";

// Twice what a search by lines takes.
constexpr uint64_t kTicks = 300'000;

constexpr char kManifest[] = R"(name: "safe"
players {
  actions { name: "left" button: 0 }
  actions { name: "right" button: 1 }
  actions { name: "middle" button: 2 }
}
components { name: "dial" properties { name: "at" type: TYPE_INTEGER } }
types { name: "door" components { component: "dial" } behaviours { file: "door.lua" } }
objects { name: "door" type: "door" }
)";

// A safe that twelve turns open, each right one on a line of its own; a wrong
// one begins anew. How far one is lies within one power of two, so tables don't
// tell.
std::string Safe() {
  std::string script = "local function turn(at, name)\n";
  constexpr std::string_view kTurns = "LRMRLMMRLRML";
  for (size_t i = 0; i < kTurns.size(); ++i) {
    script += "  if at == " + std::to_string(i) + " and name == \"" +
              kTurns[i] + "\" then\n    return " + std::to_string(i + 1) +
              "\n  end\n";
  }
  return script + R"(  return 0
end

return {
  update = function()
    local at = own.get("dial.at") - 65536
    if player.presses(0, "left") then at = turn(at, "L") end
    if player.presses(0, "right") then at = turn(at, "R") end
    if player.presses(0, "middle") then at = turn(at, "M") end
    own.set("dial.at", 65536 + math.max(at, 0))
  end,
}
)";
}

std::unique_ptr<sim::Simulation> OpenSafe() {
  sim::PackArchive pack;
  EXPECT_TRUE(pack.Add(std::string(sim::kPackManifestPath), kManifest).ok());
  EXPECT_TRUE(pack.Add("door.lua", Safe()).ok());
  auto start = sim::CreateWorld(pack, /*seed=*/1);
  EXPECT_TRUE(start.ok()) << start.status();
  return *std::move(start);
}

absl::StatusOr<replays::InputTrack> Search(const sim::Simulation& start,
                                           const GoalFlags& flags) {
  std::ostringstream out;
  std::ostringstream err;
  Console console(out, err, /*is_err_terminal=*/false);
  return SearchWay(start, flags, /*players=*/{0}, console);
}

// Whether the goal holds at the end of the track, and not a tick before.
bool EndsAtGoal(const sim::Simulation& start,
                const replays::InputTrack& track) {
  const auto goal = replays::Query::Parse(kGoal, start);
  EXPECT_TRUE(goal.ok()) << goal.status();
  replays::QueryEvaluation evaluation(&*goal);
  const auto simulation = start.Fork();
  auto next = track.ticks.begin();
  uint64_t ticks_at_goal = 0;
  bool holds = false;
  while (simulation->tick() < track.tick_count) {
    std::span<const sim::InputFrame> frames;
    if (next != track.ticks.end() && next->tick == simulation->tick()) {
      frames = (next++)->frames;
    }
    simulation->Step(frames, /*observer=*/nullptr);
    evaluation.Visit(*simulation, simulation->DrainEvents(),
                     [&holds](const sim::StateSubject&,
                              const sim::ExpressionAnswer& answer) {
                       holds = answer.ok() && sim::IsBool(*answer, true);
                     });
    if (holds) ++ticks_at_goal;
  }
  return holds && ticks_at_goal == 1;
}

TEST(WaySearchTest, GoesFromLineToLineOfScripts) {
  const auto start = OpenSafe();
  const auto way =
      Search(*start, {.goal = kGoal, .nearer = {}, .ticks = kTicks});
  ASSERT_TRUE(way.ok()) << way.status();
  EXPECT_TRUE(EndsAtGoal(*start, *way));
  EXPECT_EQ(replays::FindWayTo(*start, {.goal = kGoal,
                                        .nearer = {},
                                        .players = {0},
                                        .ticks_max = 2 * kTicks,
                                        .held = {},
                                        .on_progress = nullptr})
                .status()
                .code(),
            absl::StatusCode::kNotFound);
}

TEST(WaySearchTest, SameGameHasTheSameWay) {
  const auto start = OpenSafe();
  const GoalFlags flags = {.goal = kGoal, .nearer = {}, .ticks = kTicks};
  const auto one = Search(*start, flags);
  const auto same = Search(*start, flags);
  ASSERT_TRUE(one.ok()) << one.status();
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(same->ticks, one->ticks);
}

// What finds no way from the start says so, and looks for nothing.
TEST(WaySearchTest, SearchForSoftLocksGoesByLinesToo) {
  const auto start = OpenSafe();
  const auto scripts = ScriptPlaces::Create(*start);
  replays::SoftLockOptions options = {.goal = kGoal, .goal_ticks = kTicks};
  EXPECT_EQ(replays::FindSoftLocks(*start, {}, options).status().code(),
            absl::StatusCode::kNotFound);
  options.code = scripts.get();
  const auto found = replays::FindSoftLocks(*start, {}, options);
  EXPECT_TRUE(found.ok()) << found.status();
}

}  // namespace
}  // namespace reprise::tools

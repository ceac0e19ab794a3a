// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What bots cost: a tick of a small world whose player rests, is played by a
// native bot, and by one in Lua that looks about and steers.

#include <memory>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "sim/base/check.h"
#include "sim/bots/bot_players.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::sim {
namespace {

constexpr char kPack[] = R"(
name: "bench"
players { actions { name: "x" axis: 0 } actions { name: "z" axis: 1 } }
bots { name: "script" file: "b.lua" every_ticks: 1 }
types {
  name: "ball"
  body { motion: MOTION_DYNAMIC mass_kg: 1 gravity_scale: 0 shapes { sphere { radius: 0.5 } } }
  roller { action_x: "x" action_z: "z" force_n: 1 }
}
types { name: "goal" }
objects { name: "ball" type: "ball" }
objects { name: "goal" type: "goal" position { x: 5 } }
)";

constexpr char kScript[] = R"(
return {
  decide = function()
    local me, goal = view.find("ball"), view.find("goal")
    local way = (view.position(goal) - view.position(me)):normalized()
    act.axis("x", math.max(-1, math.min(1, way.x)))
    act.axis("z", math.max(-1, math.min(1, way.z)))
  end,
}
)";

// `name` is empty for nobody.
void StepWith(const std::string& name, benchmark::State& state) {
  PackArchive pack;
  CHECK(pack.Add(std::string(kPackManifestPath), kPack).ok());
  CHECK(pack.Add("b.lua", kScript).ok());
  auto world = CreateWorld(pack, 1);
  CHECK(world.ok(), "{}", world.status().ToString());
  std::vector<BotChoice> choices;
  if (!name.empty()) choices.push_back({.player = 0, .name = name});
  auto bots = BotPlayers::Create(**world, choices);
  CHECK(bots.ok(), "{}", bots.status().ToString());
  for (auto _ : state) {
    const std::vector<InputFrame> frames = (*bots)->Decide(**world);
    (*world)->Step(frames, nullptr);
    (*bots)->Hear((*world)->DrainEvents());
  }
  CHECK((*bots)->error_count() == 0);
  state.SetItemsProcessed(state.iterations());
}

void BM_Nobody(benchmark::State& state) { StepWith("", state); }
void BM_NativeBot(benchmark::State& state) { StepWith("random", state); }
void BM_ScriptBot(benchmark::State& state) { StepWith("script", state); }
BENCHMARK(BM_Nobody);
BENCHMARK(BM_NativeBot);
BENCHMARK(BM_ScriptBot);

}  // namespace
}  // namespace reprise::sim

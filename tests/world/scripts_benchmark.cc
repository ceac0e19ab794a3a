// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What behaviours in Lua cost: a tick of 1,000 objects that a script moves, and
// of the same that C++ does; the parts of that; a tick of a world with nobody
// in it, and one of Pong with its bots. Both moves end in the same digest of
// their objects, which is checked.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "replays/playing/pack_folder.h"
#include "sim/base/check.h"
#include "sim/bots/bot_players.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {
namespace {

// Goes to and fro between 0 and 10, and counts its turns.
class Bounce final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status =
        binder.Property("mover", "at", PropertyType::kDouble, at_);
    if (!status.ok()) return status;
    status = binder.Property("mover", "speed", PropertyType::kDouble, speed_);
    if (!status.ok()) return status;
    return binder.Property("mover", "turns", PropertyType::kInt, turns_);
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      const double speed = context.Number(i, speed_);
      const double at = context.Number(i, at_) + speed * context.dt_s();
      context.SetNumber(i, at_, at);
      if ((at > 10.0 && speed > 0.0) || (at < 0.0 && speed < 0.0)) {
        context.SetNumber(i, speed_, -speed);
        context.SetInt(i, turns_, context.Int(i, turns_) + 1);
      }
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }

 private:
  PropertyRef at_;
  PropertyRef speed_;
  PropertyRef turns_;
};
REPRISE_REGISTER_BEHAVIOUR(bench_bounce, "bench_bounce", Bounce);

constexpr std::string_view kBounce = R"(
return {
  update = function()
    local speed = own.get("mover.speed")
    local at = own.get("mover.at") + speed * world.step()
    own.set("mover.at", at)
    if (at > 10.0 and speed > 0) or (at < 0 and speed < 0) then
      own.set("mover.speed", -speed)
      own.set("mover.turns", own.get("mover.turns") + 1)
    end
  end,
}
)";
constexpr std::string_view kNothing = "return { update = function() end }";
constexpr std::string_view kRead = R"(
return { update = function() for i = 1, 10 do local x = own.get("mover.at") end end }
)";
constexpr std::string_view kWrite = R"(
return { update = function() for i = 1, 10 do own.set("mover.at", i) end end }
)";
constexpr std::string_view kWait = R"(
return { initial = "a", states = { a = { steps = { { wait = 1000000 } } } } }
)";

std::unique_ptr<Simulation> WorldOf(std::string_view behaviour,
                                    std::string_view script, int64_t count) {
  PackArchive pack;
  const std::string manifest = fmt::format(
      R"(
name: "bench"
components {{
  name: "mover"
  properties {{ name: "at" type: TYPE_NUMBER unit: "m" }}
  properties {{ name: "speed" type: TYPE_NUMBER unit: "m/s" default {{ number: 7 }} }}
  properties {{ name: "turns" type: TYPE_INTEGER }}
}}
types {{ name: "mover" components {{ component: "mover" }} behaviours {{ {} }} }}
objects {{ name: "mover" type: "mover" grid {{ count_x: {} }} }}
)",
      behaviour, count);
  CHECK(pack.Add(std::string(kPackManifestPath), manifest).ok());
  CHECK(pack.Add("a.lua", std::string(script)).ok());
  auto world = CreateWorld(pack, 1);
  CHECK(world.ok(), "{}", world.status().ToString());
  return *std::move(world);
}

constexpr std::string_view kNative = "behaviour: \"bench_bounce\"";
constexpr std::string_view kFile = "file: \"a.lua\"";

void StepAll(benchmark::State& state, Simulation& world, int64_t per_tick) {
  for (auto _ : state) world.Step({}, nullptr);
  for (const Event& event : world.DrainEvents()) {
    CHECK(event.type != IdOf("script_failed"));
  }
  state.SetItemsProcessed(state.iterations() * per_tick);
}

void BM_MoveInCpp(benchmark::State& state) {
  const auto world = WorldOf(kNative, kNothing, state.range(0));
  StepAll(state, *world, state.range(0));
}
BENCHMARK(BM_MoveInCpp)->Arg(100)->Arg(1000);

void BM_MoveInLua(benchmark::State& state) {
  const auto world = WorldOf(kFile, kBounce, state.range(0));
  const auto native = WorldOf(kNative, kNothing, state.range(0));
  for (int tick = 0; tick < 200; ++tick) {
    world->Step({}, nullptr);
    native->Step({}, nullptr);
  }
  const auto row = world->state().Find("components", "mover");
  CHECK(row.has_value());
  CHECK(world->state().table(*row).ComputeDigest() ==
        native->state()
            .table(*native->state().Find("components", "mover"))
            .ComputeDigest());
  StepAll(state, *world, state.range(0));
}
BENCHMARK(BM_MoveInLua)->Arg(100)->Arg(1000);

// What a call costs; and, of ten of each, reading and writing a property.
void BM_Update(benchmark::State& state, std::string_view script,
               int64_t per_object) {
  const auto world = WorldOf(kFile, script, 1000);
  StepAll(state, *world, 1000 * per_object);
}
BENCHMARK_CAPTURE(BM_Update, Call, kNothing, 1);
BENCHMARK_CAPTURE(BM_Update, Read, kRead, 10);
BENCHMARK_CAPTURE(BM_Update, Write, kWrite, 10);
BENCHMARK_CAPTURE(BM_Update, WaitInAState, kWait, 1);

void BM_EmptyWorld(benchmark::State& state) {
  PackArchive pack;
  CHECK(pack.Add(std::string(kPackManifestPath), "name: \"empty\"").ok());
  auto world = CreateWorld(pack, 1);
  CHECK(world.ok(), "{}", world.status().ToString());
  StepAll(state, **world, 1);
}
BENCHMARK(BM_EmptyWorld);

// What an empty world is held against: it is to make a million ticks a second.
class Chain {
 public:
  virtual ~Chain() = default;
  virtual uint64_t Next(uint64_t value) const = 0;
};
class MultiplyingChain final : public Chain {
 public:
  uint64_t Next(uint64_t value) const override {
    return value * 6364136223846793005u + 1442695040888963407u;  // Knuth's
  }
};

void BM_ThousandVirtualCalls(benchmark::State& state) {
  const MultiplyingChain multiplying;
  const Chain* chain = &multiplying;
  benchmark::DoNotOptimize(chain);
  uint64_t value = 1;
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) value = chain->Next(value);
    benchmark::DoNotOptimize(value);
  }
}
BENCHMARK(BM_ThousandVirtualCalls);

void BM_PongWithItsBots(benchmark::State& state) {
  const auto pack = replays::ReadPackFolder("sim/packs/pong");
  CHECK(pack.ok(), "{}", pack.status().ToString());
  auto world = CreateWorld(*pack, 1);
  CHECK(world.ok(), "{}", world.status().ToString());
  const std::vector<BotChoice> choices = {{.player = 0, .name = "keen"},
                                          {.player = 1, .name = "human"}};
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
BENCHMARK(BM_PongWithItsBots);

void BM_PongAlone(benchmark::State& state) {
  const auto pack = replays::ReadPackFolder("sim/packs/pong");
  CHECK(pack.ok(), "{}", pack.status().ToString());
  auto world = CreateWorld(*pack, 1);
  CHECK(world.ok(), "{}", world.status().ToString());
  for (auto _ : state) {
    (*world)->Step({}, nullptr);
    (*world)->DrainEvents();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_PongAlone);

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that systems write what they declare and nothing else: their own
// tables, those of systems that they ask, and of the world's those that their
// steps name; handlers of events no tables of another system. The order of a
// tick rests on that (sim/world/definition/schedule.h).

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"
#include "sim/state/state.h"
#include "sim/world/components/built_in_events.h"
#include "sim/world/components/event_declaration.h"
#include "sim/world/definition/system_declaration.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

// What each step of a system may write, by its name: rooms, and tables of
// rooms.
using Permits = std::map<std::string, std::set<std::string>>;

// The names of the events that a system handles.
std::vector<std::string> HandledBy(const SystemDeclaration& system) {
  std::vector<std::string> names;
  const auto add = [&](std::span<const EventDeclaration> events) {
    for (const EventDeclaration& event : events) {
      if (std::ranges::find(system.handles, IdOf(event.name)) !=
          system.handles.end()) {
        names.emplace_back(event.name);
      }
    }
  };
  add(system.events);
  add(kBuiltInEvents);
  return names;
}

Permits DeclaredPermits() {
  Permits permits;
  for (const SystemDeclaration* system : RegisteredSystemDeclarations()) {
    for (const SystemStep& step : system->steps) {
      auto& own = permits[std::string(step.name)];
      own.emplace(system->name);
      own.insert(step.writes.begin(), step.writes.end());
      own.insert(step.asks.begin(), step.asks.end());
    }
  }
  return permits;
}

// What handling an event that a system handles may write, by the writer's name:
// whatever of the world's, its own tables and those of systems that it asks.
Permits HandlerPermits() {
  Permits permits;
  for (const SystemDeclaration* system : RegisteredSystemDeclarations()) {
    std::set<std::string> own(WorldRooms().begin(), WorldRooms().end());
    own.emplace(system->name);
    for (const SystemStep& step : system->steps) {
      own.insert(step.asks.begin(), step.asks.end());
    }
    for (const std::string& event : HandledBy(*system)) {
      permits["event " + event] = own;
    }
  }
  return permits;
}

// Notes whatever a step of a system changes without having said so.
class WriteChecker : public PhaseObserver {
 public:
  WriteChecker(const State& state, Permits permits)
      : permits_(std::move(permits)), before_(state) {}

  bool wants_writers() const override { return true; }

  void OnPhase(uint32_t, const State& state) override { before_ = state; }

  void OnWriter(std::string_view writer, const State& state) override {
    const auto permit = permits_.find(std::string(writer));
    if (permit != permits_.end()) {
      steps_seen_.emplace(writer);
      for (uint32_t i = 0; i < state.table_count(); ++i) {
        Check(writer, permit->second, {i}, state);
      }
    }
    before_ = state;
  }

  const std::set<std::string>& offences() const { return offences_; }
  const std::set<std::string>& steps_seen() const { return steps_seen_; }

 private:
  void Check(std::string_view writer, const std::set<std::string>& permit,
             TableIndex table, const State& state) {
    if (before_.table(table).ComputeDigest() ==
        state.table(table).ComputeDigest()) {
      return;
    }
    const std::string room = state.room_of(table).name;
    const std::string name =
        fmt::format("{}.{}", room, state.table(table).schema().name());
    if (permit.contains(room) || permit.contains(name)) return;
    offences_.insert(fmt::format("'{}' writes {}", writer, name));
  }

  Permits permits_;
  State before_;
  std::set<std::string> offences_;
  std::set<std::string> steps_seen_;
};

constexpr int kTicks = 400;

// The steps of systems that ran in the packs of the battery.
std::set<std::string> CheckPack(const std::string& name, const Permits& permits,
                                std::set<std::string>& offences) {
  auto world = CreateWorld(BatteryPack(name), /*seed=*/3);
  EXPECT_TRUE(world.ok()) << world.status();
  RandomInputSource inputs((*world)->info().inputs, /*seed=*/34);
  WriteChecker checker((*world)->state(), permits);
  for (int tick = 0; tick < kTicks; ++tick) {
    (*world)->Step(inputs.Next(), &checker);
  }
  offences.insert(checker.offences().begin(), checker.offences().end());
  return checker.steps_seen();
}

TEST(SystemWritesTest, StepsChangeWhatTheyDeclareAndNothingElse) {
  const Permits permits = DeclaredPermits();
  std::set<std::string> offences;
  std::set<std::string> seen;
  for (const char* const pack : kBatteryPacks) {
    seen.merge(CheckPack(pack, permits, offences));
  }
  EXPECT_EQ(offences, std::set<std::string>{});
  // A step that no pack of the battery takes isn't shown to be right.
  for (const auto& [step, permit] : permits) {
    EXPECT_TRUE(seen.contains(step))
        << "no pack takes the step '" << step << "'";
  }
}

TEST(SystemWritesTest, HandlersOfEventsChangeNoOtherSystem) {
  const Permits permits = HandlerPermits();
  std::set<std::string> offences;
  std::set<std::string> seen;
  for (const char* const pack : kBatteryPacks) {
    seen.merge(CheckPack(pack, permits, offences));
  }
  EXPECT_EQ(offences, std::set<std::string>{});
  EXPECT_TRUE(seen.contains("event damage"));
  EXPECT_TRUE(seen.contains("event explode"));
}

TEST(SystemWritesTest, HandlerThatChangesAnotherSystemIsFound) {
  Permits permits = HandlerPermits();
  permits["event damage"] = {"explosions", "physics", "events", "world"};
  std::set<std::string> offences;
  for (const char* const pack : kBatteryPacks) {
    CheckPack(pack, permits, offences);
  }
  EXPECT_FALSE(offences.empty());
}

TEST(SystemWritesTest, WhatIsNotDeclaredIsFound) {
  Permits permits = DeclaredPermits();
  permits["rollers"] = {"players"};
  std::set<std::string> offences;
  CheckPack("marble", permits, offences);
  EXPECT_EQ(offences,
            (std::set<std::string>{"'rollers' writes events.event_counters",
                                   "'rollers' writes physics.bodies"}));
}

}  // namespace
}  // namespace reprise::sim

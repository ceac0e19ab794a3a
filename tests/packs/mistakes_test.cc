// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves of a pack whose scripts do all that no script may that each mistake is
// told of, with its line and the object that made it, that whoever listens
// hears of all of them, and that the game goes on from any snapshot as it did.
// The matrix plays it in every build: tools/matrix/plan.py.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "replays/playing/pack_folder.h"
#include "sim/compiler/pack_compiler.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr int kTicks = 400;
constexpr int kRestoredEvery = 40;

std::unique_ptr<Simulation> Mistakes() {
  const auto pack = replays::ReadPackFolder("tests/packs/mistakes");
  EXPECT_TRUE(pack.ok()) << pack.status();
  auto world = CreateWorld(*pack, 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

std::string ArgumentOf(const Simulation& world, const Event& event,
                       std::string_view name) {
  for (const EventArgument& argument : event.arguments) {
    if (argument.name == IdOf(name)) {
      return FormatFieldValue(argument.value, NamesOf(world));
    }
  }
  return "";
}

TEST(MistakesTest, EachIsToldAndTheGameGoesOn) {
  const auto world = Mistakes();
  const auto restored = Mistakes();
  std::map<std::string, int> by_file;
  std::map<std::string, int> by_message;
  int64_t count = 0;
  for (int tick = 0; tick < kTicks; ++tick) {
    if (tick % kRestoredEvery == 0) {
      ASSERT_TRUE(restored->Restore(world->state()).ok()) << tick;
    }
    StepTimes(*world, 1);
    StepTimes(*restored, 1);
    ASSERT_EQ(world->state().ComputeRootDigest(),
              restored->state().ComputeRootDigest())
        << tick;
    for (const Event& event : EventsOf(*world, "script_failed")) {
      ++count;
      const std::string message = ArgumentOf(*world, event, "message");
      EXPECT_NE(event.object, kNoObject) << message;
      EXPECT_NE(ArgumentOf(*world, event, "line"), "0") << message;
      ++by_file[ArgumentOf(*world, event, "file")];
      for (const std::string_view kind :
           {"the budget of instructions is used up",
            "the budget of bytes is used up", "stack overflow", "going",
            "a whole number", "more than 16 transitions"}) {
        if (message.find(kind) != std::string::npos)
          ++by_message[std::string(kind)];
      }
    }
  }
  for (const std::string_view file :
       {"loops", "makes", "calls", "storms", "fills", "spawns", "sorts",
        "throws", "steps", "leaves", "halves", "around"}) {
    EXPECT_GE(by_file["scripts/" + std::string(file) + ".lua"], 1) << file;
  }
  for (const std::string_view kind :
       {"the budget of instructions is used up",
        "the budget of bytes is used up", "stack overflow", "going",
        "a whole number", "more than 16 transitions"}) {
    EXPECT_GE(by_message[std::string(kind)], 1) << kind;
  }
  // Whoever listens has heard of all but those that wait yet.
  const auto told =
      ValueOf(*world, "components", "tally", "keeper", "mistakes");
  ASSERT_TRUE(told.has_value());
  EXPECT_GE(static_cast<int64_t>(told->bits) + 2, count);
}

}  // namespace
}  // namespace reprise::sim

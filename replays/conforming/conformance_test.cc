// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/conforming/conformance.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/testing/forwarding_simulation.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/plugins/plugin_simulation.h"
#include "sim/plugins/testing_plugin.h"

namespace reprise::replays {
namespace {

using sim::PluginMistake;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr sim::Tick kTicks = 120;
constexpr uint64_t kSeed = 3;

// The names of the checks that fail, and of the first its difference.
struct Failures {
  std::vector<std::string> checks;
  sim::Tick tick = 0;
  std::string difference;
};

Failures FailuresOf(const SimulationMaker& create) {
  const ConformanceInputs inputs =
      MakeConformanceInputs((*create())->info().inputs, kTicks, kSeed);
  const auto results = CheckConformance(create, inputs, nullptr);
  EXPECT_TRUE(results.ok()) << results.status();
  Failures failures;
  for (const ConformanceResult& result : *results) {
    if (!result.failure.has_value()) continue;
    if (failures.checks.empty()) {
      failures.tick = result.failure->tick;
      failures.difference = result.failure->difference;
    }
    failures.checks.emplace_back(result.check->name);
  }
  return failures;
}

Failures FailuresOf(PluginMistake mistake) {
  const std::shared_ptr<const sim::Plugin> plugin =
      sim::MakeTestingPlugin(mistake);
  return FailuresOf([plugin] {
    return sim::PluginSimulation::Create(plugin, sim::MakeTestingPluginPack(),
                                         kSeed);
  });
}

TEST(ConformanceTest, SimulationsThatKeepTheContractPass) {
  EXPECT_THAT(FailuresOf(PluginMistake::kNone).checks, IsEmpty());
  EXPECT_THAT(FailuresOf([] {
                return TinySimulation::Create(MakeTinyPack(), kSeed);
              }).checks,
              IsEmpty());
}

TEST(ConformanceTest, WhatDiffersEachTimeIsNamed) {
  const Failures failures = FailuresOf(PluginMistake::kDiffersEachTime);

  EXPECT_THAT(failures.checks, Contains("twice"));
  EXPECT_EQ(failures.tick, 1U);
  EXPECT_THAT(failures.difference, HasSubstr("game.player"));
  EXPECT_THAT(failures.difference, HasSubstr("seen"));
}

TEST(ConformanceTest, HiddenStateIsFoundBySnapshots) {
  const Failures failures = FailuresOf(PluginMistake::kHidesState);

  EXPECT_THAT(failures.checks,
              ElementsAre("restored", "encoded", "rolled back", "forked"));
  EXPECT_THAT(failures.difference, HasSubstr("game.counters counter_1 value"));
}

TEST(ConformanceTest, HiddenChangeIsFoundBySnapshots) {
  EXPECT_THAT(FailuresOf(PluginMistake::kHidesAChange).checks,
              Contains("restored"));
}

TEST(ConformanceTest, SharedVariableIsFoundByForks) {
  const Failures failures = FailuresOf(PluginMistake::kSharesAVariable);

  EXPECT_THAT(failures.checks, Contains("forked"));
  EXPECT_THAT(failures.checks, testing::Not(Contains("twice")));
}

TEST(ConformanceTest, VariableOfAThreadIsFoundByAnother) {
  EXPECT_THAT(FailuresOf(PluginMistake::kHasAThreadsVariable).checks,
              Contains("threads"));
}

TEST(ConformanceTest, WriterThatShouldLookIsFound) {
  const Failures failures = FailuresOf(PluginMistake::kWritesWhenWatched);

  EXPECT_THAT(failures.checks, ElementsAre("watched", "drawn"));
}

TEST(ConformanceTest, PictureThatMovesTheGameIsFoundByDrawing) {
  // Each frame moves a score, which the next step shows.
  class Restless final : public ForwardingSimulation {
   public:
    using ForwardingSimulation::ForwardingSimulation;

    sim::Frame ProduceFrame() const override {
      ++drawn_;
      return ForwardingSimulation::ProduceFrame();
    }
    void Step(std::span<const sim::InputFrame> frames,
              sim::PhaseObserver* observer) override {
      const sim::State& now = state();
      const sim::TableIndex game = *now.Find("board", "game");
      const sim::FieldAddress score = {
          .table = game,
          .row = 0,
          .scalar = *now.table(game).schema().Find("score")};
      const auto before =
          static_cast<int64_t>(sim::ReadScalar(now, score).bits);
      EXPECT_TRUE(simulation()
                      .Inject(score, sim::FieldValue::OfInt64(before + drawn_))
                      .ok());
      ForwardingSimulation::Step(frames, observer);
    }
    std::unique_ptr<sim::Simulation> Fork() const override {
      return std::make_unique<Restless>(simulation().Fork());
    }

   private:
    mutable int64_t drawn_ = 0;
  };
  const Failures failures =
      FailuresOf([]() -> absl::StatusOr<std::unique_ptr<sim::Simulation>> {
        return std::make_unique<Restless>(
            *TinySimulation::Create(MakeTinyPack(), kSeed));
      });

  EXPECT_THAT(failures.checks, ElementsAre("watched", "drawn"));
  EXPECT_EQ(failures.tick, 1U);
  EXPECT_THAT(failures.difference, HasSubstr("board.game"));
}

TEST(ConformanceTest, ForgottenFieldIsSaidByTheSimulation) {
  EXPECT_THAT(FailuresOf(PluginMistake::kForgetsAField).difference,
              HasSubstr("it doesn't have what it was given"));
}

TEST(ConformanceTest, CountedFramesAreFound) {
  // Each frame is worth a point, also one that repeats what is held.
  class Counting final : public ForwardingSimulation {
   public:
    using ForwardingSimulation::ForwardingSimulation;

    void Step(std::span<const sim::InputFrame> frames,
              sim::PhaseObserver* observer) override {
      const sim::State& now = state();
      const sim::TableIndex game = *now.Find("board", "game");
      const sim::FieldAddress score = {
          .table = game,
          .row = 0,
          .scalar = *now.table(game).schema().Find("score")};
      const sim::FieldValue points = sim::FieldValue::OfInt64(
          static_cast<int64_t>(sim::ReadScalar(now, score).bits) +
          static_cast<int64_t>(frames.size()));
      EXPECT_TRUE(simulation().Inject(score, points).ok());
      ForwardingSimulation::Step(frames, observer);
    }
    std::unique_ptr<sim::Simulation> Fork() const override {
      return std::make_unique<Counting>(simulation().Fork());
    }
  };
  const Failures failures =
      FailuresOf([]() -> absl::StatusOr<std::unique_ptr<sim::Simulation>> {
        return std::make_unique<Counting>(
            *TinySimulation::Create(MakeTinyPack(), kSeed));
      });

  EXPECT_THAT(failures.checks, ElementsAre("ordered"));
  EXPECT_THAT(failures.difference, HasSubstr("board.game"));
}

}  // namespace
}  // namespace reprise::replays

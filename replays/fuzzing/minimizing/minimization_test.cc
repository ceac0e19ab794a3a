// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a run which doesn't fail, or not each time it is played, is told
// and not taken for a short one. That runs are made as short as they can be,
// fuzz_campaign_test proves on what a search found.

#include "replays/fuzzing/minimizing/minimization.h"

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/testing/forwarding_simulation.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/check.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"

namespace reprise::replays {
namespace {

using testing::HasSubstr;

std::unique_ptr<sim::Simulation> MakeTiny() {
  return *TinySimulation::Create(MakeTinyPack(), /*seed=*/1);
}

FuzzRules RulesOf(const sim::Simulation& start) {
  auto rules = FuzzRules::Create({}, start);
  EXPECT_TRUE(rules.ok()) << rules.status();
  return *std::move(rules);
}

// Of all that play it, the first loses a piece at tick 5.
class FailsOnce final : public ForwardingSimulation {
 public:
  explicit FailsOnce(std::unique_ptr<sim::Simulation> tiny,
                     std::shared_ptr<bool> has_failed = nullptr)
      : ForwardingSimulation(std::move(tiny)),
        has_failed_(has_failed != nullptr ? std::move(has_failed)
                                          : std::make_shared<bool>(false)) {}

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    if (tick() == 5 && !*has_failed_) {
      *has_failed_ = true;
      Injection lost =
          OneUlpMore(simulation(), "board", "pieces", 1, "y", tick());
      lost.value =
          sim::FieldValue::OfDouble(std::numeric_limits<double>::infinity());
      CHECK(simulation().Inject(lost.address, lost.value).ok());
    }
    ForwardingSimulation::Step(frames, observer);
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<FailsOnce>(simulation().Fork(), has_failed_);
  }

 private:
  const std::shared_ptr<bool> has_failed_;
};

TEST(MinimizationTest, RunThatDoesNotFailIsNotFound) {
  const auto start = MakeTiny();
  const auto small =
      MinimizeRun(*start, RulesOf(*start), {.ticks = {}, .tick_count = 20}, {});
  EXPECT_EQ(small.status().code(), absl::StatusCode::kNotFound);
}

TEST(MinimizationTest, RunThatFailsOnceIsTold) {
  const FailsOnce start(MakeTiny());
  const auto small =
      MinimizeRun(start, RulesOf(start), {.ticks = {}, .tick_count = 20}, {});
  EXPECT_EQ(small.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(small.status().message()),
              HasSubstr("the run fails (not finite board.pieces.y) and, played "
                        "again, doesn't"));
}

}  // namespace
}  // namespace reprise::replays

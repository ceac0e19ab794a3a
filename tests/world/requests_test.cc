// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a system answers what behaviours ask of it by the world's one
// queue of requests: when it is due, no more in a tick than it said, beside
// rays, and from a snapshot of any tick as in the run itself.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/base/field.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/systems/systems.h"
#include "tests/world/acting_behaviour.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr Id kOracle = IdOf("oracle");
constexpr Id kAnswer = IdOf("answer");
constexpr uint32_t kAnswersPerTick = 2;

// What the oracle was asked, under the key of the request.
struct QuestionRow {
  Tick due = 0;
  uint64_t request = 0;
  int64_t question = 0;

  static constexpr std::string_view kTable = "questions";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(QuestionRow, due, "tick"),
                      REPRISE_FIELD(QuestionRow, request, ""),
                      REPRISE_FIELD(QuestionRow, question, "")};
  }
};

// Knows the double of everything.
class Oracle final : public System {
 public:
  static constexpr std::string_view kSystem = "oracle";

  explicit Oracle(const SystemPlace& place) : System(place) {}

  void Keep(const UpdateContext::RequestKey& key, int64_t question) {
    Table& questions = mutable_table(0);
    const uint32_t row = questions.LowerBound(std::array{key.due, key.request});
    questions.Insert(row);
    questions.Mutable<QuestionRow>(row) = {key.due, key.request, question};
  }

  void Answer(uint32_t kind, const RequestRow& request) override {
    EXPECT_EQ(kind, 0u);
    const auto row =
        FindRow(table(0), std::array{request.due, request.request});
    ASSERT_TRUE(row.has_value());
    const int64_t question = table(0).Get<QuestionRow>(*row).question;
    mutable_table(0).EraseRange(*row, 1);
    AnswerRequest(parts(), request,
                  {{kAnswer, FieldValue::OfInt64(2 * question)}});
  }
};

struct OracleDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = Oracle::kSystem;
  const SystemDeclaration& declaration() const override {
    static const SystemDeclaration declaration = {
        .name = kSystem,
        .help = "knows the double of everything",
        .tables = {RowSchema::Of<QuestionRow>()},
        .requests = {{.name = "oracle", .per_tick_max = kAnswersPerTick}}};
    return declaration;
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override {
    return std::make_unique<Oracle>(place);
  }
};

// Every pack of this program has it.
class OracleCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;
  std::shared_ptr<const SystemDefinition> definition() const override {
    return std::make_shared<OracleDefinition>();
  }
};
REPRISE_REGISTER_SYSTEM(oracle, MakeSystemModule<OracleCompiler>(
                                    OracleDefinition().declaration(), {}));

std::optional<uint64_t> AskOracle(UpdateContext& context, uint32_t i,
                                  int64_t question, Tick delay) {
  const auto key = context.Request(i, kOracle, delay, IdOf("told"));
  if (!key.has_value()) return std::nullopt;
  context.parts().systems->Find<Oracle>()->Keep(*key, question);
  return key->request;
}

constexpr std::string_view kPack = R"(
physics { gravity {} }
types { name: "actor" behaviours { behaviour: "testing_act" } }
types { name: "wall" body { motion: MOTION_FIXED shapes { sphere { radius: 1 } } } }
objects { name: "asker" type: "actor" }
objects { name: "wall" type: "wall" position { x: 10 } }
)";

class RequestsTest : public ::testing::Test {
 protected:
  RequestsTest() : world_(WorldOf(Manifest({kPack}))) {
    TheActs().on_event = [this](UpdateContext& context,
                                const WorldEvent& event) {
      const auto answer = event.arguments.GetInt64(kAnswer);
      const auto x = event.arguments.GetDouble(IdOf("x"));
      told_.push_back(std::to_string(context.tick()) + ": " +
                      (answer.ok()
                           ? std::to_string(*answer)
                           : "ray " + std::to_string(static_cast<int>(*x))));
      return true;
    };
  }
  ~RequestsTest() override { TheActs() = {}; }

  // Has the asker do something in one update.
  void Act(std::function<void(UpdateContext&, uint32_t)> act) {
    TheActs().before_physics = std::move(act);
    StepTimes(*world_, 1);
    TheActs().before_physics = {};
  }

  using Told = std::vector<std::string>;

  std::unique_ptr<Simulation> world_;
  Told told_;
};

TEST_F(RequestsTest, AnswersComeWhenTheyAreDue) {
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_EQ(AskOracle(context, i, 21, /*delay=*/3), 0u);
    EXPECT_EQ(AskOracle(context, i, 4, /*delay=*/1), 0u);
    // At least one tick.
    EXPECT_EQ(AskOracle(context, i, 5, /*delay=*/0), 1u);
  });
  StepTimes(*world_, 5);
  EXPECT_EQ(told_, (Told{"1: 8", "1: 10", "3: 42"}));
  EXPECT_EQ(RowCount(*world_, "oracle", "questions"), 0u);
  EXPECT_EQ(RowCount(*world_, "world", "requests"), 0u);
}

TEST_F(RequestsTest, BudgetIsKeptAndRaysAreInTheSameQueue) {
  Act([](UpdateContext& context, uint32_t i) {
    for (int64_t question = 1; question <= 3; ++question) {
      AskOracle(context, i, question, 1);
    }
    context.RequestRay(i, {}, {20.0, 0.0, 0.0}, 1, IdOf("told"));
    AskOracle(context, i, 4, 1);
    AskOracle(context, i, 5, 2);
  });
  StepTimes(*world_, 5);
  EXPECT_EQ(told_, (Told{"1: 2", "1: 4", "1: ray 9", "2: 6", "2: 8", "3: 10"}));
}

TEST_F(RequestsTest, WhatNobodyAnswersIsRefused) {
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_FALSE(
        context.Request(i, IdOf("sphinx"), 1, IdOf("told")).has_value());
    EXPECT_FALSE(
        context.Request(i, kOracle, kTickMax + 1, IdOf("told")).has_value());
  });
  EXPECT_EQ(RowCount(*world_, "world", "requests"), 0u);
}

TEST_F(RequestsTest, WhoIsGoneIsToldNothingAndLeavesNothing) {
  Act([](UpdateContext& context, uint32_t i) {
    AskOracle(context, i, 1, 3);
    context.RequestRay(i, {}, {20.0, 0.0, 0.0}, 3, IdOf("told"));
    context.Destroy(i, context.handle(i));
  });
  EXPECT_EQ(RowCount(*world_, "world", "requests"), 2u);
  StepTimes(*world_, 5);
  EXPECT_EQ(told_, Told{});
  EXPECT_EQ(RowCount(*world_, "oracle", "questions"), 0u);
  EXPECT_EQ(RowCount(*world_, "world", "ray_requests"), 0u);
}

TEST_F(RequestsTest, SnapshotsOfAnyTickGoOnAsTheRunDid) {
  TheActs().on_event = {};
  TheActs().before_physics = [](UpdateContext& context, uint32_t i) {
    const uint64_t draw = context.Random(i, IdOf("dice"));
    for (uint64_t k = 0; k < draw % 4; ++k) {
      AskOracle(context, i, static_cast<int64_t>(k), 1 + draw % 5);
      context.RequestRay(i, {}, {20.0, 0.0, 0.0}, 1 + draw % 3, IdOf("told"));
    }
  };
  uint32_t most = 0;
  for (int tick = 0; tick < 40; ++tick) {
    const auto restored = WorldOf(Manifest({kPack}));
    ASSERT_EQ(restored->Restore(world_->state()), absl::OkStatus());
    StepTimes(*world_, 1);
    StepTimes(*restored, 1);
    ASSERT_EQ(restored->state().ComputeRootDigest(),
              world_->state().ComputeRootDigest())
        << tick;
    most = std::max(most, RowCount(*world_, "world", "requests"));
  }
  EXPECT_GT(most, 5u);
}

TEST_F(RequestsTest, SnapshotWithARayThatNobodyAskedForIsRefused) {
  Act([](UpdateContext& context, uint32_t i) {
    context.RequestRay(i, {}, {20.0, 0.0, 0.0}, 9, IdOf("told"));
  });
  State lacking = world_->state();
  lacking.mutable_table(*lacking.Find("world", "requests")).Resize(0);
  EXPECT_EQ(world_->Restore(lacking).code(), absl::StatusCode::kDataLoss);
  State other = world_->state();
  other.mutable_table(*other.Find("world", "ray_requests")).Resize(0);
  EXPECT_EQ(world_->Restore(other).code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what queries answer, by asking the tiny simulation, whose two pieces
// are put where a test wants them.

#include "replays/query/query_evaluation.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/field_value.h"

namespace reprise::replays {
namespace {

class QueryEvaluationTest : public testing::Test {
 protected:
  QueryEvaluationTest() : simulation_(MakeTiny()) {}

  void Put(std::string_view room, std::string_view table, uint32_t row,
           std::string_view field, sim::FieldValue value) {
    const sim::TableIndex index = *simulation_->state().Find(room, table);
    const sim::ScalarPath path =
        *simulation_->state().table(index).schema().Find(field);
    ASSERT_TRUE(simulation_->Inject({index, row, path}, value).ok());
  }

  void PutPieces(double runner_x, double drifter_x) {
    Put("board", "pieces", 0, "x", sim::FieldValue::OfDouble(runner_x));
    Put("board", "pieces", 1, "x", sim::FieldValue::OfDouble(drifter_x));
  }

  // "runner: 3, drifter: 1"; "3" of a query about the tick.
  std::string Ask(std::string_view text) const {
    const absl::StatusOr<Query> query = Query::Parse(text, *simulation_);
    if (!query.ok()) return query.status().ToString();
    QueryEvaluation evaluation(&*query);
    std::string answers;
    evaluation.Visit(*simulation_, events_,
                     [&](const QuerySubject& subject,
                         const QueryEvaluation::Answer& answer) {
                       const std::string name = evaluation.NameOf(subject);
                       if (!answers.empty()) answers += ", ";
                       if (!name.empty()) answers += name + ": ";
                       answers += answer.ok()
                                      ? FormatQueryValue(*answer)
                                      : std::string(answer.status().message());
                     });
    return answers;
  }

  std::unique_ptr<sim::Simulation> simulation_;
  std::vector<sim::Event> events_;
};

TEST_F(QueryEvaluationTest, ArithmeticIsDoneInOrderOfTheTree) {
  EXPECT_EQ(Ask("5 + 6 * 10"), "65");
  EXPECT_EQ(Ask("5 - 6"), "-1");
  EXPECT_EQ(Ask("(5 + 6) * 10"), "110");
  EXPECT_EQ(Ask("7 / 2 - 0.5"), "3");
  EXPECT_EQ(Ask("-(2 - 5)"), "3");
}

TEST_F(QueryEvaluationTest, FunctionsAreWhatTheySay) {
  EXPECT_EQ(Ask("abs(-3)"), "3");
  EXPECT_EQ(Ask("abs(-2.5)"), "2.5");
  EXPECT_EQ(Ask("min(3, 1, 2)"), "1");
  EXPECT_EQ(Ask("max(3, 3.5)"), "3.5");
  EXPECT_EQ(Ask("sqrt(3 * 3 + 4 * 4)"), "5");
}

TEST_F(QueryEvaluationTest, FactsAreOfTheTick) {
  simulation_->Step({}, /*observer=*/nullptr);
  EXPECT_EQ(Ask("tick"), "1");
  EXPECT_EQ(Ask("outcome"), "\"running\"");
  EXPECT_EQ(Ask("outcome == won"), "false");
  EXPECT_EQ(Ask("game.score"), "0");
}

TEST_F(QueryEvaluationTest, NamedObjectAnswersOnce) {
  PutPieces(2, -3);
  EXPECT_EQ(Ask("runner.pieces.x"), "2");
  EXPECT_EQ(Ask("runner.pieces.x - drifter.pieces.x"), "5");
  EXPECT_EQ(Ask("runner.pieces.object"), "\"runner\"");
}

TEST_F(QueryEvaluationTest, FieldAloneAnswersForEveryObject) {
  PutPieces(2, -3);
  EXPECT_EQ(Ask("pieces.x < 0"), "runner: false, drifter: true");
  EXPECT_EQ(Ask("pieces.object == 'runner'"), "runner: true, drifter: false");
}

TEST_F(QueryEvaluationTest, FieldsOfOneQueryAreOfOneObject) {
  PutPieces(2, -3);
  Put("board", "pieces", 0, "y", sim::FieldValue::OfDouble(-1));
  EXPECT_EQ(Ask("pieces.x < 0 and pieces.y < 0"),
            "runner: false, drifter: false");
  EXPECT_EQ(Ask("pieces.x + game.score > 0"), "runner: true, drifter: false");
}

TEST_F(QueryEvaluationTest, CountIsOfObjectsThatHold) {
  PutPieces(2, -3);
  EXPECT_EQ(Ask("count(pieces.x < 0)"), "1");
  EXPECT_EQ(Ask("count(pieces.x < 10)"), "2");
  EXPECT_EQ(Ask("count(pieces.x > runner.pieces.x - 1)"), "1");
  EXPECT_EQ(Ask("count(pieces.x < 10) + pieces.x"), "runner: 4, drifter: -1");
}

TEST_F(QueryEvaluationTest, WhatIsNotThereIsUnknown) {
  EXPECT_EQ(Ask("exists(runner)"), "true");
  EXPECT_EQ(Ask("exists(runner#9)"), "false");
  EXPECT_EQ(Ask("runner#9.pieces.x"), "absent");
  EXPECT_EQ(Ask("not runner#9.pieces.x > 0"), "absent");
  EXPECT_EQ(Ask("runner#9.pieces.x > 0 or tick == 0"), "true");
  EXPECT_EQ(Ask("not exists(runner#9) or runner#9.pieces.x > 0"), "true");
}

TEST_F(QueryEvaluationTest, ErrorSpreadsUnlessTheRestDecides) {
  EXPECT_EQ(Ask("1 / tick > 0"), "a division by zero");
  EXPECT_EQ(Ask("not 1 / tick > 0"), "a division by zero");
  EXPECT_EQ(Ask("tick != 0 and 1 / tick > 0"), "false");
  EXPECT_EQ(Ask("1 / tick > 0 and tick != 0"), "false");
  EXPECT_EQ(Ask("tick == 0 or 1 / tick > 0"), "true");
  EXPECT_EQ(Ask("tick == 0 and 1 / tick > 0"), "a division by zero");
  EXPECT_EQ(Ask("1 / (pieces.x - 1) > 0"),
            "runner: false, drifter: a division by zero");
  EXPECT_EQ(Ask("count(1 / (pieces.x - 1) > 0)"), "a division by zero");
}

TEST_F(QueryEvaluationTest, EventsAreCountedByName) {
  events_ = {{.tick = 0, .type = sim::IdOf("goal_reached"), .arguments = {}},
             {.tick = 0, .type = sim::IdOf("hundred_ticks"), .arguments = {}},
             {.tick = 0, .type = sim::IdOf("goal_reached"), .arguments = {}}};
  EXPECT_EQ(Ask("event('goal_reached')"), "2");
  EXPECT_EQ(Ask("event(hundred_ticks) == 1"), "true");
}

TEST_F(QueryEvaluationTest, IntegersOfStateAreExact) {
  Put("board", "game", 0, "score",
      sim::FieldValue::OfInt64((int64_t{1} << 53) + 1));
  EXPECT_EQ(Ask("game.score == 9007199254740993"), "true");
  EXPECT_EQ(Ask("game.score > 9007199254740992.0"), "true");
}

TEST_F(QueryEvaluationTest, LongestChainIsNoDeepCall) {
  std::string text = "1";
  while (text.size() + 2 <= 4096) text += "+1";
  EXPECT_EQ(Ask(text), "2048");
}

TEST_F(QueryEvaluationTest, ValuesOfTheTickAreToldOnce) {
  const absl::StatusOr<Query> query = Query::Parse(
      "tick > 3 and tick < 5 and runner.pieces.x > 0 and pieces.x > 0",
      *simulation_);
  ASSERT_TRUE(query.ok()) << query.status();
  QueryEvaluation evaluation(&*query);
  evaluation.Visit(*simulation_, {},
                   [](const QuerySubject&, const QueryEvaluation::Answer&) {});
  const auto values = evaluation.ValuesOfTick();
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].first, "tick");
  EXPECT_EQ(values[1].first, "runner.pieces.x");
}

}  // namespace
}  // namespace reprise::replays

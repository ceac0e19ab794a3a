// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a query knows of a run besides its state, and that it is asked
// beside fields of it, on the tiny simulation, whose pieces are put where a
// test wants them.

#include "replays/query/query_facts.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/query/query.h"
#include "replays/query/query_evaluation.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/state/field_value.h"

namespace reprise::replays {
namespace {

class QueryFactsTest : public testing::Test {
 protected:
  QueryFactsTest() : simulation_(MakeTiny()) {}

  // The error; empty where there is none.
  std::string ErrorOf(std::string_view text) const {
    const absl::StatusOr<Query> query = Query::Parse(text, *simulation_);
    if (query.ok()) return "";
    EXPECT_EQ(query.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(query.status().message());
  }

  sim::ExpressionType TypeOf(std::string_view text) const {
    return Query::Parse(text, *simulation_)->type();
  }

  // "runner: 3, drifter: 1"; "3" of a query about the tick.
  std::string Ask(std::string_view text) const {
    const absl::StatusOr<Query> query = Query::Parse(text, *simulation_);
    if (!query.ok()) return query.status().ToString();
    QueryEvaluation evaluation(&*query);
    std::string answers;
    evaluation.Visit(*simulation_, events_,
                     [&](const sim::StateSubject& subject,
                         const sim::ExpressionAnswer& answer) {
                       const std::string name = evaluation.NameOf(subject);
                       if (!answers.empty()) answers += ", ";
                       if (!name.empty()) answers += name + ": ";
                       answers += answer.ok()
                                      ? sim::FormatExpressionValue(*answer)
                                      : std::string(answer.status().message());
                     });
    return answers;
  }

  std::unique_ptr<sim::Simulation> simulation_;
  std::vector<sim::Event> events_;
};

TEST_F(QueryFactsTest, FactsAreOfTheTick) {
  simulation_->Step({}, /*observer=*/nullptr);
  EXPECT_EQ(Ask("tick"), "1");
  EXPECT_EQ(Ask("outcome"), "\"running\"");
  EXPECT_EQ(Ask("outcome == won"), "false");
  EXPECT_EQ(Ask("outcome == 'running'"), "true");
}

TEST_F(QueryFactsTest, EventsAreCountedByName) {
  events_ = {{.tick = 0, .type = sim::IdOf("goal_reached"), .arguments = {}},
             {.tick = 0, .type = sim::IdOf("hundred_ticks"), .arguments = {}},
             {.tick = 0, .type = sim::IdOf("goal_reached"), .arguments = {}}};
  EXPECT_EQ(Ask("event('goal_reached')"), "2");
  EXPECT_EQ(Ask("event(hundred_ticks) == 1"), "true");
}

TEST_F(QueryFactsTest, FactsStandBesideFields) {
  EXPECT_EQ(Ask("pieces.x + tick"), "runner: 0, drifter: 1");
  EXPECT_EQ(Ask("count(pieces.x > tick)"), "1");
  EXPECT_EQ(Ask("game.score > tick or runner.pieces.x > 0"), "false");
}

TEST_F(QueryFactsTest, TypesAreKnown) {
  EXPECT_EQ(TypeOf("tick"), sim::ExpressionType::kNumber);
  EXPECT_EQ(TypeOf("outcome"), sim::ExpressionType::kText);
  EXPECT_EQ(TypeOf("event(goal_reached)"), sim::ExpressionType::kNumber);
}

TEST_F(QueryFactsTest, OutcomesAreThree) {
  EXPECT_EQ(ErrorOf("outcome == won or lost != outcome"), "");
  EXPECT_EQ(ErrorOf("outcome == 'win'"),
            "column 12: an outcome is running, won or lost");
}

TEST_F(QueryFactsTest, UnknownNamesAreToldWithTheNearest) {
  EXPECT_EQ(ErrorOf("tock < 3"),
            "column 1: there is no fact 'tock'; did you mean 'tick'? (a field "
            "is component.field)");
  EXPECT_EQ(ErrorOf("evnt(1) > 0"),
            "column 1: there is no function 'evnt'; did you mean 'event'?");
  EXPECT_EQ(ErrorOf("event('goal') > 0"), "column 7: there is no event 'goal'");
  EXPECT_EQ(ErrorOf("event('goal_reachd') > 0"),
            "column 7: there is no event 'goal_reachd'; did you mean "
            "'goal_reached'?");
  EXPECT_EQ(ErrorOf("event(pieces.x)"), "column 7: event takes a name");
}

TEST_F(QueryFactsTest, ObjectsAreKnownByTheSimulation) {
  EXPECT_EQ(ErrorOf("runner.pieces.x > 0 or runner#9.pieces.x > 0"), "");
  EXPECT_EQ(ErrorOf("runer.pieces.x > 0"),
            "column 1: there is no object 'runer'; did you mean 'runner'?");
}

TEST_F(QueryFactsTest, ValuesOfTheTickAreTold) {
  const absl::StatusOr<Query> query =
      Query::Parse("tick < 3 and tick < 5 and outcome == won and pieces.x > 0",
                   *simulation_);
  ASSERT_TRUE(query.ok()) << query.status();
  QueryEvaluation evaluation(&*query);
  EXPECT_TRUE(evaluation.ValuesOfTick().empty());
  evaluation.Visit(
      *simulation_, {},
      [](const sim::StateSubject&, const sim::ExpressionAnswer&) {});
  const auto values = evaluation.ValuesOfTick();
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].first, "tick");
  EXPECT_EQ(values[1].first, "outcome");
}

TEST_F(QueryFactsTest, AnotherSimulationIsAskedByItsOwnNames) {
  const absl::StatusOr<Query> query =
      Query::Parse("runner.pieces.x", *simulation_);
  ASSERT_TRUE(query.ok()) << query.status();
  QueryEvaluation evaluation(&*query);
  for (const double x : {1.0, 2.0}) {
    const std::unique_ptr<sim::Simulation> other = MakeTiny();
    const sim::TableIndex pieces = *other->state().Find("board", "pieces");
    const sim::ScalarPath path =
        *other->state().table(pieces).schema().Find("x");
    ASSERT_TRUE(
        other->Inject({pieces, 0, path}, sim::FieldValue::OfDouble(x)).ok());
    evaluation.Visit(
        *other, {},
        [x](const sim::StateSubject&, const sim::ExpressionAnswer& answer) {
          EXPECT_EQ(*answer, sim::ExpressionValue(x));
        });
  }
}

}  // namespace
}  // namespace reprise::replays

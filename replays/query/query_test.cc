// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that names and types are checked before anything runs, and that each
// mistake is told with its column and the nearest name, against the tables of
// the tiny simulation.

#include "replays/query/query.h"

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"

namespace reprise::replays {
namespace {

class QueryTest : public testing::Test {
 protected:
  QueryTest() : simulation_(MakeTiny()) {}

  // The error; empty where there is none.
  std::string ErrorOf(std::string_view text) const {
    const absl::StatusOr<Query> query = Query::Parse(text, *simulation_);
    if (query.ok()) return "";
    EXPECT_EQ(query.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(query.status().message());
  }

  QueryType TypeOf(std::string_view text) const {
    const absl::StatusOr<Query> query = Query::Parse(text, *simulation_);
    EXPECT_TRUE(query.ok()) << query.status();
    return query->type();
  }

  std::unique_ptr<sim::Simulation> simulation_;
};

TEST_F(QueryTest, EveryWayToNameAFieldIsKnown) {
  for (const char* const text :
       {"pieces.x", "board.pieces.x", "runner.pieces.x",
        "runner.board.pieces.x", "'runner'.pieces.x", "game.score",
        "device.axes[7]", "runner#9.pieces.x"}) {
    EXPECT_EQ(ErrorOf(text), "") << text;
  }
}

TEST_F(QueryTest, NameAloneIsTheOnlyFieldThatIsCalledSo) {
  EXPECT_EQ(ErrorOf("score >= 100 and outcome == 'won'"), "");
  EXPECT_EQ(TypeOf("score"), QueryType::kNumber);
  const absl::StatusOr<Query> query = Query::Parse("score > 3", *simulation_);
  EXPECT_EQ(query->programs()[0].steps[0].text, "board.game.score");
  EXPECT_EQ(ErrorOf("1 < axes"),
            "column 5: axes has parts: axes[0] to axes[7]");
}

TEST_F(QueryTest, TypesFollowFromSchemas) {
  EXPECT_EQ(TypeOf("pieces.x"), QueryType::kNumber);
  EXPECT_EQ(TypeOf("pieces.object"), QueryType::kText);
  EXPECT_EQ(TypeOf("outcome"), QueryType::kText);
  EXPECT_EQ(TypeOf("pieces.x < 3"), QueryType::kBool);
  EXPECT_EQ(TypeOf("count(pieces.x < 3)"), QueryType::kNumber);
  EXPECT_EQ(TypeOf("event(goal_reached)"), QueryType::kNumber);
  EXPECT_EQ(TypeOf("exists(runner)"), QueryType::kBool);
  EXPECT_EQ(TypeOf("min(tick, 2, 3.5)"), QueryType::kNumber);
}

TEST_F(QueryTest, UnknownNamesAreToldWithTheNearest) {
  EXPECT_EQ(ErrorOf("peices.x < 0"),
            "column 1: there is no component 'peices'; did you mean 'pieces'?");
  EXPECT_EQ(ErrorOf("peices.position.x < 0"),
            "column 1: there is no component 'peices'; did you mean 'pieces'?");
  EXPECT_EQ(ErrorOf("0 < runner.piece.x"),
            "column 12: there is no component 'piece'; did you mean 'pieces'?");
  EXPECT_EQ(ErrorOf("game.scroe > 3"),
            "column 6: there is no field of game 'scroe'; did you mean "
            "'score'?");
  EXPECT_EQ(ErrorOf("runer.pieces.x"),
            "column 1: there is no object 'runer'; did you mean 'runner'?");
  EXPECT_EQ(ErrorOf("exists('driftr')"),
            "column 8: there is no object 'driftr'; did you mean 'drifter'?");
  EXPECT_EQ(ErrorOf("tock < 3"),
            "column 1: there is no fact 'tock'; did you mean 'tick'? (a field "
            "is component.field)");
  EXPECT_EQ(ErrorOf("squrt(3)"),
            "column 1: there is no function 'squrt'; did you mean 'sqrt'?");
  EXPECT_EQ(ErrorOf("event('goal') > 0"), "column 7: there is no event 'goal'");
  EXPECT_EQ(ErrorOf("nonsense.entirely"),
            "column 1: there is no component 'nonsense'");
}

TEST_F(QueryTest, HalfAFieldIsToldWhatIsMissing) {
  EXPECT_EQ(ErrorOf("device.axes > 0"),
            "column 8: axes has parts: axes[0] to axes[7]");
  EXPECT_EQ(ErrorOf("board.pieces == 0"),
            "column 7: which field of pieces? object, x, y");
  EXPECT_EQ(ErrorOf("runner.game.score > 0"),
            "column 1: game has no single row for each object: leave the "
            "object out, or count(...)");
}

TEST_F(QueryTest, TypesHaveToFit) {
  EXPECT_EQ(ErrorOf("tick and true"),
            "column 1: 'and' takes true or false, and this is a number");
  EXPECT_EQ(ErrorOf("true or 'a'"),
            "column 9: 'or' takes true or false, and this is a text");
  EXPECT_EQ(ErrorOf("not tick"),
            "column 5: 'not' takes true or false, and this is a number");
  EXPECT_EQ(ErrorOf("outcome < 3"),
            "column 1: '<' takes a number, and this is a text");
  EXPECT_EQ(ErrorOf("tick == 'a'"),
            "column 6: a number and a text are never equal");
  EXPECT_EQ(ErrorOf("1 + true"),
            "column 5: '+' takes a number, and this is true or false");
  EXPECT_EQ(ErrorOf("-outcome"),
            "column 2: - takes a number, and this is a text");
  EXPECT_EQ(ErrorOf("abs(true)"),
            "column 5: abs takes a number, and this is true or false");
  EXPECT_EQ(ErrorOf("count(tick)"),
            "column 7: count takes true or false, and this is a number");
}

TEST_F(QueryTest, FunctionsTakeTheirNumberOfArguments) {
  EXPECT_EQ(ErrorOf("abs()"), "column 1: abs takes 1 argument");
  EXPECT_EQ(ErrorOf("abs(1, 2)"), "column 1: abs takes 1 argument");
  EXPECT_EQ(ErrorOf("min(1)"), "column 1: min takes 2 arguments or more");
  EXPECT_EQ(ErrorOf("exists(1 + 1)"), "column 10: exists takes a name");
  EXPECT_EQ(ErrorOf("event(pieces.x)"), "column 7: event takes a name");
  EXPECT_EQ(ErrorOf("count(count(true) > 0)"), "column 7: a count in a count");
}

TEST_F(QueryTest, OutcomesAreThree) {
  EXPECT_EQ(ErrorOf("outcome == won or lost != outcome"), "");
  EXPECT_EQ(ErrorOf("outcome == 'win'"),
            "column 12: an outcome is running, won or lost");
}

TEST_F(QueryTest, SubjectsAreFoundByKey) {
  const auto subjects = [this](std::string_view text) {
    return Query::Parse(text, *simulation_)
        ->programs()[0]
        .subject_tables.size();
  };
  EXPECT_EQ(subjects("tick > 3"), 0u);
  EXPECT_EQ(subjects("runner.pieces.x > 3"), 0u);
  EXPECT_EQ(subjects("count(pieces.x > 3) > 0"), 0u);
  EXPECT_EQ(subjects("pieces.x > pieces.y"), 1u);
  EXPECT_EQ(subjects("pieces.x > game.score"), 1u);
  EXPECT_EQ(subjects("game.score > 3"), 1u);
  EXPECT_EQ(subjects("game.score > device.buttons"), 0u);
}

}  // namespace
}  // namespace reprise::replays

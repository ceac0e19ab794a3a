// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what expressions about a state answer and for whom, on a board whose
// rows are put where a test wants them.

#include "sim/expression/state_evaluation.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/expression/testing_board.h"

namespace reprise::sim {
namespace {

class StateEvaluationTest : public testing::Test {
 protected:
  StateEvaluationTest() : state_(MakeBoard()) {}

  PieceRow& Piece(uint32_t row) {
    return state_.mutable_table(kPieces).Mutable<PieceRow>(row);
  }
  void PutPieces(double runner_x, double drifter_x) {
    Piece(0).x = runner_x;
    Piece(1).x = drifter_x;
  }

  absl::StatusOr<StateExpression> Parse(std::string_view text) const {
    return StateExpression::Parse(text, state_, BoardNames(),
                                  /*facts=*/nullptr);
  }

  // "runner: 3, drifter: 1"; "3" of an expression about the whole.
  std::string Visit(StateEvaluation& evaluation) const {
    std::string answers;
    evaluation.Visit(
        state_, /*facts=*/nullptr,
        [&](const StateSubject& subject, const ExpressionAnswer& answer) {
          const std::string name = evaluation.NameOf(subject);
          if (!answers.empty()) answers += ", ";
          if (!name.empty()) answers += name + ": ";
          answers += answer.ok() ? FormatExpressionValue(*answer)
                                 : std::string(answer.status().message());
        });
    return answers;
  }

  std::string Ask(std::string_view text) const {
    const absl::StatusOr<StateExpression> expression = Parse(text);
    if (!expression.ok()) return expression.status().ToString();
    StateEvaluation evaluation(&*expression, BoardNames());
    return Visit(evaluation);
  }

  State state_;
};

TEST_F(StateEvaluationTest, NamedObjectAnswersOnce) {
  PutPieces(2, -3);
  EXPECT_EQ(Ask("runner.pieces.x"), "2");
  EXPECT_EQ(Ask("runner.pieces.x - drifter.pieces.x"), "5");
  EXPECT_EQ(Ask("runner.pieces.object"), "\"runner\"");
  EXPECT_EQ(Ask("exit.goals.status"), "2");
}

TEST_F(StateEvaluationTest, FieldBehindAnotherTableIsThatOfThoseInBoth) {
  PutPieces(2, -3);
  EXPECT_EQ(Ask("tags.pieces.x < 0"),
            "runner: absent, drifter: true, walker: absent");
  EXPECT_EQ(Ask("count(tags.pieces.x > -9)"), "1");
  EXPECT_EQ(Ask("count(pieces.x > -9)"), "2");
  EXPECT_EQ(Ask("count(tags.board.pieces.x > -9)"), "1");
}

TEST_F(StateEvaluationTest, FieldAloneAnswersForEveryObject) {
  PutPieces(2, -3);
  EXPECT_EQ(Ask("pieces.x < 0"), "runner: false, drifter: true");
  EXPECT_EQ(Ask("pieces.object == 'runner'"), "runner: true, drifter: false");
  EXPECT_EQ(Ask("tags.colour"), "drifter: \"red\", walker: \"blue\"");
}

TEST_F(StateEvaluationTest, FieldsOfOneExpressionAreOfOneObject) {
  PutPieces(2, -3);
  Piece(0).y = -1;
  EXPECT_EQ(Ask("pieces.x < 0 and pieces.y < 0"),
            "runner: false, drifter: false");
  EXPECT_EQ(Ask("pieces.x + game.score > 0"), "runner: true, drifter: false");
}

TEST_F(StateEvaluationTest, RowsOfTwoTablesAreJoinedByKey) {
  PutPieces(2, -3);
  EXPECT_EQ(Ask("pieces.x < 0 and tags.colour == 'red'"),
            "runner: false, drifter: true, walker: false");
  EXPECT_EQ(Ask("pieces.x < 0 or tags.colour == 'red'"),
            "runner: absent, drifter: true, walker: absent");
}

TEST_F(StateEvaluationTest, RowOfSeveralKeysAnswersForItself) {
  EXPECT_EQ(Ask("contacts.depth"), "drifter walker: 0.5");
  EXPECT_EQ(Ask("contacts.a == 'drifter' and game.score == 0"),
            "drifter walker: true");
}

TEST_F(StateEvaluationTest, TableWithoutKeysIsTheWorlds) {
  EXPECT_EQ(Ask("game.score"), "0");
  state_.mutable_table(kGame).Resize(2);
  EXPECT_EQ(Ask("game.score"), "[0]: 0, [1]: 0");
  EXPECT_EQ(Ask("game.score + pieces.x > 0"),
            "runner: game has 2 rows, and nothing says which, "
            "drifter: game has 2 rows, and nothing says which");
  state_.mutable_table(kGame).Resize(0);
  EXPECT_EQ(Ask("game.score + pieces.x > 0"),
            "runner: absent, drifter: absent");
}

TEST_F(StateEvaluationTest, CountIsOfSubjectsThatHold) {
  PutPieces(2, -3);
  EXPECT_EQ(Ask("count(pieces.x < 0)"), "1");
  EXPECT_EQ(Ask("count(pieces.x < 10)"), "2");
  EXPECT_EQ(Ask("count(pieces.x > runner.pieces.x - 1)"), "1");
  EXPECT_EQ(Ask("count(pieces.x < 10) + pieces.x"), "runner: 4, drifter: -1");
  EXPECT_EQ(Ask("count(pieces.x < 0 or tags.flags[0] or true)"), "3");
  EXPECT_EQ(Ask("count(game.score > device.buttons)"), "0");
  EXPECT_EQ(Ask("count(true)"), "1");
}

TEST_F(StateEvaluationTest, WhatIsNotThereIsUnknown) {
  EXPECT_EQ(Ask("exists(runner)"), "true");
  EXPECT_EQ(Ask("exists(walker)"), "true");
  EXPECT_EQ(Ask("exists(runner#9)"), "false");
  EXPECT_EQ(Ask("runner#9.pieces.x"), "absent");
  EXPECT_EQ(Ask("later.goals.status"), "absent");
  EXPECT_EQ(Ask("not runner#9.pieces.x > 0"), "absent");
  EXPECT_EQ(Ask("runner#9.pieces.x > 0 or game.score == 0"), "true");
  EXPECT_EQ(Ask("not exists(runner#9) or runner#9.pieces.x > 0"), "true");
}

TEST_F(StateEvaluationTest, ErrorIsThatOfItsSubject) {
  EXPECT_EQ(Ask("1 / (pieces.x - 1) > 0"),
            "runner: false, drifter: a division by zero");
  EXPECT_EQ(Ask("count(1 / (pieces.x - 1) > 0)"), "a division by zero");
}

TEST_F(StateEvaluationTest, IntegersOfStateAreExact) {
  state_.mutable_table(kGame).Mutable<GameRow>(0).score =
      (int64_t{1} << 53) + 1;
  EXPECT_EQ(Ask("game.score == 9007199254740993"), "true");
  EXPECT_EQ(Ask("game.score > 9007199254740992.0"), "true");
}

TEST_F(StateEvaluationTest, ScalarsOfEveryTypeAreRead) {
  DeviceRow& device = state_.mutable_table(kDevice).Mutable<DeviceRow>(0);
  device.buttons = UINT64_MAX;
  device.axes[2] = -5;
  state_.mutable_table(kLeftClock).Mutable<ClockRow>(0).seconds = UINT32_MAX;
  state_.mutable_table(kTags).Mutable<TagRow>(1).flags[3] = true;
  EXPECT_EQ(Ask("device.buttons"), "18446744073709551615");
  EXPECT_EQ(Ask("device.axes[2]"), "-5");
  EXPECT_EQ(Ask("left.clock.seconds"), "4294967295");
  EXPECT_EQ(Ask("tags.flags[3]"), "drifter: false, walker: true");
}

TEST_F(StateEvaluationTest, KeysTellSubjectsApart) {
  const auto keys = [this](std::string_view text) {
    const absl::StatusOr<StateExpression> expression = Parse(text);
    StateEvaluation evaluation(&*expression, BoardNames());
    std::vector<std::vector<uint64_t>> found;
    evaluation.Visit(state_, /*facts=*/nullptr,
                     [&](const StateSubject& subject, const ExpressionAnswer&) {
                       found.push_back(evaluation.KeyOf(subject));
                     });
    return found;
  };
  using Keys = std::vector<std::vector<uint64_t>>;
  EXPECT_EQ(keys("pieces.x"), (Keys{{1}, {2}}));
  EXPECT_EQ(keys("pieces.x > 0 or tags.flags[0]"), (Keys{{1}, {2}, {3}}));
  EXPECT_EQ(keys("contacts.depth"), (Keys{{2, 3}}));
  EXPECT_EQ(keys("game.score"), (Keys{{0}}));
  EXPECT_EQ(keys("runner.pieces.x"), (Keys{{}}));
}

TEST_F(StateEvaluationTest, CommonValuesAreToldOnce) {
  const absl::StatusOr<StateExpression> expression = Parse(
      "runner.pieces.x < 3 and runner.pieces.x > 0 and count(pieces.x > 0) > 0 "
      "and pieces.x > 0");
  ASSERT_TRUE(expression.ok()) << expression.status();
  StateEvaluation evaluation(&*expression, BoardNames());
  Visit(evaluation);
  const auto values = evaluation.CommonValues();
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].first, "runner.pieces.x");
  EXPECT_EQ(values[1].first, "count(pieces.x > 0)");
  EXPECT_EQ(FormatExpressionValue(*values[1].second), "1");
}

TEST_F(StateEvaluationTest, VisitsDoNotKnowOfEachOther) {
  const absl::StatusOr<StateExpression> expression =
      Parse("drifter.pieces.x + count(pieces.y > 0)");
  ASSERT_TRUE(expression.ok()) << expression.status();
  StateEvaluation evaluation(&*expression, BoardNames());
  EXPECT_EQ(Visit(evaluation), "1");
  Piece(0) = {.object = {2}, .x = 7, .y = 1};
  state_.mutable_table(kPieces).Resize(1);
  EXPECT_EQ(Visit(evaluation), "8");
  state_.mutable_table(kPieces).Resize(0);
  EXPECT_EQ(Visit(evaluation), "absent");
}

}  // namespace
}  // namespace reprise::sim

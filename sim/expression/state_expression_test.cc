// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that names are found in the tables of a state, that each mistake is
// told with its column and the nearest name, and of which rows an expression is
// asked, on a board with a table of each kind.

#include "sim/expression/state_expression.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/expression/testing_board.h"
#include "sim/expression/testing_point.h"

namespace reprise::sim {
namespace {

absl::StatusOr<StateExpression> Parse(std::string_view text,
                                      ExpressionScope* facts = nullptr) {
  return StateExpression::Parse(text, MakeBoard(), BoardNames(), facts);
}

// The error; empty where there is none.
std::string ErrorOf(std::string_view text, ExpressionScope* facts = nullptr) {
  const absl::StatusOr<StateExpression> expression = Parse(text, facts);
  if (expression.ok()) return "";
  EXPECT_EQ(expression.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(expression.status().message());
}

TEST(StateExpressionTest, EveryWayToNameAFieldIsKnown) {
  for (const char* const text :
       {"pieces.x", "board.pieces.x", "runner.pieces.x",
        "runner.board.pieces.x", "'runner'.pieces.x", "game.score",
        "device.axes[7]", "runner#9.pieces.x", "exit.goals.status",
        "left.clock.minutes"}) {
    EXPECT_EQ(ErrorOf(text), "") << text;
  }
}

TEST(StateExpressionTest, NameAloneIsTheOnlyFieldThatIsCalledSo) {
  EXPECT_EQ(Parse("score >= 100")->references()[0].text, "board.game.score");
  EXPECT_EQ(ErrorOf("1 < axes"),
            "column 5: axes has parts: axes[0] to axes[7]");
  EXPECT_EQ(ErrorOf("1 < object"),
            "column 5: there is no fact 'object' (a field is "
            "component.field)");
  EXPECT_EQ(ErrorOf("1 < minutes"),
            "column 5: several components have 'minutes': write "
            "left.clock.minutes or right.clock.minutes");
}

TEST(StateExpressionTest, TypesFollowFromSchemas) {
  EXPECT_EQ(Parse("pieces.x")->type(), ExpressionType::kNumber);
  EXPECT_EQ(Parse("tags.flags[1]")->type(), ExpressionType::kBool);
  EXPECT_EQ(Parse("tags.colour")->type(), ExpressionType::kText);
  EXPECT_EQ(Parse("pieces.object")->type(), ExpressionType::kText);
  EXPECT_EQ(Parse("count(pieces.x < 3)")->type(), ExpressionType::kNumber);
  EXPECT_EQ(Parse("exists(runner)")->type(), ExpressionType::kBool);
}

TEST(StateExpressionTest, UnknownNamesAreToldWithTheNearest) {
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
  EXPECT_EQ(ErrorOf("exot.goals.status == 2"),
            "column 1: there is no row of goals 'exot'; did you mean 'exit'?");
  EXPECT_EQ(ErrorOf("nonsense.entirely"),
            "column 1: there is no component 'nonsense'");
  EXPECT_EQ(ErrorOf("nonsense"),
            "column 1: there is no fact 'nonsense' (a field is "
            "component.field)");
  EXPECT_EQ(ErrorOf("counts(true)"),
            "column 1: there is no function 'counts'; did you mean 'count'?");
}

TEST(StateExpressionTest, NameThatIsKnownMayComeLater) {
  EXPECT_EQ(ErrorOf("later.goals.status == 2"), "");
  EXPECT_EQ(ErrorOf("exists(later)"), "");
}

TEST(StateExpressionTest, HalfAFieldIsToldWhatIsMissing) {
  EXPECT_EQ(ErrorOf("device.axes > 0"),
            "column 8: axes has parts: axes[0] to axes[7]");
  EXPECT_EQ(ErrorOf("board.pieces == 0"),
            "column 7: which field of pieces? object, x, y");
  EXPECT_EQ(ErrorOf("clock.minutes > 0"),
            "column 1: several rooms have 'clock': write left.clock or "
            "right.clock");
  EXPECT_EQ(ErrorOf("runner.game.score > 0"),
            "column 1: game has no single row for each object: leave the "
            "object out, or count(...)");
  EXPECT_EQ(ErrorOf("runner.contacts.depth > 0"),
            "column 1: contacts has no single row for each object: leave the "
            "object out, or count(...)");
}

TEST(StateExpressionTest, CountsAreNotInEachOther) {
  EXPECT_EQ(ErrorOf("count(count(true) > 0)"), "column 7: a count in a count");
  EXPECT_EQ(ErrorOf("count(pieces.x)"),
            "column 7: count takes true or false, and this is a number");
}

TEST(StateExpressionTest, SubjectsAreFoundByKey) {
  const auto subject_tables = [](std::string_view text) {
    return Parse(text)->subject_tables()[0];
  };
  EXPECT_EQ(subject_tables("1 > 3"), SubjectTables{});
  EXPECT_EQ(subject_tables("runner.pieces.x > 3"), SubjectTables{});
  EXPECT_EQ(subject_tables("count(pieces.x > 3) > 0"), SubjectTables{});
  EXPECT_EQ(subject_tables("pieces.x > pieces.y"), SubjectTables{kPieces});
  EXPECT_EQ(subject_tables("pieces.x > game.score"), SubjectTables{kPieces});
  EXPECT_EQ(subject_tables("game.score > 3"), SubjectTables{kGame});
  EXPECT_EQ(subject_tables("game.score > device.buttons"), SubjectTables{});
  EXPECT_EQ(subject_tables("tags.flags[0] and pieces.x > 0"),
            (SubjectTables{kPieces, kTags}));
  EXPECT_EQ(Parse("count(pieces.x > 3) > 0")->subject_tables()[1],
            SubjectTables{kPieces});
}

TEST(StateExpressionTest, TableBeforeATableIsAnObjectOrWhoHasItToo) {
  const auto beside = Parse("tags.pieces.x > 3");
  ASSERT_TRUE(beside.ok()) << beside.status();
  EXPECT_EQ(beside->subject_tables()[0], (SubjectTables{kPieces, kTags}));
  EXPECT_EQ(beside->references()[0].text, "tags.pieces.x");
  EXPECT_TRUE(ErrorOf("tags.pieces.z > 3")
                  .starts_with("column 13: there is no field of pieces 'z'"));
  // The names of others are none of objects.
  EXPECT_TRUE(ErrorOf("game.pieces.x > 3")
                  .starts_with("column 6: there is no field of game "));
  // An object that is called so goes first.
  NameResolver names = BoardNames();
  names.object_name = [](ObjectId object) {
    return std::string(object.serial == 1 ? "tags" : "drifter");
  };
  const auto object = StateExpression::Parse("tags.pieces.x > 3", MakeBoard(),
                                             names, /*facts=*/nullptr);
  ASSERT_TRUE(object.ok()) << object.status();
  EXPECT_EQ(object->references()[0].kind, StateReference::Kind::kObjectField);
  EXPECT_EQ(object->references()[0].object, "tags");
}

TEST(StateExpressionTest, RowsWithoutACommonKeyAreRefused) {
  EXPECT_EQ(ErrorOf("pieces.x > contacts.depth"),
            "the rows of pieces and contacts have no key in common: name an "
            "object, or count(...) those of one");
  EXPECT_EQ(ErrorOf("pieces.x > goals.status"),
            "the rows of pieces and goals have no key in common: name an "
            "object, or count(...) those of one");
  EXPECT_EQ(ErrorOf("count(pieces.x > 0) > contacts.depth"), "");
}

// The functions of facts take names.
class SideScope final : public ExpressionScope {
 public:
  absl::StatusOr<std::optional<ExpressionMeaning>> FindName(
      const ExpressionNode& node) override {
    return point_.FindName(node);
  }
  std::vector<std::string> KnownNames() const override {
    return point_.KnownNames();
  }
  std::span<const ScopeFunction> functions() const override {
    return point_.functions().first(1);
  }
  absl::StatusOr<ExpressionMeaning> FindCall(const ScopeCall& call) override {
    return point_.FindCall(call);
  }

 private:
  PointScope point_;
};

TEST(StateExpressionTest, FactsComeFirst) {
  SideScope facts;
  const absl::StatusOr<StateExpression> expression =
      Parse("side == left and axis(x) and x < pieces.x", &facts);
  ASSERT_TRUE(expression.ok()) << expression.status();
  using Kind = StateReference::Kind;
  ASSERT_EQ(expression->references().size(), 3u);
  EXPECT_EQ(expression->references()[0].kind, Kind::kFact);
  EXPECT_EQ(expression->references()[0].index, kSide);
  EXPECT_EQ(expression->references()[1].index, kX);
  EXPECT_EQ(expression->references()[1].text, "x");
  EXPECT_EQ(expression->references()[2].kind, Kind::kSubjectField);
}

TEST(StateExpressionTest, MistakesInFactsAreTold) {
  SideScope facts;
  EXPECT_EQ(ErrorOf("sude == left", &facts),
            "column 1: there is no fact 'sude'; did you mean 'side'? (a field "
            "is component.field)");
  EXPECT_EQ(ErrorOf("axis(long)", &facts), "column 6: an axis is one letter");
  EXPECT_EQ(ErrorOf("side == 'top'", &facts),
            "column 9: a side is left or right");
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in predicates and objectives is reported once, with
// its line and field, by manifests with one mistake each; and that many
// objectives are read in a time that grows as they do.

#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Without mistakes; six lines, and one of the pack before them.
constexpr std::string_view kGame =
    R"(components { name: "health" properties { name: "points" type: TYPE_INTEGER } properties { name: "spot" type: TYPE_VECTOR3 } }
layers { name: "cellar" disabled: true } chunk_plan { chunks { name: "yard" } }
types { name: "hero" components { component: "health" } } objects { name: "hero" type: "hero" } objects { name: "dog" type: "hero" chunk: "yard" }
predicates { name: "dead" object: "hero" component: "health" property: "points" comparison: COMPARISON_AT_MOST }
objectives { name: "story" kind: KIND_SEQUENCE children: "find" children: "flee" decides: DECISION_WON }
objectives { name: "find" condition { event { event: "found" object: "hero" count: 2 } } gates: "cellar" } objectives { name: "flee" condition { elapsed_s: 1 } failures { predicate: "dead" } penalty_reset: "story" penalty_event: "caught" }
)";

struct Case {
  std::string_view text;
  std::string_view problem;
};

std::vector<std::string> ProblemsWith(std::string_view text) {
  return Problems(Manifest({kGame, text}));
}

// A matcher of one problem on line 8 or 9, where the message stands.
auto OneProblem(std::string_view where, std::string_view problem) {
  return ElementsAre(
      AllOf(::testing::ContainsRegex("^pack.txtpb:[89]:"),
            HasSubstr(": " + std::string(where) + std::string(problem))));
}

TEST(ObjectiveCompilerTest, GameWithoutMistakesCompiles) {
  EXPECT_THAT(ProblemsWith(""), IsEmpty());
}

TEST(ObjectiveCompilerTest, PredicateMayAskAnObjectThatComesAndGoes) {
  EXPECT_THAT(
      ProblemsWith("predicates { name: \"p\" object: \"dog\" component: "
                   "\"health\" property: \"points\" comparison: "
                   "COMPARISON_LESS value: 3 }\n"),
      IsEmpty());
}

TEST(ObjectiveCompilerTest, MistakesOfPredicatesHaveTheirPlace) {
  for (const auto& [text, problem] : {
           Case{"name: \"dead\" object: \"hero\" component: \"health\" "
                "property: \"points\" comparison: COMPARISON_LESS",
                "name: there are two predicates 'dead'"},
           Case{"name: \"p\" object: \"x\" component: \"health\" property: "
                "\"points\" comparison: COMPARISON_LESS",
                "object: there is no object 'x'"},
           Case{"name: \"p\" object: \"hero\" component: \"x\" property: "
                "\"points\" comparison: COMPARISON_LESS",
                "component: 'hero' has no component 'x'"},
           Case{"name: \"p\" object: \"hero\" component: \"health\" property: "
                "\"x\" comparison: COMPARISON_LESS",
                "property: 'health' has no number or boolean 'x'"},
           Case{"name: \"p\" object: \"hero\" component: \"health\" property: "
                "\"spot\" comparison: COMPARISON_LESS",
                "property: 'health' has no number or boolean 'spot'"},
           Case{"name: \"p\" object: \"hero\" component: \"health\" property: "
                "\"points\"",
                "comparison: how is it compared"},
           Case{"name: \"p\" object: \"hero\" component: \"health\" property: "
                "\"points\" comparison: COMPARISON_LESS value: nan",
                "value: nan"},
       }) {
    EXPECT_THAT(ProblemsWith("predicates {\n" + std::string(text) + "\n}\n"),
                OneProblem("predicates[1].", problem))
        << text;
  }
}

TEST(ObjectiveCompilerTest, PredicateMayBeAnExpression) {
  EXPECT_THAT(
      ProblemsWith("predicates { name: \"p\" if: \"hero.health.points > 3 and "
                   "(dog.health.spot.x < 1 or 'dog'.type == 'hero')\" }\n"),
      IsEmpty());
}

// The mistake is the object's; it isn't what was meant in place of itself.
TEST(ObjectiveCompilerTest, AnObjectThatDoesntCompileIsNoSlip) {
  const std::vector<std::string> problems = ProblemsWith(
      "objects { name: \"cat\" type: \"hreo\" }\n"
      "predicates { name: \"p\" if: \"cat.health.points > 3\" }\n");
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_THAT(problems,
              Contains(EndsWith("if: column 1: there is no object 'cat'")));
}

TEST(ObjectiveCompilerTest, MistakesOfExpressionsHaveTheirColumn) {
  for (const auto& [text, problem] : {
           Case{"hreo.health.points > 1",
                "column 1: there is no object 'hreo'; did you mean 'hero'?"},
           Case{"1 < hero.heath.points",
                "column 10: 'hero' has no component 'heath'; did you mean "
                "'health'?"},
           Case{"hero.health.point > 1",
                "column 6: the component 'health' has no property 'point'; did "
                "you mean 'points'?"},
           Case{"hero.health.spot > 1", "column 13: 'health.spot' has parts"},
           Case{"hero.marble_control.force > 1",
                "column 6: 'hero' has no component 'marble_control'"},
           Case{"hero.type > 3", "column 1: "},
           Case{"hero == 'dog'", "column 1: what of hero?"},
           Case{"self.health.points > 1",
                "column 1: there is no object 'self'"},
           Case{"sender.type == 'hero'",
                "column 1: there is no object 'sender'"},
           Case{"tick > 3",
                "column 1: there is no object 'tick': it is of queries alone"},
           Case{"exists(hero)",
                "column 1: there is no function 'exists': it is of queries"},
           Case{"hero.health.points > 1 and count(nobody.on) > 3",
                "column 28: there is no function 'count': it is of queries"},
           Case{"hero.health.points",
                "this is no condition: it isn't true or false"},
           Case{"hero.health.points >", "column 21: "},
       }) {
    EXPECT_THAT(ProblemsWith("predicates {\nname: \"p\" if: \"" +
                             std::string(text) + "\"\n}\n"),
                OneProblem("predicates[1].if: ", problem))
        << text;
  }
}

TEST(ObjectiveCompilerTest, ObjectCalledLikeAPartOfAnEventNeedsQuotes) {
  constexpr std::string_view kTarget =
      "objects { name: \"target\" type: \"hero\" }";
  EXPECT_THAT(
      ProblemsWith(std::string(kTarget) + "predicates {\nname: \"p\" if: "
                                          "\"target.health.points > 1\"\n}\n"),
      OneProblem("predicates[1].if: ", "column 1: 'target' without"));
  EXPECT_THAT(
      ProblemsWith(std::string(kTarget) + "predicates { name: \"p\" if: "
                                          "\"'target'.health.points > 1\" }\n"),
      IsEmpty());
}

TEST(ObjectiveCompilerTest, BothFormsOfAPredicateAtOnceAreRefused) {
  for (const std::string_view other :
       {"object: \"hero\"", "component: \"health\"", "property: \"points\"",
        "comparison: COMPARISON_LESS", "value: 2"}) {
    EXPECT_THAT(
        ProblemsWith(
            "predicates {\nname: \"p\" if: \"hero.health.points > 1\"" +
            (" " + std::string(other)) + "\n}\n"),
        OneProblem("predicates[1].if: ", "either this, or object, component"))
        << other;
  }
}

TEST(ObjectiveCompilerTest, MistakesOfObjectivesHaveTheirPlace) {
  for (const auto& [text, problem] : {
           Case{"name: \"find\" condition { elapsed_s: 1 }",
                "name: there are two objectives 'find'"},
           Case{"name: \"o\"", "condition: a task needs one"},
           Case{"name: \"o\" children: \"find\" condition { elapsed_s: 1 }",
                "children: only a group has parts"},
           Case{"name: \"o\" kind: KIND_ALL",
                "children: a group needs one that isn't optional"},
           Case{"name: \"o\" kind: KIND_ALL children: \"story\" condition { "
                "elapsed_s: 1 }",
                "condition: only a task has one"},
           Case{"name: \"o\" kind: KIND_ALL children: \"story\" children: "
                "\"x\"",
                "children: there is no objective 'x'"},
           Case{"name: \"o\" kind: KIND_ALL children: \"story\" children: "
                "\"find\"",
                "children: 'find' is a part of a group already"},
           Case{"name: \"o\" after: \"x\" condition { elapsed_s: 1 }",
                "after: there is no objective 'x'"},
           Case{"name: \"o\" deadline_s: -1 condition { elapsed_s: 1 }",
                "deadline_s: "},
           Case{"name: \"o\" deadline_s: 0.001 condition { elapsed_s: 1 }",
                "deadline_s: less than half a tick"},
           Case{"name: \"o\" deadline_s: 1e308 condition { elapsed_s: 1 }",
                "deadline_s: "},
           Case{"name: \"o\" gates: \"attic\" condition { elapsed_s: 1 }",
                "gates: there is no layer 'attic'"},
           Case{"name: \"o\" penalty_event: \"No\" condition { elapsed_s: 1 }",
                "penalty_event: 'No' is not a name"},
           Case{"name: \"o\" penalty_reset: \"x\" condition { elapsed_s: 1 }",
                "penalty_reset: there is no objective 'x'"},
           Case{"name: \"o\" penalty_reset: \"story\" condition { elapsed_s: "
                "1 }",
                "penalty_reset: 'o' isn't a part of 'story'"},
       }) {
    EXPECT_THAT(ProblemsWith("objectives {\n" + std::string(text) + "\n}\n"),
                OneProblem("objectives[3].", problem))
        << text;
  }
}

TEST(ObjectiveCompilerTest, MistakesOfConditionsHaveTheirPlace) {
  for (const auto& [text, problem] : {
           Case{"", "event: one of event, predicate, elapsed_s is needed"},
           Case{"event { }", "event.event: '' is not a name"},
           Case{"event { event: \"e\" object: \"x\" }",
                "event.object: there is no object 'x'"},
           Case{"event { event: \"e\" object: \"dog\" }",
                "event.object: the object 'dog' comes and goes"},
           Case{"event { event: \"e\" subject: \"X\" }",
                "event.subject: 'X' is not a name"},
           Case{"predicate: \"x\"", "predicate: there is no predicate 'x'"},
           Case{"elapsed_s: 0", "elapsed_s: less than half a tick"},
           Case{"elapsed_s: 1e308", "elapsed_s: "},
           Case{"elapsed_s: -1", "elapsed_s: "},
       }) {
    EXPECT_THAT(ProblemsWith("objectives { name: \"o\" condition {\n" +
                             std::string(text) + "\n} }\n"),
                OneProblem("objectives[3].condition.", problem))
        << text;
    EXPECT_THAT(
        ProblemsWith("objectives { name: \"o\" condition { elapsed_s: 1 } "
                     "failures {\n" +
                     std::string(text) + "\n} }\n"),
        OneProblem("objectives[3].failures[0].", problem))
        << text;
  }
}

TEST(ObjectiveCompilerTest, MoreFailuresThanARowHoldsAreReported) {
  std::string failures;
  for (int i = 0; i < 5; ++i) failures += " failures { elapsed_s: 1 }";
  EXPECT_THAT(ProblemsWith("objectives { name: \"o\"\ncondition { elapsed_s: 1 "
                           "}" +
                           failures + "\n}\n"),
              OneProblem("objectives[3].", "failures: more than 4"));
}

TEST(ObjectiveCompilerTest, PartsOfEachOtherAreReported) {
  EXPECT_THAT(
      ProblemsWith("objectives { name: \"o\" kind: KIND_ALL children: \"p\" "
                   "}\nobjectives { name: \"p\" kind: KIND_ALL children: "
                   "\"o\" children: \"q\" }\nobjectives { name: \"q\" "
                   "condition { elapsed_s: 1 } penalty_reset: \"o\" }\n"),
      ElementsAre(HasSubstr("objectives: objectives wait for each other")));
}

TEST(ObjectiveCompilerTest, ResetsOfGroupsFarAboveAreUnderstood) {
  std::string chain;
  for (int i = 0; i < 40; ++i) {
    chain += fmt::format(
        "objectives {{ name: \"g{}\" kind: KIND_SEQUENCE children: \"g{}\" "
        "penalty_reset: \"g0\" }}\n",
        i, i + 1);
  }
  EXPECT_THAT(ProblemsWith(chain + "objectives { name: \"g40\" condition { "
                                   "elapsed_s: 1 } penalty_reset: \"g0\" }\n"),
              IsEmpty());
}

// If each looked through all others, that would be thirty thousand millions of
// looks: longer than a test may take.
TEST(ObjectiveCompilerTest, ManyObjectivesAreNoReasonToWait) {
  constexpr int kCount = 100000;
  std::string parts = "objectives { name: \"all\" kind: KIND_ALL";
  std::string tasks;
  for (int i = 0; i < kCount; ++i) {
    parts += fmt::format(" children: \"t{}\"", i);
    tasks += fmt::format(
        "objectives {{ name: \"t{}\" after: \"last\" penalty_reset: \"all\" "
        "condition {{ elapsed_s: 1 }} }}\n",
        i);
  }
  const std::string last =
      "objectives { name: \"last\" condition { elapsed_s: 1 } }\n";
  EXPECT_THAT(Problems(Manifest({tasks, parts, " }\n", last})),
              ElementsAre(HasSubstr("objectives: objective: 100002 of them, at "
                                    "most 4096")));
}

TEST(ObjectiveCompilerTest, OptionalPartOfAnyIsReported) {
  EXPECT_THAT(
      ProblemsWith("objectives {\nname: \"o\" kind: KIND_ANY children: "
                   "\"story\" children: \"p\"\n}\nobjectives { name: \"p\" "
                   "optional: true condition { elapsed_s: 1 } }\n"),
      OneProblem("objectives[3].", "children: 'p' is optional"));
}

TEST(ObjectiveCompilerTest, ObjectivesThatWaitForEachOtherAreListed) {
  EXPECT_THAT(
      ProblemsWith("objectives { name: \"o\" after: \"p\" condition { "
                   "elapsed_s: 1 } }\nobjectives { name: \"p\" after: \"o\" "
                   "condition { elapsed_s: 1 } }\n"),
      ElementsAre(AllOf(StartsWith("pack.txtpb:"),
                        HasSubstr("objectives: objectives wait for each "
                                  "other"))));
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that objectives which could never be followed are refused by name:
// unknown names, broken groups, and all kinds of waiting for oneself.

#include "sim/systems/objectives/objective_definition.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"

namespace reprise::sim {
namespace {

constexpr Id kA = IdOf("a");
constexpr Id kB = IdOf("b");
constexpr Id kC = IdOf("c");
constexpr Id kStory = IdOf("story");
constexpr Id kIsNight = IdOf("is_night");

ObjectiveDefinition Task(Id name) {
  return {.name = name, .condition = EventCondition{.type = IdOf("hit")}};
}

ObjectiveDefinition Group(ObjectiveKind kind, Id name,
                          std::vector<Id> children) {
  return {.name = name, .kind = kind, .children = std::move(children)};
}

// The whole text of a refusal; empty when there is none.
std::string Refusal(const std::vector<ObjectiveDefinition>& objectives) {
  NameTable names;
  for (const char* name : {"a", "b", "c", "d", "story", "is_night"}) {
    EXPECT_TRUE(names.Add(name).ok());
  }
  const absl::Status status =
      ValidateObjectives(objectives, std::vector{kIsNight},
                         std::vector<LayerDefinition>{{.name = kStory}}, names);
  EXPECT_TRUE(status.ok() ||
              status.code() == absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(ValidateObjectivesTest, AcceptsTreesAndGraphs) {
  ObjectiveDefinition b = Task(kB);
  b.gates = {kStory};
  b.penalty_reset = kA;
  b.failures = {PredicateCondition{kIsNight}, ElapsedCondition{5}};
  ObjectiveDefinition d = Task(IdOf("d"));
  d.prerequisites = {kC};
  EXPECT_EQ(
      Refusal({Group(ObjectiveKind::kSequence, kA, {kB, kC}), b, Task(kC), d}),
      "");
  EXPECT_EQ(Refusal({}), "");
}

TEST(ValidateObjectivesTest, RefusesUnknownNames) {
  EXPECT_EQ(Refusal({Group(ObjectiveKind::kAll, kA, {kB})}),
            "objective \"a\": no child \"b\"");
  ObjectiveDefinition task = Task(kA);
  task.prerequisites = {kB};
  EXPECT_EQ(Refusal({task}), "objective \"a\": no prerequisite \"b\"");
  task = Task(kA);
  task.penalty_reset = kB;
  EXPECT_EQ(Refusal({task}), "objective \"a\": no objective \"b\" to reset");
  task = Task(kA);
  task.gates = {kB};
  EXPECT_EQ(Refusal({task}), "objective \"a\": no layer \"b\" to open");
  task.gates = {kNoId};
  EXPECT_NE(Refusal({task}), "");
  task = Task(kA);
  task.condition = PredicateCondition{kB};
  EXPECT_EQ(Refusal({task}), "objective \"a\": no predicate \"b\"");
  task = Task(kA);
  task.failures = {PredicateCondition{kB}};
  EXPECT_EQ(Refusal({task}), "objective \"a\": no predicate \"b\"");
}

TEST(ValidateObjectivesTest, RefusesANameTwice) {
  EXPECT_EQ(Refusal({Task(kA), Task(kA)}), "objective \"a\": defined twice");
}

TEST(ValidateObjectivesTest, RefusesConditionsThatAskForNothing) {
  ObjectiveDefinition task = Task(kA);
  task.condition = EventCondition{};
  EXPECT_EQ(Refusal({task}), "objective \"a\": a condition without an event");
  task.condition = EventCondition{.type = kB, .count = 0};
  EXPECT_EQ(Refusal({task}),
            "objective \"a\": a condition that waits for 0 events");
  task = Task(kA);
  task.failures.resize(kFailureConditionsMax + 1, ElapsedCondition{1});
  EXPECT_EQ(Refusal({task}),
            "objective \"a\": 5 failure conditions, at most 4");
}

TEST(ValidateObjectivesTest, RefusesBrokenGroups) {
  ObjectiveDefinition task = Task(kA);
  task.children = {kB};
  EXPECT_EQ(Refusal({task, Task(kB)}),
            "objective \"a\": a task has no children");
  EXPECT_EQ(Refusal({Group(ObjectiveKind::kAll, kA, {})}),
            "objective \"a\": a group without a child that it requires");
  ObjectiveDefinition optional = Task(kB);
  optional.is_optional = true;
  EXPECT_EQ(Refusal({Group(ObjectiveKind::kSequence, kA, {kB}), optional}),
            "objective \"a\": a group without a child that it requires");
  EXPECT_EQ(Refusal({Group(ObjectiveKind::kAny, kA, {kB}), optional}),
            "objective \"a\": its child \"b\" is optional, as all of \"any\" "
            "are");
  EXPECT_EQ(Refusal({Group(ObjectiveKind::kAll, kA, {kC}),
                     Group(ObjectiveKind::kAll, kB, {kC}), Task(kC)}),
            "objective \"b\": its child \"c\" has a parent already: \"a\"");
}

TEST(ValidateObjectivesTest, ListsTheCircleOfPrerequisites) {
  ObjectiveDefinition a = Task(kA);
  ObjectiveDefinition b = Task(kB);
  ObjectiveDefinition c = Task(kC);
  ObjectiveDefinition waits_for_circle = Task(IdOf("d"));
  a.prerequisites = {kB};
  b.prerequisites = {kC};
  c.prerequisites = {kA};
  waits_for_circle.prerequisites = {kA};
  EXPECT_EQ(Refusal({waits_for_circle, a, b, c}),
            "objectives wait for each other: \"a\" waits for \"b\" waits for "
            "\"c\" waits for \"a\"");
  a.prerequisites = {kA};
  EXPECT_NE(Refusal({a}), "");
}

TEST(ValidateObjectivesTest, RefusesGroupsInsideThemselves) {
  EXPECT_NE(Refusal({Group(ObjectiveKind::kAny, kA, {kB}),
                     Group(ObjectiveKind::kAny, kB, {kA})}),
            "");
  EXPECT_NE(Refusal({Group(ObjectiveKind::kAny, kA, {kA})}), "");
}

TEST(ValidateObjectivesTest, RefusesASequenceAgainstItsOwnOrder) {
  ObjectiveDefinition b = Task(kB);
  b.prerequisites = {kC};
  EXPECT_NE(
      Refusal({Group(ObjectiveKind::kSequence, kA, {kB, kC}), b, Task(kC)}),
      "");
  // In any order it is fine.
  EXPECT_EQ(Refusal({Group(ObjectiveKind::kAll, kA, {kB, kC}), b, Task(kC)}),
            "");
}

TEST(ValidateObjectivesTest, RefusesWaitingForTheOwnGroup) {
  ObjectiveDefinition b = Task(kB);
  b.prerequisites = {kA};
  EXPECT_NE(Refusal({Group(ObjectiveKind::kAll, kA, {kB}), b}), "");
  // A circle of waiting it is not, yet it could never begin.
  b.is_optional = true;
  EXPECT_EQ(Refusal({Group(ObjectiveKind::kAll, kA, {kB, kC}), b, Task(kC)}),
            "objective \"b\": it waits for its group \"a\"");
}

}  // namespace
}  // namespace reprise::sim

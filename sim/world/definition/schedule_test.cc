// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the order of a tick follows from what systems declare and from
// nothing else, and that systems which don't fit together are refused by name.

#include "sim/world/definition/schedule.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {
namespace {

struct WindRow {
  ObjectId object;

  static constexpr std::string_view kTable = "gusts";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(WindRow, object, "")};
  }
};

SystemDeclaration MakeSystem(std::string_view name,
                             std::vector<SystemStep> steps) {
  return {.name = name, .help = "for the test", .steps = std::move(steps)};
}

std::vector<const SystemDeclaration*> PointersTo(
    const std::vector<SystemDeclaration>& systems) {
  std::vector<const SystemDeclaration*> pointers;
  for (const SystemDeclaration& system : systems) pointers.push_back(&system);
  return pointers;
}

std::vector<std::string> NamesAt(const Schedule& schedule, StepPoint point) {
  std::vector<std::string> names;
  for (const ScheduledStep& step : schedule.At(point)) {
    names.emplace_back(step.declaration == nullptr
                           ? WorldSteps()[step.step].name
                           : step.declaration->steps[step.step].name);
  }
  return names;
}

std::string ErrorOf(const std::vector<SystemDeclaration>& systems) {
  const auto schedule = Schedule::Make(PointersTo(systems));
  return schedule.ok() ? "none" : std::string(schedule.status().message());
}

using Names = std::vector<std::string>;

TEST(ScheduleTest, WorldAloneHasItsOwnSteps) {
  const Schedule alone;
  EXPECT_EQ(NamesAt(alone, StepPoint::kEvents),
            (Names{"timers", "answers", "event queue"}));
  EXPECT_EQ(NamesAt(alone, StepPoint::kPhysics), (Names{"solver"}));
  EXPECT_EQ(NamesAt(alone, StepPoint::kCommit),
            (Names{"event queue", "objects"}));
  EXPECT_EQ(NamesAt(alone, StepPoint::kContacts), Names{});
  const auto made = Schedule::Make({});
  ASSERT_TRUE(made.ok());
  for (size_t i = 0; i < kStepPointCount; ++i) {
    const auto point = static_cast<StepPoint>(i);
    EXPECT_EQ(NamesAt(*made, point), NamesAt(alone, point));
  }
}

TEST(ScheduleTest, OrderOfRegistrationIsNothing) {
  std::vector<SystemDeclaration> systems = {
      MakeSystem("a", {{.name = "a", .after = {"c"}}}),
      MakeSystem("b", {{.name = "b"}}), MakeSystem("c", {{.name = "c"}}),
      MakeSystem("d", {{.name = "d", .before = {"b"}}})};
  std::vector<const SystemDeclaration*> order = PointersTo(systems);
  // b waits for d, and a for c; otherwise the first by name comes first.
  const Names expected = {"c", "a", "d", "b"};
  std::ranges::sort(order);
  do {
    const auto schedule = Schedule::Make(order);
    ASSERT_TRUE(schedule.ok()) << schedule.status().ToString();
    EXPECT_EQ(NamesAt(*schedule, StepPoint::kContacts), expected);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(ScheduleTest, WhatIsNotUsedChangesNothing) {
  const std::vector<SystemDeclaration> systems = {
      MakeSystem("a", {{.name = "a", .after = {"c"}}}),
      MakeSystem("b", {{.name = "b"}}), MakeSystem("c", {{.name = "c"}})};
  const auto all = Schedule::Make(PointersTo(systems));
  ASSERT_TRUE(all.ok());
  const std::vector<const SystemDeclaration*> used = {&systems[0], &systems[1]};
  const Schedule some = all->Only(used);
  EXPECT_EQ(NamesAt(*all, StepPoint::kContacts), (Names{"b", "c", "a"}));
  EXPECT_EQ(NamesAt(some, StepPoint::kContacts), (Names{"b", "a"}));
  EXPECT_EQ(NamesAt(some, StepPoint::kPrePhysics), (Names{"behaviours"}));
}

TEST(ScheduleTest, StepsStandBetweenThoseOfTheWorld) {
  const std::vector<SystemDeclaration> systems = {MakeSystem(
      "wind",
      {{.name = "wind",
        .point = StepPoint::kPhysics,
        .before = {"solver"},
        .writes = {"physics"}},
       {.name = "lull", .point = StepPoint::kPhysics, .after = {"solver"}}})};
  const auto schedule = Schedule::Make(PointersTo(systems));
  ASSERT_TRUE(schedule.ok()) << schedule.status().ToString();
  EXPECT_EQ(NamesAt(*schedule, StepPoint::kPhysics),
            (Names{"wind", "solver", "lull"}));
}

TEST(ScheduleTest, RingsAreNamed) {
  EXPECT_EQ(ErrorOf({MakeSystem("a", {{.name = "one", .after = {"three"}}}),
                     MakeSystem("b", {{.name = "two", .after = {"one"}}}),
                     MakeSystem("c", {{.name = "three", .after = {"two"}}})}),
            "contacts: steps wait for each other: one -> two -> three -> one");
  EXPECT_EQ(ErrorOf({MakeSystem("a", {{.name = "one", .after = {"one"}}})}),
            "contacts: steps wait for each other: one -> one");
}

TEST(ScheduleTest, TwoOfOneNameAreRefused) {
  EXPECT_EQ(ErrorOf({MakeSystem("wind", {}), MakeSystem("wind", {})}),
            "there are two systems 'wind'");
  EXPECT_EQ(ErrorOf({MakeSystem("physics", {})}),
            "a system can't be called 'physics', as a room of the world's is");
  EXPECT_EQ(ErrorOf({MakeSystem("", {})}), "'' is no name of a system");
  EXPECT_EQ(ErrorOf({MakeSystem("a", {{.name = "blow"}}),
                     MakeSystem("b", {{.name = "blow"}})}),
            "contacts: the system 'a' and the system 'b' both have a step "
            "'blow'");
  EXPECT_EQ(ErrorOf({MakeSystem(
                "a", {{.name = "solver", .point = StepPoint::kPhysics}})}),
            "physics: the system 'a' and the world both have a step 'solver'");
  SystemDeclaration twice = MakeSystem("wind", {});
  twice.tables = {RowSchema::Of<WindRow>(), RowSchema::Of<WindRow>()};
  EXPECT_EQ(ErrorOf({twice}), "the system 'wind' has two tables 'gusts'");
}

TEST(ScheduleTest, AnEventHasOneHandler) {
  static constexpr auto kEvents = std::to_array<EventDeclaration>(
      {{.name = "blow", .sender = "x", .receiver = "y", .when = "z"}});
  SystemDeclaration a = MakeSystem("a", {});
  a.events = kEvents;
  a.handles = {EventIdIn(kEvents, "blow")};
  SystemDeclaration b = a;
  b.name = "b";
  EXPECT_EQ(ErrorOf({a, b}),
            "the systems 'a' and 'b' both handle the event 'blow'");
}

TEST(ScheduleTest, UnknownStepsAreNamedWithWhatThereIs) {
  EXPECT_EQ(ErrorOf({MakeSystem("wind", {{.name = "wind",
                                          .point = StepPoint::kPhysics,
                                          .before = {"solve"}}})}),
            "physics: the step 'wind' of the system 'wind' comes before "
            "'solve', and there is no such step; there are solver, wind");
}

// Two that write the same would depend on chance, or on their names.
TEST(ScheduleTest, WritersOfOneTableNeedAnOrder) {
  const SystemStep writes_bodies = {.name = "a", .writes = {"physics.bodies"}};
  const SystemStep writes_physics = {.name = "b", .writes = {"physics"}};
  const SystemStep writes_joints = {.name = "c", .writes = {"physics.joints"}};
  EXPECT_EQ(ErrorOf({MakeSystem("a", {writes_bodies}),
                     MakeSystem("b", {writes_physics})}),
            "contacts: 'a' of the system 'a' and 'b' of the system 'b' both "
            "write 'physics.bodies', and neither is said to come first");
  EXPECT_EQ(ErrorOf({MakeSystem("a", {writes_bodies}),
                     MakeSystem("c", {writes_joints})}),
            "none");
  SystemStep later = writes_physics;
  later.after = {"a"};
  EXPECT_EQ(
      ErrorOf({MakeSystem("a", {writes_bodies}), MakeSystem("b", {later})}),
      "none");
  EXPECT_EQ(ErrorOf({MakeSystem("a", {{.name = "one"}, {.name = "two"}})}),
            "contacts: 'one' of the system 'a' and 'two' of the system 'a' "
            "both write 'a', and neither is said to come first");
}

TEST(ScheduleTest, WhoAsksASystemWritesItsTables) {
  EXPECT_EQ(ErrorOf({MakeSystem("a", {{.name = "one", .asks = {"b"}}}),
                     MakeSystem("b", {{.name = "two"}})}),
            "contacts: 'one' of the system 'a' and 'two' of the system 'b' "
            "both write 'b', and neither is said to come first");
  EXPECT_EQ(
      ErrorOf(
          {MakeSystem("a", {{.name = "one", .after = {"two"}, .asks = {"b"}}}),
           MakeSystem("b", {{.name = "two"}})}),
      "none");
  EXPECT_EQ(ErrorOf({MakeSystem("a", {{.name = "one", .asks = {"c"}}})}),
            "contacts: the step 'one' of the system 'a' asks the system 'c', "
            "and there is no such system");
}

TEST(ScheduleTest, TheWorldsStepsMayWriteAnything) {
  EXPECT_EQ(ErrorOf({MakeSystem(
                "a", {{.name = "push", .point = StepPoint::kPrePhysics}})}),
            "pre_physics: 'behaviours' of the world and 'push' of the system "
            "'a' both write 'a', and neither is said to come first");
}

TEST(ScheduleTest, NobodyWritesAnothersTables) {
  EXPECT_EQ(ErrorOf({MakeSystem("a", {{.name = "a", .writes = {"b.rows"}}}),
                     MakeSystem("b", {})}),
            "contacts: the step 'a' of the system 'a' writes 'b.rows', which "
            "is of the system 'b'");
  EXPECT_EQ(ErrorOf({MakeSystem("a", {{.name = "a", .writes = {"moon"}}})}),
            "contacts: the step 'a' of the system 'a' writes 'moon', which is "
            "nobody's");
}

TEST(ScheduleTest, RequestsAreAnsweredByOneSystem) {
  const auto refusal = [](const std::vector<RequestKind>& one,
                          const std::vector<RequestKind>& two) {
    const SystemDeclaration seer{
        .name = "seer", .help = "sees", .requests = one};
    const SystemDeclaration sphinx{
        .name = "sphinx", .help = "asks", .requests = two};
    return std::string(
        Schedule::Make(std::array{&seer, &sphinx}).status().message());
  };
  EXPECT_EQ(refusal({{.name = "vision"}}, {{.name = "riddle"}}), "");
  EXPECT_EQ(refusal({{.name = "vision"}}, {{.name = "vision"}}),
            "the systems 'seer' and 'sphinx' both answer requests 'vision'");
  EXPECT_EQ(refusal({{.name = "ray"}}, {}),
            "the system 'seer' can't answer requests 'ray': they are the "
            "world's, or it never would");
  EXPECT_EQ(refusal({}, {{.name = "riddle", .per_tick_max = 0}}),
            "the system 'sphinx' can't answer requests 'riddle': they are the "
            "world's, or it never would");
}

}  // namespace
}  // namespace reprise::sim

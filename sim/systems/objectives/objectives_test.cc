// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves how objectives open, end, begin anew and decide the game: sequences,
// trees and graphs, and that the order of declaration decides nothing else.

#include "sim/systems/objectives/objectives.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"
#include "sim/systems/layers/layers.h"

namespace reprise::sim {
namespace {

using Definitions = std::vector<ObjectiveDefinition>;

constexpr Id kQuest = IdOf("quest");
constexpr Id kA = IdOf("a");
constexpr Id kB = IdOf("b");
constexpr Id kC = IdOf("c");
constexpr Id kEast = IdOf("east");
constexpr Id kWest = IdOf("west");
constexpr Id kIsNight = IdOf("is_night");
constexpr auto kLocked = ObjectiveStatus::kLocked;
constexpr auto kActive = ObjectiveStatus::kActive;
constexpr auto kComplete = ObjectiveStatus::kComplete;
constexpr auto kFailed = ObjectiveStatus::kFailed;

// A task that is complete with the event of its own name.
ObjectiveDefinition Task(Id name) {
  return {.name = name, .condition = EventCondition{.type = name}};
}

ObjectiveDefinition Optional(ObjectiveDefinition objective) {
  objective.is_optional = true;
  return objective;
}

ObjectiveDefinition Group(ObjectiveKind kind, std::vector<Id> children) {
  return {.name = kQuest, .kind = kind, .children = std::move(children)};
}

// Objectives at work.
class Game {
 public:
  explicit Game(const Definitions& definitions) : objectives_(definitions) {
    const std::vector<LayerDefinition> layers = {{.name = kEast},
                                                 {.name = kWest}};
    EXPECT_TRUE(
        ValidateObjectives(definitions, std::vector{kIsNight}, layers, {})
            .ok());
    objectives_.Initialize(0, rows_);
  }

  // One tick with these events, all of `object`.
  ObjectiveUpdate Step(const std::vector<Id>& events = {},
                       ObjectId object = kNoObject) {
    std::vector<Event> tick_events;
    for (const Id type : events) {
      tick_events.push_back({.tick = tick_, .type = type, .object = object});
    }
    return objectives_.Update(
        tick_++, tick_events, [this](Id) { return is_night_; }, rows_,
        scratch_);
  }

  // Some ticks in which nothing happens.
  void Wait(int tick_count) {
    for (int i = 0; i < tick_count; ++i) Step();
  }

  void SetNight(bool is_night) { is_night_ = is_night; }

  ObjectiveStatus Status(Id objective) const {
    return StatusOfObjective(rows_, objective);
  }

  const Table& rows() const { return rows_; }
  ObjectiveRow Row(uint32_t row) const { return rows_.Get<ObjectiveRow>(row); }

  // Whether the rows pass as those of a snapshot with this first row.
  absl::StatusCode CheckWith(const ObjectiveRow& row) {
    rows_.Mutable<ObjectiveRow>(0) = row;
    return objectives_.CheckRows(rows_).code();
  }

 private:
  Objectives objectives_;
  Table rows_{RowSchema::Of<ObjectiveRow>()};
  ObjectiveScratch scratch_;
  Tick tick_ = 0;
  bool is_night_ = false;
};

TEST(ObjectivesTest, TaskCountsItsEvents) {
  ObjectiveDefinition task = Task(kA);
  task.condition = EventCondition{.type = kA, .count = 3};
  Game game({task});
  game.Step({kA, kB});
  game.Step({});
  game.Step({kA});
  EXPECT_EQ(game.Status(kA), kActive);
  EXPECT_EQ(game.Step({kA, kA}).changes,
            (std::vector<ObjectiveChange>{{kA, kActive, kComplete}}));
}

TEST(ObjectivesTest, TaskMayAskForTheEventsOfOneObject) {
  ObjectiveDefinition task = Task(kA);
  task.condition = EventCondition{.type = kA, .object = ObjectId{7}};
  Game game({task});
  game.Step({kA, kA}, ObjectId{6});
  EXPECT_EQ(game.Status(kA), kActive);
  game.Step({kA}, ObjectId{7});
  EXPECT_EQ(game.Status(kA), kComplete);
}

TEST(ObjectivesTest, TaskMayAskForWhatAnEventIsAbout) {
  ObjectiveDefinition task = Task(kA);
  task.condition = EventCondition{.type = kA, .subject = kB};
  Objectives objectives(std::vector{task});
  Table rows(RowSchema::Of<ObjectiveRow>());
  ObjectiveScratch scratch;
  objectives.Initialize(0, rows);
  const auto status_after = [&](Id subject) {
    const Event event = {
        .type = kA, .arguments = {{IdOf("where"), FieldValue::OfId(subject)}}};
    objectives.Update(
        0, std::vector{event}, [](Id) { return false; }, rows, scratch);
    return StatusOfObjective(rows, kA);
  };
  EXPECT_EQ(status_after(kC), kActive);
  EXPECT_EQ(status_after(kB), kComplete);
}

TEST(ObjectivesTest, TaskMayAskForAnObjectThatAnEventIsAboutByItsName) {
  ObjectiveDefinition task = Task(kA);
  task.condition = EventCondition{.type = kA, .subject = kB, .count = 2};
  Objectives objectives(std::vector{task});
  Table rows(RowSchema::Of<ObjectiveRow>());
  ObjectiveScratch scratch;
  objectives.Initialize(0, rows);
  const auto name_of = [](FieldValue object) {
    return object.bits == 7 ? kB : kC;
  };
  const auto status_after = [&](FieldValue subject) {
    const Event event = {.type = kA, .arguments = {{IdOf("who"), subject}}};
    objectives.Update(
        0, std::vector{event}, [](Id) { return false; }, rows, scratch,
        name_of);
    return StatusOfObjective(rows, kA);
  };
  EXPECT_EQ(status_after(FieldValue::OfObject(ObjectId{6})), kActive);
  EXPECT_EQ(status_after(FieldValue::OfInt64(7)), kActive);  // just a number
  EXPECT_EQ(status_after(FieldValue::OfObject(ObjectId{7})), kActive);
  EXPECT_EQ(rows.Get<ObjectiveRow>(0).count, 1u);
  EXPECT_EQ(status_after(
                FieldValue{.type = ScalarType::kHandle, .bits = uint64_t{7}}),
            kComplete);
}

TEST(ObjectivesTest, TaskMayAskForAPredicateOrForTime) {
  Game game({{.name = kA, .condition = PredicateCondition{kIsNight}},
             {.name = kB, .condition = ElapsedCondition{4}}});
  game.Wait(4);
  EXPECT_EQ(game.Status(kB), kActive);
  game.SetNight(true);
  game.Step();
  EXPECT_EQ(game.Status(kA), kComplete);
  EXPECT_EQ(game.Status(kB), kComplete);
}

TEST(ObjectivesTest, SequenceOpensOneAfterAnother) {
  Game game({Group(ObjectiveKind::kSequence, {kA, kB, kC}), Task(kA), Task(kB),
             Task(kC)});
  EXPECT_EQ(game.Status(kB), kLocked);
  // What isn't open doesn't listen, nor does it in the tick that opens it.
  game.Step({kB, kA});
  EXPECT_EQ(game.Status(kB), kActive);
  EXPECT_EQ(game.Status(kC), kLocked);
  game.Step({kB});
  game.Step({kC});
  EXPECT_EQ(game.Status(kQuest), kComplete);
}

TEST(ObjectivesTest, OptionalStepsHoldNothingUp) {
  Game game({Group(ObjectiveKind::kSequence, {kA, kB, kC}), Task(kA),
             Optional(Task(kB)), Task(kC)});
  game.Step({kA});
  EXPECT_EQ(game.Status(kB), kActive);
  EXPECT_EQ(game.Status(kC), kActive);
  game.Step({kC});
  EXPECT_EQ(game.Status(kQuest), kComplete);
  // Its group is over.
  EXPECT_EQ(game.Status(kB), kLocked);
}

TEST(ObjectivesTest, AllWaitsForAllInAnyOrder) {
  Game game({Group(ObjectiveKind::kAll, {kA, kB}), Task(kA), Task(kB)});
  game.Step({kB});
  EXPECT_EQ(game.Status(kQuest), kActive);
  game.Step({kA});
  EXPECT_EQ(game.Status(kQuest), kComplete);
}

TEST(ObjectivesTest, AnyIsCompleteWithTheFirstAndClosesTheOthers) {
  Game game({Group(ObjectiveKind::kAny, {kA, kB}), Task(kA), Task(kB)});
  EXPECT_EQ(game.Step({kB}).changes.size(), 3u);
  EXPECT_EQ(game.Status(kQuest), kComplete);
  EXPECT_EQ(game.Status(kA), kLocked);
  game.Step({kA});
  EXPECT_EQ(game.Status(kA), kLocked);
}

TEST(ObjectivesTest, TreeIsCompleteFromItsLeavesInOneTick) {
  constexpr Id kAct = IdOf("act");
  constexpr Id kChapter = IdOf("chapter");
  Game game(
      {{.name = kAct, .kind = ObjectiveKind::kSequence, .children = {kChapter}},
       {.name = kChapter,
        .kind = ObjectiveKind::kAll,
        .children = {kQuest, kC}},
       Group(ObjectiveKind::kAny, {kA, kB}),
       Task(kA),
       Task(kB),
       Task(kC)});
  game.Step({kC});
  game.Step({kA});
  EXPECT_EQ(game.Status(kAct), kComplete);
}

TEST(ObjectivesTest, GraphOpensWhatHasAllItsPrerequisites) {
  ObjectiveDefinition both = Task(kC);
  both.prerequisites = {kA, kB};
  Game game({Task(kA), both, Task(kB)});
  game.Step({kB, kC});
  EXPECT_EQ(game.Status(kC), kLocked);
  game.Step({kA});
  EXPECT_EQ(game.Status(kC), kActive);
  game.Step({kC});
  EXPECT_EQ(game.Status(kC), kComplete);
}

TEST(ObjectivesTest, CompletingAndFailingDecideTheGame) {
  ObjectiveDefinition escape = Task(kA);
  escape.decides = Outcome::Status::kWon;
  escape.failures = {EventCondition{.type = kB, .count = 2}};
  escape.failure_decides = Outcome::Status::kLost;
  Game won({escape});
  EXPECT_EQ(won.Step({kB}).decision, std::nullopt);
  EXPECT_EQ(won.Step({kA}).decision,
            (ObjectiveDecision{Outcome::Status::kWon, kA}));
  Game lost({escape});
  lost.Step({kB});
  // Failing comes before completing.
  EXPECT_EQ(lost.Step({kA, kB}).decision,
            (ObjectiveDecision{Outcome::Status::kLost, kA}));
  EXPECT_EQ(lost.Status(kA), kFailed);
}

TEST(ObjectivesTest, OfTwoDecisionsTheFirstDeclaredCounts) {
  ObjectiveDefinition win = Task(kA);
  win.decides = Outcome::Status::kWon;
  ObjectiveDefinition lose = Task(kB);
  lose.decides = Outcome::Status::kLost;
  EXPECT_EQ(Game({win, lose}).Step({kA, kB}).decision->outcome,
            Outcome::Status::kWon);
  EXPECT_EQ(Game({lose, win}).Step({kA, kB}).decision->outcome,
            Outcome::Status::kLost);
}

TEST(ObjectivesTest, GroupFailsByARequiredChildAndNotByAnOptionalOne) {
  ObjectiveDefinition hurry = Task(kA);
  hurry.deadline = 2;
  for (const bool is_optional : {false, true}) {
    hurry.is_optional = is_optional;
    Game game({Group(ObjectiveKind::kAll, {kA, kB}), hurry, Task(kB)});
    game.Wait(3);
    EXPECT_EQ(game.Status(kA), kFailed);
    EXPECT_EQ(game.Status(kQuest), is_optional ? kActive : kFailed);
    EXPECT_EQ(game.Status(kB), is_optional ? kActive : kLocked);
  }
}

TEST(ObjectivesTest, AnyFailsWhenAllHaveFailed) {
  ObjectiveDefinition a = Task(kA);
  ObjectiveDefinition b = Task(kB);
  a.failures = {EventCondition{.type = kC}};
  b.deadline = 5;
  Game game({Group(ObjectiveKind::kAny, {kA, kB}), a, b});
  game.Step({kC});
  EXPECT_EQ(game.Status(kQuest), kActive);
  game.Wait(5);
  EXPECT_EQ(game.Status(kQuest), kFailed);
}

TEST(ObjectivesTest, LastTickOfADeadlineIsInTime) {
  ObjectiveDefinition hurry = Task(kA);
  hurry.deadline = 3;
  Game in_time({hurry});
  in_time.Wait(3);  // ticks 0, 1, 2
  in_time.Step({kA});
  EXPECT_EQ(in_time.Status(kA), kComplete);
  Game late({hurry});
  late.Wait(3);
  EXPECT_EQ(late.Status(kA), kActive);
  late.Step();
  EXPECT_EQ(late.Status(kA), kFailed);
}

TEST(ObjectivesTest, DeadlineRunsFromWhenTheObjectiveOpens) {
  ObjectiveDefinition hurry = Task(kB);
  hurry.deadline = 3;
  hurry.prerequisites = {kA};
  Game game({Task(kA), hurry});
  game.Wait(10);
  game.Step({kA});
  game.Wait(2);
  EXPECT_EQ(game.Status(kB), kActive);
  game.Step();
  EXPECT_EQ(game.Status(kB), kFailed);
}

TEST(ObjectivesTest, PenaltySendsItsEventAndTriesAgain) {
  ObjectiveDefinition jump = Task(kB);
  jump.failures = {EventCondition{.type = IdOf("fell")}};
  jump.penalty_event = IdOf("life_lost");
  jump.penalty_reset = kQuest;
  Game game({Group(ObjectiveKind::kSequence, {kA, kB}), Task(kA), jump});
  game.Step({kA});
  const ObjectiveUpdate update = game.Step({IdOf("fell")});
  EXPECT_EQ(update.penalties,
            (std::vector<ObjectivePenalty>{{IdOf("life_lost"), kB}}));
  // Back to the start of the area, in the same tick.
  EXPECT_EQ(game.Status(kQuest), kActive);
  EXPECT_EQ(game.Status(kA), kActive);
  EXPECT_EQ(game.Status(kB), kLocked);
  game.Step({kA});
  game.Step({kB});
  EXPECT_EQ(game.Status(kQuest), kComplete);
}

TEST(ObjectivesTest, TryingAgainForgetsWhatWasCounted) {
  ObjectiveDefinition task = Task(kA);
  task.condition = EventCondition{.type = kA, .count = 2};
  task.failures = {EventCondition{.type = kB, .count = 2}};
  task.penalty_reset = kA;
  Game game({task});
  game.Step({kA, kB});
  game.Step({kB});
  game.Step({kA, kB});
  EXPECT_EQ(game.Status(kA), kActive);
  game.Step({kA});
  EXPECT_EQ(game.Status(kA), kComplete);
}

TEST(ObjectivesTest, RepeatableBeginsAnewAndIsDoneFromTheFirstTimeOn) {
  ObjectiveDefinition errand = Task(kA);
  errand.is_repeatable = true;
  ObjectiveDefinition reward = Task(kB);
  reward.prerequisites = {kA};
  Game game({errand, reward});
  EXPECT_EQ(game.Step({kA}).changes.size(), 3u);
  EXPECT_EQ(game.Status(kA), kActive);
  EXPECT_EQ(game.Status(kB), kActive);
  game.Step({kA});
  EXPECT_EQ(game.Status(kA), kActive);
}

TEST(ObjectivesTest, RepeatableGroupBeginsAnewWithItsChildren) {
  ObjectiveDefinition round = Group(ObjectiveKind::kSequence, {kA, kB});
  round.is_repeatable = true;
  round.gates = {kEast};
  Game game({round, Task(kA), Task(kB)});
  for (int lap = 0; lap < 3; ++lap) {
    game.Step({kA});
    EXPECT_EQ(game.Step({kB}).gates, std::vector{kEast}) << lap;
    EXPECT_EQ(game.Status(kA), kActive);
    EXPECT_EQ(game.Status(kB), kLocked);
  }
}

TEST(ObjectivesTest, GatesOpenLayers) {
  Table layers(RowSchema::Of<LayerRow>());
  InitializeLayers(std::vector<LayerDefinition>{{kEast, false}, {kWest, false}},
                   layers);
  ObjectiveDefinition a = Task(kA);
  ObjectiveDefinition b = Task(kB);
  a.gates = {kEast};
  b.gates = {kEast, kWest};
  Game game({a, b});
  EXPECT_TRUE(game.Step({}).gates.empty());
  for (const Id gate : game.Step({kA}).gates) {
    ASSERT_TRUE(SetLayer(gate, true, layers).ok());
  }
  EXPECT_EQ(ApplyLayers(layers), std::vector{kEast});
  EXPECT_EQ(game.Step({kB}).gates.size(), 2u);
}

TEST(ObjectivesTest, QuietTickWritesNothing) {
  Game game({Group(ObjectiveKind::kSequence, {kA, kB}), Task(kA), Task(kB)});
  game.Step({kA});
  const uint64_t stamp = game.rows().PageStamp(0);
  game.Step({kA, kC});
  EXPECT_EQ(game.rows().PageStamp(0), stamp);
}

// A forest of 40 objectives in which much happens: groups of all kinds three
// levels deep, deadlines, failures that try again, prerequisites backwards.
Definitions RandomForest(RandomStream& stream) {
  Definitions definitions;
  for (uint64_t i = 0; i < 40; ++i) {
    ObjectiveDefinition objective = Task(IdOf("task " + std::to_string(i)));
    objective.condition = EventCondition{.type = Id{1 + NextBelow(stream, 4)},
                                         .count = 1 + i % 3};
    if (NextBelow(stream, 3) == 0) {
      objective.deadline = 5 + NextBelow(stream, 20);
    }
    if (NextBelow(stream, 3) == 0) {
      objective.failures = {
          EventCondition{.type = Id{1 + NextBelow(stream, 4)}, .count = 5}};
      objective.penalty_reset = objective.name;
    }
    objective.is_repeatable = NextBelow(stream, 4) == 0;
    if (i > 4 && NextBelow(stream, 4) == 0) {
      objective.prerequisites = {definitions[NextBelow(stream, i - 4)].name};
    }
    definitions.push_back(objective);
  }
  // Children have higher numbers than what anything before them waits for.
  for (size_t parent : {0, 1, 10, 11}) {
    ObjectiveDefinition& group = definitions[parent];
    group.kind = static_cast<ObjectiveKind>(1 + parent % 3);
    group.prerequisites.clear();
    for (size_t child = 0; child < 4; ++child) {
      ObjectiveDefinition& below =
          definitions[(parent < 10 ? 10 : 20) + 4 * (parent % 10) + child];
      below.prerequisites.clear();
      group.children.push_back(below.name);
    }
    if (parent >= 10) group.penalty_reset = definitions[parent - 10].name;
  }
  return definitions;
}

// A few objectives with any parents and prerequisites at all, circles too.
Definitions RandomGraph(RandomStream& stream) {
  Definitions definitions;
  const uint64_t count = 2 + NextBelow(stream, 5);
  for (uint64_t i = 0; i < count; ++i) {
    definitions.push_back(Task(IdOf("task " + std::to_string(i))));
    definitions.back().condition = EventCondition{.type = kA};
  }
  for (uint64_t i = 0; i < count; ++i) {
    if (NextBelow(stream, 2) == 0) {
      ObjectiveDefinition& parent = definitions[NextBelow(stream, count)];
      parent.kind = NextBelow(stream, 2) == 0 ? ObjectiveKind::kSequence
                                              : ObjectiveKind::kAll;
      parent.children.push_back(definitions[i].name);
    }
    if (NextBelow(stream, 3) == 0) {
      definitions[i].prerequisites = {
          definitions[NextBelow(stream, count)].name};
    }
  }
  return definitions;
}

// Whether a player who does all that can be done gets everything done: what
// can begin begins, what can be done is, until nothing more happens.
bool CanAllBeDone(const Definitions& definitions) {
  std::set<Id> begun;
  std::set<Id> done;
  const auto is_done = [&](Id name) { return done.contains(name); };
  for (;;) {
    const size_t before = begun.size() + done.size();
    for (const ObjectiveDefinition& objective : definitions) {
      bool can_begin = std::ranges::all_of(objective.prerequisites, is_done);
      for (const ObjectiveDefinition& group : definitions) {
        const auto place = std::ranges::find(group.children, objective.name);
        if (place == group.children.end()) continue;
        can_begin = can_begin && begun.contains(group.name) &&
                    (group.kind != ObjectiveKind::kSequence ||
                     std::all_of(group.children.begin(), place, is_done));
      }
      if (can_begin) begun.insert(objective.name);
      if (begun.contains(objective.name) &&
          std::ranges::all_of(objective.children, is_done)) {
        done.insert(objective.name);
      }
    }
    if (begun.size() + done.size() == before) {
      return done.size() == definitions.size();
    }
  }
}

TEST(ObjectivesTest, AcceptedAreExactlyThoseThatCanAllBeDone) {
  RandomStream stream = MakeRandomStream(13, IdOf("objectives"));
  int accepted_count = 0;
  for (int run = 0; run < 5000; ++run) {
    const Definitions definitions = RandomGraph(stream);
    const bool is_accepted = ValidateObjectives(definitions, {}, {}, {}).ok();
    ASSERT_EQ(is_accepted, CanAllBeDone(definitions)) << "run " << run;
    if (!is_accepted) continue;
    ++accepted_count;
    Game game(definitions);
    for (size_t i = 0; i < definitions.size(); ++i) game.Step({kA});
    for (const ObjectiveDefinition& objective : definitions) {
      ASSERT_EQ(game.Status(objective.name), kComplete) << "run " << run;
    }
  }
  EXPECT_GT(accepted_count, 1000);
  EXPECT_LT(accepted_count, 4000);
}

TEST(ObjectivesTest, WhatIsOpenBelongsToWhatIsOpen) {
  RandomStream stream = MakeRandomStream(12, IdOf("objectives"));
  for (int run = 0; run < 20; ++run) {
    const Definitions definitions = RandomForest(stream);
    Game game(definitions);
    for (int tick = 0; tick < 100; ++tick) {
      game.Step({Id{1 + NextBelow(stream, 4)}});
      for (const ObjectiveDefinition& objective : definitions) {
        for (const Id child : objective.children) {
          ASSERT_TRUE(game.Status(child) != kActive ||
                      game.Status(objective.name) == kActive);
        }
        // What tries again at once never stays failed.
        ASSERT_FALSE(objective.penalty_reset == objective.name &&
                     game.Status(objective.name) == kFailed);
      }
    }
  }
}

TEST(ObjectivesTest, RowsThatCanNotBeAreRefused) {
  Game game({Task(kA), Task(kB)});
  const ObjectiveRow sound = game.Row(0);
  ObjectiveRow odd = sound;
  odd.status = 4;
  EXPECT_EQ(game.CheckWith(odd), absl::StatusCode::kDataLoss);
  odd = sound;
  odd.objective = kC;
  EXPECT_EQ(game.CheckWith(odd), absl::StatusCode::kDataLoss);
  EXPECT_EQ(game.CheckWith(sound), absl::StatusCode::kOk);
}

TEST(ObjectivesTest, OrderOfDeclarationDecidesNothing) {
  RandomStream stream = MakeRandomStream(10, IdOf("objectives"));
  std::set<ObjectiveStatus> seen;
  for (int run = 0; run < 20; ++run) {
    Definitions definitions = RandomForest(stream);
    Game game(definitions);
    std::ranges::reverse(definitions);
    Game reversed(definitions);
    for (int tick = 0; tick < 100; ++tick) {
      std::vector<Id> events;
      for (uint64_t type = 1; type <= 4; ++type) {
        if (NextBelow(stream, 4) == 0) events.push_back(Id{type});
      }
      const ObjectiveUpdate update = game.Step(events);
      std::ranges::reverse(events);
      EXPECT_EQ(reversed.Step(events).changes, update.changes);
      ASSERT_EQ(reversed.rows().ComputeDigest(), game.rows().ComputeDigest());
      for (const ObjectiveChange& change : update.changes) {
        seen.insert(change.to);
      }
    }
  }
  EXPECT_EQ(seen, (std::set{kLocked, kActive, kComplete, kFailed}));
}

TEST(ObjectivesTest, CopyOfTheTableGoesOnTheSameWay) {
  RandomStream stream = MakeRandomStream(11, IdOf("objectives"));
  Game game(RandomForest(stream));
  for (int tick = 0; tick < 30; ++tick)
    game.Step({Id{1 + NextBelow(stream, 4)}});
  Game copy = game;
  for (int tick = 0; tick < 30; ++tick) {
    const Id event{1 + NextBelow(stream, 4)};
    EXPECT_EQ(copy.Step({event}).changes, game.Step({event}).changes);
    ASSERT_EQ(copy.rows().ComputeDigest(), game.rows().ComputeDigest());
  }
}

}  // namespace
}  // namespace reprise::sim

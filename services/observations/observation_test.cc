// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a declaration shows of a simulation: columns with their units,
// rows told once and when they change, what is left out; and that each mistake
// in a declaration has its code, its reason and its field.

#include "services/observations/observation.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/status.h"
#include "services/observations/observed_field.h"
#include "services/observations/observed_group.h"
#include "services/observations/player_view.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr uint64_t kBytesMax = 1 << 20;

// The field that an error is about.
std::string FieldOf(const absl::Status& status) {
  google::rpc::ErrorInfo info;
  const google::rpc::Status message = ToRpcStatus(status);
  for (const auto& detail : message.details()) {
    if (detail.UnpackTo(&info)) return info.metadata().at("field");
  }
  return "";
}

v1::ObservedGroup& AddGroup(v1::Observe& declaration,
                            const std::vector<std::string>& fields,
                            uint32_t every_ticks = 1) {
  v1::ObservedGroup& group = *declaration.add_groups();
  group.mutable_fields()->Assign(fields.begin(), fields.end());
  group.set_every_ticks(every_ticks);
  return group;
}

// A tiny run in which the runner walks 0.1 m a tick, from 0.
class ObservationTest : public testing::Test {
 protected:
  ObservationTest() {
    frame_.device.axes[0] = 32767;
    frame_.device.buttons = 1;
  }

  void Declare(uint64_t bytes_max = kBytesMax) {
    auto parsed = Observation::Parse(declaration_, *simulation_, bytes_max);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    observation_.emplace(*std::move(parsed));
  }

  // Makes ticks and sees each.
  void Step(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      simulation_->Step({&frame_, 1}, /*observer=*/nullptr);
      const std::vector<sim::Event> events = simulation_->DrainEvents();
      observation_->ObserveTick({*simulation_, events}, seen_);
    }
  }

  // A state further on, not of this run.
  double RunnerAfter(int ticks) {
    double x = 0;
    for (int i = 0; i < ticks; ++i) x += 0.1;
    return x;
  }

  std::unique_ptr<sim::Simulation> simulation_ =
      *replays::TinySimulation::Create(replays::MakeTinyPack(), /*seed=*/1);
  sim::InputFrame frame_;
  v1::Observe declaration_;
  std::optional<Observation> observation_;
  v1::Observations seen_;
};

TEST_F(ObservationTest, FieldsOfObjectsAreColumnsAndUnitsAreKnown) {
  AddGroup(declaration_, {"pieces.x", "pieces.x * 2 > 1.5"});
  Declare();
  Step(3);

  const v1::ObservationLayout layout = observation_->Describe();
  ASSERT_THAT(layout.groups(), SizeIs(1));
  EXPECT_TRUE(layout.groups(0).has_keys());
  EXPECT_EQ(layout.groups(0).columns(0).unit(), "m");
  EXPECT_EQ(layout.groups(0).columns(0).kind(),
            v1::ObservedColumnLayout::KIND_NUMBER);
  EXPECT_EQ(layout.groups(0).columns(1).kind(),
            v1::ObservedColumnLayout::KIND_BOOLEAN);
  ASSERT_THAT(seen_.blocks(), SizeIs(1));
  const v1::ObservationBlock& block = seen_.blocks(0);
  EXPECT_THAT(block.ticks(), ElementsAre(1, 2, 3));
  EXPECT_THAT(block.rows().names(), ElementsAre("runner", "drifter"));
  EXPECT_THAT(block.rows().keys(), ElementsAre(1, 2));
  ASSERT_THAT(block.columns(0).numbers(), SizeIs(6));
  for (int tick = 0; tick < 3; ++tick) {
    EXPECT_EQ(block.columns(0).numbers(2 * tick), RunnerAfter(tick + 1));
    EXPECT_EQ(block.columns(1).booleans(2 * tick + 1),
              block.columns(0).numbers(2 * tick + 1) * 2 > 1.5);
  }
}

TEST_F(ObservationTest, FramesComeAtTheirTicksAndTakeOfTheSameRoom) {
  frame_.device.buttons = 0;
  declaration_.mutable_frames()->set_every_ticks(2);
  declaration_.mutable_frames()->set_differences(true);
  Declare();
  Step(4);

  ASSERT_THAT(seen_.frames(), SizeIs(2));
  EXPECT_EQ(seen_.frames(0).tick(), 2u);
  EXPECT_THAT(seen_.frames(0).introduced(), SizeIs(2));
  EXPECT_THAT(seen_.frames(1).introduced(), IsEmpty());
  EXPECT_EQ(seen_.frames(1).positions(0), RunnerAfter(4));
  EXPECT_FALSE(observation_->is_full());

  // Of the two pieces only the runner moves.
  observation_->Acknowledge(seen_.frames(1).number());
  observation_->Begin();
  Step(2);
  EXPECT_EQ(seen_.frames(2).base(), 2u);
  EXPECT_THAT(seen_.frames(2).objects(), ElementsAre(1));

  // Room for a frame is room for no other one.
  Declare(/*bytes_max=*/200);
  observation_->Begin();
  Step(2);
  EXPECT_EQ(seen_.frames(3).objects_omitted(), 1u);
}

TEST_F(ObservationTest, AFrameIsOfTheEndOfARequestUnlessItSaysWhen) {
  declaration_.mutable_frames();
  Declare();
  Step(3);
  EXPECT_THAT(seen_.frames(), IsEmpty());

  observation_->ObserveEnd({*simulation_, {}}, seen_);
  observation_->ObserveAll({*simulation_, {}}, seen_);

  ASSERT_THAT(seen_.frames(), SizeIs(2));
  EXPECT_EQ(seen_.frames(0).tick(), 3u);
}

TEST_F(ObservationTest, AViewNarrowsWhatIsDeclared) {
  PlayerView view;
  view.interest.types = {"nothing"};
  view.event_types = {"hundred_ticks", "goal_reached"};
  const auto parse = [&] {
    return Observation::Parse(declaration_, *simulation_, kBytesMax, &view);
  };
  const auto observation = parse();
  ASSERT_TRUE(observation.ok()) << observation.status();
  EXPECT_TRUE(observation->Hears(sim::IdOf("hundred_ticks")));
  EXPECT_FALSE(observation->Hears(sim::IdOf("score")));

  declaration_.mutable_events()->add_types("goal_reached");
  declaration_.mutable_frames();
  auto narrower = parse();
  ASSERT_TRUE(narrower.ok()) << narrower.status();
  EXPECT_FALSE(narrower->Hears(sim::IdOf("hundred_ticks")));
  EXPECT_TRUE(narrower->Hears(sim::IdOf("goal_reached")));
  narrower->ObserveAll({*simulation_, {}}, seen_);
  EXPECT_THAT(seen_.frames(0).objects(), IsEmpty());
  EXPECT_THAT(seen_.frames(0).introduced(), IsEmpty());

  AddGroup(declaration_, {"pieces.x"});
  const absl::Status refused = parse().status();
  EXPECT_EQ(ReasonOf(refused), "OBSERVATION_REFUSED");
  EXPECT_EQ(FieldOf(refused), "groups");
}

TEST_F(ObservationTest, WhatBelongsToNobodyHasOneRow) {
  AddGroup(declaration_,
           {"tick", "game.score", "game.tick", "outcome", "runner.pieces.x",
            "count(pieces.x < 0.25)", "event('hundred_ticks')"});
  Declare();
  Step(100);

  ASSERT_THAT(seen_.blocks(), SizeIs(1));
  const v1::ObservationBlock& block = seen_.blocks(0);
  EXPECT_FALSE(observation_->Describe().groups(0).has_keys());
  EXPECT_EQ(block.rows().count(), 1u);
  EXPECT_THAT(block.rows().names(), IsEmpty());
  EXPECT_EQ(block.columns(0).numbers(99), 100);
  EXPECT_EQ(block.columns(1).integers(99), 100);
  EXPECT_EQ(block.columns(2).unsigned_integers(99), 100u);
  EXPECT_EQ(block.columns(3).texts(99), "running");
  EXPECT_EQ(block.columns(4).numbers(99), RunnerAfter(100));
  EXPECT_EQ(block.columns(5).numbers(99), 0);
  EXPECT_EQ(block.columns(6).numbers(98), 0);
  EXPECT_EQ(block.columns(6).numbers(99), 1);
}

TEST_F(ObservationTest, AWholeFieldHasItsPartsBesideEachOther) {
  AddGroup(declaration_, {"device.axes"});
  Declare();
  Step(2);

  const v1::ObservationLayout layout = observation_->Describe();
  EXPECT_THAT(layout.groups(0).columns(0).parts(), SizeIs(8));
  EXPECT_EQ(layout.groups(0).columns(0).parts(3), "axes[3]");
  EXPECT_EQ(layout.groups(0).columns(0).unit(), "1/32767");
  ASSERT_THAT(seen_.blocks(0).columns(0).integers(), SizeIs(16));
  EXPECT_EQ(seen_.blocks(0).columns(0).integers(8), 32767);
  EXPECT_EQ(seen_.blocks(0).columns(0).integers(9), 0);
}

TEST_F(ObservationTest, RowsAreToldOnceAndWhenTheyChange) {
  AddGroup(declaration_, {"pieces.x"}).set_where("pieces.x >= 0.25");
  Declare();
  frame_.device.buttons = 0;
  Step(2);
  observation_->Begin();
  v1::Observations first;
  first.Swap(&seen_);
  Step(3);

  ASSERT_THAT(first.blocks(), SizeIs(1));
  EXPECT_THAT(first.blocks(0).rows().names(), ElementsAre("drifter"));
  // The runner comes to 0.3 at the first tick of the second request.
  ASSERT_THAT(seen_.blocks(), SizeIs(1));
  EXPECT_THAT(seen_.blocks(0).rows().names(), ElementsAre("runner", "drifter"));
  v1::Observations second;
  second.Swap(&seen_);
  observation_->Begin();
  Step(1);
  ASSERT_THAT(seen_.blocks(), SizeIs(1));
  EXPECT_FALSE(seen_.blocks(0).has_rows());
}

TEST_F(ObservationTest, ObjectsAreChosenByName) {
  *AddGroup(declaration_, {"pieces.y"}).add_objects() = "drifter";
  Declare();
  Step(1);

  EXPECT_THAT(seen_.blocks(0).rows().names(), ElementsAre("drifter"));
  EXPECT_THAT(seen_.blocks(0).columns(0).numbers(), SizeIs(1));
}

TEST_F(ObservationTest, WhatHasNoAnswerIsAbsent) {
  AddGroup(declaration_, {"sqrt(pieces.x - 0.55)"});
  Declare();
  Step(1);

  EXPECT_THAT(seen_.blocks(0).columns(0).absent(), ElementsAre(0));
  EXPECT_EQ(seen_.blocks(0).columns(0).numbers(0), 0);
}

TEST_F(ObservationTest, EachGroupAndTheDigestsHaveTicksOfTheirOwn) {
  AddGroup(declaration_, {"tick"}, /*every_ticks=*/3);
  AddGroup(declaration_, {"tick"}, /*every_ticks=*/0);
  declaration_.set_digest_every_ticks(4);
  Declare();
  Step(8);
  observation_->ObserveEnd({*simulation_, {}}, seen_);

  ASSERT_THAT(seen_.blocks(), SizeIs(2));
  EXPECT_THAT(seen_.blocks(0).ticks(), ElementsAre(3, 6));
  EXPECT_EQ(seen_.blocks(1).group(), 1u);
  EXPECT_THAT(seen_.blocks(1).ticks(), ElementsAre(8));
  EXPECT_THAT(seen_.digest_ticks(), ElementsAre(4, 8));
  EXPECT_EQ(seen_.digests(1), simulation_->state().ComputeRootDigest().value);
}

TEST_F(ObservationTest, RowsThatDoNotFitAreLeftOutAndCounted) {
  AddGroup(declaration_, {"pieces.x", "pieces.y"});
  Declare(/*bytes_max=*/64);
  Step(1);

  EXPECT_EQ(seen_.blocks(0).rows().count(), 1u);
  EXPECT_EQ(seen_.blocks(0).rows_omitted(), 1u);
  EXPECT_THAT(seen_.blocks(0).columns(1).numbers(), SizeIs(1));
  EXPECT_TRUE(observation_->is_full());
}

TEST_F(ObservationTest, EventsAreFilteredByType) {
  Declare();
  EXPECT_TRUE(observation_->Hears(sim::IdOf("goal_reached")));

  declaration_.mutable_events()->add_types("hundred_ticks");
  Declare();
  EXPECT_TRUE(observation_->Hears(sim::IdOf("hundred_ticks")));
  EXPECT_FALSE(observation_->Hears(sim::IdOf("goal_reached")));
}

struct Mistake {
  const char* name;
  std::function<void(v1::Observe&)> make;
  const char* reason;
  const char* field;
};

class ObservationMistakeTest : public testing::TestWithParam<Mistake> {};

TEST_P(ObservationMistakeTest, IsRefusedWithItsField) {
  const auto simulation =
      *replays::TinySimulation::Create(replays::MakeTinyPack(), /*seed=*/1);
  v1::Observe declaration;
  AddGroup(declaration, {"pieces.x"});
  GetParam().make(declaration);

  const absl::Status status =
      Observation::Parse(declaration, *simulation, kBytesMax).status();

  EXPECT_EQ(ReasonOf(status), GetParam().reason) << status;
  EXPECT_EQ(FieldOf(status), GetParam().field) << status;
  EXPECT_EQ(status.code(), ReasonOf(status) == "OBSERVATION_REFUSED"
                               ? absl::StatusCode::kInvalidArgument
                               : absl::StatusCode::kResourceExhausted);
}

constexpr char kRefused[] = "OBSERVATION_REFUSED";
constexpr char kTooLarge[] = "OBSERVATION_TOO_LARGE";

INSTANTIATE_TEST_SUITE_P(
    Each, ObservationMistakeTest,
    testing::Values(
        Mistake{"UnknownField", [](auto& o) { AddGroup(o, {"pieces.q"}); },
                kRefused, "groups[1].fields[0]"},
        Mistake{"PartOfNothing",
                [](auto& o) {
                  AddGroup(o, {"tick", "2 + device.axes"});
                },
                kRefused, "groups[1].fields[1]"},
        Mistake{"NoFields", [](auto& o) { AddGroup(o, {}); }, kRefused,
                "groups[1].fields"},
        Mistake{"ObjectsAndNobody",
                [](auto& o) {
                  AddGroup(o, {"pieces.x", "tick"});
                },
                kRefused, "groups[1].fields[1]"},
        Mistake{"UnknownObject",
                [](auto& o) { o.mutable_groups(0)->add_objects("bystander"); },
                kRefused, "groups[0].objects[0]"},
        Mistake{"NameThatNoQuotesHold",
                [](auto& o) { o.mutable_groups(0)->add_objects("'\""); },
                kRefused, "groups[0].objects[0]"},
        Mistake{"ObjectsOfNobody",
                [](auto& o) { AddGroup(o, {"tick"}).add_objects("runner"); },
                kRefused, "groups[1].objects"},
        Mistake{"UnknownType",
                [](auto& o) { o.mutable_groups(0)->set_type("pawn"); },
                kRefused, "groups[0].type"},
        Mistake{"TypesThatNoTableHas",
                [](auto& o) { o.mutable_groups(0)->set_type("piece"); },
                kRefused, "groups[0].type"},
        Mistake{"ConditionThatIsNone",
                [](auto& o) { o.mutable_groups(0)->set_where("pieces.x"); },
                kRefused, "groups[0].where"},
        Mistake{"ConditionOfNobody",
                [](auto& o) { o.mutable_groups(0)->set_where("tick > 3"); },
                kRefused, "groups[0].where"},
        Mistake{"UnknownEvent",
                [](auto& o) { o.mutable_events()->add_types("rain"); },
                kRefused, "events.types[0]"},
        Mistake{"TooManyGroups",
                [](auto& o) {
                  for (int i = 0; i < 16; ++i) AddGroup(o, {"tick"});
                },
                kTooLarge, "groups"},
        Mistake{"TooManyFields",
                [](auto& o) {
                  AddGroup(o, std::vector<std::string>(40, "tick"));
                  AddGroup(o, std::vector<std::string>(24, "tick"));
                },
                kTooLarge, "groups[2].fields"},
        Mistake{
            "TooManyFieldsOfAGroup",
            [](auto& o) { AddGroup(o, std::vector<std::string>(65, "tick")); },
            kTooLarge, "groups[1].fields"},
        Mistake{"TooManyNames",
                [](auto& o) {
                  for (int i = 0; i < 257; ++i) {
                    o.mutable_groups(0)->add_objects("runner");
                  }
                },
                kTooLarge, "groups[0].objects"},
        Mistake{"TooManyEvents",
                [](auto& o) {
                  for (int i = 0; i < 65; ++i) {
                    o.mutable_events()->add_types("hundred_ticks");
                  }
                },
                kTooLarge, "events.types"},
        Mistake{"TooMuchToCompute",
                [](auto& o) {
                  std::string sum = "tick";
                  for (int i = 0; i < 600; ++i) sum += " + 1";
                  AddGroup(o, {sum});
                  AddGroup(o, {sum});
                },
                kTooLarge, "groups[2]"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a behaviour spawns an object with all that it is to begin with,
// that what can't come says why in its answer and by `spawn_refused`, and that
// events lead to whom they name.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/property_value.h"
#include "tests/world/acting_behaviour.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kPack = R"(
types {
  name: "actor" components { component: "marker" }
  behaviours { behaviour: "testing_act" }
}
types {
  name: "chick"
  components { component: "marker" set { property: "hits" value { integer: 1 } } }
  timers { name: "beep" event: "beeped" delay_s: 0.05 period_s: 0.05 }
  objects_max: 2
}
types {
  name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } }
}
types { name: "bare" }
archetypes { name: "big_chick" of: "chick" components { component: "marker" set { property: "speed" value { number: 50 } } } }
physics { gravity {} }
objects { name: "hen" type: "actor" position { x: 1 y: 2 z: 3 } }
)";

class SpawnTest : public ::testing::Test {
 protected:
  SpawnTest() : world_(WorldOf(Manifest({kMarker, kPack}))) {}
  ~SpawnTest() override { TheActs() = {}; }

  // Has the hen do something in one update.
  void Act(std::function<void(UpdateContext&, uint32_t)> act) {
    TheActs().before_physics = std::move(act);
    StepTimes(*world_, 1);
    TheActs().before_physics = {};
  }

  double Number(std::string_view room, std::string_view table,
                std::string_view object, std::string_view scalar) const {
    return ValueOf(*world_, room, table, object, scalar)->AsNumber();
  }

  // The reason of the one refusal there was, after a request.
  std::string ReasonOf(const ObjectRequest& request, absl::StatusCode code) {
    Act([&](UpdateContext& context, uint32_t i) {
      EXPECT_EQ(context.Spawn(i, request).status().code(), code);
    });
    const std::vector<Event> refused = EventsOf(*world_, "spawn_refused");
    if (refused.size() != 1) return "";
    EXPECT_EQ(world_->ObjectName(refused[0].object), "hen");
    for (const EventArgument& argument : refused[0].arguments) {
      if (argument.name != IdOf("reason")) continue;
      return world_->IdName(Id{argument.value.bits});
    }
    return "";
  }

  std::unique_ptr<Simulation> world_;
};

TEST_F(SpawnTest, ItComesWithNamePlaceParentAndValues) {
  Act([](UpdateContext& context, uint32_t i) {
    const auto hits = context.FindProperty("marker", "hits");
    const auto friendly = context.FindProperty("marker", "friend");
    const auto child = context.Spawn(
        i,
        {.archetype = IdOf("big_chick"),
         .name = IdOf("hen"),
         .place = {.position = {4.0, 5.0, 6.0}, .rotation = {}},
         .parent = context.handle(i),
         .set = {{*hits, PropertyValue::OfInt(9)},
                 {*friendly, PropertyValue::OfReference(context.handle(i))}}});
    EXPECT_TRUE(child.ok()) << child.status();
  });
  const Table& objects =
      world_->state().table(*world_->state().Find("world", "objects"));
  ASSERT_EQ(objects.row_count(), 2u);
  const auto& hen = objects.Get<ObjectRow>(0);
  const auto& chick = objects.Get<ObjectRow>(1);
  EXPECT_EQ(chick.name, IdOf("hen"));
  EXPECT_EQ(chick.parent, hen.handle);
  EXPECT_EQ(chick.bucket, 1u);
  const Table& markers =
      world_->state().table(*world_->state().Find("components", "marker"));
  const auto value = [&](std::string_view scalar) {
    return ReadScalar(markers.schema(), markers.Row(1),
                      *markers.schema().Find(scalar));
  };
  EXPECT_EQ(value("hits").bits, 9u);
  EXPECT_EQ(value("speed").AsDouble(), 50.0);
  EXPECT_EQ(value("friend").AsHandle(), hen.handle);
  // Properties 0 and 2 were set for it.
  EXPECT_EQ(value("overridden").bits, 0b101u);
}

TEST_F(SpawnTest, BodyComesWithItsVelocities) {
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(context
                    .Spawn(i, {.archetype = IdOf("ball"),
                               .name = IdOf("thrown"),
                               .linear_velocity_m_s = {6.0, 0.0, 0.0},
                               .angular_velocity_rad_s = {0.0, 3.0, 0.0}})
                    .ok());
  });
  StepTimes(*world_, 60);
  const Table& bodies =
      world_->state().table(*world_->state().Find("physics", "bodies"));
  ASSERT_EQ(bodies.row_count(), 1u);
  const auto value = [&](std::string_view scalar) {
    return ReadScalar(bodies.schema(), bodies.Row(0),
                      *bodies.schema().Find(scalar))
        .AsDouble();
  };
  EXPECT_NEAR(value("position.x"), 6.0, 1e-9);
  EXPECT_NEAR(value("angular_velocity.y"), 3.0, 1e-9);
}

TEST_F(SpawnTest, DormantOneSleepsUntilItIsWoken) {
  Handle chick;
  Handle ball;
  Act([&](UpdateContext& context, uint32_t i) {
    chick = context.Spawn(i, {.archetype = IdOf("chick"), .is_dormant = true})
                .value_or(Handle{});
    ball = context.Spawn(i, {.archetype = IdOf("ball"), .is_dormant = true})
               .value_or(Handle{});
  });
  StepTimes(*world_, 20);
  EXPECT_EQ(EventsOf(*world_, "beeped").size(), 0u);
  EXPECT_EQ(RowCount(*world_, "physics", "bodies"), 0u);
  ASSERT_TRUE(world_->Fork()->Restore(world_->state()).ok());
  Act([&](UpdateContext& context, uint32_t i) {
    context.Post(i, chick, IdOf("wake"), {});
    context.Post(i, ball, IdOf("wake"), {});
  });
  StepTimes(*world_, 20);
  EXPECT_GT(EventsOf(*world_, "beeped").size(), 0u);
  EXPECT_EQ(RowCount(*world_, "physics", "bodies"), 1u);
}

TEST_F(SpawnTest, AttachedOneMovesWithItsParent) {
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(
        context
            .Spawn(i, {.archetype = IdOf("bare"),
                       .name = IdOf("actor"),
                       .place = {.position = {2.0, 2.0, 3.0}, .rotation = {}},
                       .parent = context.handle(i),
                       .is_attached = true})
            .ok());
  });
  Act([](UpdateContext& context, uint32_t i) {
    context.SetPlace(i, {.position = {10.0, 0.0, 0.0}, .rotation = {}});
  });
  EXPECT_EQ(Number("world", "places", "actor", "position.x"), 11.0);
  EXPECT_EQ(Number("world", "places", "actor", "position.y"), 0.0);
}

TEST_F(SpawnTest, RefusalsSayWhy) {
  EXPECT_EQ(
      ReasonOf({.archetype = IdOf("dragon")}, absl::StatusCode::kNotFound),
      "no_archetype");
  EXPECT_EQ(
      ReasonOf({.archetype = IdOf("chick"),
                .place = {.position = {0.0, 0.0,
                                       std::numeric_limits<double>::infinity()},
                          .rotation = {}}},
               absl::StatusCode::kInvalidArgument),
      "no_place");
  EXPECT_EQ(ReasonOf({.archetype = IdOf("ball"), .is_attached = true},
                     absl::StatusCode::kInvalidArgument),
            "not_kinematic");
  EXPECT_EQ(RowCount(*world_, "world", "objects"), 1u);
}

TEST_F(SpawnTest, ValuesThatCantBeAreRefusedBeforeItComes) {
  Act([](UpdateContext& context, uint32_t i) {
    const auto hits = context.FindProperty("marker", "hits");
    const auto spawn = [&](Id archetype, const PropertyValue& value) {
      return context.Spawn(i, {.archetype = archetype, .set = {{*hits, value}}})
          .status();
    };
    EXPECT_EQ(spawn(IdOf("chick"), PropertyValue::OfInt(-1)).code(),
              absl::StatusCode::kOutOfRange);
    EXPECT_EQ(spawn(IdOf("chick"), PropertyValue::OfBool(true)).code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(
        spawn(IdOf("bare"), PropertyValue::OfInt(1)),
        absl::FailedPreconditionError("'bare' has no component 'marker'"));
  });
  EXPECT_EQ(EventsOf(*world_, "spawn_refused").size(), 3u);
  EXPECT_EQ(RowCount(*world_, "world", "objects"), 1u);
}

TEST_F(SpawnTest, WhatHasNoRoomIsRefused) {
  Act([](UpdateContext& context, uint32_t i) {
    EXPECT_TRUE(context.Spawn(i, {.archetype = IdOf("chick")}).ok());
    EXPECT_TRUE(context.Spawn(i, {.archetype = IdOf("chick")}).ok());
  });
  EXPECT_EQ(ReasonOf({.archetype = IdOf("chick")},
                     absl::StatusCode::kResourceExhausted),
            "type_is_full");
}

TEST_F(SpawnTest, EventsLeadToWhomTheyName) {
  std::vector<Handle> found;
  TheActs().on_event = [&](UpdateContext& context, const WorldEvent& event) {
    for (const char* const argument : {"by_handle", "by_serial", "no_object"}) {
      found.push_back(context.Participant(event, IdOf(argument)));
    }
    return true;
  };
  Act([](UpdateContext& context, uint32_t i) {
    context.Post(i, context.handle(i), IdOf("storm"),
                 {{IdOf("by_handle"), FieldValue::OfHandle(context.handle(i))},
                  {IdOf("by_serial"), FieldValue::OfObject(context.object(i))},
                  {IdOf("no_object"), FieldValue::OfInt64(3)}});
  });
  const Handle hen{.index = 0, .generation = 1};
  EXPECT_EQ(found, (std::vector{hen, hen, Handle{}}));
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what the pushes of behaviours do to bodies: an impulse changes the
// velocities at once, a force and a torque for one tick, by their parts of the
// mass, whatever the substeps; sleepers wake; what no body can take does
// nothing, and numbers that are none never come into the state.

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::IsEmpty;

constexpr double kTickS = 1.0 / 60.0;

// Pushes its object by `force`, `torque` and `impulse`, this at `offset`, in
// the tick `at`.
class Push : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status =
        binder.Property("push", "force", PropertyType::kVector3, force_);
    if (!status.ok()) return status;
    status = binder.Property("push", "torque", PropertyType::kVector3, torque_);
    if (!status.ok()) return status;
    status =
        binder.Property("push", "impulse", PropertyType::kVector3, impulse_);
    if (!status.ok()) return status;
    status = binder.Property("push", "offset", PropertyType::kVector3, offset_);
    if (!status.ok()) return status;
    return binder.Property("push", "at", PropertyType::kInt, at_);
  }

 protected:
  void PushAll(UpdateContext& context) const {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      if (context.Int(i, at_) != static_cast<int64_t>(context.tick())) continue;
      PushOne(context, i);
    }
  }
  virtual void PushOne(UpdateContext& context, uint32_t i) const {
    context.ApplyForce(i, context.Vector(i, force_));
    context.ApplyTorque(i, context.Vector(i, torque_));
    context.ApplyImpulse(i, context.Vector(i, impulse_),
                         context.Vector(i, offset_));
  }

  PropertyRef force_;
  PropertyRef torque_;
  PropertyRef impulse_;
  PropertyRef offset_;
  PropertyRef at_;
};

class PushBefore : public Push {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    PushAll(context);
  }
  Hooks hooks() const override { return {.before_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_push, "testing_push", PushBefore);

class PushAfter : public Push {
 public:
  void UpdateAfterPhysics(UpdateContext& context) const override {
    PushAll(context);
  }
  Hooks hooks() const override { return {.after_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_push_after, "testing_push_after", PushAfter);

template <typename Once>
class Twice final : public Once {
  void PushOne(UpdateContext& context, uint32_t i) const override {
    Once::PushOne(context, i);
    Once::PushOne(context, i);
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_push_twice, "testing_push_twice",
                           Twice<PushBefore>);
REPRISE_REGISTER_BEHAVIOUR(testing_push_twice_after, "testing_push_twice_after",
                           Twice<PushAfter>);

// Pushes with all that is no number, along one axis at a time.
class PushBadly final : public PushBefore {
  void PushOne(UpdateContext& context, uint32_t i) const override {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}) {
      for (const Vector3 push : {Vector3{bad, 1.0, 1.0}, Vector3{1.0, bad, 1.0},
                                 Vector3{1.0, 1.0, bad}}) {
        context.ApplyForce(i, push);
        context.ApplyTorque(i, push);
        context.ApplyImpulse(i, push);
        context.ApplyImpulse(i, {1.0, 1.0, 1.0}, push);
      }
    }
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_push_badly, "testing_push_badly", PushBadly);

constexpr std::string_view kTypes = R"(
components {
  name: "push"
  properties { name: "force" type: TYPE_VECTOR3 }
  properties { name: "torque" type: TYPE_VECTOR3 }
  properties { name: "impulse" type: TYPE_VECTOR3 }
  properties { name: "offset" type: TYPE_VECTOR3 }
  properties { name: "at" type: TYPE_INTEGER }
}
types { name: "pushed" components { component: "push" } behaviours { behaviour: "testing_push" } }
types {
  name: "ball"
  components { component: "push" }
  body { motion: MOTION_DYNAMIC mass_kg: 2 gravity_scale: 0 shapes { sphere { radius: 0.5 } } }
}
types { name: "before" extends: "ball" behaviours { behaviour: "testing_push" } }
types { name: "twice" extends: "ball" behaviours { behaviour: "testing_push_twice" } }
types { name: "after" extends: "ball" behaviours { behaviour: "testing_push_after" } }
types {
  name: "twice_after"
  components { component: "push" }
  behaviours { behaviour: "testing_push_twice_after" }
  body { motion: MOTION_DYNAMIC mass_kg: 0.5 gravity_scale: 0 shapes { sphere { radius: 0.5 } } }
}
types { name: "badly" extends: "ball" behaviours { behaviour: "testing_push_badly" } }
)";

// An object called like its type that is pushed by "x: 12" in a tick, an
// impulse at an offset.
std::string Pushed(std::string_view type, std::string_view push,
                   std::string_view vector, int at = 0,
                   std::string_view offset = "") {
  return fmt::format(
      "objects {{ name: \"{0}\" type: \"{0}\" components {{ component: "
      "\"push\" set {{ property: \"{1}\" value {{ vector3 {{ {2} }} }} }} set "
      "{{ property: \"at\" value {{ integer: {3} }} }} set {{ property: "
      "\"offset\" value {{ vector3 {{ {4} }} }} }} }} }}\n",
      type, push, vector, at, offset);
}

double BodyOf(const Simulation& world, std::string_view object,
              std::string_view scalar) {
  const auto value = ValueOf(world, "physics", "bodies", object, scalar);
  EXPECT_TRUE(value.has_value()) << object;
  return value.has_value() ? value->AsNumber() : 0.0;
}

double SpeedOf(const Simulation& world, std::string_view object) {
  return BodyOf(world, object, "linear_velocity.x");
}

bool IsAsleep(const Simulation& world, std::string_view object) {
  return ValueOf(world, "physics", "bodies", object, "activation")->bits ==
         static_cast<uint64_t>(Activation::kAsleep);
}

class BehaviourForcesTest : public testing::TestWithParam<int> {
 protected:
  static std::unique_ptr<Simulation> Make(std::string_view objects) {
    return WorldOf(Manifest(
        {fmt::format("physics {{ substeps_per_tick: {} }}\n", GetParam()),
         kTypes, objects}));
  }
};
INSTANTIATE_TEST_SUITE_P(Substeps, BehaviourForcesTest, testing::Values(1, 4));

TEST_P(BehaviourForcesTest, ImpulseChangesTheVelocityInTheSameTick) {
  auto world = Make(Pushed("before", "impulse", "x: 3 y: -1", 5));
  StepTimes(*world, 5);
  EXPECT_EQ(SpeedOf(*world, "before"), 0.0);
  StepTimes(*world, 1);
  EXPECT_DOUBLE_EQ(SpeedOf(*world, "before"), 1.5);
  EXPECT_DOUBLE_EQ(BodyOf(*world, "before", "linear_velocity.y"), -0.5);
  EXPECT_NEAR(BodyOf(*world, "before", "position.x"), 1.5 * kTickS, 1e-12);
  StepTimes(*world, 30);
  EXPECT_DOUBLE_EQ(SpeedOf(*world, "before"), 1.5);
  EXPECT_EQ(BodyOf(*world, "before", "angular_velocity.z"), 0.0);
}

TEST_P(BehaviourForcesTest, ForceActsForItsTickAlone) {
  auto world = Make(Pushed("before", "force", "x: 12", 5));
  StepTimes(*world, 5);
  EXPECT_EQ(SpeedOf(*world, "before"), 0.0);
  StepTimes(*world, 1);
  EXPECT_NEAR(SpeedOf(*world, "before"), 12.0 / 2.0 * kTickS, 1e-12);
  StepTimes(*world, 30);
  EXPECT_NEAR(SpeedOf(*world, "before"), 12.0 / 2.0 * kTickS, 1e-12);
}

// A ball of 2 kg with a radius of 0.5 m turns by a fifth of a kg m^2.
TEST_P(BehaviourForcesTest, TorqueTurnsForItsTickAlone) {
  auto world = Make(Pushed("before", "torque", "z: 0.6", 5));
  StepTimes(*world, 5);
  EXPECT_EQ(BodyOf(*world, "before", "angular_velocity.z"), 0.0);
  for (const int ticks : {1, 30}) {
    StepTimes(*world, ticks);
    EXPECT_NEAR(BodyOf(*world, "before", "angular_velocity.z"),
                0.6 / 0.2 * kTickS, 1e-12);
  }
  EXPECT_EQ(SpeedOf(*world, "before"), 0.0);
}

TEST_P(BehaviourForcesTest, ImpulseBesideTheCentreTurns) {
  auto world = Make(Pushed("before", "impulse", "x: 3", 5, "y: 0.1"));
  StepTimes(*world, 6);
  EXPECT_DOUBLE_EQ(SpeedOf(*world, "before"), 1.5);
  EXPECT_NEAR(BodyOf(*world, "before", "angular_velocity.z"), -0.3 / 0.2,
              1e-12);
}

TEST_P(BehaviourForcesTest, AfterPhysicsTheyCountInTheNextTick) {
  auto force = Make(Pushed("after", "force", "x: 12"));
  auto impulse = Make(Pushed("after", "impulse", "x: 3"));
  StepTimes(*force, 1);
  StepTimes(*impulse, 1);
  EXPECT_EQ(SpeedOf(*force, "after"), 0.0);
  EXPECT_EQ(BodyOf(*impulse, "after", "position.x"), 0.0);
  StepTimes(*force, 1);
  StepTimes(*impulse, 1);
  EXPECT_NEAR(SpeedOf(*force, "after"), 12.0 / 2.0 * kTickS, 1e-12);
  EXPECT_NEAR(BodyOf(*impulse, "after", "position.x"), 1.5 * kTickS, 1e-12);
}

TEST_P(BehaviourForcesTest, ThoseOfOneTickAddUp) {
  auto force = Make(Pushed("twice", "force", "x: 12"));
  auto impulse = Make(Pushed("twice", "impulse", "x: 3"));
  StepTimes(*force, 1);
  StepTimes(*impulse, 1);
  EXPECT_NEAR(SpeedOf(*force, "twice"), 2.0 * 12.0 / 2.0 * kTickS, 1e-12);
  EXPECT_DOUBLE_EQ(SpeedOf(*impulse, "twice"), 2.0 * 1.5);
}

TEST_P(BehaviourForcesTest, SleepersWake) {
  constexpr int kAsleepBy = 200;
  for (const char* const push : {"force", "impulse"}) {
    auto world = Make(Pushed("before", push, "x: 300", kAsleepBy));
    StepTimes(*world, kAsleepBy);
    ASSERT_TRUE(IsAsleep(*world, "before"));
    StepTimes(*world, 1);
    EXPECT_FALSE(IsAsleep(*world, "before")) << push;
    EXPECT_GT(SpeedOf(*world, "before"), 2.0) << push;
  }
}

TEST_P(BehaviourForcesTest, WhatIsNoNumberDoesNothing) {
  constexpr int kAsleepBy = 200;
  const std::string badly = Pushed("badly", "force", "", kAsleepBy);
  auto world = Make(badly);
  StepTimes(*world, kAsleepBy);
  ASSERT_TRUE(IsAsleep(*world, "badly"));
  const TableIndex bodies = *world->state().Find("physics", "bodies");
  const Digest before = world->state().table(bodies).ComputeDigest();
  StepTimes(*world, 1);
  EXPECT_EQ(world->state().table(bodies).ComputeDigest(), before);
  EXPECT_THAT(world->DrainEvents(), IsEmpty());
}

// Each push is a number, but what they make together isn't.
TEST_P(BehaviourForcesTest, StateStaysOneThatCanBeRestored) {
  for (const char* const push : {"force", "torque", "impulse"}) {
    const std::string object = Pushed("twice_after", push, "x: 1.7e308");
    auto world = Make(object);
    for (int tick = 0; tick < 3; ++tick) {
      StepTimes(*world, 1);
      ASSERT_EQ(Make(object)->Restore(world->state()), absl::OkStatus())
          << push << ", tick " << tick;
    }
  }
}

TEST_P(BehaviourForcesTest, WhoGetsTooFastIsStoppedAndTold) {
  auto world = Make(Pushed("before", "impulse", "x: 1e6"));
  StepTimes(*world, 1);
  EXPECT_EQ(SpeedOf(*world, "before"), 0.0);
  EXPECT_EQ(BodyOf(*world, "before", "position.x"), 0.0);
  EXPECT_EQ(EventsOf(*world, "body_refused").size(), 1u);
}

TEST_P(BehaviourForcesTest, OnlyDynamicBodiesArePushed) {
  std::string objects = Pushed("pushed", "force", "x: 12");  // has no body
  for (const auto& [kind, motion] : {std::pair("fixed", "MOTION_FIXED"),
                                     std::pair("moved", "MOTION_KINEMATIC"),
                                     std::pair("trigger", "MOTION_TRIGGER")}) {
    for (const char* const push : {"force", "torque", "impulse"}) {
      const std::string name = fmt::format("{}_{}", kind, push);
      objects += fmt::format(
          "types {{ name: \"{}\" extends: \"pushed\" body {{ motion: {} "
          "shapes {{ sphere {{ radius: 0.1 }} }} }} }}\n",
          name, motion);
      objects += Pushed(name, push, "x: 12");
    }
  }
  auto world = Make(objects);
  const TableIndex bodies = *world->state().Find("physics", "bodies");
  ASSERT_EQ(world->state().table(bodies).row_count(), 9u);
  const Digest before = world->state().table(bodies).ComputeDigest();
  StepTimes(*world, 10);
  EXPECT_EQ(world->state().table(bodies).ComputeDigest(), before);
}

}  // namespace
}  // namespace reprise::sim

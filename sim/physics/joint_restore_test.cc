// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no joint remembers anything but its row: pairs of bodies with one
// joint of each kind, motors, servos, springs and limits, kicked every second,
// some breaking, some made from templates while the game runs, are saved at 25
// ticks; fresh and used worlds go on from them with the digests of the run that
// was never interrupted for 1,000 ticks. Each value that a row does keep is
// left out in turn: then the bodies go other ways.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/physics/bodies/joint_motors.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/state/state.h"
#include "sim/state/state_comparison.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kSaves = 25;
constexpr uint32_t kFirstSaveTick = 7;
constexpr uint32_t kTicksBetweenSaves = 37;
constexpr uint32_t kTicksAfterSave = 1000;
constexpr uint32_t kTicks =
    kFirstSaveTick + kSaves * kTicksBetweenSaves + kTicksAfterSave;

constexpr Id kTemplate = IdOf("template");

using Kind = decltype(JointDefinition::kind);

JointMotor Velocity(double target, double impulse_max) {
  return {.target = target, .impulse_max = impulse_max};
}

JointMotor Servo(double target, double impulse_max) {
  return {.is_servo = true,
          .target = target,
          .speed_max = 3.0,
          .impulse_max = impulse_max};
}

constexpr JointAxis kFree = {.lower = 1.0, .upper = -1.0, .spring = {}};

SixAxisJoint Slider(const JointMotor& motor) {
  SixAxisJoint slider;
  slider.axes[0].lower = -0.4;
  slider.axes[0].upper = 0.6;
  slider.motor_axis = 0;
  slider.motor = motor;
  return slider;
}

// Something of everything: limits, springs, free axes, and a motor that turns.
SixAxisJoint Loose() {
  SixAxisJoint joint;
  joint.axes[0].spring = {.rest = 0.1, .stiffness = 40.0, .damping = 1.0};
  joint.axes[0].lower = -0.5;
  joint.axes[0].upper = 0.5;
  joint.axes[1].lower = -0.1;
  joint.axes[1].upper = 0.2;
  joint.axes[3] = kFree;
  joint.axes[4].lower = -1.0;
  joint.axes[4].upper = 1.0;
  joint.axes[5] = kFree;
  joint.axes[5].spring = {.rest = 0.3, .stiffness = 2.0, .damping = 0.05};
  joint.motor_axis = 3;
  joint.motor = Velocity(2.0, 0.02);
  return joint;
}

struct NamedKind {
  std::string name;
  Kind kind;
};

std::vector<NamedKind> Kinds() {
  return {{"ball", BallJoint{}},
          {"hinge", HingeJoint{.lower_rad = -1.0,
                               .upper_rad = 1.5,
                               .motor = Velocity(1.0, 0.05)}},
          {"hinge_free", HingeJoint{.motor = Velocity(4.0, 0.05)}},
          {"hinge_servo", HingeJoint{.motor = Servo(0.8, 0.1)}},
          {"cone_twist", ConeTwistJoint{}},
          {"spring", SpringJoint{.rest_length_m = 0.8,
                                 .stiffness_n_m = 60.0,
                                 .damping_n_s_m = 0.5}},
          {"slider", Slider(Velocity(0.5, 0.05))},
          {"slider_servo", Slider(Servo(0.3, 0.1))},
          {"fixed", SixAxisJoint{}},
          {"six_axis", Loose()}};
}

// Two boxes side by side for each kind, on a floor; the first of every other
// pair hangs on the world by a ball joint that breaks at a hard kick.
PhysicsDefinition MakeScene() {
  // What motors turn rolls far.
  PhysicsDefinition definition;
  AddBody(definition, ShapeOf(BoxPrimitive{{100.0, 1.0, 100.0}}),
          Motion::kFixed, {0.0, -1.0, 0.0});
  double x = -12.0;
  for (const NamedKind& kind : Kinds()) {
    AddBody(definition, ShapeOf(BoxPrimitive{{0.3, 0.2, 0.25}}),
            Motion::kDynamic, {x, 1.0, 0.0});
    AddBody(definition, ShapeOf(BoxPrimitive{{0.3, 0.25, 0.2}}),
            Motion::kDynamic, {x + 0.8, 1.0, 0.0});
    const uint64_t last = definition.bodies.size();
    JointDefinition joint;
    joint.name = IdOf(kind.name);
    joint.kind = kind.kind;
    joint.object_a = {last};
    joint.object_b = {last - 1};
    joint.frame_a.position = {-0.4, 0.0, 0.0};
    joint.frame_b.position = {0.4, 0.0, 0.0};
    definition.joints.push_back(joint);
    if (last % 4 == 1) {
      JointDefinition rope;
      rope.name = IdOf("rope_" + kind.name);
      rope.kind = BallJoint{};
      rope.object_a = {last - 1};
      rope.frame_a.position = {0.0, 0.5, 0.0};
      rope.frame_b.position = {x, 1.5, 0.0};
      rope.breaking_impulse_n_s = 4.0;
      definition.joints.push_back(rope);
    }
    x += 2.4;
  }
  std::ranges::sort(definition.joints, {}, &JointDefinition::name);
  JointDefinition tie;
  tie.name = kTemplate;
  tie.kind = Loose();
  tie.frame_a.position = {0.0, 0.3, 0.0};
  tie.frame_b.position = {0.0, -0.3, 0.0};
  tie.bodies_collide = true;
  definition.joint_templates.push_back(tie);
  return definition;
}

// What the game does before a tick, as a function of state and tick alone:
// kicks, turns motors round, and ties neighbouring pairs to each other.
void Play(const PhysicsDefinition& definition, const PhysicsTables& tables,
          uint32_t tick, State& state) {
  Table& bodies = state.mutable_table(tables.bodies);
  const uint32_t pairs = (bodies.row_count() - 1) / 2;
  if (tick % 60 == 0) {
    for (uint32_t row = 1; row < bodies.row_count(); ++row) {
      BodyRow& body = bodies.Mutable<BodyRow>(row);
      const double way = (tick / 60 + row) % 3 == 0 ? -1.0 : 1.0;
      body.linear_velocity =
          body.linear_velocity + Vector3{0.5 * way, 2.0, way};
      body.angular_velocity.y += 2.0 * way;
      body.activation = Activation::kAwake;
      body.slow_time = 0.0;
    }
  }
  const uint32_t pair = tick / 45 % pairs;
  const ObjectId a = {2 + 2 * uint64_t{pair}};
  if (tick % 45 == 11) {
    const double target = tick / 45 % 2 == 0 ? 0.5 : -0.5;
    ChangeMotors(state, tables, definition, {a.serial + 1}, kNoId,
                 {.target = target, .impulse_max = std::nullopt})
        .IgnoreError();
  }
  if (tick % 45 == 23 && pair + 1 < pairs) {
    EXPECT_LE(AddSpawnedJoint(state, tables, definition,
                              {.owner = a,
                               .joint = kTemplate,
                               .object_a = a,
                               .object_b = {a.serial + 2}})
                  .raw_code(),
              static_cast<int>(absl::StatusCode::kAlreadyExists));
  }
}

struct Save {
  uint32_t tick = 0;
  State state;
};

class JointRestoreTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    live_ = new TestingWorld(MakeScene());
    digests_ = new std::vector<Digest>;
    saves_ = new std::vector<Save>;
    for (uint32_t tick = 0; tick < kTicks; ++tick) {
      digests_->push_back(live_->digest());
      if (tick >= kFirstSaveTick && saves_->size() < kSaves &&
          (tick - kFirstSaveTick) % kTicksBetweenSaves == 0) {
        saves_->push_back({.tick = tick, .state = live_->state()});
      }
      Play(*live_->definition(), live_->tables(), tick, live_->state());
      live_->Step();
    }
  }

  static void TearDownTestSuite() {
    delete saves_;
    delete digests_;
    delete live_;
  }

  static const PhysicsTables& tables() { return live_->tables(); }

  static PhysicsWorld MakeFreshWorld() {
    return PhysicsWorld(live_->definition(), tables());
  }

  static void Step(PhysicsWorld& world, uint32_t tick, State& state) {
    Play(*live_->definition(), tables(), tick, state);
    world.Step(state);
  }

  // Returns the ticks made until the digest is another, or kTicksAfterSave.
  static uint32_t TicksUntilDivergence(PhysicsWorld& world, const Save& save) {
    State state = save.state;
    EXPECT_EQ(world.Load(state), absl::OkStatus());
    for (uint32_t made = 0; made < kTicksAfterSave; ++made) {
      Step(world, save.tick + made, state);
      if (state.ComputeRootDigest() != (*digests_)[save.tick + made + 1]) {
        return made + 1;
      }
    }
    return kTicksAfterSave;
  }

  // Continues from the last save and from a copy of it that `damage` has
  // changed. Returns the first difference between their bodies as
  // "tick, field", or "none".
  template <typename Damage>
  static std::string FirstDifference(const Damage& damage) {
    const Save& save = saves_->back();
    State good = save.state;
    State bad = save.state;
    damage(bad);
    PhysicsWorld good_world = MakeFreshWorld();
    PhysicsWorld bad_world = MakeFreshWorld();
    EXPECT_EQ(good_world.Load(good), absl::OkStatus());
    EXPECT_EQ(bad_world.Load(bad), absl::OkStatus());
    for (uint32_t made = 0; made < kTicksAfterSave; ++made) {
      Step(good_world, save.tick + made, good);
      Step(bad_world, save.tick + made, bad);
      for (const FieldDifference& difference : CompareStates(good, bad, 100)) {
        if (difference.table != tables().bodies) continue;
        const RowSchema& schema = good.table(tables().bodies).schema();
        return fmt::format("{}: {}", made,
                           difference.scalar.has_value()
                               ? schema.fields()[difference.scalar->field].name
                               : "a row");
      }
    }
    return "none";
  }

  static JointRow& Row(State& state, std::string_view name) {
    Table& joints = state.mutable_table(tables().joints);
    const uint32_t row = joints.LowerBound(std::array{IdOf(name).value});
    return joints.Mutable<JointRow>(row);
  }

  static TestingWorld* live_;
  static std::vector<Digest>* digests_;
  static std::vector<Save>* saves_;
};

TestingWorld* JointRestoreTest::live_ = nullptr;
std::vector<Digest>* JointRestoreTest::digests_ = nullptr;
std::vector<Save>* JointRestoreTest::saves_ = nullptr;

TEST_F(JointRestoreTest, SceneHoldsWhatIsToBeRestored) {
  ASSERT_EQ(saves_->size(), kSaves);
  State& last = saves_->back().state;
  EXPECT_GT(last.table(tables().spawned_joints).row_count(), 5u);
  EXPECT_GT(last.table(tables().contact_points).row_count(), 10u);
  const Table& joints = last.table(tables().joints);
  uint32_t broken = 0;
  for (uint32_t i = 0; i < joints.row_count(); ++i) {
    if (joints.Get<JointRow>(i).is_enabled == 0) ++broken;
  }
  EXPECT_GT(broken, 0u);
  EXPECT_LT(broken, joints.row_count() - Kinds().size() + 1);
}

TEST_F(JointRestoreTest, FreshWorldGoesOnExactly) {
  for (const Save& save : *saves_) {
    PhysicsWorld world = MakeFreshWorld();
    EXPECT_EQ(TicksUntilDivergence(world, save), kTicksAfterSave)
        << "saved at tick " << save.tick;
  }
}

TEST_F(JointRestoreTest, UsedWorldGoesOnExactly) {
  PhysicsWorld used = MakeFreshWorld();
  for (const Save& save : *saves_) {
    EXPECT_EQ(TicksUntilDivergence(used, save), kTicksAfterSave)
        << "saved at tick " << save.tick;
  }
}

// Joints that are made anew at every tick are those that were there all along:
// they have no state of their own.
TEST_F(JointRestoreTest, FreshJointsAtEveryTickChangeNothing) {
  TestingWorld world(*live_->definition());
  for (uint32_t tick = 0; tick < 600; ++tick) {
    ASSERT_EQ(world.digest(), (*digests_)[tick]) << "tick " << tick;
    PhysicsWorld fresh = MakeFreshWorld();
    ASSERT_EQ(fresh.Load(world.state()), absl::OkStatus());
    Step(fresh, tick, world.state());
  }
}

TEST_F(JointRestoreTest, ImpulsesAreToldNotNeeded) {
  EXPECT_EQ(FirstDifference([](State& state) {
              Table& joints = state.mutable_table(tables().joints);
              for (uint32_t i = 0; i < joints.row_count(); ++i) {
                joints.Mutable<JointRow>(i).impulse = 0.0;
              }
            }),
            "none");
}

// One of two targets lies on the other side of where the joint is: a motor that
// does all it can towards one does the same towards another behind that.
TEST_F(JointRestoreTest, WithoutMotorTargetsItDiverges) {
  for (const char* name : {"hinge", "hinge_free", "hinge_servo", "slider",
                           "slider_servo", "six_axis"}) {
    const auto difference = [&](double target) {
      return FirstDifference(
          [&](State& state) { Row(state, name).motor_target = target; });
    };
    EXPECT_TRUE(difference(-3.0) != "none" || difference(3.0) != "none")
        << name;
  }
}

TEST_F(JointRestoreTest, WithoutMotorImpulsesItDiverges) {
  for (const char* name : {"hinge", "hinge_free", "hinge_servo", "slider",
                           "slider_servo", "six_axis"}) {
    EXPECT_NE(FirstDifference([&](State& state) {
                Row(state, name).motor_impulse_max = 0.0;
              }),
              "none")
        << name;
  }
}

TEST_F(JointRestoreTest, WithoutWhetherTheyAreBrokenItDiverges) {
  for (const NamedKind& kind : Kinds()) {
    EXPECT_NE(FirstDifference(
                  [&](State& state) { Row(state, kind.name).is_enabled ^= 1; }),
              "none")
        << kind.name;
  }
}

TEST_F(JointRestoreTest, WithoutSpawnedJointsItDiverges) {
  const auto damage_all = [](const auto& damage) {
    return FirstDifference([&](State& state) {
      Table& joints = state.mutable_table(tables().spawned_joints);
      for (uint32_t i = 0; i < joints.row_count(); ++i) {
        damage(joints.Mutable<SpawnedJointRow>(i));
      }
    });
  };
  EXPECT_NE(damage_all([](SpawnedJointRow& row) { row.is_enabled = 0; }),
            "none");
  EXPECT_NE(damage_all([](SpawnedJointRow& row) { row.motor_target = 0.0; }),
            "none");
  EXPECT_NE(
      damage_all([](SpawnedJointRow& row) { row.motor_impulse_max = 0.0; }),
      "none");
  EXPECT_NE(damage_all([](SpawnedJointRow& row) {
              std::swap(row.object_a, row.object_b);
            }),
            "none");
  EXPECT_EQ(damage_all([](SpawnedJointRow& row) { row.impulse = 0.0; }),
            "none");
}

// Whatever numbers a row of a joint holds: refused as DATA_LOSS, or simulated
// into rows that can be loaded again.
TEST_F(JointRestoreTest, DamagedRowsAreRefusedOrSimulated) {
  constexpr uint32_t kTries = 600;
  constexpr std::array kNumbers = {std::numeric_limits<double>::quiet_NaN(),
                                   std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::max(),
                                   -1e160,
                                   -1.0,
                                   1e-300};
  PhysicsWorld victim = MakeFreshWorld();
  RandomStream random = MakeRandomStream(1, IdOf("damage"));
  uint32_t refused = 0;
  for (uint32_t i = 0; i < kTries; ++i) {
    State state = saves_->back().state;
    Table& table = state.mutable_table(i % 3 == 0 ? tables().joints
                                                  : tables().spawned_joints);
    uint64_t bits = NextBelow(random, 24);
    if (i % 2 == 0) {
      bits =
          std::bit_cast<uint64_t>(kNumbers[NextBelow(random, kNumbers.size())]);
    }
    const auto row =
        static_cast<uint32_t>(NextBelow(random, table.row_count()));
    const std::span<std::byte> bytes = table.MutableRow(row);
    const uint64_t place = NextBelow(random, bytes.size() / 8);
    std::memcpy(bytes.data() + 8 * place, &bits, 8);
    if (const absl::Status status = victim.Load(state); !status.ok()) {
      ASSERT_EQ(status.code(), absl::StatusCode::kDataLoss) << "try " << i;
      ++refused;
      continue;
    }
    for (int tick = 0; tick < 4; ++tick) victim.Step(state);
    ASSERT_EQ(victim.Load(state), absl::OkStatus()) << "try " << i;
  }
  EXPECT_GT(refused, kTries / 10);
  EXPECT_LT(refused, kTries * 9 / 10);
}

}  // namespace
}  // namespace reprise::sim

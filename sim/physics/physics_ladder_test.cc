// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the rows hold all that decides a step, and nothing that doesn't.
// The ladder: each kind of state that is more than a scalar, or less, is left
// out of a snapshot once, and the run that goes on without it parts from the
// one that has it, at a field that is named; scalar_ladder_test.cc does so for
// each scalar. What Bullet keeps besides the rows is shuffled before each tick,
// and nothing changes.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/quaternion.h"
#include "sim/physics/bullet_world.h"
#include "sim/physics/collision/pair_algorithm.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/state/state.h"
#include "sim/state/state_comparison.h"

namespace reprise::sim {

class PhysicsWorldPeer {
 public:
  static BulletWorld& bullet(PhysicsWorld& world) { return *world.bullet_; }
  static std::span<PairAlgorithm::Contact> contacts(PairAlgorithm& algorithm) {
    return {algorithm.contacts_.data(), algorithm.contacts_.size()};
  }
};

namespace {

constexpr uint32_t kBodies = 60;
constexpr uint32_t kTicksMax = 1000;

// Some ticks of the pile: in the fall, when it settles, when the first sleep,
// and at rest.
constexpr uint32_t kSaveTicks[] = {90, 150, 220, 400, 900};

struct Rung {
  std::string_view kind;
  // The first field that differs, in the first tick in which bodies do.
  std::string_view where;
  // Leaves it out. Of what has nothing of the kind the state stays.
  std::function<void(State&, const PhysicsTables&)> leave_out;
};

std::ostream& operator<<(std::ostream& out, const Rung& rung) {
  return out << rung.kind;
}

template <typename Row>
std::function<void(State&, const PhysicsTables&)> InEach(
    TableIndex PhysicsTables::*table, void (*change)(Row&)) {
  return [table, change](State& state, const PhysicsTables& tables) {
    Table& rows = state.mutable_table(tables.*table);
    for (uint32_t i = 0; i < rows.row_count(); ++i) {
      change(rows.Mutable<Row>(i));
    }
  };
}

std::function<void(State&, const PhysicsTables&)> InEachBody(
    void (*change)(BodyRow&)) {
  return InEach<BodyRow>(&PhysicsTables::bodies, change);
}

std::function<void(State&, const PhysicsTables&)> InEachPoint(
    void (*change)(ContactPointRow&)) {
  return InEach<ContactPointRow>(&PhysicsTables::contact_points, change);
}

std::function<void(State&, const PhysicsTables&)> InEachJoint(
    void (*change)(JointRow&)) {
  return InEach<JointRow>(&PhysicsTables::joints, change);
}

double AsFloat(double value) { return static_cast<float>(value); }
Vector3 AsFloats(Vector3 v) {
  return {AsFloat(v.x), AsFloat(v.y), AsFloat(v.z)};
}

bool ArePoints(const ContactPointRow& a, const ContactPointRow& b) {
  return a.object_a == b.object_a && a.object_b == b.object_b &&
         a.primitives == b.primitives;
}

// Turns the order of the first two points of each pair of primitives round.
void SwapSlots(State& state, const PhysicsTables& tables) {
  Table& points = state.mutable_table(tables.contact_points);
  for (uint32_t i = 0; i + 1 < points.row_count(); ++i) {
    ContactPointRow first = points.Get<ContactPointRow>(i);
    ContactPointRow second = points.Get<ContactPointRow>(i + 1);
    if (first.slot != 0 || !ArePoints(first, second)) continue;
    std::swap(first.slot, second.slot);
    points.Mutable<ContactPointRow>(i) = second;
    points.Mutable<ContactPointRow>(i + 1) = first;
  }
}

// Gives the points of pairs that meet with only one pair of primitives, but not
// their first, to the first.
void ForgetPrimitives(State& state, const PhysicsTables& tables) {
  Table& points = state.mutable_table(tables.contact_points);
  const auto is_of_pair = [&](uint32_t i, const ContactPointRow& row) {
    const auto& other = points.Get<ContactPointRow>(i);
    return other.object_a == row.object_a && other.object_b == row.object_b;
  };
  for (uint32_t begin = 0; begin < points.row_count();) {
    const ContactPointRow first = points.Get<ContactPointRow>(begin);
    uint32_t end = begin;
    bool is_alone = first.primitives != 0;
    for (; end < points.row_count() && is_of_pair(end, first); ++end) {
      is_alone = is_alone && ArePoints(points.Get<ContactPointRow>(end), first);
    }
    for (uint32_t i = begin; is_alone && i < end; ++i) {
      points.Mutable<ContactPointRow>(i).primitives = 0;
    }
    begin = end;
  }
}

const std::vector<Rung>& Ladder() {
  static const std::vector<Rung>* const kLadder = new std::vector<Rung>{
      {"the last bits of positions", "bodies.position.x",
       InEachBody([](BodyRow& row) { row.position = AsFloats(row.position); })},
      {"the matrix of orientations, for a quaternion", "bodies.position.y",
       InEachBody([](BodyRow& row) {
         row.basis = ToMatrix3(ToQuaternion(row.basis));
       })},
      {"linear velocities", "bodies.position.x",
       InEachBody([](BodyRow& row) { row.linear_velocity = {}; })},
      {"the last bits of linear velocities", "bodies.position.x",
       InEachBody([](BodyRow& row) {
         row.linear_velocity = AsFloats(row.linear_velocity);
       })},
      {"angular velocities", "bodies.position.x",
       InEachBody([](BodyRow& row) { row.angular_velocity = {}; })},
      {"forces", "bodies.position.x",
       InEachBody([](BodyRow& row) { row.force = {}; })},
      {"torques", "bodies.position.x",
       InEachBody([](BodyRow& row) { row.torque = {}; })},
      {"contact points", "bodies.position.x",
       [](State& state, const PhysicsTables& tables) {
         state.mutable_table(tables.contact_points).Resize(0);
       }},
      {"the order of contact points", "bodies.linear_velocity.x", SwapSlots},
      {"friction of contact points", "bodies.position.x",
       InEachPoint([](ContactPointRow& row) { row.friction = {}; })},
      {"which primitives touch", "bodies.position.x", ForgetPrimitives},
      {"local points on the first body", "bodies.position.x",
       InEachPoint([](ContactPointRow& row) { row.local_a = {}; })},
      {"local points on the second body", "bodies.position.x",
       InEachPoint([](ContactPointRow& row) { row.local_b = {}; })},
      {"normals of contact points", "bodies.position.x",
       InEachPoint([](ContactPointRow& row) {
         row.normal = {0.0, 1.0, 0.0};
       })},
      {"which joints are whole", "bodies.position.x",
       InEachJoint([](JointRow& row) { row.is_enabled = 0; })},
  };
  return *kLadder;
}

// "bodies.linear_velocity.y", the first scalar that differs.
std::string FirstDifference(const State& expected, const State& actual) {
  const std::vector<FieldDifference> found = CompareStates(expected, actual, 1);
  if (found.empty()) return "none";
  const RowSchema& schema = expected.table(found[0].table).schema();
  if (!found[0].scalar.has_value()) return schema.name();
  const auto [field, index] = *found[0].scalar;
  return schema.name() + "." + schema.fields()[field].ScalarName(index);
}

class LadderTest : public testing::TestWithParam<Rung> {
 protected:
  static void SetUpTestSuite() {
    live_ = new TestingWorld(MakePile({.body_count = kBodies}));
    saves_ = new std::vector<State>;
    for (const uint32_t tick : kSaveTicks) {
      while (made_ < tick) {
        live_->Step();
        ++made_;
      }
      saves_->push_back(live_->state());
      MakeEventful(saves_->back());
    }
  }
  static void TearDownTestSuite() {
    delete saves_;
    delete live_;
  }

  // The snapshot of a tick in which the game pushed bodies.
  static void MakeEventful(State& state) {
    Table& bodies = state.mutable_table(live_->tables().bodies);
    for (uint32_t i = kPenBodies; i < bodies.row_count(); i += 9) {
      BodyRow& row = bodies.Mutable<BodyRow>(i);
      if (row.activation != Activation::kAwake) continue;
      row.force = {3.0, 1.0, 2.0};
      row.torque = {0.1, 0.3, 0.2};
    }
  }

  static const PhysicsTables& tables() { return live_->tables(); }

  // Where a run without a kind of state first parts from the one with it;
  // nullopt when it doesn't, or nothing of the kind is there.
  static std::optional<std::string> Divergence(const State& save,
                                               const Rung& rung) {
    State whole = save;
    State lacking = save;
    rung.leave_out(lacking, tables());
    if (lacking.ComputeRootDigest() == whole.ComputeRootDigest()) {
      return std::nullopt;
    }
    PhysicsWorld one(live_->definition(), tables());
    PhysicsWorld other(live_->definition(), tables());
    EXPECT_TRUE(one.Load(whole).ok());
    EXPECT_TRUE(other.Load(lacking).ok());
    for (uint32_t tick = 0; tick < kTicksMax; ++tick) {
      one.Step(whole);
      other.Step(lacking);
      if (whole.table(tables().bodies).ComputeDigest() !=
          lacking.table(tables().bodies).ComputeDigest()) {
        return FirstDifference(whole, lacking);
      }
    }
    return std::nullopt;
  }

  static TestingWorld* live_;
  static uint32_t made_;
  static std::vector<State>* saves_;
};

TestingWorld* LadderTest::live_ = nullptr;
uint32_t LadderTest::made_ = 0;
std::vector<State>* LadderTest::saves_ = nullptr;

INSTANTIATE_TEST_SUITE_P(Kinds, LadderTest, testing::ValuesIn(Ladder()));

TEST_P(LadderTest, WithoutItTheRunPartsAtANamedField) {
  std::optional<std::string> where;
  for (const State& save : *saves_) {
    where = Divergence(save, GetParam());
    if (where.has_value()) break;
  }
  ASSERT_TRUE(where.has_value()) << "nothing parts without " << GetParam().kind;
  EXPECT_EQ(*where, GetParam().where);
}

// No joint's impulse is read by a later step, but of a joint that sleeps it
// tells what it holds.
TEST(JointLadderTest, ImpulseOfASleepingJointIsKept) {
  // The row's impulse is that of the last axis.
  PhysicsDefinition definition;
  definition.gravity_m_s2 = {0.0, 0.0, -9.81};
  AddBody(definition, ShapeOf(BoxPrimitive{}), Motion::kDynamic, {});
  definition.joints.push_back({.name = IdOf("hook"),
                               .kind = BallJoint{},
                               .object_a = {1},
                               .frame_a = {.position = {0.0, 0.0, 1.0}},
                               .frame_b = {.position = {0.0, 0.0, 1.0}}});
  TestingWorld world(definition);
  world.Step(600);
  ASSERT_EQ(world.body(0).activation, Activation::kAsleep);
  State lacking = world.state();
  lacking.mutable_table(world.tables().joints).Mutable<JointRow>(0).impulse =
      0.0;
  PhysicsWorld other(world.definition(), world.tables());
  ASSERT_TRUE(other.Load(lacking).ok());
  for (uint32_t tick = 0; tick < kTicksMax; ++tick) other.Step(lacking);
  world.Step(kTicksMax);
  EXPECT_EQ(FirstDifference(world.state(), lacking), "joints.impulse");
}

// What is no state.

using Shuffle = std::function<void(PhysicsWorld&, RandomStream&)>;

struct Hidden {
  std::string_view kind;
  Shuffle shuffle;
};

std::ostream& operator<<(std::ostream& out, const Hidden& hidden) {
  return out << hidden.kind;
}

btVector3 DrawVector(RandomStream& random) {
  const double x = NextUnit(random);
  const double y = NextUnit(random);
  const double z = NextUnit(random);
  return {x, y, z};
}

void ShuffleManifolds(PhysicsWorld& world, RandomStream& random) {
  OrderedDispatcher& dispatcher = PhysicsWorldPeer::bullet(world).dispatcher();
  btPersistentManifold** const manifolds =
      dispatcher.getInternalManifoldPointer();
  for (int i = dispatcher.getNumManifolds() - 1; i > 0; --i) {
    const auto other = static_cast<int>(NextBelow(random, i + 1));
    std::swap(manifolds[i], manifolds[other]);
    manifolds[i]->m_index1a = i;
    manifolds[other]->m_index1a = other;
  }
}

template <typename Change>
void ForEachBody(PhysicsWorld& world, const Change& change) {
  BulletWorld& bullet = PhysicsWorldPeer::bullet(world);
  for (uint32_t i = 0; i < bullet.body_count(); ++i) change(bullet.body(i));
}

void ShuffleIslands(PhysicsWorld& world, RandomStream& random) {
  ForEachBody(world, [&](btRigidBody& body) {
    body.setIslandTag(static_cast<int>(NextBelow(random, 100)));
    body.setCompanionId(static_cast<int>(NextBelow(random, 100)));
    body.setHitFraction(NextUnit(random));
  });
}

void ShuffleInterpolation(PhysicsWorld& world, RandomStream& random) {
  ForEachBody(world, [&](btRigidBody& body) {
    btTransform pose = body.getInterpolationWorldTransform();
    pose.setOrigin(DrawVector(random));
    body.setInterpolationWorldTransform(pose);
    body.setInterpolationLinearVelocity(DrawVector(random));
    body.setInterpolationAngularVelocity(DrawVector(random));
  });
}

// What of a contact point isn't in its row.
void ShufflePoints(PhysicsWorld& world, RandomStream& random) {
  for (const KeyedManifold& touching :
       PhysicsWorldPeer::bullet(world).dispatcher().touching()) {
    for (int slot = 0; slot < touching.manifold->getNumContacts(); ++slot) {
      btManifoldPoint& point = touching.manifold->getContactPoint(slot);
      point.m_appliedImpulseLateral1 = NextUnit(random);
      point.m_appliedImpulseLateral2 = NextUnit(random);
      point.m_prevRHS = NextUnit(random);
      point.m_lateralFrictionDir2 = DrawVector(random);
      point.m_lifeTime = static_cast<int>(NextBelow(random, 1000));
    }
  }
}

// Which axes kept primitives apart.
void ShuffleSeparations(PhysicsWorld& world, RandomStream& random) {
  for (const btBroadphasePair& pair :
       PhysicsWorldPeer::bullet(world).broadphase().pair_cache().pairs()) {
    if (pair.m_algorithm == nullptr) continue;
    auto& algorithm = static_cast<PairAlgorithm&>(*pair.m_algorithm);
    for (auto& contact : PhysicsWorldPeer::contacts(algorithm)) {
      const btVector3 axis = DrawVector(random) - btVector3(0.5, 0.5, 0.5);
      contact.separation = {.axis = {axis.x(), axis.y(), axis.z()}};
    }
  }
}

const std::vector<Hidden>& NoState() {
  static const std::vector<Hidden>* const kNoState = new std::vector<Hidden>{
      {"the order of manifolds", ShuffleManifolds},
      {"islands", ShuffleIslands},
      {"poses and velocities for interpolation", ShuffleInterpolation},
      {"what of contact points isn't in their rows", ShufflePoints},
      {"what kept primitives apart", ShuffleSeparations},
  };
  return *kNoState;
}

class NoStateTest : public testing::TestWithParam<Hidden> {};

INSTANTIATE_TEST_SUITE_P(Kinds, NoStateTest, testing::ValuesIn(NoState()));

TEST_P(NoStateTest, ShuffledBeforeEachTickItChangesNothing) {
  TestingWorld plain(MakePile({.body_count = kBodies}));
  TestingWorld shuffled(*plain.definition());
  RandomStream random = MakeRandomStream(1, IdOf("shuffle"));
  for (uint32_t tick = 0; tick < 500; ++tick) {
    GetParam().shuffle(shuffled.world(), random);
    plain.Step();
    shuffled.Step();
    ASSERT_EQ(shuffled.digest(), plain.digest())
        << "tick " << tick << " at "
        << FirstDifference(plain.state(), shuffled.state());
  }
}

// The broad phase, pairs and lists of bodies and joints of a world that has had
// others, in another order, before.
TEST(HistoryTest, WhatCameAndWentBeforeChangesNothing) {
  TestingWorld plain(MakePile({.body_count = kBodies}));
  plain.Step(200);
  PhysicsWorld used(plain.definition(), plain.tables());
  RandomStream random = MakeRandomStream(1, IdOf("history"));
  for (uint32_t round = 0; round < 8; ++round) {
    State part = plain.state();
    part.mutable_table(plain.tables().contact_points).Resize(0);
    part.mutable_table(plain.tables().joints).Resize(0);
    Table& bodies = part.mutable_table(plain.tables().bodies);
    std::vector<uint32_t> gone;
    for (uint32_t i = kPenBodies; i < bodies.row_count(); ++i) {
      if (NextBelow(random, 2) == 0) gone.push_back(i);
    }
    bodies.Erase(gone);
    ASSERT_TRUE(used.Load(part).ok());
    for (uint32_t tick = 0; tick < 20; ++tick) used.Step(part);
  }
  State state = plain.state();
  ASSERT_TRUE(used.Load(state).ok());
  for (uint32_t tick = 0; tick < kTicksMax; ++tick) {
    plain.Step();
    used.Step(state);
    ASSERT_EQ(state.ComputeRootDigest(), plain.digest()) << "tick " << tick;
  }
}

}  // namespace
}  // namespace reprise::sim

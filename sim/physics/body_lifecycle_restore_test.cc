// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the rows are the whole state of physics while bodies come and go:
// a pile to which a game adds bodies, from which it removes bodies and joints
// every few ticks, and through which kinematic bodies move, is saved at 25
// random ticks; fresh and used worlds go on from them with the digests of the
// run that was never interrupted for 1,000 ticks, the game going on with them.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/physics/bodies/kinematic_motion.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/state/state.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kSaves = 25;
constexpr uint32_t kSaveTickMax = 700;
constexpr uint32_t kTicksAfterSave = 1000;
constexpr uint32_t kTicks = kSaveTickMax + kTicksAfterSave;

constexpr uint32_t kPileBodies = 40;
constexpr uint32_t kBodiesWanted = 60;
constexpr uint64_t kFirstSpawned = 1000;
constexpr ObjectId kPaddle = {kPenBodies + kPileBodies + 1};
constexpr ObjectId kLift = {kPenBodies + kPileBodies + 2};
constexpr ObjectId kMovingTrigger = {kPenBodies + kPileBodies + 3};

// A pile, a paddle that turns in it, a moving trigger, and outside the pen a
// lift below one of five boxes that are left alone to sleep.
PhysicsDefinition MakeScene(uint32_t substeps) {
  PhysicsDefinition definition = MakePile({.body_count = kPileBodies});
  AddBody(definition, ShapeOf(BoxPrimitive{{2.5, 0.2, 0.2}}),
          Motion::kKinematic, {0.0, 0.5, 0.0});
  AddBody(definition, ShapeOf(BoxPrimitive{{1.0, 0.1, 1.0}}),
          Motion::kKinematic, {20.0, 0.1, 0.0});
  AddBody(definition, ShapeOf(SpherePrimitive{1.5}), Motion::kKinematic,
          {0.0, 2.0, 0.0})
      .kind.is_trigger = true;
  for (int i = 0; i < 5; ++i) {
    AddBody(definition, ShapeOf(BoxPrimitive{{0.3, 0.3, 0.3}}),
            Motion::kDynamic, {20.0 + 3.0 * i, 0.6, 0.0});
  }
  definition.substeps = substeps;
  return definition;
}

// What the game does before a tick, as a function of state and tick alone.
class Game {
 public:
  Game(const PhysicsDefinition& definition, const PhysicsTables& tables)
      : definition_(definition), tables_(tables) {}

  void Play(uint32_t tick, State& state) const {
    RandomStream random =
        MakeRandomStream(3, IdOf("game"), ObjectId{uint64_t{tick} + 1});
    Move(tick, state);
    if (tick % 3 == 0) Remove(random, state);
    if (tick % 3 != 1) Add(tick, random, state);
    if (tick % 5 == 0) ChangeJoints(random, state);
  }

 private:
  void Move(uint32_t tick, State& state) const {
    const double time_s = tick * definition_.tick_s;
    MoveTo(kPaddle, {0.0, 0.5, 0.0},
           FromAxisAngle({0.0, 1.0, 0.0}, 2.0 * time_s), state);
    // Up and down for two seconds, and at rest for four.
    const uint32_t phase = tick % 360;
    const double height_m =
        phase < 120 ? 0.01 * std::min(phase, 120 - phase) : 0.0;
    MoveTo(kLift, {20.0, 0.1 + height_m, 0.0}, {}, state);
    MoveTo(kMovingTrigger, {3.0 * Sin(time_s), 2.0, 0.0}, {}, state);
  }

  void MoveTo(ObjectId object, Vector3 position, Quaternion rotation,
              State& state) const {
    MoveKinematic(state, tables_, *FindBody(state, tables_, object), position,
                  rotation, definition_.tick_s);
  }

  // Bodies of the pile and those added later go.
  void Remove(RandomStream& random, State& state) const {
    const uint64_t count = NextBelow(random, 3);
    for (uint64_t i = 0; i < count; ++i) {
      const Table& bodies = state.table(tables_.bodies);
      const ObjectId object =
          bodies.Get<BodyRow>(NextBelow(random, bodies.row_count())).object;
      const bool is_of_pile =
          object.serial > kPenBodies && object.serial < kPaddle.serial;
      if (!is_of_pile && object.serial < kFirstSpawned) continue;
      EXPECT_EQ(RemoveBody(state, tables_, definition_, object),
                absl::OkStatus());
    }
  }

  // New objects, and now and then one of the pile's that comes back.
  void Add(uint32_t tick, RandomStream& random, State& state) const {
    if (state.table(tables_.bodies).row_count() >= kBodiesWanted) return;
    BodyPlacement body =
        definition_.bodies[kPenBodies + NextBelow(random, kPileBodies)];
    body.position.y = 4.0;
    if (NextBelow(random, 2) == 0) {
      body.object = {kFirstSpawned + tick};
    } else if (FindBody(state, tables_, body.object).has_value()) {
      return;
    }
    EXPECT_EQ(AddBody(state, tables_, definition_, body), absl::OkStatus());
  }

  // One joint goes, and one that is gone comes back if it can.
  void ChangeJoints(RandomStream& random, State& state) const {
    const uint64_t count = definition_.joints.size();
    const Id removed = definition_.joints[NextBelow(random, count)].name;
    const Id added = definition_.joints[NextBelow(random, count)].name;
    RemoveJoint(state, tables_, definition_, removed).IgnoreError();
    AddJoint(state, tables_, definition_, added).IgnoreError();
  }

  const PhysicsDefinition& definition_;
  const PhysicsTables& tables_;
};

// A run and what is needed to compare others with it.
class LiveRun {
 public:
  LiveRun(uint32_t substeps, uint32_t save_count)
      : world_(MakeScene(substeps)),
        game_(*world_.definition(), world_.tables()) {
    RandomStream random = MakeRandomStream(9, IdOf("saves"));
    while (saved_at_.size() < save_count) {
      saved_at_.push_back(
          static_cast<uint32_t>(20 + NextBelow(random, kSaveTickMax - 20)));
    }
    std::ranges::sort(saved_at_);
    for (uint32_t tick = 0; tick < kTicks; ++tick) {
      digests_.push_back(world_.digest());
      bodies_seen_.push_back(
          world_.state().table(world_.tables().bodies).row_count());
      while (saves_.size() < save_count && saved_at_[saves_.size()] == tick) {
        saves_.push_back(world_.state());
      }
      game_.Play(tick, world_.state());
      world_.Step();
    }
  }

  size_t save_count() const { return saves_.size(); }
  const State& save(size_t index) const { return saves_[index]; }
  const PhysicsTables& tables() const { return world_.tables(); }
  std::pair<uint32_t, uint32_t> BodyCountRange() const {
    const auto [low, high] = std::ranges::minmax(bodies_seen_);
    return {low, high};
  }

  PhysicsWorld MakeFreshWorld() const {
    return PhysicsWorld(world_.definition(), world_.tables());
  }

  // Continues from save `index`, changed by `damage`, in `world`. Returns the
  // ticks made until the digest is another, or kTicksAfterSave.
  template <typename Damage>
  uint32_t TicksUntilDivergence(PhysicsWorld& world, size_t index,
                                const Damage& damage) const {
    State state = saves_[index];
    damage(state);
    EXPECT_EQ(world.Load(state), absl::OkStatus());
    for (uint32_t made = 0; made < kTicksAfterSave - 1; ++made) {
      const uint32_t tick = saved_at_[index] + made;
      game_.Play(tick, state);
      world.Step(state);
      if (state.ComputeRootDigest() != digests_[tick + 1]) return made + 1;
    }
    return kTicksAfterSave;
  }

  uint32_t TicksUntilDivergence(PhysicsWorld& world, size_t index) const {
    return TicksUntilDivergence(world, index, [](State&) {});
  }

 private:
  TestingWorld world_;
  Game game_;
  std::vector<uint32_t> saved_at_;
  std::vector<State> saves_;
  std::vector<Digest> digests_;
  std::vector<uint32_t> bodies_seen_;
};

class BodyLifecycleRestoreTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { live_ = new LiveRun(/*substeps=*/1, kSaves); }
  static void TearDownTestSuite() { delete live_; }

  static LiveRun* live_;
};

LiveRun* BodyLifecycleRestoreTest::live_ = nullptr;

TEST_F(BodyLifecycleRestoreTest, BodiesComeAndGoAndSomeSleep) {
  const auto [low, high] = live_->BodyCountRange();
  EXPECT_LT(low + 5, high);
  ASSERT_EQ(live_->save_count(), kSaves);
  const State& last = live_->save(kSaves - 1);
  const Table& bodies = last.table(live_->tables().bodies);
  uint32_t sleepers = 0;
  uint32_t spawned = 0;
  for (uint32_t row = kPenBodies; row < bodies.row_count(); ++row) {
    const auto& body = bodies.Get<BodyRow>(row);
    if (body.activation == Activation::kAsleep) ++sleepers;
    if (body.object.serial >= kFirstSpawned) ++spawned;
  }
  EXPECT_GE(sleepers, 4u);
  EXPECT_GE(spawned, 10u);
  EXPECT_GE(last.table(live_->tables().contact_points).row_count(), 50u);
}

TEST_F(BodyLifecycleRestoreTest, FreshWorldGoesOnExactly) {
  for (size_t i = 0; i < kSaves; ++i) {
    PhysicsWorld world = live_->MakeFreshWorld();
    EXPECT_EQ(live_->TicksUntilDivergence(world, i), kTicksAfterSave)
        << "save " << i;
  }
}

TEST_F(BodyLifecycleRestoreTest, UsedWorldGoesOnExactly) {
  PhysicsWorld used = live_->MakeFreshWorld();
  for (size_t i = kSaves; i-- > 0;) {
    EXPECT_EQ(live_->TicksUntilDivergence(used, i), kTicksAfterSave)
        << "save " << i;
  }
}

TEST_F(BodyLifecycleRestoreTest, SubstepsGoOnExactly) {
  const LiveRun live(/*substeps=*/3, /*save_count=*/5);
  for (size_t i = 0; i < live.save_count(); ++i) {
    PhysicsWorld world = live.MakeFreshWorld();
    EXPECT_EQ(live.TicksUntilDivergence(world, i), kTicksAfterSave)
        << "save " << i;
  }
}

// The control: this test does see when something of the rows is missing.
TEST_F(BodyLifecycleRestoreTest, WithoutContactImpulsesItDiverges) {
  for (const size_t i : {5u, 15u, 24u}) {
    PhysicsWorld world = live_->MakeFreshWorld();
    const auto forget_impulses = [](State& state) {
      Table& table = state.mutable_table(live_->tables().contact_points);
      for (uint32_t row = 0; row < table.row_count(); ++row) {
        table.Mutable<ContactPointRow>(row).impulse = 0.0;
      }
    };
    EXPECT_LT(live_->TicksUntilDivergence(world, i, forget_impulses),
              kTicksAfterSave);
  }
}

}  // namespace
}  // namespace reprise::sim

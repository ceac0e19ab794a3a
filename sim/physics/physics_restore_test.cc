// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the rows are the whole state of physics: a pile with sleepers,
// compounds and joints, and bodies of every shape, material and layer on a
// plane, a mesh and a height field, saved at 25 ticks and restored into a fresh
// world and into one that has run on, have the digests of the run that was
// never interrupted for 1,000 ticks. That this test would see a difference is
// proved by leaving out each kind of row's content in turn: then it diverges.
// And the digests that all this is held against cover every scalar of the rows.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/shape_scene.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/state/state.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kSaves = 25;
constexpr uint32_t kFirstSaveTick = 20;
constexpr uint32_t kTicksBetweenSaves = 61;
constexpr uint32_t kTicksAfterSave = 1000;
constexpr uint32_t kTicks =
    kFirstSaveTick + kSaves * kTicksBetweenSaves + kTicksAfterSave;

struct Save {
  uint32_t tick = 0;
  State state;
};

enum class Scene { kPile, kPlane, kMesh, kHeightField };

PhysicsDefinition MakeScene(Scene scene) {
  switch (scene) {
    case Scene::kPile:
      return MakePile({.body_count = 60});
    case Scene::kPlane:
      return MakeShapeScene(Ground::kPlane);
    case Scene::kMesh:
      return MakeShapeScene(Ground::kMesh);
    case Scene::kHeightField:
      return MakeShapeScene(Ground::kHeightField);
  }
  return {};
}

class PhysicsRestoreTest : public testing::TestWithParam<Scene> {
 protected:
  // The run that is never interrupted, made anew
  // when a case is of another scene than the one before.
  void SetUp() override {
    if (scene_ == GetParam()) return;
    TearDownTestSuite();
    scene_ = GetParam();
    live_ = new TestingWorld(MakeScene(GetParam()));
    digests_ = new std::vector<Digest>;
    saves_ = new std::vector<Save>;
    for (uint32_t tick = 0; tick < kTicks; ++tick) {
      digests_->push_back(live_->digest());
      if (tick >= kFirstSaveTick && saves_->size() < kSaves &&
          (tick - kFirstSaveTick) % kTicksBetweenSaves == 0) {
        saves_->push_back({.tick = tick, .state = live_->state()});
      }
      live_->Step();
    }
  }

  static void TearDownTestSuite() {
    delete std::exchange(saves_, nullptr);
    delete std::exchange(digests_, nullptr);
    delete std::exchange(live_, nullptr);
    scene_.reset();
  }

  // The first bodies never move.
  static uint32_t FixedBodies() {
    return GetParam() == Scene::kPile ? kPenBodies : 1;
  }

  static const PhysicsTables& tables() { return live_->tables(); }

  static PhysicsWorld MakeFreshWorld() {
    return PhysicsWorld(live_->definition(), tables());
  }

  // Continues from `state` in `world`. Returns the ticks made until the digest
  // is not that of the live run, or kTicksAfterSave.
  static uint32_t TicksUntilDivergence(PhysicsWorld& world, uint32_t tick,
                                       State state) {
    EXPECT_EQ(world.Load(state), absl::OkStatus());
    for (uint32_t made = 1; made < kTicksAfterSave; ++made) {
      world.Step(state);
      if (state.ComputeRootDigest() != (*digests_)[tick + made]) return made;
    }
    return kTicksAfterSave;
  }

  // The same for every fifth save, each damaged by `damage` first: how many of
  // the five diverge. In the first of them bodies have begun to rest.
  template <typename Damage>
  static uint32_t CountDivergences(const Damage& damage) {
    uint32_t divergences = 0;
    for (uint32_t i = 4; i < kSaves; i += 5) {
      State damaged = (*saves_)[i].state;
      damage(damaged);
      PhysicsWorld world = MakeFreshWorld();
      if (TicksUntilDivergence(world, (*saves_)[i].tick, std::move(damaged)) <
          kTicksAfterSave) {
        ++divergences;
      }
    }
    return divergences;
  }

  static uint32_t CountAsleep(const State& state) {
    const Table& bodies = state.table(tables().bodies);
    uint32_t count = 0;
    for (uint32_t i = FixedBodies(); i < bodies.row_count(); ++i) {
      if (bodies.Get<BodyRow>(i).activation == Activation::kAsleep) ++count;
    }
    return count;
  }

  static std::optional<Scene> scene_;
  static TestingWorld* live_;
  static std::vector<Digest>* digests_;
  static std::vector<Save>* saves_;
};

std::optional<Scene> PhysicsRestoreTest::scene_;
TestingWorld* PhysicsRestoreTest::live_ = nullptr;
std::vector<Digest>* PhysicsRestoreTest::digests_ = nullptr;
std::vector<Save>* PhysicsRestoreTest::saves_ = nullptr;

INSTANTIATE_TEST_SUITE_P(Scenes, PhysicsRestoreTest,
                         testing::Values(Scene::kPile, Scene::kPlane,
                                         Scene::kMesh, Scene::kHeightField));

TEST_P(PhysicsRestoreTest, SavesHoldSleepersAndContacts) {
  ASSERT_EQ(saves_->size(), kSaves);
  EXPECT_GE(CountAsleep(saves_->back().state), 5u);
  EXPECT_GE(saves_->back().state.table(tables().contact_points).row_count(),
            20u);
}

// One bit of any scalar of any body, contact point or joint is another state.
TEST_P(PhysicsRestoreTest, DigestCoversEveryScalarOfEveryRow) {
  const State& saved = saves_->back().state;
  const Digest digest = saved.ComputeRootDigest();
  uint32_t scalars = 0;
  for (const TableIndex table :
       {tables().bodies, tables().contact_points, tables().joints}) {
    const uint32_t row_size = saved.table(table).schema().row_size();
    for (uint32_t row = 0; row < saved.table(table).row_count(); ++row) {
      for (uint32_t place = 0; place < row_size; place += 8) {
        State changed = saved;
        changed.mutable_table(table).MutableRow(row)[place] ^= std::byte{1};
        ASSERT_NE(changed.ComputeRootDigest(), digest)
            << saved.table(table).schema().name() << " row " << row << ", byte "
            << place;
        ++scalars;
      }
    }
  }
  EXPECT_GT(scalars, 500u);
}

TEST_P(PhysicsRestoreTest, FreshWorldGoesOnExactly) {
  for (const Save& save : *saves_) {
    PhysicsWorld world = MakeFreshWorld();
    EXPECT_EQ(TicksUntilDivergence(world, save.tick, save.state),
              kTicksAfterSave)
        << "saved at tick " << save.tick;
  }
}

TEST_P(PhysicsRestoreTest, UsedWorldGoesOnExactly) {
  PhysicsWorld used = MakeFreshWorld();
  for (const Save& save : *saves_) {
    EXPECT_EQ(TicksUntilDivergence(used, save.tick, save.state),
              kTicksAfterSave)
        << "saved at tick " << save.tick;
  }
}

TEST_P(PhysicsRestoreTest, RestoringEveryTickChangesNothing) {
  TestingWorld world(*live_->definition());
  for (uint32_t tick = 0; tick < 300; ++tick) {
    ASSERT_EQ(world.digest(), (*digests_)[tick]) << "tick " << tick;
    PhysicsWorld fresh = MakeFreshWorld();
    ASSERT_EQ(fresh.Load(world.state()), absl::OkStatus());
    fresh.Step(world.state());
  }
}

TEST_P(PhysicsRestoreTest, CopiesOfEveryTickChangeNothing) {
  TestingWorld world(*live_->definition());
  std::vector<State> copies;
  for (uint32_t tick = 0; tick < 300; ++tick) {
    copies.push_back(world.state());
    ASSERT_EQ(copies.back().ComputeRootDigest(), (*digests_)[tick]);
    world.Step();
  }
  EXPECT_EQ(copies[0].ComputeRootDigest(), (*digests_)[0]);
}

TEST_P(PhysicsRestoreTest, WithoutContactPointsItDiverges) {
  EXPECT_EQ(CountDivergences([](State& state) {
              state.mutable_table(tables().contact_points).Resize(0);
            }),
            5u);
}

TEST_P(PhysicsRestoreTest, WithoutContactImpulsesItDiverges) {
  EXPECT_EQ(CountDivergences([](State& state) {
              Table& table = state.mutable_table(tables().contact_points);
              for (uint32_t i = 0; i < table.row_count(); ++i) {
                table.Mutable<ContactPointRow>(i).impulse = 0.0;
              }
            }),
            5u);
}

TEST_P(PhysicsRestoreTest, WithoutActivationsItDiverges) {
  EXPECT_EQ(CountDivergences([](State& state) {
              Table& table = state.mutable_table(tables().bodies);
              for (uint32_t i = FixedBodies(); i < table.row_count(); ++i) {
                table.Mutable<BodyRow>(i).activation = Activation::kAwake;
                table.Mutable<BodyRow>(i).slow_time = 0.0;
              }
            }),
            5u);
}

TEST_P(PhysicsRestoreTest, WithRoundedOrientationsItDiverges) {
  EXPECT_EQ(CountDivergences([](State& state) {
              Table& table = state.mutable_table(tables().bodies);
              for (uint32_t i = FixedBodies(); i < table.row_count(); ++i) {
                BodyRow& row = table.Mutable<BodyRow>(i);
                row.basis = ToMatrix3(ToQuaternion(row.basis));
              }
            }),
            5u);
}

// What a game may do to bodies that would not rest by themselves: all fall
// asleep where they are, some of them are put elsewhere, and later one wakes.
void DisturbRest(uint32_t tick, TestingWorld& world) {
  const uint32_t bodies =
      world.state().table(world.tables().bodies).row_count();
  if (tick % 40 == 0) {
    for (uint32_t i = kPenBodies; i < bodies; ++i) {
      BodyRow& row = world.mutable_body(i);
      row.activation = Activation::kAsleep;
      if (i % 3 == 0) row.position.y += 0.001;
    }
  }
  if (tick % 40 == 7) {
    BodyRow& row = world.mutable_body(kPenBodies + tick % 20);
    row.activation = Activation::kAwake;
    row.linear_velocity = {0.5, 0.0, 0.5};
  }
}

TEST(DisturbedRestTest, RestoringEveryTickChangesNothing) {
  TestingWorld live(MakePile({.body_count = 60}));
  live.Step(150);
  TestingWorld restored(*live.definition());
  restored.state() = live.state();
  for (uint32_t tick = 0; tick < 400; ++tick) {
    DisturbRest(tick, live);
    DisturbRest(tick, restored);
    live.Step();
    PhysicsWorld fresh(live.definition(), live.tables());
    ASSERT_EQ(fresh.Load(restored.state()), absl::OkStatus());
    fresh.Step(restored.state());
    ASSERT_EQ(restored.digest(), live.digest()) << "tick " << tick;
  }
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/contact_batch.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/physics/solver/batch_places.h"
#include "sim/physics/solver/lanes.h"
#include "sim/physics/solver/softness.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kBodies = 60;  // index 0 is fixed

class Drawing {
 public:
  explicit Drawing(uint64_t seed)
      : random_(MakeRandomStream(seed, IdOf("contact_batch"))) {}

  double Between(double low, double high) {
    return low + (high - low) * NextUnit(random_);
  }
  uint32_t Below(uint32_t end) {
    return static_cast<uint32_t>(Between(0.0, end));
  }
  btVector3 Vector() {
    const double x = Between(-1.0, 1.0);
    const double y = Between(-1.0, 1.0);
    return {x, y, Between(-1.0, 1.0)};
  }

 private:
  RandomStream random_;
};

struct Manifold {
  BodyPair pair;
  ContactBatchKind kind;
};

Manifold DrawManifold(Drawing& drawing) {
  Manifold manifold;
  manifold.pair.a = drawing.Below(kBodies);
  do {
    manifold.pair.b = drawing.Below(kBodies);
  } while (manifold.pair.b == manifold.pair.a);
  manifold.pair.moves_a = manifold.pair.a != 0;
  manifold.pair.moves_b = manifold.pair.b != 0;
  manifold.pair.inverse_mass =
      Pair(btVector3(0.5, 0.5, 0.5), btVector3(2.0, 2.0, 2.0));
  manifold.kind = {.point_count = 1 + drawing.Below(4),
                   .rolls = drawing.Below(4) == 0,
                   .spins = drawing.Below(2) == 0,
                   .is_deep = drawing.Below(8) == 0};
  return manifold;
}

struct Scene {
  ContactBatches contacts;
  std::vector<BodyVelocity> velocities;
  std::vector<BodyVelocity> displacements;
  std::vector<BodyVelocity> pushes;
};

// The inverse of all moments of inertia, 1/(kg m^2).
constexpr double kInverseInertia = 4.0;

// Along an axis, or around it where `is_turn`, between the bodies of
// DrawManifold.
Direction DrawDirection(bool is_turn, Drawing& drawing) {
  const btVector3 axis = drawing.Vector().normalized();
  const btVector3 arm_a = 0.3 * drawing.Vector();
  const btVector3 arm_b = 0.3 * drawing.Vector();
  Direction direction;
  if (is_turn) {
    direction.angular = Pair(axis, -axis);
  } else {
    direction.linear = Pair(axis, -axis);
    direction.angular = Pair(arm_a.cross(axis), -arm_b.cross(axis));
  }
  direction.response =
      direction.angular * Pair(kInverseInertia, kInverseInertia);
  return direction;
}

double EffectiveMass(const Direction& direction, const BodyPair& pair) {
  const Lanes inverse =
      Dot(direction.linear * pair.inverse_mass, direction.linear) +
      Dot(direction.response, direction.angular);
  return 1.0 / (LaneA(inverse) + LaneB(inverse));
}

void Place(const Manifold& manifold, const BatchPlace& place, Drawing& drawing,
           ContactBatches& contacts) {
  if (place.lane == 0) {
    ContactBatch& batch = contacts.batches.emplace_back();
    batch.kind = manifold.kind;
    batch.pressures_begin = static_cast<uint32_t>(contacts.pressures.size());
    batch.rolling = static_cast<uint32_t>(contacts.rollings.size());
    contacts.pressures.resize(contacts.pressures.size() +
                              manifold.kind.point_count);
    contacts.rubbings.emplace_back();
    if (manifold.kind.rolls) contacts.rollings.emplace_back();
  }
  const int lane = place.lane;
  ContactBatch& batch = contacts.batches[place.batch];
  batch.lane_count = static_cast<uint32_t>(lane) + 1;
  batch.a[lane] = manifold.pair.a;
  batch.b[lane] = manifold.pair.b;
  batch.moves_a[lane] = manifold.pair.moves_a;
  batch.moves_b[lane] = manifold.pair.moves_b;
  batch.inverse_mass_a.set_lane(lane, LaneA(manifold.pair.inverse_mass));
  batch.inverse_mass_b.set_lane(lane, LaneB(manifold.pair.inverse_mass));
  batch.is_before.lanes[lane] = drawing.Below(2) == 0 ? -1 : 0;
  for (uint32_t i = 0; i < batch.kind.point_count; ++i) {
    QuadPressure& p = contacts.pressures[batch.pressures_begin + i];
    const Direction direction = DrawDirection(/*is_turn=*/false, drawing);
    p.direction.set_lane(lane, direction);
    p.effective_mass.lanes[lane] = EffectiveMass(direction, manifold.pair);
    p.distance_m.lanes[lane] = drawing.Between(-0.02, 0.02);
    p.gap_m.lanes[lane] = p.distance_m.lanes[lane];
    if (batch.is_before.lanes[lane] == 0) {
      p.impulse.lanes[lane] = drawing.Between(0.0, 0.2);
    }
  }
  QuadRubbing& rubbing = contacts.rubbings[place.batch];
  for (int i = 0; i < 2; ++i) {
    const Direction direction = DrawDirection(/*is_turn=*/false, drawing);
    rubbing.across[i].set_lane(lane, direction);
    rubbing.across_masses[i].lanes[lane] =
        EffectiveMass(direction, manifold.pair);
    rubbing.across_impulses[i].lanes[lane] = drawing.Between(-0.1, 0.1);
  }
  rubbing.friction.lanes[lane] = 0.5;
  if (batch.kind.spins) {
    const Direction direction = DrawDirection(/*is_turn=*/true, drawing);
    rubbing.around.set_lane(lane, direction);
    rubbing.around_mass.lanes[lane] = EffectiveMass(direction, manifold.pair);
    rubbing.spin_lever_m.lanes[lane] = 0.1;
  }
  if (!batch.kind.rolls) return;
  QuadRolling& rolling = contacts.rollings[batch.rolling];
  for (int i = 0; i < 2; ++i) {
    const Direction direction = DrawDirection(/*is_turn=*/true, drawing);
    rolling.axes[i].set_lane(lane, direction);
    rolling.masses[i].lanes[lane] = EffectiveMass(direction, manifold.pair);
  }
  rolling.lever_m.lanes[lane] = 0.05;
}

std::vector<Manifold> DrawManifolds(uint32_t count, Drawing& drawing) {
  std::vector<Manifold> manifolds;
  for (uint32_t i = 0; i < count; ++i) {
    manifolds.push_back(DrawManifold(drawing));
  }
  return manifolds;
}

// With one manifold a batch, or as many as fit.
Scene MakeScene(uint64_t seed, bool is_one_by_one) {
  Drawing drawing(seed);
  Scene scene;
  const std::vector<Manifold> manifolds = DrawManifolds(200, drawing);
  BatchPlaces places;
  places.Reset(kBodies);
  for (uint32_t i = 0; i < manifolds.size(); ++i) {
    const BatchPlace place =
        is_one_by_one ? BatchPlace{.batch = i}
                      : places.Add(manifolds[i].pair, manifolds[i].kind);
    Place(manifolds[i], place, drawing, scene.contacts);
  }
  scene.velocities.resize(kBodies);
  for (uint32_t i = 1; i < kBodies; ++i) {
    // Some zeros are negative.
    scene.velocities[i].linear = drawing.Vector();
    scene.velocities[i].angular = -0.0 * drawing.Vector();
  }
  scene.displacements.resize(kBodies);
  scene.pushes.resize(kBodies);
  return scene;
}

void SolveParts(VectorWidth width, Scene& scene) {
  const ContactRounds rounds = {.part_s = 1.0 / 480.0,
                                .softness = MakeSoftness(60.0, 10.0, 1.0 / 480),
                                .velocities = scene.velocities};
  for (int part = 0; part < 4; ++part) {
    WarmStart(width, rounds, scene.contacts);
    Solve(width, Order::kForth, rounds, scene.pushes, scene.contacts);
    for (uint32_t i = 1; i < kBodies; ++i) {
      scene.displacements[i].linear +=
          rounds.part_s * (scene.velocities[i].linear + scene.pushes[i].linear);
    }
    Relax(width, Order::kBack, rounds, scene.displacements, scene.contacts);
  }
}

template <typename Row>
bool SameBits(const std::vector<Row>& a, const std::vector<Row>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(Row)) == 0;
}

// Where the processor has wide vectors they give what narrow ones do.
TEST(ContactBatchTest, WidthsGiveTheSameBits) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Scene narrow = MakeScene(seed, /*is_one_by_one=*/false);
    Scene wide = MakeScene(seed, /*is_one_by_one=*/false);
    SolveParts(VectorWidth::kTwo, narrow);
    SolveParts(WidestVectors(), wide);
    EXPECT_TRUE(SameBits(narrow.velocities, wide.velocities));
    EXPECT_TRUE(SameBits(narrow.pushes, wide.pushes));
    EXPECT_TRUE(SameBits(narrow.contacts.pressures, wide.contacts.pressures));
    EXPECT_TRUE(SameBits(narrow.contacts.rubbings, wide.contacts.rubbings));
    EXPECT_TRUE(SameBits(narrow.contacts.rollings, wide.contacts.rollings));
  }
}

// Side by side bodies get what they get one manifold after the other.
TEST(ContactBatchTest, BatchesGiveTheBitsOfOneByOne) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Scene one_by_one = MakeScene(seed, /*is_one_by_one=*/true);
    Scene batched = MakeScene(seed, /*is_one_by_one=*/false);
    ASSERT_LT(batched.contacts.batches.size(), 200U);
    SolveParts(VectorWidth::kTwo, one_by_one);
    SolveParts(WidestVectors(), batched);
    EXPECT_TRUE(SameBits(one_by_one.velocities, batched.velocities));
    EXPECT_TRUE(SameBits(one_by_one.pushes, batched.pushes));
  }
}

// Batches share no body that moves, and keep the order of what does share one.
TEST(BatchPlacesTest, KeepsTheOrderOfEachBody) {
  Drawing drawing(7);
  const std::vector<Manifold> manifolds = DrawManifolds(1000, drawing);
  BatchPlaces places;
  places.Reset(kBodies);
  std::vector<int64_t> last(kBodies, -1);
  std::vector<int> lanes;
  std::vector<ContactBatchKind> kinds;
  for (const Manifold& manifold : manifolds) {
    const BatchPlace place = places.Add(manifold.pair, manifold.kind);
    if (place.lane == 0) {
      ASSERT_EQ(place.batch, lanes.size());
      lanes.push_back(0);
      kinds.push_back(manifold.kind);
    }
    ASSERT_EQ(place.lane, lanes[place.batch]++);
    ASSERT_LT(place.lane, kQuadLanes);
    EXPECT_EQ(kinds[place.batch].point_count, manifold.kind.point_count);
    EXPECT_EQ(kinds[place.batch].rolls, manifold.kind.rolls);
    for (const uint32_t body : {manifold.pair.a, manifold.pair.b}) {
      if (body == 0) continue;
      EXPECT_GT(place.batch, last[body]);
      last[body] = place.batch;
    }
  }
}

}  // namespace
}  // namespace reprise::sim

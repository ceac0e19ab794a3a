// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the contacts of a pair are known by their primitives: exactly
// those whose boxes overlap, in order, each with a manifold that is the pair's
// own, also when restored in another order.

#include "sim/physics/collision/pair_algorithm.h"

#include <memory>
#include <vector>

#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletCollision/CollisionDispatch/btManifoldResult.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/physics/collision/ordered_dispatcher.h"
#include "sim/physics/shapes/bullet_parts.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Four balls in a row along x, a metre apart.
ShapeDefinition MakeRow() {
  SolidShape shape;
  for (int i = 0; i < 4; ++i) {
    shape.primitives.push_back({.solid = SpherePrimitive{0.4},
                                .position = {1.0 * i, 0.0, 0.0},
                                .rotation = {}});
  }
  return shape;
}

class PairAlgorithmTest : public testing::Test {
 protected:
  PairAlgorithmTest() {
    first_.setWorldArrayIndex(0);
    second_.setWorldArrayIndex(1);
    for (btCollisionObject* object : {&first_, &second_}) {
      object->setCollisionShape(shape_.get());
      object->setUserPointer(&kind_);
      object->setWorldTransform(btTransform::getIdentity());
    }
  }

  // Puts the second row where its ball 0 is at `x_m` and looks for contacts.
  std::vector<PrimitivePair> CollideAt(double x_m) {
    second_.getWorldTransform().setOrigin(btVector3(x_m, 0.0, 0.0));
    const btCollisionObjectWrapper first(nullptr, shape_.get(), &first_,
                                         first_.getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper second(nullptr, shape_.get(), &second_,
                                          second_.getWorldTransform(), -1, -1);
    btManifoldResult result(&first, &second);
    algorithm_.processCollision(&first, &second, btDispatcherInfo(), &result);
    return Keys();
  }

  std::vector<PrimitivePair> Keys() const {
    std::vector<PrimitivePair> keys;
    for (const auto& contact : algorithm_.contacts()) {
      keys.push_back(contact.primitives);
    }
    return keys;
  }

  BulletShape shape_ = MakeBulletShape(MakeRow());
  BodyKind kind_;
  btCollisionObject first_;
  btCollisionObject second_;
  btDefaultCollisionConfiguration configuration_;
  OrderedDispatcher dispatcher_{&configuration_};
  PairAlgorithm::Scratch scratch_;
  PairAlgorithm algorithm_{dispatcher_, scratch_};
};

TEST_F(PairAlgorithmTest, ContactsAreThePrimitivesThatOverlapInOrder) {
  EXPECT_THAT(CollideAt(2.5),
              ElementsAre(PrimitivePair{2, 0}, PrimitivePair{3, 0},
                          PrimitivePair{3, 1}));
  EXPECT_EQ(dispatcher_.getNumManifolds(), 3);
}

TEST_F(PairAlgorithmTest, ContactsThatStayKeepTheirManifolds) {
  CollideAt(2.5);
  const btPersistentManifold* const kept = algorithm_.contacts()[1].manifold;

  EXPECT_THAT(CollideAt(3.5), ElementsAre(PrimitivePair{3, 0}));

  EXPECT_EQ(algorithm_.contacts()[0].manifold, kept);
  EXPECT_EQ(dispatcher_.getNumManifolds(), 1);
}

TEST_F(PairAlgorithmTest, NothingIsLeftWhenNothingOverlaps) {
  CollideAt(2.5);
  EXPECT_THAT(CollideAt(9.0), IsEmpty());
  EXPECT_EQ(dispatcher_.getNumManifolds(), 0);
}

TEST_F(PairAlgorithmTest, RestoredContactsStandInOrder) {
  algorithm_.Restore(first_, second_, {3, 1});
  algorithm_.Restore(first_, second_, {2, 0});
  btPersistentManifold& again = algorithm_.Restore(first_, second_, {3, 1});

  EXPECT_THAT(Keys(), ElementsAre(PrimitivePair{2, 0}, PrimitivePair{3, 1}));
  EXPECT_EQ(algorithm_.contacts()[1].manifold, &again);
}

TEST_F(PairAlgorithmTest, RestoredContactsAreUsedWhereTheyOverlap) {
  btPersistentManifold& restored = algorithm_.Restore(first_, second_, {3, 0});
  algorithm_.Restore(first_, second_, {0, 3});

  CollideAt(2.5);

  EXPECT_THAT(Keys(), ElementsAre(PrimitivePair{2, 0}, PrimitivePair{3, 0},
                                  PrimitivePair{3, 1}));
  EXPECT_EQ(algorithm_.contacts()[1].manifold, &restored);
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the broad phase finds exactly the overlapping pairs, in order and
// whatever happened before: against all pairs of boxes that move at random, and
// against a broad phase that sees them for the first time. And that it stops at
// the greatest number of pairs, at the same ones whatever happened before.

#include "sim/physics/collision/sorted_broadphase.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "LinearMath/btAabbUtil2.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SortedBroadphaseTest : public testing::Test {
 protected:
  ~SortedBroadphaseTest() override {
    while (!broadphase_.proxies().empty()) {
      broadphase_.destroyProxy(broadphase_.proxies().back(), nullptr);
    }
  }

  // Adds a box of half a metre to each side.
  btBroadphaseProxy* Add(Vector3 center, bool is_static = false, int layers = 1,
                         int mask = -1) {
    objects_.push_back(std::make_unique<btCollisionObject>());
    objects_.back()->setCollisionFlags(
        is_static ? btCollisionObject::CF_STATIC_OBJECT : 0);
    btBroadphaseProxy* const proxy = broadphase_.createProxy(
        {}, {}, 0, objects_.back().get(), layers, mask, nullptr);
    Place(proxy, center);
    return proxy;
  }

  void Place(btBroadphaseProxy* proxy, Vector3 center) {
    const btVector3 middle(center.x, center.y, center.z);
    const btVector3 half(0.5, 0.5, 0.5);
    broadphase_.setAabb(proxy, middle - half, middle + half, nullptr);
  }

  std::vector<ProxyPair> Pairs() {
    broadphase_.calculateOverlappingPairs(nullptr);
    return Keys(broadphase_.pair_cache());
  }

  static std::vector<ProxyPair> Keys(SortedPairCache& cache) {
    std::vector<ProxyPair> keys;
    for (const btBroadphasePair& pair : cache.pairs()) {
      keys.push_back(
          {.first = static_cast<uint32_t>(pair.m_pProxy0->m_uniqueId),
           .second = static_cast<uint32_t>(pair.m_pProxy1->m_uniqueId)});
    }
    return keys;
  }

  // By looking at all pairs.
  std::vector<ProxyPair> ExpectedPairs() const {
    std::vector<ProxyPair> pairs;
    const auto proxies = broadphase_.proxies();
    for (uint32_t i = 0; i < proxies.size(); ++i) {
      for (uint32_t j = i + 1; j < proxies.size(); ++j) {
        if (objects_[i]->isStaticObject() && objects_[j]->isStaticObject()) {
          continue;
        }
        if (TestAabbAgainstAabb2(proxies[i]->m_aabbMin, proxies[i]->m_aabbMax,
                                 proxies[j]->m_aabbMin,
                                 proxies[j]->m_aabbMax)) {
          pairs.push_back({.first = i, .second = j});
        }
      }
    }
    return pairs;
  }

  std::vector<std::unique_ptr<btCollisionObject>> objects_;
  SortedBroadphase broadphase_;
};

TEST_F(SortedBroadphaseTest, TouchingBoxesArePairsAndSeparateOnesAreNot) {
  Add({0.0, 0.0, 0.0});
  Add({1.0, 0.0, 0.0});   // shares a face with the first
  Add({0.0, 1.25, 0.0});  // a quarter above it
  EXPECT_THAT(Pairs(), ElementsAre(ProxyPair{0, 1}));
}

TEST_F(SortedBroadphaseTest, TwoStaticBoxesAreNoPair) {
  Add({}, /*is_static=*/true);
  Add({}, /*is_static=*/true);
  Add({});
  EXPECT_THAT(Pairs(), ElementsAre(ProxyPair{0, 2}, ProxyPair{1, 2}));
}

TEST_F(SortedBroadphaseTest, LayersAndMasksHaveToMeetBothWays) {
  Add({}, false, /*layers=*/1, /*mask=*/2);
  Add({}, false, /*layers=*/2, /*mask=*/4);
  EXPECT_THAT(Pairs(), IsEmpty());
}

TEST_F(SortedBroadphaseTest, DestroyedProxyClosesItsGap) {
  Add({0.0, 0.0, 0.0});
  btBroadphaseProxy* const middle = Add({0.5, 0.0, 0.0});
  Add({0.5, 0.5, 0.0});
  ASSERT_EQ(Pairs().size(), 3u);

  broadphase_.destroyProxy(middle, nullptr);

  EXPECT_THAT(Keys(broadphase_.pair_cache()), ElementsAre(ProxyPair{0, 1}));
  EXPECT_THAT(Pairs(), ElementsAre(ProxyPair{0, 1}));
}

TEST_F(SortedBroadphaseTest, OnlyTriggersNoticeKinematicBoxesAmongTheUnpushed) {
  constexpr int kKinematic = btCollisionObject::CF_STATIC_OBJECT |
                             btCollisionObject::CF_KINEMATIC_OBJECT;
  constexpr int kTrigger = btCollisionObject::CF_NO_CONTACT_RESPONSE;
  for (const int flags : {0, kTrigger, kKinematic, kKinematic | kTrigger}) {
    Add({}, /*is_static=*/true);
    objects_.back()->setCollisionFlags(btCollisionObject::CF_STATIC_OBJECT |
                                       flags);
  }
  EXPECT_THAT(Pairs(), ElementsAre(ProxyPair{0, 3}, ProxyPair{1, 2},
                                   ProxyPair{1, 3}, ProxyPair{2, 3}));
}

// Boxes come and go anywhere in the order.
TEST_F(SortedBroadphaseTest, RearrangedProxiesHaveThePairsOfAllPairs) {
  RandomStream random = MakeRandomStream(7, IdOf("arrangements"));
  for (int step = 0; step < 60; ++step) {
    const auto first = static_cast<uint32_t>(
        NextBelow(random, broadphase_.proxies().size() + 1));
    std::vector<btBroadphaseProxy*> kept(broadphase_.proxies().begin() + first,
                                         broadphase_.proxies().end());
    std::erase_if(kept, [&](auto*) { return NextBelow(random, 4) == 0; });
    for (int i = 0; i < 8; ++i) {
      Vector3 center;
      center.x = 5.0 * NextUnit(random);
      center.y = 3.0 * NextUnit(random);
      center.z = 3.0 * NextUnit(random);
      const auto place = NextBelow(random, kept.size() + 1);
      kept.insert(kept.begin() + static_cast<int64_t>(place), Add(center));
    }
    broadphase_.Rearrange(first, kept, nullptr);

    const std::vector<ProxyPair> pairs = Pairs();
    std::vector<ProxyPair> expected;
    const auto proxies = broadphase_.proxies();
    for (uint32_t i = 0; i < proxies.size(); ++i) {
      ASSERT_EQ(proxies[i]->m_uniqueId, static_cast<int>(i));
      for (uint32_t j = i + 1; j < proxies.size(); ++j) {
        if (TestAabbAgainstAabb2(proxies[i]->m_aabbMin, proxies[i]->m_aabbMax,
                                 proxies[j]->m_aabbMin,
                                 proxies[j]->m_aabbMax)) {
          expected.push_back({.first = i, .second = j});
        }
      }
    }
    ASSERT_EQ(pairs, expected) << "step " << step;
  }
}

// 200 boxes that drift, now and then jump, and are stretched along another axis
// every 20 steps, so that the sweep changes its axis.
TEST_F(SortedBroadphaseTest, FindsThePairsOfAllPairsWhateverWasBefore) {
  RandomStream random = MakeRandomStream(7, IdOf("boxes"));
  std::vector<Vector3> centers(200);
  for (size_t i = 0; i < centers.size(); ++i) Add({}, /*is_static=*/i % 9 == 0);
  for (int step = 0; step < 60; ++step) {
    const double spread[3] = {step / 20 == 0 ? 30.0 : 4.0,
                              step / 20 == 1 ? 30.0 : 4.0,
                              step / 20 == 2 ? 30.0 : 4.0};
    for (size_t i = 0; i < centers.size(); ++i) {
      if (step % 20 == 0 || NextBelow(random, 50) == 0) {
        centers[i].x = spread[0] * NextUnit(random);
        centers[i].y = spread[1] * NextUnit(random);
        centers[i].z = spread[2] * NextUnit(random);
      }
      // A grid of quarters: many boxes share coordinates.
      centers[i].x += 0.25 * static_cast<double>(NextInRange(random, -1, 1));
      Place(broadphase_.proxies()[i], centers[i]);
    }
    ASSERT_EQ(Pairs(), ExpectedPairs()) << "step " << step;
  }
  EXPECT_GT(ExpectedPairs().size(), 100u);
}

// Boxes that all overlap, spread by so much along x and z.
std::vector<Vector3> CrowdedCenters(double reach_x, double reach_z) {
  RandomStream random = MakeRandomStream(7, IdOf("crowd"));
  std::vector<Vector3> centers(600);
  for (Vector3& center : centers) {
    center.x = reach_x * NextUnit(random);
    center.z = reach_z * NextUnit(random);
  }
  return centers;
}

class CrowdedBroadphaseTest : public SortedBroadphaseTest {
 protected:
  void PlaceAll(const std::vector<Vector3>& centers) {
    for (size_t i = 0; i < centers.size(); ++i) {
      if (i == broadphase_.proxies().size()) Add({});
      Place(broadphase_.proxies()[i], centers[i]);
    }
  }

  // The pairs that come first in a sweep along x.
  std::vector<ProxyPair> ExpectedFirstPairs() const {
    const auto proxies = broadphase_.proxies();
    std::vector<uint32_t> order(proxies.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](uint32_t proxy) {
      return proxies[proxy]->m_aabbMin.x();
    });
    std::vector<ProxyPair> pairs;
    for (auto a = order.begin(); a != order.end(); ++a) {
      for (auto b = a + 1; b != order.end(); ++b) {
        if (pairs.size() == PairsMax(order.size())) break;
        pairs.push_back(
            {.first = std::min(*a, *b), .second = std::max(*a, *b)});
      }
    }
    std::ranges::sort(pairs);
    return pairs;
  }
};

TEST_F(CrowdedBroadphaseTest, StopsAtTheFirstPairsOfTheWidestAxis) {
  PlaceAll(CrowdedCenters(0.2, 0.18));
  const std::vector<ProxyPair> pairs = Pairs();
  EXPECT_TRUE(broadphase_.is_bounded());
  EXPECT_EQ(pairs.size(), size_t{1} << 17);
  EXPECT_EQ(pairs, ExpectedFirstPairs());
}

// The axis of the sweep stays what it was while another is hardly better.
TEST_F(CrowdedBroadphaseTest, StopsAtTheSamePairsWhateverWasBefore) {
  PlaceAll(CrowdedCenters(0.0, 1e3));
  Pairs();
  EXPECT_FALSE(broadphase_.is_bounded());
  PlaceAll(CrowdedCenters(0.2, 0.18));
  EXPECT_EQ(Pairs(), ExpectedFirstPairs());
}

TEST_F(CrowdedBroadphaseTest, TheGroundKeepsAllItsPairs) {
  PlaceAll(CrowdedCenters(0.2, 0.1));
  btBroadphaseProxy* const ground = Add({}, /*is_static=*/true);
  const btVector3 everywhere(1e18, 1e18, 1e18);
  broadphase_.setAabb(ground, -everywhere, everywhere, nullptr);
  const std::vector<ProxyPair> pairs = Pairs();
  EXPECT_TRUE(broadphase_.is_bounded());
  EXPECT_EQ(std::ranges::count(pairs, 600u, &ProxyPair::second), 600);
}

TEST_F(CrowdedBroadphaseTest, AsManyAsThereCanBeAreAll) {
  // 512 x 511 / 2 pairs among themselves, and 256 more: 2^17.
  PlaceAll(std::vector<Vector3>(512));
  btBroadphaseProxy* const last = Add({});
  for (int i = 0; i < 256; ++i) {
    Place(broadphase_.proxies()[i], {0.0, 1.0, 0.0});
  }
  Place(last, {0.0, 1.5, 0.0});
  EXPECT_EQ(Pairs().size(), size_t{1} << 17);
  EXPECT_FALSE(broadphase_.is_bounded());
}

}  // namespace
}  // namespace reprise::sim

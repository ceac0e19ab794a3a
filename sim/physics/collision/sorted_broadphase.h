// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A broad phase without history: after each calculateOverlappingPairs its pairs
// are exactly those whose boxes overlap now, or the first PairsMax of them, in
// ascending order, whatever was the case before. Bullet's own keeps enlarged
// boxes and tidies up bit by bit, so that its pairs depend on how the bodies
// came to be where they are.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_SORTED_BROADPHASE_H_
#define REPRISE_SIM_PHYSICS_COLLISION_SORTED_BROADPHASE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "sim/physics/collision/sorted_pair_cache.h"

namespace reprise::sim {

// How many pairs there are at most among so many boxes. In a dense pile a box
// overlaps about five others, which are three pairs a box; 512 boxes in one
// place are 2^17. A pair of single solids that touches costs about 2.5 KB, so
// that the most of them there can be need 1.3 GB, and some hundreds 0.3;
// compounds and surfaces cost as much for each pair of primitives.
constexpr size_t PairsMax(size_t box_count) {
  constexpr size_t kPairsPerBox = 8;
  constexpr size_t kPairsOfFewBoxes = size_t{1} << 17;
  return std::max(kPairsPerBox * box_count, kPairsOfFewBoxes);
}

// Sweep and prune along the axis on which the boxes are spread most. The
// boxes stay sorted from step to step, which saves time and changes nothing.
//
// A proxy's unique id is its index: in the order of creation, until Rearrange
// gives another. Boxes touch when they share a point. Two objects that nothing
// pushes form a pair only when one is kinematic and one a trigger.
class SortedBroadphase final : public btBroadphaseInterface {
 public:
  SortedPairCache& pair_cache() { return pair_cache_; }

  // The proxies by their unique ids.
  std::span<btBroadphaseProxy* const> proxies() const { return proxies_; }

  // Whether more boxes overlapped at the last calculateOverlappingPairs than
  // PairsMax. Then the pairs are as many, the first of a sweep along the axis
  // of the widest spread: it begins with what reaches farthest towards the
  // negative end, which the ground mostly does.
  bool is_bounded() const { return is_bounded_; }

  // Makes `proxies` those from index `first` on, in the given order; all others
  // that were there are destroyed, and their pairs with them.
  // REQUIRES: `proxies` were among them, and those that are in pairs keep their
  // order among each other.
  void Rearrange(uint32_t first, std::span<btBroadphaseProxy* const> proxies,
                 btDispatcher* dispatcher);

  // Bullet's interface.
  btBroadphaseProxy* createProxy(const btVector3& aabb_min,
                                 const btVector3& aabb_max, int shape_type,
                                 void* object, int layers, int mask,
                                 btDispatcher* dispatcher) override;
  void destroyProxy(btBroadphaseProxy* proxy,
                    btDispatcher* dispatcher) override;
  void setAabb(btBroadphaseProxy* proxy, const btVector3& aabb_min,
               const btVector3& aabb_max, btDispatcher* dispatcher) override;
  void getAabb(btBroadphaseProxy* proxy, btVector3& aabb_min,
               btVector3& aabb_max) const override;
  // Calls back for every proxy, or every proxy whose box meets the given one,
  // in the order of unique ids.
  void rayTest(const btVector3& from, const btVector3& to,
               btBroadphaseRayCallback& callback, const btVector3& aabb_min,
               const btVector3& aabb_max) override;
  void aabbTest(const btVector3& aabb_min, const btVector3& aabb_max,
                btBroadphaseAabbCallback& callback) override;
  void calculateOverlappingPairs(btDispatcher* dispatcher) override;
  btOverlappingPairCache* getOverlappingPairCache() override {
    return &pair_cache_;
  }
  const btOverlappingPairCache* getOverlappingPairCache() const override {
    return &pair_cache_;
  }
  void getBroadphaseAabb(btVector3& aabb_min,
                         btVector3& aabb_max) const override;
  void printStats() override {}

 private:
  // A box as the sweep reads it: axes 0, 1 and 2 are the sweep axis and the two
  // after it.
  struct Box {
    std::array<double, 3> low;
    std::array<double, 3> high;
    uint32_t proxy;
    bool is_pushed;  // by contacts: of a dynamic object
  };

  // A total order: no two boxes are equal.
  static bool ComesBefore(const Box& a, const Box& b);

  // Whether two boxes overlap on the other two axes.
  static bool OverlapAcross(const Box& a, const Box& b);

  // Returns the axis of the widest spread, which needn't be the chosen one.
  int ChooseAxis();
  void GatherBoxes();
  void SortBoxes();
  // Returns false where there are more than PairsMax; the first are found.
  bool FindPairs();
  void SortPairs();

  std::vector<btBroadphaseProxy*> proxies_;
  int axis_ = 0;
  bool is_bounded_ = false;
  // The proxies in ascending order on the axis, as of the last step.
  std::vector<btBroadphaseProxy*> order_;
  std::vector<Box> boxes_;
  std::vector<ProxyPair> found_;
  std::vector<ProxyPair> sorted_;
  std::vector<uint32_t> first_of_proxy_;
  SortedPairCache pair_cache_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_SORTED_BROADPHASE_H_

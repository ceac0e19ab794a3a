// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/collision/sorted_broadphase.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"
#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "LinearMath/btAabbUtil2.h"

namespace reprise::sim {
namespace {

// Another axis has to be better by this much before the boxes are sorted anew
// along it; a pile that settles changes its axis once or twice.
constexpr double kAxisGain = 2.0;

// A general sort of n boxes costs about log2(n) moves a box: 16 for the most
// bodies that a definition can have.
constexpr size_t kMovesPerBoxMax = 16;

// The unique id of a proxy that is about to be destroyed.
constexpr int kGone = -1;

const btCollisionObject& ObjectOf(const btBroadphaseProxy& proxy) {
  return *static_cast<const btCollisionObject*>(proxy.m_clientObject);
}

bool IsPushed(const btBroadphaseProxy& proxy) {
  return !ObjectOf(proxy).isStaticOrKinematicObject();
}

// Whether one of two objects that nothing pushes may notice the other.
bool OneNotices(const btCollisionObject& a, const btCollisionObject& b) {
  return (a.isKinematicObject() || b.isKinematicObject()) &&
         !(a.hasContactResponse() && b.hasContactResponse());
}

}  // namespace

btBroadphaseProxy* SortedBroadphase::createProxy(
    const btVector3& aabb_min, const btVector3& aabb_max, int /*shape_type*/,
    void* object, int layers, int mask, btDispatcher* /*dispatcher*/) {
  auto* proxy = new btBroadphaseProxy(aabb_min, aabb_max, object, layers, mask);
  proxy->m_uniqueId = static_cast<int>(proxies_.size());
  proxies_.push_back(proxy);
  order_.push_back(proxy);
  return proxy;
}

void SortedBroadphase::destroyProxy(btBroadphaseProxy* proxy,
                                    btDispatcher* dispatcher) {
  pair_cache_.removeOverlappingPairsContainingProxy(proxy, dispatcher);
  // Unique ids are indexes; closing the gap keeps the order of all pairs.
  const auto gap = proxies_.begin() + proxy->m_uniqueId;
  for (auto later = gap + 1; later != proxies_.end(); ++later) {
    --(*later)->m_uniqueId;
  }
  proxies_.erase(gap);
  std::erase(order_, proxy);
  delete proxy;
}

void SortedBroadphase::Rearrange(uint32_t first,
                                 std::span<btBroadphaseProxy* const> proxies,
                                 btDispatcher* dispatcher) {
  const std::vector<btBroadphaseProxy*> before(proxies_.begin() + first,
                                               proxies_.end());
  for (btBroadphaseProxy* proxy : before) proxy->m_uniqueId = kGone;
  proxies_.resize(first);
  for (btBroadphaseProxy* proxy : proxies) {
    proxy->m_uniqueId = static_cast<int>(proxies_.size());
    proxies_.push_back(proxy);
  }
  if (before.size() == proxies.size()) return;

  const auto is_gone = [](const btBroadphaseProxy* proxy) {
    return proxy->m_uniqueId == kGone;
  };
  pair_cache_.RemovePairsIf(is_gone, dispatcher);
  std::erase_if(order_, is_gone);
  for (btBroadphaseProxy* proxy : before) {
    if (is_gone(proxy)) delete proxy;
  }
}

void SortedBroadphase::setAabb(btBroadphaseProxy* proxy,
                               const btVector3& aabb_min,
                               const btVector3& aabb_max,
                               btDispatcher* /*dispatcher*/) {
  proxy->m_aabbMin = aabb_min;
  proxy->m_aabbMax = aabb_max;
}

void SortedBroadphase::getAabb(btBroadphaseProxy* proxy, btVector3& aabb_min,
                               btVector3& aabb_max) const {
  aabb_min = proxy->m_aabbMin;
  aabb_max = proxy->m_aabbMax;
}

void SortedBroadphase::rayTest(const btVector3& /*from*/,
                               const btVector3& /*to*/,
                               btBroadphaseRayCallback& callback,
                               const btVector3& /*aabb_min*/,
                               const btVector3& /*aabb_max*/) {
  for (const btBroadphaseProxy* proxy : proxies_) callback.process(proxy);
}

void SortedBroadphase::aabbTest(const btVector3& aabb_min,
                                const btVector3& aabb_max,
                                btBroadphaseAabbCallback& callback) {
  for (const btBroadphaseProxy* proxy : proxies_) {
    if (TestAabbAgainstAabb2(aabb_min, aabb_max, proxy->m_aabbMin,
                             proxy->m_aabbMax)) {
      callback.process(proxy);
    }
  }
}

void SortedBroadphase::getBroadphaseAabb(btVector3& aabb_min,
                                         btVector3& aabb_max) const {
  aabb_min.setValue(-BT_LARGE_FLOAT, -BT_LARGE_FLOAT, -BT_LARGE_FLOAT);
  aabb_max.setValue(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
}

void SortedBroadphase::calculateOverlappingPairs(btDispatcher* dispatcher) {
  const int widest = ChooseAxis();
  GatherBoxes();
  SortBoxes();
  is_bounded_ = !FindPairs();
  if (is_bounded_ && axis_ != widest) {
    // Which pairs come first depends on the axis, and that on earlier boxes.
    axis_ = widest;
    GatherBoxes();
    SortBoxes();
    FindPairs();
  }
  SortPairs();
  pair_cache_.Update(sorted_, proxies_, dispatcher);
}

int SortedBroadphase::ChooseAxis() {
  std::array<double, 3> sum = {};
  std::array<double, 3> sum_of_squares = {};
  double count = 0.0;
  for (const btBroadphaseProxy* proxy : proxies_) {
    // What nothing pushes may be huge, and needs no pairs among its kind.
    if (!IsPushed(*proxy)) continue;
    count += 1.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double middle =
          0.5 * (proxy->m_aabbMin[axis] + proxy->m_aabbMax[axis]);
      sum[axis] += middle;
      sum_of_squares[axis] += middle * middle;
    }
  }
  std::array<double, 3> spread = {};
  for (int axis = 0; axis < 3; ++axis) {
    spread[axis] = count * sum_of_squares[axis] - sum[axis] * sum[axis];
  }
  const int widest = static_cast<int>(
      std::max_element(spread.begin(), spread.end()) - spread.begin());
  if (spread[widest] > kAxisGain * spread[axis_]) axis_ = widest;
  return widest;
}

void SortedBroadphase::GatherBoxes() {
  boxes_.clear();
  const std::array<int, 3> axes = {axis_, (axis_ + 1) % 3, (axis_ + 2) % 3};
  for (const btBroadphaseProxy* proxy : order_) {
    Box& box = boxes_.emplace_back();
    for (int axis = 0; axis < 3; ++axis) {
      box.low[axis] = proxy->m_aabbMin[axes[axis]];
      box.high[axis] = proxy->m_aabbMax[axes[axis]];
    }
    box.proxy = static_cast<uint32_t>(proxy->m_uniqueId);
    box.is_pushed = IsPushed(*proxy);
  }
}

bool SortedBroadphase::ComesBefore(const Box& a, const Box& b) {
  return a.low[0] != b.low[0] ? a.low[0] < b.low[0] : a.proxy < b.proxy;
}

bool SortedBroadphase::OverlapAcross(const Box& a, const Box& b) {
  // All four at once: which one fails first can't be foreseen, and each wrong
  // guess costs the processor more than the other three.
  return (static_cast<unsigned>(a.low[1] <= b.high[1]) &
          static_cast<unsigned>(b.low[1] <= a.high[1]) &
          static_cast<unsigned>(a.low[2] <= b.high[2]) &
          static_cast<unsigned>(b.low[2] <= a.high[2])) != 0;
}

// By insertion, which is fastest for boxes that come nearly sorted from the
// step before; when they don't, it is given up.
void SortedBroadphase::SortBoxes() {
  size_t moves_left = kMovesPerBoxMax * boxes_.size();
  for (size_t i = 1; i < boxes_.size(); ++i) {
    if (!ComesBefore(boxes_[i], boxes_[i - 1])) continue;
    const Box box = boxes_[i];
    size_t place = i;
    while (place > 0 && ComesBefore(box, boxes_[place - 1])) {
      boxes_[place] = boxes_[place - 1];
      --place;
    }
    boxes_[place] = box;
    if (i - place > moves_left) {
      // ComesBefore is a total order.
      std::sort(boxes_.begin(), boxes_.end(), ComesBefore);
      break;
    }
    moves_left -= i - place;
  }
  for (size_t i = 0; i < order_.size(); ++i) {
    order_[i] = proxies_[boxes_[i].proxy];
  }
}

bool SortedBroadphase::FindPairs() {
  const size_t pairs_max = PairsMax(boxes_.size());
  found_.clear();
  for (size_t i = 0; i < boxes_.size(); ++i) {
    const Box& a = boxes_[i];
    for (size_t j = i + 1; j < boxes_.size(); ++j) {
      const Box& b = boxes_[j];
      if (b.low[0] > a.high[0]) break;
      if (!OverlapAcross(a, b)) continue;
      if (!a.is_pushed && !b.is_pushed &&
          !OneNotices(ObjectOf(*proxies_[a.proxy]),
                      ObjectOf(*proxies_[b.proxy]))) {
        continue;
      }
      if (!pair_cache_.needsBroadphaseCollision(proxies_[a.proxy],
                                                proxies_[b.proxy])) {
        continue;
      }
      if (found_.size() == pairs_max) return false;
      found_.push_back({.first = std::min(a.proxy, b.proxy),
                        .second = std::max(a.proxy, b.proxy)});
    }
  }
  return true;
}

// Counts the pairs of each first proxy and puts them side by side, then orders
// the few of each by the second.
void SortedBroadphase::SortPairs() {
  first_of_proxy_.assign(proxies_.size() + 1, 0);
  for (const ProxyPair& pair : found_) ++first_of_proxy_[pair.first + 1];
  std::partial_sum(first_of_proxy_.begin(), first_of_proxy_.end(),
                   first_of_proxy_.begin());

  sorted_.resize(found_.size());
  for (const ProxyPair& pair : found_) {
    sorted_[first_of_proxy_[pair.first]++] = pair;
  }
  // Each count now points past its proxy's pairs: where the next one's begin.
  auto begin = sorted_.begin();
  for (size_t proxy = 0; proxy < proxies_.size(); ++proxy) {
    const auto end = sorted_.begin() + first_of_proxy_[proxy];
    std::sort(begin, end);  // a total order, without equals
    begin = end;
  }
}

}  // namespace reprise::sim

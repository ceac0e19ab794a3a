// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/contact_rows.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "sim/physics/bodies/body_rows.h"
#include "sim/physics/collision/contact_material.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/shapes/bullet_conversion.h"

namespace reprise::sim {
namespace {

constexpr int kPrimitiveBits = 32;

uint64_t Pack(PrimitivePair primitives) {
  return uint64_t{primitives.first} << kPrimitiveBits | primitives.second;
}

PrimitivePair Unpack(uint64_t primitives) {
  return {.first = static_cast<uint32_t>(primitives >> kPrimitiveBits),
          .second = static_cast<uint32_t>(primitives)};
}

// The kind of the object's body; null when it has none.
const BodyKind* KindOf(const Table& bodies, const PhysicsDefinition& definition,
                       ObjectId object) {
  const uint32_t row = bodies.LowerBound(std::array{object.serial});
  if (row == bodies.row_count()) return nullptr;
  const auto& body = bodies.Get<BodyRow>(row);
  return body.object == object ? &definition.kinds[body.kind] : nullptr;
}

bool IsFiniteRow(const ContactPointRow& row) {
  const auto taint = [](const Vector3& v) {
    return v.x * 0.0 + v.y * 0.0 + v.z * 0.0;
  };
  return row.distance * 0.0 + row.impulse * 0.0 + taint(row.local_a) +
             taint(row.local_b) + taint(row.normal) + taint(row.friction) ==
         0.0;
}

// Whether `row` may follow `previous`: another pair of primitives that comes
// later, at slot 0, or the next slot of the same.
bool MayFollow(const ContactPointRow& row, const ContactPointRow* previous) {
  const auto key = [](const ContactPointRow& r) {
    return std::array{r.object_a.serial, r.object_b.serial, r.primitives};
  };
  if (previous == nullptr || key(*previous) < key(row)) return row.slot == 0;
  return key(*previous) == key(row) && row.slot == previous->slot + 1 &&
         row.slot < MANIFOLD_CACHE_SIZE;
}

// Whether the first of a pair's bodies is body 1 of its manifold.
bool IsSwapped(const btPersistentManifold& manifold,
               const btCollisionObject& first) {
  return manifold.getBody0() != &first;
}

// The row of one point of a manifold.
ContactPointRow RowOf(const KeyedManifold& touching, int slot,
                      const BulletWorld& bullet) {
  const btManifoldPoint& point = touching.manifold->getContactPoint(slot);
  ContactPointRow row = {};
  row.object_a = bullet.key(touching.bodies.first).object;
  row.object_b = bullet.key(touching.bodies.second).object;
  row.primitives = Pack(touching.primitives);
  row.slot = static_cast<uint64_t>(slot);
  row.local_a = FromBullet(point.m_localPointA);
  row.local_b = FromBullet(point.m_localPointB);
  row.normal = FromBullet(point.m_normalWorldOnB);
  row.friction = FromBullet(FrictionImpulse(point));
  if (IsSwapped(*touching.manifold, bullet.body(touching.bodies.first))) {
    std::swap(row.local_a, row.local_b);
    row.normal = -row.normal;
    row.friction = -row.friction;
  }
  row.distance = point.m_distance1;
  row.impulse = point.m_appliedImpulse;
  return row;
}

// The same sums as Bullet's when it looks at a pair.
void Place(const btPersistentManifold& manifold, btManifoldPoint& point) {
  point.m_positionWorldOnA =
      manifold.getBody0()->getWorldTransform() * point.m_localPointA;
  point.m_positionWorldOnB =
      manifold.getBody1()->getWorldTransform() * point.m_localPointB;
}

btManifoldPoint PointOf(const ContactPointRow& row, bool is_swapped,
                        const btPersistentManifold& manifold) {
  btManifoldPoint point(ToBullet(is_swapped ? row.local_b : row.local_a),
                        ToBullet(is_swapped ? row.local_a : row.local_b),
                        ToBullet(is_swapped ? -row.normal : row.normal),
                        row.distance);
  Place(manifold, point);
  point.m_appliedImpulse = row.impulse;
  SetFrictionImpulse(ToBullet(is_swapped ? -row.friction : row.friction),
                     point);
  // What follows from the bodies.
  SetContactMaterial(*manifold.getBody0(), *manifold.getBody1(), point);
  return point;
}

// Writes `row` into row `index` of `table` where it isn't there yet.
void StoreRow(const ContactPointRow& row, uint32_t index, Table& table) {
  if (SameBits(table.Get<ContactPointRow>(index), row)) return;
  table.Mutable<ContactPointRow>(index) = row;
}

}  // namespace

absl::Status CheckContactRows(const Table& table, const Table& bodies,
                              const PhysicsDefinition& definition) {
  const ContactPointRow* previous = nullptr;
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    const auto& row = table.Get<ContactPointRow>(i);
    const auto complaint = [&](const char* text) {
      return absl::DataLossError(
          absl::StrCat("physics.contact_points[", i, "] ", text));
    };
    if (!IsFiniteRow(row)) return complaint("has a number that is not finite");
    if (!MayFollow(row, previous)) return complaint("is out of order");
    const BodyKind* const a = KindOf(bodies, definition, row.object_a);
    const BodyKind* const b = KindOf(bodies, definition, row.object_b);
    if (a == nullptr || b == nullptr || row.object_a >= row.object_b) {
      return complaint("is not between two bodies");
    }
    const PrimitivePair primitives = Unpack(row.primitives);
    if (primitives.first >= PrimitiveCount(definition.shapes[a->shape]) ||
        primitives.second >= PrimitiveCount(definition.shapes[b->shape])) {
      return complaint("is between primitives that don't exist");
    }
    if (!CanTouch(*a, *b)) {
      return complaint("is between two bodies that nothing pushes");
    }
    previous = &row;
  }
  return absl::OkStatus();
}

void LoadContactRows(const Table& table, BulletWorld& bullet) {
  std::vector<ProxyPair> row_pairs(table.row_count());
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    const auto& row = table.Get<ContactPointRow>(i);
    row_pairs[i] = {.first = *bullet.Find(row.object_a),
                    .second = *bullet.Find(row.object_b)};
  }
  std::vector<ProxyPair> pairs = row_pairs;
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  SortedPairCache& cache = bullet.broadphase().pair_cache();
  cache.Update(pairs, bullet.broadphase().proxies(), &bullet.dispatcher());
  for (const btBroadphasePair& pair : cache.pairs()) {
    OrderedDispatcher::ClearContacts(pair);
  }

  size_t pair = 0;
  for (uint32_t i = 0; i < table.row_count(); ++i) {
    const auto& row = table.Get<ContactPointRow>(i);
    if (pairs[pair] != row_pairs[i]) ++pair;
    const btRigidBody& first = bullet.body(pairs[pair].first);
    const btRigidBody& second = bullet.body(pairs[pair].second);
    btPersistentManifold& manifold =
        bullet.dispatcher()
            .AlgorithmOf(cache.pairs()[pair])
            .Restore(first, second, Unpack(row.primitives));
    // As predictive, or Bullet would assert on points that are about to part.
    manifold.addManifoldPoint(
        PointOf(row, IsSwapped(manifold, first), manifold),
        /*isPredictive=*/true);
  }
}

bool HoldsContactRows(const Table& table, BulletWorld& bullet) {
  bullet.dispatcher().FindTouching(bullet.broadphase().pair_cache().pairs());
  uint32_t index = 0;
  for (const KeyedManifold& touching : bullet.dispatcher().touching()) {
    for (int slot = 0; slot < touching.manifold->getNumContacts(); ++slot) {
      if (index == table.row_count() ||
          !SameBits(table.Get<ContactPointRow>(index++),
                    RowOf(touching, slot, bullet))) {
        return false;
      }
    }
  }
  return index == table.row_count();
}

void PlaceContactPoints(BulletWorld& bullet) {
  bullet.dispatcher().FindTouching(bullet.broadphase().pair_cache().pairs());
  for (const KeyedManifold& touching : bullet.dispatcher().touching()) {
    for (int slot = 0; slot < touching.manifold->getNumContacts(); ++slot) {
      Place(*touching.manifold, touching.manifold->getContactPoint(slot));
    }
  }
}

void StoreContactRows(BulletWorld& bullet, Table& table) {
  uint32_t count = 0;
  for (const KeyedManifold& touching : bullet.dispatcher().touching()) {
    count += static_cast<uint32_t>(touching.manifold->getNumContacts());
  }
  table.Resize(count);

  uint32_t index = 0;
  for (const KeyedManifold& touching : bullet.dispatcher().touching()) {
    for (int slot = 0; slot < touching.manifold->getNumContacts(); ++slot) {
      const ContactPointRow row = RowOf(touching, slot, bullet);
      if (IsFiniteRow(row)) {
        StoreRow(row, index++, table);
      } else {
        touching.manifold->removeContactPoint(slot--);
      }
    }
  }
  table.Resize(index);
}

}  // namespace reprise::sim

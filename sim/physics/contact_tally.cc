// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/contact_tally.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "sim/base/math.h"
#include "sim/physics/bullet_world.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/solver/contact_constraints.h"

namespace reprise::sim {
namespace {

std::pair<ObjectId, ObjectId> KeyOf(const BodyContact& contact) {
  return {contact.object_a, contact.object_b};
}

// Whether the point of `a` says more about a contact than that of `b`.
bool IsStronger(const BodyContact& a, const BodyContact& b) {
  if (a.point_impulse_n_s != b.point_impulse_n_s) {
    return a.point_impulse_n_s > b.point_impulse_n_s;
  }
  return a.point_distance_m < b.point_distance_m;
}

// Adds `more`, of the same pair, to `contact`.
void Add(const BodyContact& more, BodyContact& contact) {
  const double impulse = contact.impulse_n_s + more.impulse_n_s;
  if (IsStronger(more, contact)) contact = more;
  contact.impulse_n_s = impulse;
}

// The contact as one point of a manifold makes it. `is_swapped` says that the
// pair's first body is body 1 of the manifold.
BodyContact ContactOf(const btManifoldPoint& point, bool is_swapped,
                      bool is_awake) {
  const double impulse = is_awake ? StepImpulse(point) : 0.0;
  const Vector3 normal = FromBullet(point.m_normalWorldOnB);
  return {.object_a = {},
          .object_b = {},
          .impulse_n_s = impulse,
          .point_impulse_n_s = impulse,
          .point_distance_m = point.getDistance(),
          .point = FromBullet(is_swapped ? point.m_positionWorldOnA
                                         : point.m_positionWorldOnB),
          .normal = is_swapped ? -normal : normal};
}

bool IsFiniteContact(const BodyContact& contact) {
  const double taint = contact.impulse_n_s * 0.0 +
                       Dot(contact.point, Vector3{}) +
                       Dot(contact.normal, Vector3{});
  return IsFinite(taint);
}

}  // namespace

void ContactTally::AddSubstep(BulletWorld& bullet) {
  Collect(bullet);
  Merge();
  CollectImpacts(bullet);
  Merge();
}

void ContactTally::CollectImpacts(const BulletWorld& bullet) {
  substep_.clear();
  for (const Impact& impact : bullet.impacts()) {
    const BodyContact contact = {.object_a = bullet.key(impact.first).object,
                                 .object_b = bullet.key(impact.second).object,
                                 .impulse_n_s = impact.impulse_n_s,
                                 .point_impulse_n_s = impact.point_impulse_n_s,
                                 .point_distance_m = 0.0,
                                 .point = impact.point,
                                 .normal = impact.normal};
    if (IsFiniteContact(contact)) substep_.push_back(contact);
  }
  // Those of one pair stay in the order of time.
  std::stable_sort(substep_.begin(), substep_.end(),
                   [](const BodyContact& a, const BodyContact& b) {
                     return KeyOf(a) < KeyOf(b);
                   });
  size_t count = 0;
  for (const BodyContact& contact : substep_) {
    if (count > 0 && KeyOf(substep_[count - 1]) == KeyOf(contact)) {
      Add(contact, substep_[count - 1]);
    } else {
      substep_[count++] = contact;
    }
  }
  substep_.resize(count);
}

void ContactTally::Collect(BulletWorld& bullet) {
  substep_.clear();
  for (const KeyedManifold& touching : bullet.dispatcher().touching()) {
    const btRigidBody& first = bullet.body(touching.bodies.first);
    const btRigidBody& second = bullet.body(touching.bodies.second);
    if (!first.hasContactResponse() || !second.hasContactResponse()) continue;
    const bool is_swapped = touching.manifold->getBody0() != &first;
    const bool is_awake = first.isActive() || second.isActive();
    const ObjectId object_a = bullet.key(touching.bodies.first).object;
    const ObjectId object_b = bullet.key(touching.bodies.second).object;
    for (int slot = 0; slot < touching.manifold->getNumContacts(); ++slot) {
      BodyContact contact = ContactOf(touching.manifold->getContactPoint(slot),
                                      is_swapped, is_awake);
      if (!IsFiniteContact(contact) ||
          (contact.point_distance_m > 0.0 && contact.impulse_n_s == 0.0)) {
        continue;
      }
      contact.object_a = object_a;
      contact.object_b = object_b;
      // Manifolds are in the order of pairs: a pair's points lie together.
      if (!substep_.empty() && KeyOf(substep_.back()) == KeyOf(contact)) {
        Add(contact, substep_.back());
      } else {
        substep_.push_back(contact);
      }
    }
  }
}

void ContactTally::Merge() {
  if (substep_.empty()) return;
  if (contacts_.empty()) {
    contacts_.swap(substep_);
    return;
  }
  merged_.clear();
  auto old = contacts_.begin();
  for (const BodyContact& contact : substep_) {
    while (old != contacts_.end() && KeyOf(*old) < KeyOf(contact)) {
      merged_.push_back(*old++);
    }
    if (old != contacts_.end() && KeyOf(*old) == KeyOf(contact)) {
      merged_.push_back(*old++);
      Add(contact, merged_.back());
    } else {
      merged_.push_back(contact);
    }
  }
  merged_.insert(merged_.end(), old, contacts_.end());
  contacts_.swap(merged_);
}

}  // namespace reprise::sim

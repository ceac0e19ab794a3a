// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/solver_bodies.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/physics/collision/prefetch.h"

namespace reprise::sim {
namespace {

// How many bodies ahead memory is asked for; not measured apart from the rest.
constexpr size_t kBodiesAhead = 2;

// What is held and turns more slowly than this, rad/s, does not tumble.
constexpr double kTumbleSpeedMin = 0.1;

// Slower than this, in m/s and rad/s, what coasts may sleep: it would take half
// an hour for two metres.
constexpr double kCoastSpeedMin = 1e-3;

// Nor does what gains less than this in a second, m/s and rad/s: a ten
// thousandth of gravity, less than what floats at rest still sways by.
constexpr double kCoastGainMin = 1e-3;

// What turns this much more easily around its length than across it is slender:
// ten times as long as thick.
constexpr double kSlenderRatio = 50.0;

bool IsMovedByImpulses(const SolverBody& body) {
  return body.body != nullptr && !body.body->isStaticOrKinematicObject();
}

void KeepAwake(btRigidBody& body) {
  body.setDeactivationTime(0.0);
  if (body.getActivationState() == WANTS_DEACTIVATION) {
    body.setActivationState(ACTIVE_TAG);
  }
}

}  // namespace

Direction SolverBodyPair::Along(const btVector3& axis,
                                const LaneVector3& arms) const {
  Direction direction;
  direction.linear = Both(axis) * sides;
  direction.angular = Cross(arms, direction.linear);
  direction.response = ResponseTo(direction.angular);
  return direction;
}

Direction SolverBodyPair::Around(const btVector3& axis) const {
  Direction direction;
  direction.angular = Both(axis) * sides;
  direction.response = ResponseTo(direction.angular);
  return direction;
}

double SolverBodyPair::EffectiveMass(const Direction& direction) const {
  const Lanes inverse =
      Dot(direction.linear * pair.inverse_mass, direction.linear) +
      Dot(direction.response, direction.angular);
  const double sum = LaneA(inverse) + LaneB(inverse);
  return sum > SIMD_EPSILON ? 1.0 / sum : 0.0;
}

void SolverBodies::Reset(std::span<btCollisionObject* const> bodies,
                         double step_s) {
  step_s_ = step_s;
  bodies_.assign(1, SolverBody{});
  velocities_.assign(1, BodyVelocity{});
  displacements_.clear();
  constrained_.clear();
  slender_.clear();
  for (btCollisionObject* body : bodies) body->setCompanionId(-1);
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (i + kBodiesAhead < bodies.size()) {
      Prefetch(bodies[i + kBodiesAhead], 0, sizeof(btRigidBody));
    }
    IndexOf(*bodies[i]);
  }
}

uint32_t SolverBodies::IndexOf(btCollisionObject& object) {
  if (object.getCompanionId() >= 0) {
    return static_cast<uint32_t>(object.getCompanionId());
  }
  btRigidBody* const body = btRigidBody::upcast(&object);
  CHECK(body != nullptr);
  if (body->getInvMass() == 0.0 && !body->isKinematicObject()) return 0;
  return Add(*body);
}

uint32_t SolverBodies::Add(btRigidBody& body) {
  CHECK(!body.hasAnisotropicFriction(
      btCollisionObject::CF_ANISOTROPIC_FRICTION |
      btCollisionObject::CF_ANISOTROPIC_ROLLING_FRICTION));
  const auto index = static_cast<uint32_t>(bodies_.size());
  body.setCompanionId(static_cast<int>(index));
  BodyVelocity& velocity = velocities_.emplace_back();
  velocity.linear = body.getLinearVelocity();
  velocity.angular = body.getAngularVelocity();
  SolverBody& taken = bodies_.emplace_back();
  taken.body = &body;
  taken.origin = body.getWorldTransform().getOrigin();
  taken.inverse_mass_by_axis =
      btVector3(body.getInvMass(), body.getInvMass(), body.getInvMass()) *
      body.getLinearFactor();
  taken.inverse_inertia = body.getInvInertiaTensorWorld();
  taken.angular_factor = body.getAngularFactor();
  taken.gain.linear = body.getTotalForce() * body.getInvMass() * step_s_;
  taken.gain.angular =
      body.getTotalTorque() * body.getInvInertiaTensorWorld() * step_s_;
  if (body.getInvMass() == 0.0) return index;

  const int flags = body.getFlags();
  CHECK((flags & (BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT |
                  BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD)) == 0);
  // Which is off where axes are locked.
  const btVector3& inertia = body.getInvInertiaDiagLocal();
  taken.tumbles = (flags & BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY) != 0 &&
                  (inertia.x() != inertia.y() || inertia.y() != inertia.z());
  return index;
}

SolverBodyPair SolverBodies::Join(btCollisionObject& a, btCollisionObject& b,
                                  bool touch) {
  const uint32_t index_a = IndexOf(a);
  const uint32_t index_b = IndexOf(b);
  SolverBody& body_a = bodies_[index_a];
  SolverBody& body_b = bodies_[index_b];
  body_a.is_constrained = true;
  body_b.is_constrained = true;
  body_a.is_touched = body_a.is_touched || touch;
  body_b.is_touched = body_b.is_touched || touch;
  body_a.is_held = body_a.is_held || !touch;
  body_b.is_held = body_b.is_held || !touch;
  // Fixed bodies share an entry, which has no place.
  return {
      .pair = {.a = index_a,
               .b = index_b,
               .moves_a = IsMovedByImpulses(body_a),
               .moves_b = IsMovedByImpulses(body_b),
               .inverse_mass = Pair(body_a.inverse_mass_by_axis,
                                    body_b.inverse_mass_by_axis)},
      .sides = Pair(index_a == 0 ? 0.0 : 1.0, index_b == 0 ? 0.0 : -1.0),
      .inverse_inertia = Pair(body_a.inverse_inertia, body_b.inverse_inertia),
      .angular_factor = Pair(body_a.angular_factor, body_b.angular_factor),
      .origins = Pair(a.getWorldTransform().getOrigin(),
                      b.getWorldTransform().getOrigin()),
      .velocity = {Pair(velocities_[index_a].linear,
                        velocities_[index_b].linear),
                   Pair(velocities_[index_a].angular,
                        velocities_[index_b].angular)},
      .gain = {Pair(body_a.gain.linear, body_b.gain.linear),
               Pair(body_a.gain.angular, body_b.gain.angular)}};
}

void SolverBodies::BeginParts(const StepParts& parts) {
  parts_ = parts;
  displacements_.assign(bodies_.size(), BodyVelocity{});
  pushes_.assign(bodies_.size(), BodyVelocity{});
  const double share = 1.0 / parts.count;
  for (uint32_t i = 1; i < bodies_.size(); ++i) {
    const SolverBody& body = bodies_[i];
    if (!body.is_constrained) continue;
    Constrained& constrained = constrained_.emplace_back();
    constrained.gain.linear = body.gain.linear * share;
    constrained.gain.angular = body.gain.angular * share;
    constrained.index = i;
    constrained.is_touched = body.is_touched;
    constrained.tumbles = body.tumbles && velocities_[i].angular.length2() >
                                              kTumbleSpeedMin * kTumbleSpeedMin;
    if (body.tumbles && !body.is_held) AddSlender(body, constrained);
  }
}

void SolverBodies::AddSlender(const SolverBody& body,
                              Constrained& constrained) {
  const btVector3& inverse = body.body->getInvInertiaDiagLocal();
  const int along = inverse.maxAxis();
  const double across =
      std::max(inverse[(along + 1) % 3], inverse[(along + 2) % 3]);
  if (inverse[along] < kSlenderRatio * across) return;
  constrained.tumbles = true;
  constrained.slender = static_cast<int32_t>(slender_.size());
  slender_.push_back(
      {.length = body.body->getWorldTransform().getBasis().getColumn(along),
       .ratio = across / inverse[along]});
}

void SolverBodies::AddGain(const Constrained& body, double share) {
  BodyVelocity& velocity = velocities_[body.index];
  velocity.linear += body.gain.linear * share;
  velocity.angular += body.gain.angular * share;
  if (!body.tumbles) return;
  if (body.slender >= 0) {
    // Around it the momentum stays; across it, as seen from the frame, it turns
    // by as little as the moments differ much.
    const Slender& slender = slender_[static_cast<size_t>(body.slender)];
    const double spin = slender.length.dot(velocity.angular);
    const double angle = slender.ratio * spin * share * parts_.part_s;
    velocity.angular =
        quatRotate(RotationBy(slender.length * angle), velocity.angular);
    return;
  }
  const btRigidBody& taken = *bodies_[body.index].body;
  const btMatrix3x3 basis =
      btMatrix3x3(body.turned) * taken.getWorldTransform().getBasis();
  velocity.angular = AngularAfter(basis, taken.getInvInertiaDiagLocal(),
                                  velocity.angular, share * parts_.part_s);
}

void SolverBodies::AddGains(bool is_first) {
  for (const Constrained& body : constrained_) {
    AddGain(body, is_first && !body.is_touched ? 0.5 : 1.0);
  }
}

void SolverBodies::AddLastGains() {
  for (const Constrained& body : constrained_) {
    if (!body.is_touched) AddGain(body, 0.5);
  }
}

void SolverBodies::MoveBy(const BodyVelocity& velocity, Constrained& body) {
  BodyVelocity& displacement = displacements_[body.index];
  displacement.linear += velocity.linear * parts_.part_s;
  btVector3 turn = velocity.angular * parts_.part_s;
  if (body.slender >= 0) {
    Slender& slender = slender_[static_cast<size_t>(body.slender)];
    const double spin_rad = slender.length.dot(turn);
    slender.spin_rad += spin_rad;
    turn -= spin_rad * slender.length;
    body.turned *= RotationBy(turn);
  } else if (body.tumbles) {
    body.turned = RotationBy(turn) * body.turned;
  }
  displacement.angular += turn;
}

void SolverBodies::Move(bool is_pushed) {
  for (Constrained& body : constrained_) {
    MoveBy(velocities_[body.index], body);
    if (!is_pushed) continue;
    BodyVelocity& push = pushes_[body.index];
    if (push.linear.isZero() && push.angular.isZero()) continue;
    body.is_pushed = body.is_pushed || push.linear.length2() > 0.0;
    MoveBy(push, body);
    push = BodyVelocity{};
  }
}

double SolverBodies::Motion() const {
  double sum = 0.0;
  for (const Constrained& constrained : constrained_) {
    const btRigidBody& body = *bodies_[constrained.index].body;
    if (body.getInvMass() == 0.0) continue;
    const BodyVelocity& velocity = velocities_[constrained.index];
    const btVector3& inverse = body.getInvInertiaDiagLocal();
    const btVector3 spin =
        velocity.angular * body.getWorldTransform().getBasis();
    sum += velocity.linear.length2() / body.getInvMass() +
           spin.x() * spin.x() / inverse.x() +
           spin.y() * spin.y() / inverse.y() +
           spin.z() * spin.z() / inverse.z();
  }
  return sum;
}

void SolverBodies::FlyFreely(const SolverBody& taken,
                             BodyVelocity& velocity) const {
  btRigidBody& body = *taken.body;
  // Where a constant force takes it.
  body.setInterpolationLinearVelocity(velocity.linear +
                                      0.5 * taken.gain.linear);
  velocity.linear += taken.gain.linear;
  velocity.angular += 0.5 * taken.gain.angular;
  if (taken.tumbles) {
    const FreeRotation rotation =
        TurnFreely(body.getWorldTransform().getBasis(),
                   body.getInvInertiaDiagLocal(), velocity.angular, step_s_);
    body.setInterpolationAngularVelocity(rotation.turn / step_s_);
    velocity.angular = rotation.angular;
  } else {
    body.setInterpolationAngularVelocity(velocity.angular);
  }
  velocity.angular += 0.5 * taken.gain.angular;
  // What nothing holds does not come to rest by being slow: at the top of its
  // flight it is about to fall.
  const double gain_min = kCoastGainMin * step_s_;
  if (velocity.linear.length2() > kCoastSpeedMin * kCoastSpeedMin ||
      velocity.angular.length2() > kCoastSpeedMin * kCoastSpeedMin ||
      taken.gain.linear.length2() > gain_min * gain_min ||
      taken.gain.angular.length2() > gain_min * gain_min) {
    KeepAwake(body);
  }
}

void SolverBodies::WriteBack() {
  const double per_second = 1.0 / step_s_;
  for (const Constrained& body : constrained_) {
    // What is on its way out of an overlap has no speed, but does not rest.
    btRigidBody& pushed = *bodies_[body.index].body;
    if (body.is_pushed && !pushed.isStaticOrKinematicObject()) {
      KeepAwake(pushed);
    }
    // By the order in which turns were made.
    if (!body.tumbles) continue;
    btQuaternion turned = body.turned;
    if (body.slender >= 0) {
      const Slender& slender = slender_[static_cast<size_t>(body.slender)];
      BodyVelocity& velocity = velocities_[body.index];
      velocity.angular = quatRotate(body.turned, velocity.angular);
      turned *= RotationBy(slender.length * slender.spin_rad);
    }
    displacements_[body.index].angular = TurnOf(turned);
  }
  for (uint32_t i = 1; i < bodies_.size(); ++i) {
    const SolverBody& taken = bodies_[i];
    BodyVelocity& velocity = velocities_[i];
    btRigidBody& body = *taken.body;
    if (taken.is_constrained) {
      body.setInterpolationLinearVelocity(displacements_[i].linear *
                                          per_second);
      body.setInterpolationAngularVelocity(displacements_[i].angular *
                                           per_second);
    } else {
      FlyFreely(taken, velocity);
    }
    body.setLinearVelocity(velocity.linear);
    body.setAngularVelocity(velocity.angular);
    body.setCompanionId(-1);
  }
}

}  // namespace reprise::sim

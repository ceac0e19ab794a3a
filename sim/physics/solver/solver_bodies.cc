// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/solver_bodies.h"

#include "LinearMath/btTransformUtil.h"
#include "sim/base/check.h"
#include "sim/physics/collision/prefetch.h"

namespace reprise::sim {
namespace {

// How many bodies ahead memory is asked for; not measured apart from the rest.
constexpr size_t kBodiesAhead = 2;

bool IsZero(const btVector3& v) {
  return v.x() == 0.0 && v.y() == 0.0 && v.z() == 0.0;
}

}  // namespace

void SolverBodies::Reset(std::span<btCollisionObject* const> bodies,
                         const btContactSolverInfo& info) {
  step_s_ = info.m_timeStep;
  push_turn_share_ = info.m_splitImpulseTurnErp;
  bodies_.assign(1, SolverBody{});
  changes_.assign(1, VelocityChange{});
  pushes_.assign(1, VelocityChange{});
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
  changes_.emplace_back();
  pushes_.emplace_back();
  SolverBody& taken = bodies_.emplace_back();
  taken.body = &body;
  taken.origin = body.getWorldTransform().getOrigin();
  taken.inverse_mass = body.getInvMass();
  taken.inverse_mass_by_axis =
      btVector3(body.getInvMass(), body.getInvMass(), body.getInvMass()) *
      body.getLinearFactor();
  taken.inverse_inertia = body.getInvInertiaTensorWorld();
  taken.angular_factor = body.getAngularFactor();
  taken.linear_velocity = body.getLinearVelocity();
  taken.angular_velocity = body.getAngularVelocity();
  taken.linear_gain = body.getTotalForce() * body.getInvMass() * step_s_;
  taken.angular_gain =
      body.getTotalTorque() * body.getInvInertiaTensorWorld() * step_s_;
  if (body.getInvMass() == 0.0) return index;

  const int flags = body.getFlags();
  CHECK((flags & (BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT |
                  BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD)) == 0);
  if ((flags & BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY) != 0) {
    taken.angular_gain += body.computeGyroscopicImpulseImplicit_Body(step_s_);
  }
  return index;
}

SolverBodyPair SolverBodies::PairOf(uint32_t a, uint32_t b) const {
  const SolverBody& body_a = bodies_[a];
  const SolverBody& body_b = bodies_[b];
  const auto moves = [](const SolverBody& body) {
    return body.body != nullptr && !body.body->isStaticOrKinematicObject();
  };
  return {
      .pair = {.a = a,
               .b = b,
               .moves_a = moves(body_a),
               .moves_b = moves(body_b),
               .inverse_mass = Pair(body_a.inverse_mass_by_axis,
                                    body_b.inverse_mass_by_axis)},
      .sides = Pair(a == 0 ? 0.0 : 1.0, b == 0 ? 0.0 : -1.0),
      .inverse_mass = Pair(body_a.inverse_mass, body_b.inverse_mass),
      .inverse_inertia = Pair(body_a.inverse_inertia, body_b.inverse_inertia),
      .angular_factor = Pair(body_a.angular_factor, body_b.angular_factor),
      .velocity = {Pair(body_a.linear_velocity, body_b.linear_velocity),
                   Pair(body_a.angular_velocity, body_b.angular_velocity)},
      .gained = {Pair(body_a.linear_velocity + body_a.linear_gain,
                      body_b.linear_velocity + body_b.linear_gain),
                 Pair(body_a.angular_velocity + body_a.angular_gain,
                      body_b.angular_velocity + body_b.angular_gain)}};
}

void SolverBodies::WriteBack() {
  for (uint32_t i = 1; i < bodies_.size(); ++i) {
    const SolverBody& taken = bodies_[i];
    const VelocityChange& change = changes_[i];
    btRigidBody& body = *taken.body;
    body.setLinearVelocity(taken.linear_velocity + change.linear +
                           taken.linear_gain);
    body.setAngularVelocity(taken.angular_velocity + change.angular +
                            taken.angular_gain);
    const VelocityChange& push = pushes_[i];
    if (!IsZero(push.linear) || !IsZero(push.angular)) {
      btTransform pose;
      btTransformUtil::integrateTransform(body.getWorldTransform(), push.linear,
                                          push.angular * push_turn_share_,
                                          step_s_, pose);
      body.setWorldTransform(pose);
    }
    body.setCompanionId(-1);
  }
}

}  // namespace reprise::sim

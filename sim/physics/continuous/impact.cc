// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/continuous/impact.h"

#include <algorithm>
#include <vector>

#include "sim/base/math.h"
#include "sim/physics/solver/contact_constraints.h"

namespace reprise::sim {
namespace {

// Points that push together agree after some rounds: when none changes its
// impulse by more than this part of it, or after so many.
constexpr double kAgreement = 1e-9;
constexpr int kRoundsMax = 200;

// Points that come nearer only by what others push have passes of their own.
constexpr int kPassesMax = 16;

// Slower than this, m/s, nothing comes nearer: it is rounding.
constexpr double kApproachMin = 1e-9;

// Of two bodies at one point.
class Contact {
 public:
  Contact(const btRigidBody& first, const btRigidBody& second,
          const btVector3& place)
      : first_(first),
        second_(second),
        arm_first_(place - first.getWorldTransform().getOrigin()),
        arm_second_(place - second.getWorldTransform().getOrigin()) {}

  // Of the first against the second.
  btVector3 VelocityOf(const LinearAngular& first,
                       const LinearAngular& second) const {
    return first.linear + first.angular.cross(arm_first_) - second.linear -
           second.angular.cross(arm_second_);
  }

  // The impulse that changes the velocity along `axis` by 1; 0: none does.
  double MassAlong(const btVector3& axis) const {
    LinearAngular first;
    LinearAngular second;
    Push(axis, 1.0, first, second);
    const double change = axis.dot(VelocityOf(first, second));
    return change > SIMD_EPSILON ? 1.0 / change : 0.0;
  }

  void Push(const btVector3& axis, double impulse, LinearAngular& first,
            LinearAngular& second) const {
    PushOne(first_, arm_first_, impulse * axis, first);
    PushOne(second_, arm_second_, -impulse * axis, second);
  }

 private:
  static void PushOne(const btRigidBody& body, const btVector3& arm,
                      const btVector3& impulse, LinearAngular& velocity) {
    if (body.isStaticOrKinematicObject()) return;
    velocity.linear += impulse * body.getInvMass() * body.getLinearFactor();
    velocity.angular += (body.getInvInertiaTensorWorld() * arm.cross(impulse)) *
                        body.getAngularFactor();
  }

  const btRigidBody& first_;
  const btRigidBody& second_;
  btVector3 arm_first_;
  btVector3 arm_second_;
};

}  // namespace

bool SolveImpact(const btRigidBody& first, const btRigidBody& second,
                 std::span<ImpactPoint> points, LinearAngular& velocity_first,
                 LinearAngular& velocity_second) {
  struct Row {
    Contact contact;
    double mass = 0.0;
    double wanted = 0.0;   // velocity along the normal, afterwards
    double impulse = 0.0;  // of a pass
  };
  std::vector<Row> rows;
  for (const ImpactPoint& point : points) {
    Row& row = rows.emplace_back(Row{.contact = {first, second, point.place}});
    row.mass = row.contact.MassAlong(point.normal);
  }
  const auto speed_of = [&](size_t i) {
    return points[i].normal.dot(
        rows[i].contact.VelocityOf(velocity_first, velocity_second));
  };
  const auto press = [&](size_t i, double wanted, double& impulse) {
    const double before = impulse;
    impulse = std::max(before + rows[i].mass * (wanted - speed_of(i)), 0.0);
    rows[i].contact.Push(points[i].normal, impulse - before, velocity_first,
                         velocity_second);
    return Abs(impulse - before) <= kAgreement * impulse;
  };
  // Those that come nearer at a time push together. Were others among them,
  // which are turned to each other only thereby, energy would grow.
  std::vector<size_t> meeting;
  for (int pass = 0; pass < kPassesMax; ++pass) {
    meeting.clear();
    for (size_t i = 0; i < rows.size(); ++i) {
      const double approach = -speed_of(i);
      if (approach <= kApproachMin) continue;
      meeting.push_back(i);
      rows[i].impulse = 0.0;
      rows[i].wanted =
          approach > kBounceSpeedMin ? points[i].restitution * approach : 0.0;
    }
    if (meeting.empty()) break;
    bool agree = false;
    for (int round = 0; round < kRoundsMax && !agree; ++round) {
      agree = true;
      for (const size_t i : meeting) {
        agree = press(i, rows[i].wanted, rows[i].impulse) && agree;
      }
    }
    for (const size_t i : meeting) points[i].impulse_n_s += rows[i].impulse;
  }
  bool has_pushed = false;
  for (size_t i = 0; i < rows.size(); ++i) {
    const ImpactPoint& point = points[i];
    if (point.impulse_n_s == 0.0) continue;
    has_pushed = true;
    // What it slides by, which it may lose and no more.
    const btVector3 velocity =
        rows[i].contact.VelocityOf(velocity_first, velocity_second);
    const btVector3 across =
        velocity - point.normal.dot(velocity) * point.normal;
    const double speed = across.length();
    if (speed <= SIMD_EPSILON) continue;
    const btVector3 axis = across / speed;
    const double impulse = std::min(point.friction * point.impulse_n_s,
                                    rows[i].contact.MassAlong(axis) * speed);
    rows[i].contact.Push(axis, -impulse, velocity_first, velocity_second);
  }
  // Rubbing may have turned them to each other again.
  for (size_t i = 0; i < rows.size() && has_pushed; ++i) {
    double more = 0.0;
    press(i, 0.0, more);
    points[i].impulse_n_s += more;
  }
  return has_pushed;
}

}  // namespace reprise::sim

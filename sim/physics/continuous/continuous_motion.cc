// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/continuous/continuous_motion.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/bullet_parts.h"
#include "sim/physics/shapes/bullet_shapes.h"
#include "sim/physics/shapes/triangle_surface.h"
#include "sim/physics/solver/contact_constraints.h"

namespace reprise::sim {
namespace {

// Two that come nearer to each other in a step by less than this share of the
// ball that fits in the thinner one are found where they touch after it.
constexpr double kSlowShare = 0.1;

// What touches may come nearer by this share of that ball, slowly, until it
// meets: what rests on something or slides along it must not be stopped.
constexpr double kSlopShare = 0.05;

// The same later in the step, when nothing has held them yet.
constexpr double kLaterSlopShare = 0.003;

// Bodies meet this close to each other, or at this share of that ball, if that
// is less: near enough for a contact.
constexpr double kGapM = 1e-4;
constexpr double kGapShare = 0.01;

// Points that touch beside the one that was found: in gaps.
constexpr double kReachGaps = 4.0;

// After so many meetings a body stays where it is for the rest of the step,
// with its velocities; and after so many looks at what did not push it.
constexpr uint32_t kImpactsMax = 32;
constexpr uint32_t kLooksMax = 128;

// The cosine within which a normal looks out of a face, and not along it.
constexpr double kUprightCosine = 0.7;

btVector3 VelocityAtPoint(const btCollisionObject& object,
                          const btVector3& place) {
  const auto& body = static_cast<const btRigidBody&>(object);
  return body.getLinearVelocity() +
         body.getAngularVelocity().cross(place -
                                         body.getWorldTransform().getOrigin());
}

}  // namespace

bool ContinuousMotion::IsNeeded(std::span<const BodyKind> kinds) {
  return std::any_of(kinds.begin(), kinds.end(), [](const BodyKind& kind) {
    return kind.is_continuous && !kind.is_trigger;
  });
}

ContinuousMotion::ContinuousMotion(const PhysicsDefinition& definition,
                                   std::span<btCollisionShape* const> shapes,
                                   btDispatcher& dispatcher)
    : definition_(definition),
      dispatcher_(dispatcher),
      inner_least_m_(kSizeMaxM) {
  for (const BodyKind& kind : definition.kinds) {
    parts_.push_back(
        PartsOf(kind, definition.shapes[kind.shape], *shapes[kind.shape]));
    has_triggers_ = has_triggers_ || kind.is_trigger;
    if (kind.is_continuous) {
      inner_least_m_ = std::min(inner_least_m_, parts_.back().inner_m);
    }
  }
}

const Parts& ContinuousMotion::PartsOfKind(
    const btCollisionObject& body) const {
  return parts_[static_cast<size_t>(&KindOf(body) - definition_.kinds.data())];
}

bool ContinuousMotion::IsFast(const btRigidBody& body, double share,
                              double inner_m) const {
  const double turning =
      body.getAngularVelocity().length() * PartsOfKind(body).extents.length();
  return (body.getLinearVelocity().length() + turning) * step_s_ >
         share * inner_m;
}

void ContinuousMotion::Begin(std::span<btCollisionObject* const> bodies,
                             double step_s) {
  bodies_ = bodies;
  step_s_ = step_s;
  taken_.clear();
  before_.resize(bodies.size());
  for (size_t i = 0; i < bodies.size(); ++i) {
    const auto& body = static_cast<const btRigidBody&>(*bodies[i]);
    if (body.isStaticOrKinematicObject()) continue;
    before_[i] = {.linear = body.getLinearVelocity(),
                  .angular = body.getAngularVelocity()};
  }
}

bool ContinuousMotion::Takes(const btPersistentManifold& manifold) {
  const auto& first = static_cast<const btRigidBody&>(*manifold.getBody0());
  const auto& second = static_cast<const btRigidBody&>(*manifold.getBody1());
  const auto inner = [this](const btRigidBody& body) {
    return KindOf(body).is_continuous ? PartsOfKind(body).inner_m : kSizeMaxM;
  };
  const double inner_m = std::min(inner(first), inner(second));
  if (inner_m == kSizeMaxM || (!IsFast(first, 0.5 * kSlowShare, inner_m) &&
                               !IsFast(second, 0.5 * kSlowShare, inner_m))) {
    return false;
  }
  const double gap_m = std::min(kGapM, kGapShare * inner_m);
  bool any_touches = false;
  bool any_comes = false;
  for (int i = 0; i < manifold.getNumContacts(); ++i) {
    const btManifoldPoint& point = manifold.getContactPoint(i);
    if (point.m_appliedImpulse > 0.0 ||
        point.getDistance() < -kSlopShare * inner_m) {
      return false;
    }
    if (point.getDistance() > gap_m) continue;
    any_touches = true;
    const double approach = point.m_normalWorldOnB.dot(
        VelocityAtPoint(second, point.getPositionWorldOnB()) -
        VelocityAtPoint(first, point.getPositionWorldOnB()));
    any_comes = any_comes || approach > kBounceSpeedMin;
  }
  if (any_touches && !any_comes) return false;
  const auto [lower, upper] =
      std::minmax({first.getWorldArrayIndex(), second.getWorldArrayIndex()});
  taken_.emplace_back(static_cast<uint32_t>(lower),
                      static_cast<uint32_t>(upper));
  return true;
}

bool ContinuousMotion::IsTaken(uint32_t index, uint32_t other) const {
  return std::find(taken_.begin(), taken_.end(),
                   std::pair(std::min(index, other), std::max(index, other))) !=
         taken_.end();
}

SweptBox ContinuousMotion::BoxOf(const Mover& mover) const {
  const btBroadphaseProxy& proxy = *mover.body->getBroadphaseProxy();
  SweptBox box = {.low = proxy.m_aabbMin, .high = proxy.m_aabbMax};
  const BodyWay& way = mover.way;
  if (!mover.is_pushed || !mover.body->isActive()) return box;
  const btVector3& origin = way.from().getOrigin();
  mover.body->getCollisionShape()->getAabb(way.from(), box.low, box.high);
  const double left_s = step_s_ - way.begin_s();
  const double turning = way.TurningSpeed(mover.parts->extents) * left_s;
  const double radius = mover.parts->radius_m;
  const btVector3 now = way.MotionAt(way.begin_s());
  const btVector3 then = way.MotionAt(step_s_);
  for (int axis = 0; axis < 3; ++axis) {
    double& low = box.low[axis];
    double& high = box.high[axis];
    // Nothing turns out of the ball around it.
    low = std::max(low - turning, std::min(low, origin[axis] - radius));
    high = std::min(high + turning, std::max(high, origin[axis] + radius));
    low += left_s * std::min({0.0, now[axis], then[axis]});
    high += left_s * std::max({0.0, now[axis], then[axis]});
  }
  return box;
}

bool ContinuousMotion::IsAnyFast() const {
  return std::any_of(
      bodies_.begin(), bodies_.end(), [this](const btCollisionObject* object) {
        const auto& body = static_cast<const btRigidBody&>(*object);
        return !body.isStaticOrKinematicObject() && body.isActive() &&
               HasFarToGo(body);
      });
}

bool ContinuousMotion::HasFarToGo(const btRigidBody& body) const {
  const Parts& parts = PartsOfKind(body);
  const double inner_m =
      KindOf(body).is_continuous ? parts.inner_m : inner_least_m_;
  const double turning =
      body.getInterpolationAngularVelocity().length() * parts.extents.length();
  const double way_m =
      (body.getInterpolationLinearVelocity().length() + turning) * step_s_;
  return way_m > 0.5 * kSlowShare * inner_m ||
         IsFast(body, 0.5 * kSlowShare, inner_m);
}

void ContinuousMotion::Move() {
  impacts_.clear();
  passages_.clear();
  movers_.clear();
  if (taken_.empty() && !IsAnyFast()) return;
  rests_.clear();
  searchers_.clear();
  boxes_.Clear();
  movers_.resize(bodies_.size());
  for (size_t i = 0; i < bodies_.size(); ++i) {
    auto& body = static_cast<btRigidBody&>(*bodies_[i]);
    Mover& mover = movers_[i];
    mover.body = &body;
    mover.parts = &PartsOfKind(body);
    mover.is_pushed = !body.isStaticOrKinematicObject();
    mover.is_continuous = mover.is_pushed && KindOf(body).is_continuous &&
                          body.hasContactResponse();
    mover.is_fast = mover.is_pushed && body.isActive() && HasFarToGo(body);
  }
  const auto count = static_cast<uint32_t>(movers_.size());
  for (uint32_t i = 0; i < count; ++i) {
    Mover& mover = movers_[i];
    mover.way = mover.is_pushed && mover.body->isActive()
                    ? BodyWay(*mover.body, before_[i], step_s_)
                    : BodyWay(*mover.body);
    boxes_.Add(BoxOf(mover));
  }
  ChooseSearchers();
  boxes_.Sort(searchers_.size());
  for (const uint32_t i : searchers_) Search(i, 0.0, /*all=*/false);
  for (;;) {
    const Mover* next = nullptr;
    for (const uint32_t i : searchers_) {
      const Mover& mover = movers_[i];
      if (!mover.is_meeting) continue;
      if (next == nullptr || mover.meeting_s < next->meeting_s) next = &mover;
    }
    if (next == nullptr) break;
    Meet(static_cast<uint32_t>(next - movers_.data()));
  }
  for (const uint32_t i : searchers_) Pass(i, step_s_);
  // A total order: what is equal is the same.
  std::sort(passages_.begin(), passages_.end());
  passages_.erase(std::unique(passages_.begin(), passages_.end()),
                  passages_.end());
  for (Mover& mover : movers_) {
    if (!mover.is_moved) continue;
    const LinearAngular velocity = mover.way.VelocityAt(step_s_);
    mover.body->setLinearVelocity(velocity.linear);
    mover.body->setAngularVelocity(velocity.angular);
    mover.body->proceedToTransform(mover.way.PoseAt(step_s_));
  }
}

void ContinuousMotion::ChooseSearchers() {
  for (const auto& [lower, upper] : taken_) {
    movers_[lower].is_fast = true;
    movers_[upper].is_fast = true;
  }
  // What isn't continuous and comes fast is looked for by all that is.
  const bool any_other = std::any_of(
      movers_.begin(), movers_.end(),
      [](const Mover& mover) { return mover.is_fast && !mover.is_continuous; });
  for (uint32_t i = 0; i < movers_.size(); ++i) {
    Mover& mover = movers_[i];
    mover.searches = mover.is_continuous && (mover.is_fast || any_other);
    if (mover.searches) searchers_.push_back(i);
  }
}

bool ContinuousMotion::CanPush(const Mover& a, const Mover& b) {
  return (a.is_continuous || b.is_continuous || a.was_hit || b.was_hit) &&
         a.body->hasContactResponse() && b.body->hasContactResponse() &&
         a.body->checkCollideWith(b.body) && b.body->checkCollideWith(a.body);
}

MeetingRule ContinuousMotion::RuleOf(const Mover& a, const Mover& b,
                                     double begin_s) {
  double inner_m = a.parts->inner_m;
  if (b.is_pushed) inner_m = std::min(inner_m, b.parts->inner_m);
  const double gap_m = std::min(kGapM, kGapShare * inner_m);
  return {.gap_m = gap_m,
          .speed_min = kBounceSpeedMin,
          .slop_m = begin_s > 0.0
                        ? std::max(0.5 * gap_m, kLaterSlopShare * inner_m)
                        : kSlopShare * inner_m};
}

void ContinuousMotion::Search(uint32_t index, double begin_s, bool all) {
  Mover& mover = movers_[index];
  mover.is_meeting = false;
  mover.meeting_s = step_s_;
  const CollisionFilter filter = UnionFilter(
      KindOf(*mover.body), definition_.shapes[KindOf(*mover.body).shape]);
  first_meeting_.Clear();
  boxes_.Find(BoxOf(mover), found_);
  for (const uint32_t i : found_) {
    const Mover& other = movers_[i];
    if (i == index || (!all && other.searches && i < index)) continue;
    if (!CanPush(mover, other)) continue;
    const BodyKind& kind = KindOf(*other.body);
    if (!CanMeet(filter, UnionFilter(kind, definition_.shapes[kind.shape]))) {
      continue;
    }
    AddPair(index, i, begin_s);
  }
  const std::optional<FirstMeeting::Found> found =
      first_meeting_.Find(begin_s, step_s_);
  if (!found.has_value()) return;
  mover.is_meeting = true;
  mover.is_unknown = found->meeting.is_unknown;
  mover.meeting_s = found->meeting.time_s;
  mover.normal = found->meeting.normal;
  mover.other = found->other;
  mover.primitives = found->primitives;
}

void ContinuousMotion::AddPair(uint32_t index, uint32_t other, double begin_s) {
  const Mover& a = movers_[index];
  const Mover& b = movers_[other];
  if (IsStill(a) && IsStill(b)) return;
  if (!a.was_hit && !b.was_hit && !IsTaken(index, other)) {
    double inner_m = a.parts->inner_m;
    if (b.is_continuous) inner_m = std::min(inner_m, b.parts->inner_m);
    const double now =
        (a.way.MotionAt(begin_s) - b.way.MotionAt(begin_s)).length();
    const double then =
        (a.way.MotionAt(step_s_) - b.way.MotionAt(step_s_)).length();
    const double speed = std::max(now, then) +
                         a.way.TurningSpeed(a.parts->extents) +
                         b.way.TurningSpeed(b.parts->extents);
    if (speed * step_s_ <= kSlowShare * inner_m) return;
  }
  for (const Part& own : a.parts->all) {
    if (AsSurface(*b.body->getCollisionShape()) != nullptr) {
      AddTriangles(index, other, own, begin_s);
      continue;
    }
    for (const Part& part : b.parts->all) {
      if (!CanMeet(own.filter, part.filter)) continue;
      FirstMeeting::Candidate candidate =
          CandidateOf(index, other, own, part.index, begin_s);
      candidate.second.part = &part;
      first_meeting_.Add(candidate);
    }
  }
}

const ContinuousMotion::Rest* ContinuousMotion::FindRest(
    uint32_t index, uint32_t other, PrimitivePair primitives) const {
  for (const Rest& rest : rests_) {
    if (rest.first == index && rest.second == other &&
        rest.primitives == primitives) {
      return &rest;
    }
  }
  return nullptr;
}

FirstMeeting::Candidate ContinuousMotion::CandidateOf(uint32_t index,
                                                      uint32_t other,
                                                      const Part& own,
                                                      uint32_t primitive,
                                                      double begin_s) const {
  const Mover& a = movers_[index];
  const Mover& b = movers_[other];
  const Rest* const rest =
      FindRest(index, other, {.first = own.index, .second = primitive});
  return {.other = other,
          .first = {.way = &a.way, .part = &own},
          .second = {.way = &b.way},
          .rule = RuleOf(a, b, begin_s),
          .slide = rest != nullptr ? &rest->normal : nullptr};
}

void ContinuousMotion::AddTriangles(uint32_t index, uint32_t other,
                                    const Part& own, double begin_s) {
  const BodyKind& kind = KindOf(*movers_[other].body);
  const CollisionFilter filter =
      FilterOf(kind, definition_.shapes[kind.shape], 0);
  if (!CanMeet(own.filter, filter)) return;
  const Mover& a = movers_[index];
  const Mover& b = movers_[other];
  const TriangleSurface& surface =
      AsSurface(*b.body->getCollisionShape())->surface();
  const btTransform& pose = b.way.from();
  const double left_s = step_s_ - begin_s;
  const btVector3 from = a.way.PoseAt(begin_s)(own.middle);
  // Along the chord; from which the parabola, by an eighth of how its motion
  // changes, and what turns aren't farther than this.
  const btVector3 chord =
      a.way.PoseAt(step_s_).getOrigin() - a.way.PoseAt(begin_s).getOrigin();
  const double bend =
      0.125 * (a.way.MotionAt(step_s_) - a.way.MotionAt(begin_s)).length() *
      left_s;
  const double turning =
      std::min(a.way.TurningSpeed(own.extents) * left_s,
               2.0 * own.middle.length() + own.extents.length());
  surface.FindAlong(FromBullet(pose.invXform(from)),
                    FromBullet(chord * pose.getBasis()),
                    own.radius_m + bend + turning + kGapM, triangles_);
  const Vector3 middle = FromBullet(pose.invXform(from));
  for (const uint32_t i : triangles_) {
    const Triangle triangle = surface.triangle(i);
    // What is solid is met from outside alone.
    if (surface.is_solid() &&
        Dot(Cross(triangle.b - triangle.a, triangle.c - triangle.a),
            middle - triangle.a) < 0.0) {
      continue;
    }
    first_meeting_.AddTriangle(CandidateOf(index, other, own, i, begin_s), i,
                               filter, triangle);
  }
}

void ContinuousMotion::Pass(uint32_t index, double time_s) {
  const Mover& mover = movers_[index];
  if (!has_triggers_ || !mover.is_continuous || IsStill(mover)) return;
  boxes_.Find(BoxOf(mover), passed_);
  const auto enters = [&](const Mover& trigger) {
    for (const Part& own : mover.parts->all) {
      for (const Part& part : trigger.parts->all) {
        if (!CanMeet(own.filter, part.filter)) continue;
        // Wherever they are nearer than a gap.
        const MeetingRule rule = {
            .gap_m = RuleOf(mover, trigger, 0.0).gap_m,
            .speed_min = -2.0 * kSpeedMax * (1.0 + mover.parts->radius_m)};
        if (FindMeeting({&mover.way, &own}, {&trigger.way, &part},
                        mover.way.begin_s(), time_s, rule)
                .has_value()) {
          return true;
        }
      }
    }
    return false;
  };
  for (const uint32_t i : passed_) {
    if (i == index || movers_[i].body->hasContactResponse()) continue;
    if (enters(movers_[i])) passages_.push_back({.trigger = i, .body = index});
  }
}

void ContinuousMotion::Place(uint32_t index, double time_s) {
  Mover& mover = movers_[index];
  if (!mover.is_pushed) return;
  Pass(index, time_s);
  mover.way.AdvanceTo(time_s);
  mover.body->setWorldTransform(mover.way.from());
  mover.body->updateInertiaTensor();
  mover.is_moved = true;
}

bool ContinuousMotion::IsStill(const Mover& mover) {
  return !mover.is_pushed || mover.way.is_halted();
}

void ContinuousMotion::Meet(uint32_t index) {
  Mover& mover = movers_[index];
  const uint32_t other_index = mover.other;
  Mover& other = movers_[other_index];
  const double time_s = mover.meeting_s;
  Place(index, time_s);
  Place(other_index, time_s);
  const bool was_pushed = !mover.is_unknown && Push(index, other_index);
  if (mover.is_unknown) {
    mover.look_count = kLooksMax;
  } else if (was_pushed) {
    for (Mover* const one : {&mover, &other}) {
      if (!one->is_pushed) continue;
      one->was_hit = true;
      if (++one->impact_count == kImpactsMax) one->way.Halt();
    }
    std::erase_if(rests_, [&](const Rest& rest) {
      return rest.first == index || rest.second == index ||
             rest.first == other_index || rest.second == other_index;
    });
  } else {
    Remember(index);
    ++mover.look_count;
  }
  const bool is_given_up = mover.look_count >= kLooksMax;
  if (is_given_up && !mover.way.is_halted()) mover.way.Halt();

  for (const uint32_t i : {index, other_index}) {
    Mover& one = movers_[i];
    if (!one.was_hit) continue;
    if (!one.searches) {
      one.searches = true;
      searchers_.push_back(i);
    }
    boxes_.Grow(i, BoxOf(one));
  }
  // Who met has to look anew, and whose next meeting was with what goes on
  // another way now; all, where one no longer looks for itself.
  for (const uint32_t i : searchers_) {
    Mover& searcher = movers_[i];
    if (searcher.look_count >= kLooksMax) {
      searcher.is_meeting = false;
      continue;
    }
    const auto met = [&](uint32_t one) {
      return i == one || (was_pushed && movers_[one].is_pushed &&
                          searcher.is_meeting && searcher.other == one);
    };
    if (is_given_up || met(index) || met(other_index)) {
      Search(i, time_s, /*all=*/true);
    }
  }
}

void ContinuousMotion::Remember(uint32_t index) {
  const Mover& mover = movers_[index];
  btVector3 normal = mover.normal;
  const btCollisionObject& other = *movers_[mover.other].body;
  if (const SurfaceShape* const shape = AsSurface(*other.getCollisionShape())) {
    // What is on an edge within a surface slides along the face.
    const Triangle triangle =
        shape->surface().triangle(mover.primitives.second);
    const btVector3 face = other.getWorldTransform().getBasis() *
                           ToBullet(Normalized(Cross(triangle.b - triangle.a,
                                                     triangle.c - triangle.a)));
    const double along = face.dot(normal);
    if (Abs(along) > kUprightCosine) normal = along > 0.0 ? face : -face;
  }
  std::erase_if(rests_, [&](const Rest& rest) {
    return rest.first == index && rest.second == mover.other &&
           rest.primitives == mover.primitives;
  });
  rests_.push_back({.first = index,
                    .second = mover.other,
                    .primitives = mover.primitives,
                    .normal = normal});
}

void ContinuousMotion::CollectPoints(const btRigidBody& first,
                                     const btRigidBody& second,
                                     double reach_m) {
  points_.clear();
  PairAlgorithm algorithm(dispatcher_, scratch_);
  algorithm.Process(first, second);
  for (const PairAlgorithm::Contact& contact : algorithm.contacts()) {
    if (contact.manifold == nullptr) continue;
    const double side = contact.manifold->getBody0() == &first ? 1.0 : -1.0;
    for (int i = 0; i < contact.manifold->getNumContacts(); ++i) {
      const btManifoldPoint& point = contact.manifold->getContactPoint(i);
      if (point.getDistance() > reach_m) continue;
      points_.push_back({.place = 0.5 * (point.getPositionWorldOnA() +
                                         point.getPositionWorldOnB()),
                         .normal = side * point.m_normalWorldOnB,
                         .restitution = point.m_combinedRestitution,
                         .friction = point.m_combinedFriction});
    }
  }
}

bool ContinuousMotion::Push(uint32_t index, uint32_t other) {
  const uint32_t lower = std::min(index, other);
  const uint32_t upper = std::max(index, other);
  Mover& first = movers_[lower];
  Mover& second = movers_[upper];
  const double time_s = movers_[index].meeting_s;
  CollectPoints(*first.body, *second.body,
                kReachGaps * RuleOf(movers_[index], movers_[other], 0.0).gap_m);
  const auto velocity_of = [time_s](const Mover& mover) {
    if (mover.is_pushed) return mover.way.VelocityAt(time_s);
    // That of a kinematic body is given.
    return LinearAngular{.linear = mover.body->getLinearVelocity(),
                         .angular = mover.body->getAngularVelocity()};
  };
  LinearAngular velocity_first = velocity_of(first);
  LinearAngular velocity_second = velocity_of(second);
  if (!SolveImpact(*first.body, *second.body, points_, velocity_first,
                   velocity_second)) {
    return false;
  }
  Impact impact = {.first = lower, .second = upper};
  for (const ImpactPoint& point : points_) {
    impact.impulse_n_s += point.impulse_n_s;
    if (point.impulse_n_s <= impact.point_impulse_n_s) continue;
    impact.point_impulse_n_s = point.impulse_n_s;
    impact.point = FromBullet(point.place);
    impact.normal = FromBullet(point.normal);
  }
  impacts_.push_back(impact);
  for (const auto& [mover, velocity] : {std::pair(&first, &velocity_first),
                                        std::pair(&second, &velocity_second)}) {
    if (!mover->is_pushed) continue;
    mover->way.Deflect(*velocity);
    mover->body->activate(/*forceActivation=*/true);
  }
  return true;
}

}  // namespace reprise::sim

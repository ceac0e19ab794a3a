// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How fast bodies get on in a step: what a continuous body meets on its way,
// moving and turning, it meets where and when it does, bounces off and goes on
// for what is left of the step. Nothing passes through it, and it through
// nothing. A function of where bodies are and how they move; nothing of it
// outlives the step.

#ifndef REPRISE_SIM_PHYSICS_CONTINUOUS_CONTINUOUS_MOTION_H_
#define REPRISE_SIM_PHYSICS_CONTINUOUS_CONTINUOUS_MOTION_H_

#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "BulletCollision/BroadphaseCollision/btDispatcher.h"
#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/collision/pair_algorithm.h"
#include "sim/physics/continuous/body_way.h"
#include "sim/physics/continuous/first_meeting.h"
#include "sim/physics/continuous/impact.h"
#include "sim/physics/continuous/meeting.h"
#include "sim/physics/continuous/moving_parts.h"
#include "sim/physics/continuous/swept_boxes.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

// What two bodies, by their indexes in the world, did to each other on their
// way. first < second.
struct Impact {
  uint32_t first = 0;
  uint32_t second = 0;
  double impulse_n_s = 0.0;        // the sum over points
  double point_impulse_n_s = 0.0;  // the largest
  Vector3 point;                   // where it was
  Vector3 normal;                  // out of the second
};

// A trigger, and a body that was in it on its way, by their indexes in the
// world.
struct Passage {
  uint32_t trigger = 0;
  uint32_t body = 0;

  friend auto operator<=>(const Passage&, const Passage&) = default;
};

class ContinuousMotion {
 public:
  // `shapes` are those of the definition, by index. All outlive it.
  ContinuousMotion(const PhysicsDefinition& definition,
                   std::span<btCollisionShape* const> shapes,
                   btDispatcher& dispatcher);

  // Whether any of `kinds` needs it.
  static bool IsNeeded(std::span<const BodyKind> kinds);

  // Before a step is solved. `bodies` live until Move.
  void Begin(std::span<btCollisionObject* const> bodies, double step_s);

  // Whether two bodies that come at each other meet on their way, and the
  // solver leaves them alone: then Move sees to them.
  bool Takes(const btPersistentManifold& manifold);

  // After it is solved: moves the bodies that meet something.
  void Move();
  // Whether the last Move has moved a body.
  bool HasMoved(uint32_t body) const {
    return !movers_.empty() && movers_[body].is_moved;
  }
  // What happened in it, in order of time.
  std::span<const Impact> impacts() const { return impacts_; }
  // Which triggers fast continuous bodies were in, ascending, each pair once.
  std::span<const Passage> passages() const { return passages_; }

 private:
  // A body in a step.
  struct Mover {
    btRigidBody* body = nullptr;
    const Parts* parts = nullptr;
    BodyWay way;
    bool is_continuous = false;
    bool is_pushed = false;  // by impulses
    bool is_fast = false;
    bool searches = false;
    bool was_hit = false;
    bool is_moved = false;
    uint32_t impact_count = 0;
    uint32_t look_count = 0;
    // What it meets next, as far as it is known.
    bool is_meeting = false;
    bool is_unknown = false;
    double meeting_s = 0.0;
    uint32_t other = 0;
    PrimitivePair primitives;
    btVector3 normal = btVector3(0.0, 0.0, 0.0);
  };
  // Two primitives that were found to touch without pushing each other.
  struct Rest {
    uint32_t first = 0;
    uint32_t second = 0;
    PrimitivePair primitives;
    btVector3 normal;
  };

  bool IsTaken(uint32_t index, uint32_t other) const;
  const Parts& PartsOfKind(const btCollisionObject& body) const;
  bool IsFast(const btRigidBody& body, double share, double inner_m) const;
  bool HasFarToGo(const btRigidBody& body) const;
  bool IsAnyFast() const;
  SweptBox BoxOf(const Mover& mover) const;
  void ChooseSearchers();
  static bool CanPush(const Mover& a, const Mover& b);
  static MeetingRule RuleOf(const Mover& a, const Mover& b, double begin_s);
  // Finds what a body meets first from `begin_s` on; `all`: also others that
  // search.
  void Search(uint32_t index, double begin_s, bool all);
  // Add what may be it to `first_meeting_`.
  void AddPair(uint32_t index, uint32_t other, double begin_s);
  void AddTriangles(uint32_t index, uint32_t other, const Part& own,
                    double begin_s);
  FirstMeeting::Candidate CandidateOf(uint32_t index, uint32_t other,
                                      const Part& own, uint32_t primitive,
                                      double begin_s) const;
  const Rest* FindRest(uint32_t index, uint32_t other,
                       PrimitivePair primitives) const;
  // The two are where they meet: has them push each other.
  void Meet(uint32_t index);
  bool Push(uint32_t index, uint32_t other);
  void CollectPoints(const btRigidBody& first, const btRigidBody& second,
                     double reach_m);
  // Puts it where it is then; finds the triggers on its way there.
  void Place(uint32_t index, double time_s);
  void Pass(uint32_t index, double time_s);
  static bool IsStill(const Mover& mover);
  // That the two whose turn it was touch without pushing.
  void Remember(uint32_t index);

  const PhysicsDefinition& definition_;
  btDispatcher& dispatcher_;
  std::vector<Parts> parts_;    // by kind
  double inner_least_m_ = 0.0;  // of continuous kinds
  bool has_triggers_ = false;
  double step_s_ = 0.0;
  std::span<btCollisionObject* const> bodies_;
  std::vector<LinearAngular> before_;
  // The pairs of bodies that were taken, by their indexes in the world, lower
  // ones first.
  std::vector<std::pair<uint32_t, uint32_t>> taken_;
  std::vector<Mover> movers_;
  SweptBoxes boxes_;
  std::vector<uint32_t> searchers_;
  std::vector<Rest> rests_;
  std::vector<Impact> impacts_;
  std::vector<Passage> passages_;
  // Memory to work with.
  std::vector<uint32_t> found_;
  std::vector<uint32_t> passed_;
  std::vector<uint32_t> triangles_;
  FirstMeeting first_meeting_;
  std::vector<ImpactPoint> points_;
  PairAlgorithm::Scratch scratch_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CONTINUOUS_CONTINUOUS_MOTION_H_

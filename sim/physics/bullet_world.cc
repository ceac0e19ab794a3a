// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bullet_world.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "BulletCollision/CollisionDispatch/btSimulationIslandManager.h"
#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/physics/bodies/cone_twist_constraint.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/solver/free_rotation.h"

// Declared in none of Bullet's headers that are meant to be included.
extern bool gContactCalcArea3Points;

namespace reprise::sim {
namespace {

// In a dense pile a body's box overlaps about five others, of which it touches
// three. What doesn't fit a pool is allocated.
constexpr int kPooledPairsPerBody = 6;
constexpr int kPooledManifoldsPerBody = 3;
constexpr int kPoolMin = 64;
constexpr int kPoolMax = 8192;

btDefaultCollisionConstructionInfo PoolsFor(size_t body_count) {
  const auto pool = [body_count](int per_body) {
    return std::clamp(per_body * static_cast<int>(body_count), kPoolMin,
                      kPoolMax);
  };
  btDefaultCollisionConstructionInfo info;
  info.m_defaultMaxPersistentManifoldPoolSize = pool(kPooledManifoldsPerBody);
  info.m_defaultMaxCollisionAlgorithmPoolSize = pool(kPooledPairsPerBody);
  info.m_customCollisionAlgorithmMaxElementSize = sizeof(PairAlgorithm);
  return info;
}

// Bullet's switches for the whole process. Worlds on other threads read them,
// so they are left alone, but a step is only itself with these values.
void CheckGlobals() {
  CHECK(gContactBreakingThreshold == 0.02);
  CHECK(gContactCalcArea3Points);
  CHECK(gContactAddedCallback == nullptr);
  CHECK(gContactProcessedCallback == nullptr);
  CHECK(gContactDestroyedCallback == nullptr);
}

// Whether a body that isn't asleep has been slow for long enough.
bool IsTired(const btRigidBody& body, double substep_s) {
  // What the solver keeps awake, for it coasts, has been slow for a substep.
  return body.getDeactivationTime() >
         std::max(KindOf(body).sleep.seconds, substep_s);
}

// Whether a body is moved by who set it, and not by physics.
bool Moves(const btCollisionObject& body) {
  return body.isKinematicObject() && body.isActive();
}

// Whether a body refers to a joint.
bool HasReference(btRigidBody& body, const btTypedConstraint& joint) {
  for (int i = 0; i < body.getNumConstraintRefs(); ++i) {
    if (body.getConstraintRef(i) == &joint) return true;
  }
  return false;
}

}  // namespace

BulletWorld::DynamicsWorld::DynamicsWorld(
    OrderedDispatcher& dispatcher, SortedBroadphase& broadphase,
    btConstraintSolver& solver, btCollisionConfiguration& configuration)
    : btDiscreteDynamicsWorld(&dispatcher, &broadphase, &solver,
                              &configuration),
      island_solver_(dispatcher, solver) {
  m_islandManager->setSplitIslands(false);  // island_solver_ does
  // Manifolds without points, which a restored world lacks, wake nothing.
  getDispatchInfo().m_deterministicOverlappingPairs = true;
  // Pairs are looked at where bodies are; there is nothing along their way.
  getDispatchInfo().m_useContinuous = false;
}

void BulletWorld::DynamicsWorld::OrderBodies(std::span<const LiveBody> bodies) {
  m_collisionObjects.resizeNoInitialize(static_cast<int>(bodies.size()));
  m_nonStaticRigidBodies.resizeNoInitialize(0);
  int index = 0;
  for (const LiveBody& live : bodies) {
    btRigidBody* const body = live.body.get();
    m_collisionObjects[index] = body;
    body->setWorldArrayIndex(index++);
    if (!body->isStaticObject()) m_nonStaticRigidBodies.push_back(body);
  }
}

void BulletWorld::DynamicsWorld::OrderJoints(
    std::span<const LiveJoint> joints) {
  m_constraints.resizeNoInitialize(static_cast<int>(joints.size()));
  int index = 0;
  for (const LiveJoint& live : joints) {
    m_constraints[index++] = live.joint.get();
  }
}

void BulletWorld::DynamicsWorld::WakeTouched() {
  bool any_moves = false;
  for (int i = 0; i < m_collisionObjects.size(); ++i) {
    any_moves = any_moves || Moves(*m_collisionObjects[i]);
  }
  if (!any_moves) return;
  const auto wake = [](const btCollisionObject& mover,
                       const btCollisionObject& other) {
    if (Moves(mover) && mover.hasContactResponse() && !other.isActive()) {
      other.activate();
    }
  };
  for (int i = 0; i < m_dispatcher1->getNumManifolds(); ++i) {
    const btPersistentManifold& manifold =
        *m_dispatcher1->getManifoldByIndexInternal(i);
    if (manifold.getNumContacts() == 0) continue;
    wake(*manifold.getBody0(), *manifold.getBody1());
    wake(*manifold.getBody1(), *manifold.getBody0());
  }
}

void BulletWorld::DynamicsWorld::WakeJoined() {
  for (int i = 0; i < m_constraints.size(); ++i) {
    btTypedConstraint& joint = *m_constraints[i];
    if (!joint.isEnabled()) continue;
    if (IsAtWork(joint)) {
      joint.getRigidBodyA().activate();
      joint.getRigidBodyB().activate();
      continue;
    }
    // A body that nothing pushes is left as it is by activate().
    if (Moves(joint.getRigidBodyA())) joint.getRigidBodyB().activate();
    if (Moves(joint.getRigidBodyB())) joint.getRigidBodyA().activate();
  }
}

void BulletWorld::DynamicsWorld::SetContinuousMotion(
    ContinuousMotion* continuous) {
  continuous_ = continuous;
  island_solver_.SetExclusion(
      [continuous](const btPersistentManifold& manifold) {
        return continuous->Takes(manifold);
      });
}

void BulletWorld::DynamicsWorld::solveConstraints(
    btContactSolverInfo& solver_info) {
  if (continuous_ != nullptr) {
    continuous_->Begin({&m_collisionObjects[0],
                        static_cast<size_t>(m_collisionObjects.size())},
                       solver_info.m_timeStep);
  }
  island_solver_.Prepare(
      solver_info, {m_constraints.size() > 0 ? &m_constraints[0] : nullptr,
                    static_cast<size_t>(m_constraints.size())});
  m_constraintSolver->prepareSolve(getNumCollisionObjects(),
                                   getDispatcher()->getNumManifolds());
  m_islandManager->buildAndProcessIslands(getDispatcher(), this,
                                          &island_solver_);
  m_constraintSolver->allSolved(solver_info, nullptr);
}

void BulletWorld::DynamicsWorld::integrateTransforms(btScalar substep_s) {
  if (continuous_ != nullptr) continuous_->Move();
  for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
    btRigidBody& body = *m_nonStaticRigidBodies[i];
    if (!body.isActive() || body.isStaticOrKinematicObject()) continue;
    const auto index = static_cast<uint32_t>(body.getWorldArrayIndex());
    if (continuous_ != nullptr && continuous_->HasMoved(index)) continue;
    // By which the solver has it move.
    const btVector3& linear = body.getInterpolationLinearVelocity();
    const btTransform& from = body.getWorldTransform();
    const btVector3 turn = substep_s * body.getInterpolationAngularVelocity();
    body.proceedToTransform(btTransform(TurnedBy(from.getBasis(), turn),
                                        from.getOrigin() + substep_s * linear));
  }
}

void BulletWorld::DynamicsWorld::SetDamping(
    const PhysicsDefinition& definition) {
  const double substep_s = definition.tick_s / definition.substeps;
  kinds_ = definition.kinds;
  for (const BodyKind& kind : kinds_) {
    damping_.push_back({.linear = Pow(1.0 - kind.linear_damping, substep_s),
                        .angular = Pow(1.0 - kind.angular_damping, substep_s)});
  }
}

void BulletWorld::DynamicsWorld::predictUnconstraintMotion(
    btScalar /*substep_s*/) {
  for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
    btRigidBody& body = *m_nonStaticRigidBodies[i];
    if (body.isStaticOrKinematicObject()) continue;
    const Damping& damping = damping_[&KindOf(body) - kinds_.data()];
    body.setLinearVelocity(damping.linear * body.getLinearVelocity());
    body.setAngularVelocity(damping.angular * body.getAngularVelocity());
  }
}

void BulletWorld::DynamicsWorld::updateActivationState(btScalar substep_s) {
  for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
    btRigidBody& body = *m_nonStaticRigidBodies[i];
    if (KindOf(body).sleep.never) {
      body.activate();
      continue;
    }
    body.updateDeactivation(substep_s);
    const int state = body.getActivationState();
    if (state == ISLAND_SLEEPING) {
      body.setLinearVelocity(btVector3(0.0, 0.0, 0.0));
      body.setAngularVelocity(btVector3(0.0, 0.0, 0.0));
    } else if (state == WANTS_DEACTIVATION || IsTired(body, substep_s)) {
      body.setActivationState(WANTS_DEACTIVATION);
    } else {
      body.setActivationState(ACTIVE_TAG);
    }
  }
}

BulletWorld::BulletWorld(const PhysicsDefinition& definition)
    : definition_(definition),
      configuration_(PoolsFor(definition.bodies.size())),
      dispatcher_(&configuration_),
      world_anchor_(0.0, nullptr, nullptr),
      world_(dispatcher_, broadphase_, solver_, configuration_) {
  CheckGlobals();
  world_.setGravity(ToBullet(definition.gravity_m_s2));
  world_.SetDamping(definition);

  std::vector<btCollisionShape*> shapes;
  for (const ShapeDefinition& shape : definition.shapes) {
    shapes.push_back(shapes_.emplace_back(MakeBulletShape(shape)).get());
  }
  if (ContinuousMotion::IsNeeded(definition.kinds)) {
    continuous_ =
        std::make_unique<ContinuousMotion>(definition, shapes, dispatcher_);
    world_.SetContinuousMotion(continuous_.get());
  }
}

BulletWorld::~BulletWorld() { ReplaceBodies(0, {}); }

MassProperties BulletWorld::ComputeMassProperties(uint32_t kind) const {
  const BodyKind& body_kind = definition_.kinds[kind];
  const std::unique_ptr<btRigidBody> body =
      MakeBulletBody(body_kind, definition_.shapes[body_kind.shape],
                     shapes_[body_kind.shape].get());
  return {.inverse_mass = body->getInvMass(),
          .inverse_inertia = FromBullet(body->getInvInertiaDiagLocal()),
          .linear_factor = FromBullet(body->getLinearFactor()),
          .angular_factor = FromBullet(body->getAngularFactor())};
}

std::optional<uint32_t> BulletWorld::Find(ObjectId object) const {
  const auto found = std::lower_bound(
      bodies_.begin(), bodies_.end(), object,
      [](const LiveBody& body, ObjectId id) { return body.key.object < id; });
  if (found == bodies_.end() || found->key.object != object) {
    return std::nullopt;
  }
  return static_cast<uint32_t>(found - bodies_.begin());
}

bool BulletWorld::ReplaceBodies(uint32_t first, std::span<const BodyKey> keys) {
  std::vector<LiveBody> before(std::make_move_iterator(bodies_.begin() + first),
                               std::make_move_iterator(bodies_.end()));
  bodies_.resize(first);
  std::vector<btBroadphaseProxy*> proxies;
  bool any_went = false;
  auto old = before.begin();
  for (const BodyKey& key : keys) {
    while (old != before.end() && old->key.object < key.object) ++old;
    LiveBody& body = bodies_.emplace_back(LiveBody{.key = key, .body = {}});
    if (old != before.end() && old->key == key) {
      body.body = std::move(old->body);
    } else {
      body.body = MakeBody(key.kind);
    }
    proxies.push_back(body.body->getBroadphaseProxy());
  }
  for (const LiveBody& body : before) {
    any_went = any_went || body.body != nullptr;
  }

  if (any_went) {
    // While the bodies that go still are, for their joints to let go of them.
    const auto has_gone = [this](const LiveJoint& joint) {
      const btRigidBody* const a = BodyOf(joint.object_a);
      const btRigidBody* const b = BodyOf(joint.object_b);
      const auto holds = [&joint](const btRigidBody* body) {
        return body == &joint.joint->getRigidBodyA() ||
               body == &joint.joint->getRigidBodyB();
      };
      return !holds(a) || !holds(b);
    };
    for (const LiveJoint& joint : joints_) {
      if (has_gone(joint)) world_.removeConstraint(joint.joint.get());
    }
    std::erase_if(joints_, has_gone);
    world_.OrderJoints(joints_);
  }
  broadphase_.Rearrange(first, proxies, &dispatcher_);
  world_.OrderBodies(bodies_);
  return any_went;
}

void BulletWorld::ReplaceJoints(std::span<const JointKey> keys) {
  std::vector<LiveJoint> before = std::move(joints_);
  joints_.clear();
  auto old = before.begin();
  for (const JointKey& key : keys) {
    while (old != before.end() && ComesBefore(old->key, key)) ++old;
    if (old != before.end() && old->key == key) {
      joints_.push_back(std::move(*old));
    } else {
      joints_.push_back(MakeJoint(key));
    }
  }
  for (const LiveJoint& joint : before) {
    if (joint.joint != nullptr) world_.removeConstraint(joint.joint.get());
  }
  world_.OrderJoints(joints_);
}

BulletWorld::LiveJoint BulletWorld::MakeJoint(const JointKey& key) {
  const bool is_of_pack = key.owner == kNoObject;
  const JointDefinition* const definition =
      is_of_pack ? FindJoint(definition_, key.name)
                 : FindJointTemplate(definition_, key.name);
  CHECK(definition != nullptr);
  LiveJoint live{.key = key,
                 .object_a = is_of_pack ? definition->object_a : key.object_a,
                 .object_b = is_of_pack ? definition->object_b : key.object_b,
                 .collides_when_broken =
                     !definition->bodies_collide && !definition->stay_apart,
                 .joint = nullptr};
  btRigidBody* const a = BodyOf(live.object_a);
  btRigidBody* const b = BodyOf(live.object_b);
  CHECK(a != nullptr);
  CHECK(b != nullptr);
  live.joint = MakeConeTwist(*definition, *a, *b);
  if (live.joint == nullptr) {
    live.joint = MakeBulletJoint(*definition, *a, *b);
  }
  world_.addConstraint(
      live.joint.get(),
      /*disableCollisionsBetweenLinkedBodies=*/!definition->bodies_collide);
  return live;
}

void BulletWorld::FilterJoined() {
  for (const LiveJoint& live : joints_) {
    if (!live.collides_when_broken) continue;
    btTypedConstraint* const joint = live.joint.get();
    btRigidBody& a = joint->getRigidBodyA();
    btRigidBody& b = joint->getRigidBodyB();
    // A body that refers to a joint doesn't touch the other one. Another joint
    // may hold the two apart still: each has its own entry.
    const bool is_apart = HasReference(a, *joint);
    if (is_apart == joint->isEnabled()) continue;
    if (is_apart) {
      a.removeConstraintRef(joint);
      b.removeConstraintRef(joint);
    } else {
      a.addConstraintRef(joint);
      b.addConstraintRef(joint);
    }
  }
}

btRigidBody* BulletWorld::BodyOf(ObjectId object) {
  if (object == kNoObject) return &world_anchor_;
  const std::optional<uint32_t> index = Find(object);
  return index.has_value() ? &body(*index) : nullptr;
}

std::unique_ptr<btRigidBody> BulletWorld::MakeBody(uint64_t kind_index) {
  CHECK(kind_index < definition_.kinds.size(), "kind {} of {}", kind_index,
        definition_.kinds.size());
  const BodyKind& kind = definition_.kinds[kind_index];
  std::unique_ptr<btRigidBody> body = MakeBulletBody(
      kind, definition_.shapes[kind.shape], shapes_[kind.shape].get());
  const CollisionFilter filter =
      UnionFilter(kind, definition_.shapes[kind.shape]);
  world_.addRigidBody(body.get(), static_cast<int>(filter.layers),
                      static_cast<int>(filter.collides_with));
  if (kind.motion == Motion::kDynamic) {
    body->setGravity(ToBullet(kind.gravity_scale * definition_.gravity_m_s2));
  }
  return body;
}

void BulletWorld::Step(double substep_s) {
  if (bodies_.empty()) return;
  // With a greatest number of substeps of 0 Bullet makes exactly one, of this
  // length, and keeps no time over.
  FilterJoined();
  world_.WakeTouched();
  world_.WakeJoined();
  world_.stepSimulation(substep_s, 0);
}

}  // namespace reprise::sim

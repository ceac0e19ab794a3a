// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/stock/stock_world.h"

#include <utility>
#include <vector>

#include "BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h"
#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "BulletCollision/CollisionShapes/btTriangleMesh.h"
#include "BulletDynamics/Vehicle/btRaycastVehicle.h"
#include "btBulletDynamicsCommon.h"
#include "sim/physics/bodies/bullet_joints.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/bullet_parts.h"
#include "sim/physics/shapes/triangle_surface.h"

namespace reprise::sim {
namespace {

// A compound with the tree over its children, which is the default.
std::unique_ptr<btCompoundShape> MakeCompound(const BulletShape& shape) {
  auto compound = std::make_unique<btCompoundShape>();
  const auto& plain = static_cast<const btCompoundShape&>(*shape.compound);
  for (int i = 0; i < plain.getNumChildShapes(); ++i) {
    compound->addChildShape(plain.getChildTransform(i),
                            shape.primitives[i].get());
  }
  return compound;
}

}  // namespace

struct StockWorld::Parts {
  struct Vehicle {
    VehicleDefinition definition;
    btRaycastVehicle::btVehicleTuning tuning;
    std::unique_ptr<btDefaultVehicleRaycaster> raycaster;
    std::unique_ptr<btRaycastVehicle> vehicle;
  };

  void AddShape(const ShapeDefinition& definition);

  double tick_s = 0.0;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  std::vector<std::unique_ptr<btTriangleMesh>> meshes;
  std::vector<BulletShape> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  std::vector<std::unique_ptr<btTypedConstraint>> joints;
  std::vector<Vehicle> vehicles;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver,
                                &configuration};
};

void StockWorld::Parts::AddShape(const ShapeDefinition& definition) {
  BulletShape& shape = shapes.emplace_back(MakeBulletShape(definition));
  if (shape.compound != nullptr) shape.compound = MakeCompound(shape);
  if (!IsSurface(definition)) return;
  // Bullet's mesh instead of ours.
  const TriangleSurface surface(definition);
  meshes.push_back(std::make_unique<btTriangleMesh>());
  for (uint32_t i = 0; i < surface.triangle_count(); ++i) {
    const Triangle triangle = surface.triangle(i);
    meshes.back()->addTriangle(ToBullet(triangle.a), ToBullet(triangle.b),
                               ToBullet(triangle.c));
  }
  shape.primitives[0] = std::make_unique<btBvhTriangleMeshShape>(
      meshes.back().get(), /*useQuantizedAabbCompression=*/true);
}

StockWorld::StockWorld(const PhysicsDefinition& definition)
    : parts_(std::make_unique<Parts>()) {
  btDiscreteDynamicsWorld& world = parts_->world;
  parts_->tick_s = definition.tick_s;
  world.setGravity(ToBullet(definition.gravity_m_s2));
  for (const ShapeDefinition& shape : definition.shapes) {
    parts_->AddShape(shape);
  }
  for (const BodyPlacement& placement : definition.bodies) {
    const BodyKind& kind = definition.kinds[placement.kind];
    parts_->bodies.push_back(MakeBulletBody(kind, definition.shapes[kind.shape],
                                            parts_->shapes[kind.shape].get()));
    btRigidBody& body = *parts_->bodies.back();
    body.setCenterOfMassTransform(
        ToBullet(placement.position, placement.rotation));
    body.setLinearVelocity(ToBullet(placement.linear_velocity_m_s));
    body.setAngularVelocity(ToBullet(placement.angular_velocity_rad_s));
    world.addRigidBody(&body);
  }
  for (const JointDefinition& joint : definition.joints) {
    parts_->joints.push_back(
        MakeBulletJoint(joint, *parts_->bodies[joint.object_a.serial - 1],
                        *parts_->bodies[joint.object_b.serial - 1]));
    world.addConstraint(parts_->joints.back().get(),
                        /*disableCollisionsBetweenLinkedBodies=*/true);
  }
}

StockWorld::~StockWorld() {
  for (const auto& vehicle : parts_->vehicles) {
    parts_->world.removeAction(vehicle.vehicle.get());
  }
  for (const auto& joint : parts_->joints) {
    parts_->world.removeConstraint(joint.get());
  }
  for (const auto& body : parts_->bodies) {
    parts_->world.removeRigidBody(body.get());
  }
}

void StockWorld::AddVehicle(ObjectId chassis,
                            const VehicleDefinition& definition) {
  btRigidBody& body = *parts_->bodies[chassis.serial - 1];
  const double mass_kg = 1.0 / body.getInvMass();
  Parts::Vehicle added;
  added.definition = definition;
  added.raycaster = std::make_unique<btDefaultVehicleRaycaster>(&parts_->world);
  added.vehicle = std::make_unique<btRaycastVehicle>(added.tuning, &body,
                                                     added.raycaster.get());
  body.setActivationState(DISABLE_DEACTIVATION);  // as its manual asks
  added.vehicle->setCoordinateSystem(/*rightIndex=*/0, /*upIndex=*/1,
                                     /*forwardIndex=*/2);
  for (const WheelDefinition& wheel : definition.wheels) {
    // Bullet's springs and dampers are per mass of the chassis, and its travel
    // is counted in centimetres to either side of the rest.
    btRaycastVehicle::btVehicleTuning tuning;
    tuning.m_suspensionStiffness = wheel.stiffness_n_m / mass_kg;
    tuning.m_suspensionCompression = wheel.damping_compression_n_s_m / mass_kg;
    tuning.m_suspensionDamping = wheel.damping_rebound_n_s_m / mass_kg;
    tuning.m_maxSuspensionTravelCm = 100.0 * wheel.travel_m;
    tuning.m_maxSuspensionForce = wheel.force_max_n;
    tuning.m_frictionSlip = wheel.friction;
    added.vehicle->addWheel(ToBullet(wheel.position), btVector3(0.0, -1.0, 0.0),
                            btVector3(-1.0, 0.0, 0.0), wheel.travel_m,
                            wheel.radius_m, tuning, wheel.is_steered);
  }
  parts_->world.addAction(added.vehicle.get());
  parts_->vehicles.push_back(std::move(added));
}

void StockWorld::Drive(double throttle, double steer) {
  for (const Parts::Vehicle& driven : parts_->vehicles) {
    const VehicleDefinition& definition = driven.definition;
    double driven_wheels = 0.0;
    for (const WheelDefinition& wheel : definition.wheels) {
      driven_wheels += wheel.is_driven ? 1.0 : 0.0;
    }
    int index = 0;
    for (const WheelDefinition& wheel : definition.wheels) {
      if (wheel.is_driven) {
        driven.vehicle->applyEngineForce(
            throttle * definition.engine_force_n / driven_wheels, index);
      }
      if (wheel.is_steered) {
        driven.vehicle->setSteeringValue(steer * definition.steering_max_rad,
                                         index);
      }
      ++index;
    }
  }
}

void StockWorld::Step() {
  parts_->world.stepSimulation(parts_->tick_s, /*maxSubSteps=*/0);
}

StockMotion StockWorld::motion(uint32_t body) const {
  const btRigidBody& found = *parts_->bodies[body];
  return {.position = FromBullet(found.getWorldTransform().getOrigin()),
          .basis = FromBullet(found.getWorldTransform().getBasis()),
          .linear_velocity = FromBullet(found.getLinearVelocity()),
          .angular_velocity = FromBullet(found.getAngularVelocity())};
}

uint32_t StockWorld::contact_point_count() const {
  int count = 0;
  for (int i = 0; i < parts_->dispatcher.getNumManifolds(); ++i) {
    count += parts_->dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
  }
  return static_cast<uint32_t>(count);
}

bool StockWorld::CastRay(Vector3 from, Vector3 to) const {
  btCollisionWorld::ClosestRayResultCallback closest(ToBullet(from),
                                                     ToBullet(to));
  parts_->world.rayTest(ToBullet(from), ToBullet(to), closest);
  return closest.hasHit();
}

}  // namespace reprise::sim

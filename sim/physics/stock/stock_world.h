// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The other side of every figure: a physics definition stepped by Bullet as it
// comes, with default settings (dynamic tree, hashed pairs, its own compounds,
// meshes, islands and vehicles). Layers and rules of combination are left out.
//
// It is a shared object of its own, with an unpatched Bullet that is always
// built with -O2, so that our flags are compared and not lent.

#ifndef REPRISE_SIM_PHYSICS_STOCK_STOCK_WORLD_H_
#define REPRISE_SIM_PHYSICS_STOCK_STOCK_WORLD_H_

#include <cstdint>
#include <memory>

#include "sim/geometry/matrix3.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/vehicles/vehicle_definition.h"

namespace reprise::sim {

// How a body is and moves; m, m/s, rad/s.
struct StockMotion {
  Vector3 position;
  Matrix3 basis;
  Vector3 linear_velocity;
  Vector3 angular_velocity;
};

// Of definitions whose objects are numbered from 1, all with a body.
class StockWorld {
 public:
  explicit StockWorld(const PhysicsDefinition& definition);
  ~StockWorld();

  StockWorld(const StockWorld&) = delete;
  StockWorld& operator=(const StockWorld&) = delete;

  // Puts a dynamic body on wheels; what Bullet's vehicle knows of them.
  void AddVehicle(ObjectId chassis, const VehicleDefinition& definition);

  // What all vehicles are told from now on, each from -1 to 1.
  void Drive(double throttle, double steer);

  // Makes one tick.
  void Step();

  StockMotion motion(uint32_t body) const;

  uint32_t contact_point_count() const;

  // Whether a ray hits a body; its closest hit is found.
  bool CastRay(Vector3 from, Vector3 to) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_STOCK_STOCK_WORLD_H_

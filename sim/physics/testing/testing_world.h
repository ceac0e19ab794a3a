// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A physics world with its state, for tests, and the parts of small
// definitions.

#ifndef REPRISE_SIM_PHYSICS_TESTING_TESTING_WORLD_H_
#define REPRISE_SIM_PHYSICS_TESTING_TESTING_WORLD_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/state/state.h"

namespace reprise::sim {

// Runs `definition` from its first tick.
class TestingWorld {
 public:
  explicit TestingWorld(PhysicsDefinition definition)
      : definition_(
            std::make_shared<const PhysicsDefinition>(std::move(definition))),
        tables_(PhysicsWorld::AddTables(state_)),
        world_(definition_, tables_) {
    world_.InitializeState(state_);
    CHECK(world_.Load(state_).ok());
  }

  const std::shared_ptr<const PhysicsDefinition>& definition() const {
    return definition_;
  }
  const PhysicsTables& tables() const { return tables_; }
  PhysicsWorld& world() { return world_; }
  State& state() { return state_; }
  const State& state() const { return state_; }

  void Step(uint32_t ticks = 1) {
    for (uint32_t i = 0; i < ticks; ++i) world_.Step(state_);
  }

  const BodyRow& body(uint32_t row) const {
    return state_.table(tables_.bodies).Get<BodyRow>(row);
  }
  BodyRow& mutable_body(uint32_t row) {
    return state_.mutable_table(tables_.bodies).Mutable<BodyRow>(row);
  }
  const Table& contact_points() const {
    return state_.table(tables_.contact_points);
  }
  Digest digest() const { return state_.ComputeRootDigest(); }

 private:
  std::shared_ptr<const PhysicsDefinition> definition_;
  State state_;
  PhysicsTables tables_;
  PhysicsWorld world_;
};

// A shape of one primitive.
template <typename Solid>
ShapeDefinition ShapeOf(Solid solid) {
  return SolidShape{
      {Primitive{.solid = solid, .position = {}, .rotation = {}}}};
}

// A body just added to a definition, to be changed at once.
struct AddedBody {
  BodyKind& kind;
  BodyPlacement& placement;
};

// Adds a body of its own kind and shape as the next object.
inline AddedBody AddBody(PhysicsDefinition& definition, ShapeDefinition shape,
                         Motion motion, Vector3 position) {
  const auto shape_index = static_cast<uint32_t>(definition.shapes.size());
  const auto kind_index = static_cast<uint32_t>(definition.kinds.size());
  definition.shapes.push_back(std::move(shape));
  definition.kinds.push_back({.shape = shape_index, .motion = motion});
  definition.bodies.push_back({.object = {definition.bodies.size() + 1},
                               .kind = kind_index,
                               .position = position});
  return {.kind = definition.kinds.back(),
          .placement = definition.bodies.back()};
}

// A definition with a floor as object 1, whose top is at a height of 0.
inline PhysicsDefinition MakeFloor() {
  PhysicsDefinition definition;
  AddBody(definition, ShapeOf(BoxPrimitive{{20.0, 1.0, 20.0}}), Motion::kFixed,
          {0.0, -1.0, 0.0});
  return definition;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_TESTING_TESTING_WORLD_H_

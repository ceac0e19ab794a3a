// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bodies and joints that come and go between ticks: changes of rows alone,
// which the next step takes over. Only the objects decide the result, not the
// order in which they were added or removed.

#ifndef REPRISE_SIM_PHYSICS_BODIES_BODY_LIFECYCLE_H_
#define REPRISE_SIM_PHYSICS_BODIES_BODY_LIFECYCLE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/state.h"

namespace reprise::sim {

// All take the definition that the rows belong to, and leave rows alone when
// they fail. Rows after the one added or removed move by one place.

// Gives an object a body. One that isn't dynamic wakes the sleepers whose boxes
// meet its own. INVALID_ARGUMENT as by ValidateBodyPlacement, ALREADY_EXISTS
// when the object has one, RESOURCE_EXHAUSTED when there are kBodiesMax.
absl::Status AddBody(State& state, const PhysicsTables& tables,
                     const PhysicsDefinition& definition,
                     const BodyPlacement& placement);

// Takes an object's body away, with its contact points and joints, and wakes
// what it touched or held. NOT_FOUND when it has none.
absl::Status RemoveBody(State& state, const PhysicsTables& tables,
                        const PhysicsDefinition& definition, ObjectId object);

// Makes an object's body one of another kind with the same motion, where it is
// and as fast. Its contact points go, its joints stay; it wakes, and so does
// what it touched. NOT_FOUND when it has none, INVALID_ARGUMENT when there is
// no such kind or its motion is another.
absl::Status ChangeBodyKind(State& state, const PhysicsTables& tables,
                            const PhysicsDefinition& definition,
                            ObjectId object, uint32_t kind);

// Makes a joint of the definition as it was at tick 0, and wakes its bodies,
// which no longer touch unless it says so.
// NOT_FOUND when there is no such joint, ALREADY_EXISTS when it is there,
// FAILED_PRECONDITION when one of its objects has no body.
absl::Status AddJoint(State& state, const PhysicsTables& tables,
                      const PhysicsDefinition& definition, Id name);

// Takes a joint away and wakes its bodies. NOT_FOUND when it isn't there.
absl::Status RemoveJoint(State& state, const PhysicsTables& tables,
                         const PhysicsDefinition& definition, Id name);

// A joint that is made from a template.
struct JointPlacement {
  ObjectId owner;  // whom it is for; one joint of each template
  Id joint;        // the template
  ObjectId object_a;
  ObjectId object_b;  // kNoObject: the world
};

// Makes a joint and wakes its bodies, as above. NOT_FOUND when there is no such
// template, ALREADY_EXISTS when the owner has one, INVALID_ARGUMENT when there
// is no owner or both objects are the same, FAILED_PRECONDITION when one has no
// body, RESOURCE_EXHAUSTED when there are kJointsMax.
absl::Status AddSpawnedJoint(State& state, const PhysicsTables& tables,
                             const PhysicsDefinition& definition,
                             const JointPlacement& placement);

// Lets the object's body look around if it is dynamic and sleeps.
void WakeObject(State& state, const PhysicsTables& tables,
                const PhysicsDefinition& definition, ObjectId object);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BODIES_BODY_LIFECYCLE_H_

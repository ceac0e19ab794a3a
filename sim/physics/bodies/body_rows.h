// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bodies between Bullet and their rows: every bit that a later step depends on,
// both ways.

#ifndef REPRISE_SIM_PHYSICS_BODIES_BODY_ROWS_H_
#define REPRISE_SIM_PHYSICS_BODIES_BODY_ROWS_H_

#include <cstdint>
#include <cstring>

#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "absl/status/status.h"
#include "sim/base/object_id.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/table.h"

namespace reprise::sim {

// Whether two rows are the same bytes, so that -0 is not 0.
template <typename Row>
bool SameBits(const Row& a, const Row& b) {
  return std::memcmp(&a, &b, sizeof(Row)) == 0;
}

// The row of a body that comes into the world.
BodyRow InitialRow(const BodyPlacement& placement, const BodyKind& kind);

// `row` as a step leaves it when the body is kinematic: where it was put, at
// rest.
BodyRow AtRest(BodyRow row);

// What a body's row holds besides what Bullet does.
struct BodyKey {
  ObjectId object;
  uint64_t kind = 0;

  friend bool operator==(const BodyKey&, const BodyKey&) = default;
};

inline BodyKey KeyOf(const BodyRow& row) { return {row.object, row.kind}; }

// The row of `body` as it is, without forces.
BodyRow ReadBody(const btRigidBody& body, BodyKey key);

// Makes `body` what the row says, forces aside. Of a fixed body only the pose
// is taken; a kinematic one is awake when it moves.
// REQUIRES: IsUsable(row).
void WriteBody(const BodyRow& row, btRigidBody& body);

// Whether all numbers are finite and the activation is one.
bool IsUsable(const BodyRow& row);

// The part of a velocity that is not along or about a locked axis.
Vector3 Unlocked(const LockedAxes& locked, Vector3 velocity);

// Whether it moves or turns faster than kSpeedMax along or about any axis.
bool IsTooFast(const BodyRow& row);

// Whether the rows are states of bodies of `definition`, each object once and
// in order. DATA_LOSS names the first that isn't.
absl::Status CheckBodyRows(const Table& bodies,
                           const PhysicsDefinition& definition);

// Whether the object has a row. REQUIRES: rows ascend by object.
bool HasBody(const Table& bodies, ObjectId object);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BODIES_BODY_ROWS_H_

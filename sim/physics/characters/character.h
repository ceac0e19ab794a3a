// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Characters: one tick of something that walks, jumps and falls. All that lasts
// is in its two rows; what comes of a tick is a function of them, of the bodies
// as the queries saw them, and of the definition.
//
// Its body is a wall to dynamic ones: it has no velocity, so contacts never
// shove them. What the character pushes it pushes here, by a bounded force, and
// what it stands on bears its weight. It stands on fixed and kinematic bodies
// as they are at the end of this tick, on dynamic ones as the last tick left
// them.

#ifndef REPRISE_SIM_PHYSICS_CHARACTERS_CHARACTER_H_
#define REPRISE_SIM_PHYSICS_CHARACTERS_CHARACTER_H_

#include <cstdint>

#include "sim/base/object_id.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/characters/character_definition.h"
#include "sim/physics/characters/character_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/state/state.h"

namespace reprise::sim {

// The row of a character that comes into the world, in the air.
CharacterRow InitialCharacter(ObjectId object);

// What a character walks on, and into.
struct CharacterSurroundings {
  const PhysicsWorld& physics;
  // Looked at the state after kinematic bodies were moved for this tick.
  const PhysicsQueries& queries;
  Vector3 gravity_m_s2;  // where the character is
};

// What came of a tick, in the order in which it happened.
struct CharacterTick {
  bool has_jumped = false;
  bool has_left_ground = false;  // by jumping, falling, or losing what it was
  bool has_landed = false;
  ObjectId ground_left;    // what it stood on
  ObjectId ground_landed;  // what it stands on
};

// Makes a tick of the character whose body is row `body`, before physics.
// Gravity counts along y; what would pull it up doesn't. One that somebody put
// beyond twice kPositionMaxM stays there.
// REQUIRES: the body is kinematic, its shape is definition.capsule; all numbers
// of `row` are finite; `definition` is within the bounds that are stated there.
CharacterTick MoveCharacter(const CharacterDefinition& definition,
                            const CharacterSurroundings& surroundings,
                            State& state, uint32_t body, CharacterRow& row);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CHARACTERS_CHARACTER_H_

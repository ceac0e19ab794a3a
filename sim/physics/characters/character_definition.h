// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a character moves, and the bounds of what may be asked for.

#ifndef REPRISE_SIM_PHYSICS_CHARACTERS_CHARACTER_DEFINITION_H_
#define REPRISE_SIM_PHYSICS_CHARACTERS_CHARACTER_DEFINITION_H_

#include <cstdint>

#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

// Something that walks upright: a kinematic body of one capsule along y.
struct CharacterDefinition {
  CapsulePrimitive capsule;
  double acceleration_m_s2 = 40.0;     // towards the wanted velocity
  double air_acceleration_m_s2 = 8.0;  // the same in the air
  double jump_speed_m_s = 0.0;         // 0: it doesn't jump
  // How long after it lost the ground it still jumps, and how long before it
  // lands a jump may be asked for.
  uint32_t coyote_ticks = 0;
  uint32_t jump_buffer_ticks = 0;
  double step_height_m = 0.3;   // of what it walks up, or down without falling
  double slope_cosine = 0.707;  // of the steepest slope that it stands on
  double fall_speed_max_m_s = 50.0;
  double mass_kg = 0.0;       // by which it weighs on dynamic bodies
  double push_force_n = 0.0;  // by which it pushes dynamic bodies, at most
};

// The distance that it keeps from everything: ten times the accuracy of sweeps.
inline constexpr double kCharacterSkinM = 0.01;

// A smaller one would be all skin; a larger one isn't simulated.
inline constexpr double kCharacterRadiusMinM = 5.0 * kCharacterSkinM;
inline constexpr double kCharacterSizeMaxM = 100.0;

inline constexpr double kCharacterSpeedMax = 1000.0;  // m/s
inline constexpr double kCharacterAccelerationMax = 1e5;
inline constexpr double kCharacterForceMax = 1e7;
// Steeper than this no slope can be told from a wall.
inline constexpr double kCharacterSlopeMaxDegrees = 80.0;
// What an early or late jump is forgiven: a second at the highest rate.
inline constexpr uint32_t kCharacterGraceTicksMax = 1000;

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CHARACTERS_CHARACTER_DEFINITION_H_

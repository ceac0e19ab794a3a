// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Manifolds that share no body which moves, four side by side: what the rounds
// of the solver read and write, and the rounds themselves.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_CONTACT_BATCH_H_
#define REPRISE_SIM_PHYSICS_SOLVER_CONTACT_BATCH_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/lanes.h"
#include "sim/physics/solver/quad.h"
#include "sim/physics/solver/softness.h"

namespace reprise::sim {

// Of a direction what is of one of the bodies.
struct QuadTurn {
  QuadVector3 angular_a;
  QuadVector3 angular_b;
  QuadVector3 response_a;
  QuadVector3 response_b;

  void set_lane(int i, const Direction& direction) {
    angular_a.set_lane(i, LaneA(direction.angular));
    angular_b.set_lane(i, LaneB(direction.angular));
    response_a.set_lane(i, LaneA(direction.response));
    response_b.set_lane(i, LaneB(direction.response));
  }
  // Of one that doesn't move along a line.
  Direction lane(int i) const {
    return {.linear = {},
            .angular = Pair(angular_a.lane(i), angular_b.lane(i)),
            .response = Pair(response_a.lane(i), response_b.lane(i))};
  }
};

struct QuadDirection {
  QuadVector3 linear_a;
  QuadVector3 linear_b;
  QuadTurn turn;

  void set_lane(int i, const Direction& direction) {
    linear_a.set_lane(i, LaneA(direction.linear));
    linear_b.set_lane(i, LaneB(direction.linear));
    turn.set_lane(i, direction);
  }
  Direction lane(int i) const {
    Direction direction = turn.lane(i);
    direction.linear = Pair(linear_a.lane(i), linear_b.lane(i));
    return direction;
  }
};

// The same point of each manifold. Impulses are of a part.
struct QuadPressure {
  QuadDirection direction;
  Quad effective_mass;
  Quad distance_m;  // at the beginning of the step
  Quad gap_m;       // where the bodies have come to
  Quad impulse;
  Quad impulse_sum;  // of all parts that were
};

// Against sliding in any direction across the normal, and against turning
// around it.
struct QuadRubbing {
  std::array<QuadDirection, 2> across;
  std::array<Quad, 2> across_masses;
  QuadTurn around;
  Quad around_mass;
  std::array<Quad, 2> across_impulses;
  Quad around_impulse;
  Quad friction;
  // What turns: the bound on its impulse by the pressure, m.
  Quad spin_lever_m;
};

// Against rolling.
struct QuadRolling {
  std::array<QuadTurn, 2> axes;
  std::array<Quad, 2> masses;
  std::array<Quad, 2> impulses;
  Quad lever_m;
};

// What manifolds side by side have in common.
struct ContactBatchKind {
  uint32_t point_count = 0;
  bool rolls = false;  // not freely
  bool spins = false;  // nor that
  bool is_deep = false;
};

struct ContactBatch {
  QuadVector3 inverse_mass_a;  // 1/kg, by axis
  QuadVector3 inverse_mass_b;
  // Bodies by their indexes; 0 where there is no manifold.
  std::array<uint32_t, kQuadLanes> a = {};
  std::array<uint32_t, kQuadLanes> b = {};
  // Whether impulses move them.
  std::array<bool, kQuadLanes> moves_a = {};
  std::array<bool, kQuadLanes> moves_b = {};
  // Whether a manifold has not pressed yet, neither in this step nor in the one
  // before.
  QuadMask is_before;
  ContactBatchKind kind;
  uint32_t lane_count = 0;
  uint32_t pressures_begin = 0;
  uint32_t rolling = 0;

  BodyPair pair(int i) const {
    return {
        .a = a[i],
        .b = b[i],
        .moves_a = moves_a[i],
        .moves_b = moves_b[i],
        .inverse_mass = Pair(inverse_mass_a.lane(i), inverse_mass_b.lane(i))};
  }
};

// All of them: each shares bodies that move only with those before and behind.
struct ContactBatches {
  std::vector<ContactBatch> batches;
  std::vector<QuadRubbing> rubbings;  // by batch
  std::vector<QuadRolling> rollings;
  std::vector<QuadPressure> pressures;
};

// What all rounds of a step have in common.
struct ContactRounds {
  double part_s = 0.0;
  Softness softness;
  std::span<BodyVelocity> velocities;
};

// How many are computed at once: 4 where the processor has registers for it,
// which changes nothing but the time.
enum class VectorWidth : uint8_t { kTwo, kFour };
VectorWidth WidestVectors();

void WarmStart(VectorWidth width, const ContactRounds& rounds,
               const ContactBatches& contacts);
void Solve(VectorWidth width, Order order, const ContactRounds& rounds,
           std::span<BodyVelocity> pushes, ContactBatches& contacts);
void Relax(VectorWidth width, Order order, const ContactRounds& rounds,
           std::span<const BodyVelocity> displacements,
           ContactBatches& contacts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_CONTACT_BATCH_H_

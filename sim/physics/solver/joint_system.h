// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What joints hold at any force, as one system of linear equations: solved at
// once, and not round by round, a long chain bears as much as a short one.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_JOINT_SYSTEM_H_
#define REPRISE_SIM_PHYSICS_SOLVER_JOINT_SYSTEM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "LinearMath/btVector3.h"
#include "sim/physics/solver/constraint.h"

namespace reprise::sim {

class JointSystem {
 public:
  // A direction along which two bodies may not move against each other.
  struct Row {
    const Direction* direction = nullptr;
    const BodyPair* pair = nullptr;
    // Rows of a joint follow each other.
    uint32_t joint = 0;
  };

  // Forgets what there was and takes `rows`, which are looked at here only.
  // Returns whether the system is small enough to be worth it: nets of many
  // loops are not.
  bool Reset(std::span<const Row> rows, uint32_t body_count);

  // Takes by how much the velocity along each row is to change and puts the
  // impulses in place that change it so. What rows already hold without one
  // gets none.
  void Solve(std::span<double> rows);

 private:
  // A row by its two bodies; 0 for one that does not move.
  struct Sides {
    uint32_t bodies[2] = {};
    btVector3 linear[2];
    btVector3 angular[2];
    btVector3 linear_response[2];
    btVector3 angular_response[2];
  };

  // Orders joints so that those which share bodies are near each other (Cuthill
  // and McKee, 1969), and fills order_ and firsts_.
  void Arrange(std::span<const Row> rows, uint32_t body_count);
  // Fills sides_ in that order.
  void TakeSides(std::span<const Row> rows);
  void Factor();
  static double Coupling(const Sides& a, const Sides& b);

  // Which rows there are, of what an arrangement follows from.
  struct Held {
    uint32_t joint = 0;
    uint32_t bodies[2] = {};  // 0 for one that does not move

    friend bool operator==(const Held&, const Held&) = default;
  };
  static Held HeldBy(const Row& row);

  std::vector<Held> arranged_;    // what order_ and firsts_ are of
  std::vector<uint32_t> order_;   // of the rows that were given
  std::vector<Sides> sides_;      // in that order
  std::vector<uint32_t> firsts_;  // the first row that each is coupled with
  // The lower triangle from there to the diagonal, row by row, and where each
  // row begins; once factored, of its L, with 1 / D in inverses_.
  std::vector<double> entries_;
  std::vector<size_t> begins_;
  std::vector<double> inverses_;
  std::vector<double> ordered_;  // what is being solved
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_JOINT_SYSTEM_H_

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

#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/contact_batch.h"
#include "sim/physics/solver/joint_blocks.h"

namespace reprise::sim {

class JointSystem {
 public:
  // How many rows are computed at once changes nothing but the time.
  explicit JointSystem(VectorWidth width = WidestVectors()) : width_(width) {}

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
  // Orders joints so that those which share bodies are near each other (Cuthill
  // and McKee, 1969), and fills order_, blocks_ and entry_count_.
  void Arrange(std::span<const Row> rows, uint32_t body_count);

  // Which rows there are, of what an arrangement follows from.
  struct Held {
    uint32_t joint = 0;
    uint32_t bodies[2] = {};  // 0 for one that does not move

    friend bool operator==(const Held&, const Held&) = default;
  };
  static Held HeldBy(const Row& row);

  VectorWidth width_;
  std::vector<Held> arranged_;   // what the others are of
  std::vector<uint32_t> order_;  // of the rows that were given
  size_t entry_count_ = 0;       // from each row's first to its own
  JointBlocks blocks_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_JOINT_SYSTEM_H_

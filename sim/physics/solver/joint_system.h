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
  // Rows of a joint that are solved side by side: each lane is what one by one
  // would be, the same operations in the same order.
  static constexpr uint32_t kBlockRowsMax = 6;
  struct Block {
    uint32_t first = 0;  // the first row that its rows are coupled with
    uint32_t begin = 0;  // its own, in order
    uint32_t count = 0;
    uint32_t first_block = 0;  // that of `first`
    // The bodies that its rows move; 0 for one that does not.
    uint32_t bodies[2] = {};
    // Where in entries_ and sides_ its part is, by numbers.
    size_t entries = 0;
    size_t sides = 0;

    // Lanes come in pairs.
    uint32_t lanes() const { return (count + 1) / 2 * 2; }
  };

  // Orders joints so that those which share bodies are near each other (Cuthill
  // and McKee, 1969), and fills order_, blocks_ and entry_count_.
  void Arrange(std::span<const Row> rows, uint32_t body_count);
  // Adds blocks of the rows of a joint, which stand last in order_.
  void AddBlocks(std::span<const Row> rows, uint32_t begin, uint32_t first,
                 uint32_t first_block);
  // Fills sides_ in that order.
  void TakeSides(std::span<const Row> rows);

  template <uint32_t kCount>
  void FactorBlock(const Block& block);
  template <uint32_t kCount>
  void SolveForth(const Block& block, std::span<const double> rows);
  template <uint32_t kCount>
  void SolveBack(const Block& block, std::span<double> rows);

  // Which rows there are, of what an arrangement follows from.
  struct Held {
    uint32_t joint = 0;
    uint32_t bodies[2] = {};  // 0 for one that does not move

    friend bool operator==(const Held&, const Held&) = default;
  };
  static Held HeldBy(const Row& row);

  std::vector<Held> arranged_;   // what order_ and blocks_ are of
  std::vector<uint32_t> order_;  // of the rows that were given
  std::vector<Block> blocks_;    // in that order
  size_t entry_count_ = 0;       // of the triangle, were it not in blocks
  // Of each block, for both of its bodies: directions and responses, linear and
  // angular, by axis; of each all lanes.
  std::vector<double> sides_;
  // Of each block the columns from its first to its last row; of each all
  // lanes. Of L, whose diagonal is 1; 1 / D is in inverses_.
  std::vector<double> entries_;
  std::vector<double> inverses_;
  std::vector<double> raw_;      // L D of the block that is being factored
  std::vector<double> ordered_;  // what is being solved
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_JOINT_SYSTEM_H_

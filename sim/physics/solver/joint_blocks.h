// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The system of joints in blocks of rows that are solved side by side: each
// lane is what one by one would be, the same operations in the same order.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_JOINT_BLOCKS_H_
#define REPRISE_SIM_PHYSICS_SOLVER_JOINT_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/contact_batch.h"
#include "sim/physics/solver/quad.h"

namespace reprise::sim {

// Some rows of one joint, which follow each other in the order of the system.
struct JointBlock {
  static constexpr uint32_t kRowsMax = 6;

  uint32_t first = 0;  // the first row that these are coupled with
  uint32_t begin = 0;  // these
  uint32_t count = 0;
  uint32_t first_block = 0;  // that of `first`
  // The bodies that they move; 0 for one that does not.
  uint32_t bodies[2] = {};
  // Where in entries and sides its part begins.
  size_t entries = 0;
  size_t sides = 0;

  uint32_t quads() const { return (count + kQuadLanes - 1) / kQuadLanes; }
  uint32_t column_count() const { return begin + count - first; }
};

struct JointBlocks {
  std::vector<JointBlock> blocks;  // in the order of the system
  // Of each block, for both of its bodies: directions and responses, linear and
  // angular, by axis; of each the lanes of all rows.
  std::vector<Quad> sides;
  // Of each block the columns from its first to its last row; of each the lanes
  // of all rows. Those behind its rows are 0. Once factored, of L below its
  // diagonal of 1; 1 / D is in inverses.
  std::vector<Quad> entries;
  std::vector<double> inverses;
  std::vector<Quad> raw;         // of the block that is being factored: L D
  std::vector<double> solution;  // what is being solved, in that order

  // Forgets all blocks.
  void Clear();
  // Adds rows behind those that are there, as one block or more.
  void Add(const JointBlock& rows);
  // Makes room for the blocks that were added.
  void Reserve();
  // Takes a row: the directions of its bodies, and how they answer.
  void SetRow(const JointBlock& block, uint32_t lane,
              const Direction& direction, const LaneVector3& inverse_mass);
};

// By `give` rows give way, a share of their diagonal.
void Factor(VectorWidth width, double give, JointBlocks& joints);
// Solves what `solution` is to be, in place.
void Solve(VectorWidth width, JointBlocks& joints);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_JOINT_BLOCKS_H_

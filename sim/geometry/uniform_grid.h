// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A spatial index of equal cells in a flat array, without hashing: best where
// objects are alike in size and spread evenly. The cells on the border reach to
// infinity, so nothing lies outside.

#ifndef REPRISE_SIM_GEOMETRY_UNIFORM_GRID_H_
#define REPRISE_SIM_GEOMETRY_UNIFORM_GRID_H_

#include <array>
#include <cstdint>
#include <vector>

#include "sim/geometry/aabb.h"
#include "sim/geometry/spatial/spatial_index.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

struct UniformGridOptions {
  Aabb bounds;             // what the cells divide
  double cell_size = 1.0;  // in metres; about that of the common query is best
};

class UniformGrid final : public SpatialIndex {
 public:
  static constexpr uint32_t kCellsMax = 1 << 20;  // 4 MiB of list heads

  // An entry that meets more cells than this is kept in a list that every query
  // reads: few are as large, and each would be in very many cells.
  static constexpr uint32_t kCellsPerEntryMax = 64;

  // Whether a grid can be made: bounds within reach, a positive cell size, and
  // no more than kCellsMax cells. An axis along which the bounds have no extent
  // has one cell.
  static bool IsValidOptions(const UniformGridOptions& options);

  // REQUIRES: IsValidOptions(options).
  explicit UniformGrid(const UniformGridOptions& options);

  uint32_t cell_count() const { return static_cast<uint32_t>(heads_.size()); }

  void VisitBox(const Aabb& box, EntryVisitor visitor) const override;
  void VisitSegment(const SegmentClipper& segment,
                    ReachVisitor visitor) const override;
  void VisitNear(Vector3 point, ReachVisitor visitor) const override;

 private:
  // Coordinates of a cell by axis.
  using Cell = std::array<int32_t, 3>;

  // All cells from first to last, both included.
  struct CellRange {
    Cell first;
    Cell last;
    friend bool operator==(const CellRange&, const CellRange&) = default;
  };

  // That an entry is in a cell; lists of these hang on heads_.
  struct CellLink {
    EntrySlot slot;
    uint32_t next;
  };

  class AxisWalk;

  void UnlinkAll(uint32_t slot_count) override;
  void Link(EntrySlot slot) override;
  void Unlink(EntrySlot slot) override;
  void Relink(EntrySlot slot) override;

  int32_t CellAt(int axis, double coordinate) const;
  Cell CellOf(Vector3 point) const;
  CellRange CellsOf(const Aabb& box) const;
  static int64_t CountOf(const CellRange& range);
  uint32_t IndexOf(const Cell& cell) const;
  bool IsWide(EntrySlot slot) const;

  // Visits the entry if the segment meets it within reach; returns the reach
  // from then on.
  double VisitIfMet(EntrySlot slot, const SegmentClipper& segment, double reach,
                    ReachVisitor visitor) const;

  template <typename Visitor>
  static void ForEachCell(const CellRange& range, Visitor visit);

  // Each cell that is `steps` away from `center`, as StepsBetween counts.
  template <typename Visitor>
  void ForEachCellAround(const Cell& center, int32_t steps,
                         Visitor visit) const;

  // How many steps a cell is away from the nearest cell of a range, counted on
  // the axis with the most.
  static int32_t StepsBetween(const Cell& cell, const CellRange& range);

  // Returns a lower bound of the distance from `point`, which is in `center`,
  // to entries that are `steps` away or more; infinity where no cell is.
  double DistanceAfter(int32_t steps, const Cell& center, Vector3 point) const;

  UniformGridOptions options_;
  // Cell i of an axis holds what is in [edges_[i], edges_[i + 1]); the first
  // edge is minus infinity, the last infinity.
  std::array<std::vector<double>, 3> edges_;
  Cell counts_;
  std::vector<uint32_t> heads_;
  std::vector<CellLink> links_;
  uint32_t free_link_;
  std::vector<CellRange> ranges_;  // by slot
  std::vector<EntrySlot> wide_;    // entries in more than kCellsPerEntryMax
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_UNIFORM_GRID_H_

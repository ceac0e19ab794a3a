// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/spatial/uniform_grid.h"

#include <algorithm>
#include <limits>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr uint32_t kNone = ~uint32_t{0};

std::array<double, 3> ToArray(Vector3 v) { return {v.x, v.y, v.z}; }

// In doubles, which can't overflow here. At least one.
double CountCells(double low, double high, double cell_size) {
  return std::max(1.0, Ceil((high - low) / cell_size));
}

int32_t Clamp(int32_t value, int32_t first, int32_t last) {
  return std::min(std::max(value, first), last);
}

}  // namespace

// The cells of one axis through which a part of a segment passes, in the order
// of passing: each cell that shares as much as one fraction with the part, as
// fractions are computed. Walks nested by axis so visit each cell that can
// hold an entry whose box SegmentClipper finds met.
class UniformGrid::AxisWalk {
 public:
  AxisWalk(const UniformGrid& grid, const SegmentClipper& segment, int axis,
           SegmentPart part)
      : edges_(grid.edges_[axis]),
        segment_(segment),
        axis_(axis),
        whole_(part),
        cell_count_(grid.counts_[axis]) {
    const double delta = segment.delta(axis);
    step_ = delta > 0.0 ? 1 : delta < 0.0 ? -1 : 0;
    // A guess, which rounding may have put in the wrong place.
    cell_ = grid.CellAt(axis, segment.start(axis) + delta * part.first);
    if (step_ != 0) {
      while (HasCell(cell_ - step_) && Entry(cell_) >= part.first) {
        cell_ -= step_;
      }
      while (HasCell(cell_ + step_) && Entry(cell_ + step_) < part.first) {
        cell_ += step_;
      }
    }
    Clip();
  }

  bool is_done() const { return part_.is_empty(); }
  int32_t cell() const { return cell_; }
  // What of the part lies in the cell.
  const SegmentPart& part() const { return part_; }

  void Next() {
    cell_ += step_;
    if (step_ == 0 || !HasCell(cell_)) {
      part_ = kNoPart;
    } else {
      Clip();
    }
  }

 private:
  bool HasCell(int32_t cell) const { return cell >= 0 && cell < cell_count_; }

  // The fraction at which the segment passes into `cell`.
  double Entry(int32_t cell) const {
    return segment_.FractionAt(axis_, edges_[step_ > 0 ? cell : cell + 1]);
  }

  void Clip() {
    part_ = segment_.Clip(axis_, edges_[cell_], edges_[cell_ + 1], whole_);
  }

  const std::vector<double>& edges_;
  const SegmentClipper& segment_;
  int axis_;
  SegmentPart whole_;
  int32_t cell_count_;
  int32_t step_;
  int32_t cell_;
  SegmentPart part_;
};

bool UniformGrid::IsValidOptions(const UniformGridOptions& options) {
  const auto& [bounds, cell_size] = options;
  if (!IsWithinReach(bounds)) return false;
  if (!(cell_size > 0.0) || !IsFinite(cell_size)) return false;
  const auto low = ToArray(bounds.minimum);
  const auto high = ToArray(bounds.maximum);
  double count = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    count *= CountCells(low[axis], high[axis], cell_size);
  }
  return count <= kCellsMax;
}

UniformGrid::UniformGrid(const UniformGridOptions& options)
    : options_(options), free_link_(kNone) {
  CHECK(IsValidOptions(options));
  const auto low = ToArray(options.bounds.minimum);
  const auto high = ToArray(options.bounds.maximum);
  for (int axis = 0; axis < 3; ++axis) {
    counts_[axis] = static_cast<int32_t>(
        ToInt64Saturated(CountCells(low[axis], high[axis], options.cell_size)));
    edges_[axis].push_back(-kInfinity);
    for (int32_t i = 1; i < counts_[axis]; ++i) {
      edges_[axis].push_back(low[axis] + i * options.cell_size);
    }
    edges_[axis].push_back(kInfinity);
  }
  heads_.assign(counts_[0] * counts_[1] * counts_[2], kNone);
}

int32_t UniformGrid::CellAt(int axis, double coordinate) const {
  // A guess by division, put right by the edges, which alone decide.
  const std::vector<double>& edges = edges_[axis];
  const int32_t last = counts_[axis] - 1;
  if (last == 0 || coordinate < edges[1]) return 0;
  if (coordinate >= edges[last]) return last;
  const double guess = (coordinate - edges[1]) / options_.cell_size;
  int32_t cell = 1 + static_cast<int32_t>(
                         std::min<int64_t>(ToInt64Saturated(guess), last - 1));
  while (coordinate < edges[cell]) --cell;
  while (coordinate >= edges[cell + 1]) ++cell;
  return cell;
}

UniformGrid::Cell UniformGrid::CellOf(Vector3 point) const {
  return {CellAt(0, point.x), CellAt(1, point.y), CellAt(2, point.z)};
}

UniformGrid::CellRange UniformGrid::CellsOf(const Aabb& box) const {
  return {.first = CellOf(box.minimum), .last = CellOf(box.maximum)};
}

int64_t UniformGrid::CountOf(const CellRange& range) {
  int64_t count = 1;
  for (int axis = 0; axis < 3; ++axis) {
    count *= range.last[axis] - range.first[axis] + 1;
  }
  return count;
}

uint32_t UniformGrid::IndexOf(const Cell& cell) const {
  return (cell[0] * counts_[1] + cell[1]) * counts_[2] + cell[2];
}

bool UniformGrid::IsWide(EntrySlot slot) const {
  return CountOf(ranges_[slot]) > kCellsPerEntryMax;
}

template <typename Visitor>
void UniformGrid::ForEachCell(const CellRange& range, Visitor visit) {
  const auto& [first, last] = range;
  for (int32_t x = first[0]; x <= last[0]; ++x) {
    for (int32_t y = first[1]; y <= last[1]; ++y) {
      for (int32_t z = first[2]; z <= last[2]; ++z) visit(Cell{x, y, z});
    }
  }
}

void UniformGrid::UnlinkAll(uint32_t slot_count) {
  std::ranges::fill(heads_, kNone);
  links_.clear();
  free_link_ = kNone;
  wide_.clear();
  ranges_.resize(slot_count);
}

void UniformGrid::Link(EntrySlot slot) {
  if (slot >= ranges_.size()) ranges_.resize(slot + 1);
  ranges_[slot] = CellsOf(bounds(slot));
  if (IsWide(slot)) {
    wide_.push_back(slot);
    return;
  }
  ForEachCell(ranges_[slot], [&](const Cell& cell) {
    uint32_t link = free_link_;
    if (link == kNone) {
      link = static_cast<uint32_t>(links_.size());
      links_.emplace_back();
    } else {
      free_link_ = links_[link].next;
    }
    uint32_t& head = heads_[IndexOf(cell)];
    links_[link] = {.slot = slot, .next = head};
    head = link;
  });
}

void UniformGrid::Unlink(EntrySlot slot) {
  if (IsWide(slot)) {
    *std::ranges::find(wide_, slot) = wide_.back();
    wide_.pop_back();
    return;
  }
  ForEachCell(ranges_[slot], [&](const Cell& cell) {
    uint32_t* place = &heads_[IndexOf(cell)];
    while (links_[*place].slot != slot) place = &links_[*place].next;
    const uint32_t link = *place;
    *place = links_[link].next;
    links_[link].next = free_link_;
    free_link_ = link;
  });
}

void UniformGrid::Relink(EntrySlot slot) {
  if (CellsOf(bounds(slot)) == ranges_[slot]) return;
  Unlink(slot);
  Link(slot);
}

void UniformGrid::VisitBox(const Aabb& box, EntryVisitor visitor) const {
  CHECK(IsValid(box));
  const CellRange range = CellsOf(box);
  if (CountOf(range) > size()) {
    for (const EntrySlot slot : order()) {
      if (Overlaps(bounds(slot), box)) visitor(slot);
    }
    return;
  }
  for (const EntrySlot slot : wide_) {
    if (Overlaps(bounds(slot), box)) visitor(slot);
  }
  ForEachCell(range, [&](const Cell& cell) {
    for (uint32_t link = heads_[IndexOf(cell)]; link != kNone;
         link = links_[link].next) {
      const EntrySlot slot = links_[link].slot;
      if (!Overlaps(bounds(slot), box)) continue;
      // Of the cells that the entry and the box share, the first one counts.
      const Cell& first = ranges_[slot].first;
      if (cell[0] == std::max(first[0], range.first[0]) &&
          cell[1] == std::max(first[1], range.first[1]) &&
          cell[2] == std::max(first[2], range.first[2])) {
        visitor(slot);
      }
    }
  });
}

double UniformGrid::VisitIfMet(EntrySlot slot, const SegmentClipper& segment,
                               double reach, ReachVisitor visitor) const {
  const SegmentPart part = segment.Clip(bounds(slot));
  if (part.is_empty() || part.first > reach) return reach;
  return visitor(slot);
}

void UniformGrid::VisitSegment(const SegmentClipper& segment,
                               ReachVisitor visitor) const {
  double reach = 1.0;
  for (const EntrySlot slot : wide_) {
    reach = VisitIfMet(slot, segment, reach, visitor);
  }
  for (AxisWalk x(*this, segment, 0, {}); !x.is_done(); x.Next()) {
    for (AxisWalk y(*this, segment, 1, x.part()); !y.is_done(); y.Next()) {
      for (AxisWalk z(*this, segment, 2, y.part()); !z.is_done(); z.Next()) {
        if (z.part().first > reach) return;
        uint32_t link = heads_[IndexOf({x.cell(), y.cell(), z.cell()})];
        for (; link != kNone; link = links_[link].next) {
          reach = VisitIfMet(links_[link].slot, segment, reach, visitor);
        }
      }
    }
  }
}

int32_t UniformGrid::StepsBetween(const Cell& cell, const CellRange& range) {
  int32_t steps = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int32_t nearest =
        Clamp(cell[axis], range.first[axis], range.last[axis]);
    steps = std::max({steps, nearest - cell[axis], cell[axis] - nearest});
  }
  return steps;
}

double UniformGrid::DistanceAfter(int32_t steps, const Cell& center,
                                  Vector3 point) const {
  if (steps == 0) return 0.0;
  const auto from = ToArray(point);
  double nearest = kInfinity;
  for (int axis = 0; axis < 3; ++axis) {
    const int32_t above = center[axis] + steps;
    const int32_t below = center[axis] - steps;
    if (above < counts_[axis]) {
      nearest = std::min(nearest, edges_[axis][above] - from[axis]);
    }
    if (below >= 0) {
      nearest = std::min(nearest, from[axis] - edges_[axis][below + 1]);
    }
  }
  // Rounded as DistanceSquaredToBounds rounds.
  return Sqrt(nearest * nearest);
}

template <typename Visitor>
void UniformGrid::ForEachCellAround(const Cell& center, int32_t steps,
                                    Visitor visit) const {
  CellRange block;
  for (int axis = 0; axis < 3; ++axis) {
    block.first[axis] = std::max(center[axis] - steps, 0);
    block.last[axis] = std::min(center[axis] + steps, counts_[axis] - 1);
  }
  const auto is_away = [&](int axis, int32_t cell) {
    return cell == center[axis] - steps || cell == center[axis] + steps;
  };
  for (int32_t x = block.first[0]; x <= block.last[0]; ++x) {
    for (int32_t y = block.first[1]; y <= block.last[1]; ++y) {
      if (is_away(0, x) || is_away(1, y)) {
        for (int32_t z = block.first[2]; z <= block.last[2]; ++z) {
          visit(Cell{x, y, z});
        }
        continue;
      }
      const int32_t below = center[2] - steps;
      const int32_t above = center[2] + steps;
      if (below >= block.first[2]) visit(Cell{x, y, below});
      if (above <= block.last[2] && above != below) visit(Cell{x, y, above});
    }
  }
}

void UniformGrid::VisitNear(Vector3 point, ReachVisitor visitor) const {
  double reach = kInfinity;
  uint32_t met = 0;
  const auto meet = [&](EntrySlot slot) {
    ++met;
    if (Sqrt(DistanceSquaredToBounds(point, bounds(slot))) <= reach) {
      reach = visitor(slot);
    }
  };
  for (const EntrySlot slot : wide_) meet(slot);

  const Cell center = CellOf(point);
  uint32_t cells_read = 0;
  for (int32_t steps = 0; met < size(); ++steps) {
    if (DistanceAfter(steps, center, point) > reach) return;
    if (4 * cells_read > size()) {
      // More cells than this are mostly empty ones: the entries that are left
      // are looked at one by one, which bounds the cost.
      for (const EntrySlot slot : order()) {
        if (!IsWide(slot) && StepsBetween(center, ranges_[slot]) >= steps) {
          meet(slot);
        }
      }
      return;
    }
    ForEachCellAround(center, steps, [&](const Cell& cell) {
      ++cells_read;
      for (uint32_t link = heads_[IndexOf(cell)]; link != kNone;
           link = links_[link].next) {
        const EntrySlot slot = links_[link].slot;
        const CellRange& range = ranges_[slot];
        // Of an entry's cells, the one nearest to the center counts.
        if (cell[0] == Clamp(center[0], range.first[0], range.last[0]) &&
            cell[1] == Clamp(center[1], range.first[1], range.last[1]) &&
            cell[2] == Clamp(center[2], range.first[2], range.last[2])) {
          meet(slot);
        }
      }
    });
  }
}

}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/joint_system.h"

#include <algorithm>
#include <utility>

#include "sim/physics/solver/lanes.h"

namespace reprise::sim {
namespace {

// Entries a row, on average, beyond which rounds are quicker.
constexpr size_t kEntriesPerRowMax = 96;

// By this share a row gives way, so that rows which others hold already, as in
// loops, do not fight them. What it leaves, the next solution takes.
constexpr double kGive = 1e-3;

// Numbers of a block that follow each other, two at once; `from` is even.
typedef Lanes StoredLanes __attribute__((may_alias));
Lanes ReadLanes(const double* from) {
  return *reinterpret_cast<const StoredLanes*>(from);
}
void WriteLanes(Lanes lanes, double* to) {
  *reinterpret_cast<StoredLanes*>(to) = lanes;
}

// Where in a block's sides a vector is: of its first or second body.
enum SideVector : uint32_t {
  kLinear,
  kAngular,
  kLinearResponse,
  kAngularResponse,
  kSideVectors,
};
uint32_t AxisOf(uint32_t body, SideVector vector, uint32_t axis) {
  return (body * kSideVectors + vector) * 3 + axis;
}
constexpr uint32_t kSideNumbers = 2 * kSideVectors * 3;

// Calls visit.operator()<kCount>(argument...) for the count at hand.
template <uint32_t kMax, typename Visit>
void WithCount(uint32_t count, const Visit& visit) {
  if (count == kMax) {
    visit.template operator()<kMax>();
  } else if constexpr (kMax > 1) {
    WithCount<kMax - 1>(count, visit);
  }
}

// Joints by the bodies that move, and bodies by joints.
struct Graph {
  std::vector<std::vector<uint32_t>> joints_of_body;
  std::vector<std::vector<uint32_t>> bodies_of_joint;
  std::vector<size_t> degrees;  // of joints
};

Graph MakeGraph(std::span<const JointSystem::Row> rows, uint32_t body_count) {
  Graph graph;
  graph.joints_of_body.resize(body_count);
  uint32_t last = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && rows[i].joint == last) continue;
    last = rows[i].joint;
    const auto joint = static_cast<uint32_t>(graph.bodies_of_joint.size());
    std::vector<uint32_t>& bodies = graph.bodies_of_joint.emplace_back();
    const BodyPair& pair = *rows[i].pair;
    if (pair.moves_a) bodies.push_back(pair.a);
    if (pair.moves_b) bodies.push_back(pair.b);
    for (const uint32_t body : bodies) {
      graph.joints_of_body[body].push_back(joint);
    }
  }
  for (const std::vector<uint32_t>& bodies : graph.bodies_of_joint) {
    size_t degree = 0;
    for (const uint32_t body : bodies) {
      degree += graph.joints_of_body[body].size();
    }
    graph.degrees.push_back(degree);
  }
  return graph;
}

// Joints, each next to those that it shares bodies with, ends first.
std::vector<uint32_t> OrderJoints(const Graph& graph) {
  const auto count = static_cast<uint32_t>(graph.bodies_of_joint.size());
  const auto has_fewer = [&](uint32_t a, uint32_t b) {
    return graph.degrees[a] != graph.degrees[b]
               ? graph.degrees[a] < graph.degrees[b]
               : a < b;
  };
  std::vector<uint32_t> starts(count);
  for (uint32_t i = 0; i < count; ++i) starts[i] = i;
  // A total order: among equal degrees the index decides.
  std::sort(starts.begin(), starts.end(), has_fewer);
  std::vector<bool> is_taken(count, false);
  std::vector<uint32_t> order;
  for (const uint32_t start : starts) {
    if (is_taken[start]) continue;
    is_taken[start] = true;
    order.push_back(start);
    for (size_t at = order.size() - 1; at < order.size(); ++at) {
      const auto begin = static_cast<std::ptrdiff_t>(order.size());
      for (const uint32_t body : graph.bodies_of_joint[order[at]]) {
        for (const uint32_t joint : graph.joints_of_body[body]) {
          if (is_taken[joint]) continue;
          is_taken[joint] = true;
          order.push_back(joint);
        }
      }
      // A total order, as above.
      std::sort(order.begin() + begin, order.end(), has_fewer);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

bool JointSystem::Reset(std::span<const Row> rows, uint32_t body_count) {
  if (rows.empty()) return false;
  // While the same is held, in a later section of a step, so is the order.
  const bool is_arranged = std::equal(
      rows.begin(), rows.end(), arranged_.begin(), arranged_.end(),
      [](const Row& row, const Held& held) { return HeldBy(row) == held; });
  if (!is_arranged) Arrange(rows, body_count);
  if (entry_count_ > kEntriesPerRowMax * rows.size()) return false;
  TakeSides(rows);
  for (const Block& block : blocks_) {
    WithCount<kBlockRowsMax>(
        block.count, [&]<uint32_t kCount>() { FactorBlock<kCount>(block); });
  }
  return true;
}

void JointSystem::Arrange(std::span<const Row> rows, uint32_t body_count) {
  const Graph graph = MakeGraph(rows, body_count);
  std::vector<size_t> begins;  // of each joint's rows
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || rows[i].joint != rows[i - 1].joint) begins.push_back(i);
  }
  begins.push_back(rows.size());

  arranged_.clear();
  for (const Row& row : rows) arranged_.push_back(HeldBy(row));
  order_.clear();
  blocks_.clear();
  entry_count_ = 0;
  // The first rows of each body, and their block.
  constexpr std::pair<uint32_t, uint32_t> kNone = {~uint32_t{0}, ~uint32_t{0}};
  std::vector<std::pair<uint32_t, uint32_t>> first_of_body(body_count, kNone);
  for (const uint32_t joint : OrderJoints(graph)) {
    const std::pair<uint32_t, uint32_t> own = {
        static_cast<uint32_t>(order_.size()),
        static_cast<uint32_t>(blocks_.size())};
    std::pair<uint32_t, uint32_t> first = own;
    for (const uint32_t body : graph.bodies_of_joint[joint]) {
      first_of_body[body] = std::min(first_of_body[body], own);
      first = std::min(first, first_of_body[body]);
    }
    for (size_t i = begins[joint]; i < begins[joint + 1]; ++i) {
      entry_count_ += order_.size() + 1 - first.first;
      order_.push_back(static_cast<uint32_t>(i));
    }
    AddBlocks(rows, own.first, first.first, first.second);
  }
  const auto count = order_.size();
  inverses_.resize(count);
  ordered_.resize(count);
}

void JointSystem::AddBlocks(std::span<const Row> rows, uint32_t begin,
                            uint32_t first, uint32_t first_block) {
  const auto end = static_cast<uint32_t>(order_.size());
  const Held held = HeldBy(rows[order_[begin]]);
  for (uint32_t at = begin; at < end; at += kBlockRowsMax) {
    Block block = {.first = first,
                   .begin = at,
                   .count = std::min(end - at, kBlockRowsMax),
                   .first_block = first_block,
                   .bodies = {held.bodies[0], held.bodies[1]}};
    if (!blocks_.empty()) {
      const Block& last = blocks_.back();
      const uint32_t columns = last.begin + last.count - last.first;
      block.entries = last.entries + size_t{columns} * last.lanes();
      block.sides = last.sides + size_t{kSideNumbers} * last.lanes();
    }
    blocks_.push_back(block);
  }
}

JointSystem::Held JointSystem::HeldBy(const Row& row) {
  const BodyPair& pair = *row.pair;
  return {.joint = row.joint,
          .bodies = {pair.moves_a ? pair.a : 0, pair.moves_b ? pair.b : 0}};
}

void JointSystem::TakeSides(std::span<const Row> rows) {
  const Block& last = blocks_.back();
  sides_.assign(last.sides + size_t{kSideNumbers} * last.lanes(), 0.0);
  entries_.resize(last.entries +
                  size_t{last.begin + last.count - last.first} * last.lanes());
  for (const Block& block : blocks_) {
    double* const sides = sides_.data() + block.sides;
    const uint32_t lanes = block.lanes();
    for (uint32_t lane = 0; lane < block.count; ++lane) {
      const Row& row = rows[order_[block.begin + lane]];
      const Direction& direction = *row.direction;
      const auto put = [&](SideVector vector, const LaneVector3& v) {
        const Lanes axes[] = {v.x, v.y, v.z};
        for (uint32_t axis = 0; axis < 3; ++axis) {
          sides[AxisOf(0, vector, axis) * lanes + lane] = LaneA(axes[axis]);
          sides[AxisOf(1, vector, axis) * lanes + lane] = LaneB(axes[axis]);
        }
      };
      put(kLinear, direction.linear);
      put(kAngular, direction.angular);
      put(kLinearResponse, direction.linear * row.pair->inverse_mass);
      put(kAngularResponse, direction.response);
    }
  }
}

// How rows of a block are coupled with one of another, or of itself: by the
// bodies that both move.
template <uint32_t kCount>
struct CoupledRows {
  static constexpr uint32_t kPairs = (kCount + 1) / 2;
  static constexpr uint32_t kLanes = 2 * kPairs;

  Lanes lanes[kPairs] = {};

  // Adds what a body shares: `sides` of the rows, as the body is one of
  // theirs, and `other` of the other row, in blocks of `other_lanes`.
  void Add(const double* sides, uint32_t body, const double* other,
           uint32_t other_body, uint32_t other_lanes) {
    for (uint32_t p = 0; p < kPairs; ++p) {
      const auto dot = [&](SideVector vector, SideVector response) {
        const auto product = [&](uint32_t axis) {
          return ReadLanes(sides + AxisOf(body, vector, axis) * kLanes +
                           2 * p) *
                 Both(other[AxisOf(other_body, response, axis) * other_lanes]);
        };
        return product(0) + product(1) + product(2);
      };
      lanes[p] +=
          dot(kLinear, kLinearResponse) + dot(kAngular, kAngularResponse);
    }
  }

  // Subtracts `columns` of the rows, times those of the other row.
  void Subtract(const double* columns, const double* other,
                uint32_t other_lanes, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
      const Lanes factor = Both(*other);
      for (uint32_t p = 0; p < kPairs; ++p) {
        lanes[p] -= ReadLanes(columns + 2 * p) * factor;
      }
      columns += kLanes;
      other += other_lanes;
    }
  }
};

template <uint32_t kCount>
void JointSystem::FactorBlock(const Block& block) {
  using Coupled = CoupledRows<kCount>;
  constexpr uint32_t kPairs = Coupled::kPairs;
  constexpr uint32_t kLanes = Coupled::kLanes;
  const double* const sides = sides_.data() + block.sides;
  double* const entries = entries_.data() + block.entries;
  raw_.resize((block.begin + kCount - block.first) * kLanes);
  double* const raw = raw_.data();
  const auto coupled_with = [&](const Block& other, uint32_t lane) {
    Coupled coupled;
    for (uint32_t i = 0; i < 2; ++i) {
      for (uint32_t j = 0; j < 2; ++j) {
        if (block.bodies[i] == 0 || block.bodies[i] != other.bodies[j]) {
          continue;
        }
        coupled.Add(sides, i, sides_.data() + other.sides + lane, j,
                    other.lanes());
      }
    }
    return coupled;
  };
  // With the rows of others, which are done. What is left of the diagonal: by a
  // little more than it is, rows give way.
  const Block* const self = &block;
  for (const Block* other = &blocks_[block.first_block]; other != self;
       ++other) {
    const uint32_t from = std::max(block.first, other->first);
    const uint32_t other_lanes = other->lanes();
    for (uint32_t lane = 0; lane < other->count; ++lane) {
      Coupled sums = coupled_with(*other, lane);
      const uint32_t column = other->begin + lane;
      sums.Subtract(raw + (from - block.first) * kLanes,
                    entries_.data() + other->entries +
                        (from - other->first) * other_lanes + lane,
                    other_lanes, column - from);
      for (uint32_t p = 0; p < kPairs; ++p) {
        WriteLanes(sums.lanes[p],
                   raw + (column - block.first) * kLanes + 2 * p);
      }
    }
  }
  double whole[kLanes] = {};
  double left[kLanes] = {};
  for (uint32_t lane = 0; lane < kCount; ++lane) {
    const Coupled own = coupled_with(block, lane);
    whole[lane] = own.lanes[lane / 2][lane % 2];
    left[lane] = whole[lane] * (1.0 + kGive);
  }
  const auto divide = [&](uint32_t column, uint32_t first_lane) {
    for (uint32_t lane = first_lane; lane < kCount; ++lane) {
      const uint32_t at = (column - block.first) * kLanes + lane;
      const double factor = raw[at] * inverses_[column];
      left[lane] -= raw[at] * factor;
      entries[at] = factor;
    }
  };
  for (uint32_t column = block.first; column < block.begin; ++column) {
    divide(column, 0);
  }
  // And with each other, one after another.
  for (uint32_t lane = 0; lane < kCount; ++lane) {
    const uint32_t column = block.begin + lane;
    const uint32_t at = (column - block.first) * kLanes;
    // Rounding may leave nothing of what the others hold.
    inverses_[column] =
        left[lane] > 0.5 * kGive * whole[lane] ? 1.0 / left[lane] : 0.0;
    Coupled sums = coupled_with(block, lane);
    sums.Subtract(raw, entries + lane, kLanes, column - block.first);
    for (uint32_t p = 0; p < kPairs; ++p) {
      WriteLanes(sums.lanes[p], raw + at + 2 * p);
    }
    for (uint32_t i = 0; i <= lane; ++i) entries[at + i] = 0.0;
    divide(column, lane + 1);
  }
  if constexpr (kCount < kLanes) {
    for (uint32_t column = block.first; column < block.begin + kCount;
         ++column) {
      entries[(column - block.first) * kLanes + kCount] = 0.0;
    }
  }
}

template <uint32_t kCount>
void JointSystem::SolveForth(const Block& block, std::span<const double> rows) {
  constexpr uint32_t kPairs = (kCount + 1) / 2;
  const double* entries = entries_.data() + block.entries;
  const uint32_t* const order = order_.data() + block.begin;
  Lanes sums[kPairs];
  for (uint32_t p = 0; p < kPairs; ++p) {
    sums[p] = Pair(rows[order[2 * p]],
                   2 * p + 1 < kCount ? rows[order[2 * p + 1]] : 0.0);
  }
  const auto subtract = [&](double solved) {
    for (uint32_t p = 0; p < kPairs; ++p) {
      sums[p] -= ReadLanes(entries + 2 * p) * Both(solved);
    }
    entries += 2 * kPairs;
  };
  for (uint32_t j = block.first; j < block.begin; ++j) subtract(ordered_[j]);
  for (uint32_t lane = 0; lane < kCount; ++lane) {
    const double solved = sums[lane / 2][lane % 2];
    ordered_[block.begin + lane] = solved;
    if (lane + 1 < kCount) subtract(solved);
  }
}

template <uint32_t kCount>
void JointSystem::SolveBack(const Block& block, std::span<double> rows) {
  constexpr uint32_t kPairs = (kCount + 1) / 2;
  constexpr uint32_t kLanes = 2 * kPairs;
  const double* entries = entries_.data() + block.entries;
  double* const own = ordered_.data() + block.begin;
  const double* const own_entries =
      entries + size_t{block.begin - block.first} * kLanes;
  for (uint32_t lane = kCount; lane-- > 0;) {
    for (uint32_t j = 0; j < lane; ++j) {
      own[j] -= own_entries[j * kLanes + lane] * own[lane];
    }
    rows[order_[block.begin + lane]] = own[lane];
  }
  Lanes solved[kPairs];
  for (uint32_t p = 0; p < kPairs; ++p) {
    solved[p] = Pair(own[2 * p], 2 * p + 1 < kCount ? own[2 * p + 1] : 0.0);
  }
  for (uint32_t j = block.first; j < block.begin; ++j) {
    double left = ordered_[j];
    for (uint32_t p = kPairs; p-- > 0;) {
      const Lanes products = ReadLanes(entries + 2 * p) * solved[p];
      if (2 * p + 1 < kCount) left -= LaneB(products);
      left -= LaneA(products);
    }
    ordered_[j] = left;
    entries += kLanes;
  }
}

void JointSystem::Solve(std::span<double> rows) {
  for (const Block& block : blocks_) {
    WithCount<kBlockRowsMax>(block.count, [&]<uint32_t kCount>() {
      SolveForth<kCount>(block, rows);
    });
  }
  const size_t count = ordered_.size();
  for (size_t i = 0; i < count; ++i) ordered_[i] *= inverses_[i];
  for (size_t i = blocks_.size(); i-- > 0;) {
    WithCount<kBlockRowsMax>(blocks_[i].count, [&]<uint32_t kCount>() {
      SolveBack<kCount>(blocks_[i], rows);
    });
  }
}

}  // namespace reprise::sim

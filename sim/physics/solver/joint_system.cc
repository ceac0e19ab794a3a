// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/joint_system.h"

#include <algorithm>

namespace reprise::sim {
namespace {

// Entries a row, on average, beyond which rounds are quicker.
constexpr size_t kEntriesPerRowMax = 96;

// By this share a row gives way, so that rows which others hold already, as in
// loops, do not fight them. What it leaves, the next solution takes.
constexpr double kGive = 1e-3;

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
  TakeSides(rows);
  begins_.clear();
  size_t size = 0;
  for (size_t i = 0; i < firsts_.size(); ++i) {
    begins_.push_back(size);
    size += i + 1 - firsts_[i];
  }
  if (size > kEntriesPerRowMax * rows.size()) return false;
  entries_.resize(size);
  Factor();
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
  firsts_.clear();
  std::vector<uint32_t> first_of_body(body_count, ~uint32_t{0});
  for (const uint32_t joint : OrderJoints(graph)) {
    const auto begin = static_cast<uint32_t>(order_.size());
    uint32_t first = begin;
    for (const uint32_t body : graph.bodies_of_joint[joint]) {
      first_of_body[body] = std::min(first_of_body[body], begin);
      first = std::min(first, first_of_body[body]);
    }
    for (size_t i = begins[joint]; i < begins[joint + 1]; ++i) {
      order_.push_back(static_cast<uint32_t>(i));
      firsts_.push_back(first);
    }
  }
}

JointSystem::Held JointSystem::HeldBy(const Row& row) {
  const BodyPair& pair = *row.pair;
  return {.joint = row.joint,
          .bodies = {pair.moves_a ? pair.a : 0, pair.moves_b ? pair.b : 0}};
}

void JointSystem::TakeSides(std::span<const Row> rows) {
  sides_.clear();
  for (const uint32_t index : order_) {
    const Row& row = rows[index];
    const Direction& direction = *row.direction;
    const LaneVector3 moved = direction.linear * row.pair->inverse_mass;
    const Held held = HeldBy(row);
    sides_.push_back(
        {.bodies = {held.bodies[0], held.bodies[1]},
         .linear = {LaneA(direction.linear), LaneB(direction.linear)},
         .angular = {LaneA(direction.angular), LaneB(direction.angular)},
         .linear_response = {LaneA(moved), LaneB(moved)},
         .angular_response = {LaneA(direction.response),
                              LaneB(direction.response)}});
  }
}

double JointSystem::Coupling(const Sides& a, const Sides& b) {
  double sum = 0.0;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      if (a.bodies[i] == 0 || a.bodies[i] != b.bodies[j]) continue;
      sum += a.linear[i].dot(b.linear_response[j]) +
             a.angular[i].dot(b.angular_response[j]);
    }
  }
  return sum;
}

void JointSystem::Factor() {
  const auto count = static_cast<uint32_t>(sides_.size());
  inverses_.assign(count, 0.0);
  for (uint32_t i = 0; i < count; ++i) {
    // By columns, so that entry j of the row is row[j].
    double* const row = entries_.data() + begins_[i] - firsts_[i];
    for (uint32_t j = firsts_[i]; j < i; ++j) {
      const double* const other = entries_.data() + begins_[j] - firsts_[j];
      double sum = Coupling(sides_[i], sides_[j]);
      for (uint32_t k = std::max(firsts_[i], firsts_[j]); k < j; ++k) {
        sum -= row[k] * other[k];
      }
      row[j] = sum;
    }
    const double whole = Coupling(sides_[i], sides_[i]);
    double left = whole * (1.0 + kGive);
    for (uint32_t j = firsts_[i]; j < i; ++j) {
      const double factor = row[j] * inverses_[j];
      left -= row[j] * factor;
      row[j] = factor;
    }
    row[i] = 1.0;
    // Rounding may leave nothing of what the others hold.
    if (left > 0.5 * kGive * whole) inverses_[i] = 1.0 / left;
  }
}

void JointSystem::Solve(std::span<double> rows) {
  const auto count = static_cast<uint32_t>(order_.size());
  ordered_.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    const double* const row = entries_.data() + begins_[i] - firsts_[i];
    double sum = rows[order_[i]];
    for (uint32_t j = firsts_[i]; j < i; ++j) sum -= row[j] * ordered_[j];
    ordered_[i] = sum;
  }
  for (uint32_t i = 0; i < count; ++i) ordered_[i] *= inverses_[i];
  for (uint32_t i = count; i-- > 0;) {
    const double* const row = entries_.data() + begins_[i] - firsts_[i];
    const double solved = ordered_[i];
    for (uint32_t j = firsts_[i]; j < i; ++j) ordered_[j] -= row[j] * solved;
    rows[order_[i]] = solved;
  }
}

}  // namespace reprise::sim

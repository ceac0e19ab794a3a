// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/joint_system.h"

#include <algorithm>
#include <utility>

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
  if (entry_count_ > kEntriesPerRowMax * rows.size()) return false;
  if (!is_arranged) blocks_.Reserve();
  for (const JointBlock& block : blocks_.blocks) {
    for (uint32_t lane = 0; lane < block.count; ++lane) {
      const Row& row = rows[order_[block.begin + lane]];
      blocks_.SetRow(block, lane, *row.direction, row.pair->inverse_mass);
    }
  }
  Factor(width_, kGive, blocks_);
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
  blocks_.Clear();
  entry_count_ = 0;
  // The first row of each body, and its block.
  constexpr std::pair<uint32_t, uint32_t> kNone = {~uint32_t{0}, ~uint32_t{0}};
  std::vector<std::pair<uint32_t, uint32_t>> first_of_body(body_count, kNone);
  for (const uint32_t joint : OrderJoints(graph)) {
    const std::pair<uint32_t, uint32_t> own = {
        static_cast<uint32_t>(order_.size()),
        static_cast<uint32_t>(blocks_.blocks.size())};
    std::pair<uint32_t, uint32_t> first = own;
    for (const uint32_t body : graph.bodies_of_joint[joint]) {
      first_of_body[body] = std::min(first_of_body[body], own);
      first = std::min(first, first_of_body[body]);
    }
    for (size_t i = begins[joint]; i < begins[joint + 1]; ++i) {
      entry_count_ += order_.size() + 1 - first.first;
      order_.push_back(static_cast<uint32_t>(i));
    }
    const Held& held = arranged_[begins[joint]];
    blocks_.Add({.first = first.first,
                 .begin = own.first,
                 .count = static_cast<uint32_t>(order_.size()) - own.first,
                 .first_block = first.second,
                 .bodies = {held.bodies[0], held.bodies[1]}});
  }
}

JointSystem::Held JointSystem::HeldBy(const Row& row) {
  const BodyPair& pair = *row.pair;
  return {.joint = row.joint,
          .bodies = {pair.moves_a ? pair.a : 0, pair.moves_b ? pair.b : 0}};
}

void JointSystem::Solve(std::span<double> rows) {
  std::vector<double>& solution = blocks_.solution;
  for (size_t i = 0; i < solution.size(); ++i) solution[i] = rows[order_[i]];
  sim::Solve(width_, blocks_);
  for (size_t i = 0; i < solution.size(); ++i) rows[order_[i]] = solution[i];
}

}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/contacts/overlaps.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "sim/physics/bodies/touching_pairs.h"
#include "sim/systems/contacts/contact_rows.h"

namespace reprise::sim {
namespace {

bool IsTrigger(const PhysicsDefinition& definition, const Table& bodies,
               ObjectId object) {
  const uint32_t row = bodies.LowerBound(std::array{object.serial});
  if (row == bodies.row_count()) return false;
  const auto& body = bodies.Get<BodyRow>(row);
  return body.object == object && definition.kinds[body.kind].is_trigger;
}

}  // namespace

const OverlapChanges& OverlapFollower::Follow(
    const PhysicsDefinition& definition, const State& state,
    const PhysicsWorld& physics, Tick tick, Table& rows) {
  const PhysicsTables& tables = physics.tables();
  const Table& bodies = state.table(tables.bodies);
  now_.clear();
  ForEachTouchingPair(state, tables, [&](const TouchingPair& pair) {
    const auto [a, b] = pair;
    if (IsTrigger(definition, bodies, a)) {
      now_.push_back({.trigger = a, .object = b});
    }
    if (IsTrigger(definition, bodies, b)) {
      now_.push_back({.trigger = b, .object = a});
    }
  });
  for (const auto& [trigger, object] : physics.trigger_passages()) {
    now_.push_back({.trigger = trigger, .object = object});
  }
  // A total order: equal pairs are the same.
  std::ranges::sort(now_);
  now_.erase(std::unique(now_.begin(), now_.end()), now_.end());

  before_.clear();
  entered_at_.clear();
  for (uint32_t row = 0; row < rows.row_count(); ++row) {
    const auto& old = rows.Get<OverlapRow>(row);
    before_.push_back({.trigger = old.trigger, .object = old.object});
    entered_at_.push_back(old.entered_at);
  }
  changes_.entered.clear();
  changes_.left.clear();
  std::ranges::set_difference(now_, before_,
                              std::back_inserter(changes_.entered));
  std::ranges::set_difference(before_, now_, std::back_inserter(changes_.left));
  if (changes_.entered.empty() && changes_.left.empty()) return changes_;

  rows.Resize(static_cast<uint32_t>(now_.size()));
  for (uint32_t row = 0; row < now_.size(); ++row) {
    const auto old = std::ranges::lower_bound(before_, now_[row]);
    const bool stays = old != before_.end() && *old == now_[row];
    rows.Mutable<OverlapRow>(row) = {
        .trigger = now_[row].trigger,
        .object = now_[row].object,
        .entered_at = stays ? entered_at_[old - before_.begin()] : tick};
  }
  return changes_;
}

}  // namespace reprise::sim

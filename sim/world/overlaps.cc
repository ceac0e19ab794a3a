// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/overlaps.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "sim/physics/physics_rows.h"
#include "sim/world/world_rows.h"

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

std::vector<Overlap> FindOverlaps(const PhysicsDefinition& definition,
                                  const Table& bodies,
                                  const std::vector<TouchingPair>& touching) {
  std::vector<Overlap> overlaps;
  for (const auto [a, b] : touching) {
    if (IsTrigger(definition, bodies, a)) {
      overlaps.push_back({.trigger = a, .object = b});
    }
    if (IsTrigger(definition, bodies, b)) {
      overlaps.push_back({.trigger = b, .object = a});
    }
  }
  // A total order: equal pairs are the same.
  std::ranges::sort(overlaps);
  return overlaps;
}

OverlapChanges UpdateOverlaps(const std::vector<Overlap>& now, Tick tick,
                              Table& rows) {
  std::vector<OverlapRow> old_rows;
  std::vector<Overlap> before;
  for (uint32_t row = 0; row < rows.row_count(); ++row) {
    old_rows.push_back(rows.Get<OverlapRow>(row));
    before.push_back(
        {.trigger = old_rows.back().trigger, .object = old_rows.back().object});
  }
  OverlapChanges changes;
  std::ranges::set_difference(now, before, std::back_inserter(changes.entered));
  std::ranges::set_difference(before, now, std::back_inserter(changes.left));
  if (changes.entered.empty() && changes.left.empty()) return changes;

  rows.Resize(static_cast<uint32_t>(now.size()));
  for (uint32_t row = 0; row < now.size(); ++row) {
    const auto old = std::ranges::lower_bound(before, now[row]);
    const bool stays = old != before.end() && *old == now[row];
    rows.Mutable<OverlapRow>(row) = {
        .trigger = now[row].trigger,
        .object = now[row].object,
        .entered_at = stays ? old_rows[old - before.begin()].entered_at : tick};
  }
  return changes;
}

}  // namespace reprise::sim

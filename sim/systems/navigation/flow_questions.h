// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What behaviours ask of flow fields and grids, as they are at this moment. A
// field is computed when it is first asked after a change, for all who ask. It
// follows kFlowChangesPerStepMax changes of a step at once, later ones when the
// next step begins, so that however often somebody changes it and asks, a step
// costs so many computations at most.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_FLOW_QUESTIONS_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_FLOW_QUESTIONS_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/geometry/vector3.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

// Each of these is INVALID_ARGUMENT when the pack has no such flow field or
// grid.

// Where somebody at `place` goes next: the middle of the next cell on a
// cheapest way, at the height of the place; in the goal's cell its middle.
// nullopt where no way leads to the goal, and outside.
absl::StatusOr<std::optional<Vector3>> FlowNext(const UpdateContext& context,
                                                Id field, Vector3 place);

// What the whole way costs, thousandths of cells; nullopt as above.
absl::StatusOr<std::optional<uint64_t>> FlowCost(const UpdateContext& context,
                                                 Id field, Vector3 place);

// The middle of the goal's cell, at the height of the grid's ground.
absl::StatusOr<Vector3> FlowGoal(const UpdateContext& context, Id field);

// What the cell of a place weighs; 0: it is a wall. nullopt outside.
absl::StatusOr<std::optional<uint16_t>> CellWeight(const UpdateContext& context,
                                                   Id grid, Vector3 place);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_FLOW_QUESTIONS_H_

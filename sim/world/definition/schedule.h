// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// In which order systems and the world itself do their steps. It follows from
// what they declare, and from nothing else: not from the order in which they
// are registered or linked, nor from which of them a pack uses.

#ifndef REPRISE_SIM_WORLD_DEFINITION_SCHEDULE_H_
#define REPRISE_SIM_WORLD_DEFINITION_SCHEDULE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/world/definition/system_declaration.h"

namespace reprise::sim {

// One step of a schedule; of the world's own, `declaration` is null.
struct ScheduledStep {
  const SystemDeclaration* declaration = nullptr;
  uint32_t step = 0;  // index into declaration->steps, or into WorldSteps()
};

class Schedule {
 public:
  // The world's own steps alone.
  Schedule();

  // The order of the steps of `systems`. INVALID_ARGUMENT, with the names, for
  //
  // - two systems, tables of one, steps at a point, or handlers of an event
  //   with one name, and a name that isn't one or is the world's;
  // - a step that comes after or before one that there isn't;
  // - a ring of steps that wait for each other;
  // - two steps at a point that write the same table, or one that does so with
  //   a step of the world's, where neither is said to come first;
  // - a step that writes tables of another system, or of nobody.
  static absl::StatusOr<Schedule> Make(
      std::span<const SystemDeclaration* const> systems);

  // The steps at a point, in order.
  std::span<const ScheduledStep> At(StepPoint point) const {
    return points_[static_cast<size_t>(point)];
  }

  // The steps of the world's and of the systems in `used`, in the same order.
  Schedule Only(std::span<const SystemDeclaration* const> used) const;

 private:
  std::array<std::vector<ScheduledStep>, kStepPointCount> points_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_DEFINITION_SCHEDULE_H_

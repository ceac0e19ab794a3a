// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/flow_questions.h"

#include "absl/status/status.h"
#include "sim/navigation/flow_field.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {
namespace {

struct FieldPlace {
  Navigators* navigators = nullptr;
  uint32_t field = 0;
};

absl::StatusOr<FieldPlace> FindField(const UpdateContext& context, Id name) {
  auto* const navigators = context.parts().systems->Find<Navigators>();
  if (navigators != nullptr) {
    const std::optional<uint32_t> field = navigators->FindField(name);
    if (field.has_value()) return FieldPlace{navigators, *field};
  }
  return absl::InvalidArgumentError("the pack has no such flow field");
}

}  // namespace

absl::StatusOr<std::optional<Vector3>> FlowNext(const UpdateContext& context,
                                                Id field, Vector3 place) {
  const absl::StatusOr<FieldPlace> found = FindField(context, field);
  if (!found.ok()) return found.status();
  return found->navigators->NextOnField(found->field, place);
}

absl::StatusOr<std::optional<uint64_t>> FlowCost(const UpdateContext& context,
                                                 Id field, Vector3 place) {
  const absl::StatusOr<FieldPlace> found = FindField(context, field);
  if (!found.ok()) return found.status();
  return found->navigators->CostOnField(found->field, place);
}

absl::StatusOr<Vector3> FlowGoal(const UpdateContext& context, Id field) {
  const absl::StatusOr<FieldPlace> found = FindField(context, field);
  if (!found.ok()) return found.status();
  return found->navigators->GoalOfField(found->field);
}

absl::StatusOr<std::optional<uint16_t>> CellWeight(const UpdateContext& context,
                                                   Id grid, Vector3 place) {
  auto* const navigators = context.parts().systems->Find<Navigators>();
  if (navigators != nullptr) {
    const std::optional<uint32_t> space = navigators->FindGrid(grid);
    if (space.has_value()) return navigators->WeightAt(*space, place);
  }
  return absl::InvalidArgumentError("the pack has no such grid");
}

}  // namespace reprise::sim

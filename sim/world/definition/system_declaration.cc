// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/definition/system_declaration.h"

#include <algorithm>
#include <array>

namespace reprise::sim {
namespace {

std::vector<const SystemDeclaration*>& Registry() {
  static std::vector<const SystemDeclaration*> registry;
  return registry;
}

}  // namespace

std::string_view StepPointName(StepPoint point) {
  switch (point) {
    case StepPoint::kEvents:
      return "events";
    case StepPoint::kPresence:
      return "presence";
    case StepPoint::kPrePhysics:
      return "pre_physics";
    case StepPoint::kPhysics:
      return "physics";
    case StepPoint::kContacts:
      return "contacts";
    case StepPoint::kPostPhysics:
      return "post_physics";
    case StepPoint::kCommit:
      return "commit";
    case StepPoint::kBeforeObjects:
      return "before objects come and go";
    case StepPoint::kAfterObjects:
      return "after objects came and went";
  }
  return {};
}

std::span<const WorldStep> WorldSteps() {
  static constexpr std::array kSteps = {
      kTimersStep, kAnswersStep, kEventsStep,     kDecideStep,
      kSolverStep, kReactStep,   kLateEventsStep, kObjectsStep};
  return kSteps;
}

std::span<const std::string_view> WorldRooms() {
  static constexpr std::array<std::string_view, 6> kRooms = {
      "components", "events", "input", "physics", "time", "world"};
  return kRooms;
}

bool RegisterSystemDeclaration(const SystemDeclaration* declaration) {
  Registry().push_back(declaration);
  return true;
}

std::vector<const SystemDeclaration*> RegisteredSystemDeclarations() {
  std::vector<const SystemDeclaration*> systems = Registry();
  // Not a total order: two systems of one name are refused by the schedule.
  std::ranges::stable_sort(systems, {}, &SystemDeclaration::name);
  return systems;
}

}  // namespace reprise::sim

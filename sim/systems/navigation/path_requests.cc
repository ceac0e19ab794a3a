// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/path_requests.h"

#include "sim/base/math.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {
namespace {

// The navigators of the world, if object i is one with a space; else null.
Navigators* NavigatorsOf(const UpdateContext& context, uint32_t i) {
  auto* const navigators = context.parts().systems->Find<Navigators>();
  if (navigators == nullptr || !navigators->IsSeeker(context.rows()[i])) {
    return nullptr;
  }
  return navigators;
}

}  // namespace

std::optional<uint64_t> RequestPath(UpdateContext& context, uint32_t i,
                                    Vector3 goal, Tick delay, Id event) {
  Navigators* const navigators = NavigatorsOf(context, i);
  if (navigators == nullptr || !IsFinite(goal.x) || !IsFinite(goal.y) ||
      !IsFinite(goal.z)) {
    return std::nullopt;
  }
  const std::optional<UpdateContext::RequestKey> key =
      context.Request(i, kPathRequest, delay, event);
  if (!key.has_value()) return std::nullopt;
  navigators->Keep(context.rows()[i],
                   {.due = key->due,
                    .request = key->request,
                    .kind = kPathRequest,
                    .object = context.handle(i),
                    .event = event},
                   goal);
  return key->request;
}

std::vector<Vector3> PathOf(const UpdateContext& context, uint32_t i) {
  const Navigators* const navigators = NavigatorsOf(context, i);
  if (navigators == nullptr) return {};
  return navigators->PathOf(context.rows()[i]);
}

}  // namespace reprise::sim

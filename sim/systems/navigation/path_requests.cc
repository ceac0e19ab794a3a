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

// Puts a request for a path into the world's queue; nullopt when too many wait.
std::optional<RequestRow> PutPathRequest(UpdateContext& context, uint32_t i,
                                         Tick delay, Id event) {
  const std::optional<UpdateContext::RequestKey> key =
      context.Request(i, kPathRequest, delay, event);
  if (!key.has_value()) return std::nullopt;
  return RequestRow{.due = key->due,
                    .request = key->request,
                    .kind = kPathRequest,
                    .object = context.handle(i),
                    .event = event};
}

}  // namespace

std::optional<uint64_t> RequestPath(UpdateContext& context, uint32_t i,
                                    Vector3 goal, Tick delay, Id event) {
  Navigators* const navigators = NavigatorsOf(context, i);
  if (navigators == nullptr || !IsFinite(goal.x) || !IsFinite(goal.y) ||
      !IsFinite(goal.z)) {
    return std::nullopt;
  }
  const std::optional<RequestRow> request =
      PutPathRequest(context, i, delay, event);
  if (!request.has_value()) return std::nullopt;
  navigators->Keep(context.rows()[i], *request, goal);
  return request->request;
}

std::optional<uint64_t> RequestNearestPath(UpdateContext& context, uint32_t i,
                                           Id goals, Tick delay, Id event) {
  Navigators* const navigators = NavigatorsOf(context, i);
  if (navigators == nullptr) return std::nullopt;
  const std::optional<uint64_t> nearest =
      navigators->FindNearest(context.rows()[i], goals);
  if (!nearest.has_value()) return std::nullopt;
  const std::optional<RequestRow> request =
      PutPathRequest(context, i, delay, event);
  if (!request.has_value()) return std::nullopt;
  navigators->KeepFor(context.rows()[i], *request, *nearest);
  return request->request;
}

std::vector<Vector3> PathOf(const UpdateContext& context, uint32_t i) {
  const Navigators* const navigators = NavigatorsOf(context, i);
  if (navigators == nullptr) return {};
  return navigators->PathOf(context.rows()[i]);
}

}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who is told of ticks, and what of their events there is room for.

#ifndef REPRISE_SERVICES_SESSIONS_STEP_TELLING_H_
#define REPRISE_SERVICES_SESSIONS_STEP_TELLING_H_

#include <cstdint>
#include <optional>
#include <span>

#include "reprise/v1/simulation_service.pb.h"
#include "services/observations/observation.h"
#include "sim/event.h"
#include "sim/simulation.h"

namespace reprise::services {

// Somebody who is told of a tick that others make.
struct Viewer {
  Observation* observation = nullptr;  // null: nothing, and all events
  bool want_frame = false;
  v1::StepSessionResponse* response = nullptr;
};

// Adds events to one response.
class EventTeller {
 public:
  // To those that `observation`, which may be null and must remain live, hears
  // of. The response has room for `response_bytes_max`.
  EventTeller(const Observation* observation, uint64_t response_bytes_max)
      : observation_(observation), response_bytes_max_(response_bytes_max) {}

  // By the names that the simulation has now. What doesn't fit is counted.
  void Add(std::span<const sim::Event> events,
           const sim::Simulation& simulation,
           v1::StepSessionResponse& response);

 private:
  uint64_t RoomIn(const v1::StepSessionResponse& response) const;

  const Observation* observation_;
  uint64_t response_bytes_max_;
  std::optional<uint64_t> bytes_left_;  // found out once, with the first event
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_STEP_TELLING_H_

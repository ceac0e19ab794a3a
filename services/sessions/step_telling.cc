// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/step_telling.h"

#include <algorithm>
#include <utility>

#include "replays/messages/proto_conversion.h"

namespace reprise::services {
namespace {

// An event's tag and length in the message around it, at most.
constexpr uint64_t kEventOverheadBytes = 6;

}  // namespace

uint64_t EventTeller::RoomIn(const v1::StepSessionResponse& response) const {
  // What is seen has a part of the message of its own, so that neither takes
  // the other's room.
  const uint64_t bytes_max =
      response_bytes_max_ -
      (observation_ == nullptr ? 0 : 3 * ObservedBytesMax(response_bytes_max_));
  const uint64_t bytes =
      response.ByteSizeLong() - response.observations().ByteSizeLong();
  return bytes_max - std::min(bytes, bytes_max);
}

void EventTeller::Add(std::span<const sim::Event> events,
                      const sim::Simulation& simulation,
                      v1::StepSessionResponse& response) {
  for (const sim::Event& event : events) {
    if (observation_ != nullptr && !observation_->Hears(event.type)) continue;
    if (!bytes_left_.has_value()) bytes_left_ = RoomIn(response);
    if (response.events_omitted() == 0) {
      v1::Event message = replays::ToProto(event, simulation);
      const uint64_t bytes = message.ByteSizeLong() + kEventOverheadBytes;
      if (bytes <= *bytes_left_) {
        *bytes_left_ -= bytes;
        *response.add_events() = std::move(message);
        continue;
      }
    }
    response.set_events_omitted(response.events_omitted() + 1);
  }
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What one request to step asks for, on a stream or alone, in the simulation's
// terms. What passes the parser is sound in itself; whether it fits the session
// is the session's to say.

#ifndef REPRISE_SERVICES_STEPPING_STEP_ORDER_H_
#define REPRISE_SERVICES_STEPPING_STEP_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/repeated_field.h"
#include "reprise/v1/observation.pb.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/observations/observation.h"
#include "services/observations/player_view.h"
#include "services/stepping/stop_condition.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"

namespace reprise::services {

struct TickFrames {
  sim::Tick tick = 0;
  std::vector<sim::InputFrame> frames;
};

struct StepOrder {
  sim::Tick first_tick = 0;
  uint32_t tick_count = 0;
  bool want_frame = false;  // of the state that is reached
  // Ascending, all in [first_tick, first_tick + tick_count).
  std::vector<TickFrames> inputs;
  // What the client wants to see from now on, and when to stop; unset: as
  // before, and not before all ticks are made.
  std::optional<v1::Observe> observe;
  double pace = 0;                   // see v1::Pace.factor
  uint64_t frame_acknowledged = 0;   // 0: none
  const PlayerView* view = nullptr;  // what its client may see; null: all
  // What the response may have of observations, events and frame; 0: as much as
  // the session allows.
  uint64_t bytes_max = 0;
  bool until_outcome = false;
  std::string until_condition;

  // Of a session that has taken the order (Session::Prepare):
  std::shared_ptr<Observation> observation;  // null: nothing
  std::optional<StopCondition> stop_condition;
  bool is_observation_new = false;
  // How many of `inputs` have been given to the simulation.
  size_t inputs_used = 0;
  // Set when no more ticks are made.
  v1::StopReason stop_reason = v1::STOP_REASON_UNSPECIFIED;
  bool has_begun = false;
  // Why no more are made, unless all are that were to be.
  absl::Status broken_off;
  // It goes on, or is carried out, when the recording is written
  // (Session::WhenWritten).
  bool waits_for_disk = false;

  // Whether no more ticks are made.
  bool is_over() const {
    return stop_reason != v1::STOP_REASON_UNSPECIFIED || !broken_off.ok();
  }

  sim::Tick end_tick() const { return first_tick + tick_count; }
};

// OUT_OF_RANGE: `tick_count` ticks from `tick` on lie past sim::kTickMax.
absl::Status TickOutOfRangeError(sim::Tick tick, uint32_t tick_count);

// INVALID_ARGUMENT: inputs that aren't ascending or lie outside of [first_tick,
// end_tick); errors of replays::FromProto. Each names the tick.
absl::StatusOr<std::vector<TickFrames>> ParseTickInputs(
    const google::protobuf::RepeatedPtrField<v1::TickInputs>& messages,
    sim::Tick first_tick, sim::Tick end_tick);

// RESOURCE_EXHAUSTED: more than `ticks_max` ticks. OUT_OF_RANGE: past
// sim::kTickMax. INVALID_ARGUMENT: no such pace; inputs that aren't ascending
// or lie outside the order's ticks; errors of replays::FromProto. Each names
// the tick.
absl::StatusOr<StepOrder> ParseStepOrder(const v1::StepSessionRequest& request,
                                         uint32_t ticks_max);
absl::StatusOr<StepOrder> ParseStepOrder(const v1::StepRequest& request,
                                         uint32_t ticks_max);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STEPPING_STEP_ORDER_H_

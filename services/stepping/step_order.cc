// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/stepping/step_order.h"

#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/messages/proto_conversion.h"
#include "services/base/status.h"
#include "services/stepping/tick_pace.h"

namespace reprise::services {
namespace {

// Both kinds of requests have the same fields.
template <typename Request>
absl::StatusOr<StepOrder> Parse(const Request& request, uint32_t ticks_max) {
  if (request.tick_count() > ticks_max) {
    return WithReason(absl::ResourceExhaustedError(fmt::format(
                          "tick_count is {}, more than the {} of one request",
                          request.tick_count(), ticks_max)),
                      "TOO_MANY_TICKS");
  }
  if (request.tick() > sim::kTickMax - request.tick_count()) {
    return TickOutOfRangeError(request.tick(), request.tick_count());
  }
  StepOrder order;
  order.first_tick = request.tick();
  order.tick_count = request.tick_count();
  order.want_frame = request.want_frame();
  if constexpr (requires { request.pace(); }) {
    if (absl::Status checked = CheckPaceFactor(request.pace()); !checked.ok()) {
      return checked;
    }
    order.pace = request.pace();
    order.frame_acknowledged = request.frame_acknowledged();
  }
  if (request.has_observe()) order.observe = request.observe();
  order.until_outcome = request.until().outcome();
  order.until_condition = request.until().condition();
  auto inputs =
      ParseTickInputs(request.inputs(), order.first_tick, order.end_tick());
  if (!inputs.ok()) return inputs.status();
  order.inputs = *std::move(inputs);
  return order;
}

}  // namespace

absl::Status TickOutOfRangeError(sim::Tick tick, uint32_t tick_count) {
  return WithReason(absl::OutOfRangeError(fmt::format(
                        "no run reaches tick {} + {}; the last one is {}", tick,
                        tick_count, sim::kTickMax)),
                    "TICK_OUT_OF_RANGE");
}

absl::StatusOr<std::vector<TickFrames>> ParseTickInputs(
    const google::protobuf::RepeatedPtrField<v1::TickInputs>& messages,
    sim::Tick first_tick, sim::Tick end_tick) {
  std::vector<TickFrames> parsed;
  for (const v1::TickInputs& inputs : messages) {
    const sim::Tick tick = inputs.tick();
    if (tick < first_tick || tick >= end_tick) {
      return WithReason(absl::InvalidArgumentError(fmt::format(
                            "inputs for tick {}, outside of the ticks {} to {} "
                            "of the request",
                            tick, first_tick, end_tick)),
                        "INPUT_TICK_OUTSIDE_REQUEST");
    }
    if (!parsed.empty() && tick <= parsed.back().tick) {
      return WithReason(absl::InvalidArgumentError(
                            fmt::format("inputs for tick {} after those for "
                                        "tick {}",
                                        tick, parsed.back().tick)),
                        "INPUT_TICKS_NOT_ASCENDING");
    }
    auto frames = replays::FromProto(inputs.frames());
    if (!frames.ok()) {
      return WithReason(
          absl::Status(frames.status().code(),
                       fmt::format("inputs for tick {}: {}", tick,
                                   std::string(frames.status().message()))),
          "INPUT_REFUSED");
    }
    parsed.push_back({.tick = tick, .frames = *std::move(frames)});
  }
  return parsed;
}

absl::StatusOr<StepOrder> ParseStepOrder(const v1::StepSessionRequest& request,
                                         uint32_t ticks_max) {
  return Parse(request, ticks_max);
}

absl::StatusOr<StepOrder> ParseStepOrder(const v1::StepRequest& request,
                                         uint32_t ticks_max) {
  return Parse(request, ticks_max);
}

}  // namespace reprise::services

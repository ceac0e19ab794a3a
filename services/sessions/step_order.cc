// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/step_order.h"

#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/messages/proto_conversion.h"
#include "services/base/status.h"

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
    return WithReason(absl::OutOfRangeError(fmt::format(
                          "no run reaches tick {} + {}; the last one is {}",
                          request.tick(), request.tick_count(), sim::kTickMax)),
                      "TICK_OUT_OF_RANGE");
  }
  StepOrder order;
  order.first_tick = request.tick();
  order.tick_count = request.tick_count();
  order.want_frame = request.want_frame();
  if (request.has_observe()) order.observe = request.observe();
  order.until_outcome = request.until().outcome();
  order.until_condition = request.until().condition();
  for (const v1::TickInputs& inputs : request.inputs()) {
    const sim::Tick tick = inputs.tick();
    if (tick < order.first_tick || tick >= order.end_tick()) {
      return WithReason(absl::InvalidArgumentError(fmt::format(
                            "inputs for tick {}, outside of the ticks {} to {} "
                            "of the request",
                            tick, order.first_tick, order.end_tick())),
                        "INPUT_TICK_OUTSIDE_REQUEST");
    }
    if (!order.inputs.empty() && tick <= order.inputs.back().tick) {
      return WithReason(absl::InvalidArgumentError(fmt::format(
                            "inputs for tick {} after those for tick {}", tick,
                            order.inputs.back().tick)),
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
    order.inputs.push_back({.tick = tick, .frames = *std::move(frames)});
  }
  return order;
}

}  // namespace

absl::StatusOr<StepOrder> ParseStepOrder(const v1::StepSessionRequest& request,
                                         uint32_t ticks_max) {
  return Parse(request, ticks_max);
}

absl::StatusOr<StepOrder> ParseStepOrder(const v1::StepRequest& request,
                                         uint32_t ticks_max) {
  return Parse(request, ticks_max);
}

}  // namespace reprise::services

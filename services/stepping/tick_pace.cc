// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/stepping/tick_pace.h"

#include <algorithm>

#include "fmt/format.h"
#include "services/base/status.h"
#include "sim/base/check.h"

namespace reprise::services {

absl::Status CheckPaceFactor(double factor) {
  // What is no number is in no range.
  if (factor == 0 || (factor >= kPaceFactorMin && factor <= kPaceFactorMax)) {
    return absl::OkStatus();
  }
  return WithReason(absl::InvalidArgumentError(fmt::format(
                        "the pace is {}, neither 0 nor within {} to {}", factor,
                        kPaceFactorMin, kPaceFactorMax)),
                    "PACE_REFUSED");
}

TickPace::TickPace(double factor, uint32_t ticks_per_second, absl::Time now)
    : factor_(factor), ticks_per_second_(ticks_per_second), due_(now) {
  CHECK(CheckPaceFactor(factor).ok(), "{}", factor);
  CHECK(ticks_per_second > 0);
}

absl::Time TickPace::due() const {
  if (paused_) {
    return steps_ > 0 ? absl::InfinitePast() : absl::InfiniteFuture();
  }
  return factor_ == 0 ? absl::InfinitePast() : due_;
}

absl::Time TickPace::DueOfLast(uint64_t tick_count) const {
  if (paused_ || factor_ == 0 || tick_count == 0) return due();
  return due_ + period() * static_cast<double>(tick_count - 1);
}

void TickPace::EndTick(absl::Time now) {
  if (paused_) {
    if (steps_ > 0) --steps_;
    return;
  }
  if (factor_ != 0) due_ = std::max(due_ + period(), now - kPaceLagMax);
}

absl::Status TickPace::Control(const v1::PaceControl& control, absl::Time now) {
  if (control.has_factor()) {
    if (absl::Status checked = CheckPaceFactor(control.factor());
        !checked.ok()) {
      return checked;
    }
  }
  const bool paused = control.has_paused() ? control.paused() : paused_;
  // Where it isn't paused they come to nothing, but none may ask for more.
  if (control.step_ticks() > kPacedStepsMax - (paused ? steps_ : 0)) {
    return WithReason(
        absl::ResourceExhaustedError(fmt::format(
            "{} ticks are asked for as of a session that is paused, more "
            "than {}",
            uint64_t{steps_} + control.step_ticks(), kPacedStepsMax)),
        "TOO_MANY_TICKS");
  }
  const double factor = control.has_factor() ? control.factor() : factor_;
  // Ticks that are due stay so; of a pace that begins, the first one is.
  if (factor != factor_ || (paused_ && !paused)) due_ = now;
  factor_ = factor;
  paused_ = paused;
  steps_ = paused ? steps_ + control.step_ticks() : 0;
  return absl::OkStatus();
}

v1::Pace TickPace::Describe() const {
  v1::Pace pace;
  pace.set_factor(factor_);
  pace.set_paused(paused_);
  return pace;
}

absl::Duration TickPace::period() const {
  return absl::Seconds(1) / (factor_ * ticks_per_second_);
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// When the next tick of a session is due. It is told what time it is, and
// decides nothing but when: ticks are the same at every pace.

#ifndef REPRISE_SERVICES_STEPPING_TICK_PACE_H_
#define REPRISE_SERVICES_STEPPING_TICK_PACE_H_

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "reprise/v1/lockstep.pb.h"

namespace reprise::services {

// Bounds on Pace.factor but for 0.
inline constexpr double kPaceFactorMin = 0.001;
inline constexpr double kPaceFactorMax = 1000;

// Time that ticks came too late is made up for, up to this much: a pause of the
// machine is followed by a short hurry, not by a long one.
inline constexpr absl::Duration kPaceLagMax = absl::Milliseconds(250);

// Ticks that are asked for while it is paused.
inline constexpr uint32_t kPacedStepsMax = 600;

// INVALID_ARGUMENT: no such pace.
absl::Status CheckPaceFactor(double factor);

// Used by one thread at a time.
class TickPace {
 public:
  // The first tick is due at `now`. REQUIRES: CheckPaceFactor takes `factor`.
  TickPace(double factor, uint32_t ticks_per_second, absl::Time now);

  // Whether ticks are made as fast as they can be.
  bool is_unlimited() const { return factor_ == 0; }

  // When the next tick is due. The infinite past: whenever it can be made. The
  // infinite future: not before Control says so.
  absl::Time due() const;

  // When the last of `tick_count` more ticks is due, where none comes late. As
  // due() unless ticks are paced.
  absl::Time DueOfLast(uint64_t tick_count) const;

  // The next tick isn't due before `now`.
  void Restart(absl::Time now) { due_ = std::max(due_, now); }

  // A tick was made at `now`.
  void EndTick(absl::Time now);

  // RESOURCE_EXHAUSTED: too many ticks are asked for. INVALID_ARGUMENT: no such
  // factor. Nothing changes after an error.
  absl::Status Control(const v1::PaceControl& control, absl::Time now);

  v1::Pace Describe() const;

 private:
  absl::Duration period() const;

  double factor_;
  uint32_t ticks_per_second_;
  bool paused_ = false;
  uint32_t steps_ = 0;  // to be made although it is paused
  absl::Time due_;      // of the next tick, where it is paced and goes on
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STEPPING_TICK_PACE_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/time/game_clock.h"

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

TimeRate RateOf(const GameClockRow& clock) {
  return {.numerator = clock.rate_numerator,
          .denominator = clock.rate_denominator};
}

bool IsInRange(const GameClockRow& clock) {
  const absl::StatusOr<TimeRate> rate =
      ReducedTimeRate(RateOf(clock), 0, kGameStepsPerTickMax);
  return rate.ok() && *rate == RateOf(clock) && clock.parts >= 0 &&
         clock.parts < kTickParts && clock.is_paused <= 1 &&
         clock.single_steps <= clock.is_paused * kSingleStepsMax &&
         clock.game_tick <= kTickMax;
}

}  // namespace

uint32_t Advance(GameClockRow& clock) {
  if (clock.is_paused != 0) {
    if (clock.single_steps == 0) return 0;
    --clock.single_steps;
  }
  clock.parts += RateOf(clock).parts_per_tick();
  const int64_t steps = clock.parts / kTickParts;
  clock.parts %= kTickParts;
  clock.game_tick += static_cast<Tick>(steps);
  return static_cast<uint32_t>(steps);
}

void Pause(GameClockRow& clock) { clock.is_paused = 1; }

void Resume(GameClockRow& clock) {
  clock.is_paused = 0;
  clock.single_steps = 0;
}

absl::Status SingleStep(GameClockRow& clock) {
  if (clock.is_paused == 0) {
    return absl::FailedPreconditionError("the clock isn't paused");
  }
  if (clock.single_steps == kSingleStepsMax) {
    return absl::ResourceExhaustedError(
        fmt::format("{} single steps are asked for", kSingleStepsMax));
  }
  ++clock.single_steps;
  return absl::OkStatus();
}

absl::Status SetRate(GameClockRow& clock, TimeRate rate) {
  const absl::StatusOr<TimeRate> reduced =
      ReducedTimeRate(rate, 0, kGameStepsPerTickMax);
  if (!reduced.ok()) return reduced.status();
  clock.rate_numerator = reduced->numerator;
  clock.rate_denominator = reduced->denominator;
  return absl::OkStatus();
}

int64_t GameTicksBetween(const GameClockRow& begin, const GameClockRow& end) {
  return static_cast<int64_t>(end.game_tick - begin.game_tick);
}

absl::Status CheckGameClocks(const Table& clocks) {
  if (!RowsAscend(clocks)) {
    return absl::DataLossError("game_clocks is not in order");
  }
  for (uint32_t row = 0; row < clocks.row_count(); ++row) {
    if (!IsInRange(clocks.Get<GameClockRow>(row))) {
      return absl::DataLossError(
          fmt::format("game_clocks row {} is out of range", row));
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/lockstep_options.h"

#include <string_view>

#include "fmt/format.h"
#include "services/base/status.h"
#include "services/sessions/tick_pace.h"

namespace reprise::services {
namespace {

absl::Status LockstepError(std::string_view field, std::string_view problem) {
  return WithReason(absl::InvalidArgumentError(
                        fmt::format("lockstep.{}: {}", field, problem)),
                    "LOCKSTEP_REFUSED", {{"field", field}});
}

absl::Status CheckAtMost(std::string_view field, uint32_t value,
                         uint32_t value_max) {
  if (value <= value_max) return absl::OkStatus();
  return LockstepError(field,
                       fmt::format("{}, more than {}", value, value_max));
}

absl::StatusOr<absl::Duration> ParseTime(
    std::string_view field, const google::protobuf::Duration& message) {
  const absl::Duration time =
      absl::Seconds(message.seconds()) + absl::Nanoseconds(message.nanos());
  if (time >= absl::ZeroDuration() && time <= kLockstepTimeMax) return time;
  return LockstepError(field, "no time between 0 and an hour");
}

void SetTime(absl::Duration time, google::protobuf::Duration& message) {
  absl::Duration rest;
  message.set_seconds(absl::IDivDuration(time, absl::Seconds(1), &rest));
  message.set_nanos(static_cast<int32_t>(absl::ToInt64Nanoseconds(rest)));
}

}  // namespace

absl::StatusOr<LockstepOptions> ParseLockstep(const v1::Lockstep& message) {
  using LatePolicy = LockstepOptions::LatePolicy;
  LockstepOptions options;
  switch (message.late_policy()) {
    case v1::Lockstep::LATE_POLICY_UNSPECIFIED:
    case v1::Lockstep::LATE_POLICY_WAIT:
      options.late_policy = LatePolicy::kWait;
      break;
    case v1::Lockstep::LATE_POLICY_REPEAT:
      options.late_policy = LatePolicy::kRepeat;
      break;
    case v1::Lockstep::LATE_POLICY_EMPTY:
      options.late_policy = LatePolicy::kEmpty;
      break;
    case v1::Lockstep::LATE_POLICY_DROP:
      options.late_policy = LatePolicy::kDrop;
      break;
    default:
      return LockstepError("late_policy", "no such policy");
  }
  for (const absl::Status& checked :
       {CheckAtMost("input_delay_ticks", message.input_delay_ticks(),
                    kInputDelayTicksMax),
        CheckAtMost("late_ticks", message.late_ticks(), kTicksAheadMax),
        CheckPaceFactor(message.pace())}) {
    if (!checked.ok()) return checked;
  }
  options.input_delay_ticks = message.input_delay_ticks();
  options.late_ticks = message.late_ticks();
  options.players_to_start = message.players_to_start();
  options.pace = message.pace();
  if (message.has_late_after()) {
    const auto time = ParseTime("late_after", message.late_after());
    if (!time.ok()) return time.status();
    options.late_after = *time;
  }
  if (options.needs_pace() && options.pace == 0.0) {
    return LockstepError("late_after",
                         "0 without a pace: nothing would hold ticks back");
  }
  if (message.has_seat_hold()) {
    const auto time = ParseTime("seat_hold", message.seat_hold());
    if (!time.ok()) return time.status();
    options.seat_hold = *time;
  }
  return options;
}

absl::Status CheckPlayers(const LockstepOptions& options,
                          uint32_t player_count) {
  return CheckAtMost("players_to_start", options.players_to_start,
                     player_count);
}

v1::Lockstep ToProto(const LockstepOptions& options) {
  using LatePolicy = LockstepOptions::LatePolicy;
  v1::Lockstep message;
  message.set_input_delay_ticks(options.input_delay_ticks);
  switch (options.late_policy) {
    case LatePolicy::kWait:
      message.set_late_policy(v1::Lockstep::LATE_POLICY_WAIT);
      break;
    case LatePolicy::kRepeat:
      message.set_late_policy(v1::Lockstep::LATE_POLICY_REPEAT);
      break;
    case LatePolicy::kEmpty:
      message.set_late_policy(v1::Lockstep::LATE_POLICY_EMPTY);
      break;
    case LatePolicy::kDrop:
      message.set_late_policy(v1::Lockstep::LATE_POLICY_DROP);
      break;
  }
  message.set_late_ticks(options.late_ticks);
  if (options.late_after < absl::InfiniteDuration()) {
    SetTime(options.late_after, *message.mutable_late_after());
  }
  message.set_players_to_start(options.players_to_start);
  if (options.seat_hold > absl::ZeroDuration()) {
    SetTime(options.seat_hold, *message.mutable_seat_hold());
  }
  message.set_pace(options.pace);
  return message;
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/stepping/lockstep_options.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "services/base/status.h"
#include "services/observations/frame_interest.h"
#include "services/stepping/tick_pace.h"
#include "sim/base/id.h"
#include "sim/game_description.h"

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

absl::StatusOr<PlayerView> ParseView(const v1::PlayerView& message,
                                     const std::string& path) {
  auto interest = ParseFrameInterest(message.interest(), path + ".interest",
                                     &LockstepError);
  if (!interest.ok()) return interest.status();
  if (message.event_types_size() > kViewEventTypesMax) {
    return LockstepError(
        path + ".event_types",
        fmt::format("{} types, more than {}", message.event_types_size(),
                    kViewEventTypesMax));
  }
  return PlayerView{.interest = *std::move(interest),
                    .event_types = {message.event_types().begin(),
                                    message.event_types().end()}};
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
  for (int i = 0; i < message.views_size(); ++i) {
    const std::string path = fmt::format("views[{}]", i);
    auto view = ParseView(message.views(i), path);
    if (!view.ok()) return view.status();
    if (!options.views.emplace(message.views(i).player(), *std::move(view))
             .second) {
      return LockstepError(path + ".player", "this player has two views");
    }
  }
  return options;
}

absl::Status CheckPlayers(const LockstepOptions& options,
                          uint32_t player_count) {
  for (const auto& [player, view] : options.views) {
    if (player >= player_count) {
      return LockstepError("views.player",
                           fmt::format("there is no player {}", player));
    }
  }
  return CheckAtMost("players_to_start", options.players_to_start,
                     player_count);
}

absl::Status CheckViews(const LockstepOptions& options,
                        const sim::Simulation& simulation) {
  const auto& known = simulation.description().types;
  for (const auto& [player, view] : options.views) {
    for (const std::string& event : view.event_types) {
      if (simulation.IdName(sim::IdOf(event)) == event) continue;
      return LockstepError("views.event_types",
                           fmt::format("no event '{}'", event));
    }
    if (known.empty()) continue;
    for (const std::string& type : view.interest.types) {
      if (std::ranges::find(known, type, &sim::TypeDescription::name) !=
          known.end()) {
        continue;
      }
      return LockstepError("views.interest.types",
                           fmt::format("no type '{}'", type));
    }
  }
  return absl::OkStatus();
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
  for (const auto& [player, view] : options.views) {
    v1::PlayerView& added = *message.add_views();
    added.set_player(player);
    *added.mutable_interest() = ToProto(view.interest);
    for (const std::string& type : view.event_types) {
      added.add_event_types(type);
    }
  }
  return message;
}

v1::Lockstep ToProtoFor(std::optional<uint32_t> player,
                        const LockstepOptions& options) {
  LockstepOptions told = options;
  std::erase_if(told.views,
                [&](const auto& view) { return view.first != player; });
  return ToProto(told);
}

}  // namespace reprise::services

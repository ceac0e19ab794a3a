// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a session is played by many, as its creator asked for it.

#ifndef REPRISE_SERVICES_STEPPING_LOCKSTEP_OPTIONS_H_
#define REPRISE_SERVICES_STEPPING_LOCKSTEP_OPTIONS_H_

#include <cstdint>
#include <map>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "reprise/v1/lockstep.pb.h"
#include "services/observations/player_view.h"
#include "sim/simulation.h"

namespace reprise::services {

// Two seconds at 60 Hz: who sees less of the present doesn't play it.
inline constexpr uint32_t kInputDelayTicksMax = 120;
// Inputs that a player may have given ahead: ten seconds at 60 Hz.
inline constexpr uint32_t kTicksAheadMax = 600;
inline constexpr absl::Duration kLockstepTimeMax = absl::Hours(1);

// See v1::Lockstep.
struct LockstepOptions {
  enum class LatePolicy { kWait, kRepeat, kEmpty, kDrop };

  uint32_t input_delay_ticks = 0;
  LatePolicy late_policy = LatePolicy::kWait;
  uint32_t late_ticks = 0;  // 0: never
  absl::Duration late_after = absl::InfiniteDuration();
  uint32_t players_to_start = 0;  // 0: all
  absl::Duration seat_hold = absl::ZeroDuration();
  double pace = 0;
  std::map<uint32_t, PlayerView> views;  // by player; others see all

  // What a player may see; null: all.
  const PlayerView* ViewOf(std::optional<uint32_t> player) const {
    const auto view = player.has_value() ? views.find(*player) : views.end();
    return view == views.end() ? nullptr : &view->second;
  }

  // Whether ticks would be made for whoever says nothing as fast as it goes,
  // were they not held back by a pace.
  bool needs_pace() const {
    return late_policy != LatePolicy::kWait &&
           late_after == absl::ZeroDuration();
  }

  friend bool operator==(const LockstepOptions&,
                         const LockstepOptions&) = default;
};

// INVALID_ARGUMENT: a part of it is out of range, or it lacks the pace that it
// needs.
absl::StatusOr<LockstepOptions> ParseLockstep(const v1::Lockstep& message);

// Whether `player_count` players can play so. INVALID_ARGUMENT: they are too
// few to start, or there is a view of another one.
absl::Status CheckPlayers(const LockstepOptions& options,
                          uint32_t player_count);

// Whether the simulation has what views are of. INVALID_ARGUMENT: it hasn't.
absl::Status CheckViews(const LockstepOptions& options,
                        const sim::Simulation& simulation);

v1::Lockstep ToProto(const LockstepOptions& options);

// What a player is told of it: of views its own. An observer: none.
v1::Lockstep ToProtoFor(std::optional<uint32_t> player,
                        const LockstepOptions& options);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STEPPING_LOCKSTEP_OPTIONS_H_

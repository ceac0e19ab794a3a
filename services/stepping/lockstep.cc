// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/stepping/lockstep.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/time/clock.h"
#include "fmt/format.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "sim/base/check.h"

namespace reprise::services {

absl::StatusOr<PlayerInputs> ParsePlayerInputs(
    const v1::PlaySessionRequest& request, uint32_t player) {
  if (request.tick() > sim::kTickMax - request.tick_count()) {
    return TickOutOfRangeError(request.tick(), request.tick_count());
  }
  auto inputs = ParseTickInputs(request.inputs(), request.tick(),
                                request.tick() + request.tick_count());
  if (!inputs.ok()) return inputs.status();
  PlayerInputs parsed = {.first_tick = request.tick(),
                         .tick_count = request.tick_count(),
                         .inputs = *std::move(inputs),
                         .bytes = request.ByteSizeLong()};
  for (const TickFrames& of_tick : parsed.inputs) {
    if (of_tick.frames.size() == 1 && of_tick.frames[0].player == player) {
      continue;
    }
    return WithReason(absl::InvalidArgumentError(fmt::format(
                          "inputs for tick {}: a player gives one frame a "
                          "tick, of player {}",
                          of_tick.tick, player)),
                      "INPUT_REFUSED");
  }
  return parsed;
}

Lockstep::Lockstep(const LockstepOptions& options, uint32_t player_count)
    : options_(options), places_(player_count) {
  CHECK(player_count > 0);
}

void Lockstep::Resume(sim::Tick tick, absl::Time now) {
  const std::scoped_lock lock(mutex_);
  FreeExpiredLocked(now);
  const bool goes_on = tick == next_tick_ &&
                       std::ranges::any_of(places_, [](const Place& place) {
                         return !place.is_free();
                       });
  if (goes_on) return;
  // Whoever stepped it before may have left devices held.
  for (Place& place : places_) {
    FreeLocked(place);
    place.must_rest = tick > 0;
  }
  next_tick_ = tick;
}

absl::StatusOr<Lockstep::Joined> Lockstep::Join(uint32_t player,
                                                std::string_view seat_key,
                                                sim::Tick tick,
                                                absl::Time now) {
  const std::scoped_lock lock(mutex_);
  if (player >= places_.size()) {
    return WithReason(
        absl::OutOfRangeError(fmt::format(
            "there is no player {}; the pack has {}", player, places_.size())),
        "PLAYER_UNKNOWN");
  }
  FreeExpiredLocked(now);
  Place& place = places_[player];
  if (place.is_free()) {
    place.seat_key = NewId(absl::Now());
    place.end_tick = tick + options_.input_delay_ticks;
  } else if (!IsKeyOf(place, seat_key)) {
    return WithReason(
        absl::FailedPreconditionError(fmt::format(
            "player {} is {}", player,
            place.is_held() ? "away, and the seat held" : "played already")),
        "SEAT_TAKEN");
  }
  place.state = v1::Seat::STATE_TAKEN;
  return Joined{.seat_key = place.seat_key,
                .input_tick = std::max(place.end_tick, tick)};
}

bool Lockstep::IsKeyOf(const Place& place, std::string_view seat_key) const {
  // In the same time wherever they differ.
  if (seat_key.size() != place.seat_key.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < seat_key.size(); ++i) {
    difference |= static_cast<unsigned char>(seat_key[i] ^ place.seat_key[i]);
  }
  return difference == 0;
}

void Lockstep::Leave(uint32_t player) {
  const std::scoped_lock lock(mutex_);
  FreeLocked(places_.at(player));
}

void Lockstep::BreakOff(uint32_t player, absl::Time now) {
  const std::scoped_lock lock(mutex_);
  Place& place = places_.at(player);
  if (options_.seat_hold <= absl::ZeroDuration() ||
      options_.late_policy == LockstepOptions::LatePolicy::kDrop) {
    FreeLocked(place);
    return;
  }
  place.state = v1::Seat::STATE_HELD;
  place.held_until = now + options_.seat_hold;
}

void Lockstep::FreeLocked(Place& place) {
  if (place.is_free()) return;
  place = Place();
  place.must_rest = true;
  if (std::ranges::all_of(places_, &Place::is_free)) is_begun_ = false;
}

void Lockstep::FreeExpiredLocked(absl::Time now) {
  for (Place& place : places_) {
    if (place.is_held() && place.held_until <= now) FreeLocked(place);
  }
}

absl::StatusOr<uint64_t> Lockstep::Give(uint32_t player, PlayerInputs inputs,
                                        sim::Tick tick) {
  const std::scoped_lock lock(mutex_);
  Place& place = places_.at(player);
  CHECK(!place.is_free());
  const sim::Tick first = inputs.first_tick;
  if (first < place.end_tick || first > std::max(place.end_tick, tick)) {
    return WithReason(
        absl::FailedPreconditionError(fmt::format(
            "inputs from tick {} on; player {} has given those before tick {}, "
            "and the session is at tick {}",
            first, player, place.end_tick, tick)),
        "TICK_MISMATCH");
  }
  const sim::Tick end = first + inputs.tick_count;
  if (end > tick + kTicksAheadMax) {
    return WithReason(
        absl::ResourceExhaustedError(fmt::format(
            "inputs up to tick {}, more than {} ahead of the session's tick {}",
            end, kTicksAheadMax, tick)),
        "TOO_MANY_TICKS");
  }
  if (place.given_bytes + inputs.bytes > kInputsAheadBytesMax) {
    return WithReason(
        absl::ResourceExhaustedError(fmt::format(
            "player {} would have given {} bytes ahead, more than {}", player,
            place.given_bytes + inputs.bytes, kInputsAheadBytesMax)),
        "INPUTS_TOO_LARGE");
  }
  // Its bytes are shared among its frames, so that what is taken out of them
  // adds up to what was put in.
  const uint64_t frame_bytes =
      inputs.inputs.empty() ? 0 : inputs.bytes / inputs.inputs.size();
  for (TickFrames& of_tick : inputs.inputs) {
    if (of_tick.tick < tick) continue;
    place.given.emplace(
        of_tick.tick,
        Given{.frame = std::move(of_tick.frames[0]), .bytes = frame_bytes});
    place.given_bytes += frame_bytes;
  }
  place.end_tick = end;
  return std::min(end, std::max(first, tick)) - first;
}

Lockstep::Decision Lockstep::Decide(sim::Tick tick, absl::Time due,
                                    absl::Time now) {
  const std::scoped_lock lock(mutex_);
  FreeExpiredLocked(now);
  Decision decision;
  size_t seated = 0, played = 0;
  for (const Place& place : places_) {
    if (!place.is_free()) ++seated;
    if (place.state == v1::Seat::STATE_TAKEN) ++played;
    if (place.is_held()) {
      decision.again = std::min(decision.again, place.held_until);
    }
  }
  if (played == 0) return decision;
  const size_t to_start = options_.players_to_start == 0
                              ? places_.size()
                              : options_.players_to_start;
  is_begun_ |= seated >= to_start;
  if (!is_begun_ || !IsDecidedLocked(tick, due, now, decision.again)) {
    return decision;
  }
  for (uint32_t player = 0; player < places_.size(); ++player) {
    const Place& place = places_[player];
    if (!place.is_free() && place.end_tick <= tick) {
      DecideForLateLocked(player, decision);
    }
    TakeFrameLocked(player, tick, decision);
  }
  decision.is_made = true;
  next_tick_ = tick + 1;
  return decision;
}

bool Lockstep::IsDecidedLocked(sim::Tick tick, absl::Time due, absl::Time now,
                               absl::Time& again) const {
  size_t seated = 0, given = 0;
  bool are_ahead = true;  // those who have given the tick's inputs
  bool waits_for_played = false, waits_for_held = false;
  for (const Place& place : places_) {
    if (place.is_free()) continue;
    ++seated;
    if (place.end_tick > tick) {
      ++given;
      are_ahead &= place.end_tick > tick + options_.late_ticks;
    } else {
      (place.is_held() ? waits_for_held : waits_for_played) = true;
    }
  }
  if (!waits_for_held && !waits_for_played) return true;
  if (options_.late_policy == LockstepOptions::LatePolicy::kWait) return false;
  // Who is away is late for every tick.
  if (!waits_for_played) return true;
  if (options_.late_ticks > 0 && 2 * given >= seated && are_ahead) return true;
  const absl::Time late = due + options_.late_after;
  if (now >= late) return true;
  again = std::min(again, late);
  return false;
}

void Lockstep::DecideForLateLocked(uint32_t player, Decision& decision) {
  decision.late_players.push_back(player);
  switch (options_.late_policy) {
    case LockstepOptions::LatePolicy::kWait:
      CHECK(false, "player {}", player);
      break;
    case LockstepOptions::LatePolicy::kRepeat:
      break;
    case LockstepOptions::LatePolicy::kEmpty:
      places_[player].must_rest = true;
      break;
    case LockstepOptions::LatePolicy::kDrop:
      decision.dropped_players.push_back(player);
      FreeLocked(places_[player]);
      break;
  }
}

void Lockstep::TakeFrameLocked(uint32_t player, sim::Tick tick,
                               Decision& decision) {
  Place& place = places_[player];
  const auto given = place.given.find(tick);
  if (given != place.given.end()) {
    decision.frames.push_back(std::move(given->second.frame));
    place.given_bytes -= given->second.bytes;
    place.given.erase(given);
  } else if (place.must_rest) {
    decision.frames.push_back({.player = player});
  }
  place.must_rest = false;
}

void Lockstep::DescribeSeats(
    absl::Time now, google::protobuf::RepeatedPtrField<v1::Seat>& seats) const {
  const std::scoped_lock lock(mutex_);
  for (uint32_t player = 0; player < places_.size(); ++player) {
    const Place& place = places_[player];
    if (place.is_free() || (place.is_held() && place.held_until <= now)) {
      continue;
    }
    v1::Seat& seat = *seats.Add();
    seat.set_player(player);
    seat.set_state(place.state);
  }
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who plays a session together, what they have given, and what each of them
// does at the next tick. What is decided depends on the inputs, on whose seats
// are taken and, by the policy for who is late, on how far the others are and
// what time it is: on nothing else, and never on whose message was the first.

#ifndef REPRISE_SERVICES_STEPPING_LOCKSTEP_H_
#define REPRISE_SERVICES_STEPPING_LOCKSTEP_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "google/protobuf/repeated_field.h"
#include "reprise/v1/lockstep.pb.h"
#include "services/stepping/lockstep_options.h"
#include "services/stepping/step_order.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"

namespace reprise::services {

// Of the inputs that a player has given ahead.
inline constexpr uint64_t kInputsAheadBytesMax = uint64_t{1} << 20;

// All inputs of one player for some ticks.
struct PlayerInputs {
  sim::Tick first_tick = 0;
  uint32_t tick_count = 0;
  std::vector<TickFrames> inputs;  // ascending, each of one frame
  uint64_t bytes = 0;              // of the message that they came in
};

// INVALID_ARGUMENT: inputs that aren't ascending, lie outside of the request's
// ticks, or are another player's; errors of replays::FromProto.
absl::StatusOr<PlayerInputs> ParsePlayerInputs(
    const v1::PlaySessionRequest& request, uint32_t player);

// Safe to use from any thread.
class Lockstep {
 public:
  Lockstep(const LockstepOptions& options, uint32_t player_count);
  Lockstep(const Lockstep&) = delete;
  Lockstep& operator=(const Lockstep&) = delete;

  const LockstepOptions& options() const { return options_; }

  // Begins, or goes on, at `tick`. Seats that are held stay so where nobody has
  // changed the session since.
  void Resume(sim::Tick tick, absl::Time now);

  struct Joined {
    std::string seat_key;
    sim::Tick input_tick = 0;  // the first whose inputs are wanted
  };
  // Takes a seat at `tick`; that of somebody else only with its key.
  // OUT_OF_RANGE: there is no such player. FAILED_PRECONDITION: it is taken or
  // held, and the key is another one.
  absl::StatusOr<Joined> Join(uint32_t player, std::string_view seat_key,
                              sim::Tick tick, absl::Time now);
  // Frees the seat; the player's device comes to rest.
  void Leave(uint32_t player);
  // Holds the seat for its player, if it is to be held.
  void BreakOff(uint32_t player, absl::Time now);

  // Takes what a seated player does. Returns how many of the ticks, those
  // before `tick`, came too late. After an error nothing changes.
  // FAILED_PRECONDITION: they don't go on where the player stopped.
  // RESOURCE_EXHAUSTED: they go too far ahead, or have too many bytes.
  absl::StatusOr<uint64_t> Give(uint32_t player, PlayerInputs inputs,
                                sim::Tick tick);

  struct Decision {
    bool is_made = false;  // the tick can be made, with these frames
    std::vector<sim::InputFrame> frames;
    // Whom the policy decided for, and who of them lost the seat; ascending.
    std::vector<uint32_t> late_players;
    std::vector<uint32_t> dropped_players;
    // When to ask again, if nothing happens before.
    absl::Time again = absl::InfiniteFuture();
  };
  // What they do at `tick`, which is due since `due`. What is decided is taken
  // out: the tick has to be made.
  Decision Decide(sim::Tick tick, absl::Time due, absl::Time now);

  // Those that are taken or held, ascending.
  void DescribeSeats(absl::Time now,
                     google::protobuf::RepeatedPtrField<v1::Seat>& seats) const;

 private:
  struct Given {
    sim::InputFrame frame;
    uint64_t bytes = 0;
  };

  struct Place {
    v1::Seat::State state = v1::Seat::STATE_UNSPECIFIED;  // free
    std::string seat_key;
    absl::Time held_until;
    // Of the ticks before it, all inputs are given; the frames of those that
    // haven't been made. A tick without one repeats what is held.
    sim::Tick end_tick = 0;
    std::map<sim::Tick, Given> given;
    uint64_t given_bytes = 0;
    // Its device has to come to rest at the next tick.
    bool must_rest = false;

    bool is_free() const { return state == v1::Seat::STATE_UNSPECIFIED; }
    bool is_held() const { return state == v1::Seat::STATE_HELD; }
  };

  // REQUIRES of all: the caller holds mutex_.
  bool IsKeyOf(const Place& place, std::string_view seat_key) const;
  void FreeLocked(Place& place);
  void FreeExpiredLocked(absl::Time now);
  // Whether there is nobody to wait for at `tick`; if not, when to ask again.
  bool IsDecidedLocked(sim::Tick tick, absl::Time due, absl::Time now,
                       absl::Time& again) const;
  void DecideForLateLocked(uint32_t player, Decision& decision);
  void TakeFrameLocked(uint32_t player, sim::Tick tick, Decision& decision);

  const LockstepOptions options_;

  mutable std::mutex mutex_;   // guards what follows
  std::vector<Place> places_;  // by player
  bool is_begun_ = false;      // as many were seated as it takes
  sim::Tick next_tick_ = 0;    // behind the last one that was decided
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STEPPING_LOCKSTEP_H_

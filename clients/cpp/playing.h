// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Sessions that several clients play or watch together, each on a stream of its
// own: a player gives inputs by tick, and is told of each tick that is made.

#ifndef REPRISE_CLIENTS_CPP_PLAYING_H_
#define REPRISE_CLIENTS_CPP_PLAYING_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client.h"
#include "reprise/v1/input.pb.h"
#include "reprise/v1/lockstep.pb.h"
#include "reprise/v1/simulation_service.pb.h"

namespace reprise::client {

// A player's place in a session, or an observer's. The client must remain live.
// One thread may Give and Send while another one receives; all else is for one
// thread at a time.
class PlayStream {
 public:
  // Joins a session that was created with a `lockstep`. `request` names it, and
  // the player to be: whose seat is free or whose `seat_key` it has; without a
  // player it is an observer. It may say what to see. Errors: those of the
  // server, such as SESSION_NOT_SHARED and SEAT_TAKEN; DEADLINE_EXCEEDED after
  // ClientOptions::timeout.
  static absl::StatusOr<std::unique_ptr<PlayStream>> Join(
      Client& client, v1::PlaySessionRequest request);
  PlayStream(const PlayStream&) = delete;
  PlayStream& operator=(const PlayStream&) = delete;
  // Breaks it off at once: the seat is held, as Lockstep.seat_hold says.
  ~PlayStream();

  // nullopt: an observer.
  std::optional<uint32_t> player() const;
  // What Join takes to come back from elsewhere. Empty of an observer.
  const std::string& seat_key() const { return join_.seat_key(); }
  // What it began with: `joined`, how the session stood, and the layout of what
  // was declared.
  const v1::PlaySessionResponse& first() const { return first_; }
  // How the session stood when that was told: the tick, and the digest of its
  // state; the pace.
  uint64_t tick() const { return tick_; }
  uint64_t digest() const { return digest_; }
  const v1::Pace& pace() const { return pace_; }
  // The first tick that Give has inputs for.
  uint64_t input_tick() const { return input_tick_; }

  // Says all inputs of this player for `tick_count` ticks from input_tick() on,
  // or from `tick`, and doesn't wait. `inputs` are ascending and within these;
  // their frames are this player's. What the pack doesn't take is told by
  // Receive, and nothing of that call was taken: it is given again with `tick`,
  // as inputs are behind ticks that were made without this player and are to be
  // skipped. INVALID_ARGUMENT: inputs are for another tick.
  // FAILED_PRECONDITION: an observer gives none. The stream's end: as of
  // Receive.
  absl::Status Give(uint32_t tick_count,
                    std::vector<v1::TickInputs> inputs = {},
                    std::optional<uint64_t> tick = std::nullopt);

  // Asks for something else: `observe`, `pace` or `frame_acknowledged`, and
  // doesn't wait. What is refused is told by Receive.
  absl::Status Send(v1::PlaySessionRequest request);

  // Waits for what is told next: a `result` for each tick, `pace` where that
  // has changed. Without a timeout it waits for the others as long as they
  // take. DEADLINE_EXCEEDED: nothing came in time, and the stream goes on.
  // OUT_OF_RANGE and has_ended(): the stream has ended as it should, as when a
  // replay that is watched is over. Other errors, with their ErrorInfo: a
  // request was refused, and the stream goes on; with has_ended() it has ended.
  absl::StatusOr<v1::PlaySessionResponse> Receive(
      std::optional<std::chrono::milliseconds> timeout = std::nullopt);

  // Whether there is no more to receive than what has come.
  bool has_ended() const;

  // Gives up the seat, and waits for the end; what was yet to be told isn't.
  // Errors: the stream had ended otherwise; DEADLINE_EXCEEDED as of Join.
  absl::Status Leave();

  // Joins again on a new stream, in the same seat: it sees what was declared
  // last, and input_tick() is behind what it had given. Errors: as of Join.
  absl::Status ComeBack();

 private:
  class Call;

  PlayStream(Client& client, v1::PlaySessionRequest join);

  absl::Status Open();
  // Why nothing is sent or received any more.
  absl::Status EndStatus() const;
  void Note(const v1::PlaySessionResponse& response);

  Client& client_;
  v1::PlaySessionRequest join_;  // what would come back
  std::unique_ptr<Call> call_;
  v1::PlaySessionResponse first_;
  uint64_t tick_ = 0;
  uint64_t digest_ = 0;
  v1::Pace pace_;
  uint64_t input_tick_ = 0;
};

}  // namespace reprise::client

#endif  // REPRISE_CLIENTS_CPP_PLAYING_H_

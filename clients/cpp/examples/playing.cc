// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Two bots play Pong for ten seconds, each on a stream of its own, as they
// would from two machines: each goes where it sees the ball.
//
// usage: playing ADDRESS

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <thread>

#include "client.h"
#include "observations.h"
#include "playing.h"

namespace {

using namespace reprise;

v1::PlaySessionRequest JoinAs(uint32_t player, const std::string& session) {
  v1::PlaySessionRequest join;
  join.set_session(session);
  join.set_player(player);
  v1::ObservedGroup& places = *join.mutable_observe()->add_groups();
  places.add_fields("bodies.position.z");
  for (const char* name : {"left", "right", "ball"}) places.add_objects(name);
  places.set_every_ticks(1);
  return join;
}

// What a bot does that has seen a tick: its paddle goes towards the ball.
v1::TickInputs Steer(const client::Block& seen, const std::string& paddle,
                     uint64_t tick) {
  const auto places = seen.column<double>("bodies.position.z");
  const double way =
      places->at(0, *seen.RowOf("ball")) - places->at(0, *seen.RowOf(paddle));
  v1::TickInputs inputs;
  inputs.set_tick(tick);
  inputs.add_frames()->mutable_device()->add_axes(
      static_cast<int32_t>(32767 * std::clamp(way, -1.0, 1.0)));
  return inputs;
}

absl::Status Play(client::PlayStream& stream, const std::string& paddle) {
  client::ObservationReader reader;
  absl::StatusOr<v1::PlaySessionResponse> told = stream.first();
  while (told.ok() && stream.tick() < 600) {
    const auto blocks = reader.Read(told->result());
    if (!blocks.ok()) return blocks.status();
    absl::Status given =
        stream.Give(1, {Steer(blocks->front(), paddle, stream.input_tick())});
    if (!given.ok()) return given;
    told = stream.Receive();
  }
  return told.ok() ? stream.Leave() : told.status();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string address = argc > 1 ? argv[1] : "127.0.0.1:7171";
  auto client = client::Client::Create(address);
  v1::CreateSessionRequest create;
  create.set_pack("pong");
  create.set_record(true);
  create.mutable_lockstep()->set_input_delay_ticks(3);
  auto session = (*client)->CreateSession(create);
  if (!session.ok()) {
    std::cerr << session.status() << "\n";
    return 1;
  }
  absl::Status ends[2];
  uint64_t digests[2] = {};
  const auto play = [&](uint32_t player) {
    const auto stream =
        client::PlayStream::Join(**client, JoinAs(player, session->name()));
    ends[player] = stream.ok() ? Play(**stream, player == 0 ? "left" : "right")
                               : stream.status();
    if (stream.ok()) digests[player] = (*stream)->digest();
  };
  std::thread left(play, 0);
  std::thread right(play, 1);
  left.join();
  right.join();
  for (const absl::Status& end : ends) {
    if (end.ok()) continue;
    std::cerr << end << "\n";
    return 1;
  }
  if (digests[0] != digests[1]) return 1;
  std::cout << "both saw the same\n";
  std::cout << "kept as " << *session->Delete() << "\n";
  return 0;
}

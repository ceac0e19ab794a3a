// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What those who play together are told of a tick: once for all who want the
// same, later to who had no room.

#include <cstddef>
#include <utility>
#include <vector>

#include "grpcpp/support/byte_buffer.h"
#include "services/calls/message_bytes.h"
#include "services/calls/shared_play.h"
#include "services/sessions/session.h"

namespace reprise::services {

std::vector<Viewer> SharedPlay::MakeViewers(TickResults& results,
                                            bool of_missed) {
  results.observed.resize(players_.size());
  results.of.resize(players_.size());
  std::vector<Viewer> viewers;
  for (size_t i = 0; i < players_.size(); ++i) {
    Player& player = players_[i];
    if (of_missed && player.results_missed == 0) continue;
    if (!player.member->HasRoom()) {
      if (!of_missed) ++player.results_missed;
      continue;
    }
    if (of_missed) --player.results_missed;  // this one
    v1::PlaySessionResponse& response = player.observation != nullptr
                                            ? results.observed[i]
                                        : player.want_frames ? results.framed
                                                             : results.plain;
    results.of[i] = &response;
    if (response.has_result()) continue;
    viewers.push_back({.observation = player.observation.get(),
                       .want_frame = player.want_frames,
                       .response = response.mutable_result()});
  }
  return viewers;
}

void SharedPlay::TellTick(TickResults& results) {
  grpc::ByteBuffer plain, framed;
  for (auto& [response, bytes] : {std::pair(&results.plain, &plain),
                                  std::pair(&results.framed, &framed)}) {
    if (!response->has_result()) continue;
    response->mutable_late_players()->Add(late_players_.begin(),
                                          late_players_.end());
    SerializeMessage(*response, *bytes);
  }
  for (size_t i = 0; i < players_.size(); ++i) {
    v1::PlaySessionResponse* const response = results.of[i];
    if (response == nullptr) continue;
    if (response == &results.plain || response == &results.framed) {
      TellShared(players_[i], response == &results.plain ? plain : framed);
      continue;
    }
    response->mutable_late_players()->Add(late_players_.begin(),
                                          late_players_.end());
    Tell(players_[i], *response);
  }
}

void SharedPlay::CatchUp() {
  TickResults results;
  const std::vector<Viewer> viewers = MakeViewers(results, /*of_missed=*/true);
  if (!viewers.empty()) {
    session().Show(events_, viewers);
    TellTick(results);
  }
  for (Player& player : players_) {
    if (!player.owes_pace || !player.member->HasRoom()) continue;
    v1::PlaySessionResponse response;
    Tell(player, response);
  }
}

void SharedPlay::Tell(Player& player, v1::PlaySessionResponse& response) {
  AddOwn(player, response.has_result(), response);
  player.member->Send(response);
}

void SharedPlay::TellShared(Player& player, const grpc::ByteBuffer& shared) {
  v1::PlaySessionResponse rest;
  AddOwn(player, /*has_result=*/true, rest);
  player.member->SendShared(shared, rest);
}

void SharedPlay::AddOwn(Player& player, bool has_result,
                        v1::PlaySessionResponse& response) {
  if (has_result) {
    response.set_results_missed(std::exchange(player.results_missed, 0));
  }
  response.set_inputs_late(std::exchange(player.inputs_late, 0));
  if (std::exchange(player.owes_pace, false)) {
    *response.mutable_pace() = pace_.Describe();
  }
}

}  // namespace reprise::services

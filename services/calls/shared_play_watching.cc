// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How many watch a replay that nobody plays: its ticks come from its file, also
// while that is being written, until it ends.

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/calls/shared_play.h"
#include "services/sessions/session.h"

namespace reprise::services {
namespace {

// How soon to look again whether a replay that is being recorded has gone on:
// its file does once a second.
constexpr absl::Duration kLookPeriod = absl::Milliseconds(100);

}  // namespace

bool SharedPlay::MakeRecordedTick(absl::Time now, absl::Time& again) {
  // Where nobody sees it, it waits for the next who does.
  if (players_.empty()) return false;
  again = next_look_;
  if (now < next_look_) return false;
  auto next = session().NextRecordedTick();
  if (!next.ok()) {
    RemoveAll(next.status());
    return false;
  }
  if (next->frames.has_value()) return Play(*std::move(next->frames), {});
  if (!next->may_come) {
    again = absl::InfiniteFuture();
    TellEnd();
    return false;
  }
  // Nobody hurries because the recording was waited for.
  pace_.Restart(now);
  next_look_ = now + kLookPeriod;
  again = next_look_;
  return false;
}

void SharedPlay::TellEnd() {
  CatchUp();
  for (size_t i = players_.size(); i > 0; --i) {
    Player& player = players_[i - 1];
    if (player.results_missed > 0 || !player.member->HasRoom()) continue;
    v1::PlaySessionResponse response;
    session().DescribeStep(/*want_frame=*/false, *response.mutable_result());
    response.mutable_result()->set_stop_reason(v1::STOP_REASON_REPLAY_END);
    Tell(player, response);
    Remove(players_.begin() + static_cast<std::ptrdiff_t>(i - 1),
           absl::OkStatus());
  }
}

}  // namespace reprise::services

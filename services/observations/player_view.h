// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a player may see who may not see all of a session that several play:
// nothing else is in what its stream is sent.

#ifndef REPRISE_SERVICES_OBSERVATIONS_PLAYER_VIEW_H_
#define REPRISE_SERVICES_OBSERVATIONS_PLAYER_VIEW_H_

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "services/observations/frame_interest.h"
#include "sim/base/id.h"

namespace reprise::services {

// Types of events that a view names.
inline constexpr int kViewEventTypesMax = 64;

// See v1::PlayerView.
struct PlayerView {
  FrameInterest interest;
  std::set<std::string> event_types;

  // Takes out of `heard`, which is all where it is unset, what the player may
  // not hear of.
  void Narrow(std::optional<std::set<sim::Id>>& heard) const {
    std::set<sim::Id> allowed;
    for (const std::string& type : event_types) {
      allowed.insert(sim::IdOf(type));
    }
    if (heard.has_value()) {
      std::erase_if(allowed,
                    [&](sim::Id type) { return !heard->contains(type); });
    }
    heard = std::move(allowed);
  }

  friend bool operator==(const PlayerView&, const PlayerView&) = default;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OBSERVATIONS_PLAYER_VIEW_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/events/event_rings.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "sim/base/id.h"
#include "sim/world/events/event_effect.h"

namespace reprise::sim {
namespace {

// Whose events a connection follows; all zero: anybody's.
using Sender = std::tuple<ObjectId, Id, Id>;

Sender SenderOf(const EventConnection& connection) {
  return {connection.source, connection.source_type, connection.source_name};
}

// What looks through senders with many connections in common ends here: packs
// are checked within a moment.
constexpr size_t kStepsMax = size_t{1} << 20;

// What a connection sends at once.
struct Sending {
  size_t connection;
  Id event;
  std::optional<size_t> effect;  // unset: what it posts itself
};

class RingSearch {
 public:
  explicit RingSearch(std::span<const EventConnection> connections)
      : connections_(connections), is_found_(connections.size()) {
    for (size_t i = 0; i < connections.size(); ++i) {
      if (connections[i].condition == nullptr) AddSendings(i);
    }
  }

  std::vector<EventRing> Find() {
    for (size_t start = 0; start < sendings_.size(); ++start) {
      if (!is_found_[sendings_[start].connection]) FindFrom(start);
    }
    return std::move(rings_);
  }

 private:
  void AddSendings(size_t connection) {
    const EventConnection& each = connections_[connection];
    if (each.posted_type != kNoId && each.delay == 0) {
      Add({.connection = connection, .event = each.posted_type, .effect = {}});
    }
    // Who is gone gets nothing.
    if (std::ranges::any_of(each.effects, [](const EventEffect& effect) {
          return std::holds_alternative<DestroyEffect>(effect.kind);
        })) {
      return;
    }
    for (size_t i = 0; i < each.effects.size(); ++i) {
      const auto* const send = std::get_if<SendEffect>(&each.effects[i].kind);
      if (send == nullptr || send->delay > 0) continue;
      Add({.connection = connection, .event = send->event, .effect = i});
    }
  }

  void Add(const Sending& sending) {
    const EventConnection& connection = connections_[sending.connection];
    edges_[{SenderOf(connection), connection.type}].push_back(sendings_.size());
    sendings_.push_back(sending);
  }

  const EventConnection& ConnectionOf(size_t sending) const {
    return connections_[sendings_[sending].connection];
  }

  // Those that follow an event of this type and sender.
  std::vector<size_t> FollowersOf(Id type, const Sender& sender) const {
    std::vector<size_t> followers;
    for (const Sender& each : {Sender{}, sender}) {
      const auto found = edges_.find({each, type});
      if (found == edges_.end()) continue;
      followers.insert(followers.end(), found->second.begin(),
                       found->second.end());
      if (sender == Sender{}) break;
    }
    return followers;
  }

  // Looks for a way from what `start` sends back to what it follows, for its
  // own sender.
  void FindFrom(size_t start) {
    const Sender sender = SenderOf(ConnectionOf(start));
    const Id wanted = ConnectionOf(start).type;
    // How each event type came to be looked at.
    std::map<Id, size_t> from;
    std::vector<size_t> open = {start};
    for (size_t next = 0; next < open.size(); ++next) {
      if (++steps_ > kStepsMax) return;
      const Id sent = sendings_[open[next]].event;
      if (!from.emplace(sent, open[next]).second) continue;
      if (sent == wanted) {
        AddRing(start, wanted, from);
        return;
      }
      for (const size_t follower : FollowersOf(sent, sender)) {
        open.push_back(follower);
      }
    }
  }

  void AddRing(size_t start, Id wanted, const std::map<Id, size_t>& from) {
    EventRing ring{.connections = {},
                   .effect = sendings_[from.at(wanted)].effect};
    for (size_t each = from.at(wanted);;
         each = from.at(ConnectionOf(each).type)) {
      ring.connections.push_back(sendings_[each].connection);
      is_found_[sendings_[each].connection] = true;
      if (each == start) break;
    }
    std::ranges::reverse(ring.connections);
    rings_.push_back(std::move(ring));
  }

  std::span<const EventConnection> connections_;
  std::vector<bool> is_found_;
  std::vector<Sending> sendings_;
  // Of whoever sends an event what is sent then.
  std::map<std::pair<Sender, Id>, std::vector<size_t>> edges_;
  std::vector<EventRing> rings_;
  size_t steps_ = 0;
};

}  // namespace

std::vector<EventRing> FindEventRings(
    std::span<const EventConnection> connections) {
  return RingSearch(connections).Find();
}

}  // namespace reprise::sim

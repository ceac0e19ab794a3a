// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/event_rings.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

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

class RingSearch {
 public:
  explicit RingSearch(std::span<const EventConnection> connections)
      : connections_(connections), is_found_(connections.size()) {
    for (size_t i = 0; i < connections.size(); ++i) {
      const EventConnection& connection = connections[i];
      if (connection.delay > 0 || connection.condition != nullptr ||
          connection.posted_type == kNoId) {
        continue;
      }
      edges_[{SenderOf(connection), connection.type}].push_back(i);
      starts_.push_back(i);
    }
  }

  std::vector<EventRing> Find() {
    for (const size_t start : starts_) {
      if (!is_found_[start]) FindFrom(start);
    }
    return std::move(rings_);
  }

 private:
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

  // Looks for a way from what `start` posts back to what it follows, for its
  // own sender.
  void FindFrom(size_t start) {
    const Sender sender = SenderOf(connections_[start]);
    const Id wanted = connections_[start].type;
    // How each event type came to be looked at.
    std::map<Id, size_t> from;
    std::vector<size_t> open = {start};
    for (size_t next = 0; next < open.size(); ++next) {
      if (++steps_ > kStepsMax) return;
      const Id posted = connections_[open[next]].posted_type;
      if (!from.emplace(posted, open[next]).second) continue;
      if (posted == wanted) {
        AddRing(start, wanted, from);
        return;
      }
      for (const size_t follower : FollowersOf(posted, sender)) {
        open.push_back(follower);
      }
    }
  }

  void AddRing(size_t start, Id wanted, const std::map<Id, size_t>& from) {
    EventRing ring;
    for (size_t each = from.at(wanted);;
         each = from.at(connections_[each].type)) {
      ring.connections.push_back(each);
      is_found_[each] = true;
      if (each == start) break;
    }
    std::ranges::reverse(ring.connections);
    rings_.push_back(std::move(ring));
  }

  std::span<const EventConnection> connections_;
  std::vector<bool> is_found_;
  std::map<std::pair<Sender, Id>, std::vector<size_t>> edges_;
  std::vector<size_t> starts_;
  std::vector<EventRing> rings_;
  size_t steps_ = 0;
};

}  // namespace

std::vector<EventRing> FindEventRings(
    std::span<const EventConnection> connections) {
  return RingSearch(connections).Find();
}

}  // namespace reprise::sim

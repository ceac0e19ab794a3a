// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/formats/shared_topic.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"

namespace reprise::replays {

void SharedTopic::Begin(std::string name, uint16_t channel) {
  name_ = std::move(name);
  shares_.push_back({.channel = channel, .members = {}});
}

absl::Status SharedTopic::Update(
    const std::set<uint32_t>& there,
    const std::function<uint64_t(uint32_t object)>& bytes_of,
    const std::function<absl::StatusOr<uint16_t>(const std::string& name)>&
        add_channel) {
  std::set<uint32_t> comes = there;
  for (Share& share : shares_) {
    share.has_changed = false;
    std::erase_if(share.members, [&](const auto& member) {
      if (comes.erase(member.first) > 0) return false;
      share.bytes -= member.second;
      share.has_changed = true;
      return true;
    });
  }
  auto share = shares_.begin();
  for (const uint32_t object : comes) {
    const uint64_t bytes = bytes_of(object);
    // One that is larger than all may be has a topic of its own.
    const auto has_room = [&](const Share& one) {
      return one.members.empty() || one.bytes + bytes <= bytes_max_;
    };
    share = std::find_if(share, shares_.end(), has_room);
    if (share == shares_.end()) {
      share = std::ranges::find_if(shares_, has_room);
    }
    if (share == shares_.end()) {
      const absl::StatusOr<uint16_t> channel =
          add_channel(fmt::format("{}/{}", name_, shares_.size() + 1));
      if (!channel.ok()) return channel.status();
      share =
          shares_.insert(shares_.end(), {.channel = *channel, .members = {}});
    }
    share->members.emplace(object, bytes);
    share->bytes += bytes;
    share->has_changed = true;
  }
  return absl::OkStatus();
}

}  // namespace reprise::replays

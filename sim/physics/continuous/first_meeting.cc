// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/continuous/first_meeting.h"

#include <algorithm>
#include <utility>

#include "sim/physics/shapes/bullet_conversion.h"

namespace reprise::sim {

void FirstMeeting::Clear() {
  candidates_.clear();
  triangles_.clear();
}

void FirstMeeting::AddTriangle(const Candidate& candidate, uint32_t index,
                               const CollisionFilter& filter,
                               const Triangle& triangle) {
  triangles_.push_back({.candidate = static_cast<uint32_t>(candidates_.size()),
                        .index = index,
                        .filter = filter,
                        .corners = {ToBullet(triangle.a), ToBullet(triangle.b),
                                    ToBullet(triangle.c)}});
  candidates_.push_back(candidate);
}

std::optional<FirstMeeting::Found> FirstMeeting::Find(double begin_s,
                                                      double end_s) {
  parts_.clear();
  parts_.reserve(triangles_.size());  // pointers into it last
  for (const AddedTriangle& added : triangles_) {
    parts_.push_back(TrianglePart(added.index, added.filter, added.corners));
    candidates_[added.candidate].second.part = &parts_.back();
  }
  searches_.clear();
  queue_.clear();
  for (const Candidate& each : candidates_) {
    searches_.emplace_back(each.first, each.second, begin_s, end_s, each.rule,
                           each.slide);
    if (!searches_.back().is_before_end()) continue;
    queue_.push_back(static_cast<uint32_t>(searches_.size() - 1));
  }
  // A total order: of those at one time the first goes on first.
  const auto is_later = [this](uint32_t a, uint32_t b) {
    return std::pair(searches_[a].time_s(), a) >
           std::pair(searches_[b].time_s(), b);
  };
  std::ranges::make_heap(queue_, is_later);  // a total order: see above
  while (!queue_.empty()) {
    const uint32_t next = queue_.front();
    MeetingSearch& search = searches_[next];
    if (!search.is_before_end()) return std::nullopt;
    if (search.is_found()) {
      const Candidate& found = candidates_[next];
      return Found{.other = found.other,
                   .primitives = {.first = found.first.part->index,
                                  .second = found.second.part->index},
                   .meeting = search.meeting()};
    }
    // By the same total order.
    std::ranges::pop_heap(queue_, is_later);
    search.Advance();
    std::ranges::push_heap(queue_, is_later);
  }
  return std::nullopt;
}

}  // namespace reprise::sim

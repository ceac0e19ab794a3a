// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/batch_places.h"

#include <algorithm>

#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// So many batches of a kind are looked at; those before them are left with
// empty lanes.
constexpr size_t kOpenMax = 32;

uint32_t IndexOf(const ContactBatchKind& kind) {
  CHECK(kind.point_count >= 1 && kind.point_count <= 4);
  return (kind.point_count - 1) * 8 + (kind.rolls ? 4 : 0) +
         (kind.spins ? 2 : 0) + (kind.is_deep ? 1 : 0);
}

}  // namespace

void BatchPlaces::Reset(uint32_t body_count) {
  batch_count_ = 0;
  for (Open& open : open_) open.places.clear();
  ends_.assign(body_count, 0);
}

BatchPlace BatchPlaces::Add(const BodyPair& pair,
                            const ContactBatchKind& kind) {
  // Kinematic bodies may have come since Reset.
  if (std::max(pair.a, pair.b) >= ends_.size()) {
    ends_.resize(std::max(pair.a, pair.b) + 1, 0);
  }
  const uint32_t earliest = std::max(pair.moves_a ? ends_[pair.a] : 0,
                                     pair.moves_b ? ends_[pair.b] : 0);
  std::vector<BatchPlace>& open = open_[IndexOf(kind)].places;
  auto found = std::find_if(
      open.begin(), open.end(),
      [&](const BatchPlace& place) { return place.batch >= earliest; });
  BatchPlace place = {.batch = batch_count_, .lane = 0};
  if (found != open.end()) {
    place = *found;
    if (++found->lane == kQuadLanes) open.erase(found);
  } else {
    ++batch_count_;
    if (open.size() == kOpenMax) open.erase(open.begin());
    open.push_back({.batch = place.batch, .lane = 1});
  }
  if (pair.moves_a) ends_[pair.a] = place.batch + 1;
  if (pair.moves_b) ends_[pair.b] = place.batch + 1;
  return place;
}

}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/kept_states.h"

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/messages/proto_conversion.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"

namespace reprise::services {

uint64_t KeptStates::row_bytes() const {
  uint64_t bytes = 0;
  for (const auto& [number, kept] : states_) bytes += kept.row_bytes;
  return bytes;
}

v1::Snapshot KeptStates::Add(KeptState kept) {
  const uint64_t number = ++taken_;
  v1::Snapshot description = DescribeOne(number, kept);
  states_.emplace(number, std::move(kept));
  return description;
}

absl::StatusOr<const KeptState*> KeptStates::Find(uint64_t number) const {
  const auto found = states_.find(number);
  if (found != states_.end()) return &found->second;
  const std::string name = NameOf(number);
  return WithReason(
      absl::NotFoundError(fmt::format("there is no snapshot '{}'", name)),
      "SNAPSHOT_NOT_FOUND", {{"snapshot", name}});
}

void KeptStates::Describe(v1::Session& session) const {
  for (const auto& [number, kept] : states_) {
    *session.add_snapshots() = DescribeOne(number, kept);
  }
}

std::string KeptStates::NameOf(uint64_t number) const {
  return MakeName(SnapshotName{.session_id = session_id_, .number = number});
}

v1::Snapshot KeptStates::DescribeOne(uint64_t number,
                                     const KeptState& kept) const {
  v1::Snapshot description;
  description.set_name(NameOf(number));
  description.set_tick(kept.tick);
  description.set_digest(sim::FormatDigest(kept.digest));
  description.set_outcome(replays::ToProto(kept.outcome));
  return description;
}

}  // namespace reprise::services

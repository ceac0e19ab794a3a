// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The snapshots of one session: states that it can go back to.

#ifndef REPRISE_SERVICES_SESSIONS_KEPT_STATES_H_
#define REPRISE_SERVICES_SESSIONS_KEPT_STATES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "reprise/v1/simulation_service.pb.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::services {

// How a session stood.
struct KeptState {
  sim::State state;
  sim::Tick tick = 0;
  sim::Digest digest;
  sim::Outcome::Status outcome = sim::Outcome::Status::kRunning;
  std::string replay_id;  // that was recorded then
  uint64_t row_bytes = 0;
};

// Used by one thread at a time.
class KeptStates {
 public:
  explicit KeptStates(std::string session_id)
      : session_id_(std::move(session_id)) {}

  size_t size() const { return states_.size(); }
  // Of the rows of all.
  uint64_t row_bytes() const;

  // Keeps one under a number of its own, which no other has had.
  v1::Snapshot Add(KeptState kept);
  // NOT_FOUND: there is none of that number.
  absl::StatusOr<const KeptState*> Find(uint64_t number) const;
  void Remove(uint64_t number) { states_.erase(number); }
  void Clear() { states_.clear(); }

  // Adds all of them, ascending by number.
  void Describe(v1::Session& session) const;

 private:
  std::string NameOf(uint64_t number) const;
  v1::Snapshot DescribeOne(uint64_t number, const KeptState& kept) const;

  const std::string session_id_;
  std::map<uint64_t, KeptState> states_;
  uint64_t taken_ = 0;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_KEPT_STATES_H_

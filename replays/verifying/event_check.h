// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Holds the events of a run against those that were recorded of it: tick, type,
// whom they happened to, and all arguments. The verifier's own.

#ifndef REPRISE_REPLAYS_VERIFYING_EVENT_CHECK_H_
#define REPRISE_REPLAYS_VERIFYING_EVENT_CHECK_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "reprise/v1/event.pb.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/simulation.h"

namespace reprise::replays {

class EventCheck {
 public:
  // From `first_tick` on. The replay must remain live.
  EventCheck(const ReplayReader* replay, sim::Tick first_tick);

  // Takes the events of the step `tick`, after it; ticks ascend, and what was
  // recorded of ticks that are left out is passed over. Returns the first
  // difference, as "recorded is \"goal runner\", this run has \"pit runner\"";
  // nullopt where there is none. Where a replay needn't have all events
  // (WholeEventsEnd) those that it has are to be among the run's, in their
  // order. Errors are those of the file.
  absl::StatusOr<std::optional<std::string>> Check(
      sim::Tick tick, std::span<const sim::Event> events,
      const sim::Simulation& simulation);

  // The tick from which on an event of the run needn't be there, and wasn't.
  std::optional<sim::Tick> lacking_from() const { return lacking_from_; }

 private:
  absl::StatusOr<std::vector<v1::Event>> TakeRecorded(sim::Tick tick);
  absl::StatusOr<bool> MayLack(sim::Tick tick);

  const ReplayReader& replay_;
  const std::unique_ptr<ReplayCursor<v1::Event>> recorded_;
  std::optional<v1::Event> next_;
  bool is_started_ = false;
  std::optional<sim::Tick> whole_end_;  // once it was asked for
  std::optional<sim::Tick> lacking_from_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_VERIFYING_EVENT_CHECK_H_

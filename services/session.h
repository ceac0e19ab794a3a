// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One running simulation, perhaps with its recording. At most one stream at a
// time steps it, and every call sees it between two ticks.

#ifndef REPRISE_SERVICES_SESSION_H_
#define REPRISE_SERVICES_SESSION_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/base/clock.h"
#include "services/storage/recording.h"
#include "services/sessions/step_order.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"

namespace reprise::services {

// NOT_FOUND: there is no session `id`, or it has ended.
absl::Status SessionNotFoundError(std::string_view id);

// Safe to use from any thread.
class Session {
 public:
  struct Options {
    std::string id;
    // A recording of this size takes no more ticks.
    uint64_t recording_bytes_max = 0;
    // What one response may hold of events, and of a frame.
    uint64_t response_bytes_max = 0;
    Clock clock;
  };

  // Goes on with `run` from where it stands.
  Session(Options options, RecordedRun run);

  const std::string& id() const { return options_.id; }
  bool is_recorded() const { return is_recorded_; }

  // How it stands. Counts as a use.
  v1::Session Describe();

  // When it was last used; the infinite future while it is leased.
  absl::Time last_use() const;

  // Takes the right to step. FAILED_PRECONDITION: another has it. NOT_FOUND:
  // the session is closed.
  absl::Status Lease();
  void ReleaseLease();

  // Whether the order can be begun, as far as can be known before. Errors, and
  // nothing changes: FAILED_PRECONDITION when it begins at another tick,
  // RESOURCE_EXHAUSTED when the recording is full, the recording's failure, and
  // whatever the simulation refuses. REQUIRES: the caller has the lease.
  absl::Status Check(const StepOrder& order) const;

  // Makes the order's ticks from where it stands. True: all are made. False:
  // `pause`, asked after each tick, said so; call again to go on. Events go to
  // `response` either way. An error breaks off between two ticks.
  // REQUIRES: Check accepted the order; the caller has had the lease since.
  absl::StatusOr<bool> Advance(StepOrder& order,
                               absl::FunctionRef<bool()> pause,
                               v1::StepSessionResponse& response);

  // Fills in tick, digest and outcome, and the frame if that is wanted.
  void DescribeStep(bool want_frame, v1::StepSessionResponse& response) const;

  // Ends the session and finishes its recording. FAILED_PRECONDITION: it is
  // leased, and nothing changes. NOT_FOUND: it is closed already. DATA_LOSS: it
  // is closed, and the recording isn't complete.
  absl::Status Close();

 private:
  // REQUIRES: the caller holds mutex_.
  absl::Status StepLocked(std::span<const sim::InputFrame> frames);
  void AddEventsLocked(v1::StepSessionResponse& response);

  absl::Status LeasedError() const;

  const Options options_;
  const bool is_recorded_;

  mutable std::mutex mutex_;  // guards what follows
  const std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<Recording> recording_;
  absl::Time last_use_;
  bool leased_ = false;
  bool closed_ = false;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSION_H_

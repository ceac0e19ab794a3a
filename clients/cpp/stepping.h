// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A stream that steps a session: batches of ticks, each answered in order, and
// as many asked for as are to be under way at once. While it is open nobody
// else steps the session.

#ifndef REPRISE_CLIENTS_CPP_STEPPING_H_
#define REPRISE_CLIENTS_CPP_STEPPING_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client.h"
#include "reprise/v1/simulation_service.pb.h"

namespace reprise::client {

// How many requests may be under way on a stream.
inline constexpr size_t kRequestsUnderWayMax = 64;

// The client must remain live. One thread at a time.
class StepStream {
 public:
  // Opens one on `session` where that stands. That somebody else steps it
  // (SESSION_IN_USE) is told by the first answer.
  static std::unique_ptr<StepStream> Open(Client& client,
                                          const Session& session);
  StepStream(const StepStream&) = delete;
  StepStream& operator=(const StepStream&) = delete;
  // Ends it at once, also what is under way.
  ~StepStream();

  // Asks for ticks, and doesn't wait: session and tick of `request` are filled
  // in, so that it goes on behind those that are under way. Where one of them
  // makes fewer ticks than it asked for, as with `until`, those behind it are
  // refused (TICK_MISMATCH). RESOURCE_EXHAUSTED: too many are under way. The
  // stream's end: as of Receive.
  absl::Status Send(v1::StepSessionRequest request);

  // Waits for the next answer, for ClientOptions::timeout. A request that was
  // refused, or broke off, is an error with its ErrorInfo; `last()` says where
  // that left the session, and the stream goes on. FAILED_PRECONDITION: nothing
  // is under way. DEADLINE_EXCEEDED: there was none in time, and the stream has
  // ended. Other errors: it has ended; `has_ended()`.
  absl::StatusOr<v1::StepSessionResponse> Receive();

  // Asks and waits. FAILED_PRECONDITION: others are under way.
  absl::StatusOr<v1::StepSessionResponse> Step(v1::StepSessionRequest request);
  absl::StatusOr<v1::StepSessionResponse> Step(uint32_t tick_count);

  // The answer that came last, also a refusal.
  const v1::StepSessionResponse& last() const { return last_; }
  // Where the session stood then.
  uint64_t tick() const { return last_.tick(); }
  // How many are asked for and not answered.
  size_t under_way() const { return under_way_; }
  bool has_ended() const;

  // Waits for what is under way, and gives the session back: when this returns
  // others may step it. What was refused on the way is not told. Errors: the
  // stream had ended by itself.
  absl::Status Close();

 private:
  class Call;

  StepStream(std::unique_ptr<Call> call, std::chrono::milliseconds timeout,
             const Session& session);

  const std::unique_ptr<Call> call_;
  const std::chrono::milliseconds timeout_;
  const std::string session_;
  v1::StepSessionResponse last_;
  uint64_t next_tick_;  // of the next request
  size_t under_way_ = 0;
};

}  // namespace reprise::client

#endif  // REPRISE_CLIENTS_CPP_STEPPING_H_

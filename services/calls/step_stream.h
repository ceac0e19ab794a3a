// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The server's side of one StepSession call. It holds one request and one
// response at a time: it reads on only when the client has taken the response
// before, so a client that sends without reading, or neither, costs a bounded
// amount of memory and no thread.
//
// It takes messages as bytes and parses them itself, because gRPC makes no
// difference between a message that can't be parsed and the end of a stream.

#ifndef REPRISE_SERVICES_CALLS_STEP_STREAM_H_
#define REPRISE_SERVICES_CALLS_STEP_STREAM_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/base/server_options.h"
#include "services/calls/call_gate.h"
#include "services/calls/stream_set.h"
#include "services/calls/work_queue.h"
#include "services/sessions/observation.h"
#include "services/sessions/session.h"
#include "services/sessions/session_registry.h"
#include "services/sessions/step_order.h"

namespace reprise::services {

// What streams work with; all must remain live while any stream is open.
struct StepStreamResources {
  CallGate* gate = nullptr;
  SessionRegistry* sessions = nullptr;
  StreamSet* streams = nullptr;
  WorkQueue* queue = nullptr;
  const ServerOptions* options = nullptr;
};

// Lives until gRPC is done with it.
class StepStream final
    : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
      public OpenStream,
      public std::enable_shared_from_this<StepStream> {
 public:
  // Begins to serve the call of `context`.
  static StepStream* Start(grpc::CallbackServerContext* context,
                           const StepStreamResources& resources);

  const Tenant& tenant() const override { return pass_.caller().tenant; }
  absl::Time last_activity() const override;
  bool has_begun() const override;
  void Close(const absl::Status& status) override;
  void Abandon(const absl::Status& status) override;

 private:
  // Whose turn it is.
  enum class Phase {
    kReading,   // the client's, to send a request
    kWorking,   // ours, on the queue
    kWriting,   // the client's, to take the response
    kFinished,  // gRPC's, to send the final status
    kDone,      // nobody's: the context is gone
  };

  StepStream(grpc::CallbackServerContext* context, CallPass pass,
             const StepStreamResources& resources);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  // A slice of the work on `request_bytes_`.
  WorkQueue::Progress Work();
  // Parses `request_bytes_` of a caller who may still go on. An error ends the
  // stream.
  absl::StatusOr<v1::StepSessionRequest> ParseRequest();
  // Leases the session that the first request names. An error ends the stream.
  absl::Status OpenSession(const v1::StepSessionRequest& request);
  // Checks the request and fills `order_`. An error is the response.
  absl::Status OpenOrder(const v1::StepSessionRequest& request);
  void Respond(const absl::Status& carried_out);

  // REQUIRES: the caller holds mutex_.
  void CloseLocked(const absl::Status& status);
  // Gives the session back, then sends the status: a client that has seen the
  // end of its stream finds the session free.
  void FinishLocked(const absl::Status& status);
  void ReleaseSessionLocked();

  grpc::CallbackServerContext* const context_;
  const StepStreamResources resources_;
  // Set by gRPC's thread, read between two ticks.
  std::atomic<bool> cancelled_ = false;

  // The worker's while the phase is kWorking, gRPC's otherwise. Messages, which
  // may take many times their bytes, are there only while they are worked on.
  CallPass pass_;
  grpc::ByteBuffer request_bytes_;
  grpc::ByteBuffer response_bytes_;
  v1::StepSessionResponse response_;
  std::optional<StepOrder> order_;
  std::shared_ptr<Session> session_;  // leased
  // What was declared last; null: nothing. Its session is leased since.
  std::shared_ptr<Observation> observation_;

  mutable std::mutex mutex_;  // guards what follows
  Phase phase_ = Phase::kReading;
  absl::Time last_activity_;
  bool has_begun_ = false;
  // What to end with after the response that is under way.
  std::optional<absl::Status> closing_;
  // Keeps this object until OnDone.
  std::shared_ptr<StepStream> self_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_STEP_STREAM_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Serves a unary call on the work queue, so that gRPC's threads never wait. A
// call that waits for another one occupies no thread either.
//
// It takes messages as bytes, because gRPC answers one that can't be parsed
// with INTERNAL, as if the server were at fault.

#ifndef REPRISE_SERVICES_CALLS_UNARY_CALL_H_
#define REPRISE_SERVICES_CALLS_UNARY_CALL_H_

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "services/base/access.h"
#include "services/calls/call_gate.h"
#include "services/calls/message_bytes.h"
#include "services/calls/work_queue.h"

namespace reprise::services {

// A call as its body sees it. All may be used from any thread.
struct PendingCall {
  // Who made it, and who is told of it.
  const Caller* caller = nullptr;
  CallPass* pass = nullptr;
  // Has the body called again, once it has said that it waits. Does nothing for
  // a call that has ended.
  std::function<void()> resume;
  // Whether nobody waits for the result any more.
  std::function<bool()> is_cancelled;
  // The queue that the body runs on, and what has it go on on another one once
  // it has said that it waits.
  WorkQueue* queue = nullptr;
  std::function<void(WorkQueue*)> resume_on;
};

// Lives until gRPC is done with it.
class UnaryCall final : public grpc::ServerUnaryReactor {
 public:
  // The result; nullopt: it waits, and has given `resume` to whom it waits for.
  // What it holds goes when the call does, also where that is while it waits.
  using Body = std::function<std::optional<absl::Status>(const PendingCall&)>;

  // Runs `body` on `queue` and ends the call with its result; at once with the
  // error of a caller who isn't let in. A call that is cancelled or late before
  // its turn, or while it waits, ends with CANCELLED. RESOURCE_EXHAUSTED: the
  // queue is full. gRPC keeps both buffers as long as the call.
  static UnaryCall* Start(CallPass pass, WorkQueue* queue,
                          const grpc::ByteBuffer* request_bytes,
                          const grpc::ByteBuffer* response_bytes, Body body);

 private:
  enum class Phase {
    kQueued,
    kRunning,
    kWaiting,   // for `resume`
    kFinished,  // gRPC's, to send the status
  };

  UnaryCall(CallPass pass, WorkQueue* queue,
            const grpc::ByteBuffer* response_bytes, Body body)
      : response_bytes_(*response_bytes),
        body_(std::move(body)),
        pass_(std::move(pass)),
        queue_(queue) {}

  void OnCancel() override;
  void OnDone() override;

  WorkQueue::Progress Run();
  void ResumeOn(WorkQueue* queue);
  bool is_cancelled() const;

  // REQUIRES: the caller holds mutex_.
  // What goes on where it has run before isn't refused: it may have made ticks.
  void PostLocked(const std::shared_ptr<UnaryCall>& self, bool goes_on);
  void FinishLocked(const absl::Status& status);

  const grpc::ByteBuffer& response_bytes_;
  Body body_;      // null once the call has ended, unless it never began
  CallPass pass_;  // the body's while it runs

  mutable std::mutex mutex_;  // guards what follows
  WorkQueue* queue_;          // to go on on
  Phase phase_ = Phase::kQueued;
  bool cancelled_ = false;
  bool resumed_ = false;  // while it ran
  // Keeps this object until OnDone.
  std::shared_ptr<UnaryCall> self_;
};

// Says what a call is about, as far as a message of it does: a session that it
// tells of, or what it names.
template <typename Message>
void TellConcern(const Message& message, CallPass& pass) {
  if constexpr (requires { message.session().tick(); }) {
    pass.Concern(message.session().name(), message.session().tick());
  } else if constexpr (requires { message.session().size(); }) {
    pass.Concern(message.session());
  } else if constexpr (requires { message.name(); }) {
    pass.Concern(message.name());
  } else if constexpr (requires { message.snapshot().size(); }) {
    pass.Concern(message.snapshot());
  } else if constexpr (requires { message.snapshot().tick(); }) {
    pass.Concern(message.snapshot().name(), message.snapshot().tick());
  }
}

// UnaryCall::Start for a body of messages. gRPC keeps both buffers as long as
// the call.
template <typename Request, typename Response>
grpc::ServerUnaryReactor* RunUnaryCall(
    CallGate& gate, grpc::CallbackServerContext* context, WorkQueue* queue,
    const grpc::ByteBuffer* request_bytes, grpc::ByteBuffer* response_bytes,
    std::function<std::optional<absl::Status>(const Request&, Response&,
                                              const PendingCall&)>
        body) {
  return UnaryCall::Start(
      gate.Enter(CallOfRequest<Request>(), *context), queue, request_bytes,
      response_bytes,
      [=, body = std::move(body)](
          const PendingCall& call) -> std::optional<absl::Status> {
        Request request;
        if (absl::Status parsed = ParseMessage(*request_bytes, request);
            !parsed.ok()) {
          return parsed;
        }
        TellConcern(request, *call.pass);
        Response response;
        const std::optional<absl::Status> result =
            body(request, response, call);
        if (!result.has_value() || !result->ok()) return result;
        TellConcern(response, *call.pass);
        SerializeMessage(response, *response_bytes);
        return result;
      });
}

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_UNARY_CALL_H_

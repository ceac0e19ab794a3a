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
#include "services/calls/call_access.h"
#include "services/calls/message_bytes.h"
#include "services/calls/work_queue.h"

namespace reprise::services {

// A call as its body sees it. All may be used from any thread.
struct PendingCall {
  // Who made it.
  const Caller* caller = nullptr;
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
  using Body = std::function<std::optional<absl::Status>(const PendingCall&)>;

  // Runs `body` on `queue` and ends the call with its result; at once with the
  // error of a caller who isn't let in. A call that is cancelled or late before
  // its turn, or while it waits, ends with CANCELLED. RESOURCE_EXHAUSTED: the
  // queue is full.
  static UnaryCall* Start(absl::StatusOr<Caller> caller, WorkQueue* queue,
                          Body body);

 private:
  enum class Phase {
    kQueued,
    kRunning,
    kWaiting,   // for `resume`
    kFinished,  // gRPC's, to send the status
  };

  UnaryCall(Caller caller, WorkQueue* queue, Body body)
      : caller_(std::move(caller)), body_(std::move(body)), queue_(queue) {}

  void OnCancel() override;
  void OnDone() override;

  WorkQueue::Progress Run();
  void ResumeOn(WorkQueue* queue);
  bool is_cancelled() const;

  // REQUIRES: the caller holds mutex_.
  void PostLocked(const std::shared_ptr<UnaryCall>& self);
  void FinishLocked(const absl::Status& status);

  const Caller caller_;
  const Body body_;

  mutable std::mutex mutex_;  // guards what follows
  WorkQueue* queue_;          // to go on on
  Phase phase_ = Phase::kQueued;
  bool cancelled_ = false;
  bool resumed_ = false;  // while it ran
  // Keeps this object until OnDone.
  std::shared_ptr<UnaryCall> self_;
};

// UnaryCall::Start for a body of messages. gRPC keeps both buffers as long as
// the call.
template <typename Request, typename Response>
grpc::ServerUnaryReactor* RunUnaryCall(
    const Access& access, const grpc::CallbackServerContext* context,
    WorkQueue* queue, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes,
    std::function<std::optional<absl::Status>(const Request&, Response&,
                                              const PendingCall&)>
        body) {
  return UnaryCall::Start(
      AuthorizeCall(access, *context, ScopeOfRequest<Request>()), queue,
      [=, body = std::move(body)](
          const PendingCall& call) -> std::optional<absl::Status> {
        Request request;
        if (absl::Status parsed = ParseMessage(*request_bytes, request);
            !parsed.ok()) {
          return parsed;
        }
        Response response;
        const std::optional<absl::Status> result =
            body(request, response, call);
        if (!result.has_value() || !result->ok()) return result;
        SerializeMessage(response, *response_bytes);
        return result;
      });
}

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_UNARY_CALL_H_

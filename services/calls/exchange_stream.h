// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The server's side of a stream on which each request gets one response. It
// holds one of each at a time: it reads on only when the client has taken the
// response before, so a client that sends without reading, or neither, costs a
// bounded amount of memory and no thread. What requests come to is its work's.
//
// It takes messages as bytes, because gRPC makes no difference between a
// message that can't be parsed and the end of a stream.

#ifndef REPRISE_SERVICES_CALLS_EXCHANGE_STREAM_H_
#define REPRISE_SERVICES_CALLS_EXCHANGE_STREAM_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "services/calls/call_gate.h"
#include "services/calls/step_resources.h"
#include "services/calls/stream_set.h"
#include "services/calls/work_queue.h"

namespace reprise::services {

// What the requests of one stream come to. Used by one thread at a time.
class ExchangeWork {
 public:
  virtual ~ExchangeWork() = default;

  // Begins with a request. An error ends the stream.
  virtual absl::Status Open(const grpc::ByteBuffer& request,
                            CallPass& pass) = 0;

  // A slice of the work on it, which ends soon once `is_cancelled`.
  struct Progress {
    bool is_done = false;  // the response is there
    // When to go on, and what is waited for may be broken off meanwhile. Zero:
    // when the others had their turn.
    absl::Duration delay;
    // Called once, before anything else of the work: has `resume`, which may be
    // called from any thread, called once when to go on sooner. Null: it isn't
    // to.
    std::function<void(const std::function<void()>& resume)> await = nullptr;
  };
  virtual Progress Advance(const std::function<bool()>& is_cancelled) = 0;

  // When what was opened last will be done, as far as that is known; the
  // infinite past: as soon as it can be.
  virtual absl::Time end_due() const { return absl::InfinitePast(); }

  // Ends what was opened last between two ticks: the response says what has
  // come of it, and `status`.
  virtual void BreakOff(const absl::Status& status) = 0;

  // The response to what was opened last.
  virtual void Respond(grpc::ByteBuffer& response, CallPass& pass) = 0;
};

// Lives until gRPC is done with it.
class ExchangeStream final
    : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
      public OpenStream,
      public std::enable_shared_from_this<ExchangeStream> {
 public:
  // Begins to serve the call of `context`, which `pass` is of.
  static ExchangeStream* Start(grpc::CallbackServerContext* context,
                               CallPass pass, const StepResources& resources,
                               std::unique_ptr<ExchangeWork> work);

  const Tenant& tenant() const override { return pass_.caller().tenant; }
  absl::Time last_activity() const override;
  bool has_begun() const override;
  void Close(const absl::Status& status) override;
  void Drain(const absl::Status& status, absl::Time deadline) override;
  void Abandon(const absl::Status& status) override;

 private:
  friend class StreamStart;

  // Whose turn it is.
  enum class Phase {
    kReading,   // the client's, to send a request
    kWorking,   // ours, on the queue
    kWriting,   // the client's, to take the response
    kFinished,  // gRPC's, to send the final status
    kDone,      // nobody's: the context is gone
  };

  ExchangeStream(grpc::CallbackServerContext* context, CallPass pass,
                 const StepResources& resources,
                 std::unique_ptr<ExchangeWork> work);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  // A slice of the work on `request_bytes_`, which ends the stream where memory
  // runs out.
  WorkQueue::Progress Work();
  WorkQueue::Progress WorkOnce();
  // What to break the work off with that can't be done before the server ends;
  // nullopt: it goes on.
  std::optional<absl::Status> DrainError() const;
  WorkQueue::Progress Respond();
  // Works after the delay, or when what is awaited has come.
  void WorkLater(const ExchangeWork::Progress& progress);
  // The same of the wait of that number, unless that has ended.
  void Resume(uint64_t wait);
  // Hands over `request_bytes_` of a caller who may still go on.
  absl::Status OpenRequest();

  // REQUIRES of those: the caller holds mutex_.
  void BeginLocked() { StartRead(&request_bytes_); }
  void CloseLocked(const absl::Status& status);
  // Gives back what the work has, then sends the status: a client that has seen
  // the end of its stream finds its sessions free.
  void FinishLocked(const absl::Status& status);

  grpc::CallbackServerContext* const context_;
  const StepResources resources_;
  // Set by gRPC's thread, read between two ticks.
  std::atomic<bool> cancelled_ = false;

  // The worker's while the phase is kWorking, gRPC's otherwise.
  CallPass pass_;
  grpc::ByteBuffer request_bytes_;
  grpc::ByteBuffer response_bytes_;
  std::unique_ptr<ExchangeWork> work_;
  bool is_open_ = false;  // the request is the work's

  mutable std::mutex mutex_;  // guards what follows
  Phase phase_ = Phase::kReading;
  absl::Time last_activity_;
  bool has_begun_ = false;
  uint64_t wait_ = 0;  // how many have begun or ended
  // What to end with after the response that is under way, and until when that
  // has to be sent where the server stops.
  std::optional<absl::Status> closing_;
  std::optional<absl::Time> drain_deadline_;
  // Keeps this object until OnDone.
  std::shared_ptr<ExchangeStream> self_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_EXCHANGE_STREAM_H_

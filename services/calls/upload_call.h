// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The server's side of a call in which a client sends something in pieces. It
// holds one piece at a time and reads on when that one is taken, so a client
// that sends faster than it is taken waits. What becomes of it is its work's.

#ifndef REPRISE_SERVICES_CALLS_UPLOAD_CALL_H_
#define REPRISE_SERVICES_CALLS_UPLOAD_CALL_H_

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "services/base/clock.h"
#include "services/calls/call_gate.h"
#include "services/calls/stream_set.h"
#include "services/calls/work_queue.h"

namespace reprise::services {

// What pieces come to. Used by one thread at a time, and ends with the call.
class UploadWork {
 public:
  enum class Next {
    kPiece,     // more of it has to come
    kComplete,  // all is there, and is to be looked at, which may take long
    kAnswer,    // the same, and it takes no time
  };

  virtual ~UploadWork() = default;

  // Takes a piece. An error ends the call.
  virtual absl::StatusOr<Next> TakePiece(const grpc::ByteBuffer& piece,
                                         CallPass& pass) = 0;

  // No piece follows. kPiece isn't meant.
  virtual absl::StatusOr<Next> TakeEnd() = 0;

  // Makes of what came what is to be, and the response.
  virtual absl::Status Complete(const std::function<bool()>& is_cancelled,
                                grpc::ByteBuffer& response, CallPass& pass) = 0;
};

// What all uploads work with; all must remain live while any is open.
struct UploadResources {
  StreamSet* streams = nullptr;
  WorkQueue* files = nullptr;    // takes pieces
  WorkQueue* loaders = nullptr;  // looks at what came
  Clock clock;
};

// Lives until gRPC is done with it.
class UploadCall final : public grpc::ServerReadReactor<grpc::ByteBuffer>,
                         public OpenStream {
 public:
  // Begins to serve a call, which `pass` is of. gRPC keeps `response` as long.
  static UploadCall* Start(CallPass pass, grpc::ByteBuffer* response,
                           const UploadResources& resources,
                           std::unique_ptr<UploadWork> work);

  const Tenant& tenant() const override { return pass_.caller().tenant; }
  absl::Time last_activity() const override;
  bool has_begun() const override;
  void Close(const absl::Status& status) override;
  void Abandon(const absl::Status& status) override { Close(status); }

 private:
  friend class StreamStart;

  // Whose turn it is.
  enum class Phase {
    kReading,   // the client's, to send a piece
    kWorking,   // ours, on a queue
    kFinished,  // gRPC's, to send the final status
    kDone,      // nobody's: the context is gone
  };

  UploadCall(CallPass pass, grpc::ByteBuffer* response,
             const UploadResources& resources,
             std::unique_ptr<UploadWork> work);

  void OnReadDone(bool ok) override;
  void OnCancel() override { cancelled_ = true; }
  void OnDone() override;

  // Takes the piece that came, or the end.
  WorkQueue::Progress Take();
  absl::StatusOr<UploadWork::Next> TakeOnce();
  WorkQueue::Progress Complete();

  // REQUIRES of those: the caller holds mutex_.
  void BeginLocked() { StartRead(&request_bytes_); }
  void PostLocked(WorkQueue* queue, WorkQueue::Progress (UploadCall::*)());
  void FinishLocked(const absl::Status& status);

  grpc::ByteBuffer& response_bytes_;
  const UploadResources resources_;
  std::atomic<bool> cancelled_ = false;

  // The worker's while the phase is kWorking, gRPC's otherwise.
  CallPass pass_;
  grpc::ByteBuffer request_bytes_;
  std::unique_ptr<UploadWork> work_;
  bool is_at_end_ = false;  // no piece follows

  mutable std::mutex mutex_;  // guards what follows
  Phase phase_ = Phase::kReading;
  bool has_begun_ = false;
  absl::Time last_activity_;
  // What to end with when what is being done is.
  absl::Status closing_;
  // Keeps this object until OnDone.
  std::shared_ptr<UploadCall> self_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_UPLOAD_CALL_H_

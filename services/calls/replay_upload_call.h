// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The server's side of one UploadReplay call. It holds one piece at a time and
// reads on when that one is written, so a client that sends faster than the
// disk writes waits.

#ifndef REPRISE_SERVICES_CALLS_REPLAY_UPLOAD_CALL_H_
#define REPRISE_SERVICES_CALLS_REPLAY_UPLOAD_CALL_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "reprise/v1/replay_service.pb.h"
#include "services/base/clock.h"
#include "services/calls/call_gate.h"
#include "services/calls/stream_set.h"
#include "services/calls/work_queue.h"
#include "services/storage/replay_catalogue.h"
#include "services/storage/replay_upload.h"

namespace reprise::services {

// What uploads work with; all must remain live while any stream is open.
struct ReplayUploadResources {
  CallGate* gate = nullptr;
  const ReplayCatalogue* catalogue = nullptr;
  UploadSet* uploads = nullptr;
  StreamSet* streams = nullptr;
  WorkQueue* files = nullptr;    // writes pieces
  WorkQueue* loaders = nullptr;  // looks at what came
  Clock clock;
};

// Lives until gRPC is done with it.
class ReplayUploadCall final : public grpc::ServerReadReactor<grpc::ByteBuffer>,
                               public OpenStream {
 public:
  // Begins to serve the call of `context`. gRPC keeps `response` as long.
  static ReplayUploadCall* Start(grpc::CallbackServerContext* context,
                                 grpc::ByteBuffer* response,
                                 const ReplayUploadResources& resources);

  const Tenant& tenant() const override { return pass_.caller().tenant; }
  absl::Time last_activity() const override;
  bool has_begun() const override;
  void Close(const absl::Status& status) override;
  void Abandon(const absl::Status& status) override { Close(status); }

 private:
  // Whose turn it is.
  enum class Phase {
    kReading,   // the client's, to send a piece
    kWorking,   // ours, on a queue
    kFinished,  // gRPC's, to send the final status
    kDone,      // nobody's: the context is gone
  };

  ReplayUploadCall(CallPass pass, grpc::ByteBuffer* response,
                   const ReplayUploadResources& resources);

  void OnReadDone(bool ok) override;
  void OnCancel() override { cancelled_ = true; }
  void OnDone() override;

  // Writes the piece that came.
  WorkQueue::Progress Work();
  absl::Status TakePiece();
  absl::Status Open(const v1::UploadReplayRequest& request);
  // Makes a replay of what came.
  WorkQueue::Progress Complete();
  // Answers with the replay `id`.
  absl::Status Respond(std::string_view id);

  // REQUIRES of both: the caller holds mutex_.
  void PostLocked(WorkQueue* queue,
                  WorkQueue::Progress (ReplayUploadCall::*)());
  void FinishLocked(const absl::Status& status);

  grpc::ByteBuffer& response_bytes_;
  const ReplayUploadResources resources_;
  std::atomic<bool> cancelled_ = false;

  // The worker's while the phase is kWorking, gRPC's otherwise.
  CallPass pass_;
  grpc::ByteBuffer request_bytes_;
  UploadLease lease_;
  std::string known_id_;  // of a replay that needs no upload

  mutable std::mutex mutex_;  // guards what follows
  Phase phase_ = Phase::kReading;
  bool has_begun_ = false;
  absl::Time last_activity_;
  // What to end with when what is being done is.
  absl::Status closing_;
  // Keeps this object until OnDone.
  std::shared_ptr<ReplayUploadCall> self_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_REPLAY_UPLOAD_CALL_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The server's side of one DownloadReplay call. It holds one piece of the file
// at a time and reads the next one when the client has taken it.

#ifndef REPRISE_SERVICES_CALLS_REPLAY_DOWNLOAD_H_
#define REPRISE_SERVICES_CALLS_REPLAY_DOWNLOAD_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "replays/container/byte_stream.h"
#include "services/base/clock.h"
#include "services/calls/call_gate.h"
#include "services/calls/stream_set.h"
#include "services/calls/work_queue.h"
#include "services/storage/replay_store.h"

namespace reprise::services {

// Large enough that a message's own cost vanishes, small beside the limit of
// every gRPC client (4 MiB).
inline constexpr uint64_t kDownloadPieceBytes = 256 << 10;

// What downloads work with; all must remain live while any stream is open.
struct ReplayDownloadResources {
  CallGate* gate = nullptr;
  const ReplayStore* replays = nullptr;
  StreamSet* streams = nullptr;
  WorkQueue* queue = nullptr;
  Clock clock;
};

// Lives until gRPC is done with it.
class ReplayDownload final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                             public OpenStream {
 public:
  // Begins to serve the call of `context`. gRPC keeps `request` as long.
  static ReplayDownload* Start(grpc::CallbackServerContext* context,
                               const grpc::ByteBuffer* request,
                               const ReplayDownloadResources& resources);

  const Tenant& tenant() const override { return pass_.caller().tenant; }
  absl::Time last_activity() const override;
  // Its request came with it.
  bool has_begun() const override { return true; }
  void Close(const absl::Status& status) override;
  void Abandon(const absl::Status& status) override;

 private:
  // Whose turn it is.
  enum class Phase {
    kWorking,   // ours, on the queue
    kWriting,   // the client's, to take the piece
    kFinished,  // gRPC's, to send the final status
    kDone,      // nobody's: the context is gone
  };

  ReplayDownload(grpc::CallbackServerContext* context, CallPass pass,
                 const grpc::ByteBuffer* request,
                 const ReplayDownloadResources& resources);

  void OnWriteDone(bool ok) override;
  void OnDone() override;

  WorkQueue::Progress Work();
  absl::Status OpenReplay();
  // Fills `response_bytes_` with the next piece.
  absl::Status ReadPiece();

  // REQUIRES: the caller holds mutex_.
  void PostLocked();
  void FinishLocked(const absl::Status& status);

  grpc::CallbackServerContext* const context_;
  const grpc::ByteBuffer& request_bytes_;
  const ReplayDownloadResources resources_;

  // The worker's while the phase is kWorking, gRPC's otherwise.
  CallPass pass_;
  std::unique_ptr<replays::ByteSource> source_;
  uint64_t offset_ = 0;
  grpc::ByteBuffer response_bytes_;

  mutable std::mutex mutex_;  // guards what follows
  Phase phase_ = Phase::kWorking;
  absl::Time last_activity_;
  // What to end with after the piece that is under way.
  std::optional<absl::Status> closing_;
  // Keeps this object until OnDone.
  std::shared_ptr<ReplayDownload> self_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_REPLAY_DOWNLOAD_H_

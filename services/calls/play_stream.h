// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The server's side of one PlaySession call: its messages in and out. What they
// come to is the play's (SharedPlay). It holds one request, and a few results
// that its client hasn't taken: a client that takes none gets fewer, and keeps
// nobody waiting.

#ifndef REPRISE_SERVICES_CALLS_PLAY_STREAM_H_
#define REPRISE_SERVICES_CALLS_PLAY_STREAM_H_

#include <cstddef>
#include <deque>
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
#include "services/calls/call_gate.h"
#include "services/calls/shared_play.h"
#include "services/calls/step_resources.h"
#include "services/calls/stream_set.h"
#include "services/calls/work_queue.h"

namespace reprise::services {

// What a stream holds of messages that its client hasn't taken, besides the one
// that passes either limit.
inline constexpr size_t kOutboxMessagesMax = 8;
inline constexpr size_t kOutboxBytesMax = size_t{1} << 20;

// Lives until gRPC is done with it.
class PlayStream final
    : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
      public OpenStream,
      public PlayMember,
      public std::enable_shared_from_this<PlayStream> {
 public:
  // Begins to serve the call of `context`.
  static PlayStream* Start(grpc::CallbackServerContext* context,
                           const StepResources& resources);

  const Tenant& tenant() const override { return pass_.caller().tenant; }
  absl::Time last_activity() const override;
  bool has_begun() const override;
  void Close(const absl::Status& status) override;
  void Abandon(const absl::Status& status) override;

  void OnJoin(std::shared_ptr<SharedPlay> play) override;
  absl::StatusOr<v1::PlaySessionRequest> TakeRequest() override;
  void Answer(const absl::Status& result) override;
  bool HasRoom() override;
  void Send(const v1::PlaySessionResponse& response) override;
  void SendShared(const grpc::ByteBuffer& shared,
                  const v1::PlaySessionResponse& rest) override;
  void End(const absl::Status& status) override;

 private:
  friend class StreamStart;

  PlayStream(grpc::CallbackServerContext* context, CallPass pass,
             const StepResources& resources);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  // Finds the session that the first request names, and joins its play.
  WorkQueue::Progress Open();
  absl::Status Enter();
  void SendBytes(const grpc::ByteBuffer& bytes);

  // REQUIRES of all: the caller holds mutex_.
  void BeginLocked() { StartRead(&request_bytes_); }
  // Ends the stream: by the play, if it has joined one.
  void LeaveLocked(const absl::Status& status);
  bool HasRoomLocked() const;
  void ReadOnLocked();
  void FinishLocked(const absl::Status& status);

  grpc::CallbackServerContext* const context_;
  const StepResources resources_;

  // The task's that opens the stream, then the play's.
  CallPass pass_;
  std::optional<v1::PlaySessionRequest> first_request_;

  // gRPC's while it reads, then theirs.
  grpc::ByteBuffer request_bytes_;

  mutable std::mutex mutex_;  // guards what follows
  absl::Time last_activity_;
  bool has_begun_ = false;
  bool is_opening_ = false;       // until the play knows of it, or it ends
  bool is_reading_held_ = false;  // until there is room
  bool wants_room_ = false;       // of which the play is to be told
  bool is_finished_ = false;
  std::shared_ptr<SharedPlay> play_;
  // The first one is being sent.
  std::deque<grpc::ByteBuffer> outbox_;
  size_t outbox_bytes_ = 0;
  // What to leave with once it is open, and to end with once all is sent.
  std::optional<absl::Status> leaving_;
  std::optional<absl::Status> ending_;
  // Keeps this object until OnDone.
  std::shared_ptr<PlayStream> self_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_PLAY_STREAM_H_

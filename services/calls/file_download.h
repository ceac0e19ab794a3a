// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The server's side of a call that sends a file: DownloadReplay,
// DownloadResult. It holds one piece of the file at a time and reads the next
// one when the client has taken it, or when it has been written.

#ifndef REPRISE_SERVICES_CALLS_FILE_DOWNLOAD_H_
#define REPRISE_SERVICES_CALLS_FILE_DOWNLOAD_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "replays/container/byte_stream.h"
#include "services/base/clock.h"
#include "services/calls/call_gate.h"
#include "services/calls/message_bytes.h"
#include "services/calls/stream_set.h"
#include "services/calls/wake_timer.h"
#include "services/calls/work_queue.h"
#include "services/storage/growing_file.h"

namespace reprise::services {

// Large enough that a message's own cost vanishes, small beside the limit of
// every gRPC client (4 MiB).
inline constexpr uint64_t kDownloadPieceBytes = 256 << 10;

// What downloads work with; all must remain live while any stream is open.
struct DownloadResources {
  CallGate* gate = nullptr;
  StreamSet* streams = nullptr;
  WorkQueue* queue = nullptr;
  WakeTimer* timer = nullptr;
  Clock clock;
};

// Looks at a file that may still be written, once more.
using LookAtFile = std::function<absl::StatusOr<GrowingFile>()>;

// What a request asks for: of a file, the bytes from `offset` up to `end`.
struct DownloadRange {
  std::unique_ptr<replays::ByteSource> source;
  uint64_t offset = 0;
  uint64_t end = 0;
  // Of a file that is followed, until it grows no more: how to see what has
  // come to it, up to where. Null: nothing comes.
  LookAtFile look;
  uint64_t end_max = 0;
  // What the download ends with behind the last byte, where that is before.
  absl::Status result;
};

// The range of `length` bytes, 0 for all there are, from `offset` on.
// OUT_OF_RANGE: the file ends before it begins.
absl::StatusOr<DownloadRange> RangeOf(
    std::unique_ptr<replays::ByteSource> source, uint64_t offset,
    uint64_t length);

// The same of a file that is followed while it is written: `length` 0 for all
// there will be. Errors are those of `look`, too.
absl::StatusOr<DownloadRange> FollowedRangeOf(LookAtFile look, uint64_t offset,
                                              uint64_t length);

// A kind of download.
struct DownloadKind {
  // Its row of kCallScopes.
  size_t call = 0;
  // Finds what the request asks for, and tells the pass what that is.
  std::function<absl::StatusOr<DownloadRange>(const grpc::ByteBuffer& request,
                                              CallPass& pass)>
      open;
  // Makes the response of a piece, which lies at `offset` of a file of
  // `size_bytes`.
  std::function<void(uint64_t offset, std::string data, uint64_t size_bytes,
                     grpc::ByteBuffer& response)>
      write;
};

// The kind whose messages are these.
template <typename Request, typename Response, typename Open>
DownloadKind DownloadKindOf(Open open) {
  return {.call = CallOfRequest<Request>(),
          .open = [open = std::move(open)](
                      const grpc::ByteBuffer& bytes,
                      CallPass& pass) -> absl::StatusOr<DownloadRange> {
            Request request;
            if (absl::Status parsed = ParseMessage(bytes, request);
                !parsed.ok()) {
              return parsed;
            }
            pass.Concern(request.name());
            return open(request, pass.caller().tenant);
          },
          .write =
              [](uint64_t offset, std::string data, uint64_t size_bytes,
                 grpc::ByteBuffer& bytes) {
                Response response;
                response.set_offset(offset);
                response.set_data(std::move(data));
                response.set_size_bytes(size_bytes);
                SerializeMessage(response, bytes);
              }};
}

// Lives until gRPC is done with it.
class FileDownload final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                           public OpenStream {
 public:
  // Begins to serve the call of `context`. gRPC keeps `request` as long.
  static FileDownload* Start(grpc::CallbackServerContext* context,
                             const grpc::ByteBuffer* request, DownloadKind kind,
                             const DownloadResources& resources);

  const Tenant& tenant() const override { return pass_.caller().tenant; }
  absl::Time last_activity() const override;
  // Its request came with it.
  bool has_begun() const override { return true; }
  void Close(const absl::Status& status) override;
  void Abandon(const absl::Status& status) override;

 private:
  friend class StreamStart;

  // Whose turn it is.
  enum class Phase {
    kWorking,   // ours, on the queue
    kWriting,   // the client's, to take the piece
    kWaiting,   // the writer's of the file, to add to it
    kFinished,  // gRPC's, to send the final status
    kDone,      // nobody's: the context is gone
  };

  FileDownload(grpc::CallbackServerContext* context, CallPass pass,
               const grpc::ByteBuffer* request, DownloadKind kind,
               const DownloadResources& resources);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  // What has come of looking for the next piece.
  enum class Next { kPiece, kNotYet, kEnd };

  WorkQueue::Progress Work();
  absl::StatusOr<Next> ReadNext();
  // Fills `response_bytes_` with the next piece.
  absl::Status ReadPiece();
  // Goes on where it waits.
  void LookAgain();

  // REQUIRES of those: the caller holds mutex_.
  void BeginLocked() { PostLocked(); }
  void PostLocked();
  void WaitLocked();
  void FinishLocked(const absl::Status& status);

  grpc::CallbackServerContext* const context_;
  const grpc::ByteBuffer& request_bytes_;
  const DownloadKind kind_;
  const DownloadResources resources_;

  // The worker's while the phase is kWorking, gRPC's otherwise.
  CallPass pass_;
  std::optional<DownloadRange> range_;
  grpc::ByteBuffer response_bytes_;

  mutable std::mutex mutex_;  // guards what follows
  Phase phase_ = Phase::kWorking;
  absl::Time last_activity_;
  // What to end with after the piece that is under way, or instead of waiting.
  std::optional<absl::Status> closing_;
  // Keeps this object until OnDone.
  std::shared_ptr<FileDownload> self_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_FILE_DOWNLOAD_H_

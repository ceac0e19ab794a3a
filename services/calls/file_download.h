// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The server's side of a call that sends a file: DownloadReplay,
// DownloadResult. It holds one piece of the file at a time and reads the next
// one when the client has taken it.

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
#include "services/calls/work_queue.h"

namespace reprise::services {

// Large enough that a message's own cost vanishes, small beside the limit of
// every gRPC client (4 MiB).
inline constexpr uint64_t kDownloadPieceBytes = 256 << 10;

// What downloads work with; all must remain live while any stream is open.
struct DownloadResources {
  CallGate* gate = nullptr;
  StreamSet* streams = nullptr;
  WorkQueue* queue = nullptr;
  Clock clock;
};

// What a request asks for: of a file, the bytes from `offset` up to `end`.
struct DownloadRange {
  std::unique_ptr<replays::ByteSource> source;
  uint64_t offset = 0;
  uint64_t end = 0;
};

// The range of `length` bytes, 0 for all there are, from `offset` on.
// OUT_OF_RANGE: the file ends before it begins.
absl::StatusOr<DownloadRange> RangeOf(
    std::unique_ptr<replays::ByteSource> source, uint64_t offset,
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
    kFinished,  // gRPC's, to send the final status
    kDone,      // nobody's: the context is gone
  };

  FileDownload(grpc::CallbackServerContext* context, CallPass pass,
               const grpc::ByteBuffer* request, DownloadKind kind,
               const DownloadResources& resources);

  void OnWriteDone(bool ok) override;
  void OnDone() override;

  WorkQueue::Progress Work();
  // False: all has been read.
  absl::StatusOr<bool> ReadNext();
  // Fills `response_bytes_` with the next piece.
  absl::Status ReadPiece();

  // REQUIRES of those: the caller holds mutex_.
  void BeginLocked() { PostLocked(); }
  void PostLocked();
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
  // What to end with after the piece that is under way.
  std::optional<absl::Status> closing_;
  // Keeps this object until OnDone.
  std::shared_ptr<FileDownload> self_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_FILE_DOWNLOAD_H_

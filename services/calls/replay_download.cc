// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/replay_download.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "reprise/v1/replay_service.pb.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/calls/message_bytes.h"

namespace reprise::services {

ReplayDownload* ReplayDownload::Start(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    const ReplayDownloadResources& resources) {
  std::shared_ptr<ReplayDownload> download(new ReplayDownload(
      context,
      resources.gate->Enter(CallOfRequest<v1::DownloadReplayRequest>(),
                            *context),
      request, resources));
  const std::scoped_lock lock(download->mutex_);
  download->self_ = download;
  absl::Status begun = download->pass_.admission();
  if (begun.ok()) {
    begun = resources.streams->Add(download, download->last_activity_);
  }
  if (begun.ok()) {
    download->PostLocked();
  } else {
    download->FinishLocked(begun);
  }
  return download.get();
}

ReplayDownload::ReplayDownload(grpc::CallbackServerContext* context,
                               CallPass pass, const grpc::ByteBuffer* request,
                               const ReplayDownloadResources& resources)
    : context_(context),
      request_bytes_(*request),
      resources_(resources),
      pass_(std::move(pass)),
      last_activity_(resources.clock()) {
  pass_.Receive(request_bytes_);
}

absl::Time ReplayDownload::last_activity() const {
  const std::scoped_lock lock(mutex_);
  return last_activity_;
}

void ReplayDownload::Close(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  closing_ = status;
}

void ReplayDownload::Abandon(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  closing_ = status;
  if (phase_ == Phase::kWriting) context_->TryCancel();
}

void ReplayDownload::OnWriteDone(bool ok) {
  const std::scoped_lock lock(mutex_);
  if (!ok) {
    FinishLocked(CancelledError());
  } else if (closing_.has_value()) {
    FinishLocked(*closing_);
  } else {
    PostLocked();
  }
}

void ReplayDownload::OnDone() {
  std::shared_ptr<ReplayDownload> self;
  {
    const std::scoped_lock lock(mutex_);
    phase_ = Phase::kDone;
    self = std::move(self_);
  }
  resources_.streams->Remove(self);
}

void ReplayDownload::PostLocked() {
  phase_ = Phase::kWorking;
  last_activity_ = resources_.clock();
  if (!resources_.queue->Post([self = self_] { return self->Work(); })) {
    FinishLocked(BusyError());
  }
}

WorkQueue::Progress ReplayDownload::Work() {
  absl::Status read = pass_.Confirm();
  if (read.ok() && source_ == nullptr) read = OpenReplay();
  const bool at_end = read.ok() && offset_ == source_->size();
  if (read.ok() && !at_end) read = ReadPiece();

  const std::scoped_lock lock(mutex_);
  if (!read.ok() || at_end) {
    FinishLocked(read);
  } else {
    phase_ = Phase::kWriting;
    last_activity_ = resources_.clock();
    StartWrite(&response_bytes_);
  }
  return WorkQueue::Progress::kDone;
}

absl::Status ReplayDownload::OpenReplay() {
  v1::DownloadReplayRequest request;
  if (absl::Status parsed = ParseMessage(request_bytes_, request);
      !parsed.ok()) {
    return parsed;
  }
  pass_.Concern(request.name());
  const auto id = ParseName(kReplays, request.name());
  if (!id.ok()) return id.status();
  auto source = resources_.replays->OpenReplay(pass_.caller().tenant, *id);
  if (!source.ok()) return source.status();
  if (request.offset() > (*source)->size()) {
    return WithReason(
        absl::OutOfRangeError(fmt::format("offset {} is past the end, {}",
                                          request.offset(), (*source)->size())),
        "OFFSET_OUT_OF_RANGE");
  }
  source_ = *std::move(source);
  offset_ = request.offset();
  return absl::OkStatus();
}

absl::Status ReplayDownload::ReadPiece() {
  const uint64_t size =
      std::min(kDownloadPieceBytes, source_->size() - offset_);
  v1::DownloadReplayResponse response;
  std::string& data = *response.mutable_data();
  data.resize(size);
  absl::Status read =
      source_->ReadAt(offset_, std::as_writable_bytes(std::span(data)));
  if (!read.ok()) return read;
  response.set_offset(offset_);
  response.set_size_bytes(source_->size());
  offset_ += size;
  SerializeMessage(response, response_bytes_);
  pass_.Send(response_bytes_);
  return absl::OkStatus();
}

void ReplayDownload::FinishLocked(const absl::Status& status) {
  phase_ = Phase::kFinished;
  pass_.End(status);
  Finish(ToGrpcStatus(status));
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/file_download.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "services/base/memory_budget.h"
#include "services/base/status.h"
#include "services/calls/stream_start.h"

namespace reprise::services {
namespace {

// How soon to look again whether a file that is written has grown: a recording
// does once a second.
constexpr absl::Duration kLookPeriod = absl::Milliseconds(100);

// Takes over what a look has seen.
void Extend(GrowingFile file, DownloadRange& range) {
  range.end = std::max(range.end, std::min(range.end_max, file.source->size()));
  range.source = std::move(file.source);
  if (file.may_grow) return;
  range.look = nullptr;
  range.result = std::move(file.end);
}

}  // namespace

absl::StatusOr<DownloadRange> RangeOf(
    std::unique_ptr<replays::ByteSource> source, uint64_t offset,
    uint64_t length) {
  const uint64_t size = source->size();
  if (offset > size) {
    return WithReason(absl::OutOfRangeError(fmt::format(
                          "offset {} is past the end, {}", offset, size)),
                      "OFFSET_OUT_OF_RANGE");
  }
  const uint64_t rest = size - offset;
  return DownloadRange{
      .source = std::move(source),
      .offset = offset,
      .end = offset + (length == 0 ? rest : std::min(length, rest)),
      .look = nullptr,
      .result = absl::OkStatus()};
}

absl::StatusOr<DownloadRange> FollowedRangeOf(LookAtFile look, uint64_t offset,
                                              uint64_t length) {
  auto file = look();
  if (!file.ok()) return file.status();
  auto range = RangeOf(std::move(file->source), offset, length);
  if (!range.ok()) return range;
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  const uint64_t rest = kMax - offset;
  range->end_max = length == 0 || length > rest ? kMax : offset + length;
  if (file->may_grow) {
    range->look = std::move(look);
  } else {
    range->result = std::move(file->end);
  }
  return range;
}

FileDownload* FileDownload::Start(grpc::CallbackServerContext* context,
                                  const grpc::ByteBuffer* request,
                                  DownloadKind kind,
                                  const DownloadResources& resources) {
  CallPass pass = resources.gate->Enter(kind.call, *context);
  return StreamStart::Of(
      std::shared_ptr<FileDownload>(new FileDownload(
          context, std::move(pass), request, std::move(kind), resources)),
      *resources.streams);
}

FileDownload::FileDownload(grpc::CallbackServerContext* context, CallPass pass,
                           const grpc::ByteBuffer* request, DownloadKind kind,
                           const DownloadResources& resources)
    : context_(context),
      request_bytes_(*request),
      kind_(std::move(kind)),
      resources_(resources),
      pass_(std::move(pass)),
      last_activity_(resources.clock()) {
  pass_.Receive(request_bytes_);
}

absl::Time FileDownload::last_activity() const {
  const std::scoped_lock lock(mutex_);
  return last_activity_;
}

void FileDownload::Close(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  closing_ = status;
  if (phase_ == Phase::kWaiting) FinishLocked(status);
}

void FileDownload::Abandon(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  closing_ = status;
  if (phase_ == Phase::kWriting) context_->TryCancel();
  if (phase_ == Phase::kWaiting) FinishLocked(status);
}

void FileDownload::OnWriteDone(bool ok) {
  const std::scoped_lock lock(mutex_);
  if (!ok) {
    FinishLocked(CancelledError());
  } else if (closing_.has_value()) {
    FinishLocked(*closing_);
  } else {
    PostLocked();
  }
}

// What is being written fails by itself, and what is being read is soon.
void FileDownload::OnCancel() {
  const std::scoped_lock lock(mutex_);
  if (phase_ == Phase::kWaiting) FinishLocked(CancelledError());
}

void FileDownload::OnDone() {
  std::shared_ptr<FileDownload> self;
  {
    const std::scoped_lock lock(mutex_);
    phase_ = Phase::kDone;
    self = std::move(self_);
  }
  resources_.streams->Remove(self);
}

void FileDownload::PostLocked() {
  phase_ = Phase::kWorking;
  last_activity_ = resources_.clock();
  if (!resources_.queue->Post(tenant(),
                              [self = self_] { return self->Work(); })) {
    FinishLocked(BusyError());
  }
}

WorkQueue::Progress FileDownload::Work() {
  absl::StatusOr<Next> next = MemoryExhaustedError();
  try {
    next = ReadNext();
  } catch (const std::bad_alloc&) {
  }

  const std::scoped_lock lock(mutex_);
  if (!next.ok()) {
    FinishLocked(next.status());
    return WorkQueue::Progress::kDone;
  }
  switch (*next) {
    case Next::kPiece:
      phase_ = Phase::kWriting;
      last_activity_ = resources_.clock();
      StartWrite(&response_bytes_);
      break;
    case Next::kNotYet:
      if (closing_.has_value() || context_->IsCancelled()) {
        FinishLocked(closing_.value_or(CancelledError()));
      } else {
        WaitLocked();
      }
      break;
    case Next::kEnd:
      // Who has all that was asked for doesn't mind how the file ends.
      FinishLocked(range_->end < range_->end_max ? range_->result
                                                 : absl::OkStatus());
      break;
  }
  return WorkQueue::Progress::kDone;
}

void FileDownload::WaitLocked() {
  phase_ = Phase::kWaiting;
  // It waits for us: as long as the recording goes on, it isn't idle.
  last_activity_ = resources_.clock();
  resources_.timer->CallAfter(
      kLookPeriod, [weak = std::weak_ptr<FileDownload>(self_)] {
        if (const auto self = weak.lock(); self != nullptr) self->LookAgain();
      });
}

void FileDownload::LookAgain() {
  const std::scoped_lock lock(mutex_);
  if (phase_ != Phase::kWaiting) return;
  phase_ = Phase::kWorking;
  // Where too many wait already, later.
  if (!resources_.queue->Post(tenant(),
                              [self = self_] { return self->Work(); })) {
    WaitLocked();
  }
}

absl::StatusOr<FileDownload::Next> FileDownload::ReadNext() {
  if (absl::Status allowed = pass_.Confirm(); !allowed.ok()) return allowed;
  if (!range_.has_value()) {
    auto range = kind_.open(request_bytes_, pass_);
    if (!range.ok()) return range.status();
    range_ = *std::move(range);
  }
  if (range_->offset == range_->end && range_->look != nullptr &&
      range_->end < range_->end_max) {
    auto file = range_->look();
    if (!file.ok()) return file.status();
    Extend(*std::move(file), *range_);
    if (range_->offset == range_->end && range_->look != nullptr) {
      return Next::kNotYet;
    }
  }
  if (range_->offset == range_->end) return Next::kEnd;
  if (absl::Status read = ReadPiece(); !read.ok()) return read;
  return Next::kPiece;
}

absl::Status FileDownload::ReadPiece() {
  std::string data;
  data.resize(std::min(kDownloadPieceBytes, range_->end - range_->offset));
  absl::Status read = range_->source->ReadAt(
      range_->offset, std::as_writable_bytes(std::span(data)));
  if (!read.ok()) return read;
  const uint64_t offset = range_->offset;
  range_->offset += data.size();
  kind_.write(offset, std::move(data), range_->source->size(), response_bytes_);
  pass_.Send(response_bytes_);
  return absl::OkStatus();
}

void FileDownload::FinishLocked(const absl::Status& status) {
  phase_ = Phase::kFinished;
  pass_.End(status);
  Finish(ToGrpcStatus(status));
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/upload_call.h"

#include <new>
#include <utility>

#include "services/base/memory_budget.h"
#include "services/base/status.h"
#include "services/calls/stream_start.h"

namespace reprise::services {

UploadCall* UploadCall::Start(CallPass pass, grpc::ByteBuffer* response,
                              const UploadResources& resources,
                              std::unique_ptr<UploadWork> work) {
  return StreamStart::Of(
      std::shared_ptr<UploadCall>(new UploadCall(std::move(pass), response,
                                                 resources, std::move(work))),
      *resources.streams);
}

UploadCall::UploadCall(CallPass pass, grpc::ByteBuffer* response,
                       const UploadResources& resources,
                       std::unique_ptr<UploadWork> work)
    : response_bytes_(*response),
      resources_(resources),
      pass_(std::move(pass)),
      work_(std::move(work)),
      last_activity_(resources.clock()) {}

absl::Time UploadCall::last_activity() const {
  const std::scoped_lock lock(mutex_);
  return last_activity_;
}

bool UploadCall::has_begun() const {
  const std::scoped_lock lock(mutex_);
  return has_begun_;
}

void UploadCall::Close(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  if (phase_ == Phase::kReading) {
    FinishLocked(status);
  } else if (phase_ == Phase::kWorking) {
    closing_ = status;
  }
}

void UploadCall::OnReadDone(bool ok) {
  const std::scoped_lock lock(mutex_);
  if (phase_ != Phase::kReading) return;
  if (!ok && cancelled_) {
    FinishLocked(CancelledError());
    return;
  }
  has_begun_ = true;
  is_at_end_ = !ok;
  PostLocked(resources_.files, &UploadCall::Take);
}

void UploadCall::OnDone() {
  std::shared_ptr<UploadCall> self;
  {
    const std::scoped_lock lock(mutex_);
    phase_ = Phase::kDone;
    self = std::move(self_);
  }
  resources_.streams->Remove(self);
}

void UploadCall::PostLocked(WorkQueue* queue,
                            WorkQueue::Progress (UploadCall::*work)()) {
  phase_ = Phase::kWorking;
  last_activity_ = resources_.clock();
  if (!queue->Post(tenant(),
                   [self = self_, work] { return ((*self).*work)(); })) {
    FinishLocked(BusyError());
  }
}

absl::StatusOr<UploadWork::Next> UploadCall::TakeOnce() {
  try {
    if (is_at_end_) return work_->TakeEnd();
    pass_.Receive(request_bytes_);
    if (absl::Status allowed = pass_.Confirm(); !allowed.ok()) return allowed;
    auto next = work_->TakePiece(request_bytes_, pass_);
    request_bytes_.Clear();
    return next;
  } catch (const std::bad_alloc&) {
    return MemoryExhaustedError();
  }
}

WorkQueue::Progress UploadCall::Take() {
  auto next = TakeOnce();
  if (next.ok() && *next == UploadWork::Next::kAnswer) return Complete();
  const std::scoped_lock lock(mutex_);
  if (cancelled_) next = CancelledError();
  if (next.ok() && !closing_.ok()) next = closing_;
  if (!next.ok()) {
    FinishLocked(next.status());
  } else if (*next == UploadWork::Next::kComplete) {
    PostLocked(resources_.loaders, &UploadCall::Complete);
  } else {
    phase_ = Phase::kReading;
    last_activity_ = resources_.clock();
    StartRead(&request_bytes_);
  }
  return WorkQueue::Progress::kDone;
}

WorkQueue::Progress UploadCall::Complete() {
  absl::Status completed = MemoryExhaustedError();
  try {
    completed = work_->Complete([this] { return cancelled_.load(); },
                                response_bytes_, pass_);
  } catch (const std::bad_alloc&) {
  }
  if (completed.ok()) pass_.Send(response_bytes_);
  const std::scoped_lock lock(mutex_);
  FinishLocked(completed);
  return WorkQueue::Progress::kDone;
}

void UploadCall::FinishLocked(const absl::Status& status) {
  phase_ = Phase::kFinished;
  // Gives back what it has: a client that has seen the end may go on.
  work_.reset();
  pass_.End(status);
  Finish(ToGrpcStatus(status));
}

}  // namespace reprise::services

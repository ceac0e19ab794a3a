// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/play_stream.h"

#include <new>
#include <string>
#include <utility>
#include <vector>

#include "grpcpp/support/slice.h"
#include "services/base/memory_budget.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/calls/message_bytes.h"
#include "services/calls/stream_start.h"
#include "services/sessions/session_registry.h"
#include "sim/base/check.h"

namespace reprise::services {

PlayStream* PlayStream::Start(grpc::CallbackServerContext* context,
                              const StepResources& resources) {
  return StreamStart::Of(
      std::shared_ptr<PlayStream>(
          new PlayStream(context,
                         resources.gate->Enter(
                             CallOfRequest<v1::PlaySessionRequest>(), *context),
                         resources)),
      *resources.streams);
}

PlayStream::PlayStream(grpc::CallbackServerContext* context, CallPass pass,
                       const StepResources& resources)
    : context_(context),
      resources_(resources),
      pass_(std::move(pass)),
      last_activity_(resources.options->clock()) {}

absl::Time PlayStream::last_activity() const {
  const std::scoped_lock lock(mutex_);
  return last_activity_;
}

bool PlayStream::has_begun() const {
  const std::scoped_lock lock(mutex_);
  return has_begun_;
}

void PlayStream::Close(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  LeaveLocked(status);
}

void PlayStream::Abandon(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  LeaveLocked(status);
  if (!outbox_.empty() && !is_finished_) context_->TryCancel();
}

void PlayStream::LeaveLocked(const absl::Status& status) {
  if (is_finished_ || ending_.has_value() || leaving_.has_value()) return;
  leaving_ = status;
  if (is_opening_) return;
  if (play_ != nullptr) {
    play_->Leave(self_, status);
  } else {
    FinishLocked(status);
  }
}

// --- What gRPC says.

void PlayStream::OnReadDone(bool ok) {
  const std::scoped_lock lock(mutex_);
  // One that the play has ended only sends what it has yet to send.
  if (is_finished_ || leaving_.has_value() || ending_.has_value()) return;
  if (!ok) {
    LeaveLocked(context_->IsCancelled() ? CancelledError() : absl::OkStatus());
    return;
  }
  last_activity_ = resources_.options->clock();
  has_begun_ = true;
  if (play_ != nullptr) {
    play_->Receive(self_);
    return;
  }
  is_opening_ = true;
  if (!resources_.queue->Post(tenant(),
                              [self = self_] { return self->Open(); })) {
    is_opening_ = false;
    FinishLocked(BusyError());
  }
}

void PlayStream::OnWriteDone(bool ok) {
  const std::scoped_lock lock(mutex_);
  outbox_bytes_ -= outbox_.front().Length();
  outbox_.pop_front();
  if (is_finished_) return;
  if (!ok) {
    outbox_.clear();
    outbox_bytes_ = 0;
    LeaveLocked(CancelledError());
    if (ending_.has_value()) FinishLocked(*ending_);
    return;
  }
  last_activity_ = resources_.options->clock();
  if (!outbox_.empty()) StartWrite(&outbox_.front());
  if (ending_.has_value()) {
    if (outbox_.empty()) FinishLocked(*ending_);
    return;
  }
  if (!HasRoomLocked()) return;
  if (std::exchange(is_reading_held_, false)) ReadOnLocked();
  if (std::exchange(wants_room_, false) && play_ != nullptr) play_->Refresh();
}

void PlayStream::OnCancel() {
  const std::scoped_lock lock(mutex_);
  LeaveLocked(CancelledError());
}

void PlayStream::OnDone() {
  std::shared_ptr<PlayStream> self;
  {
    const std::scoped_lock lock(mutex_);
    is_finished_ = true;
    play_ = nullptr;
    self = std::move(self_);
  }
  resources_.streams->Remove(self);
}

// --- What the queue does.

WorkQueue::Progress PlayStream::Open() {
  absl::Status entered = MemoryExhaustedError();
  try {
    entered = Enter();
  } catch (const std::bad_alloc&) {
  }
  if (!entered.ok()) {
    const std::scoped_lock lock(mutex_);
    is_opening_ = false;
    FinishLocked(leaving_.value_or(entered));
  }
  return WorkQueue::Progress::kDone;
}

absl::Status PlayStream::Enter() {
  auto request = TakeRequest();
  if (!request.ok()) return request.status();
  if (request->session().empty()) {
    return WithReason(
        absl::InvalidArgumentError(
            "the first request of a stream must name its session"),
        "SESSION_REQUIRED");
  }
  pass_.Concern(request->session());
  const auto id = ParseName(kSessions, request->session());
  if (!id.ok()) return id.status();
  const auto session = resources_.sessions->Find(pass_.caller().tenant, *id);
  if (!session.ok()) return session.status();
  first_request_ = *std::move(request);
  return resources_.plays->Enter(*session, shared_from_this());
}

// --- What the play says.

void PlayStream::OnJoin(std::shared_ptr<SharedPlay> play) {
  const std::scoped_lock lock(mutex_);
  is_opening_ = false;
  play_ = std::move(play);
  if (leaving_.has_value()) play_->Leave(self_, *leaving_);
}

absl::StatusOr<v1::PlaySessionRequest> PlayStream::TakeRequest() {
  if (first_request_.has_value()) {
    v1::PlaySessionRequest first = *std::move(first_request_);
    first_request_.reset();
    return first;
  }
  pass_.Receive(request_bytes_);
  if (absl::Status allowed = pass_.Confirm(); !allowed.ok()) return allowed;
  v1::PlaySessionRequest request;
  absl::Status parsed = ParseMessage(request_bytes_, request);
  request_bytes_.Clear();
  if (!parsed.ok()) return parsed;
  return request;
}

void PlayStream::Answer(const absl::Status& result) {
  pass_.Answer(result);
  const std::scoped_lock lock(mutex_);
  ReadOnLocked();
}

void PlayStream::ReadOnLocked() {
  if (is_finished_ || ending_.has_value() || leaving_.has_value()) return;
  // Who sends without reading costs a bounded amount of memory.
  is_reading_held_ = !HasRoomLocked();
  if (!is_reading_held_) StartRead(&request_bytes_);
}

bool PlayStream::HasRoomLocked() const {
  return outbox_.size() < kOutboxMessagesMax && outbox_bytes_ < kOutboxBytesMax;
}

bool PlayStream::HasRoom() {
  const std::scoped_lock lock(mutex_);
  wants_room_ = !HasRoomLocked();
  return !wants_room_;
}

void PlayStream::Send(const v1::PlaySessionResponse& response) {
  grpc::ByteBuffer bytes;
  SerializeMessage(response, bytes);
  SendBytes(bytes);
}

void PlayStream::SendShared(const grpc::ByteBuffer& shared,
                            const v1::PlaySessionResponse& rest) {
  // One message behind another is both in one, as protobuf merges them; slices
  // are counted references.
  std::vector<grpc::Slice> slices;
  CHECK(shared.Dump(&slices).ok());
  const std::string own = rest.SerializeAsString();
  if (!own.empty()) slices.emplace_back(own);
  SendBytes(grpc::ByteBuffer(slices.data(), slices.size()));
}

void PlayStream::SendBytes(const grpc::ByteBuffer& bytes) {
  // Who watches asks for nothing more: here the end of a token is seen.
  if (const absl::Status allowed = pass_.Confirm(); !allowed.ok()) {
    const std::scoped_lock lock(mutex_);
    LeaveLocked(allowed);
    return;
  }
  pass_.Send(bytes);
  const std::scoped_lock lock(mutex_);
  if (is_finished_ || ending_.has_value()) return;
  outbox_bytes_ += bytes.Length();
  outbox_.push_back(bytes);
  if (outbox_.size() == 1) StartWrite(&outbox_.front());
}

void PlayStream::End(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  play_ = nullptr;
  if (is_finished_ || ending_.has_value()) return;
  // A client that has left gets what there is, any other one the reason.
  if (!status.ok() && outbox_.size() > 1) {
    outbox_.resize(1);
    outbox_bytes_ = outbox_.front().Length();
  }
  ending_ = status;
  if (outbox_.empty()) FinishLocked(status);
}

void PlayStream::FinishLocked(const absl::Status& status) {
  is_finished_ = true;
  pass_.End(status);
  Finish(ToGrpcStatus(status));
}

}  // namespace reprise::services

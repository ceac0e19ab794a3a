// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/replay_upload_call.h"

#include <utility>

#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/calls/message_bytes.h"
#include "services/storage/replay_message.h"
#include "sim/base/content_digest.h"

namespace reprise::services {

ReplayUploadCall* ReplayUploadCall::Start(
    grpc::CallbackServerContext* context, grpc::ByteBuffer* response,
    const ReplayUploadResources& resources) {
  std::shared_ptr<ReplayUploadCall> call(new ReplayUploadCall(
      resources.gate->Enter(CallOfRequest<v1::UploadReplayRequest>(), *context),
      response, resources));
  // Held before others can see the stream, so that none can end it before it
  // has begun.
  const std::scoped_lock lock(call->mutex_);
  call->self_ = call;
  absl::Status begun = call->pass_.admission();
  if (begun.ok()) begun = resources.streams->Add(call, call->last_activity_);
  if (begun.ok()) {
    call->StartRead(&call->request_bytes_);
  } else {
    call->FinishLocked(begun);
  }
  return call.get();
}

ReplayUploadCall::ReplayUploadCall(CallPass pass, grpc::ByteBuffer* response,
                                   const ReplayUploadResources& resources)
    : response_bytes_(*response),
      resources_(resources),
      pass_(std::move(pass)),
      last_activity_(resources.clock()) {}

absl::Time ReplayUploadCall::last_activity() const {
  const std::scoped_lock lock(mutex_);
  return last_activity_;
}

bool ReplayUploadCall::has_begun() const {
  const std::scoped_lock lock(mutex_);
  return has_begun_;
}

void ReplayUploadCall::Close(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  if (phase_ == Phase::kReading) {
    FinishLocked(status);
  } else if (phase_ == Phase::kWorking) {
    closing_ = status;
  }
}

void ReplayUploadCall::OnReadDone(bool ok) {
  const std::scoped_lock lock(mutex_);
  if (phase_ != Phase::kReading) return;
  if (!ok && cancelled_) {
    FinishLocked(CancelledError());
  } else if (!ok) {
    // Had all of it come, it would have been answered.
    FinishLocked(WithReason(
        absl::FailedPreconditionError("the stream ended before the replay did"),
        "UPLOAD_UNFINISHED"));
  } else {
    has_begun_ = true;
    PostLocked(resources_.files, &ReplayUploadCall::Work);
  }
}

void ReplayUploadCall::OnDone() {
  std::shared_ptr<ReplayUploadCall> self;
  {
    const std::scoped_lock lock(mutex_);
    phase_ = Phase::kDone;
    self = std::move(self_);
  }
  resources_.streams->Remove(self);
}

void ReplayUploadCall::PostLocked(
    WorkQueue* queue, WorkQueue::Progress (ReplayUploadCall::*work)()) {
  phase_ = Phase::kWorking;
  last_activity_ = resources_.clock();
  if (!queue->Post([self = self_, work] { return ((*self).*work)(); })) {
    FinishLocked(BusyError());
  }
}

WorkQueue::Progress ReplayUploadCall::Work() {
  absl::Status taken = TakePiece();
  const bool is_known = taken.ok() && !known_id_.empty();
  if (is_known) taken = Respond(known_id_);
  const std::scoped_lock lock(mutex_);
  if (cancelled_) taken = CancelledError();
  if (taken.ok() && !closing_.ok()) taken = closing_;
  if (!taken.ok() || is_known) {
    FinishLocked(taken);
  } else if (lease_.is_whole()) {
    PostLocked(resources_.loaders, &ReplayUploadCall::Complete);
  } else {
    phase_ = Phase::kReading;
    last_activity_ = resources_.clock();
    StartRead(&request_bytes_);
  }
  return WorkQueue::Progress::kDone;
}

absl::Status ReplayUploadCall::TakePiece() {
  pass_.Receive(request_bytes_);
  if (absl::Status allowed = pass_.Confirm(); !allowed.ok()) return allowed;
  v1::UploadReplayRequest request;
  absl::Status parsed = ParseMessage(request_bytes_, request);
  request_bytes_.Clear();
  if (!parsed.ok()) return parsed;
  if (!lease_.is_held()) {
    if (absl::Status opened = Open(request); !opened.ok()) return opened;
    if (!known_id_.empty()) return absl::OkStatus();
  }
  return lease_.Append(request.offset(), request.data());
}

absl::Status ReplayUploadCall::Open(const v1::UploadReplayRequest& request) {
  const auto key = ParseUploadKey(pass_.caller().tenant, request.digest(),
                                  request.size_bytes());
  if (!key.ok()) return key.status();
  known_id_ = resources_.catalogue->FindId(key->tenant, key->digest);
  if (!known_id_.empty()) return absl::OkStatus();
  auto lease = resources_.uploads->Take(*key);
  if (!lease.ok()) return lease.status();
  lease_ = *std::move(lease);
  return absl::OkStatus();
}

WorkQueue::Progress ReplayUploadCall::Complete() {
  const Tenant& tenant = pass_.caller().tenant;
  const auto id = resources_.uploads->Finish(
      std::move(lease_), [&](const sim::ContentDigest& digest) {
        return resources_.catalogue->FindId(tenant, digest);
      });
  absl::Status answered = id.status();
  if (answered.ok()) {
    resources_.catalogue->TakeIn(tenant, *id);
    answered = Respond(*id);
  }
  const std::scoped_lock lock(mutex_);
  FinishLocked(answered);
  return WorkQueue::Progress::kDone;
}

absl::Status ReplayUploadCall::Respond(std::string_view id) {
  pass_.Concern(MakeName(kReplays, id));
  const auto known = resources_.catalogue->Get(pass_.caller().tenant, id);
  if (!known.ok()) return known.status();
  v1::UploadReplayResponse response;
  *response.mutable_replay() = ToMessage(*known);
  SerializeMessage(response, response_bytes_);
  pass_.Send(response_bytes_);
  return absl::OkStatus();
}

void ReplayUploadCall::FinishLocked(const absl::Status& status) {
  phase_ = Phase::kFinished;
  lease_.Release();
  pass_.End(status);
  Finish(ToGrpcStatus(status));
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/exchange_stream.h"

#include <algorithm>
#include <new>
#include <utility>

#include "services/base/memory_budget.h"
#include "services/base/status.h"
#include "services/calls/stream_start.h"

namespace reprise::services {
namespace {

// How soon a stream that waits for a time sees that it is to end.
constexpr absl::Duration kDelayMax = absl::Milliseconds(100);

// What a stream takes to see that it is to end, and a response to its client.
constexpr absl::Duration kDrainMargin = absl::Milliseconds(200);

}  // namespace

ExchangeStream* ExchangeStream::Start(grpc::CallbackServerContext* context,
                                      CallPass pass,
                                      const StepResources& resources,
                                      std::unique_ptr<ExchangeWork> work) {
  return StreamStart::Of(
      std::shared_ptr<ExchangeStream>(new ExchangeStream(
          context, std::move(pass), resources, std::move(work))),
      *resources.streams);
}

ExchangeStream::ExchangeStream(grpc::CallbackServerContext* context,
                               CallPass pass, const StepResources& resources,
                               std::unique_ptr<ExchangeWork> work)
    : context_(context),
      resources_(resources),
      pass_(std::move(pass)),
      work_(std::move(work)),
      last_activity_(resources.options->clock()) {}

absl::Time ExchangeStream::last_activity() const {
  const std::scoped_lock lock(mutex_);
  return last_activity_;
}

bool ExchangeStream::has_begun() const {
  const std::scoped_lock lock(mutex_);
  return has_begun_;
}

void ExchangeStream::Close(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  CloseLocked(status);
}

void ExchangeStream::Drain(const absl::Status& status, absl::Time deadline) {
  const std::scoped_lock lock(mutex_);
  drain_deadline_ = deadline;
  CloseLocked(status);
}

void ExchangeStream::Abandon(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  CloseLocked(status);
  if (phase_ == Phase::kWriting) context_->TryCancel();
}

void ExchangeStream::CloseLocked(const absl::Status& status) {
  switch (phase_) {
    case Phase::kReading:
      FinishLocked(status);
      break;
    case Phase::kWorking:
    case Phase::kWriting:
      closing_ = status;
      break;
    case Phase::kFinished:
    case Phase::kDone:
      break;
  }
}

void ExchangeStream::OnReadDone(bool ok) {
  const std::scoped_lock lock(mutex_);
  if (phase_ != Phase::kReading) return;
  if (!ok) {
    FinishLocked(cancelled_ ? CancelledError() : absl::OkStatus());
    return;
  }
  phase_ = Phase::kWorking;
  has_begun_ = true;
  last_activity_ = resources_.options->clock();
  if (!resources_.queue->Post(tenant(),
                              [self = self_] { return self->Work(); })) {
    FinishLocked(BusyError());
  }
}

void ExchangeStream::OnWriteDone(bool ok) {
  const std::scoped_lock lock(mutex_);
  if (phase_ != Phase::kWriting) return;
  if (!ok) {
    FinishLocked(CancelledError());
  } else if (closing_.has_value()) {
    FinishLocked(*closing_);
  } else {
    phase_ = Phase::kReading;
    last_activity_ = resources_.options->clock();
    response_bytes_.Clear();
    StartRead(&request_bytes_);
  }
}

// What is under way fails by itself: reads and writes with ok = false, work
// between two ticks.
void ExchangeStream::OnCancel() { cancelled_ = true; }

void ExchangeStream::OnDone() {
  std::shared_ptr<ExchangeStream> self;
  {
    const std::scoped_lock lock(mutex_);
    phase_ = Phase::kDone;
    work_ = nullptr;
    self = std::move(self_);
  }
  resources_.streams->Remove(self);
}

WorkQueue::Progress ExchangeStream::Work() {
  try {
    return WorkOnce();
  } catch (const std::bad_alloc&) {
    const std::scoped_lock lock(mutex_);
    FinishLocked(MemoryExhaustedError());
    return WorkQueue::Progress::kDone;
  }
}

WorkQueue::Progress ExchangeStream::WorkOnce() {
  if (!is_open_) {
    if (const absl::Status opened = OpenRequest(); !opened.ok()) {
      const std::scoped_lock lock(mutex_);
      FinishLocked(opened);
      return WorkQueue::Progress::kDone;
    }
    is_open_ = true;
  }
  const ExchangeWork::Progress progress =
      work_->Advance([this] { return cancelled_.load(); });
  {
    const std::scoped_lock lock(mutex_);
    last_activity_ = resources_.options->clock();
    // A stream that is to end waits for the work that is done at once, and of a
    // server that stops for all that is done in time.
    const bool is_waiting =
        !progress.is_done && progress.delay > absl::ZeroDuration();
    const bool is_closing =
        is_waiting && closing_.has_value() && !drain_deadline_.has_value();
    if (cancelled_ || is_closing) {
      FinishLocked(cancelled_ ? CancelledError() : *closing_);
      return WorkQueue::Progress::kDone;
    }
  }
  if (progress.is_done) return Respond();
  if (const auto error = DrainError(); error.has_value()) {
    work_->BreakOff(*error);
    return Respond();
  }
  if (progress.delay <= absl::ZeroDuration()) {
    return WorkQueue::Progress::kUnfinished;
  }
  WorkLater(progress);
  return WorkQueue::Progress::kDone;
}

std::optional<absl::Status> ExchangeStream::DrainError() const {
  const std::scoped_lock lock(mutex_);
  if (!drain_deadline_.has_value()) return std::nullopt;
  const absl::Time end =
      std::max(resources_.options->clock(), work_->end_due());
  return end < *drain_deadline_ - kDrainMargin ? std::nullopt : closing_;
}

WorkQueue::Progress ExchangeStream::Respond() {
  is_open_ = false;
  work_->Respond(response_bytes_, pass_);
  pass_.Send(response_bytes_);
  const std::scoped_lock lock(mutex_);
  phase_ = Phase::kWriting;
  last_activity_ = resources_.options->clock();
  StartWrite(&response_bytes_);
  return WorkQueue::Progress::kDone;
}

void ExchangeStream::WorkLater(const ExchangeWork::Progress& progress) {
  uint64_t wait = 0;
  {
    const std::scoped_lock lock(mutex_);
    wait = ++wait_;
  }
  const auto resume = [weak = weak_from_this(), wait] {
    const std::shared_ptr<ExchangeStream> self = weak.lock();
    if (self != nullptr) self->Resume(wait);
  };
  // Once that has resumed, the work is another thread's.
  if (progress.await != nullptr) progress.await(resume);
  resources_.timer->CallAfter(std::min(progress.delay, kDelayMax), resume);
}

void ExchangeStream::Resume(uint64_t wait) {
  {
    const std::scoped_lock lock(mutex_);
    if (wait != wait_) return;
    ++wait_;
  }
  if (!resources_.queue->Post(
          tenant(), [self = shared_from_this()] { return self->Work(); })) {
    WorkLater({.delay = kDelayMax});
  }
}

absl::Status ExchangeStream::OpenRequest() {
  pass_.Receive(request_bytes_);
  absl::Status opened = pass_.Confirm();
  if (opened.ok()) opened = work_->Open(request_bytes_, pass_);
  request_bytes_.Clear();
  return opened;
}

void ExchangeStream::FinishLocked(const absl::Status& status) {
  phase_ = Phase::kFinished;
  work_ = nullptr;
  pass_.End(status);
  Finish(ToGrpcStatus(status));
}

}  // namespace reprise::services

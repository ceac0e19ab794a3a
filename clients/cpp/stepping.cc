// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "stepping.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/client_callback.h"
#include "grpcpp/support/status.h"

namespace reprise::client {
namespace {

// Answers that nobody has taken yet; then the server is let wait.
constexpr size_t kInboxMax = 4;

}  // namespace

// The call as gRPC's threads see it: they send what there is to send, so that
// nobody waits for the server to take it.
class StepStream::Call final
    : public grpc::ClientBidiReactor<v1::StepSessionRequest,
                                     v1::StepSessionResponse> {
 public:
  explicit Call(Client& client) {
    client.PrepareStream(context_);
    client.simulations().async()->StepSession(&context_, this);
    // Others than gRPC's threads write: it isn't over before they are told.
    AddHold();
    StartCall();
    StartRead(&incoming_);
  }

  // Waits for gRPC to be done with it.
  ~Call() override {
    context_.TryCancel();
    std::unique_lock lock(mutex_);
    LetGo();
    changed_.wait(lock, [this] { return status_.has_value(); });
  }

  void Send(v1::StepSessionRequest request) {
    const std::scoped_lock lock(mutex_);
    if (is_over_) return;
    outbox_.push_back(std::move(request));
    if (outbox_.size() == 1) StartWrite(&outbox_.front());
  }

  // Says that nothing more is sent.
  void SendEnd() {
    const std::scoped_lock lock(mutex_);
    if (is_over_ || is_ending_) return;
    is_ending_ = true;
    if (outbox_.empty()) StartWritesDone();
  }

  // The next answer; nullopt: there is none, and the status says why.
  std::optional<v1::StepSessionResponse> Take(
      std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    const bool is_in_time = changed_.wait_for(lock, timeout, [this] {
      return !inbox_.empty() || status_.has_value();
    });
    if (!is_in_time) {
      has_timed_out_ = true;
      context_.TryCancel();
      LetGo();
      changed_.wait(lock, [this] { return status_.has_value(); });
    }
    if (inbox_.empty()) return std::nullopt;
    v1::StepSessionResponse response = std::move(inbox_.front());
    inbox_.pop_front();
    if (is_reading_held_ && !is_over_) {
      is_reading_held_ = false;
      StartRead(&incoming_);
    }
    return response;
  }

  // What it has ended with; nullopt: it hasn't.
  std::optional<absl::Status> status() const {
    const std::scoped_lock lock(mutex_);
    if (has_timed_out_) {
      return absl::DeadlineExceededError("no answer of the stream in time");
    }
    return status_;
  }

 private:
  void OnReadDone(bool ok) override {
    const std::scoped_lock lock(mutex_);
    if (!ok) {
      LetGo();
      return;
    }
    inbox_.push_back(std::move(incoming_));
    incoming_.Clear();
    is_reading_held_ = inbox_.size() >= kInboxMax || is_over_;
    if (!is_reading_held_) StartRead(&incoming_);
    changed_.notify_all();
  }

  void OnWriteDone(bool ok) override {
    const std::scoped_lock lock(mutex_);
    outbox_.pop_front();
    // What can't be sent isn't: reading says why.
    if (!ok || is_over_) return;
    if (!outbox_.empty()) {
      StartWrite(&outbox_.front());
    } else if (is_ending_) {
      StartWritesDone();
    }
  }

  void OnDone(const grpc::Status& status) override {
    const std::scoped_lock lock(mutex_);
    status_ = Client::ToStatus(status);
    changed_.notify_all();
  }

  // Starts nothing any more. REQUIRES: the caller holds mutex_.
  void LetGo() {
    if (std::exchange(is_over_, true)) return;
    RemoveHold();
  }

  grpc::ClientContext context_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  v1::StepSessionResponse incoming_;           // gRPC's while it reads
  std::deque<v1::StepSessionRequest> outbox_;  // the first one is being sent
  std::deque<v1::StepSessionResponse> inbox_;
  bool is_reading_held_ = false;  // until there is room
  bool is_ending_ = false;        // once all is sent
  bool is_over_ = false;
  bool has_timed_out_ = false;
  std::optional<absl::Status> status_;
};

std::unique_ptr<StepStream> StepStream::Open(Client& client,
                                             const Session& session) {
  return std::unique_ptr<StepStream>(new StepStream(
      std::make_unique<Call>(client), client.timeout(), session));
}

StepStream::StepStream(std::unique_ptr<Call> call,
                       std::chrono::milliseconds timeout,
                       const Session& session)
    : call_(std::move(call)),
      timeout_(timeout),
      session_(session.name()),
      next_tick_(session.tick()) {
  last_.set_tick(next_tick_);
}

StepStream::~StepStream() = default;

bool StepStream::has_ended() const { return call_->status().has_value(); }

absl::Status StepStream::Send(v1::StepSessionRequest request) {
  if (under_way_ >= kRequestsUnderWayMax) {
    return absl::ResourceExhaustedError(absl::StrCat(
        under_way_, " requests are under way, as many as there may be"));
  }
  // Answers that came before its end are there to be taken.
  if (const auto status = call_->status();
      status.has_value() && under_way_ == 0) {
    return status->ok() ? absl::AbortedError("the stream has ended") : *status;
  }
  request.set_session(session_);
  request.set_tick(next_tick_);
  next_tick_ += request.tick_count();
  ++under_way_;
  call_->Send(std::move(request));
  return absl::OkStatus();
}

absl::StatusOr<v1::StepSessionResponse> StepStream::Receive() {
  if (under_way_ == 0) {
    return absl::FailedPreconditionError("nothing is under way");
  }
  auto response = call_->Take(timeout_);
  if (!response.has_value()) {
    under_way_ = 0;
    next_tick_ = last_.tick();
    const absl::Status status = *call_->status();
    return status.ok() ? absl::AbortedError("the stream has ended") : status;
  }
  last_ = *std::move(response);
  if (--under_way_ == 0) next_tick_ = last_.tick();
  if (last_.has_status()) return ToStatus(last_.status());
  return last_;
}

absl::StatusOr<v1::StepSessionResponse> StepStream::Step(
    v1::StepSessionRequest request) {
  if (under_way_ > 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(under_way_, " other requests are under way"));
  }
  if (absl::Status sent = Send(std::move(request)); !sent.ok()) return sent;
  return Receive();
}

absl::StatusOr<v1::StepSessionResponse> StepStream::Step(uint32_t tick_count) {
  v1::StepSessionRequest request;
  request.set_tick_count(tick_count);
  return Step(std::move(request));
}

absl::Status StepStream::Close() {
  call_->SendEnd();
  while (auto response = call_->Take(timeout_)) last_ = *std::move(response);
  under_way_ = 0;
  next_tick_ = last_.tick();
  return *call_->status();
}

}  // namespace reprise::client

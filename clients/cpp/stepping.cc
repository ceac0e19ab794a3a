// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "stepping.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "stream_call.h"

namespace reprise::client {

class StepStream::Call final
    : public StreamCall<v1::StepSessionRequest, v1::StepSessionResponse> {
 public:
  explicit Call(Client& client) : StreamCall(client, &Service::StepSession) {}

  // The next answer; nullopt: it has ended, also because there was none in
  // time.
  std::optional<v1::StepSessionResponse> Await(
      std::chrono::milliseconds timeout) {
    auto response = Take(timeout);
    if (!response.has_value() && !status().has_value()) {
      Abort(absl::DeadlineExceededError("no answer of the stream in time"));
    }
    return response;
  }
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
  auto response = call_->Await(timeout_);
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
  while (auto response = call_->Await(timeout_)) last_ = *std::move(response);
  under_way_ = 0;
  next_tick_ = last_.tick();
  return *call_->status();
}

}  // namespace reprise::client

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "playing.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "stream_call.h"

namespace reprise::client {

class PlayStream::Call final
    : public StreamCall<v1::PlaySessionRequest, v1::PlaySessionResponse> {
 public:
  explicit Call(Client& client) : StreamCall(client, &Service::PlaySession) {}
};

absl::StatusOr<std::unique_ptr<PlayStream>> PlayStream::Join(
    Client& client, v1::PlaySessionRequest request) {
  std::unique_ptr<PlayStream> stream(
      new PlayStream(client, std::move(request)));
  if (absl::Status opened = stream->Open(); !opened.ok()) return opened;
  return stream;
}

PlayStream::PlayStream(Client& client, v1::PlaySessionRequest join)
    : client_(client), join_(std::move(join)) {}

PlayStream::~PlayStream() = default;

std::optional<uint32_t> PlayStream::player() const {
  if (!join_.has_player()) return std::nullopt;
  return join_.player();
}

absl::Status PlayStream::Open() {
  call_ = std::make_unique<Call>(client_);
  call_->Send(join_);
  auto response = call_->Take(client_.timeout());
  if (!response.has_value()) {
    if (!call_->status().has_value()) {
      call_->Abort(absl::DeadlineExceededError("nobody was let in in time"));
    }
    return EndStatus();
  }
  if (response->has_status()) return ToStatus(response->status());
  first_ = *std::move(response);
  join_.set_seat_key(first_.joined().seat_key());
  input_tick_ = first_.joined().input_tick();
  Note(first_);
  return absl::OkStatus();
}

absl::Status PlayStream::EndStatus() const {
  absl::Status status = *call_->status();
  return status.ok() ? absl::OutOfRangeError("the stream has ended") : status;
}

void PlayStream::Note(const v1::PlaySessionResponse& response) {
  if (response.has_result()) {
    tick_ = response.result().tick();
    digest_ = response.result().digest();
  }
  if (response.has_pace()) pace_ = response.pace();
}

absl::Status PlayStream::Give(uint32_t tick_count,
                              std::vector<v1::TickInputs> inputs,
                              std::optional<uint64_t> tick) {
  if (!join_.has_player()) {
    return absl::FailedPreconditionError("an observer gives no inputs");
  }
  const uint64_t first = tick.value_or(input_tick_);
  const uint64_t end = first + tick_count;
  v1::PlaySessionRequest request;
  request.set_tick(first);
  request.set_tick_count(tick_count);
  for (v1::TickInputs& given : inputs) {
    if (given.tick() < first || given.tick() >= end) {
      return absl::InvalidArgumentError(
          absl::StrCat("inputs for tick ", given.tick(), ", of ", tick_count,
                       " ticks from ", first, " on"));
    }
    for (v1::InputFrame& frame : *given.mutable_frames()) {
      frame.set_player(join_.player());
    }
    *request.add_inputs() = std::move(given);
  }
  if (has_ended()) return EndStatus();
  call_->Send(std::move(request));
  input_tick_ = end;
  return absl::OkStatus();
}

absl::Status PlayStream::Send(v1::PlaySessionRequest request) {
  if (has_ended()) return EndStatus();
  if (request.has_observe()) *join_.mutable_observe() = request.observe();
  call_->Send(std::move(request));
  return absl::OkStatus();
}

absl::StatusOr<v1::PlaySessionResponse> PlayStream::Receive(
    std::optional<std::chrono::milliseconds> timeout) {
  auto response = call_->Take(timeout);
  if (!response.has_value()) {
    if (!has_ended()) {
      return absl::DeadlineExceededError("nothing was told in time");
    }
    // What came meanwhile is told before the end.
    response = call_->Take(std::chrono::milliseconds(0));
    if (!response.has_value()) return EndStatus();
  }
  if (response->has_status()) return ToStatus(response->status());
  Note(*response);
  return *std::move(response);
}

bool PlayStream::has_ended() const { return call_->status().has_value(); }

absl::Status PlayStream::Leave() {
  v1::PlaySessionRequest request;
  request.set_leave(true);
  call_->Send(std::move(request));
  while (call_->Take(client_.timeout()).has_value()) {
  }
  if (!has_ended()) {
    call_->Abort(absl::DeadlineExceededError("leaving took too long"));
  }
  return *call_->status();
}

absl::Status PlayStream::ComeBack() {
  call_.reset();
  return Open();
}

}  // namespace reprise::client

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/stream_set.h"

#include <utility>

#include "fmt/format.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

absl::Status StoppingError() {
  return WithRetryDelay(
      WithReason(absl::UnavailableError("the server is stopping"),
                 "SERVER_STOPPING"),
      absl::Seconds(1));
}

}  // namespace

absl::Status StreamSet::Add(std::shared_ptr<OpenStream> stream) {
  const std::scoped_lock lock(mutex_);
  if (closed_) return StoppingError();
  if (streams_.size() >= streams_max_) {
    return WithReason(
        absl::ResourceExhaustedError(fmt::format(
            "this server allows {} streams at a time", streams_max_)),
        "TOO_MANY_STREAMS");
  }
  streams_.insert(std::move(stream));
  return absl::OkStatus();
}

void StreamSet::Remove(const std::shared_ptr<OpenStream>& stream) {
  const std::scoped_lock lock(mutex_);
  streams_.erase(stream);
  if (streams_.empty()) emptied_.notify_all();
}

void StreamSet::CloseIdleSince(absl::Time time) {
  for (const auto& stream : Streams()) {
    if (stream->last_activity() > time) continue;
    stream->Abandon(WithReason(
        absl::AbortedError("nothing moved on this stream for too long"),
        "STREAM_IDLE"));
  }
}

void StreamSet::CloseAll() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  for (const auto& stream : Streams()) stream->Close(StoppingError());
}

void StreamSet::WaitUntilEmpty(absl::Time deadline) {
  std::unique_lock lock(mutex_);
  emptied_.wait_until(lock, absl::ToChronoTime(deadline),
                      [this] { return streams_.empty(); });
}

size_t StreamSet::size() const {
  const std::scoped_lock lock(mutex_);
  return streams_.size();
}

std::vector<std::shared_ptr<OpenStream>> StreamSet::Streams() const {
  const std::scoped_lock lock(mutex_);
  return {streams_.begin(), streams_.end()};
}

}  // namespace reprise::services

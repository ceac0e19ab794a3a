// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/stream_set.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "services/base/status.h"
#include "services/base/tenant_quotas.h"

namespace reprise::services {
namespace {

absl::Status SilentError() {
  return WithReason(
      absl::AbortedError("this stream was opened and then asked for nothing"),
      "STREAM_SILENT");
}

}  // namespace

absl::Status StreamSet::Add(std::shared_ptr<OpenStream> stream,
                            absl::Time now) {
  if (tenant_streams_max_ > 0) {
    const std::scoped_lock lock(mutex_);
    if (CountOfLocked(stream->tenant()) >= tenant_streams_max_) {
      return QuotaError("streams", tenant_streams_max_);
    }
  }
  // A stream that is abandoned leaves the set at once, and gRPC later.
  if (const auto silent = TakeSilentSince(now - kOpeningTime);
      silent != nullptr) {
    silent->Abandon(SilentError());
  }
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

std::shared_ptr<OpenStream> StreamSet::TakeSilentSince(absl::Time time) {
  const std::scoped_lock lock(mutex_);
  if (streams_.size() < streams_max_) return nullptr;
  auto oldest = streams_.end();
  absl::Time oldest_time = time;
  for (auto stream = streams_.begin(); stream != streams_.end(); ++stream) {
    if ((*stream)->has_begun()) continue;
    const absl::Time opened = (*stream)->last_activity();
    if (opened > oldest_time) continue;
    oldest = stream;
    oldest_time = opened;
  }
  if (oldest == streams_.end()) return nullptr;
  return streams_.extract(oldest).value();
}

void StreamSet::Remove(const std::shared_ptr<OpenStream>& stream) {
  const std::scoped_lock lock(mutex_);
  streams_.erase(stream);
  if (streams_.empty()) emptied_.notify_all();
}

void StreamSet::CloseIdleSince(absl::Time time, absl::Time silent_since) {
  for (const auto& stream : Streams()) {
    const absl::Time last_activity = stream->last_activity();
    if (!stream->has_begun() && last_activity <= silent_since) {
      stream->Abandon(SilentError());
      continue;
    }
    if (last_activity > time) continue;
    stream->Abandon(WithReason(
        absl::AbortedError("nothing moved on this stream for too long"),
        "STREAM_IDLE"));
  }
}

void StreamSet::DrainAll(absl::Time deadline) {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  for (const auto& stream : Streams()) {
    stream->Drain(StoppingError(), deadline);
  }
}

void StreamSet::WaitUntilEmpty(absl::Duration time) {
  std::unique_lock lock(mutex_);
  emptied_.wait_for(lock, absl::ToChronoNanoseconds(time),
                    [this] { return streams_.empty(); });
}

size_t StreamSet::size() const {
  const std::scoped_lock lock(mutex_);
  return streams_.size();
}

size_t StreamSet::CountOf(const Tenant& tenant) const {
  const std::scoped_lock lock(mutex_);
  return CountOfLocked(tenant);
}

size_t StreamSet::CountOfLocked(const Tenant& tenant) const {
  return static_cast<size_t>(std::ranges::count_if(
      streams_,
      [&](const auto& stream) { return stream->tenant() == tenant; }));
}

std::vector<std::shared_ptr<OpenStream>> StreamSet::Streams() const {
  const std::scoped_lock lock(mutex_);
  return {streams_.begin(), streams_.end()};
}

}  // namespace reprise::services

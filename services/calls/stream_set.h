// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The streams that are open, so that their number stays bounded, those on which
// nothing moves are closed, and a server that stops can close them all.

#ifndef REPRISE_SERVICES_CALLS_STREAM_SET_H_
#define REPRISE_SERVICES_CALLS_STREAM_SET_H_

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "services/base/tenant.h"

namespace reprise::services {

// One open stream. Its calls are safe from any thread, also after its end.
class OpenStream {
 public:
  virtual ~OpenStream() = default;

  // Whose it is.
  virtual const Tenant& tenant() const = 0;

  // When a message of it last arrived, was carried out or was taken by the
  // client.
  virtual absl::Time last_activity() const = 0;

  // Whether it has asked for anything yet.
  virtual bool has_begun() const = 0;

  // Ends the stream with `status` once the message that is being carried out or
  // sent is through.
  virtual void Close(const absl::Status& status) = 0;

  // As Close, where the server stops and cancels at `deadline` what is left:
  // what is being carried out may go on until shortly before.
  virtual void Drain(const absl::Status& status, absl::Time /*deadline*/) {
    Close(status);
  }

  // As Close, but doesn't wait for a client that takes no messages: it sees the
  // call cancelled.
  virtual void Abandon(const absl::Status& status) = 0;
};

// How long a client may take from opening a stream to its first request, when
// others have no room.
inline constexpr absl::Duration kOpeningTime = absl::Seconds(1);

// Safe to use from any thread.
class StreamSet {
 public:
  // In all, and of each tenant; 0 for as many of a tenant as there may be.
  explicit StreamSet(size_t streams_max, size_t tenant_streams_max = 0)
      : streams_max_(streams_max), tenant_streams_max_(tenant_streams_max) {}

  // Where there are too many, the one that has been silent the longest makes
  // room, if it has had kOpeningTime: it is abandoned, with ABORTED.
  // RESOURCE_EXHAUSTED: none has, or its tenant has too many. UNAVAILABLE:
  // after DrainAll. `stream` is then not in the set.
  absl::Status Add(std::shared_ptr<OpenStream> stream, absl::Time now);
  // Does nothing for a stream that isn't in the set.
  void Remove(const std::shared_ptr<OpenStream>& stream);

  // Abandons, with ABORTED, the streams without activity since `time`, and
  // those that haven't begun since `silent_since`.
  void CloseIdleSince(absl::Time time, absl::Time silent_since);

  // Has all streams end, with UNAVAILABLE, by `deadline`; there will be no
  // others.
  void DrainAll(absl::Time deadline);

  // Returns once no stream is left, or `time` has passed.
  void WaitUntilEmpty(absl::Duration time);

  size_t size() const;
  // Those of a tenant.
  size_t CountOf(const Tenant& tenant) const;

 private:
  // REQUIRES: the caller holds mutex_.
  size_t CountOfLocked(const Tenant& tenant) const;
  std::vector<std::shared_ptr<OpenStream>> Streams() const;
  // The one that has been silent the longest, since `time` at least; or null.
  std::shared_ptr<OpenStream> TakeSilentSince(absl::Time time);

  const size_t streams_max_;
  const size_t tenant_streams_max_;
  mutable std::mutex mutex_;         // guards what follows
  std::condition_variable emptied_;  // the last stream has gone
  std::set<std::shared_ptr<OpenStream>> streams_;
  bool closed_ = false;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_STREAM_SET_H_

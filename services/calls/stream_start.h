// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How the server's side of a stream begins, whatever it is of: kept until gRPC
// is done with it, let in or ended, and known to the set of all.

#ifndef REPRISE_SERVICES_CALLS_STREAM_START_H_
#define REPRISE_SERVICES_CALLS_STREAM_START_H_

#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "services/calls/stream_set.h"

namespace reprise::services {

// A friend of streams, which have `pass_`, `last_activity_`, `mutex_`, `self_`,
// FinishLocked and, to begin with what they do, BeginLocked.
class StreamStart {
 public:
  template <typename Stream>
  static Stream* Of(const std::shared_ptr<Stream>& stream, StreamSet& streams) {
    // Held before others can see the stream, so that none can end it before it
    // has begun.
    const std::scoped_lock lock(stream->mutex_);
    stream->self_ = stream;
    absl::Status begun = stream->pass_.admission();
    if (begun.ok()) begun = streams.Add(stream, stream->last_activity_);
    if (begun.ok()) {
      stream->BeginLocked();
    } else {
      stream->FinishLocked(begun);
    }
    return stream.get();
  }
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_STREAM_START_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A file as somebody finds it who may look again: what it has of bytes never
// changes, but more may come.

#ifndef REPRISE_SERVICES_STORAGE_GROWING_FILE_H_
#define REPRISE_SERVICES_STORAGE_GROWING_FILE_H_

#include <memory>

#include "absl/status/status.h"
#include "replays/container/byte_stream.h"

namespace reprise::services {

struct GrowingFile {
  // All that it has now; where it can't grow, all there will be.
  std::unique_ptr<replays::ByteSource> source;
  bool may_grow = false;
  // Of one that can't: whether it is whole, or why not.
  absl::Status end;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_GROWING_FILE_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A lock on a file, which other processes see and the death of its own lets go
// of. Reading, writing, renaming and removing the file need no lock.

#ifndef REPRISE_REPLAYS_STORE_FILE_LOCK_H_
#define REPRISE_REPLAYS_STORE_FILE_LOCK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace reprise::replays {

// Held until its destruction. Errors are UNAVAILABLE and name the path.
class FileLock {
 public:
  // Makes the file if it is missing, and waits until nobody else holds it, or
  // for `wait_max`: who holds it may have been stopped.
  static absl::StatusOr<std::unique_ptr<FileLock>> Acquire(
      const std::string& path, absl::Duration wait_max);

  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  const int descriptor_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_FILE_LOCK_H_

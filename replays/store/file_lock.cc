// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::replays {
namespace {

// REQUIRES: called right after the system call that failed.
absl::Status SystemError(const std::string& path) {
  return absl::UnavailableError(
      fmt::format("{}: {}", path, std::generic_category().message(errno)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<FileLock>> FileLock::Acquire(
    const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return SystemError(path);
  std::unique_ptr<FileLock> lock(new FileLock(descriptor));
  while (flock(descriptor, LOCK_EX) != 0) {
    if (errno != EINTR) return SystemError(path);
  }
  return lock;
}

FileLock::~FileLock() { close(descriptor_); }

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::replays {
namespace {

// Long enough to cost nothing, short enough not to be noticed.
constexpr absl::Duration kPollPeriod = absl::Milliseconds(2);

// REQUIRES: called right after the system call that failed.
absl::Status SystemError(const std::string& path) {
  return absl::UnavailableError(
      fmt::format("{}: {}", path, std::generic_category().message(errno)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<FileLock>> FileLock::Acquire(
    const std::string& path, absl::Duration wait_max) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return SystemError(path);
  std::unique_ptr<FileLock> lock(new FileLock(descriptor));
  const timespec period = absl::ToTimespec(kPollPeriod);
  absl::Duration waited;
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return SystemError(path);
    if (waited >= wait_max) {
      return absl::UnavailableError(
          fmt::format("{}: another process has held this lock for {}", path,
                      absl::FormatDuration(waited)));
    }
    nanosleep(&period, nullptr);
    waited += kPollPeriod;
  }
  return lock;
}

FileLock::~FileLock() { close(descriptor_); }

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/testing/disk_syncs.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "fmt/format.h"

namespace reprise::replays {
namespace {

struct Log {
  std::mutex mutex;
  std::vector<DiskSync> syncs;
};

Log& GetLog() {
  static auto* const log = new Log();
  return *log;
}

void Note(int descriptor) {
  struct stat information = {};
  if (fstat(descriptor, &information) != 0) return;
  std::error_code ignored;  // A file without a name has none.
  const std::filesystem::path path = std::filesystem::read_symlink(
      fmt::format("/proc/self/fd/{}", descriptor), ignored);
  Log& log = GetLog();
  const std::lock_guard lock(log.mutex);
  log.syncs.push_back(
      {path.string(), static_cast<uint64_t>(information.st_size)});
}

}  // namespace

std::vector<DiskSync> TakeDiskSyncs() {
  Log& log = GetLog();
  const std::lock_guard lock(log.mutex);
  return std::exchange(log.syncs, {});
}

}  // namespace reprise::replays

// The program's own come before the C library's.
extern "C" int fdatasync(int descriptor) {
  reprise::replays::Note(descriptor);
  return static_cast<int>(syscall(SYS_fdatasync, descriptor));
}

extern "C" int fsync(int descriptor) {
  reprise::replays::Note(descriptor);
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

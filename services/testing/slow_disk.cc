// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/slow_disk.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

std::atomic<bool> is_slow = false;
std::atomic<int> waiting_count_now = 0;
// Set while nobody reads them.
std::string slow_folder;
DiskWork slow_work = DiskWork::kWriting;

// Whether an open file or folder is one of those.
bool IsBelow(int descriptor) {
  std::array<char, 4096> path;
  const std::string link = fmt::format("/proc/self/fd/{}", descriptor);
  const ssize_t size = readlink(link.c_str(), path.data(), path.size());
  return size > 0 && std::string_view(path.data(), static_cast<size_t>(size))
                         .starts_with(slow_folder);
}

void WaitFor(DiskWork work, int descriptor) {
  if (!is_slow || work != slow_work) return;
  const int error = errno;
  if (IsBelow(descriptor)) {
    ++waiting_count_now;
    waiting_count_now.notify_all();
    is_slow.wait(true);
    --waiting_count_now;
  }
  errno = error;
}

}  // namespace

SlowDisk::SlowDisk(const std::string& folder, DiskWork work) {
  CHECK(!is_slow);
  char* const path = realpath(folder.c_str(), nullptr);
  CHECK(path != nullptr, "{} isn't there", folder);
  slow_folder = path;
  std::free(path);
  slow_work = work;
  is_slow = true;
}

SlowDisk::~SlowDisk() {
  is_slow = false;
  is_slow.notify_all();
}

int SlowDisk::waiting_count() const { return waiting_count_now; }

void SlowDisk::Await(int waiting_count) const {
  for (int now = waiting_count_now; now < waiting_count;
       now = waiting_count_now) {
    waiting_count_now.wait(now);
  }
}

}  // namespace reprise::services

// In the place of the C library's.

using reprise::services::DiskWork;
using reprise::services::WaitFor;

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t count) {
  WaitFor(DiskWork::kWriting, descriptor);
  return syscall(SYS_write, descriptor, bytes, count);
}

dirent* readdir(DIR* folder) {
  static const auto next =
      reinterpret_cast<dirent* (*)(DIR*)>(dlsym(RTLD_NEXT, "readdir"));
  WaitFor(DiskWork::kListing, dirfd(folder));
  return next(folder);
}
}  // extern "C"

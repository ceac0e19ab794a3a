// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/memory_budget.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

// Asking the allocator takes some microseconds, ticks may take one.
constexpr absl::Duration kMeasurePeriod = absl::Milliseconds(100);

// How long a client that found no memory had better wait.
constexpr absl::Duration kRetryDelay = absl::Seconds(5);

// The number that a file holds; kUnlimited: none, "max" for one.
uint64_t NumberIn(const std::string& path) {
  uint64_t number = 0;
  return std::ifstream(path) >> number ? number : kUnlimited;
}

// The least that any group from `path` up to the hierarchy's `root` allows.
uint64_t LeastUpwards(const std::string& root, std::string path,
                      std::string_view file) {
  uint64_t least = NumberIn(fmt::format("{}/{}", root, file));
  while (!path.empty() && path != "/") {
    least = std::min(least, NumberIn(fmt::format("{}{}/{}", root, path, file)));
    path.erase(path.rfind('/'));
  }
  return least;
}

// What control groups allow, of both versions.
uint64_t GroupBytesMax() {
  uint64_t least = kUnlimited;
  std::ifstream groups("/proc/self/cgroup");
  // "0::/path", "5:memory:/path"
  for (std::string line; std::getline(groups, line);) {
    const size_t controllers = line.find(':');
    const size_t path = line.find(':', controllers + 1);
    if (controllers == std::string::npos || path == std::string::npos) continue;
    const std::string names =
        line.substr(controllers + 1, path - controllers - 1);
    if (names.empty()) {
      least = std::min(
          least,
          LeastUpwards("/sys/fs/cgroup", line.substr(path + 1), "memory.max"));
    } else if (names.find("memory") != std::string::npos) {
      least = std::min(
          least, LeastUpwards("/sys/fs/cgroup/memory", line.substr(path + 1),
                              "memory.limit_in_bytes"));
    }
  }
  return least;
}

uint64_t LimitOf(__rlimit_resource resource) {
  rlimit limit = {};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return kUnlimited;
  }
  return limit.rlim_cur;
}

}  // namespace

uint64_t AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  const uint64_t allocated = info.uordblks + info.hblkhd;
  if (allocated > 0) return allocated;
  // Sanitizers have an allocator of their own.
  uint64_t pages = 0;
  uint64_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident_pages;
  return resident_pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t DefaultMemoryBytesMax() {
  const uint64_t machine = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                           static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t in_memory = std::min(machine, GroupBytesMax());
  // Threads have stacks and arenas mapped, of which they use little.
  const uint64_t mapped = std::min(LimitOf(RLIMIT_AS), LimitOf(RLIMIT_DATA));
  return std::min(in_memory - in_memory / 4, mapped / 2);
}

absl::Status MemoryFullError(uint64_t bytes_max) {
  const std::string limit = fmt::to_string(bytes_max);
  return WithRetryDelay(
      WithReason(absl::ResourceExhaustedError(fmt::format(
                     "the server may use {} bytes of memory, and what is asked "
                     "for would take more than is left",
                     bytes_max)),
                 "MEMORY_FULL", {{"limit", limit}}),
      kRetryDelay);
}

absl::Status MemoryExhaustedError() {
  return WithReason(
      absl::ResourceExhaustedError("the system gave no more memory"),
      "MEMORY_EXHAUSTED");
}

void MemoryClaim::Release() {
  if (budget_ == nullptr) return;
  std::exchange(budget_, nullptr)->Return(bytes_);
}

absl::StatusOr<MemoryClaim> MemoryBudget::Claim(uint64_t bytes) {
  if (bytes_max_ == 0) return MemoryClaim();
  const std::scoped_lock lock(mutex_);
  measured_bytes_ = meter_();
  measured_ = clock_();
  const uint64_t used = measured_bytes_ + claimed_bytes_;
  if (used >= bytes_max_ || bytes > bytes_max_ - used) {
    return MemoryFullError(bytes_max_);
  }
  claimed_bytes_ += bytes;
  return MemoryClaim(this, bytes);
}

absl::Status MemoryBudget::CheckRoom() {
  if (bytes_max_ == 0) return absl::OkStatus();
  const std::scoped_lock lock(mutex_);
  const absl::Time now = clock_();
  if (now - measured_ >= kMeasurePeriod) {
    measured_bytes_ = meter_();
    measured_ = now;
  }
  return measured_bytes_ < bytes_max_ ? absl::OkStatus()
                                      : MemoryFullError(bytes_max_);
}

void MemoryBudget::Return(uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  claimed_bytes_ -= bytes;
  // What was claimed is in use now, or isn't needed.
  measured_ = absl::InfinitePast();
}

}  // namespace reprise::services

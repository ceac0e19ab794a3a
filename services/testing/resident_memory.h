// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What this process has in memory, for tests of what a server leaves behind.

#ifndef REPRISE_SERVICES_TESTING_RESIDENT_MEMORY_H_
#define REPRISE_SERVICES_TESTING_RESIDENT_MEMORY_H_

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace reprise::services {

// Bytes of pages; 0 where the system doesn't say.
inline uint64_t ResidentBytes() {
  uint64_t pages = 0;
  uint64_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident_pages;
  return resident_pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_RESIDENT_MEMORY_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A disk that takes no more, as the system would tell it.

#ifndef REPRISE_SERVICES_TESTING_FULL_DISK_H_
#define REPRISE_SERVICES_TESTING_FULL_DISK_H_

#include <signal.h>
#include <sys/resource.h>

#include "gtest/gtest.h"

namespace reprise::services {

// Lets no file of this process grow past a size, until it goes.
class FullDisk {
 public:
  explicit FullDisk(rlim_t file_bytes_max) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit full = before_;
    full.rlim_cur = file_bytes_max;
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_ = {};
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_FULL_DISK_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A process that has all the file descriptors it may have.

#ifndef REPRISE_SERVICES_TESTING_NO_MORE_DESCRIPTORS_H_
#define REPRISE_SERVICES_TESTING_NO_MORE_DESCRIPTORS_H_

#include <sys/resource.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace reprise::services {

// Allows this process no descriptor that it doesn't have, until it goes.
class NoMoreDescriptors {
 public:
  NoMoreDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int first_free = dup(STDERR_FILENO);
    close(first_free);
    rlimit none = before_;
    none.rlim_cur = static_cast<rlim_t>(first_free);
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  }
  NoMoreDescriptors(const NoMoreDescriptors&) = delete;
  NoMoreDescriptors& operator=(const NoMoreDescriptors&) = delete;
  ~NoMoreDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_ = {};
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_NO_MORE_DESCRIPTORS_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what an operator is told ends nothing where it can't be written:
// the disk of the log may be the one that is full.

#include "services/base/log_entry.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <string>

#include "gtest/gtest.h"

namespace reprise::services {
namespace {

// Has standard error be another descriptor while it lives.
class OtherStandardError {
 public:
  explicit OtherStandardError(int descriptor)
      : before_(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) {
    EXPECT_GE(dup2(descriptor, STDERR_FILENO), 0);
  }
  OtherStandardError(const OtherStandardError&) = delete;
  OtherStandardError& operator=(const OtherStandardError&) = delete;
  ~OtherStandardError() {
    dup2(before_, STDERR_FILENO);
    close(before_);
  }

 private:
  const int before_;
};

TEST(LogEntryTest, ASentenceIsALine) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  {
    const OtherStandardError pipe(ends[1]);
    LogText("new tokens are in use");
  }
  std::string text(100, '\0');
  text.resize(read(ends[0], text.data(), text.size()));
  EXPECT_EQ(text, "reprise: new tokens are in use\n");
  for (const int end : ends) close(end);
}

TEST(LogEntryTest, ALineToAFullDiskIsLost) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  {
    const OtherStandardError disk(full);
    LogText("new tokens are in use");
  }
  close(full);
}

TEST(LogEntryTest, ALineToAReaderThatHasGoneIsLost) {
  signal(SIGPIPE, SIG_IGN);  // as `reprise serve` does
  std::array<int, 2> ends;
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  close(ends[0]);
  {
    const OtherStandardError pipe(ends[1]);
    LogText("new tokens are in use");
  }
  close(ends[1]);
}

}  // namespace
}  // namespace reprise::services

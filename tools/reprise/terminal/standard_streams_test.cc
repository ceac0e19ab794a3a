// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves, in a process of its own for each combination of closed streams, that
// no file that is opened behind gets the number of one, that using a closed one
// still fails, and that an open one is left as it is.

#include "tools/reprise/terminal/standard_streams.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

bool Has(unsigned closed, int stream) { return ((closed >> stream) & 1U) != 0; }

// Whether all is as it should be with bit i of `closed` for stream i. To be
// called in a process of its own.
bool ReservesThem(unsigned closed) {
  const int zero = open("/dev/zero", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (dup2(zero, stream) != stream) return false;
    if (Has(closed, stream)) close(stream);
  }
  ReserveStandardStreams();
  const int opened = open("/dev/null", O_RDWR);
  if (opened <= STDERR_FILENO) return false;
  char byte = 1;
  const bool is_read = read(STDIN_FILENO, &byte, 1) == 1;
  if (is_read == Has(closed, STDIN_FILENO)) return false;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    const bool is_written = write(stream, &byte, 1) == 1;
    if (is_written == Has(closed, stream)) return false;
    if (!is_written && errno != EBADF) return false;
  }
  return true;
}

TEST(ReserveStandardStreamsTest, NoFileTakesTheNumberOfAClosedOne) {
  for (unsigned closed = 0; closed < 8; ++closed) {
    const pid_t process = fork();
    ASSERT_GE(process, 0);
    if (process == 0) _exit(ReservesThem(closed) ? 0 : 1);
    int status = 0;
    ASSERT_EQ(waitpid(process, &status, 0), process);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << closed;
  }
}

}  // namespace
}  // namespace reprise::tools

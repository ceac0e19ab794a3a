// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

namespace reprise::tools {

void ReserveStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // Each the wrong way round, as the C library does for programs that change
    // their user: whoever uses it is told (EBADF), as of a closed one. The
    // lowest number that is free is this one.
    [[maybe_unused]] const int reserved =
        open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace reprise::tools

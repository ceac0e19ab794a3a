// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Writes the example file to standard output: a seed for fuzzing, and something
// for other MCAP readers to try themselves on.

#include <cstdio>

#include "replays/container/mcap_example.h"

int main() {
  const reprise::replays::Bytes bytes = reprise::replays::WriteMcapExample();
  const size_t written = std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  return written == bytes.size() ? 0 : 1;
}

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which build this is, by the bytes that it runs: two programs with one digest
// do the same.

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_PROGRAM_DIGEST_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_PROGRAM_DIGEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "sim/base/content_digest.h"

namespace reprise::tools {

// Of the bytes of a file. UNAVAILABLE names the file that can't be read.
absl::StatusOr<sim::ContentDigest> DigestOfFile(
    const std::string& path, sim::ContentHash hash = sim::ContentHash::kSha256);

// Of this program's file and of those of the libraries that it runs with.
// Errors as above.
absl::StatusOr<sim::ContentDigest> DigestOfProgram(
    sim::ContentHash hash = sim::ContentHash::kSha256);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_PROGRAM_DIGEST_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads every byte of a file that may be large, on a disk that may be slow, and
// says on the way that it does.

#ifndef REPRISE_REPLAYS_CONTAINER_WHOLE_FILE_H_
#define REPRISE_REPLAYS_CONTAINER_WHOLE_FILE_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "replays/container/mcap_reader.h"

namespace reprise::replays {

// Bytes that are read between two calls of `keep_going`.
inline constexpr uint64_t kBytesBetweenCalls = uint64_t{1} << 20;

// As file.VerifyWholeFile(), with a call of `keep_going` each so many bytes;
// its error ends the reading. Only where the file is damaged, the place of that
// is looked for without calls.
absl::Status CheckWholeFile(const McapReader& file,
                            absl::FunctionRef<absl::Status()> keep_going);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_WHOLE_FILE_H_

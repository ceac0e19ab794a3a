// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Single files of a corpus: each comes whole or not at all.

#ifndef REPRISE_REPLAYS_FUZZING_CORPUS_CORPUS_FILE_H_
#define REPRISE_REPLAYS_FUZZING_CORPUS_CORPUS_FILE_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_file.h"
#include "replays/tracks/input_track.h"

namespace reprise::replays {

inline constexpr auto kCorpusDurability = FileSink::Durability::kProcess;

// Calls `write` with a sink, and gives the file its name if that went well;
// otherwise nothing is left of it. A device is written to as it is. Errors are
// the disk's, UNAVAILABLE where it is full, with the path; INVALID_ARGUMENT
// where that is a folder; or those of `write`.
absl::Status WriteCorpusFile(
    const std::string& path,
    const std::function<absl::Status(std::unique_ptr<FileSink>)>& write);

// Errors as above.
absl::Status WriteCorpusText(const std::string& path, std::string_view text);

// The text of a file. INVALID_ARGUMENT: it is too long to be one of a corpus.
// Other errors are the disk's.
absl::StatusOr<std::string> ReadCorpusText(const std::string& path);

// The inputs of a replay as those of a whole track. Errors name the file.
absl::StatusOr<InputTrack> ReadReplayTrack(const std::string& path);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_CORPUS_CORPUS_FILE_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/whole_replay.h"

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "replays/container/mcap_reader.h"

namespace reprise::replays {
namespace {

// Often enough for a progress bar, too seldom to cost anything.
constexpr uint64_t kRecordStride = 256;

template <typename Record>
absl::Status ReadAll(std::unique_ptr<ReplayCursor<Record>> cursor,
                     absl::FunctionRef<absl::Status()> keep_going) {
  for (uint64_t count = 0;; ++count) {
    const absl::StatusOr<std::optional<Record>> record = cursor->Next();
    if (!record.ok()) return record.status();
    if (!record->has_value()) return absl::OkStatus();
    if (count % kRecordStride != 0) continue;
    absl::Status status = keep_going();
    if (!status.ok()) return status;
  }
}

}  // namespace

absl::Status CheckWholeReplay(const ReplayReader& replay,
                              absl::FunctionRef<absl::Status()> keep_going) {
  absl::Status status;
  if (!replay.file().recovery().has_value()) {
    // Whose own error is the more exact one.
    status = replay.file().Chunks().status();
    if (status.ok()) status = replay.file().VerifyWholeFile();
  }
  if (status.ok()) status = ReadAll(replay.ReadTickInputs(), keep_going);
  if (status.ok()) status = ReadAll(replay.ReadDigests(), keep_going);
  if (status.ok()) status = ReadAll(replay.ReadKeyframes(), keep_going);
  if (status.ok()) status = ReadAll(replay.ReadEvents(), keep_going);
  if (status.ok()) status = replay.ReadBranches().status();
  return status;
}

}  // namespace reprise::replays

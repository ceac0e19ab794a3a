// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/whole_replay.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/whole_file.h"

namespace reprise::replays {
namespace {

// Records between two calls: often enough for a progress bar, too seldom to
// cost anything. Each keyframe may be half a gigabyte.
constexpr uint64_t kRecordStride = 256;
constexpr uint64_t kKeyframeStride = 1;

// The number of records.
template <typename Record>
absl::StatusOr<uint64_t> ReadAll(std::unique_ptr<ReplayCursor<Record>> cursor,
                                 uint64_t stride,
                                 absl::FunctionRef<absl::Status()> keep_going) {
  for (uint64_t count = 0;; ++count) {
    const absl::StatusOr<std::optional<Record>> record = cursor->Next();
    if (!record.ok()) return record.status();
    if (!record->has_value()) return count;
    if (count % stride != 0) continue;
    absl::Status status = keep_going();
    if (!status.ok()) return status;
  }
}

}  // namespace

absl::StatusOr<WholeReplay> CheckWholeReplay(
    const ReplayReader& replay, absl::FunctionRef<absl::Status()> keep_going) {
  absl::Status status;
  if (!replay.file().recovery().has_value()) {
    // Whose own error is the more exact one.
    status = replay.file().Chunks().status();
    if (status.ok()) status = CheckWholeFile(replay.file(), keep_going);
  }
  const auto read_all = [&](auto cursor, uint64_t stride) {
    if (!status.ok()) return;
    status = ReadAll(std::move(cursor), stride, keep_going).status();
  };
  read_all(replay.ReadTickInputs(), kRecordStride);
  read_all(replay.ReadDigests(), kRecordStride);
  read_all(replay.ReadKeyframes(), kKeyframeStride);
  if (status.ok()) status = replay.ReadBranches().status();
  if (!status.ok()) return status;
  const absl::StatusOr<uint64_t> events =
      ReadAll(replay.ReadEvents(), kRecordStride, keep_going);
  if (!events.ok()) return events.status();
  return WholeReplay{.event_count = *events};
}

std::optional<std::string> FindWrongEventCount(const ReplayReader& replay,
                                               const WholeReplay& whole) {
  const std::optional<uint64_t>& said = replay.event_count();
  if (!said.has_value() || *said == whole.event_count) return std::nullopt;
  return fmt::format("the end counts {} events, and there are {}", *said,
                     whole.event_count);
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what reads replays, for crashes and for work without bound. An input
// is a file, or messages of which ReplayOfFuzzer makes one with right
// checksums, so that what lies behind the checksums is reached. Whatever opens
// is read to its end, printed, followed as if it grew, and, if it is short
// enough, verified. All is recovered, and what is saved has to open.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "absl/status/statusor.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/recording/recording_prefix.h"
#include "replays/recording/replay_recovery.h"
#include "replays/recording/replay_text.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/replay_contents.h"
#include "replays/testing/tiny_recording.h"
#include "replays/verifying/verifier.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

// Verifying more would only be slow.
constexpr sim::Tick kTicksVerified = 2000;

void ReadAndVerify(std::span<const std::byte> file) {
  const absl::StatusOr<std::unique_ptr<ReplayReader>> replay = OpenReplay(file);
  if (!replay.ok()) return;
  static_cast<void>(ReadContents(**replay));
  static_cast<void>((*replay)->FindKeyframe((*replay)->tick_count() / 2));
  static_cast<void>(FindRecordingPrefix(**replay, (*replay)->tick_count() / 2));
  ReplayTextPrinter printer(replay->get(),
                            {.has_digests = true, .has_events = true});
  for (auto batch = printer.NextBatch(); batch.ok() && batch->has_value();) {
    batch = printer.NextBatch();
  }
  if ((*replay)->tick_count() > kTicksVerified) return;
  for (const OnDivergence on_divergence :
       {OnDivergence::kStop, OnDivergence::kContinue, OnDivergence::kResync}) {
    static_cast<void>(VerifyReplay(**replay, {.on_divergence = on_divergence}));
  }
}

// The file as it looks to whoever follows it.
void Follow(std::span<const std::byte> file) {
  const auto replay = OpenReplay(file.first(file.size() / 2));
  if (!replay.ok()) return;
  const auto inputs = (*replay)->ReadInputs();
  const absl::Status status =
      (*replay)->Extend(std::make_unique<MemorySource>(file));
  if (!status.ok()) return;
  static_cast<void>(ReadContents(**replay));
}

void Recover(std::span<const std::byte> file) {
  Bytes recovered;
  MemorySink sink(&recovered);
  const auto report =
      RecoverReplay(std::make_unique<MemorySource>(file), &sink);
  if (!report.ok()) return;
  const auto replay = OpenReplay(recovered);
  CHECK(replay.ok(), "{}", replay.status().ToString());
  CHECK((*replay)->tick_count() == report->tick_count);
}

void TryAll(std::span<const std::byte> file) {
  ReadAndVerify(file);
  Follow(file);
  Recover(file);
}

}  // namespace
}  // namespace reprise::replays

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::replays::TryAll(reprise::replays::ReplayOfFuzzer({data, size}));
  return 0;
}

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/testing/replay_contents.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "absl/status/status.h"

namespace reprise::replays {
namespace {

// A file that claims more ticks than this has them without inputs; asking for
// each of them proves nothing.
constexpr sim::Tick kTicksRead = 1 << 16;

template <typename Record>
absl::Status ReadAll(std::unique_ptr<ReplayCursor<Record>> cursor,
                     std::vector<Record>& records) {
  while (true) {
    absl::StatusOr<std::optional<Record>> next = cursor->Next();
    if (!next.ok()) return next.status();
    if (!next->has_value()) return absl::OkStatus();
    records.push_back(**std::move(next));
  }
}

absl::Status ReadAllInputs(const ReplayReader& replay,
                           std::vector<TickInputs>& inputs) {
  const std::unique_ptr<InputSource> source = replay.ReadInputs();
  const sim::Tick tick_count = std::min(replay.tick_count(), kTicksRead);
  for (sim::Tick tick = 0; tick < tick_count; ++tick) {
    const absl::StatusOr<std::span<const sim::InputFrame>> frames =
        source->FramesAt(tick);
    if (!frames.ok()) return frames.status();
    if (frames->empty()) continue;
    inputs.push_back({tick, {frames->begin(), frames->end()}});
  }
  return absl::OkStatus();
}

template <typename T>
bool StartsWith(const std::vector<T>& whole, const std::vector<T>& part) {
  return part.size() <= whole.size() &&
         std::equal(part.begin(), part.end(), whole.begin());
}

}  // namespace

absl::StatusOr<ReplayContents> ReadContents(const ReplayReader& replay) {
  ReplayContents contents;
  contents.metadata = replay.metadata();
  contents.tick_count = replay.tick_count();
  contents.end = replay.end();
  const absl::StatusOr<sim::PackArchive> pack = replay.ReadPack();
  if (pack.ok()) {
    contents.pack = pack->Encode();
  } else if (!absl::IsNotFound(pack.status())) {
    return pack.status();
  }
  absl::Status status = ReadAllInputs(replay, contents.inputs);
  if (status.ok()) status = ReadAll(replay.ReadDigests(), contents.digests);
  if (status.ok()) {
    status = ReadAll(replay.ReadKeyframes(), contents.keyframes);
  }
  std::vector<v1::Event> events;
  if (status.ok()) status = ReadAll(replay.ReadEvents(), events);
  if (!status.ok()) return status;
  for (const v1::Event& event : events) {
    contents.events.push_back(event.SerializeAsString());
  }
  return contents;
}

bool IsPrefix(const ReplayContents& part, const ReplayContents& whole) {
  std::vector<TickInputs> inputs = whole.inputs;
  std::erase_if(inputs, [&](const TickInputs& tick) {
    return tick.tick >= part.tick_count;
  });
  return part.metadata == whole.metadata &&
         (part.pack == whole.pack || part.pack.empty()) &&
         part.tick_count <= whole.tick_count && part.inputs == inputs &&
         StartsWith(whole.digests, part.digests) &&
         StartsWith(whole.keyframes, part.keyframes) &&
         StartsWith(whole.events, part.events) &&
         (!part.end.has_value() || part.end == whole.end);
}

}  // namespace reprise::replays

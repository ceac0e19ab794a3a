// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/digest_batch.h"

#include <cstdint>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

// The last revision of the format that stores roots.
constexpr uint32_t kRootsRevisionMax = 1;

bool HasRoots(const ReplayMetadata& metadata) {
  return metadata.format_revision <= kRootsRevisionMax;
}

}  // namespace

DigestEntry DescribeState(sim::Tick tick, const sim::State& state,
                          sim::Digest root, sim::Digest chain) {
  DigestEntry entry = {.tick = tick, .root = root, .chain = chain, .rooms = {}};
  entry.rooms.reserve(state.rooms().size());
  for (const sim::State::Room& room : state.rooms()) {
    entry.rooms.push_back(state.ComputeRoomDigest(room));
  }
  return entry;
}

void AddEntry(const DigestEntry& entry, const ReplayMetadata& metadata,
              v1::DigestBatch& batch) {
  CHECK(entry.rooms.size() == metadata.rooms.size(), "{} rooms of {}",
        entry.rooms.size(), metadata.rooms.size());
  if (batch.chains().empty()) {
    batch.set_first_tick(entry.tick);
    batch.set_stride(metadata.digest_stride);
  }
  CHECK(entry.tick ==
            batch.first_tick() + static_cast<uint64_t>(batch.chains_size()) *
                                     metadata.digest_stride,
        "tick {}", entry.tick);
  if (HasRoots(metadata)) batch.add_roots(entry.root.value);
  batch.add_chains(entry.chain.value);
  for (const sim::Digest room : entry.rooms) batch.add_rooms(room.value);
}

absl::StatusOr<int> CountEntries(const v1::DigestBatch& batch,
                                 const ReplayMetadata& metadata) {
  const int count = batch.chains_size();
  const uint64_t room_count = metadata.rooms.size();
  if (batch.roots_size() != (HasRoots(metadata) ? count : 0) ||
      static_cast<uint64_t>(batch.rooms_size()) !=
          static_cast<uint64_t>(count) * room_count) {
    return absl::DataLossError(
        fmt::format("{} roots, {} chains and {} digests of {} rooms",
                    batch.roots_size(), count, batch.rooms_size(), room_count));
  }
  if (batch.stride() != metadata.digest_stride) {
    return absl::DataLossError(
        fmt::format("entries every {} ticks; expected every {}", batch.stride(),
                    metadata.digest_stride));
  }
  return count;
}

DigestEntry EntryAt(const v1::DigestBatch& batch, int i,
                    const ReplayMetadata& metadata) {
  DigestEntry entry = {
      .tick = batch.first_tick() + static_cast<uint64_t>(i) * batch.stride(),
      .root = {},
      .chain = {batch.chains(i)},
      .rooms = {}};
  const int room_count = static_cast<int>(metadata.rooms.size());
  entry.rooms.reserve(metadata.rooms.size());
  for (int room = 0; room < room_count; ++room) {
    entry.rooms.push_back({batch.rooms(i * room_count + room)});
  }
  entry.root = HasRoots(metadata) ? sim::Digest{batch.roots(i)}
                                  : sim::CombineDigests(entry.rooms);
  return entry;
}

}  // namespace reprise::replays

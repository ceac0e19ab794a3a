// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a catalogue knows of a replay that is kept: what its file says about
// itself, so that nobody has to open it, and what people said about it.

#ifndef REPRISE_REPLAYS_STORE_STORED_REPLAY_H_
#define REPRISE_REPLAYS_STORE_STORED_REPLAY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "replays/format/replay_reader.h"
#include "sim/base/content_digest.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"

namespace reprise::replays {

// Limits of what people say about a replay.
// Those of a server's tenants have the tenant's name in front.
inline constexpr size_t kTagBytesMax = 160;
inline constexpr size_t kTagsMax = 64;

struct StoredReplay {
  // Of the file's bytes: its name in the store, and its identity.
  sim::ContentDigest digest;
  uint64_t size_bytes = 0;

  // What people said about it. Times are kept to the microsecond.
  // Of the file that was added; of what a server recorded, where it lies in the
  // store: "replays/ID.mcap", "replays/TENANT/ID.mcap".
  std::string name;
  absl::Time recorded_at;
  absl::Time added_at;
  std::vector<std::string> tags;  // ascending, each once

  // What the file says.
  uint32_t format_revision = 0;
  std::string simulation;
  uint32_t rules_revision = 0;
  std::string pack;
  sim::ContentDigest pack_digest;
  uint64_t seed = 0;
  uint32_t tick_rate = 0;  // ticks a second
  sim::Tick tick_count = 0;
  std::string outcome;  // one of ReplayOutcomeNames()
  std::string outcome_reason;
  sim::Digest root;  // of the last state; 0 of a recording that was cut off
  std::string build;
  std::string platform;

  friend bool operator==(const StoredReplay&, const StoredReplay&) = default;
};

// What a catalogue is searched for: replays that are all of what is set.
struct StoredReplayFilter {
  std::optional<std::string> pack;  // the pack's name
  std::optional<std::string> outcome;
  std::optional<sim::Tick> tick_count_min;
  std::optional<sim::Tick> tick_count_max;
  std::optional<std::string> build;  // a part of the build's name
  std::optional<std::string> name;   // a part of it
  std::optional<absl::Time> recorded_from;
  std::optional<absl::Time> recorded_before;
  std::vector<std::string> tags;  // has all of them

  // What a catalogue's list has to hold: catalogues without a language of their
  // own can ask this of each replay.
  bool Matches(const StoredReplay& replay) const;
};

// "won", "lost", "running", and "cut_off" of a recording without an end.
std::vector<std::string_view> ReplayOutcomeNames();

// INVALID_ARGUMENT: not a tag. A tag has 1 to kTagBytesMax letters, digits and
// `._-/:`, all ASCII.
absl::Status ValidateTag(std::string_view tag);

// What the file itself says. All that it can't know is left empty.
StoredReplay DescribeReplay(const ReplayReader& replay);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_STORED_REPLAY_H_

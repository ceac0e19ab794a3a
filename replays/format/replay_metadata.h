// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a replay says about itself before its first tick: what was run, and by
// which build on which platform. Stored as one MCAP metadata record of strings,
// so that any MCAP tool shows it.

#ifndef REPRISE_REPLAYS_FORMAT_REPLAY_METADATA_H_
#define REPRISE_REPLAYS_FORMAT_REPLAY_METADATA_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/content_digest.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::replays {

// The revision of the file format that this build writes. It reads all from 1
// on; FORMAT.md says what changed with each.
inline constexpr uint32_t kReplayFormatRevision = 5;

// The first revision whose ends say how many events there are, and whose states
// may take several messages.
inline constexpr uint32_t kCountedRevisionMin = 5;

// The names of the metadata records.
inline constexpr std::string_view kReplayMetadataName = "reprise";
inline constexpr std::string_view kBranchMetadataName = "branch";

// Ticks in a full batch: ten seconds at 60 Hz are lost at most.
inline constexpr uint64_t kBatchTicksDefault = 600;

struct ReplayMetadata {
  uint32_t format_revision = kReplayFormatRevision;
  std::string simulation;  // the name of its factory
  std::string pack;        // the pack's name
  sim::ContentDigest pack_digest;
  uint64_t seed = 0;
  sim::TickRate tick_rate;
  uint32_t rules_revision = 0;
  std::string build;     // CurrentBuild() of the recorder
  std::string platform;  // CurrentPlatform() of the recorder
  std::string plugin;    // CurrentPlugin() of the recorder; empty: none
  sim::Digest math_fingerprint;
  // The rooms of the state, in the order of every digest entry.
  std::vector<std::string> rooms;
  uint32_t digest_stride = 0;    // ticks between two digest entries
  uint64_t keyframe_stride = 0;  // ticks between two keyframes; 0: none
  // Bytes of keyframes, before compression, for each tick of the run; a
  // keyframe that would come too early for that is left out. 0: no limit.
  uint64_t keyframe_bytes_per_tick = 0;
  uint64_t batch_ticks = kBatchTicksDefault;  // ticks in a full batch

  friend bool operator==(const ReplayMetadata&,
                         const ReplayMetadata&) = default;
};

// The compiler and its version, and the kind of build, from the compiler's own
// macros: "gcc 12.2.0 optimised".
std::string CurrentCompiler();

// The same, and CurrentEngine() where there is one: "gcc 12.2.0 optimised,
// engine 2f00a4b31c9d5e77...".
std::string CurrentBuild();

// System and CPU that this build is for ("linux x86_64").
std::string CurrentPlatform();

// The metadata of a recording of `simulation` by this build; both strides are
// left 0.
ReplayMetadata DescribeRun(const sim::Simulation& simulation);

// Where a recording left the one that it branched from.
struct ReplayBranch {
  std::string parent;  // the name of the parent's file, for people
  sim::Tick tick = 0;  // the first tick whose inputs are no longer the parent's
  // The chain of both up to and with `tick`: whose past it shares.
  sim::Digest chain;

  friend bool operator==(const ReplayBranch&, const ReplayBranch&) = default;
};

// The entries of a "branch" record, and back; errors as below.
std::map<std::string, std::string> EncodeReplayBranch(
    const ReplayBranch& branch);
absl::StatusOr<ReplayBranch> DecodeReplayBranch(
    const std::map<std::string, std::string>& entries);

// The entries of the metadata record, and back. UNIMPLEMENTED for a format
// revision newer than this build's; DATA_LOSS names the entry that is missing
// or malformed. Unknown entries are skipped, so that later builds can add some.
std::map<std::string, std::string> EncodeReplayMetadata(
    const ReplayMetadata& metadata);
absl::StatusOr<ReplayMetadata> DecodeReplayMetadata(
    const std::map<std::string, std::string>& entries);

// What a recording and the simulation about to replay it don't share, one
// sentence each.
struct ReplayRemarks {
  std::vector<std::string> notes;     // no reason to expect other results
  std::vector<std::string> warnings;  // other results are to be expected
};
ReplayRemarks CompareWithRun(const ReplayMetadata& recorded,
                             const sim::Simulation& simulation);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_REPLAY_METADATA_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A failure in one file: the run as it should have been up to where it differs,
// as a replay that every verb opens, and, attached to it, the run as it was,
// both states and the report. FORMAT.md says where each stands.

#ifndef REPRISE_REPLAYS_COMPARING_CAPSULE_H_
#define REPRISE_REPLAYS_COMPARING_CAPSULE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/comparing/replay_comparison.h"
#include "replays/comparing/replay_excerpt.h"
#include "replays/comparing/run_comparison.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "replays/verifying/divergence.h"
#include "replays/verifying/verifier.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"

namespace reprise::replays {

inline constexpr std::string_view kCapsuleMetadataName = "capsule";
inline constexpr std::string_view kExpectedStateAttachment = "expected.state";
inline constexpr std::string_view kActualStateAttachment = "actual.state";
inline constexpr std::string_view kReportAttachment = "report.json";
inline constexpr std::string_view kActualReplayAttachment = "actual.mcap";

// One of the two runs, from the keyframe on; before it both are the same.
struct CapsuleSide {
  const ReplayReader* replay = nullptr;  // whose inputs it has
  ReplayMetadata metadata;
  std::optional<sim::PackArchive> pack;
  std::vector<DigestEntry> digests;
  std::optional<ReplayKeyframe> last_keyframe;
  std::optional<ReplayEnd> end;
};

struct Capsule {
  CapsuleSide expected;
  CapsuleSide actual;
  // The last state that is known to be the same on both sides.
  ExcerptKeyframe keyframe;
  sim::Tick tick_count = 0;  // where both end
};

// Of two runs that were compared; both end behind the tick that made the
// difference. FAILED_PRECONDITION: their states never differed at the end of a
// tick that was made. Other errors are those of the files.
absl::StatusOr<Capsule> MakeCapsule(const ReplaySide& expected,
                                    const ReplaySide& actual,
                                    const sim::PackArchive* actual_pack,
                                    const RunComparison& comparison);

// Of a verification, whose `divergence` is within `replay`: runs the interval
// once more, on `pack` if it isn't null. Both sides end where the divergence
// was explained, or else seen. `progress`, where it isn't empty, is told how
// far it has come: that may be from tick 0 on. Errors as above, and its own.
absl::StatusOr<Capsule> MakeCapsule(const ReplayReader& replay,
                                    const sim::PackArchive* pack,
                                    const Divergence& divergence,
                                    const ProgressCallback& progress = nullptr);

// Writes the file; `report` is put into it as it is. Errors are those of the
// replays and of the sink. RESOURCE_EXHAUSTED: a part is too large for it.
absl::Status WriteCapsule(const Capsule& capsule, const std::string& report,
                          ByteSink* sink);

bool IsCapsule(const ReplayReader& replay);

// The last tick at which both runs of a capsule are known to be the same, as
// text; "unknown" where it isn't said. REQUIRES: IsCapsule(capsule).
std::string FailureTick(const ReplayReader& capsule);

// The run as it was. `capsule` must remain live. NOT_FOUND: it is no capsule.
absl::StatusOr<Bytes> ReadActualReplay(const ReplayReader& capsule);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_COMPARING_CAPSULE_H_

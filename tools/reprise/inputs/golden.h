// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Golden replays: recordings that say how packs are meant to behave, each with
// its text, for people to review, and the reasons of its changes beside it.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_GOLDEN_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_GOLDEN_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/format/schema_difference.h"
#include "replays/verifying/divergence.h"
#include "replays/verifying/verifier.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"

namespace reprise::tools {

// The files of the golden "marble.mcap".
struct GoldenPaths {
  explicit GoldenPaths(const std::string& path);

  std::string replay;   // marble.mcap
  std::string text;     // marble.txtpb, as `reprise cat` prints it
  std::string reasons;  // marble.reasons.txt, the last at its end
};

// A golden as it would be made now.
struct NewGolden {
  // What changes, in lines without their ends, the most telling first; empty
  // where nothing does.
  std::vector<std::string> changes;
  // Where the recording and the new run part; and, where the pack changed, what
  // only one of both packs has, and what the change did to the run, exactly:
  // tick, phase and fields.
  std::optional<replays::Divergence> divergence;
  std::vector<replays::SchemaDifference> schema_differences;
  std::optional<replays::Divergence> divergence_of_packs;
  // Both empty where nothing changes.
  replays::Bytes replay;
  std::string text;

  bool is_changed() const { return !changes.empty(); }
};

// Plays the golden's inputs on `pack` and compares. Writes nothing.
// FAILED_PRECONDITION: the golden is cut off. INVALID_ARGUMENT: the pack
// refuses its inputs. Other errors are those of the file, the pack and
// `progress`.
absl::StatusOr<NewGolden> RegenerateGolden(
    const GoldenPaths& paths, const sim::PackArchive& pack,
    const replays::ProgressCallback& progress);

// The same of a golden that isn't there yet, or is to have other inputs: those
// of `replay`, which is named `name`.
absl::StatusOr<NewGolden> MakeGolden(const replays::ReplayReader& replay,
                                     const std::string& name,
                                     const sim::PackArchive& pack);

// Puts the golden, its text and one more reason in the place of those before,
// each whole or not at all. UNAVAILABLE: what can't be written.
absl::Status WriteGolden(const GoldenPaths& paths, const NewGolden& golden,
                         const std::string& reason);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_GOLDEN_H_

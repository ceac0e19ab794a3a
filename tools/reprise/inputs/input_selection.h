// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The inputs that a person asked `reprise run` for: none, those of a file, or
// random ones.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_INPUT_SELECTION_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_INPUT_SELECTION_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_reader.h"
#include "replays/tracks/input_track.h"
#include "sim/input/input_grammar.h"

namespace reprise::tools {

// Whether the file at `path` begins as a replay does. Errors are those of
// replays::FileSource::Open.
absl::StatusOr<bool> IsReplay(const std::string& path);

// A file with inputs: a replay, which is known by how it begins, or one of the
// forms of input_form.h.
class InputFile {
 public:
  // Errors are those of ReadInputs and ReplayReader::OpenFile.
  static absl::StatusOr<InputFile> Open(const std::string& path);

  // The inputs from tick 0 on. This file has to outlive the source.
  std::unique_ptr<replays::InputSource> Read() const;

  // The replay; nullptr when the file is a track.
  const replays::ReplayReader* replay() const { return replay_.get(); }

  // How the run of a track was made; nullptr where it doesn't say so, and of a
  // replay.
  const replays::RunDescription* run() const {
    return track_.run ? &*track_.run : nullptr;
  }

  // The name of the pack that the inputs were made for; may be empty.
  const std::string& pack() const;

 private:
  std::unique_ptr<replays::ReplayReader> replay_;
  replays::InputTrack track_;  // where replay_ is null
};

// Random inputs for any number of ticks, drawn from `grammar`, which has to
// outlive the source. The same grammar and seed give the same inputs.
std::unique_ptr<replays::InputSource> MakeRandomInputs(
    const sim::InputGrammar& grammar, uint64_t seed);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_INPUT_SELECTION_H_

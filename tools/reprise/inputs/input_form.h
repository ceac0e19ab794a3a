// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The forms that inputs have in files other than replays: the text of a track,
// comma-separated values, lines of JSON.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_INPUT_FORM_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_INPUT_FORM_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "reprise/v1/input.pb.h"

namespace reprise::tools {

enum class InputForm { kTrack, kCsv, kJsonLines };

// By the end of its name: ".csv", ".jsonl" or ".ndjson", and else a track.
InputForm InputFormOf(std::string_view path);

// Reads a file of that form. INVALID_ARGUMENT names file, line and field;
// NOT_FOUND and the like as the system says.
absl::StatusOr<v1::InputTrack> ReadInputs(const std::string& path,
                                          InputForm form);

// The text that is read back to the same track. REQUIRES:
// replays::ToInputTrack takes the track.
std::string FormatInputs(const v1::InputTrack& track, InputForm form);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_INPUT_FORM_H_

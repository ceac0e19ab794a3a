// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/input_form.h"

#include "replays/tracks/input_csv.h"
#include "replays/tracks/input_json_lines.h"
#include "replays/tracks/input_track.h"

namespace reprise::tools {

InputForm InputFormOf(std::string_view path) {
  if (path.ends_with(".csv")) return InputForm::kCsv;
  if (path.ends_with(".jsonl") || path.ends_with(".ndjson")) {
    return InputForm::kJsonLines;
  }
  return InputForm::kTrack;
}

absl::StatusOr<v1::InputTrack> ReadInputs(const std::string& path,
                                          InputForm form) {
  const absl::StatusOr<std::string> text = replays::ReadInputText(path);
  if (!text.ok()) return text.status();
  switch (form) {
    case InputForm::kTrack:
      break;
    case InputForm::kCsv:
      return replays::ParseInputCsv(*text, path);
    case InputForm::kJsonLines:
      return replays::ParseInputJsonLines(*text, path);
  }
  return replays::ParseTrackMessage(*text, path);
}

std::string FormatInputs(const v1::InputTrack& track, InputForm form) {
  switch (form) {
    case InputForm::kTrack:
      break;
    case InputForm::kCsv:
      return replays::FormatInputCsv(track);
    case InputForm::kJsonLines:
      return replays::FormatInputJsonLines(track);
  }
  return replays::FormatTrackMessage(track);
}

}  // namespace reprise::tools

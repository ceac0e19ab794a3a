// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Inputs as lines of JSON, a tick each, as protobuf writes TickInputs: what
// programs of other games write and read.
//
//   {"pack":"marble","tick_count":870}
//   {"tick":20,"frames":[{"player":0,"device":{"axes":[0,13250]}}]}
//
// The first line is an InputTrack without ticks, and may be left out.

#ifndef REPRISE_REPLAYS_TRACKS_INPUT_JSON_LINES_H_
#define REPRISE_REPLAYS_TRACKS_INPUT_JSON_LINES_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "reprise/v1/input.pb.h"

namespace reprise::replays {

// INVALID_ARGUMENT names `file_name`, the line and the field: of what is no
// JSON or no such message, and as InputRows does.
absl::StatusOr<v1::InputTrack> ParseInputJsonLines(std::string_view text,
                                                   std::string_view file_name);

// The text that ParseInputJsonLines reads back to the same track. REQUIRES:
// ToInputTrack takes the track.
std::string FormatInputJsonLines(const v1::InputTrack& track);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TRACKS_INPUT_JSON_LINES_H_

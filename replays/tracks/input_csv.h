// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Inputs as comma-separated values (RFC 4180): what other games and
// spreadsheets write and read.
//
//   # pack: "marble"
//   # tick_count: 870
//   tick,player,buttons,axis_1
//   20,0,0,13250
//   21,0,1,19470
//
// A row says all that a player holds from a tick on, and what happens at that
// tick alone; a column that isn't there is at rest. Lines with a number sign
// are those of an input track, and may be left out.

#ifndef REPRISE_REPLAYS_TRACKS_INPUT_CSV_H_
#define REPRISE_REPLAYS_TRACKS_INPUT_CSV_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "reprise/v1/input.pb.h"

namespace reprise::replays {

// INVALID_ARGUMENT names `file_name`, the line, the column and the value: of
// what isn't comma-separated values, of a column that isn't there, comes twice
// or is missing (`tick`), of a number outside its range, of commands that are
// no JSON, and as InputRows does.
absl::StatusOr<v1::InputTrack> ParseInputCsv(std::string_view text,
                                             std::string_view file_name);

// The text that ParseInputCsv reads back to the same track, with the columns
// that it uses. REQUIRES: ToInputTrack takes the track.
std::string FormatInputCsv(const v1::InputTrack& track);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TRACKS_INPUT_CSV_H_

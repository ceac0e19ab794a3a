// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes inputs as comma-separated values and as lines of JSON, for crashes and
// for work without bound. What parses is a track, and comes back the same from
// both forms.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "replays/tracks/input_csv.h"
#include "replays/tracks/input_json_lines.h"
#include "replays/tracks/input_track.h"
#include "reprise/v1/input.pb.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

void CheckTrack(const absl::StatusOr<v1::InputTrack>& parsed) {
  if (!parsed.ok()) return;
  const absl::StatusOr<InputTrack> track = ToInputTrack(*parsed, "fuzz");
  CHECK(track.ok(), "{}", track.status().ToString());
  const auto from_csv = ParseInputCsv(FormatInputCsv(*parsed), "again.csv");
  CHECK(from_csv.ok(), "{}", from_csv.status().ToString());
  const auto from_lines =
      ParseInputJsonLines(FormatInputJsonLines(*parsed), "again.jsonl");
  CHECK(from_lines.ok(), "{}", from_lines.status().ToString());
  // Commands are as they were written; of devices, what isn't at rest.
  CHECK(FormatInputCsv(*from_csv) == FormatInputCsv(*from_lines));
}

}  // namespace
}  // namespace reprise::replays

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  reprise::replays::CheckTrack(
      reprise::replays::ParseInputCsv(text, "fuzz.csv"));
  reprise::replays::CheckTrack(
      reprise::replays::ParseInputJsonLines(text, "fuzz.jsonl"));
  return 0;
}

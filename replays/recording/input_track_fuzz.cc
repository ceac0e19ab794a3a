// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the text of tracks and replays, for crashes and for work without
// bound. What parses is printed and has to parse to the same again; what the
// tiny simulation accepts is played and recorded.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "replays/container/byte_file.h"
#include "replays/recording/replay_text.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/tracks/input_track.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

// Playing more would only be slow.
constexpr sim::Tick kTicksPlayed = 500;

void ParseAndPlay(std::string_view text) {
  absl::StatusOr<InputTrack> track = ParseInputTrack(text, "fuzz");
  if (!track.ok()) return;
  const sim::PackArchive pack =
      MakeTinyPack(/*step=*/0.1, /*goal=*/100.0, /*has_every_input=*/true);
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny(1, pack);
  const bool is_accepted =
      std::ranges::all_of(track->ticks, [&](const TickInputs& inputs) {
        return simulation->Validate(inputs.frames).ok();
      });
  if (is_accepted) {
    const absl::StatusOr<InputTrack> again = ParseInputTrack(
        FormatInputTrack(*track, simulation->info().inputs), "again");
    CHECK(again.ok(), "{}", again.status().ToString());
    CHECK(*again == *track);
  }
  if (track->tick_count > kTicksPlayed || !track->run.has_value()) return;
  // States every tick of a run this short are no work.
  Bytes file;
  static_cast<void>(AssembleReplay(*track, pack, *simulation,
                                   std::make_unique<MemorySink>(&file)));
}

}  // namespace
}  // namespace reprise::replays

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::replays::ParseAndPlay({reinterpret_cast<const char*>(data), size});
  return 0;
}

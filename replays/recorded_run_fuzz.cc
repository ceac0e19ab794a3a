// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes recordings that are shown as simulations, as replay_reader_fuzz does
// what reads them. What a run shows has to follow from its tick alone: whoever
// goes back to a state, or forks there, sees the same states and events again.
// A keyframe of the file is restored, whatever is in it, and the run goes on
// from where it was if that is refused.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/mcap_records.h"
#include "replays/format/replay_reader.h"
#include "replays/playing/recorded_run.h"
#include "replays/playing/replay_player.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/tiny_recording.h"
#include "sim/base/check.h"
#include "sim/event.h"
#include "sim/state/state.h"

namespace reprise::replays {
namespace {

// More would only be slow.
constexpr sim::Tick kTicksStepped = 300;

// The ticks between one that is gone back to and the next.
constexpr sim::Tick kStride = 37;

struct Seen {
  sim::State state;
  std::vector<sim::Event> events;  // of the tick that led there
};

// Steps from where the run stands, and looks at all that there is to see.
std::vector<Seen> StepOn(sim::Simulation& run, sim::Tick tick_count) {
  std::vector<Seen> seen;
  for (sim::Tick i = 0; i < tick_count && run.status().ok(); ++i) {
    run.Step({}, nullptr);
    seen.push_back({.state = run.state(), .events = run.DrainEvents()});
    for (const sim::Event& event : seen.back().events) {
      CHECK(!run.IdName(event.type).empty());
      CHECK(!run.ObjectName(event.object).empty());
    }
    static_cast<void>(run.outcome());
  }
  return seen;
}

void CheckSame(const std::vector<Seen>& expected, size_t begin,
               const std::vector<Seen>& actual) {
  for (size_t i = 0; i < actual.size() && begin + i < expected.size(); ++i) {
    const Seen& one = expected[begin + i];
    CHECK(one.state.ComputeRootDigest() == actual[i].state.ComputeRootDigest());
    CHECK(one.events.size() == actual[i].events.size());
    for (size_t event = 0; event < one.events.size(); ++event) {
      CHECK(one.events[event].type == actual[i].events[event].type);
    }
  }
}

// Whether a chunk can be found by its time, and what it holds follows what the
// chunks before hold. Who goes back in a file that lies about it may see less.
bool IsInOrder(const ReplayReader& replay) {
  const auto chunks = replay.file().Chunks();
  if (!chunks.ok()) return false;
  const auto digests = replay.ReadDigests();
  while (true) {
    const auto digest = digests->Next();
    if (!digest.ok()) return false;
    if (!digest->has_value()) break;
  }
  return std::ranges::is_sorted(*chunks, {},
                                &McapChunkIndex::message_start_time_ns);
}

void RestoreKeyframes(const ReplayReader& replay, RecordedRun& run) {
  const auto keyframes = replay.ReadKeyframes();
  while (true) {
    const auto keyframe = keyframes->Next();
    if (!keyframe.ok() || !keyframe->has_value()) return;
    const sim::State before = run.state();
    const absl::Status restored = RestoreKeyframe(**keyframe, run);
    CHECK(restored.ok() ||
          before.ComputeRootDigest() == run.state().ComputeRootDigest());
    StepOn(run, 3);
  }
}

void TryAll(std::span<const std::byte> file) {
  const absl::StatusOr<std::unique_ptr<ReplayReader>> replay = OpenReplay(file);
  if (!replay.ok()) return;
  const absl::StatusOr<std::unique_ptr<RecordedRun>> run =
      RecordedRun::Create(replay->get());
  if (!run.ok()) return;
  const sim::State start = (*run)->state();
  const std::vector<Seen> seen = StepOn(**run, kTicksStepped);
  const bool is_in_order = IsInOrder(**replay);
  for (size_t tick = 0; tick + 1 < seen.size(); tick += kStride) {
    const sim::State& state = tick == 0 ? start : seen[tick - 1].state;
    const absl::Status restored = (*run)->Restore(state);
    // A run goes on behind its replay's end; nobody can go there at once.
    CHECK(restored.ok() || absl::IsDataLoss(restored), "{}",
          restored.ToString());
    if (!restored.ok()) continue;
    const std::unique_ptr<sim::Simulation> fork = (*run)->Fork();
    const std::vector<Seen> forked = StepOn(*fork, 2);
    const std::vector<Seen> again = StepOn(**run, 2);
    if (!is_in_order) continue;
    CheckSame(seen, tick, forked);
    CheckSame(seen, tick, again);
  }
  RestoreKeyframes(**replay, **run);
}

}  // namespace
}  // namespace reprise::replays

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::replays::TryAll(reprise::replays::ReplayOfFuzzer({data, size}));
  return 0;
}

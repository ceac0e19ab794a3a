// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A replay as text that a person can read, edit and review, and back. The text
// is an input track with the description of its run: it holds all that decides
// the run and nothing that follows from it, so one changed input is one changed
// line.

#ifndef REPRISE_REPLAYS_RECORDING_REPLAY_TEXT_H_
#define REPRISE_REPLAYS_RECORDING_REPLAY_TEXT_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/format/event_text.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_message_cursor.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/tracks/input_track.h"
#include "reprise/v1/event.pb.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {

struct ReplayTextOptions {
  // Adds what came of the run, as comments: it is left out when read back.
  bool has_digests = false;
  bool has_events = false;
};

// Makes the text of a replay, batch by batch, without running it. Used by one
// thread at a time; `replay` must remain live.
class ReplayTextPrinter {
 public:
  ReplayTextPrinter(const ReplayReader* replay,
                    const ReplayTextOptions& options);

  // The lines that say what was run.
  std::string Head() const;

  // The lines of the next batch, of which there may be none; nullopt after the
  // last, or after the last so far of a file that grows. DATA_LOSS where the
  // replay is damaged.
  absl::StatusOr<std::optional<std::string>> NextBatch();

 private:
  // Appends what happened up to the state of `tick`.
  absl::Status PrintResultsUpTo(sim::Tick tick, std::string& text);

  const ReplayReader& replay_;
  ReplayMessageCursor batches_;
  std::unique_ptr<InputSource> checked_inputs_;
  std::unique_ptr<ReplayCursor<DigestEntry>> digests_;  // null: not asked for
  std::unique_ptr<ReplayCursor<v1::Event>> events_;     // null: not asked for
  std::optional<DigestEntry> next_digest_;
  std::optional<v1::Event> next_event_;
  EventNames event_names_;
};

// Plays `track` on `simulation` and records it into `sink` as its run says. The
// text of a replay, unchanged, gives that replay again, byte by byte where the
// same build records it. INVALID_ARGUMENT names the tick of inputs that the
// pack refuses; other errors are the sink's. `before_tick` may be empty.
// REQUIRES: `simulation` is of `pack` and at tick 0; the track has a run.
absl::StatusOr<ReplayEnd> AssembleReplay(
    const InputTrack& track, const sim::PackArchive& pack,
    sim::Simulation& simulation, std::unique_ptr<ByteSink> sink,
    const std::function<void()>& before_tick = {});

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RECORDING_REPLAY_TEXT_H_

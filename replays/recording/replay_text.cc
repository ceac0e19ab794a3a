// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/recording/replay_text.h"

#include <span>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/replay_topics.h"
#include "replays/recording/recorder.h"
#include "reprise/v1/event_batch.pb.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/input/input_frame.h"

namespace reprise::replays {
namespace {

std::string FormatDigestEntry(const DigestEntry& entry) {
  return fmt::format("# tick {}: digest {} chain {}\n", entry.tick,
                     sim::FormatDigest(entry.root),
                     sim::FormatDigest(entry.chain));
}

// Takes the next record into `next`, unless one is there or none is wanted.
template <typename Record>
absl::Status TakeNext(ReplayCursor<Record>* cursor,
                      std::optional<Record>& next) {
  if (cursor == nullptr || next.has_value()) return absl::OkStatus();
  absl::StatusOr<std::optional<Record>> record = cursor->Next();
  if (!record.ok()) return record.status();
  next = *std::move(record);
  return absl::OkStatus();
}

}  // namespace

ReplayTextPrinter::ReplayTextPrinter(const ReplayReader* replay,
                                     const ReplayTextOptions& options)
    : replay_(*replay),
      batches_(&replay->file(), kInputsTopic),
      checked_inputs_(replay->ReadInputs()) {
  if (options.has_digests) digests_ = replay->ReadDigests();
  if (options.has_events) events_ = replay->ReadEvents();
}

std::string ReplayTextPrinter::Head() const {
  const ReplayMetadata& metadata = replay_.metadata();
  InputTrack track;
  track.pack = metadata.pack;
  track.run = {
      .simulation = metadata.simulation,
      .pack_digest = metadata.pack_digest,
      .seed = metadata.seed,
      .writer = {.digest_stride = metadata.digest_stride,
                 .keyframe_stride = metadata.keyframe_stride,
                 .keyframe_bytes_per_tick = metadata.keyframe_bytes_per_tick,
                 .batch_ticks = metadata.batch_ticks}};
  return FormatTrackHead(track);
}

absl::StatusOr<std::optional<std::string>> ReplayTextPrinter::NextBatch() {
  v1::InputBatch batch;
  const absl::StatusOr<bool> found = batches_.Next(batch);
  if (!found.ok()) return found.status();
  if (!*found) return std::nullopt;
  // Names are printed as they stand in the file: no pack is needed to know
  // them. All else is for the cursor to check.
  const auto checked = checked_inputs_->FramesAt(batch.first_tick());
  if (!checked.ok()) return checked.status();
  std::string text;
  for (const v1::TickInputs& inputs : batch.ticks()) {
    absl::Status status = PrintResultsUpTo(inputs.tick(), text);
    if (!status.ok()) return status;
    text += FormatTrackTick(inputs);
  }
  absl::Status status =
      PrintResultsUpTo(batch.first_tick() + batch.tick_count(), text);
  if (!status.ok()) return status;
  return text;
}

absl::Status ReplayTextPrinter::PrintResultsUpTo(sim::Tick tick,
                                                 std::string& text) {
  while (true) {
    absl::Status status = TakeNext(digests_.get(), next_digest_);
    if (status.ok()) status = TakeNext(events_.get(), next_event_);
    if (!status.ok()) return status;
    const bool has_digest =
        next_digest_.has_value() && next_digest_->tick <= tick;
    const bool has_event =
        next_event_.has_value() && next_event_->tick() < tick;
    if (!has_digest && !has_event) return absl::OkStatus();
    // A digest is of the state before what happens in its tick.
    if (has_digest &&
        (!has_event || next_digest_->tick <= next_event_->tick())) {
      text += FormatDigestEntry(*next_digest_);
      next_digest_.reset();
    } else {
      text += fmt::format("# tick {}: event {}\n", next_event_->tick(),
                          event_names_.Format(*next_event_));
      next_event_.reset();
    }
  }
}

absl::StatusOr<ReplayEnd> AssembleReplay(
    const InputTrack& track, const sim::PackArchive& pack,
    sim::Simulation& simulation, std::unique_ptr<ByteSink> sink,
    const std::function<void()>& before_tick) {
  CHECK(track.run.has_value());
  absl::StatusOr<std::unique_ptr<ReplayWriter>> writer = ReplayWriter::Create(
      std::move(sink), simulation, pack, track.run->writer);
  if (!writer.ok()) return writer.status();
  Recorder recorder(&simulation, writer->get());
  TrackInputSource inputs(&track);
  while (simulation.tick() < track.tick_count) {
    const sim::Tick tick = simulation.tick();
    if (before_tick) before_tick();
    const absl::StatusOr<std::span<const sim::InputFrame>> frames =
        inputs.FramesAt(tick);
    if (!frames.ok()) return frames.status();
    const absl::Status status = recorder.Step(*frames);
    if (!recorder.recording_status().ok()) return status;
    if (!status.ok()) {
      return absl::InvalidArgumentError(
          fmt::format("tick {}: {}", tick, std::string(status.message())));
    }
    recorder.DrainEvents();
  }
  const absl::Status status = recorder.Finish();
  if (!status.ok()) return status;
  return ReplayEnd{.tick_count = simulation.tick(),
                   .outcome = simulation.outcome(),
                   .root = recorder.root(),
                   .chain = recorder.chain()};
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Writes a replay file: what was run first, then what the players gave, and
// proof of what came of it. The same calls give the same bytes.
//
// Ticks are gathered into batches. A batch is written as one chunk and the sink
// flushed every `batch_ticks` ticks, at each keyframe, when it passes
// kBatchBytesMax, and on Flush() and FlushEarly(). A process that dies loses
// what came after; what it leaves opens up to there, and Continue goes on with
// it. A file that has used up its short chunks gathers batches into longer
// ones, so that no stride ends a recording early.

#ifndef REPRISE_REPLAYS_FORMAT_REPLAY_WRITER_H_
#define REPRISE_REPLAYS_FORMAT_REPLAY_WRITER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/message_lite.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_records.h"
#include "replays/container/mcap_summary.h"
#include "replays/container/mcap_writer.h"
#include "replays/format/keyframe_message.h"
#include "replays/format/replay_metadata.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {

// A batch that grows past this is written early: it bounds a writer's memory,
// and a reader's.
inline constexpr uint64_t kBatchBytesMax = uint64_t{1} << 20;

// Ticks between two digest entries at most; a reader takes four times as many
// that nothing stands for.
inline constexpr uint32_t kDigestStrideMax = uint32_t{1} << 20;

struct ReplayWriterOptions {
  // Ticks between two digest entries, 1 to kDigestStrideMax. The chain covers
  // the ticks in between all the same.
  uint32_t digest_stride = 10;
  // Ticks between two keyframes, one at tick 0 included; 0: none.
  uint64_t keyframe_stride = 600;
  // Bytes of keyframes, before compression, for each tick of the run: larger
  // states come less often. 0: no limit. The default thins states of more than
  // 2.4 MB at the default stride, and keeps an hour at 60 Hz below 900 MB.
  uint64_t keyframe_bytes_per_tick = 4096;
  // Ticks in a full batch, from 1 on.
  uint64_t batch_ticks = kBatchTicksDefault;
  // The archive of a larger pack is not put into the file, which then only
  // names the pack and its digest. At most kMcapAttachmentBytesMax.
  uint64_t pack_bytes_max = uint64_t{16} << 20;
  // Bytes of a state in one message, 1 to kStatePartBytes. Other values are for
  // tests: who goes on with a recording uses the default.
  uint64_t state_part_bytes = kStatePartBytes;

  friend bool operator==(const ReplayWriterOptions&,
                         const ReplayWriterOptions&) = default;
};

// The part of a recording that another writer goes on from: whole chunks, up to
// the end of a batch. replays/recording/recording_prefix.h finds it.
struct RecordingPrefix {
  McapSummary file;  // file.data_end is the number of its bytes
  uint32_t crc = 0;  // of these bytes
  ReplayMetadata metadata;
  sim::Tick tick = 0;           // the end of the last batch
  uint64_t keyframe_bytes = 0;  // states of the keyframes, before compression
  uint64_t event_count = 0;
};

// How a recording ended.
struct ReplayEnd {
  sim::Tick tick_count = 0;  // ticks stepped
  sim::Outcome outcome;      // after the last one
  sim::Digest root;          // of the state after the last one
  sim::Digest chain;         // over ticks 0 to tick_count, both included

  friend bool operator==(const ReplayEnd&, const ReplayEnd&) = default;
};

// After an error of the sink every call fails with it. Used by one thread at a
// time.
class ReplayWriter {
 public:
  // Starts the file: header, metadata and `pack`. `simulation` is asked for
  // names and must remain live while this writer is in use. Errors are the
  // sink's. REQUIRES: `simulation` was made of `pack`; the options are in
  // range.
  static absl::StatusOr<std::unique_ptr<ReplayWriter>> Create(
      std::unique_ptr<ByteSink> sink, const sim::Simulation& simulation,
      const sim::PackArchive& pack, const ReplayWriterOptions& options);

  // Goes on behind `prefix`, which is what `sink` has so far, with the options
  // and in the revision of its metadata. DATA_LOSS if a topic is missing there,
  // or if it has other rooms; FAILED_PRECONDITION if its revision is one
  // that can't hold the inputs of the pack. REQUIRES: `simulation` is of the
  // same pack; the next call is AddTick of prefix.tick, or AddState where that
  // is 0.
  static absl::StatusOr<std::unique_ptr<ReplayWriter>> Continue(
      std::unique_ptr<ByteSink> sink, const sim::Simulation& simulation,
      RecordingPrefix prefix);

  // Notes at once that the recording leaves another one.
  absl::Status AddBranch(const ReplayBranch& branch);

  // What else the file says of itself.
  absl::Status AddMetadata(const McapMetadata& metadata);

  // Without Finish the file is left as if the process had died here.
  ~ReplayWriter() = default;
  ReplayWriter(const ReplayWriter&) = delete;
  ReplayWriter& operator=(const ReplayWriter&) = delete;

  const ReplayMetadata& metadata() const { return metadata_; }

  // Bytes of the file so far; what is gathered is not among them.
  uint64_t size_bytes() const { return file_->size(); }

  // The state before the inputs of `tick`: records a digest entry and a
  // keyframe where the strides ask for them. `root` is the state's, and `chain`
  // covers it. RESOURCE_EXHAUSTED: the state is too large for a keyframe;
  // INVALID_ARGUMENT: its tables have names that a file can't hold.
  // REQUIRES: called for every tick from 0 on, in order.
  absl::Status AddState(sim::Tick tick, const sim::State& state,
                        sim::Digest root, sim::Digest chain);

  // Keeps the state of the last AddState whole, wherever the stride is; errors
  // as there. REQUIRES: it has no keyframe yet, and AddTick wasn't called.
  absl::Status AddKeyframe(const sim::State& state, sim::Digest chain);

  // What was given at `tick`, and what happened in it; either may be empty.
  // REQUIRES: AddState was called for this tick, and this wasn't.
  absl::Status AddTick(sim::Tick tick, std::span<const sim::InputFrame> frames,
                       std::span<const sim::Event> events);

  // Writes and closes what was gathered, so that it outlives the process. Each
  // call makes the file a little larger. REQUIRES: as many calls of AddState as
  // of AddTick and one more.
  absl::Status Flush();

  // The same while the file has short chunks to spare; later nothing, so that a
  // caller who flushes by the clock ends no recording early. REQUIRES: as of
  // Flush.
  absl::Status FlushEarly();

  // Writes the end and the file's index; no other call may follow.
  // REQUIRES: end.tick_count is the tick of the last AddState.
  absl::Status Finish(const ReplayEnd& end);

 private:
  struct Channels {
    uint16_t inputs = 0;
    uint16_t digests = 0;
    uint16_t keyframes = 0;
    uint16_t events = 0;
    uint16_t end = 0;
  };

  ReplayWriter(std::unique_ptr<ByteSink> sink, std::unique_ptr<McapWriter> file,
               const sim::Simulation& simulation, ReplayMetadata metadata);

  absl::Status WriteStart(const sim::PackArchive& pack,
                          uint64_t pack_bytes_max);
  // Whether the state of `tick` is to be kept.
  bool IsKeyframe(sim::Tick tick) const;
  // Whether a chunk may end here and leave enough of them for fifteen days.
  bool CanSpareChunk() const;
  absl::Status WriteBatches();
  // Closes the chunk, unless it is to hold more batches.
  absl::Status EndBatch();
  absl::Status CloseChunk();
  absl::Status Write(uint16_t channel, sim::Tick tick,
                     const google::protobuf::MessageLite& message);

  const std::unique_ptr<ByteSink> sink_;
  const std::unique_ptr<McapWriter> file_;
  const sim::Simulation& simulation_;
  const ReplayMetadata metadata_;
  Channels channels_;
  uint64_t state_part_bytes_ = kStatePartBytes;
  uint64_t event_count_ = 0;                // of what was written
  uint64_t keyframe_bytes_ = 0;             // so far
  std::optional<sim::Tick> keyframe_tick_;  // of the last one of this writer

  // What is gathered: the ticks from batch_begin_ up to tick_, which is the
  // tick of the last AddState.
  sim::Tick batch_begin_ = 0;
  sim::Tick tick_ = 0;
  v1::InputBatch inputs_;
  v1::DigestBatch digests_;
  v1::EventBatch events_;
  uint64_t batch_bytes_ = 0;
  uint64_t chunk_bytes_ = 0;  // of the messages in the open chunk
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_REPLAY_WRITER_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads a replay file, finished or cut off. What it hands out is what was
// recorded, or an error: a damaged file never reads as another run.

#ifndef REPRISE_REPLAYS_FORMAT_REPLAY_READER_H_
#define REPRISE_REPLAYS_FORMAT_REPLAY_READER_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_reader.h"
#include "replays/format/digest_batch.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_writer.h"
#include "reprise/v1/event.pb.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/state/state.h"

namespace reprise::replays {

// Ticks that a run may have behind its last digest and keyframe. A message of a
// few bytes can claim any number; whoever plays the replay would play them all.
// A recorder's are below its digest stride, of at most a quarter of this.
inline constexpr uint64_t kUnprovenTicksMax = uint64_t{1} << 22;

// A whole state of the run.
struct ReplayKeyframe {
  sim::Tick tick = 0;
  sim::Digest chain;  // over the roots of ticks 0 to `tick`, both included
  std::string state;  // as sim::EncodeState wrote it
  // What the tables of the state are, without rows; null where the file doesn't
  // say. replays/format/keyframe_state.h decodes one by the other.
  std::shared_ptr<const sim::State> shape = nullptr;

  // Of the shape the state has the digest.
  friend bool operator==(const ReplayKeyframe& left,
                         const ReplayKeyframe& right) {
    return left.tick == right.tick && left.chain == right.chain &&
           left.state == right.state;
  }
};

// Hands out one kind of record in ascending order of ticks; nullopt after the
// last, or, of a file that grows, after the last so far. DATA_LOSS names the
// place of a record that is damaged or contradicts the ones before it. Used by
// one thread at a time; the reader must remain live.
template <typename Record>
class ReplayCursor {
 public:
  virtual ~ReplayCursor() = default;
  virtual absl::StatusOr<std::optional<Record>> Next() = 0;
};

// Safe for concurrent access without external synchronization, once opened.
class ReplayReader {
 public:
  // Reads what stands first and last in the file; the cursors read the rest as
  // they come to it. INVALID_ARGUMENT: not a replay. UNIMPLEMENTED: of a newer
  // format than this build's. DATA_LOSS: damaged, cut off too early, with two
  // of a record that stands once, or with more than kUnprovenTicksMax ticks
  // that nothing stands for.
  static absl::StatusOr<std::unique_ptr<ReplayReader>> Open(
      std::unique_ptr<const ByteSource> source);

  // As above, from a file. All errors name the path: these, and later those of
  // reading, by the cursors, too.
  static absl::StatusOr<std::unique_ptr<ReplayReader>> OpenFile(
      const std::string& path);

  // Takes over what was appended to a file that is still being written; all
  // cursors go on with it. `source` replaces the one before and begins with the
  // same bytes. DATA_LOSS: they contradict each other. Not safe beside any
  // other call.
  absl::Status Extend(std::unique_ptr<const ByteSource> source);

  const ReplayMetadata& metadata() const { return metadata_; }

  // Where the recording left its parent, and that one its own, the nearest
  // last; empty where it was recorded from tick 0 on.
  absl::StatusOr<std::vector<ReplayBranch>> ReadBranches() const;

  // The pack inside. NOT_FOUND when the file carries none, DATA_LOSS when it
  // isn't the one that the metadata names.
  absl::StatusOr<sim::PackArchive> ReadPack() const;

  // The number of ticks: by the run's end, or, without it, those whose inputs
  // are there.
  sim::Tick tick_count() const { return tick_count_; }

  // How the recording ended; nullopt when it was cut off.
  const std::optional<ReplayEnd>& end() const { return end_; }
  bool is_complete() const { return end_.has_value(); }

  // How many events the end says that there are. nullopt: it was cut off, or is
  // of a revision of the format whose ends don't say it.
  const std::optional<uint64_t>& event_count() const { return event_count_; }

  // Whether somebody was writing to the file when OpenFile opened it.
  bool is_being_written() const { return is_being_written_; }

  // The inputs from tick `first_tick` on. Their tick_count() is the replay's.
  std::unique_ptr<InputSource> ReadInputs(sim::Tick first_tick = 0) const;

  // The ticks that have inputs, and nothing for those between, however many:
  // who doesn't step a simulation has no need to count ticks.
  std::unique_ptr<ReplayCursor<TickInputs>> ReadTickInputs() const;

  // The digest entries, and the events, from tick `first_tick` on.
  std::unique_ptr<ReplayCursor<DigestEntry>> ReadDigests(
      sim::Tick first_tick = 0) const;
  std::unique_ptr<ReplayCursor<v1::Event>> ReadEvents(
      sim::Tick first_tick = 0) const;

  // The keyframes from tick `first_tick` on. Each is as large as the state, of
  // at most kReadStateBytesMax.
  std::unique_ptr<ReplayCursor<ReplayKeyframe>> ReadKeyframes(
      sim::Tick first_tick = 0) const;

  // The last keyframe at or before `tick`; nullopt where there is none.
  absl::StatusOr<std::optional<ReplayKeyframe>> FindKeyframe(
      sim::Tick tick) const;

  // What the tables of all keyframes are, without rows, as the first of them
  // says; null where it doesn't, or isn't there. DATA_LOSS: it says what can't
  // be, or other rooms than the metadata.
  absl::StatusOr<std::shared_ptr<const sim::State>> ReadShape() const;

  // The file underneath: its size, statistics, and what was lost of it.
  const McapReader& file() const { return *file_; }

 private:
  ReplayReader(std::unique_ptr<McapReader> file, ReplayMetadata metadata);

  static absl::StatusOr<std::unique_ptr<ReplayReader>> OpenNamed(
      std::unique_ptr<const ByteSource> source, const std::string& name);

  absl::Status CheckOnce() const;
  absl::Status ReadLastTick();
  absl::Status CheckUnprovenTicks() const;

  const std::unique_ptr<McapReader> file_;
  const ReplayMetadata metadata_;
  sim::Tick tick_count_ = 0;
  std::optional<ReplayEnd> end_;
  std::optional<uint64_t> event_count_;
  bool is_being_written_ = false;

  // What ReadShape found in the first keyframe, once that was read.
  mutable std::mutex shape_mutex_;
  mutable std::optional<std::shared_ptr<const sim::State>> shape_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_REPLAY_READER_H_

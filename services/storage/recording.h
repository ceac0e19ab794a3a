// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A run that is being recorded into a file. Until Finish the file is called
// `<id>.mcap.partial` and locked; what a killed server leaves under that name
// holds all up to the last batch that was written.

#ifndef REPRISE_SERVICES_STORAGE_RECORDING_H_
#define REPRISE_SERVICES_STORAGE_RECORDING_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/recording/recorder.h"
#include "replays/recording/resumed_recording.h"
#include "services/storage/disk_writers.h"
#include "services/storage/followed_replay.h"
#include "services/storage/recording_room.h"
#include "services/storage/write_queue.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::services {

class Recording;

// Ticks that were recorded so long after the last batch was written end the
// batch, however few they are: what a killed server loses of a slow pack is a
// second of work, not the minutes that a full batch may take. A write a second
// costs nothing next to the ticks. The clock decides where batches end, and
// nothing of what they hold.
inline constexpr absl::Duration kFlushPeriod = absl::Seconds(1);

// A simulation and, unless it is null, the recording of it.
struct RecordedRun {
  std::unique_ptr<sim::Simulation> simulation;
  std::unique_ptr<Recording> recording;
  // What the simulation was made of, to make others.
  std::shared_ptr<const sim::PackArchive> pack = nullptr;
  // Its state at tick 0, where that is known.
  std::optional<sim::State> start = std::nullopt;
  // What making it took of memory, about; 0 for a fork.
  uint64_t loaded_bytes = 0;
  // The replay that it plays; null: it has inputs of its own.
  std::unique_ptr<FollowedReplay> followed = nullptr;
};

// Waits until what it is of is on the disk, as far as that is wanted, and
// returns what came of it. It needs no recording, so nobody who has one waits.
using DiskWait = std::function<absl::Status()>;

// Nothing waits for the disk but Start, Branch, Finish and what returns a wait:
// what is recorded is written by other threads, in its order. Used by one
// thread at a time.
class Recording {
 public:
  // Starts a recording that Finish will leave at `path`. `simulation` must
  // remain live while it goes on, and nothing else may step it. `writers` do
  // the writing behind its start, and must outlive it; null: who steps does.
  // Errors are StoreError's of the file, and those of ReplayWriter::Create.
  // REQUIRES: the simulation is at tick 0.
  static absl::StatusOr<std::unique_ptr<Recording>> Start(
      std::string path, sim::Simulation* simulation,
      const sim::PackArchive& pack, const replays::ReplayWriterOptions& options,
      replays::FileSink::Durability durability =
          replays::FileSink::Durability::kProcess,
      DiskWriters* writers = nullptr);

  // Starts one that Finish will leave at `path` as a branch: it has the past of
  // `parent` up to `tick`, and its simulation stands there. Errors are
  // StoreError's of the file, and those of ResumedRecording::Branch, which says
  // of `pack`, too.
  static absl::StatusOr<RecordedRun> Branch(
      std::string path, const replays::ReplayReader& parent,
      const std::string& parent_name, sim::Tick tick,
      const sim::PackArchive* pack, replays::FileSink::Durability durability,
      replays::IsCancelled is_cancelled, DiskWriters* writers = nullptr);

  // What the simulation refuses is neither stepped nor recorded. DATA_LOSS: the
  // file can't be written, as was seen by now; all later steps are refused with
  // the same. `observer`, which may be null, looks at the tick's phases.
  absl::Status Step(std::span<const sim::InputFrame> frames,
                    sim::PhaseObserver* observer = nullptr);

  // The simulation's events since the last call, oldest first.
  std::vector<sim::Event> DrainEvents() { return recorder_->DrainEvents(); }

  // Reserves room for what it writes in `room`, which is of its file, from now
  // on. Waits for the disk. REQUIRES: it has writers; called once, first.
  void ReserveIn(std::unique_ptr<RecordingRoom> room);

  enum class Room {
    kThere,   // Another tick can be made.
    kComing,  // Others have to write, or to reserve, before: see WhenWritten.
    kNone,    // There is none to be had: see room_refusal.
  };
  // Has more reserved ahead, by those who write, where it had better be.
  Room room();
  // Has those who write try again where there was none.
  void AskForRoom();
  // Whether there was none for another tick, and why: RESOURCE_EXHAUSTED
  // (STORE_FULL, QUOTA_REACHED). What is recorded stays, and can be finished.
  bool is_out_of_room() const;
  absl::Status room_refusal() const;

  // Whether all batches that have ended are written, or never will be: see
  // status; and whether all that room was asked for is answered. False:
  // `resume` is called once, by another thread, when that is so. The last one
  // given counts.
  bool WhenWritten(std::function<void()> resume) {
    return queue_->WhenWritten(std::move(resume));
  }
  bool is_written() const { return queue_->is_written(); }

  // Ends the batch. After the wait, who opens the file finds all ticks, also
  // where it was finished meanwhile; errors of it are as of Step.
  DiskWait Flush();
  // Ends the batch while the file can do with short ones. An error is
  // status()'s from then on.
  void FlushEarly();

  // OK, or what all further steps are refused with.
  absl::Status status() const;

  // The size of the file so far, with what waits to be written, and without the
  // batch that is being gathered.
  uint64_t size_bytes() const { return writer_->size_bytes(); }

  // Completes the file and gives it its name. DATA_LOSS: it stays partial, and
  // so says status(). Of other calls only Flush may follow, which has nothing
  // left to do.
  absl::Status Finish();
  // The same in two calls: what the wait of the first returns the other takes.
  DiskWait BeginFinish();
  absl::Status EndFinish(const absl::Status& finished);

  // Takes the file away. No other call may follow.
  void Discard();

 private:
  Recording(std::string path, std::unique_ptr<replays::ReplayWriter> writer,
            std::unique_ptr<replays::Recorder> recorder,
            std::shared_ptr<WriteQueue> queue,
            replays::FileSink::Durability durability);

  void AskForRoomOf(uint64_t size_bytes);

  const std::string path_;
  const replays::FileSink::Durability durability_;
  const std::unique_ptr<replays::ReplayWriter> writer_;
  const std::unique_ptr<replays::Recorder> recorder_;
  const std::shared_ptr<WriteQueue> queue_;
  std::shared_ptr<RecordingRoom> room_;  // null: it reserves none
  bool has_ended_ = false;               // all is handed over
  absl::Status finished_;                // why it could not be
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_RECORDING_H_

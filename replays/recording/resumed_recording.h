// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Goes on with a recording: in its own file, where it was cut off or finished,
// or in a new one, as a branch that leaves its parent at any tick.

#ifndef REPRISE_REPLAYS_RECORDING_RESUMED_RECORDING_H_
#define REPRISE_REPLAYS_RECORDING_RESUMED_RECORDING_H_

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/recording/recorder.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {

// Asked at every tick on the way to where a recording goes on, which may be far
// from the last keyframe. True: stop, with CANCELLED.
using IsCancelled = absl::FunctionRef<bool()>;
inline bool NeverCancelled() { return false; }

// A simulation at the tick where the recording goes on, and its recorder. The
// simulation comes from the last keyframe before, and every digest recorded
// behind that is compared on the way: FAILED_PRECONDITION where this build
// makes another run of it, or has other rules. Other errors are
// CreateRecordedSimulation's, the file's, and DATA_LOSS where the recording is
// damaged before that tick.
//
// Used by one thread at a time.
class ResumedRecording {
 public:
  // Goes on at the last tick that the file at `path` holds, which is locked.
  // The ticks behind its last whole chunk are made again, with the recorded
  // inputs, and take the place of what stands there as soon as their chunk is
  // full, or the recording ends. Until then the file stays as it is; a kill
  // loses recorded ticks only between the two system calls that cut off and
  // write, and only those behind the last whole chunk. After the end the file
  // is, byte by byte, that of a recording which was never interrupted. `pack`
  // may be null where the file holds its pack; FAILED_PRECONDITION if it is
  // another one. DATA_LOSS: the file is damaged, and more than a record that
  // was begun would be cut off.
  static absl::StatusOr<std::unique_ptr<ResumedRecording>> Continue(
      const std::string& path, const sim::PackArchive* pack = nullptr,
      FileSink::Durability durability = FileSink::Durability::kProcess);

  // Copies the past of `parent` up to `tick` into `sink` and goes on there. The
  // new file is whole in itself and says by `parent_name`, tick and chain where
  // it left its parent. The past is unpacked once, to find that it is whole,
  // whenever a player gave something last; only the ticks from the last
  // keyframe on are made again. OUT_OF_RANGE: the parent ends before.
  static absl::StatusOr<std::unique_ptr<ResumedRecording>> Branch(
      const ReplayReader& parent, const std::string& parent_name,
      sim::Tick tick, std::unique_ptr<ByteSink> sink,
      const sim::PackArchive* pack = nullptr,
      IsCancelled is_cancelled = NeverCancelled);

  sim::Simulation& simulation() { return *simulation_; }
  Recorder& recorder() { return *recorder_; }

  // What it consists of, for an owner that keeps these apart. Both others refer
  // to the simulation, and the recorder to the writer.
  struct Parts {
    std::unique_ptr<sim::Simulation> simulation;
    std::unique_ptr<ReplayWriter> writer;
    std::unique_ptr<Recorder> recorder;
  };
  Parts Release() && {
    return {.simulation = std::move(simulation_),
            .writer = std::move(writer_),
            .recorder = std::move(recorder_)};
  }

 private:
  ResumedRecording() = default;

  absl::Status Start(const ReplayReader& replay, RecordingPrefix prefix,
                     RecordedPast past, std::unique_ptr<ByteSink> sink);

  // Records the ticks of `replay` up to `tick` again, which `replay` wrote past
  // the prefix, and the branches where they left their parents.
  absl::Status TakeOver(const ReplayReader& replay,
                        std::span<const ReplayBranch> branches, sim::Tick tick,
                        IsCancelled is_cancelled);

  std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<ReplayWriter> writer_;
  std::unique_ptr<Recorder> recorder_;
};

// The simulation as it stood at `tick` of the recording, to go on with
// unrecorded. Of the past nothing is read before the last keyframe, but for the
// tables that the first one says. Errors as above; OUT_OF_RANGE: the recording
// ends before.
absl::StatusOr<std::unique_ptr<sim::Simulation>> ResumeSimulation(
    const ReplayReader& replay, sim::Tick tick,
    const sim::PackArchive* pack = nullptr,
    IsCancelled is_cancelled = NeverCancelled);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RECORDING_RESUMED_RECORDING_H_

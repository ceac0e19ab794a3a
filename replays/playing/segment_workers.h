// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plays one replay on several threads: cut at its keyframes, each thread takes
// the next segment that nobody has taken.

#ifndef REPRISE_REPLAYS_PLAYING_SEGMENT_WORKERS_H_
#define REPRISE_REPLAYS_PLAYING_SEGMENT_WORKERS_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/replay_reader.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {

// The ticks at which at most `count` segments begin, of about equally many
// ticks each: 0, and then ticks of keyframes with at least two ticks behind
// them, ascending. Errors: those of FindKeyframe.
absl::StatusOr<std::vector<sim::Tick>> CutAtKeyframes(
    const ReplayReader& replay, uint64_t count);

class SegmentWorkers {
 public:
  explicit SegmentWorkers(size_t segment_count)
      : segment_count_(segment_count) {}

  SegmentWorkers(const SegmentWorkers&) = delete;
  SegmentWorkers& operator=(const SegmentWorkers&) = delete;

  // Called for each segment, the first ones first, on a simulation of the
  // calling thread's own: at tick 0 for its first segment, then in the state in
  // which the segment before has left it. So segment 0 always finds tick 0.
  using Work = absl::FunctionRef<void(
      size_t segment, sim::Simulation& simulation, bool is_callers_thread)>;

  // Told, on the calling thread, that others work while it waits for them: how
  // many ticks there are now, whenever that has become more.
  using OnWaiting = absl::FunctionRef<void(sim::Tick ticks_done)>;

  // Returns when all is done that IsWanted. Uses this thread, with `simulation`
  // at tick 0, and others, up to `threads` in all, each with one created for
  // `replay`, on `pack` if there is one. Errors: those of
  // CreateRecordedSimulation, before any work.
  absl::Status Run(const ReplayReader& replay, const sim::PackArchive* pack,
                   uint32_t threads, sim::Simulation& simulation, Work work,
                   OnWaiting on_waiting);

  // The segments behind this one are no longer wanted: none of them is begun,
  // and work that asks may end early. Safe on any thread.
  void EndBehind(size_t segment);
  bool IsWanted(size_t segment) const { return segment <= last_wanted_; }

  // Counts ticks of all threads, and returns how many there are now.
  sim::Tick AddTicks(sim::Tick ticks) { return ticks_done_ += ticks; }

 private:
  void WorkOff(sim::Simulation& simulation, bool is_callers_thread, Work work);
  void WaitForOthers(OnWaiting on_waiting);

  const size_t segment_count_;
  std::atomic<size_t> next_ = 0;
  std::atomic<size_t> last_wanted_ = SIZE_MAX;
  std::atomic<sim::Tick> ticks_done_ = 0;
  std::mutex mutex_;
  std::condition_variable has_ended_;
  size_t others_at_work_ = 0;  // guarded by mutex_
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_PLAYING_SEGMENT_WORKERS_H_

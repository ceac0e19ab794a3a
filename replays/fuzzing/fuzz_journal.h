// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Told what a campaign is about to do before it does it, so that whoever
// outlives it knows which inputs ended it.

#ifndef REPRISE_REPLAYS_FUZZING_FUZZ_JOURNAL_H_
#define REPRISE_REPLAYS_FUZZING_FUZZ_JOURNAL_H_

#include <cstdint>
#include <span>

#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "sim/base/tick.h"

namespace reprise::replays {

class FuzzJournal {
 public:
  virtual ~FuzzJournal() = default;

  // A round begins. Before the first, runs that are known are played.
  virtual void OnRound(uint64_t round) = 0;

  // From now on it may go on from `state`, to which `inputs` led from the state
  // `before`; 0 is the game at tick 0. `tick` is that of the state.
  virtual void OnState(uint64_t state, uint64_t before,
                       std::span<const TickInputs> inputs, sim::Tick tick) = 0;

  // A job is about to play `inputs` from `state` up to `end`. Called by the
  // thread of the job, like OnTick. The game may refuse some of them.
  virtual void OnPiece(uint32_t job, uint64_t state,
                       std::span<const TickInputs> inputs, sim::Tick end) = 0;

  // A job is about to make a tick.
  virtual void OnTick(uint32_t job) = 0;

  // Work goes on that makes no tick of a piece: a corpus is read, a way to a
  // goal is searched. May be called by any thread.
  virtual void OnBeat() = 0;

  // A failure with a new signature.
  virtual void OnFailure(const RunFailure& failure) = 0;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_FUZZ_JOURNAL_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Says how a run fails: what minimizing asks of each run that it tries.

#ifndef REPRISE_REPLAYS_FUZZING_CHECKS_RUN_ORACLE_H_
#define REPRISE_REPLAYS_FUZZING_CHECKS_RUN_ORACLE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "sim/base/tick.h"

namespace reprise::replays {

class RunOracle {
 public:
  virtual ~RunOracle() = default;

  // The first failure of a run of `tick_count` ticks; nullopt where there is
  // none, or where the game refuses an input.
  virtual std::optional<RunFailure> Run(std::span<const TickInputs> inputs,
                                        sim::Tick tick_count) = 0;

  // Later runs are like the last one.
  virtual void Adopt() = 0;

  // Stepped so far, by all runs.
  virtual uint64_t ticks() const = 0;

  // Another one that says the same of each run, and may be asked by another
  // thread at the same time; null: runs are asked for one after the other.
  virtual std::unique_ptr<RunOracle> Fork() const { return nullptr; }

  // Later runs are like the last one of `other`, which is a fork of this one or
  // what this one was forked from.
  virtual void AdoptOf(const RunOracle& /*other*/) {}
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_CHECKS_RUN_ORACLE_H_

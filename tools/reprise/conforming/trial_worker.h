// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The process that TrialProcess starts: makes the run that others are held
// against, checks, and runs that are held against another process's.

#ifndef REPRISE_TOOLS_REPRISE_CONFORMING_TRIAL_WORKER_H_
#define REPRISE_TOOLS_REPRISE_CONFORMING_TRIAL_WORKER_H_

#include <cstdint>
#include <string>

#include "sim/base/tick.h"
#include "sim/pack_archive.h"

namespace reprise::tools {

struct TrialRun {
  std::string simulation;
  sim::PackArchive pack;
  uint64_t seed = 0;
  sim::Tick tick_count = 0;
  uint64_t inputs_seed = 0;
};

// Answers questions until there are no more. Each is an object; "make" says
// what:
//   run        the run, within the surroundings "name"; "digests" is a file for
//              those of its states. Asked first
//   check      "name", one of replays::ConformanceChecks() or
//              kHiddenChangeCheck, against that run
//   state      the state after "tick" into the file "state"
//   compare    the file "state" with the run after "tick"
// The answer has "error" and "code" (of the simulation's making), or "missing"
// (why it can't be made), or "failure" ({"tick", "difference", "evidence"}), or
// is empty.
void AnswerTrials(const TrialRun& run, int answers);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_CONFORMING_TRIAL_WORKER_H_

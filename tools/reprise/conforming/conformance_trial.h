// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// All that `reprise conform` tries, each check in a process that it can't take
// the others with, and the mistake that is behind what fails.

#ifndef REPRISE_TOOLS_REPRISE_CONFORMING_CONFORMANCE_TRIAL_H_
#define REPRISE_TOOLS_REPRISE_CONFORMING_CONFORMANCE_TRIAL_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/tick.h"
#include "tools/reprise/conforming/mistake_kind.h"

namespace reprise::tools {

struct TrialOptions {
  // What a process is started with: flags of plug-ins, verb, pack, and which
  // run.
  std::vector<std::string> words;
  // Other builds: of the plug-in, or of this program.
  std::vector<std::string> builds;
  // For how long no tick may end.
  std::chrono::seconds hang_timeout{0};
};

struct TrialFailure {
  // The number of ticks after which it shows.
  sim::Tick tick = 0;
  // A field and its two values, or what the simulation or the system says.
  std::string difference;
  const MistakeKind* kind = nullptr;
};

struct TrialResult {
  std::string check;  // "restored"
  std::string claim;  // what must not matter
  std::optional<TrialFailure> failure;
  std::string missing;  // why it couldn't be tried; empty: it was
  std::string_view evidence;

  bool was_tried() const { return missing.empty(); }
};

// How many checks there are with so many other builds.
size_t TrialCheckCount(size_t build_count);

// Makes all checks. Where the run itself fails, it is the only one. Errors are
// those of making the simulation, and of a system without processes.
absl::StatusOr<std::vector<TrialResult>> TryConformance(
    const TrialOptions& options, const std::function<void(size_t)>& progress);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_CONFORMING_CONFORMANCE_TRIAL_H_

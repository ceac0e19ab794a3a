// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Verifies one replay in this process: a simulation that crashes takes the
// process with it.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_FILE_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_FILE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "replays/format/replay_metadata.h"
#include "replays/playing/kept_simulations.h"
#include "sim/base/tick.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {

// What decides the result of a verification.
struct VerifyFileOptions {
  std::string pack;  // a path or name; empty: the one inside the replay
  // Folders of packs: each replay runs on the one of its pack's name. Empty:
  // none. Not with `pack`.
  std::vector<std::string> packs;
  uint64_t threads = 1;
  // stop, continue or resync; empty: stop, but continue with `packs`, whose
  // outcomes are compared.
  std::string_view on_divergence = "";
  std::string_view outcome = "any";  // or running, won, lost
  // Whether to look for the change of the pack that makes the first difference.
  bool finds_cause = false;
  std::string capsules;  // the folder for capsules of failures; empty: none
  std::string views;     // the folder for pages that play them; empty: none
  // What is right as far as it could be compared passes.
  bool allow_partial = false;

  // INVALID_ARGUMENT names the flag that is out of range, or makes no sense
  // beside another.
  absl::Status Validate() const;

  // The flags of `reprise verify` that differ from those above.
  std::vector<std::string> flags() const;
};

// Told what goes on. Either may be empty.
struct VerifyFileObserver {
  // Before tick 0: what the recording and this build don't share.
  std::function<void(const replays::ReplayRemarks&)> on_remarks;
  std::function<void(sim::Tick ticks_done, sim::Tick tick_count)> on_progress;
};

// Every error is a result, too. Whoever verifies one file after another gives
// each the same `simulations`. REQUIRES: options.Validate().ok().
VerifyResult VerifyFile(const std::string& path,
                        const VerifyFileOptions& options,
                        const VerifyFileObserver& observer,
                        replays::KeptSimulations* simulations = nullptr);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_FILE_H_

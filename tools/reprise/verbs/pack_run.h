// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The run that `reprise run` makes: steps to the end, through a recorder where
// there is one, and shows meanwhile what happens and what scripts and bots say.

#ifndef REPRISE_TOOLS_REPRISE_VERBS_PACK_RUN_H_
#define REPRISE_TOOLS_REPRISE_VERBS_PACK_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/event_flood.h"
#include "sim/base/digest.h"
#include "sim/event.h"
#include "tools/reprise/inputs/run_setup.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

struct PackRunOptions : RunOptions {
  bool digests = false;
  bool events = false;
  std::string log;  // a level of scripts' log; empty: it isn't shown
  // Files; both empty: scripts aren't counted.
  std::string script_coverage;
  std::string script_profile;
  OutputFormat format;
};

// What came of it.
struct PackRunResult {
  sim::Digest root;
  uint64_t event_count = 0;
  replays::EventFlood flood;
  std::vector<sim::Event> last_events;  // of the last step
  std::vector<sim::Digest> roots;       // of every tick, where asked for
  Json events = Json::array();          // for a document, where asked for
  double seconds = 0;
};

// Runs what `setup` says, and finishes the recording. Errors are those of the
// inputs, each with its tick, of the simulation and of the recording, of which
// what was recorded until then stays.
absl::StatusOr<PackRunResult> MakePackRun(RunSetup& setup,
                                          const PackRunOptions& options,
                                          Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERBS_PACK_RUN_H_

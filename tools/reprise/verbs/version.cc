// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verbs/version.h"

#include "fmt/format.h"
#include "replays/format/replay_metadata.h"
#include "sim/simulation_registry.h"

namespace reprise::tools {

std::string DescribeVersion() {
  return fmt::format(
      "reprise {}\n"
      "build {}, {}\n"
      "replay format {}\n"
      "simulations {}\n",
      kVersion, replays::CurrentBuild(), replays::CurrentPlatform(),
      replays::kReplayFormatRevision, fmt::join(sim::SimulationNames(), " "));
}

}  // namespace reprise::tools

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/systems/run_outcome.h"

#include <utility>

#include "sim/base/check.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_rows.h"

namespace reprise::sim {

bool DecideRun(const WorldParts& parts, const Decision& decision) {
  CHECK(decision.outcome != Outcome::Status::kRunning);
  Table& runs = parts.state.mutable_table(parts.tables.run);
  if (runs.Get<RunRow>(0).outcome !=
      static_cast<int64_t>(Outcome::Status::kRunning)) {
    return false;
  }
  RunRow& run = runs.Mutable<RunRow>(0);
  run.outcome = static_cast<int64_t>(decision.outcome);
  run.reason = decision.reason;
  run.decided_by = decision.by;
  run.decided_at = run.tick;
  return true;
}

void TellOutcome(const WorldParts& parts, const Decision& decision,
                 std::vector<EventArgument> arguments) {
  const bool is_won = decision.outcome == Outcome::Status::kWon;
  TellListeners(parts, is_won ? kGameWon : kGameLost, decision.by,
                std::move(arguments));
}

}  // namespace reprise::sim

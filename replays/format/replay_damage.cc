// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/replay_damage.h"

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/container/mcap_reader.h"

namespace reprise::replays {
namespace {

// What a file that merely ends behind a whole record, or within one, hasn't.
std::string ProblemOf(const McapRecovery& recovery) {
  if (recovery.data_problem.ok()) {
    return std::string(recovery.end_problem.message());
  }
  if (recovery.bytes_lost == 0) return "";
  return fmt::format("{}; {} bytes from there on can't be read",
                     std::string(recovery.data_problem.message()),
                     recovery.bytes_lost);
}

}  // namespace

std::string ReplayDamage::Format() const {
  return problem.empty() ? cost : fmt::format("{} ({})", cost, problem);
}

std::optional<ReplayDamage> FindDamage(const ReplayReader& replay) {
  const std::optional<McapRecovery>& recovery = replay.file().recovery();
  if (replay.is_complete()) {
    if (!recovery || replay.is_being_written()) return std::nullopt;
    ReplayDamage damage = {
        .cost = "the file's end is damaged; nothing of the run is lost",
        .problem = ProblemOf(*recovery)};
    if (damage.problem.empty()) {
      damage.problem = std::string(recovery->data_problem.message());
    }
    return damage;
  }
  if (replay.is_being_written()) {
    return ReplayDamage{
        .cost = fmt::format(
            "the recording is still being written; {} ticks of it are there",
            replay.tick_count()),
        .problem = ""};
  }
  return ReplayDamage{
      .cost = fmt::format("the recording was cut off; {} ticks of it are left",
                          replay.tick_count()),
      .problem = recovery ? ProblemOf(*recovery) : ""};
}

}  // namespace reprise::replays

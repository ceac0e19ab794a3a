// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/replay_file.h"

#include <optional>

#include "fmt/format.h"
#include "replays/format/replay_damage.h"
#include "replays/playing/replay_player.h"
#include "sim/base/digest.h"
#include "tools/reprise/inputs/input_selection.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

absl::StatusOr<std::unique_ptr<replays::ReplayReader>> OpenReplayFile(
    const std::string& path, Console& console) {
  absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      replays::ReplayReader::OpenFile(path);
  if (replay.ok()) WarnOfDamage(path, **replay, console);
  return replay;
}

std::string DescribeDamage(const std::string& path,
                           const replays::ReplayReader& replay) {
  const std::optional<replays::ReplayDamage> damage =
      replays::FindDamage(replay);
  return damage ? fmt::format("{}: {}", path, damage->Format()) : "";
}

void WarnOfDamage(const std::string& path, const replays::ReplayReader& replay,
                  Console& console) {
  const std::string damage = DescribeDamage(path, replay);
  if (!damage.empty()) console.Warning(damage);
}

void TellError(const absl::Status& status, Console& console) {
  console.Error(std::string(status.message()));
  const std::string remedy = DescribeRemedy(status);
  if (!remedy.empty()) console.Note(remedy);
}

void NoteOtherPack(const std::string& path, const replays::ReplayReader& replay,
                   const sim::Simulation& simulation, Console& console) {
  if (replays::PlaysRecordedPack(replay, simulation)) return;
  console.Note(fmt::format(
      "{} was recorded with pack digest {}; its inputs are played on {}", path,
      sim::FormatDigest(replay.metadata().pack_digest),
      sim::FormatDigest(simulation.info().pack_digest)));
}

std::string DescribeRemedy(const absl::Status& status) {
  if (!absl::IsDataLoss(status)) return "";
  // Errors of reading a file begin with its path.
  const std::string message(status.message());
  const std::string path = message.substr(0, message.find(": "));
  if (!IsReplay(path).value_or(false)) return "";
  return fmt::format("`reprise recover {}` saves what is left of it",
                     ShellQuote(path));
}

}  // namespace reprise::tools

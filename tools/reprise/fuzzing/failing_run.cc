// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/failing_run.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/replay_reader.h"
#include "replays/fuzzing/corpus/fuzz_corpus.h"
#include "replays/playing/replay_player.h"
#include "replays/tracks/track_folder.h"
#include "sim/fuzzing_description.h"
#include "tools/reprise/inputs/pack_location.h"

namespace reprise::tools {
namespace {

absl::Status OpenTrack(const std::string& path, const std::string& pack_name,
                       FailingRun& run) {
  if (pack_name.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: a track holds no pack; --pack says which", path));
  }
  absl::StatusOr<sim::PackArchive> pack = OpenPack(pack_name);
  if (!pack.ok()) return pack.status();
  run.pack = *std::move(pack);
  const auto track = replays::ReadWholeTrack(path);
  if (!track.ok()) return track.status();
  auto start =
      CreatePackSimulation(run.pack, track->run ? track->run->seed : 0,
                           track->run ? track->run->simulation : std::string());
  if (!start.ok()) return start.status();
  run.start = *std::move(start);
  return absl::OkStatus();
}

absl::Status OpenReplay(const std::string& path, const std::string& pack_name,
                        FailingRun& run) {
  const auto replay = replays::ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  absl::StatusOr<sim::PackArchive> pack =
      pack_name.empty() ? (*replay)->ReadPack() : OpenPack(pack_name);
  if (!pack.ok()) return pack.status();
  run.pack = *std::move(pack);
  auto start = replays::CreateRecordedSimulation(**replay, &run.pack);
  if (!start.ok()) return start.status();
  run.start = *std::move(start);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FailingRun> OpenFailingRun(
    const std::string& path, const std::string& pack,
    const std::vector<std::string>& always) {
  FailingRun run;
  const absl::Status status = path.ends_with(".txtpb")
                                  ? OpenTrack(path, pack, run)
                                  : OpenReplay(path, pack, run);
  if (!status.ok()) return status;
  auto inputs = replays::ReadPlayedInputs(path);
  if (!inputs.ok()) return inputs.status();
  run.inputs = *std::move(inputs);
  auto rules = MakeFuzzRules(*run.start, always);
  if (!rules.ok()) return rules.status();
  run.rules = *std::move(rules);
  return run;
}

absl::StatusOr<replays::FuzzRules> MakeFuzzRules(
    const sim::Simulation& simulation, const std::vector<std::string>& always) {
  sim::FuzzingDescription description = simulation.description().fuzzing;
  for (const std::string& text : always) {
    description.always.push_back({.name = text, .text = text});
  }
  return replays::FuzzRules::Create(description, simulation);
}

}  // namespace reprise::tools

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise info`: what a replay holds, without running it.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/comparing/capsule.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/named_error.h"
#include "replays/format/event_flood.h"
#include "replays/format/replay_damage.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "sim/base/digest.h"
#include "sim/pack_archive.h"
#include "sim/simulation_registry.h"
#include "tools/reprise/differences/replay_age.h"
#include "tools/reprise/inputs/file_search.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/terminal/escaped_text.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  OutputFormat format;
};

// What is counted by reading the file.
struct Counts {
  uint64_t size_bytes = 0;
  uint64_t lost_bytes = 0;   // behind what is readable of a file cut off
  uint64_t input_ticks = 0;  // ticks at which somebody gave something
  uint64_t digests = 0;
  uint64_t events = 0;
  replays::EventFlood flood;
  uint64_t keyframes = 0;
  uint64_t pack_files = 0;
  uint64_t pack_bytes = 0;
  std::optional<replays::ReplayDamage> damage;
  std::vector<replays::ReplayBranch> branches;
  std::optional<ReplayAge> age;
};

template <typename Record>
absl::StatusOr<uint64_t> CountRecords(
    std::unique_ptr<replays::ReplayCursor<Record>> cursor) {
  for (uint64_t count = 0;; ++count) {
    const absl::StatusOr<std::optional<Record>> record = cursor->Next();
    if (!record.ok()) return record.status();
    if (!record->has_value()) return count;
  }
}

absl::Status CountEvents(const replays::ReplayReader& replay, Counts& counts) {
  const auto events = replay.ReadEvents();
  sim::Tick tick = 0;
  uint64_t of_tick = 0;
  while (true) {
    const auto event = events->Next();
    if (!event.ok()) return event.status();
    const bool is_end = !event->has_value();
    if (is_end || (*event)->tick() != tick) {
      counts.flood.Count(tick, std::exchange(of_tick, 0));
    }
    if (is_end) return absl::OkStatus();
    tick = (*event)->tick();
    ++of_tick;
    ++counts.events;
  }
}

// The pack may be kept elsewhere, when it is large.
absl::Status CountPack(const replays::ReplayReader& replay, Counts& counts) {
  const absl::StatusOr<sim::PackArchive> pack = replay.ReadPack();
  if (absl::IsNotFound(pack.status())) return absl::OkStatus();
  if (!pack.ok()) return pack.status();
  counts.pack_files = pack->files().size();
  for (const auto& [path, contents] : pack->files()) {
    counts.pack_bytes += contents.size();
  }
  return absl::OkStatus();
}

absl::StatusOr<Counts> CountAll(const std::string& path,
                                const replays::ReplayReader& replay) {
  Counts counts;
  std::error_code error;
  counts.size_bytes = std::filesystem::file_size(path, error);
  if (error) return absl::ErrnoToStatus(error.value(), "size");
  counts.damage = replays::FindDamage(replay);
  if (replay.file().recovery()) {
    counts.lost_bytes = replay.file().recovery()->bytes_lost;
  } else if (absl::Status status = replay.file().VerifyWholeFile();
             !status.ok()) {
    return status;
  }
  const absl::StatusOr<uint64_t> input_ticks =
      CountRecords(replay.ReadTickInputs());
  if (!input_ticks.ok()) return input_ticks.status();
  const absl::StatusOr<uint64_t> digests = CountRecords(replay.ReadDigests());
  if (!digests.ok()) return digests.status();
  const absl::Status events = CountEvents(replay, counts);
  if (!events.ok()) return events;
  const absl::StatusOr<uint64_t> keyframes =
      CountRecords(replay.ReadKeyframes());
  if (!keyframes.ok()) return keyframes.status();
  counts.input_ticks = *input_ticks;
  counts.digests = *digests;
  counts.keyframes = *keyframes;
  absl::StatusOr<std::vector<replays::ReplayBranch>> branches =
      replay.ReadBranches();
  if (!branches.ok()) return branches.status();
  counts.branches = *std::move(branches);
  counts.age = FindReplayAge(replay);
  const absl::Status status = CountPack(replay, counts);
  if (!status.ok()) return status;
  return counts;
}

bool HasSimulation(const std::string& name) {
  return std::ranges::count(sim::SimulationNames(), name) > 0;
}

void PrintHuman(const std::string& path, const replays::ReplayReader& replay,
                const Counts& counts, Console& console) {
  const replays::ReplayMetadata& metadata = replay.metadata();
  const double seconds =
      static_cast<double>(replay.tick_count()) * metadata.tick_rate.dt();
  std::ostream& out = console.out();
  fmt::print(out, "file        {}, {} bytes, format {}\n", path,
             counts.size_bytes, metadata.format_revision);
  if (counts.damage && !replay.is_being_written()) {
    fmt::print(out, "damage      {}\n", counts.damage->Format());
  }
  if (replays::IsCapsule(replay)) {
    fmt::print(out,
               "capsule     of a failure behind tick {}: the run as it should "
               "have been; `reprise diff` shows it\n",
               replays::FailureTick(replay));
  }
  fmt::print(out, "pack        {} {}, {}\n", EscapeLine(metadata.pack),
             sim::FormatDigest(metadata.pack_digest),
             counts.pack_files == 0
                 ? "not inside"
                 : fmt::format("{} {}, {} bytes", counts.pack_files,
                               counts.pack_files == 1 ? "file" : "files",
                               counts.pack_bytes));
  fmt::print(
      out, "simulation  {}, rules {}{}\n", EscapeLine(metadata.simulation),
      metadata.rules_revision,
      HasSimulation(metadata.simulation) ? "" : " (not in this program)");
  if (!metadata.plugin.empty()) {
    fmt::print(out, "plug-in     {}\n", EscapeLine(metadata.plugin));
  }
  fmt::print(out, "seed        {}\n", metadata.seed);
  fmt::print(out, "ticks       {} at {} Hz, {:.3f} s\n", replay.tick_count(),
             metadata.tick_rate.ticks_per_second, seconds);
  if (replay.is_complete()) {
    fmt::print(out, "outcome     {}\n", FormatOutcome(replay.end()->outcome));
    fmt::print(out, "digest      {}\n", sim::FormatDigest(replay.end()->root));
    fmt::print(out, "chain       {}\n", sim::FormatDigest(replay.end()->chain));
  } else {
    fmt::print(out, "outcome     unknown: {}\n",
               replay.is_being_written() ? "still being written" : "cut off");
  }
  fmt::print(out, "inputs      at {} ticks\n", counts.input_ticks);
  fmt::print(out, "digests     {}, every {} ticks, of {}\n", counts.digests,
             metadata.digest_stride,
             EscapeLine(fmt::format("{}", fmt::join(metadata.rooms, " "))));
  fmt::print(out, "keyframes   {}\n", counts.keyframes);
  const uint64_t said = replay.event_count().value_or(counts.events);
  fmt::print(out, "events      {}{}\n", counts.events,
             said == counts.events
                 ? ""
                 : fmt::format(", and the end counts {}", said));
  for (const replays::ReplayBranch& branch : counts.branches) {
    fmt::print(out, "branch      of {} at tick {}, chain {}\n",
               EscapeLine(branch.parent), branch.tick,
               sim::FormatDigest(branch.chain));
  }
  fmt::print(out, "recorded    by {} on {}, math {}\n",
             EscapeLine(metadata.build), EscapeLine(metadata.platform),
             sim::FormatDigest(metadata.math_fingerprint));
  if (counts.age) out << FormatReplayAge(*counts.age);
}

Json ToDocument(const std::string& path, const replays::ReplayReader& replay,
                const Counts& counts) {
  const replays::ReplayMetadata& metadata = replay.metadata();
  Json document = MakeJsonDocument("info");
  document["file"] = path;
  document["size_bytes"] = counts.size_bytes;
  document["format_revision"] = metadata.format_revision;
  document["is_complete"] = replay.is_complete();
  document["is_being_written"] = replay.is_being_written();
  document["lost_bytes"] = counts.lost_bytes;
  document["damage"] = counts.damage ? Json{{"cost", counts.damage->cost},
                                            {"problem", counts.damage->problem}}
                                     : Json(nullptr);
  document["is_capsule"] = replays::IsCapsule(replay);
  document["pack"] = metadata.pack;
  document["pack_digest"] = sim::FormatDigest(metadata.pack_digest);
  document["pack_file_count"] = counts.pack_files;
  document["pack_size_bytes"] = counts.pack_bytes;
  document["simulation"] = metadata.simulation;
  document["has_simulation"] = HasSimulation(metadata.simulation);
  document["plugin"] =
      metadata.plugin.empty() ? Json(nullptr) : Json(metadata.plugin);
  document["rules_revision"] = metadata.rules_revision;
  document["seed"] = std::to_string(metadata.seed);
  document["tick_rate"] = metadata.tick_rate.ticks_per_second;
  document["tick_count"] = replay.tick_count();
  if (replay.is_complete()) {
    document["outcome"] = ToJson(replay.end()->outcome);
    document["digest"] = sim::FormatDigest(replay.end()->root);
    document["chain"] = sim::FormatDigest(replay.end()->chain);
  }
  document["input_tick_count"] = counts.input_ticks;
  document["digest_count"] = counts.digests;
  document["digest_stride"] = metadata.digest_stride;
  document["keyframe_count"] = counts.keyframes;
  document["keyframe_stride"] = metadata.keyframe_stride;
  document["event_count"] = counts.events;
  document["event_count_of_end"] = replay.event_count().has_value()
                                       ? Json(*replay.event_count())
                                       : Json(nullptr);
  document["keyframe_bytes_per_tick"] = metadata.keyframe_bytes_per_tick;
  document["rooms"] = metadata.rooms;
  Json branches = Json::array();
  for (const replays::ReplayBranch& branch : counts.branches) {
    branches.push_back({{"parent", branch.parent},
                        {"tick", branch.tick},
                        {"chain", sim::FormatDigest(branch.chain)}});
  }
  document["branches"] = std::move(branches);
  document["build"] = metadata.build;
  document["platform"] = metadata.platform;
  document["math_fingerprint"] = sim::FormatDigest(metadata.math_fingerprint);
  document["age"] = counts.age ? ToJson(*counts.age) : Json(nullptr);
  return document;
}

absl::Status ShowInfo(const Options& options, const std::string& path,
                      Json& documents, Console& console) {
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      replays::ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  const absl::StatusOr<Counts> counts = CountAll(path, **replay);
  if (!counts.ok()) {
    return replays::NamedError(path, counts.status());
  }
  if (counts->flood.is_found()) {
    console.Warning(fmt::format("{}: {}", path, counts->flood.Format()));
  }
  if (options.format.is_json()) {
    documents.push_back(ToDocument(path, **replay, *counts));
  } else {
    PrintHuman(path, **replay, *counts, console);
  }
  return absl::OkStatus();
}

// A file alone is the document itself; those of folders are a list.
absl::StatusOr<ExitCode> ShowAll(const Options& options,
                                 const std::vector<std::string>& arguments,
                                 Console& console) {
  const absl::StatusOr<std::vector<std::string>> paths = FindReplays(arguments);
  if (!paths.ok()) return paths.status();
  Json documents = Json::array();
  if (*paths == arguments && paths->size() == 1) {
    const absl::Status status =
        ShowInfo(options, paths->front(), documents, console);
    if (!status.ok()) return status;
    if (options.format.is_json()) PrintJson(documents.front(), console);
    return ExitCode::kOk;
  }
  ExitCode worst = ExitCode::kOk;
  for (const std::string& path : *paths) {
    const absl::Status status = ShowInfo(options, path, documents, console);
    if (status.ok()) continue;
    TellError(status, console);
    worst = std::max(worst, ExitCodeOf(status));
  }
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("info");
    document["files"] = std::move(documents);
    PrintJson(document, console);
  }
  return worst;
}

}  // namespace

Command MakeInfoCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "info";
  command.summary = "Says what a replay holds, without running it";
  command.description =
      "Reads the whole file, so damage anywhere in it is reported. Of a replay "
      "that was recorded under other rules than this program's it says what "
      "can no longer be done with it. A folder "
      "stands for all *.mcap in it and below.";
  command.arguments = {"FILE|FOLDER...", 1, kManyArguments};
  command.flags = {options->format.flag()};
  command.examples = {
      {"Look at a replay", "reprise info game.mcap"},
      {"Take out its seed", "reprise info game.mcap --format json | jq .seed"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return ShowAll(*options, arguments, console);
  };
  return command;
}

}  // namespace reprise::tools

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/golden.h"

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "replays/comparing/run_comparison.h"
#include "replays/container/byte_file.h"
#include "replays/container/named_error.h"
#include "replays/container/partial_file.h"
#include "replays/format/schema_difference.h"
#include "replays/playing/named_refusal.h"
#include "replays/playing/replay_player.h"
#include "replays/recording/replay_text.h"
#include "replays/tracks/input_track.h"
#include "sim/base/content_digest.h"
#include "tools/reprise/inputs/pack_difference.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

// Empty where there is none. Pipes and folders are refused.
absl::StatusOr<std::string> ReadText(const std::string& path) {
  const auto file = replays::FileSource::Open(path);
  if (absl::IsNotFound(file.status())) return "";
  if (!file.ok()) return file.status();
  std::string text((*file)->size(), '\0');
  const absl::Status status =
      (*file)->ReadAt(0, std::as_writable_bytes(std::span(text)));
  if (!status.ok()) return replays::NamedError(path, status);
  return text;
}

// What `reprise cat` prints.
absl::StatusOr<std::string> TextOf(const replays::ReplayReader& replay) {
  replays::ReplayTextPrinter printer(&replay, {});
  std::string text =
      printer.Head() + replays::FormatTrackLength(replay.tick_count());
  while (true) {
    const auto batch = printer.NextBatch();
    if (!batch.ok()) return batch.status();
    if (!batch->has_value()) return text;
    text += **batch;
  }
}

// Plays the inputs of `replay` on `pack`, and records them as that was.
absl::StatusOr<NewGolden> RecordAnew(const replays::ReplayReader& replay,
                                     const sim::PackArchive& pack) {
  const absl::StatusOr<std::string> old_text = TextOf(replay);
  if (!old_text.ok()) return old_text.status();
  absl::StatusOr<replays::InputTrack> track =
      replays::ParseInputTrack(*old_text, "the golden's text");
  if (!track.ok()) return track.status();
  // A recording without its pack stays without.
  const absl::Status inside = replay.ReadPack().status();
  if (absl::IsNotFound(inside)) track->run->writer.pack_bytes_max = 0;
  const auto simulation = replays::CreateRecordedSimulation(replay, &pack);
  if (!simulation.ok()) return simulation.status();
  NewGolden golden;
  const auto end = replays::AssembleReplay(
      *track, pack, **simulation,
      std::make_unique<replays::MemorySink>(&golden.replay));
  if (!end.ok()) {
    return absl::Status(end.status().code(),
                        replays::NameRecordedRefusal(
                            std::string(end.status().message()), replay));
  }
  const auto recorded = replays::ReplayReader::Open(
      std::make_unique<replays::MemorySource>(golden.replay));
  if (!recorded.ok()) return recorded.status();
  absl::StatusOr<std::string> text = TextOf(**recorded);
  if (!text.ok()) return text.status();
  golden.text = *std::move(text);
  return golden;
}

void AddLines(std::string_view text, std::vector<std::string>& lines) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

// What the changed pack does to the run, on this program: what only one of the
// packs has, and the first difference of what both have.
absl::Status ComparePacks(const replays::ReplayReader& replay,
                          const sim::PackArchive& pack, NewGolden& golden) {
  const auto before = replays::CreateRecordedSimulation(replay, nullptr);
  if (!before.ok()) {
    golden.changes.push_back(
        fmt::format("the pack inside can't be run any more: {}",
                    std::string(before.status().message())));
    return absl::OkStatus();
  }
  const auto after = replays::CreateRecordedSimulation(replay, &pack);
  if (!after.ok()) return after.status();
  const auto before_inputs = replay.ReadInputs();
  const auto after_inputs = replay.ReadInputs();
  replays::CompareOptions options;
  options.recording = &replay;
  const auto comparison =
      replays::CompareRuns({before->get(), before_inputs.get()},
                           {after->get(), after_inputs.get()}, options);
  if (absl::IsFailedPrecondition(comparison.status())) {
    golden.changes.push_back(
        fmt::format("the packs' states can't be compared: {}",
                    std::string(comparison.status().message())));
    return absl::OkStatus();
  }
  if (!comparison.ok()) return comparison.status();
  golden.schema_differences = comparison->schema_differences;
  golden.divergence_of_packs = comparison->divergence;
  AddLines(replays::FormatSchemaDifferences(comparison->schema_differences),
           golden.changes);
  if (comparison->divergence) {
    AddLines(replays::FormatDivergence(*comparison->divergence),
             golden.changes);
  } else if (!comparison->schema_differences.empty()) {
    golden.changes.push_back(fmt::format("what both have is equal for {} ticks",
                                         comparison->ticks_compared));
  }
  if (comparison->first_unlike_recording) {
    golden.changes.push_back(fmt::format(
        "by tick {} this build doesn't play the pack inside as it was recorded "
        "(by {})",
        comparison->first_unlike_recording->tick, replay.metadata().build));
  }
  return absl::OkStatus();
}

// Fills what changes.
absl::Status Compare(const replays::ReplayReader& replay,
                     const sim::PackArchive& pack,
                     const replays::ProgressCallback& progress,
                     NewGolden& golden) {
  const sim::ContentDigest digest_before = replay.metadata().pack_digest;
  const sim::ContentDigest digest_after =
      pack.ComputeDigest(digest_before.hash);
  if (digest_before != digest_after) {
    const absl::StatusOr<sim::PackArchive> inside = replay.ReadPack();
    if (inside.ok()) {
      AddLines(FormatPackChanges(ComparePacksAsData(*inside, pack)),
               golden.changes);
    }
    const absl::Status status = ComparePacks(replay, pack, golden);
    if (!status.ok()) return status;
  }
  replays::VerifyOptions options;
  options.pack = &pack;
  options.progress = progress;
  // To the end, for its outcome.
  options.on_divergence = replays::OnDivergence::kContinue;
  const auto report = replays::VerifyReplay(replay, options);
  if (!report.ok()) return report.status();
  const sim::Outcome& outcome_before = replay.end()->outcome;
  if (report->divergence && outcome_before != report->outcome) {
    golden.changes.insert(
        golden.changes.begin(),
        fmt::format("outcome: {} -> {}", FormatOutcome(outcome_before),
                    FormatOutcome(report->outcome)));
  }
  golden.divergence = report->divergence;
  const bool is_explained =
      golden.divergence_of_packs || !golden.schema_differences.empty();
  if (report->divergence && !is_explained) {
    AddLines(replays::FormatDivergence(*report->divergence), golden.changes);
  }
  if (digest_before != digest_after) {
    golden.changes.push_back(fmt::format("pack: {} | {}",
                                         sim::FormatDigest(digest_before),
                                         sim::FormatDigest(digest_after)));
  }
  // Why the difference has no fields, if it hasn't.
  if (report->divergence && report->divergence->fields.empty() &&
      !is_explained) {
    for (const std::string& note : report->remarks.notes) {
      golden.changes.push_back(note);
    }
  }
  // Another engine build alone is no reason for a new golden.
  for (const std::string& warning : report->remarks.warnings) {
    if (digest_before == digest_after) golden.changes.push_back(warning);
  }
  return absl::OkStatus();
}

absl::Status WriteWhole(const std::string& path,
                        std::span<const std::byte> bytes) {
  // Under a name that no recorder has.
  const std::string partial =
      replays::PartialPath(fmt::format("{}.{}", path, getpid()));
  absl::Status status;
  bool is_created = false;
  {
    const auto sink = replays::FileSink::Create(
        partial, replays::FileSink::Durability::kMachine);
    status = sink.status();
    is_created = sink.ok();
    if (status.ok()) status = (*sink)->Append(bytes);
    if (status.ok()) status = (*sink)->Flush();
  }
  std::error_code error;
  if (status.ok()) {
    fs::rename(partial, path, error);
    if (!error) return absl::OkStatus();
    status =
        absl::UnavailableError(fmt::format("{}: {}", path, error.message()));
  }
  if (is_created) fs::remove(partial, error);
  return absl::UnavailableError(std::string(status.message()));
}

}  // namespace

GoldenPaths::GoldenPaths(const std::string& path)
    : replay(path),
      text(fs::path(path).replace_extension(".txtpb").string()),
      reasons(fs::path(path).replace_extension(".reasons.txt").string()) {}

absl::StatusOr<NewGolden> RegenerateGolden(
    const GoldenPaths& paths, const sim::PackArchive& pack,
    const replays::ProgressCallback& progress) {
  const auto replay = replays::ReplayReader::OpenFile(paths.replay);
  if (!replay.ok()) return replay.status();
  if (!(*replay)->is_complete()) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the recording was cut off", paths.replay));
  }
  NewGolden compared;
  const absl::Status status = Compare(**replay, pack, progress, compared);
  if (!status.ok()) return replays::NamedError(paths.replay, status);
  absl::StatusOr<NewGolden> golden = RecordAnew(**replay, pack);
  if (!golden.ok()) {
    return replays::NamedError(paths.replay, golden.status());
  }
  golden->changes = std::move(compared.changes);
  golden->divergence = std::move(compared.divergence);
  golden->divergence_of_packs = std::move(compared.divergence_of_packs);
  golden->schema_differences = std::move(compared.schema_differences);
  const absl::StatusOr<std::string> text = ReadText(paths.text);
  if (!text.ok()) return text.status();
  if (!golden->is_changed() && golden->text != *text) {
    golden->changes.push_back(
        fmt::format("{} isn't the golden's text", paths.text));
  }
  return golden;
}

absl::StatusOr<NewGolden> MakeGolden(const replays::ReplayReader& replay,
                                     const std::string& name,
                                     const sim::PackArchive& pack) {
  absl::StatusOr<NewGolden> golden = RecordAnew(replay, pack);
  if (!golden.ok()) return replays::NamedError(name, golden.status());
  // The file alone: where it lay says nothing to who reads the reason.
  golden->changes.push_back(fmt::format(
      "inputs: those of {}", std::filesystem::path(name).filename().string()));
  return golden;
}

absl::Status WriteGolden(const GoldenPaths& paths, const NewGolden& golden,
                         const std::string& reason) {
  // The reason says what changed by itself: whoever reads it later has neither
  // of the runs.
  const absl::StatusOr<std::string> reasons_before = ReadText(paths.reasons);
  if (!reasons_before.ok()) return reasons_before.status();
  const std::string reasons =
      fmt::format("{}{}\n  {}\n", *reasons_before, reason,
                  fmt::join(golden.changes, "\n  "));
  absl::Status status = WriteWhole(paths.replay, golden.replay);
  if (status.ok()) {
    status = WriteWhole(paths.text, std::as_bytes(std::span(golden.text)));
  }
  if (status.ok()) {
    status = WriteWhole(paths.reasons, std::as_bytes(std::span(reasons)));
  }
  return status;
}

}  // namespace reprise::tools

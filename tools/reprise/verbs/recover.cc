// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise recover`: what can be saved of a damaged replay.

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
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/container/named_error.h"
#include "replays/container/partial_file.h"
#include "replays/recording/replay_recovery.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string output;
  bool keep_unverified = false;
  OutputFormat format;
};

// "game.recovered.mcap" for "game.mcap" and "game.mcap.partial".
std::string RecoveredPath(const std::string& path) {
  const std::filesystem::path file(replays::FinishedPath(path));
  return (file.parent_path() / (file.stem().string() + ".recovered.mcap"))
      .string();
}

void PrintHuman(const std::string& path, const std::string& output,
                const replays::RecoveryReport& report, Console& console) {
  std::ostream& out = console.out();
  for (const std::string& loss : report.losses) {
    fmt::print(out, "lost: {}\n", loss);
  }
  if (report.tick_count == 0) {
    fmt::print(out, "{}: not one tick is left, and nothing was saved\n", path);
    if (report.unproven_ticks > 0) {
      console.Note("--keep-unverified saves the inputs that are left");
    }
    return;
  }
  if (report.is_pack_lost) {
    fmt::print(out,
               "the pack is lost: what is saved verifies with `reprise verify "
               "{} --pack PACK` only, of the pack that was played\n",
               output);
  } else if (!report.has_pack) {
    fmt::print(out, "without its pack: `reprise verify --pack` names one\n");
  }
  const std::string of_all =
      report.tick_count_before
          ? fmt::format(" of {}", *report.tick_count_before)
          : "";
  fmt::print(out, "{}: saved {}{} ticks{} in {}\n", path, report.tick_count,
             of_all, report.has_end ? ", to the end," : "", output);
}

Json ReportJson(const std::string& path, const std::string& output,
                const replays::RecoveryReport& report) {
  Json document = MakeJsonDocument("recover");
  document["file"] = path;
  document["recovered"] = report.tick_count > 0 ? Json(output) : Json(nullptr);
  document["tick_count"] = report.tick_count;
  document["tick_count_before"] = report.tick_count_before
                                      ? Json(*report.tick_count_before)
                                      : Json(nullptr);
  document["unverified_tick_count"] = report.unproven_ticks;
  document["has_pack"] = report.has_pack;
  document["is_pack_lost"] = report.is_pack_lost;
  document["has_end"] = report.has_end;
  document["losses"] = report.losses;
  return document;
}

// Leaves `output` only where at least one tick is saved.
absl::StatusOr<replays::RecoveryReport> Recover(
    std::unique_ptr<const replays::ByteSource> source,
    const std::string& output, const replays::RecoveryOptions& options) {
  constexpr auto kDurability = replays::FileSink::Durability::kMachine;
  const std::string partial = replays::UnfinishedPath(output);
  const absl::StatusOr<std::unique_ptr<replays::FileSink>> sink =
      replays::FileSink::Create(partial, kDurability);
  if (!sink.ok()) return sink.status();
  absl::StatusOr<replays::RecoveryReport> report =
      replays::RecoverReplay(std::move(source), sink->get(), options);
  if (partial == output) return report;
  std::error_code ignored;
  if (!report.ok() || report->tick_count == 0) {
    std::filesystem::remove(partial, ignored);
    return report;
  }
  const absl::Status status = replays::RenameFile(partial, output, kDurability);
  if (status.ok()) return report;
  std::filesystem::remove(partial, ignored);
  return status;
}

absl::StatusOr<ExitCode> RecoverFile(const Options& options,
                                     const std::string& name,
                                     Console& console) {
  const std::string path = replays::PathNow(name);
  const std::string output =
      options.output.empty() ? RecoveredPath(path) : options.output;
  std::error_code ignored;  // What can't be looked at can't be created either.
  if (std::filesystem::is_regular_file(output, ignored)) {
    return absl::AlreadyExistsError(
        fmt::format("{} is there already; nothing is overwritten", output));
  }
  if (std::filesystem::is_directory(output, ignored)) {
    return absl::InvalidArgumentError(
        fmt::format("--output names a file; {} is a folder", output));
  }
  if (std::filesystem::equivalent(path, replays::UnfinishedPath(output),
                                  ignored)) {
    return absl::InvalidArgumentError(
        fmt::format("--output {} would overwrite {}", output, path));
  }
  absl::StatusOr<std::unique_ptr<replays::FileSource>> source =
      replays::FileSource::Open(path);
  if (!source.ok()) return source.status();
  if (replays::IsBeingWritten(path).value_or(false)) {
    console.Warning(fmt::format(
        "{} is being written to: what comes now isn't saved", path));
  }
  const absl::StatusOr<replays::RecoveryReport> report = Recover(
      *std::move(source), output, {.keep_unproven = options.keep_unverified});
  if (!report.ok()) {
    return replays::NamedError(path, report.status());
  }
  if (options.format.is_json()) {
    PrintJson(ReportJson(path, output, *report), console);
  } else {
    PrintHuman(path, output, *report, console);
  }
  if (report->tick_count == 0) return ExitCode::kDifferent;
  return report->is_pack_lost ? ExitCode::kMissing : ExitCode::kOk;
}

}  // namespace

Command MakeRecoverCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "recover";
  command.summary = "Saves what can be saved of a damaged replay";
  command.description =
      "Writes a whole replay of all ticks up to the first that is lost, and "
      "says what was lost. It verifies: inputs behind the last digest are left "
      "out. The damaged file stays as it is. Where not one tick "
      "is left, nothing is written, and the exit code is 1. Where the pack "
      "inside is lost, the exit code is 3: what is saved then verifies with "
      "--pack only.";
  command.arguments = {"FILE", 1, 1};
  command.flags = {
      {"output", "FILE",
       "Where to, a file that isn't there yet. FILE with .recovered.mcap if "
       "unset.",
       &options->output},
      {"keep-unverified", "",
       "Save the inputs behind the last digest, too. `verify` then passes the "
       "replay only with --allow-partial.",
       &options->keep_unverified},
      options->format.flag(),
  };
  command.examples = {
      {"Save what a killed recorder left in game.mcap.partial",
       "reprise recover game.mcap"},
      {"Go on recording where it was killed",
       "reprise run --continue game.mcap"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return RecoverFile(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools

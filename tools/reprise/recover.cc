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
#include "replays/byte_file.h"
#include "replays/replay_recovery.h"
#include "tools/reprise/commands.h"
#include "tools/reprise/json_output.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string output;
  OutputFormat format;
};

// "game.recovered.mcap" for "game.mcap".
std::string RecoveredPath(const std::string& path) {
  const std::filesystem::path file(path);
  return (file.parent_path() / (file.stem().string() + ".recovered.mcap"))
      .string();
}

void PrintHuman(const std::string& path, const std::string& output,
                const replays::RecoveryReport& report, Console& console) {
  std::ostream& out = console.out();
  for (const std::string& loss : report.losses) {
    fmt::print(out, "lost: {}\n", loss);
  }
  if (!report.has_pack) {
    fmt::print(out, "without its pack: `reprise verify --pack` names one\n");
  }
  const std::string of_all =
      report.tick_count_before
          ? fmt::format(" of {}", *report.tick_count_before)
          : "";
  fmt::print(out, "{}: saved {}{} ticks{} in {}\n", path, report.tick_count,
             of_all, report.has_end ? ", to the end," : "", output);
}

absl::StatusOr<ExitCode> RecoverFile(const Options& options,
                                     const std::string& path,
                                     Console& console) {
  const std::string output =
      options.output.empty() ? RecoveredPath(path) : options.output;
  std::error_code ignored;  // What can't be looked at can't be created either.
  if (std::filesystem::is_regular_file(output, ignored)) {
    return absl::AlreadyExistsError(
        fmt::format("{} is there already; nothing is overwritten", output));
  }
  absl::StatusOr<std::unique_ptr<replays::FileSource>> source =
      replays::FileSource::Open(path);
  if (!source.ok()) return source.status();
  absl::StatusOr<std::unique_ptr<replays::FileSink>> sink =
      replays::FileSink::Create(output,
                                replays::FileSink::Durability::kMachine);
  if (!sink.ok()) return sink.status();
  const absl::StatusOr<replays::RecoveryReport> report =
      replays::RecoverReplay(*std::move(source), sink->get());
  if (!report.ok()) {
    // A start without anything behind it saves nothing.
    if (std::filesystem::is_regular_file(output, ignored)) {
      std::filesystem::remove(output, ignored);
    }
    return absl::Status(
        report.status().code(),
        fmt::format("{}: {}", path, std::string(report.status().message())));
  }
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("recover");
    document["file"] = path;
    document["recovered"] = output;
    document["tick_count"] = report->tick_count;
    document["tick_count_before"] = report->tick_count_before
                                        ? Json(*report->tick_count_before)
                                        : Json(nullptr);
    document["has_pack"] = report->has_pack;
    document["has_end"] = report->has_end;
    document["losses"] = report->losses;
    PrintJson(document, console);
  } else {
    PrintHuman(path, output, *report, console);
  }
  return report->tick_count > 0 ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace

Command MakeRecoverCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "recover";
  command.summary = "Saves what can be saved of a damaged replay";
  command.description =
      "Writes a whole replay of all ticks up to the first that is lost, and "
      "says what was lost. The damaged file stays as it is. Fails where not "
      "one tick is left.";
  command.arguments = {"FILE", 1, 1};
  command.flags = {
      {"output", "FILE",
       "Where to, a file that isn't there yet. FILE with .recovered.mcap if "
       "unset.",
       &options->output},
      options->format.flag(),
  };
  command.examples = {
      {"Save what a killed recorder left", "reprise recover game.mcap"},
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

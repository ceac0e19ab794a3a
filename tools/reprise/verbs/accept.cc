// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise accept`: goldens anew, with the reason why.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/comparing/capsule.h"
#include "replays/format/engine.h"
#include "replays/format/replay_reader.h"
#include "sim/pack_archive.h"
#include "tools/reprise/differences/schema_difference_output.h"
#include "tools/reprise/inputs/file_search.h"
#include "tools/reprise/inputs/golden.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string pack;
  std::string inputs;
  std::string reason;
  OutputFormat format;
};

// The pack that was named or, where none was, the one of today that has the
// name of the recorded one.
absl::StatusOr<sim::PackArchive> PackOf(const Options& options,
                                        const replays::ReplayReader& replay) {
  return OpenPack(options.pack.empty() ? replay.metadata().pack : options.pack);
}

absl::StatusOr<NewGolden> Regenerate(const Options& options,
                                     const GoldenPaths& paths,
                                     Console& console) {
  std::error_code ignored;  // What can't be looked at isn't there.
  if (options.inputs.empty() &&
      !std::filesystem::exists(paths.replay, ignored)) {
    return absl::NotFoundError(
        fmt::format("{}: isn't there; --inputs names a replay to make it of",
                    paths.replay));
  }
  const std::string& source =
      options.inputs.empty() ? paths.replay : options.inputs;
  const auto replay = OpenReplayFile(source, console);
  if (!replay.ok()) return replay.status();
  if (options.inputs.empty() && replays::IsCapsule(**replay)) {
    return absl::InvalidArgumentError(
        fmt::format("{} is a capsule of a failure, and no golden", source));
  }
  const absl::StatusOr<sim::PackArchive> pack = PackOf(options, **replay);
  if (!pack.ok()) return pack.status();
  if (!options.inputs.empty()) {
    return MakeGolden(**replay, options.inputs, *pack);
  }
  ProgressBar progress(console, paths.replay, 0);
  return RegenerateGolden(paths, *pack,
                          [&progress](sim::Tick tick, sim::Tick tick_count) {
                            progress.set_tick_count(tick_count);
                            progress.Update(tick);
                            return absl::OkStatus();
                          });
}

// The reason that a person types; empty where none is to be had.
std::string AskReason(const GoldenPaths& paths, Console& console) {
  if (isatty(STDIN_FILENO) != 1 || !console.is_err_terminal()) return "";
  console.err() << "Why is this right? It is written to " << paths.reasons
                << "; nothing keeps the golden as it is.\n> " << std::flush;
  std::string reason;
  std::getline(std::cin, reason);
  return reason;
}

// One line, so that reasons and changes can be told apart.
std::string OneLine(std::string reason) {
  for (char& character : reason) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(character))) {
      character = ' ';
    }
  }
  absl::StripAsciiWhitespace(&reason);
  return reason;
}

void PrintChanges(const GoldenPaths& paths, const NewGolden& golden,
                  Console& console) {
  std::ostream& out = console.out();
  if (!golden.is_changed()) {
    fmt::print(out, "{}: nothing changes\n", paths.replay);
    return;
  }
  fmt::print(out, "{}: changes (golden | now)\n", paths.replay);
  for (const std::string& change : golden.changes) {
    fmt::print(out, "  {}\n", change);
  }
  out.flush();
}

Json ToJson(const GoldenPaths& paths, const NewGolden& golden,
            bool is_accepted) {
  const auto divergence_json =
      [](const std::optional<replays::Divergence>& divergence) {
        return divergence ? tools::ToJson(*divergence) : Json(nullptr);
      };
  return {{"golden", paths.replay},
          {"is_changed", golden.is_changed()},
          {"is_accepted", is_accepted},
          {"changes", golden.changes},
          {"divergence", divergence_json(golden.divergence)},
          {"schema_differences", tools::ToJson(golden.schema_differences)},
          {"divergence_of_packs", divergence_json(golden.divergence_of_packs)}};
}

// Shows and, where there is a reason, accepts one golden; true if it was.
absl::StatusOr<bool> AcceptGolden(const Options& options,
                                  const std::string& path, Json& documents,
                                  Console& console) {
  const GoldenPaths paths(path);
  const absl::StatusOr<NewGolden> golden = Regenerate(options, paths, console);
  if (!golden.ok()) return golden.status();
  if (!options.format.is_json()) PrintChanges(paths, *golden, console);
  std::string reason = OneLine(options.reason);
  if (golden->is_changed() && reason.empty()) {
    reason = OneLine(AskReason(paths, console));
  }
  const bool is_accepted = golden->is_changed() && !reason.empty();
  absl::Status status;
  if (is_accepted) status = WriteGolden(paths, *golden, reason);
  documents.push_back(ToJson(paths, *golden, is_accepted && status.ok()));
  if (!status.ok()) return status;
  if (golden->is_changed() && !is_accepted) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: stays as it is; --reason says why the change is right", path));
  }
  if (is_accepted && !options.format.is_json()) {
    fmt::print(console.out(), "{}: accepted\n", path);
  }
  return is_accepted;
}

absl::StatusOr<ExitCode> Accept(const Options& options,
                                const std::vector<std::string>& arguments,
                                Console& console) {
  const absl::StatusOr<std::vector<std::string>> paths = FindReplays(arguments);
  if (!paths.ok()) return paths.status();
  if (!options.inputs.empty() && paths->size() > 1) {
    return absl::InvalidArgumentError("--inputs are those of one golden");
  }
  // Whichever build makes a golden, it is the same.
  replays::SetEngine("");
  Json documents = Json::array();
  ExitCode worst = ExitCode::kOk;
  size_t accepted_count = 0;
  for (const std::string& path : *paths) {
    const absl::StatusOr<bool> is_accepted =
        AcceptGolden(options, path, documents, console);
    if (!is_accepted.ok()) {
      console.Error(std::string(is_accepted.status().message()));
      worst = std::max(worst, ExitCodeOf(is_accepted.status()));
    } else if (*is_accepted) {
      ++accepted_count;
    }
  }
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("accept");
    document["goldens"] = std::move(documents);
    PrintJson(document, console);
  }
  if (worst == ExitCode::kOk && accepted_count == 0) {
    console.Error("nothing changes, so nothing was accepted");
    return ExitCode::kDifferent;
  }
  return worst;
}

}  // namespace

Command MakeAcceptCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "accept";
  command.summary = "Makes golden replays anew, after showing what changes";
  command.description =
      "Plays the inputs of each golden on the pack of today, and shows what "
      "changes: the outcome first, then the pack's changes, then tick, phase, "
      "object and field. Then asks for "
      "the reason, and writes the golden, its text (.txtpb) and the reason "
      "(.reasons.txt) side by side, for the review. What doesn't change isn't "
      "touched; exits with 1 where that is all.";
  command.arguments = {"GOLDEN|FOLDER...", 1, kManyArguments};
  command.flags = {
      {"pack", "PACK",
       "The pack of today. If unset, the one of the recorded name in "
       "$REPRISE_PACKS (sim/packs if unset).",
       &options->pack},
      {"reason", "TEXT",
       "Why the change is right. If unset, asked for on a terminal.",
       &options->reason},
      {"inputs", "FILE",
       "Make one golden of the inputs of this replay; it needn't be there yet.",
       &options->inputs},
      options->format.flag(),
  };
  command.examples = {
      {"After a change on purpose",
       "reprise accept tests/golden/*.mcap --reason 'marbles are heavier'"},
      {"The first golden of a pack",
       "reprise run my_pack --ticks 300 --record run.mcap; reprise accept "
       "golden/my_pack.mcap --inputs run.mcap --pack my_pack --reason 'first'"},
  };
  command.run = [options](const std::vector<std::string>& paths,
                          Console& console) {
    return Accept(*options, paths, console);
  };
  return command;
}

}  // namespace reprise::tools

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise pack check`, `reprise pack diff` and `reprise pack list`.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "reprise/v1/pack.pb.h"
#include "services/storage/pack_catalog.h"
#include "sim/base/content_digest.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/fuzzing_description.h"
#include "sim/pack_archive.h"
#include "sim/simulation_registry.h"
#include "sim/world/definition/world_definition.h"
#include "tools/reprise/differences/pack_change_output.h"
#include "tools/reprise/fuzzing/fuzzing_check.h"
#include "tools/reprise/inputs/file_search.h"
#include "tools/reprise/inputs/pack_difference.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/reports/field_reference.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

// The simulation whose compiler says where each mistake is.
constexpr std::string_view kWorld = "world";

struct CheckOptions {
  std::string simulation;
  bool warnings_as_errors = false;
  OutputFormat format;
};

struct ListOptions {
  OutputFormat format;
};

// A pack that was looked at.
struct CheckedPack {
  sim::ContentDigest digest;
  std::string simulation;  // empty where pack.txtpb can't be read
  sim::PackReport report = sim::PackReport({.is_author = true});
};

// Finds all mistakes. NOT_FOUND: there is no such pack, or this program lacks
// the pack's simulation.
absl::StatusOr<CheckedPack> CheckPack(const std::string& name,
                                      const std::string& simulation) {
  const absl::StatusOr<sim::PackArchive> pack = OpenPack(name);
  if (!pack.ok()) return pack.status();
  CheckedPack checked = {.digest = pack->ComputeDigest(),
                         .simulation = simulation};
  if (simulation.empty()) {
    const absl::StatusOr<std::string> own = sim::SimulationOf(*pack);
    // What is a world's is read by its compiler, with all that is wrong.
    if (!own.ok() || *own != kWorld) {
      if (sim::ParseManifest(*pack, checked.report) == nullptr) return checked;
    }
    if (!own.ok()) return own.status();
    checked.simulation = *own;
  }
  if (checked.simulation == kWorld) {
    const auto world = sim::CompilePack(*pack, /*seed=*/0, checked.report);
    // Expressions are checked against a world: the pack is read once more.
    if (world != nullptr &&
        world->description.fuzzing != sim::FuzzingDescription()) {
      CheckFuzzing(*pack, checked.report);
    }
    return checked;
  }
  // Other simulations say what is wrong in words alone.
  const absl::Status status =
      sim::CreateSimulation(checked.simulation, *pack, /*seed=*/0).status();
  if (status.ok()) return checked;
  if (!absl::IsInvalidArgument(status)) return status;
  checked.report.Add({.file = std::string(sim::kPackManifestPath),
                      .line = 0,
                      .column = 0,
                      .field = "",
                      .message = std::string(status.message())});
  return checked;
}

Json ProblemToJson(const sim::PackProblem& problem) {
  return {{"file", problem.file},
          {"line", problem.line},
          {"column", problem.column},
          {"field", problem.field},
          {"message", problem.message}};
}

Json CheckedToJson(const std::string& name, const CheckedPack& checked) {
  Json problems = Json::array();
  for (const sim::PackProblem& problem : checked.report.problems()) {
    problems.push_back(ProblemToJson(problem));
  }
  Json warnings = Json::array();
  for (const sim::PackProblem& warning : checked.report.warnings()) {
    warnings.push_back(ProblemToJson(warning));
  }
  return {{"pack", name},
          {"is_ok", checked.report.ok()},
          {"digest", sim::FormatDigest(checked.digest)},
          {"simulation", checked.simulation},
          {"problems", std::move(problems)},
          {"warnings", std::move(warnings)}};
}

void PrintHuman(const std::string& name, const CheckedPack& checked,
                Console& console) {
  // "folder/pack.txtpb:12:3: ...": editors jump to it.
  for (const sim::PackProblem& problem : checked.report.problems()) {
    fmt::print(console.out(), "{}/{}\n", name, sim::FormatProblem(problem));
  }
  for (sim::PackProblem warning : checked.report.warnings()) {
    warning.message = "warning: " + warning.message;
    fmt::print(console.out(), "{}/{}\n", name, sim::FormatProblem(warning));
  }
  if (checked.report.ok()) {
    fmt::print(console.out(), "{}: ok, {}\n", name,
               sim::FormatDigest(checked.digest));
    return;
  }
  for (const sim::PackProblem& problem : checked.report.problems()) {
    if (problem.field.empty() ||
        !ExplainField(FieldReferencePage(), problem.field).ok()) {
      continue;
    }
    console.Note(fmt::format("`reprise pack explain {}` says what a field is",
                             ShellQuote(problem.field)));
    return;
  }
}

absl::StatusOr<ExitCode> CheckPacks(const CheckOptions& options,
                                    const std::vector<std::string>& arguments,
                                    Console& console) {
  const absl::StatusOr<std::vector<std::string>> names = FindPacks(arguments);
  if (!names.ok()) return names.status();
  Json packs = Json::array();
  ExitCode worst = ExitCode::kOk;
  for (const std::string& name : *names) {
    const absl::StatusOr<CheckedPack> checked =
        CheckPack(name, options.simulation);
    if (!checked.ok()) {
      console.Error(std::string(checked.status().message()));
      worst = std::max(worst, ExitCodeOf(checked.status()));
      continue;
    }
    if (!checked->report.ok()) {
      worst = std::max(worst, ExitCode::kBadInput);
    } else if (options.warnings_as_errors &&
               checked->report.warning_count() > 0) {
      worst = std::max(worst, ExitCode::kDifferent);
    }
    if (options.format.is_json()) {
      packs.push_back(CheckedToJson(name, *checked));
    } else {
      PrintHuman(name, *checked, console);
    }
  }
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("pack check");
    document["packs"] = std::move(packs);
    PrintJson(document, console);
  }
  return worst;
}

absl::StatusOr<ExitCode> DiffPacks(const OutputFormat& format,
                                   const std::vector<std::string>& names,
                                   Console& console) {
  const absl::StatusOr<sim::PackArchive> before = OpenPack(names.front());
  if (!before.ok()) return before.status();
  const absl::StatusOr<sim::PackArchive> after = OpenPack(names.back());
  if (!after.ok()) return after.status();
  const std::vector<PackChange> changes = ComparePacksAsData(*before, *after);
  if (format.is_json()) {
    Json document = MakeJsonDocument("pack diff");
    document["is_equal"] = changes.empty();
    document["changes"] = ToJson(changes);
    PrintJson(document, console);
  } else if (changes.empty()) {
    fmt::print(console.out(), "equal, {}\n",
               sim::FormatDigest(before->ComputeDigest()));
  } else {
    console.out() << FormatPackChanges(changes, changes.size());
  }
  return changes.empty() ? ExitCode::kOk : ExitCode::kDifferent;
}

// One line of the list.
struct ListedPack {
  std::string name;
  std::string title;
  std::string digest;
  std::string simulation;
};

absl::StatusOr<ListedPack> ReadListedPack(const services::PackCatalog& catalog,
                                          const std::string& name) {
  const absl::StatusOr<sim::PackArchive> pack = catalog.Load(name);
  if (!pack.ok()) return pack.status();
  sim::PackReport report;
  const std::unique_ptr<const sim::Manifest> manifest =
      sim::ParseManifest(*pack, report);
  if (manifest == nullptr) return report.ToStatus();
  return ListedPack{.name = name,
                    .title = manifest->pack.title(),
                    .digest = sim::FormatDigest(pack->ComputeDigest()),
                    .simulation = *sim::SimulationOf(*pack)};
}

absl::StatusOr<ExitCode> ListPacks(const ListOptions& options,
                                   const std::vector<std::string>& arguments,
                                   Console& console) {
  const absl::StatusOr<services::PackCatalog> catalog =
      services::PackCatalog::Open(arguments.empty() ? PacksFolder()
                                                    : arguments.front());
  if (!catalog.ok()) return catalog.status();
  Json packs = Json::array();
  const absl::StatusOr<std::vector<std::string>> names = catalog->Names();
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    const absl::StatusOr<ListedPack> pack = ReadListedPack(*catalog, name);
    if (!pack.ok()) {
      console.Warning(
          fmt::format("{}: {}", name, std::string(pack.status().message())));
    } else if (options.format.is_json()) {
      packs.push_back({{"pack", pack->name},
                       {"title", pack->title},
                       {"digest", pack->digest},
                       {"simulation", pack->simulation}});
    } else {
      fmt::print(console.out(), "{:<24}{}\n", pack->name, pack->title);
    }
  }
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("pack list");
    document["packs"] = std::move(packs);
    PrintJson(document, console);
  }
  return ExitCode::kOk;
}

}  // namespace

Command MakePackCheckCommand() {
  const auto options = std::make_shared<CheckOptions>();
  Command command;
  command.name = "pack check";
  command.summary = "Finds all mistakes in packs, with file, line and field";
  command.description =
      "Prints a line for every mistake and exits with 2 if there is any. What "
      "can be run, but hardly meant, such as an event that nobody hears of, is "
      "a warning. A folder that is no pack stands for all packs in it and "
      "below.";
  command.arguments = {"PACK|FOLDER...", 1, kManyArguments};
  command.flags = {
      {"simulation", "NAME",
       "The simulation that is to run them. What each manifest names if unset.",
       &options->simulation},
      {"warnings-as-errors", "", "Exits with 1 where there are warnings alone.",
       &options->warnings_as_errors},
      options->format.flag(),
  };
  command.examples = {{"Check a pack that is being written",
                       "reprise pack check my_packs/tower"}};
  command.run = [options](const std::vector<std::string>& names,
                          Console& console) {
    return CheckPacks(*options, names, console);
  };
  return command;
}

Command MakePackDiffCommand() {
  const auto format = std::make_shared<OutputFormat>();
  Command command;
  command.name = "pack diff";
  command.summary = "Compares two packs as data: what was set, added, removed";
  command.description =
      "A line for each change, by its path, with the old and the new value; "
      "scripts and other files by their first different line. Order and "
      "comments change nothing. Exits with 1 if there is any change.";
  command.arguments = {"A B", 2, 2};
  command.flags = {format->flag()};
  command.examples = {{"What did this branch change in the game?",
                       "reprise pack diff main/packs/marble packs/marble"}};
  command.run = [format](const std::vector<std::string>& names,
                         Console& console) {
    return DiffPacks(*format, names, console);
  };
  return command;
}

Command MakePackListCommand() {
  const auto options = std::make_shared<ListOptions>();
  Command command;
  command.name = "pack list";
  command.summary = "Lists the packs of a folder";
  command.description =
      "FOLDER is $REPRISE_PACKS, or sim/packs, if it is left out.";
  command.arguments = {"[FOLDER]", 0, 1};
  command.flags = {options->format.flag()};
  command.examples = {{"Which packs are there?", "reprise pack list"}};
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return ListPacks(*options, arguments, console);
  };
  return command;
}

}  // namespace reprise::tools

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise query`: where in replays something holds, and for whom; its least
// and greatest value; when it changed.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/query/query_search.h"
#include "sim/base/math.h"
#include "sim/expression/value.h"
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/query_replays.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/inputs/shown_replay.h"
#include "tools/reprise/reports/printed_expressions.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

using replays::QueryAim;
using replays::QueryFindings;

// A screen or two.
constexpr uint64_t kDefaultLimit = 100;

// Bounds the memory that findings of one file take.
constexpr uint64_t kLimitMax = 1'000'000;

struct Options {
  bool first = false;
  bool count = false;
  bool minimum = false;
  bool maximum = false;
  std::string watch;
  std::vector<std::string> print;
  std::optional<uint64_t> every;
  uint64_t limit = kDefaultLimit;
  uint64_t jobs = 1;
  std::string pack;
  OutputFormat format;
};

absl::StatusOr<QueryAim> AimOf(const Options& options) {
  const std::pair<bool, QueryAim> aims[] = {
      {options.first, QueryAim::kFirst},
      {options.count, QueryAim::kCount},
      {options.minimum, QueryAim::kMinimum},
      {options.maximum, QueryAim::kMaximum},
      {!options.watch.empty(), QueryAim::kChanges},
  };
  std::optional<QueryAim> chosen;
  for (const auto& [is_wanted, aim] : aims) {
    if (!is_wanted) continue;
    if (chosen) {
      return absl::InvalidArgumentError(
          "one of --first, --count, --min, --max and --watch at a time");
    }
    chosen = aim;
  }
  return chosen.value_or(QueryAim::kTicks);
}

// Prints what came of one file for people.
class Printer {
 public:
  // `label` stands before each line: "game.mcap: ", or nothing.
  Printer(std::string label, QueryAim aim, const QueryFindings& findings,
          Console& console)
      : label_(std::move(label)),
        aim_(aim),
        findings_(findings),
        console_(console) {}

  void Print() {
    switch (aim_) {
      case QueryAim::kTicks:
      case QueryAim::kFirst:
        PrintMatches();
        break;
      case QueryAim::kCount:
        Line(fmt::format("{}", findings_.match_count));
        break;
      case QueryAim::kMinimum:
      case QueryAim::kMaximum:
        PrintExtreme();
        break;
      case QueryAim::kChanges:
        PrintChanges();
        break;
    }
    PrintProblems();
  }

 private:
  void Line(const std::string& text) {
    fmt::print(console_.out(), "{}{}\n", label_, text);
  }

  void PrintMatches() {
    for (const replays::QueryMatch& match : findings_.matches) {
      std::string text = fmt::format("tick {}", match.tick);
      if (!match.objects.empty()) {
        text += fmt::format(": {}", fmt::join(match.objects, ", "));
      }
      if (match.objects.size() < match.subject_count &&
          !match.objects.empty()) {
        text += fmt::format(" and {} more",
                            match.subject_count - match.objects.size());
      }
      Line(text);
    }
    PrintMore(findings_.match_count - findings_.matches.size(), "ticks");
    if (findings_.is_empty()) {
      Line(fmt::format("at none of {} ticks", findings_.ticks_asked));
    } else if (aim_ == QueryAim::kTicks) {
      Line(fmt::format("at {} of {} ticks", findings_.match_count,
                       findings_.ticks_asked));
    }
  }

  void PrintExtreme() {
    if (!findings_.extreme) {
      Line("no value at any tick");
      return;
    }
    const auto& [tick, object, value] = *findings_.extreme;
    Line(fmt::format("{} at tick {}{}{}", sim::FormatExpressionValue(value),
                     tick, object.empty() ? "" : ": ", object));
  }

  void PrintChanges() {
    for (const replays::QueryChange& change : findings_.changes) {
      Line(fmt::format("tick {}: {}{}{} -> {}{}{}", change.tick, change.object,
                       change.object.empty() ? "" : " ",
                       sim::FormatExpressionValue(change.from),
                       sim::FormatExpressionValue(change.to),
                       change.writer.empty() ? "" : ", by ", change.writer));
    }
    PrintMore(findings_.change_count - findings_.changes.size(), "changes");
    if (findings_.is_empty()) {
      Line(fmt::format("no change in {} ticks", findings_.ticks_asked));
    }
  }

  void PrintMore(uint64_t count, std::string_view what) {
    if (count == 0) return;
    Line(fmt::format("and {} more {}: --limit shows them", count, what));
  }

  void PrintProblems() {
    if (findings_.first_error) {
      const auto& [tick, object, problem] = *findings_.first_error;
      console_.Warning(fmt::format("{}tick {}{}{}: {}; no answer {} time{}",
                                   label_, tick, object.empty() ? "" : ", ",
                                   object, problem, findings_.error_count,
                                   findings_.error_count == 1 ? "" : "s"));
    } else if (findings_.answer_count == 0) {
      console_.Note(
          fmt::format("{}what it names was not there at any tick", label_));
    }
  }

  const std::string label_;
  const QueryAim aim_;
  const QueryFindings& findings_;
  Console& console_;
};

Json ValueJson(const sim::ExpressionValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* number = std::get_if<double>(&value)) {
    if (sim::IsFinite(*number)) return *number;
  }
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (std::holds_alternative<sim::ExpressionAbsence>(value)) return nullptr;
  return sim::FormatExpressionValue(value);
}

Json FindingsJson(QueryAim aim, const QueryFindings& findings) {
  Json json = {{"ticks_asked", findings.ticks_asked}};
  if (aim == QueryAim::kMinimum || aim == QueryAim::kMaximum) {
    json["value"] = nullptr;
    if (findings.extreme) {
      json["value"] = ValueJson(findings.extreme->value);
      json["tick"] = findings.extreme->tick;
      json["object"] = findings.extreme->object;
    }
  } else if (aim == QueryAim::kChanges) {
    json["change_count"] = findings.change_count;
    Json changes = Json::array();
    for (const replays::QueryChange& change : findings.changes) {
      changes.push_back(
          {{"tick", change.tick},
           {"object", change.object},
           {"from", ValueJson(change.from)},
           {"to", ValueJson(change.to)},
           {"writer",
            change.writer.empty() ? Json(nullptr) : Json(change.writer)}});
    }
    json["changes"] = std::move(changes);
  } else {
    json["match_count"] = findings.match_count;
    Json matches = Json::array();
    for (const auto& [tick, subject_count, objects] : findings.matches) {
      matches.push_back({{"tick", tick},
                         {"subject_count", subject_count},
                         {"objects", objects}});
    }
    json["matches"] = std::move(matches);
  }
  json["error_count"] = findings.error_count;
  if (findings.first_error) {
    json["first_error"] = {{"tick", findings.first_error->tick},
                           {"object", findings.first_error->object},
                           {"problem", findings.first_error->problem}};
  }
  return json;
}

// The worst error; without one, whether there was anything to find.
ExitCode Summarise(const std::vector<absl::StatusOr<QueryFindings>>& results) {
  ExitCode worst = ExitCode::kOk;
  bool is_found = false;
  for (const absl::StatusOr<QueryFindings>& result : results) {
    if (!result.ok()) {
      worst = std::max(worst, ExitCodeOf(result.status()));
    } else if (!result->is_empty()) {
      is_found = true;
    }
  }
  if (worst == ExitCode::kOk && !is_found) return ExitCode::kDifferent;
  return worst;
}

ExitCode Report(const Options& options, const QueryRequest& request,
                const std::vector<std::string>& paths,
                const std::vector<absl::StatusOr<QueryFindings>>& results,
                Console& console) {
  Json files = Json::array();
  for (size_t i = 0; i < paths.size(); ++i) {
    const absl::StatusOr<QueryFindings>& result = results[i];
    if (options.format.is_json()) {
      Json file = {{"file", paths[i]}};
      if (result.ok()) {
        file.update(FindingsJson(request.aim, *result));
      } else {
        file["error"] = std::string(result.status().message());
      }
      files.push_back(std::move(file));
    } else if (result.ok()) {
      const std::string label = paths.size() > 1 ? paths[i] + ": " : "";
      Printer(label, request.aim, *result, console).Print();
    }
    if (!result.ok()) TellError(result.status(), console);
  }
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("query");
    document["expression"] = request.expression;
    document["files"] = std::move(files);
    PrintJson(document, console);
  }
  return Summarise(results);
}

// A table of one replay.
absl::StatusOr<ExitCode> PrintTable(const Options& options,
                                    const std::vector<std::string>& arguments,
                                    Console& console) {
  if (options.first || options.count || options.minimum || options.maximum ||
      !options.watch.empty() || options.format.is_json()) {
    return absl::InvalidArgumentError(
        "--print makes a table (CSV) by itself: no --first, --count, --min, "
        "--max, --watch and --format json beside it");
  }
  if (arguments.size() != 1) {
    return absl::InvalidArgumentError("--print makes a table of one replay");
  }
  FrameFlags frames;
  frames.every = options.every.value_or(1);
  frames.pack = options.pack;
  const absl::Status status =
      PrintExpressions(arguments.front(), options.print, frames, console);
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> QueryFiles(const Options& options,
                                    std::vector<std::string> arguments,
                                    Console& console) {
  if (!options.print.empty()) return PrintTable(options, arguments, console);
  if (options.every.has_value()) {
    return absl::InvalidArgumentError("--every is of --print");
  }
  const absl::StatusOr<QueryAim> aim = AimOf(options);
  if (!aim.ok()) return aim.status();
  QueryRequest request{.expression = options.watch,
                       .aim = *aim,
                       .limit = options.limit,
                       .jobs = options.jobs};
  if (*aim != QueryAim::kChanges) {
    request.expression = arguments.back();
    arguments.pop_back();
  }
  if (arguments.empty()) {
    return absl::InvalidArgumentError(
        "a replay and an expression are wanted: reprise query game.mcap 'tick "
        "> 3'");
  }
  if (options.jobs == 0 || options.jobs > kQueryJobsMax) {
    return absl::InvalidArgumentError(
        fmt::format("--jobs is 1 to {}", kQueryJobsMax));
  }
  if (options.limit > kLimitMax) {
    return absl::InvalidArgumentError(
        fmt::format("--limit is at most {}", kLimitMax));
  }
  const absl::StatusOr<std::vector<std::string>> paths = FindReplays(arguments);
  if (!paths.ok()) return paths.status();
  const absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(options.pack);
  if (!pack.ok()) return pack.status();
  request.pack = *pack ? &**pack : nullptr;

  const std::vector<absl::StatusOr<QueryFindings>> results =
      AskReplays(request, *paths, console);
  // One file that fails is the command's failure.
  if (results.size() == 1 && !results[0].ok()) return results[0].status();
  return Report(options, request, *paths, results, console);
}

std::vector<Flag> MakeFlags(Options& options) {
  return {
      {"first", "", "Stop at the first tick at which it holds.",
       &options.first},
      {"count", "", "Print only at how many ticks it holds.", &options.count},
      {"min", "", "Print the least value of a number, and where it was.",
       &options.minimum},
      {"max", "", "Print the greatest.", &options.maximum},
      {"watch", "EXPRESSION",
       "Print every tick at which this changed, from what, to what, and who "
       "did it. Then all arguments are files.",
       &options.watch},
      {"print", "EXPRESSION,...",
       "Print a table (CSV) of what these are at every tick of one replay; "
       "where one is about objects, a column each. Then the argument is the "
       "file. May be repeated.",
       &options.print},
      {"every", "N", "With --print: only every Nth tick. 1 if unset.",
       &options.every},
      {"limit", "N", "Print so many ticks or changes of a file. 100 if unset.",
       &options.limit},
      {"jobs", "N",
       "Play so many files side by side, or, of fewer files, parts of each. "
       "The answer is the same for any number. 1 if unset.",
       &options.jobs},
      {"pack", "PACK", "Play the inputs on this pack, not on the one inside.",
       &options.pack},
      options.format.flag(),
  };
}

}  // namespace

Command MakeQueryCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "query";
  command.summary = "Finds the ticks and objects of replays for which it holds";
  command.description =
      "EXPRESSION compares fields, events and objects: `bodies.position.y < 0` "
      "(of some object), `crate_7.bodies.position.y < 0`, `event(\"goal\") > "
      "0`, `count(bodies.position.y < 0) >= 3`, `outcome == won and tick < "
      "900`; docs/query.md has it all. Of a folder, every *.mcap in it is "
      "asked. The exit code is 1 when nothing is found.";
  command.arguments = {"FILE|FOLDER... EXPRESSION", 1, kManyArguments};
  command.flags = MakeFlags(*options);
  command.examples = {
      {"When did the marble first fall, and how fast?",
       "reprise query game.mcap 'player.bodies.linear_velocity.y < -1' "
       "--first"},
      {"How high did anything get?",
       "reprise query game.mcap bodies.position.y --max"},
      {"Who changed this field, and when?",
       "reprise query game.mcap --watch player.bodies.activation"},
      {"A table of a height, ten rows a second",
       "reprise query game.mcap --print player.bodies.position.y --every 6"},
      {"Which of these runs were lost?",
       "reprise query runs 'outcome == lost' --first --jobs 2"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return QueryFiles(*options, arguments, console);
  };
  return command;
}

}  // namespace reprise::tools

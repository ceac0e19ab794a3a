// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verbs/command.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "services/base/small_file.h"
#include "sim/base/nearest_name.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/inputs/store_location.h"
#include "tools/reprise/terminal/used_variables.h"
#include "tools/reprise/verbs/version.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kProgram = "reprise";

// The first word of the verbs of a store.
constexpr std::string_view kStore = "store";

// The verb that the others point to where a replay is damaged.
constexpr std::string_view kRecover = "recover";

constexpr std::string_view kOpening =
    "reprise: deterministic simulations, recorded, replayed and verified\n";

constexpr std::string_view kPlugins =
    "Simulations of your own, with any verb:\n"
    "  --plugin FILE  a shared library that holds one; may be repeated.\n"
    "                 $REPRISE_PLUGINS names more, with ':' between them\n\n";

constexpr std::string_view kExitCodes =
    "Exit codes:\n"
    "  0    it worked, and what was checked holds\n"
    "  1    two runs differ, a game is lost, an expectation failed, or\n"
    "       nothing was checked\n"
    "  2    wrong command line, or malformed input\n"
    "  3    a file, pack, replay or simulation is missing\n"
    "  4    the simulation crashed or hung\n"
    "  5    the machine or the server failed: disk, permission, network\n"
    "  125  can't be tested (only where --bisect asks for it)\n";

std::string_view FirstWord(std::string_view name) {
  return name.substr(0, name.find(' '));
}

// The verb that `arguments` begin with, and how many words its name has.
std::pair<const Command*, size_t> FindCommand(
    std::span<const Command> commands, std::span<const std::string> arguments) {
  for (const size_t words : {size_t{2}, size_t{1}}) {
    if (arguments.size() < words) continue;
    const std::string name =
        fmt::format("{}", fmt::join(arguments.first(words), " "));
    const auto found = std::ranges::find(commands, name, &Command::name);
    if (found != commands.end()) return {&*found, words};
  }
  return {nullptr, 0};
}

// Prints the verbs below `word` ("pack"); false where there are none.
bool DescribeGroup(std::span<const Command> commands, std::string_view word,
                   std::ostream& stream) {
  std::vector<Command> group;
  std::ranges::copy_if(commands, std::back_inserter(group),
                       [word](const Command& command) {
                         return FirstWord(command.name) == word;
                       });
  if (group.empty()) return false;
  stream << DescribeCommands(group);
  return true;
}

ExitCode UnknownCommand(std::span<const Command> commands,
                        std::span<const std::string> arguments,
                        Console& console) {
  const std::string_view word = arguments.front();
  if (DescribeGroup(commands, word, console.err())) return ExitCode::kBadInput;
  std::vector<std::string_view> names = {"help"};
  for (const Command& command : commands) {
    names.push_back(FirstWord(command.name));
  }
  console.Error(fmt::format("there is no verb '{}'{}", word,
                            sim::DidYouMean(word, names)));
  console.Note("`reprise help` lists the verbs");
  return ExitCode::kBadInput;
}

// `reprise help`, `reprise help VERB`.
ExitCode Help(std::span<const Command> commands,
              std::span<const std::string> arguments, Console& console) {
  if (arguments.empty()) {
    console.out() << DescribeCommands(commands);
    return ExitCode::kOk;
  }
  const auto [command, words] = FindCommand(commands, arguments);
  if (command != nullptr) {
    console.out() << DescribeCommand(*command);
    return ExitCode::kOk;
  }
  if (DescribeGroup(commands, arguments.front(), console.out())) {
    return ExitCode::kOk;
  }
  return UnknownCommand(commands, arguments, console);
}

absl::Status CheckArgumentCount(const Command& command, size_t count) {
  if (count < command.arguments.count_min) {
    return absl::InvalidArgumentError(fmt::format(
        "`reprise {}` takes {}", command.name, command.arguments.synopsis));
  }
  if (count > command.arguments.count_max) {
    return absl::InvalidArgumentError(fmt::format(
        "`reprise {}` takes {}, not {} arguments", command.name,
        command.arguments.synopsis.empty() ? "none"
                                           : command.arguments.synopsis,
        count));
  }
  return absl::OkStatus();
}

// Runs a verb whose command line is in order.
ExitCode Run(const Command& command, const std::vector<std::string>& positional,
             std::span<const std::string> arguments, Console& console) {
  absl::StatusOr<ExitCode> result = command.run(positional, console);
  console.out().flush();
  if (result.ok() && !console.out()) {
    result = absl::UnavailableError("standard output can't be written");
  }
  if (!result.ok()) {
    if (command.name == kRecover) {
      console.Error(std::string(result.status().message()));
    } else {
      TellError(result.status(), console);
    }
  }
  const ExitCode code = result.ok() ? *result : ExitCodeOf(result.status());
  if (code != ExitCode::kOk) console.Reproduce(FormatReproduction(arguments));
  return code;
}

// Reads the file that the flags, or the environment, named, and then again what
// goes before it. Errors are those of the file and of all three.
absl::Status ReadConfiguration(const Command& command,
                               std::span<const std::string> arguments) {
  const std::string path = *command.configuration;
  const auto text = services::ReadSmallFile(path);
  if (!text.ok()) return text.status();
  absl::Status status = ParseConfiguration(command.configurable,
                                           command.environment, path, *text);
  if (!status.ok()) return status;
  status = ParseEnvironment(command.flags, command.environment, environ);
  if (!status.ok()) return status;
  return ParseFlags(command.flags, arguments).status();
}

}  // namespace

std::string DescribeCommand(const Command& command) {
  std::string text = fmt::format("{}\n\nUsage: {} {}{}{} [FLAGS]\n\n",
                                 command.summary, kProgram, command.name,
                                 command.arguments.synopsis.empty() ? "" : " ",
                                 command.arguments.synopsis);
  std::string environment;
  if (!command.environment.empty()) {
    environment = fmt::format(
        "Each flag can be a variable, too: --idle-timeout as "
        "{}IDLE_TIMEOUT. Flags go before variables, and those before what "
        "--config says.",
        command.environment);
  }
  if (!command.description.empty()) {
    text += WrapText(command.description, 0) + "\n";
  }
  text += fmt::format("Flags:\n{}", DescribeFlags(command.flags));
  if (!environment.empty()) text += "\n" + WrapText(environment, 0);
  if (!command.examples.empty()) text += "\nExamples:\n";
  for (const Command::Example& example : command.examples) {
    text += fmt::format("  # {}\n  {}\n", example.purpose, example.command);
  }
  return text;
}

std::string DescribeCommands(std::span<const Command> commands) {
  std::string text = fmt::format(
      "{}\nUsage: {} VERB [ARGUMENTS] [FLAGS]\n\nVerbs:\n", kOpening, kProgram);
  for (const Command& command : commands) {
    text += fmt::format("  {:<14}{}\n", command.name, command.summary);
  }
  text += "\n`reprise VERB --help` says more, with examples.\n\n";
  text += std::string(kPlugins);
  return text + std::string(kExitCodes);
}

namespace {

// What was printed without a verb's Run: help and the version.
ExitCode CheckPrinted(ExitCode code, Console& console) {
  console.out().flush();
  if (code != ExitCode::kOk || console.out()) return code;
  console.Error("standard output can't be written");
  return ExitCode::kInfrastructure;
}

}  // namespace

ExitCode RunCommandLine(std::span<const Command> commands,
                        std::span<const std::string> arguments,
                        Console& console) {
  if (arguments.empty()) {
    console.err() << DescribeCommands(commands);
    return ExitCode::kBadInput;
  }
  const std::string_view first = arguments.front();
  if (first == "help" || first == "--help" || first == "-h") {
    return CheckPrinted(Help(commands, arguments.subspan(1), console), console);
  }
  if (first == "--version") {
    console.out() << DescribeVersion();
    return CheckPrinted(ExitCode::kOk, console);
  }
  const auto [command, words] = FindCommand(commands, arguments);
  if (command == nullptr) return UnknownCommand(commands, arguments, console);

  // The verbs of a store name its replays themselves.
  absl::StatusOr<std::vector<std::string>> resolved =
      std::vector<std::string>(arguments.begin(), arguments.end());
  if (FirstWord(command->name) != kStore) {
    resolved = ResolveStoreReferences(arguments);
  }
  if (!resolved.ok()) {
    console.Error(std::string(resolved.status().message()));
    return ExitCodeOf(resolved.status());
  }
  absl::Status status;
  if (!command->environment.empty()) {
    status = ParseEnvironment(command->flags, command->environment, environ);
  }
  const absl::StatusOr<ParsedArguments> parsed =
      ParseFlags(command->flags, std::span(*resolved).subspan(words));
  if (status.ok()) status = parsed.status();
  if (status.ok() && command->configuration != nullptr &&
      !command->configuration->empty()) {
    status = ReadConfiguration(*command, std::span(*resolved).subspan(words));
  }
  if (parsed.ok() && parsed->wants_help) {
    console.out() << DescribeCommand(*command);
    return CheckPrinted(ExitCode::kOk, console);
  }
  if (status.ok()) {
    status = CheckArgumentCount(*command, parsed->positional.size());
  }
  if (!status.ok()) {
    console.Error(std::string(status.message()));
    console.Note(fmt::format("see `reprise {} --help`", command->name));
    return absl::IsNotFound(status) ? ExitCodeOf(status) : ExitCode::kBadInput;
  }
  return Run(*command, parsed->positional, arguments, console);
}

}  // namespace reprise::tools

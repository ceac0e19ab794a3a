// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A verb of the command: what it is called, what it takes, what it does. Help,
// parsing and errors all come from this one description.

#ifndef REPRISE_TOOLS_REPRISE_VERBS_COMMAND_H_
#define REPRISE_TOOLS_REPRISE_VERBS_COMMAND_H_

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {

inline constexpr size_t kManyArguments = std::numeric_limits<size_t>::max();

struct Command {
  struct Arguments {
    std::string_view synopsis;  // "FILE..."
    size_t count_min = 0;
    size_t count_max = 0;
  };

  struct Example {
    std::string_view purpose;
    std::string_view command;
  };

  // One or two words: "verify", "pack check".
  std::string_view name;
  // One line for the list of verbs.
  std::string_view summary;
  // What there is to know before using it.
  std::string_view description;
  Arguments arguments;
  std::vector<Flag> flags;
  // What the variables of the environment begin with that say what flags say;
  // flags go before. Empty: there are none.
  std::string_view environment;
  // The target of the flag that names a file of such variables, which go behind
  // those of the environment; null: there is none.
  const std::string* configuration = nullptr;
  // The flags that such a file may say: not those about the file itself.
  std::vector<Flag> configurable;
  std::vector<Example> examples;

  // Does the work with the positional arguments, once the flags' targets are
  // filled. A Status is an error that main reports and turns into an exit code;
  // a verb that reported what it found returns the code itself.
  std::function<absl::StatusOr<ExitCode>(const std::vector<std::string>&,
                                         Console&)>
      run;
};

// What `reprise VERB --help` prints.
std::string DescribeCommand(const Command& command);

// What `reprise help` prints.
std::string DescribeCommands(std::span<const Command> commands);

// Finds the verb in `arguments` (without the program's name), and runs it, or
// prints help or the version. Reports errors, with the command line that
// reproduces them.
ExitCode RunCommandLine(std::span<const Command> commands,
                        std::span<const std::string> arguments,
                        Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERBS_COMMAND_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// GNU long flags from one declaration each: parsing, help text and errors all
// come from it, so that none of them can disagree with another.
//
//   Options options;
//   const std::vector<Flag> flags = {
//       {"seed", "N", "Everything random follows from it. 0 if unset.",
//        &options.seed},
//       {"digests", "", "Print the digest of every tick.", &options.digests},
//   };

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_FLAGS_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_FLAGS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace reprise::tools {

// A flag whose value is one of a few words.
struct ChoiceTarget {
  std::string_view* value;
  std::vector<std::string_view> choices;
};

struct Flag {
  // What a value is stored in; it has to outlive the flag. A switch, which
  // takes no value, is a bool. A vector gathers every use of the flag; of all
  // others the last use counts.
  using Target = std::variant<bool*, uint64_t*, std::optional<uint64_t>*,
                              std::string*, std::optional<std::string>*,
                              std::vector<std::string>*, ChoiceTarget>;

  std::string_view name;   // without its dashes
  std::string_view value;  // what help calls the value: "FILE"; "" for a switch
  std::string_view help;
  Target target;
};

struct ParsedArguments {
  // What is no flag, in order.
  std::vector<std::string> positional;
  // Whether --help or -h was among the flags.
  bool wants_help = false;
};

// Stores the values of `arguments` in the targets of `flags`. Takes
// `--name value`, `--name=value`, `--name` for a switch, and everything after
// `--` as it is; flags and other arguments may be mixed.
//
// INVALID_ARGUMENT says which flag is unknown (and which one was probably
// meant), lacks a value, has one although it is a switch, or can't be read.
// What was stored before the mistake stays stored.
absl::StatusOr<ParsedArguments> ParseFlags(
    std::span<const Flag> flags, std::span<const std::string> arguments);

// Stores what the variables of `environment` ("NAME=value", ended by a null)
// say whose names begin with `prefix`: the flag's name behind it, in capitals
// and with '_' for '-'. A switch takes 1 or 0; one that is empty says nothing.
// INVALID_ARGUMENT, as above, names the variable.
absl::Status ParseEnvironment(std::span<const Flag> flags,
                              std::string_view prefix,
                              const char* const* environment);

// Stores what the lines of the file `path` say, whose text is `text`: each a
// variable as above, but for empty ones and those that begin with '#'.
// INVALID_ARGUMENT, as above, for a line that is none, and for one that says
// again what another one says, names file and line.
absl::Status ParseConfiguration(std::span<const Flag> flags,
                                std::string_view prefix, std::string_view path,
                                std::string_view text);

// What the flags' targets hold, as lines that ParseEnvironment takes; those
// that hold nothing are comments.
std::string FormatEnvironment(std::span<const Flag> flags,
                              std::string_view prefix);

// The names of those `flags` whose targets hold something else than those of
// the same flags in `unset`.
std::vector<std::string_view> ChangedFlags(std::span<const Flag> flags,
                                           std::span<const Flag> unset);

// A line or more for each flag, indented and wrapped at 80 columns, --help
// last.
std::string DescribeFlags(std::span<const Flag> flags);

// `text` in lines of at most 80 columns, each starting with `indent` spaces.
std::string WrapText(std::string_view text, size_t indent);

// The same with `head` in front of it, or above it where that is too long.
std::string WrapBeside(std::string_view head, std::string_view text,
                       size_t indent);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_FLAGS_H_

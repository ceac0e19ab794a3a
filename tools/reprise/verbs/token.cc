// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise token`: makes a token for a server, and its line.

#include "services/base/token.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "services/base/small_file.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string scopes = "play";
  std::string tenant;
  std::string add_to;
};

// Adds `line` to the file `path`, which only its owner reads where it is new.
absl::Status AddLine(const std::string& path, const std::string& line) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
                        S_IRUSR | S_IWUSR);
  const bool is_written = file >= 0 && write(file, line.data(), line.size()) ==
                                           static_cast<ssize_t>(line.size());
  const std::error_code error(errno, std::generic_category());
  if (file >= 0) close(file);
  if (is_written) return absl::OkStatus();
  return absl::UnavailableError(fmt::format("{}: {}", path, error.message()));
}

absl::StatusOr<ExitCode> MakeToken(const Options& options,
                                   const std::string& name, Console& console) {
  const std::string token = services::NewToken();
  const std::optional<services::Scope> scope =
      services::ParseScope(options.scopes);
  if (!scope.has_value()) {
    return absl::InvalidArgumentError(
        fmt::format("flag --scopes takes observe, play or manage, not '{}'",
                    options.scopes));
  }
  std::string line =
      services::FormatTokenLine({.name = name,
                                 .digest = services::DigestOf(token),
                                 .scope = *scope,
                                 .tenant = {.name = options.tenant}}) +
      "\n";
  // As a server will read it, with what it says of mistakes.
  const absl::Status made =
      services::TokenTable::Parse("the new token", line).status();
  if (!made.ok()) return made;

  if (options.add_to.empty()) {
    fmt::print(console.out(), "{}\n{}", token, line);
    return ExitCode::kOk;
  }
  auto before = services::ReadSmallFile(options.add_to);
  if (absl::IsNotFound(before.status())) before = "";
  if (!before.ok()) return before.status();
  if (!before->empty() && !before->ends_with('\n')) line.insert(0, "\n");
  const absl::Status whole =
      services::TokenTable::Parse(options.add_to, *before + line).status();
  if (!whole.ok()) return whole;
  if (absl::Status added = AddLine(options.add_to, line); !added.ok()) {
    return added;
  }
  fmt::print(console.out(), "{}\n", token);
  return ExitCode::kOk;
}

}  // namespace

Command MakeTokenCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "token";
  command.summary = "Makes a token for a server";
  command.description =
      "Prints a token from the system's random source, and the line that goes "
      "into the file of `reprise serve --tokens`. The line holds no more of "
      "the "
      "token than its SHA-256, so whoever needs the token has to keep it.";
  command.arguments = {"NAME", 1, 1};
  command.flags = {
      {"scopes", "SCOPE",
       "What it allows: observe, play, which observes, too, or manage, which "
       "does all. play if unset.",
       &options->scopes},
      {"tenant", "TENANT",
       "Whose sessions and replays it is for. Those of nobody in particular if "
       "unset.",
       &options->tenant},
      {"add-to", "FILE",
       "Add the line to this file, and print the token alone. A running server "
       "takes it within seconds.",
       &options->add_to},
  };
  command.examples = {
      {"Let a farm of jobs play", "reprise token ci --add-to tokens"},
      {"Let somebody look",
       "reprise token ann --scopes observe --tenant red --add-to tokens"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return MakeToken(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools

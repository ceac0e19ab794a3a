// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/plugin_flags.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "tools/reprise/inputs/plugin_library.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kFlag = "--plugin";

// So that a process in another folder finds it.
std::string Absolute(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute =
      std::filesystem::weakly_canonical(path, error);
  return error ? path : absolute.string();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> TakePluginFlags(
    std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  std::vector<std::string> others;
  const auto end = std::ranges::find(arguments, "--");
  for (auto argument = arguments.begin(); argument != end; ++argument) {
    if (*argument == kFlag) {
      if (++argument == end) {
        return absl::InvalidArgumentError(
            fmt::format("{} takes a file", kFlag));
      }
      files.push_back(*argument);
    } else if (argument->starts_with(fmt::format("{}=", kFlag))) {
      files.push_back(argument->substr(kFlag.size() + 1));
    } else {
      others.push_back(*argument);
    }
  }
  others.insert(others.end(), end, arguments.end());
  arguments = std::move(others);
  return files;
}

absl::Status LoadPlugins(const std::vector<std::string>& files) {
  std::vector<std::string> paths;
  if (const char* const variable = std::getenv(kPluginsVariable)) {
    paths = absl::StrSplit(variable, ':', absl::SkipEmpty());
  }
  paths.insert(paths.end(), files.begin(), files.end());
  // Those of the variable, too: a line that reproduces a failure works in
  // another shell.
  std::vector<std::string> flags;
  std::vector<std::string> named;
  for (const std::string& path : paths) {
    if (std::ranges::find(named, path) != named.end()) continue;
    named.push_back(path);
    flags.insert(flags.end(), {std::string(kFlag), path});
  }
  if (paths.empty()) return absl::OkStatus();
  std::ranges::transform(paths, paths.begin(), Absolute);
  // Of a flag that repeats the variable nothing is meant but the same.
  std::vector<std::string> once;
  for (const std::string& path : paths) {
    if (std::ranges::find(once, path) == once.end()) once.push_back(path);
  }
  SetCommonFlags(flags);
  setenv(kPluginsVariable, fmt::format("{}", fmt::join(once, ":")).c_str(),
         /*overwrite=*/1);
  return RegisterPlugins(once);
}

}  // namespace reprise::tools

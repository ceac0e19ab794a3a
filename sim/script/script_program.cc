// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/script_program.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/script/lua_syntax.h"

namespace reprise::sim {
namespace {

absl::Status CheckSizes(const std::vector<ScriptFile>& files) {
  if (files.size() > kScriptFilesMax) {
    return absl::ResourceExhaustedError(fmt::format(
        "{} scripts; {} is the most", files.size(), kScriptFilesMax));
  }
  size_t bytes = 0;
  for (const ScriptFile& file : files) {
    bytes += file.source.size();
    if (file.source.size() > kScriptFileBytesMax) {
      return absl::ResourceExhaustedError(
          fmt::format("{}: {} bytes; {} is the most", file.name,
                      file.source.size(), kScriptFileBytesMax));
    }
  }
  if (bytes > kScriptProgramBytesMax) {
    return absl::ResourceExhaustedError(fmt::format(
        "{} bytes of scripts; {} is the most", bytes, kScriptProgramBytesMax));
  }
  return absl::OkStatus();
}

absl::Status CheckNames(const std::vector<ScriptFile>& files) {
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string& name = files[i].name;
    if (name.empty() || name.size() > kScriptNameBytesMax ||
        std::any_of(name.begin(), name.end(),
                    [](char c) { return c < ' ' || c == 127; })) {
      return absl::InvalidArgumentError(fmt::format(
          "'{}' is no name of a script: 1 to {} visible ASCII characters",
          name.substr(0, kScriptNameBytesMax), kScriptNameBytesMax));
    }
    if (i > 0 && files[i - 1].name == name) {
      return absl::InvalidArgumentError(name + " is there twice");
    }
  }
  return absl::OkStatus();
}

}  // namespace

ScriptProgram::ScriptProgram(std::vector<ScriptFile> files)
    : files_(std::move(files)) {}

absl::StatusOr<std::shared_ptr<const ScriptProgram>> ScriptProgram::Compile(
    std::vector<ScriptFile> files) {
  const absl::Status sizes = CheckSizes(files);
  if (!sizes.ok()) return sizes;
  std::stable_sort(
      files.begin(), files.end(),
      [](const ScriptFile& a, const ScriptFile& b) { return a.name < b.name; });
  const absl::Status names = CheckNames(files);
  if (!names.ok()) return names;
  std::string problems;
  for (const ScriptFile& file : files) {
    const std::string problem = FindSyntaxError(file.name, file.source);
    if (problem.empty()) continue;
    if (!problems.empty()) problems += '\n';
    problems += problem;
  }
  if (!problems.empty()) return absl::InvalidArgumentError(problems);
  // The constructor is private.
  return std::shared_ptr<const ScriptProgram>(
      new ScriptProgram(std::move(files)));
}

int ScriptProgram::Find(std::string_view name) const {
  const auto place =
      std::lower_bound(files_.begin(), files_.end(), name,
                       [](const ScriptFile& file, std::string_view wanted) {
                         return file.name < wanted;
                       });
  if (place == files_.end() || place->name != name) return -1;
  return static_cast<int>(place - files_.begin());
}

}  // namespace reprise::sim

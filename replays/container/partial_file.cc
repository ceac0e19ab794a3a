// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/partial_file.h"

#include <filesystem>
#include <system_error>

#include "fmt/format.h"

namespace reprise::replays {
namespace {

constexpr std::string_view kPartialSuffix = ".partial";

bool IsThere(const std::string& path) {
  std::error_code ignored;  // What can't be looked at is as good as missing.
  return std::filesystem::exists(path, ignored);
}

}  // namespace

std::string PartialPath(std::string_view path) {
  return fmt::format("{}{}", path, kPartialSuffix);
}

std::string UnfinishedPath(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;  // A file that isn't there yet will be a file.
  const fs::file_status status = fs::symlink_status(path, ignored);
  // Another file's name would replace a link, and not what it leads to.
  return fs::is_symlink(status) || fs::is_other(status) ? path
                                                        : PartialPath(path);
}

std::string FinishedPath(std::string_view path) {
  if (path.ends_with(kPartialSuffix)) path.remove_suffix(kPartialSuffix.size());
  return std::string(path);
}

std::string PathNow(const std::string& path) {
  if (IsThere(path)) return path;
  const std::string finished = FinishedPath(path);
  const std::string other = finished == path ? PartialPath(path) : finished;
  return IsThere(other) ? other : path;
}

}  // namespace reprise::replays

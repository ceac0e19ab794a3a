// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/recording_names.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/functional/function_ref.h"
#include "fmt/format.h"

namespace reprise::replays {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReplaySuffix = ".mcap";

absl::Status Failed(const std::string& path, int error) {
  return absl::UnavailableError(
      fmt::format("{}: {}", path, std::generic_category().message(error)));
}

using NameVisitor =
    absl::FunctionRef<absl::Status(const std::string&, const struct stat&)>;

// Calls `visit` for each file of `folder` that is named as a finished
// recording, and of the folders in it, so many levels down. What vanishes
// meanwhile is no error.
absl::Status ForEachName(const std::string& folder, int levels,
                         NameVisitor visit) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  while (!error && entry != fs::directory_iterator()) {
    const std::string path = entry->path().string();
    struct stat information = {};
    absl::Status status;
    if (lstat(path.c_str(), &information) != 0) {
      if (errno != ENOENT) status = Failed(path, errno);
    } else if (S_ISDIR(information.st_mode)) {
      if (levels > 0) status = ForEachName(path, levels - 1, visit);
    } else if (S_ISREG(information.st_mode) && path.ends_with(kReplaySuffix)) {
      status = visit(path, information);
    }
    if (!status.ok()) return status;
    entry.increment(error);
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return Failed(folder, error.value());
  }
  return absl::OkStatus();
}

absl::Status ForEachRecording(const std::string& folder, NameVisitor visit) {
  // Its own files, and those of tenants.
  return ForEachName(fmt::format("{}/{}", folder, kRecordingsFolder),
                     /*levels=*/1, visit);
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ListNewRecordings(
    const std::string& folder) {
  std::vector<std::string> paths;
  const absl::Status status = ForEachRecording(
      folder,
      [&paths](const std::string& path, const struct stat& information) {
        if (information.st_nlink == 1) paths.push_back(path);
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  std::ranges::sort(paths);
  return paths;
}

absl::StatusOr<RecordingsByFile> ListRecordingsByFile(
    const std::string& folder) {
  RecordingsByFile names;
  const absl::Status status = ForEachRecording(
      folder, [&names](const std::string& path, const struct stat& file) {
        names.try_emplace({file.st_dev, file.st_ino}, path);
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return names;
}

absl::StatusOr<std::vector<std::string>> ListRecordingNames(
    const std::string& folder, const std::string& path) {
  struct stat file = {};
  if (stat(path.c_str(), &file) != 0) return Failed(path, errno);
  std::vector<std::string> names;
  const absl::Status status = ForEachRecording(
      folder, [&](const std::string& name, const struct stat& information) {
        if (information.st_ino == file.st_ino &&
            information.st_dev == file.st_dev) {
          names.push_back(name);
        }
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  std::ranges::sort(names);
  return names;
}

absl::Status RemoveRecordingNames(const std::string& folder,
                                  const std::string& path) {
  const auto names = ListRecordingNames(folder, path);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    if (unlink(name.c_str()) != 0 && errno != ENOENT) {
      return Failed(name, errno);
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::replays

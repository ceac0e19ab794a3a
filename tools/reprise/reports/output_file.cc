// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/output_file.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "replays/container/partial_file.h"

namespace reprise::tools {

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)),
      unfinished_(replays::UnfinishedPath(path_)),
      file_(unfinished_, std::ios::binary),
      is_begun_(file_.is_open()) {}

OutputFile::~OutputFile() {
  // Another's that couldn't be opened stays.
  if (!is_begun_ || is_finished_ || unfinished_ == path_) return;
  file_.close();
  std::error_code ignored;  // There is nobody to tell.
  std::filesystem::remove(unfinished_, ignored);
}

absl::Status OutputFile::Finish() {
  file_.close();
  if (!file_) {
    return absl::UnavailableError(
        fmt::format("{} can't be written{}", path_,
                    is_begun_ ? ": is there space left?" : ""));
  }
  if (unfinished_ != path_) {
    std::error_code error;
    std::filesystem::rename(unfinished_, path_, error);
    if (error) {
      return absl::UnavailableError(
          fmt::format("{} can't be written: {}", path_, error.message()));
    }
  }
  is_finished_ = true;
  return absl::OkStatus();
}

absl::Status WriteOutputFile(const std::string& path,
                             const std::string& bytes) {
  OutputFile file(path);
  file.out() << bytes;
  return file.Finish();
}

}  // namespace reprise::tools

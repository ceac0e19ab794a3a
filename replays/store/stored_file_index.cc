// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/stored_file_index.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/time/clock.h"
#include "fmt/format.h"
#include "replays/store/store_files.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {
namespace {

namespace fs = std::filesystem;

// The coarsest times that a file system keeps: FAT's.
constexpr absl::Duration kTimeGrain = absl::Seconds(2);

absl::Status Failed(const std::string& path, int error) {
  const std::string sentence =
      fmt::format("{}: {}", path, std::generic_category().message(error));
  if (error == ENOENT) return absl::NotFoundError(sentence);
  return absl::UnavailableError(sentence);
}

}  // namespace

absl::StatusOr<std::optional<sim::ContentDigest>> StoredFileIndex::DigestOf(
    const std::string& path) {
  struct stat file = {};
  if (stat(path.c_str(), &file) != 0) return Failed(path, errno);
  if (file.st_nlink == 1) return std::nullopt;
  const FileId id = {file.st_dev, file.st_ino};
  if (const auto known = Recall(id)) return known;
  if (absl::Status status = Refresh(); !status.ok()) return status;
  if (const auto known = Recall(id)) return known;
  return absl::FailedPreconditionError(
      fmt::format("{}: has other names, and none of the store's", path));
}

std::optional<sim::ContentDigest> StoredFileIndex::Recall(
    const FileId& file) const {
  const auto name = names_.find(file);
  if (name == names_.end()) return std::nullopt;
  struct stat now = {};
  if (stat(name->second.c_str(), &now) != 0 ||
      FileId(now.st_dev, now.st_ino) != file) {
    return std::nullopt;
  }
  const auto digest = StoreFiles::DigestIn(name->second);
  return digest.ok() ? std::optional(*digest) : std::nullopt;
}

absl::Status StoredFileIndex::Refresh() {
  const std::string path = StoreFiles::NamedFolder(folder_);
  struct stat folder = {};
  if (stat(path.c_str(), &folder) != 0) return Failed(path, errno);
  const absl::Time changed_at = absl::TimeFromTimespec(folder.st_mtim);
  if (changed_at == changed_at_) return absl::OkStatus();
  // Of a folder that has just changed, a further change may have the same time.
  changed_at_ =
      absl::Now() - changed_at > kTimeGrain ? changed_at : absl::InfinitePast();
  names_.clear();
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    struct stat file = {};
    if (stat(entry->path().c_str(), &file) != 0) continue;  // just removed
    names_[{file.st_dev, file.st_ino}] = entry->path().string();
  }
  if (!error) return absl::OkStatus();
  changed_at_ = absl::InfinitePast();
  return Failed(path, error.value());
}

}  // namespace reprise::replays

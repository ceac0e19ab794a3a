// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/replay_ids.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/time/clock.h"
#include "services/base/descriptor_limit.h"
#include "services/base/resource_name.h"

namespace reprise::services {
namespace {

namespace filesystem = std::filesystem;

constexpr std::string_view kReplaySuffix = ".mcap";

// The coarsest times that a file system keeps: FAT's.
constexpr absl::Duration kTimeGrain = absl::Seconds(2);

absl::StatusOr<std::vector<std::string>> Read(const std::string& folder) {
  std::vector<std::string> ids;
  std::error_code error;
  for (filesystem::directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code vanished;
    if (!entry->is_regular_file(vanished)) continue;
    std::string id = entry->path().filename().string();
    if (!id.ends_with(kReplaySuffix)) continue;
    id.resize(id.size() - kReplaySuffix.size());
    if (IsValidId(id)) ids.push_back(std::move(id));
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return ReadError(folder, error);
  }
  std::ranges::sort(ids, std::greater());
  return ids;
}

}  // namespace

absl::StatusOr<ReplayIds::Ids> ReplayIds::Of(const std::string& folder) {
  // Asked before it is read: what changes meanwhile is seen the next time.
  struct stat now = {};
  const bool is_known = stat(folder.c_str(), &now) == 0;
  const Change change = {.names_at = absl::TimeFromTimespec(now.st_mtim),
                         .any_at = absl::TimeFromTimespec(now.st_ctim),
                         .device = now.st_dev,
                         .inode = now.st_ino};
  {
    const std::scoped_lock lock(mutex_);
    if (is_known && ids_ != nullptr && folder == folder_ && change == change_) {
      return ids_;
    }
  }
  // Of a folder that has just changed, a further change may have the same time.
  const bool may_keep = is_known && absl::Now() - change.names_at > kTimeGrain;
  auto read = Read(folder);
  if (!read.ok()) return read.status();
  auto ids = std::make_shared<const std::vector<std::string>>(*std::move(read));
  const std::scoped_lock lock(mutex_);
  folder_ = folder;
  change_ = change;
  ids_ = may_keep ? ids : nullptr;
  return ids;
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/operations/operation_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "replays/container/byte_file.h"

namespace reprise::services {
namespace {

namespace fs = std::filesystem;

// Names that are safe in messages and headers.
bool IsResultName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && name.front() != '.' &&
         std::ranges::all_of(name, [](unsigned char character) {
           return absl::ascii_isalnum(character) || character == '.' ||
                  character == '_' || character == '-';
         });
}

std::string_view MediaTypeOf(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".csv", "text/csv"},
      {".jsonl", "application/jsonl"},
      {".glb", "model/gltf-binary"},
      {".usda", "model/vnd.usda"},
      {".mcap", "application/octet-stream"},
      {".html", "text/html"},
      {".png", "image/png"},
      {".mp4", "video/mp4"}};
  for (const auto& [suffix, type] : kTypes) {
    if (name.ends_with(suffix)) return type;
  }
  return "application/octet-stream";
}

}  // namespace

void RemoveFolder(const std::string& folder) {
  std::error_code ignored;
  if (!folder.empty()) fs::remove_all(folder, ignored);
}

std::vector<v1::ResultFile> FilesIn(const std::string& folder) {
  std::vector<v1::ResultFile> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code vanished;
    if (!fs::is_regular_file(entry->symlink_status(vanished)) ||
        !IsResultName(name)) {
      continue;
    }
    v1::ResultFile& file = files.emplace_back();
    file.set_name(name);
    const uint64_t size_bytes = entry->file_size(vanished);
    file.set_size_bytes(vanished ? 0 : size_bytes);
    file.set_media_type(std::string(MediaTypeOf(name)));
  }
  std::ranges::sort(files, {}, &v1::ResultFile::name);
  return files;
}

bool HasTooMuch(const std::string& folder, uint64_t bytes_max) {
  uint64_t bytes = 0;
  size_t count = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code vanished;
    const uint64_t size_bytes = entry->file_size(vanished);
    if (!vanished) bytes += size_bytes;
    if (++count > kResultFilesMax || bytes > bytes_max) return true;
  }
  return false;
}

void RemoveAbandoned(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> abandoned;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto lives = replays::IsBeingWritten(
        (entry->path() / std::string(kLockFile)).string());
    if (absl::IsNotFound(lives.status()) || (lives.ok() && !*lives)) {
      abandoned.push_back(entry->path());
    }
  }
  for (const fs::path& path : abandoned) fs::remove_all(path, error);
}

}  // namespace reprise::services

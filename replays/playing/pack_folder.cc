// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/playing/pack_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/container/named_error.h"

namespace reprise::replays {
namespace {

namespace fs = std::filesystem;

// What is expected of a pack is no part of it.
constexpr std::string_view kTestsFolder = "tests";

absl::Status SystemError(const fs::path& path, const std::error_code& error) {
  return absl::ErrnoToStatus(error.value(), path.string());
}

// Whole file, if it has at most `bytes_max` bytes.
absl::StatusOr<std::string> ReadFile(const fs::path& path, uint64_t bytes_max) {
  absl::StatusOr<std::unique_ptr<FileSource>> source =
      FileSource::Open(path.string());
  if (!source.ok()) return source.status();
  if ((*source)->size() > bytes_max) {
    return absl::ResourceExhaustedError(fmt::format(
        "{}: with its {} bytes the pack passes the limit of {} bytes",
        path.string(), (*source)->size(), sim::kPackBytesMax));
  }
  std::string contents((*source)->size(), '\0');
  absl::Status status =
      (*source)->ReadAt(0, std::as_writable_bytes(std::span(contents)));
  if (!status.ok()) return status;
  return contents;
}

// Whether `path` is below `folder`; both without links or dots.
bool IsInside(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

// Collects one folder into one pack.
class FolderReader {
 public:
  explicit FolderReader(fs::path folder) : folder_(std::move(folder)) {}

  absl::StatusOr<sim::PackArchive> Read() {
    const fs::path manifest = folder_ / sim::kPackManifestPath;
    std::error_code error;
    const fs::path resolved = fs::canonical(manifest, error);
    if (error) return SystemError(manifest, error);
    home_ = resolved.parent_path();
    absl::Status status = ReadFolder(fs::path());
    if (!status.ok()) return status;
    return std::move(pack_);
  }

 private:
  absl::Status ReadFolder(const fs::path& relative) {
    std::error_code error;
    std::vector<fs::path> names;
    fs::directory_iterator entry(folder_ / relative, error);
    for (; !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      names.push_back(entry->path().filename());
      if (names.size() > sim::kPackFilesMax) {
        return absl::ResourceExhaustedError(
            fmt::format("{}: more than {} files", (folder_ / relative).string(),
                        sim::kPackFilesMax));
      }
    }
    if (error) return SystemError(folder_ / relative, error);
    std::ranges::sort(names);
    for (const fs::path& name : names) {
      if (name.native().starts_with('.')) continue;
      if (relative.empty() && name.native() == kTestsFolder) continue;
      absl::Status status = ReadEntry(relative / name);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status ReadEntry(const fs::path& relative) {
    const fs::path path = folder_ / relative;
    std::error_code error;
    const fs::file_status target = fs::status(path, error);
    if (error) return SystemError(path, error);
    const bool is_link = fs::is_symlink(path, error);
    if (error) return SystemError(path, error);
    if (fs::is_directory(target)) {
      if (is_link) {
        return absl::InvalidArgumentError(
            absl::StrCat(path.string(), ": a link to a folder"));
      }
      return ReadFolder(relative);
    }
    if (!fs::is_regular_file(target)) {
      return absl::InvalidArgumentError(
          absl::StrCat(path.string(), ": neither a file nor a folder"));
    }
    const fs::path resolved = fs::canonical(path, error);
    if (error) return SystemError(path, error);
    if (is_link && !IsInside(resolved, home_)) {
      return absl::InvalidArgumentError(
          absl::StrCat(path.string(), ": the link leads out of the pack, to ",
                       resolved.string()));
    }
    return AddFile(relative, resolved);
  }

  absl::Status AddFile(const fs::path& relative, const fs::path& resolved) {
    absl::StatusOr<std::string> contents =
        ReadFile(resolved, sim::kPackBytesMax - byte_count_);
    if (!contents.ok()) return contents.status();
    byte_count_ += contents->size();
    absl::Status status =
        pack_.Add(relative.generic_string(), *std::move(contents));
    return status.ok() ? status
                       : NamedError((folder_ / relative).string(), status);
  }

  const fs::path folder_;
  // Where the manifest lies when all links are resolved.
  fs::path home_;
  sim::PackArchive pack_;
  uint64_t byte_count_ = 0;
};

absl::StatusOr<sim::PackArchive> ReadPackFile(const std::string& path) {
  // An archive adds a header and padding of at most 1 KiB to every file.
  constexpr uint64_t kArchiveBytesMax =
      sim::kPackBytesMax + (uint64_t{sim::kPackFilesMax} + 1) * 1024;
  absl::StatusOr<std::string> archive = ReadFile(path, kArchiveBytesMax);
  if (!archive.ok()) return archive.status();
  absl::StatusOr<sim::PackArchive> pack =
      sim::PackArchive::Decode(std::as_bytes(std::span(*archive)));
  if (!pack.ok()) return NamedError(path, pack.status());
  if (!pack->Find(sim::kPackManifestPath).has_value()) {
    return absl::NotFoundError(
        fmt::format("{}: the archive has no {}", path, sim::kPackManifestPath));
  }
  return pack;
}

}  // namespace

absl::StatusOr<sim::PackArchive> ReadPackFolder(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error) return SystemError(path, error);
  if (fs::is_directory(status)) return FolderReader(path).Read();
  return ReadPackFile(path);
}

}  // namespace reprise::replays

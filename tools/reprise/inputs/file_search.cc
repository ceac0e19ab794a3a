// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/file_search.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/nearest_name.h"
#include "sim/pack_archive.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReplayEnding = ".mcap";

bool IsFolder(const fs::path& path) {
  std::error_code ignored;  // What can't be looked at is told by its reader.
  return fs::is_directory(path, ignored);
}

bool IsPack(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / sim::kPackManifestPath, ignored);
}

// Everything below `folder` that `is_wanted`; a folder that is isn't entered.
absl::StatusOr<std::vector<std::string>> Search(
    const std::string& folder, std::string_view what,
    const std::function<bool(const fs::directory_entry&)>& is_wanted) {
  std::vector<std::string> found;
  std::error_code error;
  uint64_t entry_count = 0;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator();
       entry.increment(error)) {
    if (++entry_count > kSearchEntriesMax) {
      return absl::ResourceExhaustedError(
          fmt::format("{}: more than {} files", folder, kSearchEntriesMax));
    }
    // Hidden folders are those of other tools.
    if (entry->path().filename().native().starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (is_wanted(*entry)) {
      found.push_back(entry->path().string());
      entry.disable_recursion_pending();
    }
  }
  if (error) return absl::ErrnoToStatus(error.value(), folder);
  if (found.empty()) {
    return absl::NotFoundError(
        fmt::format("{}: there is no {} among {} files and folders", folder,
                    what, entry_count));
  }
  std::ranges::sort(found);
  return found;
}

// Of `paths`, those that `is_folder` with what is found in them.
template <typename IsFolderFunction, typename FindFunction>
absl::StatusOr<std::vector<std::string>> Expand(
    std::span<const std::string> paths, const IsFolderFunction& is_folder,
    const FindFunction& find) {
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    if (!is_folder(path)) {
      all.push_back(path);
      continue;
    }
    absl::StatusOr<std::vector<std::string>> found = find(path);
    if (!found.ok()) return found.status();
    std::ranges::move(*found, std::back_inserter(all));
  }
  return all;
}

class SilentCollector final : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int /*line*/, int /*column*/,
                const std::string& /*message*/) override {}
  void AddWarning(int /*line*/, int /*column*/,
                  const std::string& /*message*/) override {}
};

// The name in the manifest, whatever else that says; that of the folder where
// it says none or can't be read, which running the pack explains.
std::string NameOfPack(const fs::path& folder) {
  std::ifstream file(folder / sim::kPackManifestPath, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  SilentCollector collector;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&collector);
  parser.AllowUnknownField(true);
  v1::Pack pack;
  parser.ParseFromString(text, &pack);
  return pack.name().empty() ? folder.filename().string() : pack.name();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> FindReplays(
    std::span<const std::string> paths) {
  return Expand(
      paths, [](const std::string& path) { return IsFolder(path); },
      [](const std::string& path) {
        return Search(path, "replay (*.mcap)",
                      [](const fs::directory_entry& entry) {
                        return entry.path().extension() == kReplayEnding &&
                               !IsFolder(entry.path());
                      });
      });
}

absl::StatusOr<std::vector<std::string>> FindPacks(
    std::span<const std::string> names) {
  return Expand(
      names,
      [](const std::string& name) { return IsFolder(name) && !IsPack(name); },
      [](const std::string& name) {
        return Search(name, "pack (pack.txtpb)",
                      [](const fs::directory_entry& entry) {
                        return IsPack(entry.path());
                      });
      });
}

absl::StatusOr<PackFolders> PackFolders::Open(
    std::span<const std::string> folders) {
  PackFolders opened;
  for (const std::string& folder : folders) {
    if (!IsFolder(folder)) {
      return absl::NotFoundError(
          fmt::format("--packs {}: there is no such folder", folder));
    }
    opened.folders_.push_back(folder);
  }
  const absl::StatusOr<std::vector<std::string>> packs = FindPacks(folders);
  if (!packs.ok()) return packs.status();
  for (const std::string& path : *packs) {
    // A folder that was named twice, or within another, has its packs once.
    std::vector<std::string>& same = opened.paths_[NameOfPack(path)];
    std::error_code ignored;
    const bool is_known =
        std::ranges::any_of(same, [&](const std::string& known) {
          return fs::equivalent(known, path, ignored);
        });
    if (!is_known) same.push_back(path);
  }
  return opened;
}

absl::StatusOr<std::string> PackFolders::Find(const std::string& name) const {
  const auto found = paths_.find(name);
  if (found == paths_.end()) {
    std::vector<std::string_view> names;
    for (const auto& [known, paths] : paths_) names.push_back(known);
    return absl::NotFoundError(fmt::format("no pack is called '{}' in {}{}",
                                           name, fmt::join(folders_, ", "),
                                           sim::DidYouMean(name, names)));
  }
  if (found->second.size() > 1) {
    return absl::InvalidArgumentError(
        fmt::format("{} packs are called '{}': {}", found->second.size(), name,
                    fmt::join(found->second, ", ")));
  }
  return found->second.front();
}

}  // namespace reprise::tools

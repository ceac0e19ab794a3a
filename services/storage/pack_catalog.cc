// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/pack_catalog.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "replays/playing/pack_folder.h"
#include "services/base/descriptor_limit.h"
#include "services/base/page.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

namespace filesystem = std::filesystem;

// What tokens of pages begin with, which no name does: a name that somebody
// guesses is none.
constexpr std::string_view kTokenPrefix = "behind-";

}  // namespace

bool IsPackName(std::string_view name) {
  return !name.empty() && name.size() <= kPackNameBytesMax &&
         absl::ascii_islower(static_cast<unsigned char>(name.front())) &&
         std::all_of(name.begin(), name.end(), [](unsigned char character) {
           return absl::ascii_islower(character) ||
                  absl::ascii_isdigit(character) || character == '_';
         });
}

absl::StatusOr<PackCatalog> PackCatalog::Open(std::string folder) {
  std::error_code error;
  if (!filesystem::is_directory(folder, error)) {
    return absl::NotFoundError(
        fmt::format("packs folder '{}': there is no such folder", folder));
  }
  return PackCatalog(std::move(folder));
}

absl::StatusOr<std::vector<std::string>> PackCatalog::Names() const {
  std::vector<std::string> names;
  std::error_code error;
  for (filesystem::directory_iterator entry(folder_, error), end;
       !error && entry != end; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    std::error_code file_error;
    if (IsPackName(name) &&
        filesystem::is_regular_file(entry->path() / sim::kPackManifestPath,
                                    file_error)) {
      names.push_back(std::move(name));
    }
  }
  if (error) return ReadError(folder_, error);
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<PackCatalog::Page> PackCatalog::List(
    int32_t page_size, std::string_view page_token,
    const std::vector<std::string>& others) const {
  const auto count_max = ParsePageSize(page_size, kPacksPerPageMax);
  if (!count_max.ok()) return count_max.status();
  // A token says behind which name the page begins.
  const bool is_first = page_token.empty();
  if (!is_first && !page_token.starts_with(kTokenPrefix)) {
    return PageTokenError();
  }
  page_token.remove_prefix(is_first ? 0 : kTokenPrefix.size());
  if (!is_first && !IsPackName(page_token)) return PageTokenError();
  auto names = Names();
  if (!names.ok()) return names.status();
  Page page;
  page.names = *std::move(names);
  page.names.insert(page.names.end(), others.begin(), others.end());
  std::sort(page.names.begin(), page.names.end());
  page.names.erase(std::unique(page.names.begin(), page.names.end()),
                   page.names.end());
  page.names.erase(
      page.names.begin(),
      std::upper_bound(page.names.begin(), page.names.end(), page_token));
  if (page.names.size() > *count_max) {
    page.names.resize(*count_max);
    page.next_page_token = std::string(kTokenPrefix) + page.names.back();
  }
  return page;
}

absl::StatusOr<sim::PackArchive> PackCatalog::Load(
    std::string_view name) const {
  const auto names = Names();
  if (!names.ok()) return names.status();
  if (!std::binary_search(names->begin(), names->end(), name)) {
    return WithReason(
        absl::NotFoundError(fmt::format(
            "there is no pack '{}'; this server has {}",
            name.substr(0, kPackNameBytesMax), absl::StrJoin(*names, ", "))),
        "PACK_NOT_FOUND", {{"pack", name}});
  }
  return replays::ReadPackFolder(
      (filesystem::path(folder_) / std::string(name)).string());
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds replays and packs in folders, among any number of other files: those
// are known by their names alone and never opened.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_FILE_SEARCH_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_FILE_SEARCH_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace reprise::tools {

// What lies in a folder and all below it at most; more is no corpus.
inline constexpr uint64_t kSearchEntriesMax = 10'000'000;

// `paths` with the replays (*.mcap) of a folder in the place of each folder, in
// order of their paths. Links to folders aren't followed. NOT_FOUND: a folder
// has none. PERMISSION_DENIED and others: a folder can't be read.
absl::StatusOr<std::vector<std::string>> FindReplays(
    std::span<const std::string> paths);

// `names` with the packs of a folder in the place of each folder that isn't a
// pack itself: all below it that have a pack.txtpb, but none within packs.
// Errors as above.
absl::StatusOr<std::vector<std::string>> FindPacks(
    std::span<const std::string> names);

// The packs of some folders, by the names that their manifests give them.
class PackFolders {
 public:
  // Errors are those of FindPacks, and NOT_FOUND where a folder isn't there.
  static absl::StatusOr<PackFolders> Open(std::span<const std::string> folders);

  // The path of the pack `name`. NOT_FOUND: none is called so.
  // INVALID_ARGUMENT: several are, which it lists.
  absl::StatusOr<std::string> Find(const std::string& name) const;

 private:
  std::vector<std::string> folders_;
  std::map<std::string, std::vector<std::string>> paths_;  // by name
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_FILE_SEARCH_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The packs that a server offers: the folders below one folder, by name. No
// name that a client sends leads out of it.

#ifndef REPRISE_SERVICES_STORAGE_PACK_CATALOG_H_
#define REPRISE_SERVICES_STORAGE_PACK_CATALOG_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/pack_archive.h"

namespace reprise::services {

// The rule for the name of a pack, pack.proto's.
inline constexpr size_t kPackNameBytesMax = 64;
bool IsPackName(std::string_view name);

// The most that a page of the list holds. Each pack of it is read.
inline constexpr size_t kPacksPerPageMax = 50;

// Safe for concurrent access without external synchronization. Reads the disk
// with each call, so a pack that is edited is new for the next session.
class PackCatalog {
 public:
  // NOT_FOUND when `folder` isn't a folder.
  static absl::StatusOr<PackCatalog> Open(std::string folder);

  // The packs there are, in order.
  absl::StatusOr<std::vector<std::string>> Names() const;

  struct Page {
    std::vector<std::string> names;
    std::string next_page_token;  // empty on the last page
  };

  // The packs there are, and `others`, in order. `page_size` 0 or above
  // kPacksPerPageMax is taken as that. INVALID_ARGUMENT: it is negative, or the
  // token isn't one.
  absl::StatusOr<Page> List(int32_t page_size, std::string_view page_token,
                            const std::vector<std::string>& others = {}) const;

  // Reads the pack `name`. NOT_FOUND lists the names there are; other errors
  // are replays::ReadPackFolder's.
  absl::StatusOr<sim::PackArchive> Load(std::string_view name) const;

 private:
  explicit PackCatalog(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_PACK_CATALOG_H_

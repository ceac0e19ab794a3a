// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The packs that a server offers: the folders below one folder, by name. No
// name that a client sends leads out of it.

#ifndef REPRISE_SERVICES_STORAGE_PACK_CATALOG_H_
#define REPRISE_SERVICES_STORAGE_PACK_CATALOG_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/pack_archive.h"

namespace reprise::services {

// Safe for concurrent access without external synchronization. Reads the disk
// with each call, so a pack that is edited is new for the next session.
class PackCatalog {
 public:
  // NOT_FOUND when `folder` isn't a folder.
  static absl::StatusOr<PackCatalog> Open(std::string folder);

  // The packs there are, in order.
  absl::StatusOr<std::vector<std::string>> Names() const;

  // Reads the pack `name`. NOT_FOUND lists the names there are; other errors
  // are replays::ReadPackFolder's.
  absl::StatusOr<sim::PackArchive> Load(std::string_view name) const;

 private:
  explicit PackCatalog(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_PACK_CATALOG_H_

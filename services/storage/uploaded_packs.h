// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Packs that clients have brought: each an archive in the folder of its tenant
// and name, below the store's folder `packs`, so they outlive the server. Of a
// name there may be several, of different digests; the last one stands for it.

#ifndef REPRISE_SERVICES_STORAGE_UPLOADED_PACKS_H_
#define REPRISE_SERVICES_STORAGE_UPLOADED_PACKS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/log_entry.h"
#include "services/base/server_options.h"
#include "services/base/tenant.h"
#include "services/storage/replay_store.h"
#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"

namespace reprise::services {

// Safe to use from any thread. Reads the disk with each call but BytesOf.
// UNAVAILABLE, or RESOURCE_EXHAUSTED for want of descriptors, where they are
// not named: the disk can't be read or written; the operator is told why.
class UploadedPacks {
 public:
  // In the store's folder `store`, of which `room`, unless it is null, says how
  // much it may hold; it must remain live. Removes what a server left
  // unfinished that was killed.
  UploadedPacks(std::string store, const PackUploadLimits& limits, Log log,
                const ReplayStore* room = nullptr);

  // The tenant's names, in order.
  absl::StatusOr<std::vector<std::string>> Names(const Tenant& tenant) const;

  // Those of one name, the last one first.
  struct Version {
    sim::ContentDigest digest;
    uint64_t size_bytes = 0;  // of the archive
    std::string path;
  };
  absl::StatusOr<std::vector<Version>> Versions(const Tenant& tenant,
                                                std::string_view name) const;

  // The last one of that name, or the one with the digest unless that is empty.
  // NOT_FOUND: there is none. DATA_LOSS: what lies there isn't that pack.
  absl::StatusOr<sim::PackArchive> Load(const Tenant& tenant,
                                        std::string_view name,
                                        std::string_view digest) const;

  // Keeps `pack` as the last one of that name; one that is there already isn't
  // kept twice. RESOURCE_EXHAUSTED: the tenant, or the store, would have more
  // than it may. REQUIRES: IsPackName(name).
  absl::Status Keep(const Tenant& tenant, std::string_view name,
                    const sim::PackArchive& pack);

  // Forgets one, or all of the name where the digest is empty. NOT_FOUND: there
  // is none.
  absl::Status Delete(const Tenant& tenant, std::string_view name,
                      std::string_view digest);

  // Of the archives of all its packs, as this process found or left them. Takes
  // no time: the disk isn't read.
  uint64_t BytesOf(const Tenant& tenant) const;

 private:
  struct Stock {
    uint64_t bytes = 0;
    size_t count = 0;  // of packs
  };

  std::string FolderOf(const Tenant& tenant) const;
  // Measures what all tenants have, and removes what is unfinished.
  void TakeStock();
  void RemoveUnfinished(const std::string& folder) const;
  absl::StatusOr<Version> Find(const Tenant& tenant, std::string_view name,
                               std::string_view digest) const;
  // As Load; NOT_FOUND, too, where it becomes the last one meanwhile.
  absl::StatusOr<sim::PackArchive> LoadOnce(const Tenant& tenant,
                                            std::string_view name,
                                            std::string_view digest) const;
  // Whether the tenant may have one more, of so many bytes. REQUIRES: the
  // caller holds mutex_.
  absl::Status CheckRoom(const Tenant& tenant, uint64_t bytes) const;
  static absl::Status Write(const std::string& path, std::string_view archive);
  // REQUIRES: the caller holds mutex_, or nobody else knows of this.
  absl::StatusOr<Stock> MeasureBytes(const Tenant& tenant) const;
  // Tells the operator why, and returns what the client is told.
  absl::Status Failed(const std::error_code& error) const;
  absl::Status Failed(const absl::Status& cause) const;

  const std::string folder_;
  const PackUploadLimits limits_;
  const Log log_;
  const ReplayStore* const room_;
  std::mutex mutex_;  // held while something is kept or forgotten

  mutable std::mutex bytes_mutex_;  // guards what follows
  mutable std::map<Tenant, uint64_t> bytes_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_UPLOADED_PACKS_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Packs that sessions run, each in memory once however many sessions it has.

#ifndef REPRISE_SERVICES_STORAGE_PACK_POOL_H_
#define REPRISE_SERVICES_STORAGE_PACK_POOL_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"

namespace reprise::services {

// Safe to use from any thread.
class PackPool {
 public:
  // `pack`, or the equal one that somebody still has. REQUIRES: `digest` is
  // its digest.
  std::shared_ptr<const sim::PackArchive> Share(
      const sim::ContentDigest& digest, sim::PackArchive pack);

 private:
  std::mutex mutex_;  // guards what follows
  // By digest. Of packs that nobody has any more, some stand here until the
  // next is added.
  std::map<std::string, std::weak_ptr<const sim::PackArchive>> packs_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_PACK_POOL_H_

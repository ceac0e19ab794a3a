// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/pack_pool.h"
#include "sim/base/content_digest.h"

#include <utility>

namespace reprise::services {

std::shared_ptr<const sim::PackArchive> PackPool::Share(
    const sim::ContentDigest& digest, sim::PackArchive pack) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(packs_, [](const auto& kept) { return kept.second.expired(); });
  std::weak_ptr<const sim::PackArchive>& kept =
      packs_[sim::FormatDigest(digest)];
  std::shared_ptr<const sim::PackArchive> shared = kept.lock();
  if (shared == nullptr) {
    shared = std::make_shared<const sim::PackArchive>(std::move(pack));
    kept = shared;
  }
  return shared;
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that equal packs are one in memory, and that one is given up with its
// last user.

#include "services/storage/pack_pool.h"

#include <memory>

#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/content_digest.h"

namespace reprise::services {
namespace {

std::shared_ptr<const sim::PackArchive> Share(PackPool& pool, double step) {
  sim::PackArchive pack = replays::MakeTinyPack(step);
  const sim::ContentDigest digest = pack.ComputeDigest();
  return pool.Share(digest, std::move(pack));
}

TEST(PackPoolTest, EqualPacksAreOne) {
  PackPool pool;
  const auto first = Share(pool, 0.1);

  EXPECT_EQ(Share(pool, 0.1), first);
  EXPECT_NE(Share(pool, 0.2), first);
}

TEST(PackPoolTest, APackThatNobodyHasIsGivenUp) {
  PackPool pool;
  const std::weak_ptr<const sim::PackArchive> pack = Share(pool, 0.1);

  EXPECT_TRUE(pack.expired());
  EXPECT_NE(Share(pool, 0.1), nullptr);
}

}  // namespace
}  // namespace reprise::services

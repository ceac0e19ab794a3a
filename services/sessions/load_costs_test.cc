// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what a pack took once is what is claimed for it later, that a
// pack of which nothing is known is claimed for by its size, and that what
// others load meanwhile isn't taken for its own.

#include "services/sessions/load_costs.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

class LoadCostsTest : public testing::Test {
 protected:
  LoadCostsTest() {
    const absl::Status added =
        pack_.Add("pack.txtpb", std::string(kMebibyte, ' '));
    EXPECT_TRUE(added.ok());
  }

  // Loads a pack that takes so much.
  uint64_t Load(uint64_t bytes) {
    auto load = costs_.Begin(pack_.ComputeDigest(), pack_);
    EXPECT_TRUE(load.ok());
    in_use_ += bytes;
    return costs_.End(*std::move(load), /*is_made=*/true);
  }
  std::string Refusal() {
    auto load = costs_.Begin(pack_.ComputeDigest(), pack_);
    std::string reason = ReasonOf(load.status());
    if (load.ok()) costs_.End(*std::move(load), /*is_made=*/false);
    return reason;
  }

  sim::PackArchive pack_ = {};
  uint64_t in_use_ = 0;
  MemoryBudget budget_ = {100 * kMebibyte, [this] { return in_use_; },
                          [] { return absl::UnixEpoch(); }};
  LoadCosts costs_ = LoadCosts(&budget_);
};

TEST_F(LoadCostsTest, AnUnknownPackIsClaimedForByItsSize) {
  in_use_ = 59 * kMebibyte;
  EXPECT_EQ(Refusal(), "");
  in_use_ = 60 * kMebibyte;
  EXPECT_EQ(Refusal(), "MEMORY_FULL");
}

TEST_F(LoadCostsTest, WhatItTookIsWhatIsClaimedLater) {
  EXPECT_EQ(Load(5 * kMebibyte), 5 * kMebibyte);
  in_use_ = 94 * kMebibyte;
  EXPECT_EQ(Refusal(), "");
  in_use_ = 96 * kMebibyte;
  EXPECT_EQ(Refusal(), "MEMORY_FULL");
}

TEST_F(LoadCostsTest, NoneTakesLessThanTheLeast) {
  EXPECT_EQ(Load(100), kMebibyte);
  in_use_ = 100 * kMebibyte - 200;
  EXPECT_EQ(Refusal(), "MEMORY_FULL");
}

TEST_F(LoadCostsTest, WhatOthersFoundOutIsTaken) {
  costs_.Note(pack_.ComputeDigest(), 90 * kMebibyte);
  in_use_ = 11 * kMebibyte;
  EXPECT_EQ(Refusal(), "MEMORY_FULL");
}

TEST_F(LoadCostsTest, WhatOthersLoadMeanwhileIsNotItsOwn) {
  const sim::PackArchive other;
  auto first = costs_.Begin(pack_.ComputeDigest(), pack_);
  auto second = costs_.Begin(other.ComputeDigest(), other);
  ASSERT_TRUE(first.ok() && second.ok());
  in_use_ = 50 * kMebibyte;
  EXPECT_EQ(costs_.End(*std::move(first), true), 41 * kMebibyte);
  EXPECT_EQ(costs_.End(*std::move(second), true), kMebibyte);
}

TEST_F(LoadCostsTest, WithoutABudgetNothingIsKnown) {
  LoadCosts costs(nullptr);
  auto load = costs.Begin(pack_.ComputeDigest(), pack_);
  ASSERT_TRUE(load.ok());
  EXPECT_EQ(costs.End(*std::move(load), true), 0u);
}

}  // namespace
}  // namespace reprise::services

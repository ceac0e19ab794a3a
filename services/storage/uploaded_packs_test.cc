// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that packs are kept by tenant, name and digest, that they outlive who
// kept them, that a tenant has no more than it may, that what is damaged on the
// disk isn't taken for the pack, and what can't be read isn't for damaged.

#include "services/storage/uploaded_packs.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/resource_name.h"
#include "services/base/server_options.h"
#include "services/base/status.h"
#include "services/storage/replay_store.h"
#include "services/testing/test_folders.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class UploadedPacksTest : public testing::Test {
 protected:
  UploadedPacks Open(uint64_t bytes_max = 1 << 20) const {
    return UploadedPacks(folders_.store(), {.tenant_bytes_max = bytes_max},
                         [](const LogEntry&) {});
  }
  static std::string DigestOf(const sim::PackArchive& pack) {
    return sim::FormatDigest(pack.ComputeDigest());
  }

  const TestFolders folders_ = {};
  const Tenant red_ = {.name = "red"};
  const Tenant nobody_ = {};
  const sim::PackArchive slow_ = replays::MakeTinyPack(0.1);
  const sim::PackArchive fast_ = replays::MakeTinyPack(0.2);
};

TEST_F(UploadedPacksTest, TheLastOneOfANameStandsForIt) {
  UploadedPacks packs = Open();
  ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  ASSERT_TRUE(packs.Keep(red_, "tiny", fast_).ok());

  EXPECT_EQ(DigestOf(*packs.Load(red_, "tiny", "")), DigestOf(fast_));
  EXPECT_EQ(DigestOf(*packs.Load(red_, "tiny", DigestOf(slow_))),
            DigestOf(slow_));
  EXPECT_EQ(ReasonOf(packs.Load(red_, "tiny", "00").status()),
            "PACK_NOT_FOUND");

  ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  EXPECT_EQ(DigestOf(*packs.Load(red_, "tiny", "")), DigestOf(slow_));
  EXPECT_THAT(*packs.Versions(red_, "tiny"), SizeIs(2));
}

TEST_F(UploadedPacksTest, NobodySeesAnotherTenants) {
  UploadedPacks packs = Open();
  ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  ASSERT_TRUE(packs.Keep(nobody_, "other", slow_).ok());

  EXPECT_THAT(*packs.Names(red_), ElementsAre("tiny"));
  EXPECT_THAT(*packs.Names(nobody_), ElementsAre("other"));
  EXPECT_THAT(*packs.Names({.name = "blue"}), IsEmpty());
  EXPECT_EQ(ReasonOf(packs.Load(nobody_, "tiny", "").status()),
            "PACK_NOT_FOUND");
  for (const char* name : {"../red/tiny", "", "Tiny", "."}) {
    EXPECT_EQ(ReasonOf(packs.Load(nobody_, name, "").status()),
              "PACK_NOT_FOUND");
  }
}

TEST_F(UploadedPacksTest, TheyOutliveWhoKeptThem) {
  {
    UploadedPacks packs = Open();
    ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  }
  EXPECT_EQ(DigestOf(*Open().Load(red_, "tiny", "")), DigestOf(slow_));
}

TEST_F(UploadedPacksTest, ATenantHasNoMoreThanItMay) {
  const uint64_t size = slow_.Encode().size();
  UploadedPacks packs = Open(2 * size - 1);
  ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  EXPECT_EQ(packs.BytesOf(red_), size);
  EXPECT_EQ(ReasonOf(packs.Keep(red_, "tiny", fast_)), "QUOTA_REACHED");
  EXPECT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  EXPECT_TRUE(packs.Keep(nobody_, "tiny", fast_).ok());

  ASSERT_TRUE(packs.Delete(red_, "tiny", "").ok());
  EXPECT_TRUE(packs.Keep(red_, "tiny", fast_).ok());
}

TEST_F(UploadedPacksTest, DeletingForgetsOneOrAllOfAName) {
  UploadedPacks packs = Open();
  ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  ASSERT_TRUE(packs.Keep(red_, "tiny", fast_).ok());

  ASSERT_TRUE(packs.Delete(red_, "tiny", DigestOf(fast_)).ok());
  EXPECT_EQ(DigestOf(*packs.Load(red_, "tiny", "")), DigestOf(slow_));
  ASSERT_TRUE(packs.Delete(red_, "tiny", "").ok());
  EXPECT_EQ(ReasonOf(packs.Delete(red_, "tiny", "")), "PACK_NOT_FOUND");
  EXPECT_THAT(*packs.Names(red_), IsEmpty());
}

TEST_F(UploadedPacksTest, WhatIsDamagedIsNoPack) {
  UploadedPacks packs = Open();
  ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  const std::string path = packs.Versions(red_, "tiny")->front().path;
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(515);  // within the manifest
    file << 'X';
  }
  EXPECT_EQ(ReasonOf(packs.Load(red_, "tiny", "").status()), "PACK_DAMAGED");
  std::filesystem::resize_file(path, 100);
  EXPECT_EQ(ReasonOf(packs.Load(red_, "tiny", "").status()), "PACK_DAMAGED");
}

TEST_F(UploadedPacksTest, ATenantHasNoMorePacksThanItMay) {
  UploadedPacks packs(folders_.store(), {.tenant_packs_max = 1},
                      [](const LogEntry&) {});
  ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  EXPECT_EQ(ReasonOf(packs.Keep(red_, "tiny", fast_)), "QUOTA_REACHED");
  EXPECT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
}

TEST_F(UploadedPacksTest, TheStoreHoldsNoMoreThanItMay) {
  RecordingOptions options;
  options.store_bytes_max = slow_.Encode().size() * 3 / 2;
  const auto store = ReplayStore::Open(folders_.store(), options);
  ASSERT_TRUE(store.ok()) << store.status();
  UploadedPacks packs(
      folders_.store(), {}, [](const LogEntry&) {}, store->get());
  ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  EXPECT_EQ(ReasonOf(packs.Keep(red_, "other", fast_)), "STORE_FULL");
}

// As where the machine's clock was put back.
TEST_F(UploadedPacksTest, WhatIsKeptStandsBeforeWhatIsOfALaterTime) {
  UploadedPacks packs = Open();
  ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  const std::filesystem::path path = packs.Versions(red_, "tiny")->front().path;
  const std::string id = NewId(absl::Now() + absl::Hours(24 * 365));
  std::filesystem::rename(
      path, path.parent_path() / (id + "-" + DigestOf(slow_) + ".pack"));

  ASSERT_TRUE(packs.Keep(red_, "tiny", fast_).ok());
  EXPECT_EQ(DigestOf(*packs.Load(red_, "tiny", "")), DigestOf(fast_));
  ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  EXPECT_EQ(DigestOf(*packs.Load(red_, "tiny", "")), DigestOf(slow_));
}

TEST_F(UploadedPacksTest, AStartFindsWhatIsThereAndRemovesWhatIsUnfinished) {
  std::string path;
  {
    UploadedPacks packs = Open();
    ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
    path = packs.Versions(red_, "tiny")->front().path + ".partial";
  }
  std::ofstream(path) << "torn";

  const UploadedPacks packs = Open();
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(packs.BytesOf(red_), slow_.Encode().size());
}

TEST_F(UploadedPacksTest, WhatCannotBeReadIsNotDamaged) {
  UploadedPacks packs = Open();
  ASSERT_TRUE(packs.Keep(red_, "tiny", slow_).ok());
  const std::filesystem::path folder =
      std::filesystem::path(packs.Versions(red_, "tiny")->front().path)
          .parent_path();
  std::filesystem::remove_all(folder);
  // A link that leads to itself.
  std::filesystem::create_directory_symlink(folder, folder);
  const absl::Status status = packs.Load(red_, "tiny", "").status();
  EXPECT_EQ(ReasonOf(status), "STORE_UNAVAILABLE");
  EXPECT_EQ(std::string(status.message()).find('/'), std::string::npos);
}

}  // namespace
}  // namespace reprise::services

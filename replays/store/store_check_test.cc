// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a check finds everything that a crash, a disk or a person can do
// to a store, that repair puts it right without throwing away what may be of
// use, and that a second check is then clean.

#include "replays/store/store_check.h"

#include <filesystem>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/store/sqlite_connection.h"
#include "replays/store/testing/store_folder.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {
namespace {

using Kind = StoreProblem::Kind;
using testing::IsEmpty;

namespace fs = std::filesystem;

class StoreCheckTest : public testing::Test {
 protected:
  StoreReport Check(bool repair = false) {
    auto report = CheckStore(
        *store_, {.repair = repair, .now = kTestNow + absl::Hours(1)});
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : StoreReport();
  }

  // The one problem that a check finds twice, a repair mends, and a check then
  // doesn't find any more.
  StoreProblem FindAndRepair(Kind expected) {
    for (const bool repair : {false, true}) {
      const StoreReport report = Check(repair);
      EXPECT_EQ(report.problems.size(), 1u);
      if (report.problems.size() != 1) return {};
      EXPECT_EQ(report.problems.front().kind, expected);
      EXPECT_EQ(report.problems.front().is_repaired, repair);
      if (repair) {
        EXPECT_THAT(Check().problems, IsEmpty());
        return report.problems.front();
      }
    }
    return {};
  }

  std::string PathOf(const StoredReplay& replay) const {
    return store_->files().PathOf(replay.digest);
  }

  const StoreFolder folder_;
  const std::unique_ptr<ReplayStore> store_ = folder_.Open();
};

TEST_F(StoreCheckTest, GoodStoreIsCleanAndCounted) {
  const StoredReplay first = folder_.Add(*store_, 1);
  const StoredReplay second = folder_.Add(*store_, 2);
  const StoreReport report = Check();
  EXPECT_TRUE(report.is_clean());
  EXPECT_EQ(report.replay_count, 2u);
  EXPECT_EQ(report.size_bytes, first.size_bytes + second.size_bytes);
}

TEST_F(StoreCheckTest, FileWithoutARowIsCataloguedAgain) {
  const StoredReplay replay = folder_.Add(*store_, 1, {"golden"});
  ASSERT_EQ(store_->catalogue().Erase(replay.digest), absl::OkStatus());
  FindAndRepair(Kind::kUncatalogued);
  StoredReplay expected = replay;
  expected.tags.clear();
  expected.added_at = kTestNow + absl::Hours(1);
  expected.name = sim::FormatDigest(replay.digest) + ".mcap";
  EXPECT_EQ(*store_->catalogue().Find(replay.digest), expected);
}

TEST_F(StoreCheckTest, RowWithoutAFileGoes) {
  const StoredReplay replay = folder_.Add(*store_, 1, {"golden"});
  fs::remove(PathOf(replay));
  const StoreProblem problem = FindAndRepair(Kind::kMissing);
  EXPECT_TRUE(problem.is_loss());
  EXPECT_EQ(problem.replay, replay);  // what it was is said before it goes
}

TEST_F(StoreCheckTest, ChangedFileIsPutAside) {
  const StoredReplay replay = folder_.Add(*store_, 1);
  DamageFile(PathOf(replay));
  const Bytes damaged = ReadBytes(PathOf(replay));
  const StoreProblem problem = FindAndRepair(Kind::kDamaged);
  EXPECT_TRUE(problem.is_loss());
  EXPECT_EQ(ReadBytes(problem.aside), damaged);
  EXPECT_FALSE(store_->catalogue().Find(replay.digest).ok());
}

TEST_F(StoreCheckTest, ShorterFileIsDamaged) {
  const StoredReplay replay = folder_.Add(*store_, 1);
  fs::resize_file(PathOf(replay), replay.size_bytes - 1);
  FindAndRepair(Kind::kDamaged);
}

TEST_F(StoreCheckTest, ChangedFileWithoutARowIsPutAside) {
  const StoredReplay replay = folder_.Add(*store_, 1);
  ASSERT_EQ(store_->catalogue().Erase(replay.digest), absl::OkStatus());
  DamageFile(PathOf(replay));
  FindAndRepair(Kind::kDamaged);
}

TEST_F(StoreCheckTest, WhatADeadProcessWasAddingIsDeleted) {
  const std::string path = folder_.path() + "/incoming/1.0.partial";
  WriteBytes(path, Bytes(100));
  FindAndRepair(Kind::kAbandoned);
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(StoreCheckTest, WhatALiveProcessIsAddingIsNoProblem) {
  const auto incoming = store_->files().Receive(folder_.Record(1));
  ASSERT_TRUE(incoming.ok()) << incoming.status();
  EXPECT_TRUE(Check(/*repair=*/true).is_clean());
  EXPECT_TRUE(fs::exists((*incoming)->path()));
}

// As a store of version 1 has it: by the XXH3-128 of its bytes.
TEST_F(StoreCheckTest, ReplayOfAFormerVersionIsFoundCheckedAndTheSame) {
  const std::string path = folder_.Record(1);
  const Bytes bytes = ReadBytes(path);
  const sim::ContentDigest old =
      sim::ContentDigestOf(bytes, sim::ContentHash::kXxh3);
  WriteBytes(store_->files().PathOf(old), bytes);
  FindAndRepair(Kind::kUncatalogued);

  EXPECT_EQ(store_->Resolve(sim::FormatDigest(old).substr(0, 8))->digest, old);
  const auto added = store_->Add(path, {.now = kTestNow});
  ASSERT_TRUE(added.ok()) << added.status();
  EXPECT_FALSE(added->is_new);
  EXPECT_EQ(added->replay.digest, old);
  EXPECT_EQ(Check().replay_count, 1u);

  DamageFile(store_->files().PathOf(old));
  FindAndRepair(Kind::kDamaged);
  const auto again = store_->Add(path, {.now = kTestNow});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(again->is_new);
  EXPECT_EQ(again->replay.digest, sim::ContentDigestOf(bytes));
}

TEST_F(StoreCheckTest, WhatAFormerVersionHasLostComesBackWithItsTags) {
  for (const bool is_there : {false, true}) {
    const std::string path = folder_.Record(is_there ? 2 : 1);
    const Bytes bytes = ReadBytes(path);
    const sim::ContentDigest old =
        sim::ContentDigestOf(bytes, sim::ContentHash::kXxh3);
    const std::string file = store_->files().PathOf(old);
    WriteBytes(file, bytes);
    FindAndRepair(Kind::kUncatalogued);
    const std::vector<std::string> tags = {"golden"};
    ASSERT_TRUE(store_->catalogue().ChangeTags(old, tags, {}).ok());
    is_there ? DamageFile(file) : static_cast<void>(fs::remove(file));

    const auto added = store_->Add(path, {.now = kTestNow, .tags = {"again"}});
    ASSERT_TRUE(added.ok()) << added.status();
    EXPECT_EQ(added->replay.digest, sim::ContentDigestOf(bytes));
    EXPECT_THAT(added->replay.tags, testing::ElementsAre("again", "golden"));
    EXPECT_TRUE(absl::IsNotFound(store_->catalogue().Find(old).status()));
    EXPECT_THAT(Check().problems, IsEmpty());
  }
}

TEST_F(StoreCheckTest, ForeignFilesAreNamedAndLeftAlone) {
  const std::string note = folder_.path() + "/files/README";
  WriteBytes(note, Bytes(10));
  // Rightly named, but no replay.
  const Bytes bytes(10, std::byte{'x'});
  const std::string named = store_->files().PathOf(sim::ContentDigestOf(bytes));
  WriteBytes(named, bytes);
  const StoreReport report = Check(/*repair=*/true);
  ASSERT_EQ(report.problems.size(), 2u);
  for (const StoreProblem& problem : report.problems) {
    EXPECT_EQ(problem.kind, Kind::kForeign);
    EXPECT_FALSE(problem.is_repaired);
    EXPECT_TRUE(fs::exists(problem.path));
  }
}

TEST_F(StoreCheckTest, EveryProblemIsFoundAtOnce) {
  const StoredReplay missing = folder_.Add(*store_, 1);
  const StoredReplay damaged = folder_.Add(*store_, 2);
  const StoredReplay unknown = folder_.Add(*store_, 3);
  folder_.Add(*store_, 4);
  fs::remove(PathOf(missing));
  DamageFile(PathOf(damaged));
  ASSERT_EQ(store_->catalogue().Erase(unknown.digest), absl::OkStatus());
  EXPECT_EQ(Check().problems.size(), 3u);
  EXPECT_EQ(Check(/*repair=*/true).problems.size(), 3u);
  const StoreReport report = Check();
  EXPECT_TRUE(report.is_clean());
  EXPECT_EQ(report.replay_count, 2u);
}

TEST_F(StoreCheckTest, LostCatalogueIsMadeAnewFromTheFiles) {
  const StoredReplay replay = folder_.Add(*store_, 1);
  for (const char* const suffix : {"", "-wal", "-shm"}) {
    fs::remove(folder_.path() + "/catalogue.sqlite" + suffix);
  }
  const auto store = folder_.Open();
  ASSERT_TRUE(CheckStore(*store, {.repair = true, .now = kTestNow}).ok());
  const auto found = store->catalogue().Find(replay.digest);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->seed, replay.seed);
  EXPECT_EQ(found->recorded_at, replay.recorded_at);
}

TEST_F(StoreCheckTest, DamagedCatalogueIsAnErrorAndNoFileIsTouched) {
  const StoredReplay replay = folder_.Add(*store_, 1);
  const auto store = folder_.Open();
  // A row that nobody writes.
  ASSERT_EQ(SqliteConnection::Open(folder_.path() + "/catalogue.sqlite")
                ->Run("UPDATE replays SET root = 'x'"),
            absl::OkStatus());
  EXPECT_EQ(CheckStore(*store, {.repair = true}).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_TRUE(fs::exists(PathOf(replay)));
}

}  // namespace
}  // namespace reprise::replays

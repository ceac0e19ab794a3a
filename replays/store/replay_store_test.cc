// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a store keeps exactly the bytes it was given, once, finds them
// by the beginning of their digest, takes nothing that is damaged, and loses
// nothing when its disk is full or the same digest stands for other bytes.

#include "replays/store/replay_store.h"

#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/store/testing/memory_catalogue.h"
#include "replays/store/testing/store_folder.h"
#include "replays/testing/tiny_recording.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

class ReplayStoreTest : public testing::Test {
 protected:
  absl::StatusOr<ReplayStore::Added> Add(const std::string& path,
                                         std::vector<std::string> tags = {}) {
    return store_->Add(
        path,
        {.recorded_at = kTestBefore, .now = kTestNow, .tags = std::move(tags)});
  }

  size_t FileCount() const { return store_->files().ListNamed()->size(); }

  std::string PathOf(const StoredReplay& replay) const {
    return store_->files().PathOf(replay.digest);
  }

  const StoreFolder folder_;
  std::unique_ptr<ReplayStore> store_ = folder_.Open();
};

TEST_F(ReplayStoreTest, KeepsTheBytesAndWhatTheySay) {
  const std::string path = folder_.Record(7);
  const auto added = Add(path, {"b", "a", "b"});
  ASSERT_TRUE(added.ok()) << added.status();
  const StoredReplay& replay = added->replay;
  EXPECT_TRUE(added->is_new);
  EXPECT_EQ(ReadBytes(PathOf(replay)), ReadBytes(path));
  EXPECT_EQ(replay.digest, sim::ContentDigestOf(ReadBytes(path)));
  EXPECT_EQ(replay.size_bytes, fs::file_size(path));
  EXPECT_EQ(replay.name, "7.mcap");
  EXPECT_EQ(replay.seed, 7u);
  EXPECT_EQ(replay.recorded_at, kTestBefore);
  EXPECT_EQ(replay.added_at, kTestNow);
  EXPECT_THAT(replay.tags, ElementsAre("a", "b"));
  EXPECT_EQ(*folder_.Open()->catalogue().Find(replay.digest), replay);
}

TEST_F(ReplayStoreTest, SameBytesAreKeptOnceAndGainTags) {
  const StoredReplay first = folder_.Add(*store_, 7, {"a"});
  const auto again =
      store_->Add(folder_.Record(7), {.recorded_at = kTestNow,
                                      .now = kTestNow + absl::Hours(1),
                                      .tags = {"b"}});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_FALSE(again->is_new);
  EXPECT_EQ(again->replay.recorded_at, first.recorded_at);
  EXPECT_THAT(again->replay.tags, ElementsAre("a", "b"));
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(ReplayStoreTest, AnyCatalogueServes) {
  const auto store = ReplayStore::Open(
      folder_.Beside("other"),
      [](const std::string&) -> absl::StatusOr<std::unique_ptr<Catalogue>> {
        return std::make_unique<MemoryCatalogue>();
      });
  ASSERT_TRUE(store.ok()) << store.status();
  const StoredReplay replay = folder_.Add(**store, 7);
  EXPECT_EQ((*store)->Resolve(sim::FormatDigest(replay.digest))->name,
            "7.mcap");
  EXPECT_EQ((*store)->Remove(replay.digest), absl::OkStatus());
  EXPECT_THAT(*(*store)->files().ListNamed(), IsEmpty());
}

TEST_F(ReplayStoreTest, RecordingThatWasCutOffIsKept) {
  const std::string path = folder_.Beside("cut.mcap");
  WriteBytes(path, RecordTiny({.tick_count = 90, .is_finished = false}));
  const auto added = Add(path);
  ASSERT_TRUE(added.ok()) << added.status();
  EXPECT_EQ(added->replay.outcome, "cut_off");
}

TEST_F(ReplayStoreTest, DamagedReplayIsRefusedByItsOwnName) {
  const std::string path = folder_.Record(7);
  DamageFile(path);
  const absl::Status status = Add(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr(path), testing::Not(HasSubstr("incoming"))));
  EXPECT_EQ(FileCount(), 0u);
  EXPECT_THAT(*store_->files().ListIncoming(), IsEmpty());
}

TEST_F(ReplayStoreTest, NoFlippedByteGetsIn) {
  const Bytes good = ReadBytes(folder_.Record(7));
  const std::string path = folder_.Beside("flipped.mcap");
  for (size_t i = 50; i + 8 < good.size(); i += good.size() / 20) {
    Bytes bytes = good;
    bytes[i] ^= std::byte{0x10};
    WriteBytes(path, bytes);
    EXPECT_FALSE(Add(path).ok()) << "byte " << i;
  }
  EXPECT_EQ(FileCount(), 0u);
}

TEST_F(ReplayStoreTest, WhatIsNoReplayIsRefused) {
  const std::string path = folder_.Beside("text.mcap");
  WriteBytes(path, Bytes(100, std::byte{'x'}));
  EXPECT_EQ(Add(path).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Add(folder_.Beside("none.mcap")).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(Add(folder_.Record(7), {"no tag"}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FileCount(), 0u);
}

TEST_F(ReplayStoreTest, BeginningOfADigestIsEnoughWhereItIsTheOnlyOne) {
  const StoredReplay one = folder_.Add(*store_, 1);
  const std::string digest = sim::FormatDigest(one.digest);
  EXPECT_EQ(*store_->Resolve(digest.substr(0, 6)), one);
  // One of 17 shares its first digit with another.
  for (uint64_t seed = 2; seed <= 17; ++seed) folder_.Add(*store_, seed);
  int ambiguous = 0;
  for (const char digit : std::string("0123456789abcdef")) {
    const auto found = store_->Resolve(std::string(1, digit));
    ambiguous += absl::IsInvalidArgument(found.status()) ? 1 : 0;
  }
  EXPECT_GE(ambiguous, 1);
}

TEST_F(ReplayStoreTest, WhatIsNoDigestIsNotLookedFor) {
  for (const std::string& text :
       {std::string(""), std::string("xyz"), std::string("AB"),
        std::string("../../etc/passwd"), std::string(65, 'a')}) {
    EXPECT_EQ(store_->Resolve(text).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(store_->Resolve("abc").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(ReplayStoreTest, RemovedReplayIsGone) {
  const StoredReplay replay = folder_.Add(*store_, 7);
  ASSERT_EQ(store_->Remove(replay.digest), absl::OkStatus());
  EXPECT_EQ(FileCount(), 0u);
  EXPECT_EQ(store_->Remove(replay.digest).code(), absl::StatusCode::kNotFound);
}

TEST_F(ReplayStoreTest, CopyHasTheBytes) {
  const StoredReplay replay = folder_.Add(*store_, 7);
  const std::string path = folder_.Beside("copy.mcap");
  ASSERT_EQ(store_->CopyTo(replay.digest, path), absl::OkStatus());
  EXPECT_EQ(ReadBytes(path), ReadBytes(PathOf(replay)));
  EXPECT_EQ(store_->CopyTo(replay.digest, path).code(),
            absl::StatusCode::kAlreadyExists);
}

TEST_F(ReplayStoreTest, CopyOfAChangedFileIsDataLossAndLeavesNothing) {
  const StoredReplay replay = folder_.Add(*store_, 7);
  DamageFile(PathOf(replay));
  const std::string path = folder_.Beside("copy.mcap");
  EXPECT_EQ(store_->CopyTo(replay.digest, path).code(),
            absl::StatusCode::kDataLoss);
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(path + ".partial"));
}

TEST_F(ReplayStoreTest, GoodBytesTakeThePlaceOfDamagedOnes) {
  const StoredReplay replay = folder_.Add(*store_, 7);
  DamageFile(PathOf(replay));
  const auto again = Add(folder_.Record(7));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(ReadBytes(PathOf(replay)), ReadBytes(folder_.Record(7)));
  // Nothing is thrown away.
  EXPECT_FALSE(fs::is_empty(folder_.path() + "/damaged"));
}

TEST_F(ReplayStoreTest, FileWithoutARowGetsOneWhenItIsAddedAgain) {
  const StoredReplay replay = folder_.Add(*store_, 7);
  ASSERT_EQ(store_->catalogue().Erase(replay.digest), absl::OkStatus());
  const auto again = Add(folder_.Record(7));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(again->is_new);
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(ReplayStoreTest, FullDiskKeepsNothingHalf) {
  folder_.Add(*store_, 1);
  const std::string path = folder_.Record(7);
  signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit = {fs::file_size(path) / 2, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limit);
  const absl::Status status = Add(path).status();
  setrlimit(RLIMIT_FSIZE, &before);

  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(folder_.path()));
  EXPECT_EQ(FileCount(), 1u);
  EXPECT_THAT(*store_->files().ListIncoming(), IsEmpty());
  EXPECT_TRUE(Add(path).ok());
}

TEST_F(ReplayStoreTest, FolderThatCannotBeMadeIsUnavailable) {
  WriteBytes(folder_.Beside("file"), Bytes(1));
  EXPECT_EQ(ReplayStore::Open(folder_.Beside("file/store")).status().code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace reprise::replays

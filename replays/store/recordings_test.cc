// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what a server records in a store's folder is the store's: found,
// tagged, kept once, checked and removed as what was added, while it keeps its
// name for the server. And that a catalogue which can't be used, for whatever
// reason, costs nobody a recording.

#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/store/file_lock.h"
#include "replays/store/recording_names.h"
#include "replays/store/replay_store.h"
#include "replays/store/sqlite_connection.h"
#include "replays/store/store_check.h"
#include "replays/store/stored_file_index.h"
#include "replays/store/testing/store_folder.h"

namespace reprise::replays {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

class RecordingsTest : public testing::Test {
 protected:
  // Records a run as a server does that calls it `name`.
  std::string Record(uint64_t seed, const std::string& name) const {
    const std::string path = folder_.path() + "/" + name;
    fs::create_directories(fs::path(path).parent_path());
    fs::copy_file(folder_.Record(seed), path);
    return path;
  }

  // Why recordings couldn't be taken in.
  std::vector<std::string> TakeIn(ReplayStore& store) const {
    std::vector<std::string> problems;
    EXPECT_EQ(store.TakeInNew(kTestNow,
                              [&](const absl::Status& status) {
                                problems.emplace_back(status.message());
                              }),
              absl::OkStatus());
    return problems;
  }

  // The names of what the store has, in the order of names.
  static std::vector<std::string> Names(const ReplayStore& store,
                                        const StoredReplayFilter& filter = {}) {
    std::vector<std::string> names;
    const absl::Status status = ForEachStoredReplay(
        store.catalogue(), filter, [&names](const StoredReplay& replay) {
          names.push_back(replay.name);
          return absl::OkStatus();
        });
    EXPECT_EQ(status, absl::OkStatus());
    std::ranges::sort(names);
    return names;
  }

  static StoredReplay Find(const ReplayStore& store, const std::string& name) {
    return store.catalogue().List({.name = name}, 1, {})->at(0);
  }

  // How many names the file has.
  static nlink_t NameCount(const std::string& path) {
    struct stat information = {};
    EXPECT_EQ(stat(path.c_str(), &information), 0) << path;
    return information.st_nlink;
  }

  const StoreFolder folder_;
};

TEST_F(RecordingsTest, AreFoundByWhatTheySayAndByTheirNames) {
  const std::string path = Record(1, "replays/a.mcap");
  Record(2, "replays/red/b.mcap");
  const auto store = folder_.Open();

  EXPECT_THAT(TakeIn(*store), IsEmpty());

  EXPECT_THAT(Names(*store),
              ElementsAre("replays/a.mcap", "replays/red/b.mcap"));
  EXPECT_THAT(Names(*store, {.name = "replays/red/"}),
              ElementsAre("replays/red/b.mcap"));
  const StoredReplay replay = Find(*store, "replays/a.mcap");
  EXPECT_EQ(replay.seed, 1u);
  EXPECT_EQ(replay.added_at, kTestNow);
  EXPECT_EQ(replay.size_bytes, fs::file_size(path));
  EXPECT_EQ(ReadBytes(store->files().PathOf(replay.digest)), ReadBytes(path));
  EXPECT_TRUE(CheckStore(*store, {})->is_clean());
}

TEST_F(RecordingsTest, TakeNoMoreRoomAndNoSecondLook) {
  const std::string path = Record(1, "replays/a.mcap");
  const auto store = folder_.Open();
  TakeIn(*store);

  EXPECT_EQ(NameCount(path), 2u);
  EXPECT_THAT(*ListNewRecordings(folder_.path()), IsEmpty());
}

TEST_F(RecordingsTest, OfTheSameBytesAreOneFile) {
  const auto store = folder_.Open();
  const StoredReplay added = folder_.Add(*store, 1, {"golden"});
  const std::string path = Record(1, "replays/a.mcap");
  const std::string other = Record(1, "replays/b.mcap");

  EXPECT_THAT(TakeIn(*store), IsEmpty());

  EXPECT_EQ(*store->catalogue().Find(added.digest), added);
  EXPECT_EQ(NameCount(store->files().PathOf(added.digest)), 3u);
  EXPECT_TRUE(fs::equivalent(path, other));
  EXPECT_THAT(*store->files().ListIncoming(), IsEmpty());
}

TEST_F(RecordingsTest, AreRemovedUnderAllTheirNames) {
  const std::string path = Record(1, "replays/a.mcap");
  const std::string other = Record(1, "replays/red/b.mcap");
  const std::string kept = Record(2, "replays/c.mcap");
  const auto store = folder_.Open();
  TakeIn(*store);

  ASSERT_EQ(store->Remove(Find(*store, "a.mcap").digest), absl::OkStatus());

  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(other));
  EXPECT_TRUE(fs::exists(kept));
  EXPECT_THAT(TakeIn(*store), IsEmpty());
  EXPECT_THAT(Names(*store), ElementsAre("replays/c.mcap"));
}

TEST_F(RecordingsTest, OneNameGoesAndTheLastOneTakesTheReplayAlong) {
  const std::string path = Record(1, "replays/a.mcap");
  const std::string other = Record(1, "replays/red/b.mcap");
  const auto store = folder_.Open();
  TakeIn(*store);
  const StoredReplay replay = Find(*store, "replays/a.mcap");
  StoredFileIndex files(folder_.path());

  ASSERT_EQ(store->RemoveRecording(path, files), absl::OkStatus());
  EXPECT_FALSE(fs::exists(path));
  EXPECT_THAT(Names(*store), ElementsAre("replays/red/b.mcap"));
  EXPECT_TRUE(CheckStore(*store, {})->is_clean());
  EXPECT_EQ(store->RemoveRecording(path, files).code(),
            absl::StatusCode::kNotFound);

  ASSERT_EQ(store->RemoveRecording(other, files), absl::OkStatus());
  EXPECT_THAT(Names(*store), IsEmpty());
  EXPECT_FALSE(fs::exists(store->files().PathOf(replay.digest)));
}

TEST_F(RecordingsTest, WhatWasAddedTooStaysWhenItsNameGoes) {
  const auto store = folder_.Open();
  const StoredReplay added = folder_.Add(*store, 1, {"golden"});
  const std::string path = Record(1, "replays/a.mcap");
  TakeIn(*store);
  StoredFileIndex files(folder_.path());

  ASSERT_EQ(store->RemoveRecording(path, files), absl::OkStatus());

  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(*store->catalogue().Find(added.digest), added);
  EXPECT_TRUE(CheckStore(*store, {})->is_clean());
}

TEST_F(RecordingsTest, OneThatIsNotTakenInIsJustRemoved) {
  const std::string path = Record(1, "replays/a.mcap");
  const auto store = folder_.Open();
  StoredFileIndex files(folder_.path());

  ASSERT_EQ(store->RemoveRecording(path, files), absl::OkStatus());

  EXPECT_FALSE(fs::exists(path));
}

TEST_F(RecordingsTest, AreFoundByTheirFilesWhateverIsAddedAndRemoved) {
  const auto store = folder_.Open();
  StoredFileIndex files(folder_.path());
  const std::string path = Record(1, "replays/a.mcap");
  EXPECT_EQ(*files.DigestOf(path), std::nullopt);
  for (int round = 0; round < 3; ++round) {
    if (round > 0) Record(1, "replays/a.mcap");
    TakeIn(*store);
    const StoredReplay replay = Find(*store, "a.mcap");
    EXPECT_EQ(*files.DigestOf(path), replay.digest);
    EXPECT_EQ(*files.DigestOf(path), replay.digest);
    ASSERT_EQ(store->Remove(replay.digest), absl::OkStatus());
    EXPECT_EQ(files.DigestOf(path).status().code(),
              absl::StatusCode::kNotFound);
  }
  // A name that is somebody else's.
  Record(2, "replays/b.mcap");
  fs::create_hard_link(folder_.path() + "/replays/b.mcap",
                       folder_.Beside("backup"));
  EXPECT_EQ(files.DigestOf(folder_.path() + "/replays/b.mcap").status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(RecordingsTest, ThatAreFoundDamagedAreHandedOutByNoName) {
  const std::string path = Record(1, "replays/a.mcap");
  const std::string other = Record(1, "replays/red/b.mcap");
  const std::string kept = Record(2, "replays/c.mcap");
  const auto store = folder_.Open();
  TakeIn(*store);
  DamageFile(path);

  const auto report = CheckStore(*store, {.repair = true, .now = kTestNow});

  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->problems.size(), 1u);
  EXPECT_TRUE(fs::exists(report->problems[0].aside));
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(other));
  EXPECT_TRUE(fs::exists(kept));
  EXPECT_THAT(TakeIn(*store), IsEmpty());
  EXPECT_THAT(Names(*store), ElementsAre("replays/c.mcap"));
  EXPECT_TRUE(CheckStore(*store, {})->is_clean());
}

TEST_F(RecordingsTest, ThatAreUnfinishedOrNoneAreLeftAlone) {
  for (const char* name :
       {"a.mcap.partial", "b.mcap.damaged", "notes.txt", "c.mcap.recovering"}) {
    Record(1, std::string("replays/") + name);
  }
  fs::create_directories(folder_.path() + "/replays/folder.mcap");
  fs::create_symlink("/etc/passwd", folder_.path() + "/replays/link.mcap");
  const auto store = folder_.Open();

  EXPECT_THAT(TakeIn(*store), IsEmpty());
  EXPECT_THAT(Names(*store), IsEmpty());
}

TEST_F(RecordingsTest, OfWhichOneIsDamagedAreTakenInWithoutIt) {
  Record(1, "replays/a.mcap");
  const std::string damaged = Record(2, "replays/b.mcap");
  DamageFile(damaged);
  Record(3, "replays/c.mcap");
  const auto store = folder_.Open();

  EXPECT_THAT(TakeIn(*store), ElementsAre(HasSubstr("replays/b.mcap: ")));

  EXPECT_THAT(Names(*store), ElementsAre("replays/a.mcap", "replays/c.mcap"));
  EXPECT_TRUE(fs::exists(damaged));
  EXPECT_TRUE(CheckStore(*store, {})->is_clean());
}

// As a process does that is killed between the two.
TEST_F(RecordingsTest, ThatHaveTheirRowAndNoSecondNameAreTakenInAgain) {
  Record(1, "replays/a.mcap");
  auto store = folder_.Open();
  TakeIn(*store);
  const StoredReplay replay = Find(*store, "a.mcap");
  fs::remove(store->files().PathOf(replay.digest));

  EXPECT_THAT(TakeIn(*store), IsEmpty());

  EXPECT_EQ(Find(*store, "a.mcap"), replay);
  EXPECT_TRUE(CheckStore(*store, {})->is_clean());
}

TEST_F(RecordingsTest, KeepTheirNamesWhenTheCatalogueIsLost) {
  Record(1, "replays/a.mcap");
  Record(2, "replays/red/b.mcap");
  TakeIn(*folder_.Open());
  for (const char* suffix : {"", "-wal", "-shm"}) {
    fs::remove(folder_.path() + "/catalogue.sqlite" + suffix);
  }
  const auto store = folder_.Open();

  const auto report = CheckStore(*store, {.repair = true, .now = kTestNow});

  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(Names(*store),
              ElementsAre("replays/a.mcap", "replays/red/b.mcap"));
}

TEST_F(RecordingsTest, HaveTheSameNamesHoweverTheFolderIsWritten) {
  Record(1, "replays/a.mcap");
  for (const char* end : {"/", "/.", "/replays/.."}) {
    const auto store = *ReplayStore::Open(folder_.path() + end);
    TakeIn(*store);
    EXPECT_THAT(Names(*store), ElementsAre("replays/a.mcap")) << end;
    ASSERT_EQ(store->catalogue().Erase(Find(*store, "a.mcap").digest),
              absl::OkStatus());
    fs::remove_all(folder_.path() + "/files");
  }
}

// A store whose catalogue somebody else is at: an error and what it says.
class UnusableStoreTest : public RecordingsTest {
 protected:
  UnusableStoreTest() : recording_(Record(1, "replays/a.mcap")) {
    TakeIn(*folder_.Open());
    bytes_ = ReadBytes(recording_);
  }

  void Expect(absl::StatusCode code, const std::string& place,
              const std::string& reason) {
    const absl::Status status =
        ReplayStore::Open(folder_.path(), absl::Milliseconds(20)).status();
    EXPECT_EQ(status.code(), code);
    EXPECT_THAT(
        std::string(status.message()),
        AllOf(HasSubstr(folder_.path() + "/" + place), HasSubstr(reason)));
    EXPECT_EQ(ReadBytes(recording_), bytes_);
  }

  void RunSql(const char* sql) {
    const auto connection =
        SqliteConnection::Open(folder_.path() + "/catalogue.sqlite");
    ASSERT_TRUE(connection.ok()) << connection.status();
    ASSERT_EQ(connection->Run(sql), absl::OkStatus());
  }

  const std::string recording_;
  Bytes bytes_;
};

TEST_F(UnusableStoreTest, LockThatNobodyLetsGoOfIsWaitedForNoLonger) {
  const auto lock =
      FileLock::Acquire(folder_.path() + "/lock", absl::ZeroDuration());
  ASSERT_TRUE(lock.ok());
  Expect(absl::StatusCode::kUnavailable, "lock",
         "another process has held this lock for 20ms");
}

TEST_F(UnusableStoreTest, CatalogueThatSomebodyWritesToIsNamed) {
  const auto other =
      SqliteConnection::Open(folder_.path() + "/catalogue.sqlite");
  ASSERT_EQ(other->Run("BEGIN EXCLUSIVE"), absl::OkStatus());
  Expect(absl::StatusCode::kUnavailable, "catalogue.sqlite",
         "another process holds it and doesn't let go");
}

TEST_F(UnusableStoreTest, CatalogueThatWasChangedByHandIsNamed) {
  RunSql("DROP TABLE tags");
  Expect(absl::StatusCode::kDataLoss, "catalogue.sqlite",
         "no such table: tags, so it is no whole catalogue");
}

TEST_F(UnusableStoreTest, ColumnThatSomebodyRenamedIsNamed) {
  RunSql("ALTER TABLE replays RENAME COLUMN build TO builder");
  Expect(absl::StatusCode::kDataLoss, "catalogue.sqlite",
         "no such column: build, so it is no whole catalogue");
}

TEST_F(UnusableStoreTest, CatalogueOfALaterVersionIsNamed) {
  RunSql("PRAGMA user_version = 7");
  Expect(absl::StatusCode::kUnimplemented, "catalogue.sqlite",
         "has version 7 of a catalogue; this program knows them up to 2");
}

TEST_F(UnusableStoreTest, DamagedCatalogueIsNamed) {
  WriteBytes(folder_.path() + "/catalogue.sqlite",
             Bytes(10'000, std::byte{0x5a}));
  Expect(absl::StatusCode::kDataLoss, "catalogue.sqlite",
         "file is not a database");
}

// Whoever may write anywhere, as root does, gives that up meanwhile.
class ReadOnlyStoreTest : public testing::Test {
 protected:
  ReadOnlyStoreTest() : folder_(mkdtemp(template_)) {
    EXPECT_TRUE(ReplayStore::Open(folder_).ok());
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
    fs::permissions(folder_ + "/lock", fs::perms::owner_read);
    OverridePermissions(false);
  }
  ~ReadOnlyStoreTest() override {
    OverridePermissions(true);
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  // Of this thread, as far as it may.
  static void OverridePermissions(bool is_allowed) {
    __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3,
                                       .pid = 0};
    __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
    ASSERT_EQ(syscall(SYS_capget, &header, sets), 0);
    const uint32_t bit = CAP_TO_MASK(CAP_DAC_OVERRIDE);
    sets[0].effective &= ~bit;
    if (is_allowed) sets[0].effective |= sets[0].permitted & bit;
    ASSERT_EQ(syscall(SYS_capset, &header, sets), 0);
  }

  char template_[32] = "/tmp/store.XXXXXX";
  const std::string folder_;
};

TEST_F(ReadOnlyStoreTest, IsUnavailableAndSaysWhat) {
  const absl::Status status = ReplayStore::Open(folder_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(), folder_ + "/lock: Permission denied");
}

}  // namespace
}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a catalogue is used where programs have no memory in common: with
// a layer below SQLite that gives it none, as on a share of the network, it
// goes on with a journal, and is taken over with a log of writes where there is
// some. And that a mode by which a crash would damage it is refused.

#include "replays/store/journal_mode.h"

#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/store/sqlite_catalogue.h"
#include "replays/store/sqlite_connection.h"
#include "replays/store/testing/numbered_digest.h"
#include "replays/store/testing/store_folder.h"

namespace reprise::replays {
namespace {

using testing::HasSubstr;

// While it lives, SQLite's files are those of the system, without memory that
// programs share.
class NoSharedMemory {
 public:
  NoSharedMemory() {
    system_ = sqlite3_vfs_find(nullptr);
    layer_ = *system_;
    layer_.zName = "no_shared_memory";
    layer_.pNext = nullptr;
    layer_.xOpen = [](sqlite3_vfs*, const char* name, sqlite3_file* file,
                      int flags, int* flags_out) {
      const int result = system_->xOpen(system_, name, file, flags, flags_out);
      if (result != SQLITE_OK) return result;
      static std::map<const sqlite3_io_methods*, sqlite3_io_methods> all;
      sqlite3_io_methods& methods = all[file->pMethods];
      methods = *file->pMethods;
      methods.iVersion = 1;  // The last one without it.
      file->pMethods = &methods;
      return result;
    };
    sqlite3_vfs_register(&layer_, /*makeDflt=*/1);
  }
  ~NoSharedMemory() {
    sqlite3_vfs_unregister(&layer_);
    sqlite3_vfs_register(system_, /*makeDflt=*/1);
  }

 private:
  static sqlite3_vfs* system_;
  sqlite3_vfs layer_ = {};
};

sqlite3_vfs* NoSharedMemory::system_ = nullptr;

StoredReplay Row(uint64_t number) {
  StoredReplay row;
  row.digest = NumberedDigest(number);
  row.recorded_at = kTestBefore;
  row.added_at = kTestNow;
  return row;
}

class JournalModeTest : public testing::Test {
 protected:
  std::string ModeNow() const {
    const auto connection = SqliteConnection::Open(path_);
    EXPECT_TRUE(connection.ok()) << connection.status();
    auto pragma = connection->Prepare("PRAGMA journal_mode");
    EXPECT_TRUE(pragma.ok()) << pragma.status();
    EXPECT_TRUE(*pragma->Step());
    return pragma->Text(0);
  }

  const StoreFolder folder_;
  const std::string path_ = folder_.Beside("catalogue.sqlite");
};

TEST_F(JournalModeTest, CatalogueHasTheModeThatFitsItsPlace) {
  ASSERT_TRUE(SqliteCatalogue::Open(path_).ok());
  EXPECT_EQ(ModeNow(), ChooseJournalMode(path_));
}

TEST_F(JournalModeTest, WithoutSharedMemoryItGoesOnWithAJournal) {
  {
    const NoSharedMemory share;
    const auto catalogue = SqliteCatalogue::Open(path_);
    ASSERT_TRUE(catalogue.ok()) << catalogue.status();
    ASSERT_EQ((*catalogue)->Insert(Row(1)), absl::OkStatus());
    EXPECT_EQ(*(*catalogue)->Find(Row(1).digest), Row(1));
  }
  EXPECT_EQ(ModeNow(), "delete");
  const auto catalogue = SqliteCatalogue::Open(path_);
  ASSERT_TRUE(catalogue.ok()) << catalogue.status();
  EXPECT_EQ(*(*catalogue)->Find(Row(1).digest), Row(1));
  EXPECT_EQ(ModeNow(), ChooseJournalMode(path_));
}

// What no file holds, no crash damages.
TEST_F(JournalModeTest, CatalogueInMemoryKeepsItsJournalThere) {
  const auto connection = SqliteConnection::Open(":memory:");
  ASSERT_TRUE(connection.ok()) << connection.status();
  EXPECT_FALSE(connection->HasFile());
  EXPECT_EQ(SetJournalMode(*connection), absl::OkStatus());
  EXPECT_TRUE(SqliteCatalogue::Open(":memory:").ok());
}

// A log of writes that somebody else needs can't be taken away from them.
TEST_F(JournalModeTest, WhatCantBeOpenedNamesTheFile) {
  if (ChooseJournalMode(path_) != "wal") GTEST_SKIP() << "on a share";
  const auto catalogue = SqliteCatalogue::Open(path_);
  ASSERT_TRUE(catalogue.ok()) << catalogue.status();
  ASSERT_EQ((*catalogue)->Insert(Row(1)), absl::OkStatus());

  const NoSharedMemory share;
  const absl::Status status = SqliteCatalogue::Open(path_).status();

  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr(path_));
}

TEST_F(JournalModeTest, ModesThatACrashDamagesAreRefused) {
  for (const char* const mode : {"wal", "delete", "truncate", "persist"}) {
    EXPECT_EQ(CheckJournalMode(mode, path_), absl::OkStatus()) << mode;
  }
  for (const char* const mode : {"memory", "off", ""}) {
    const absl::Status status = CheckJournalMode(mode, path_);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << mode;
    EXPECT_THAT(std::string(status.message()), HasSubstr(path_));
  }
}

TEST_F(JournalModeTest, SharesOfTheNetworkAreKnownByTheirType) {
  // NFS, SMB 2 with and without its sign, CIFS; ext4, tmpfs, overlayfs, xfs.
  for (const int64_t type :
       {int64_t{0x6969}, int64_t{0xFE534D42},
        int64_t{static_cast<int32_t>(0xFE534D42)}, int64_t{0xFF534D42}}) {
    EXPECT_TRUE(IsNetworkFileSystem(type)) << type;
  }
  for (const int64_t type : {0xEF53, 0x01021994, 0x794C7630, 0x58465342}) {
    EXPECT_FALSE(IsNetworkFileSystem(type)) << type;
  }
}

TEST_F(JournalModeTest, TheFolderTellsOfAFileToCome) {
  EXPECT_EQ(ChooseJournalMode(path_), ChooseJournalMode(folder_.Beside("")));
  EXPECT_EQ(ChooseJournalMode("no/such/folder/catalogue.sqlite"), "wal");
}

}  // namespace
}  // namespace reprise::replays

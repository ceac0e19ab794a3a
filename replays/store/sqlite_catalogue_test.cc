// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what only a catalogue on the disk has to do: last, be shared, refuse
// what isn't a catalogue or is of a later version, and say so when it is
// damaged or its disk is full, without losing what it had. What every catalogue
// does is in catalogue_test.cc.

#include "replays/store/sqlite_catalogue.h"

#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/store/sqlite_connection.h"
#include "replays/store/testing/numbered_digest.h"
#include "replays/store/testing/store_folder.h"

namespace reprise::replays {
namespace {

using testing::HasSubstr;

// While it lives no file of this process grows past `bytes`: what a full disk
// does, to this process alone.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_ = {};
};

StoredReplay Row(uint64_t number) {
  StoredReplay row;
  row.digest = NumberedDigest(number);
  row.recorded_at = kTestBefore;
  row.added_at = kTestNow;
  row.name = std::string(1000, 'n');
  return row;
}

class SqliteCatalogueTest : public testing::Test {
 protected:
  std::unique_ptr<Catalogue> Open() {
    auto catalogue = SqliteCatalogue::Open(path_);
    EXPECT_TRUE(catalogue.ok()) << catalogue.status();
    return catalogue.ok() ? *std::move(catalogue) : nullptr;
  }

  void RunSql(const char* sql) {
    const auto connection = SqliteConnection::Open(path_);
    ASSERT_TRUE(connection.ok()) << connection.status();
    ASSERT_EQ(connection->Run(sql), absl::OkStatus());
  }

  const StoreFolder folder_;
  const std::string path_ = folder_.Beside("catalogue.sqlite");
};

TEST_F(SqliteCatalogueTest, RowsLast) {
  ASSERT_EQ(Open()->Insert(Row(1)), absl::OkStatus());
  EXPECT_EQ(*Open()->Find(Row(1).digest), Row(1));
}

TEST_F(SqliteCatalogueTest, TwoConnectionsSeeEachOther) {
  const auto first = Open();
  const auto second = Open();
  ASSERT_EQ(first->Insert(Row(1)), absl::OkStatus());
  ASSERT_EQ(
      second->ChangeTags(Row(1).digest, std::vector<std::string>{"a"}, {}),
      absl::OkStatus());
  EXPECT_EQ(first->Find(Row(1).digest)->tags, std::vector<std::string>{"a"});
}

TEST_F(SqliteCatalogueTest, LaterVersionIsRefusedAndLeftAlone) {
  ASSERT_NE(Open(), nullptr);
  RunSql("PRAGMA user_version = 3");
  const Bytes before = ReadBytes(path_);
  const absl::Status status = SqliteCatalogue::Open(path_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()),
              testing::AllOf(HasSubstr(path_), HasSubstr("version 3"),
                             HasSubstr("up to 2")));
  EXPECT_EQ(ReadBytes(path_), before);
}

// Its rows stay; programs that know no longer digests leave it from then on.
TEST_F(SqliteCatalogueTest, FormerVersionIsTakenOver) {
  ASSERT_EQ(Open()->Insert(Row(1)), absl::OkStatus());
  RunSql("PRAGMA user_version = 1");
  const std::unique_ptr<Catalogue> catalogue = Open();
  ASSERT_NE(catalogue, nullptr);
  EXPECT_EQ(*catalogue->Find(Row(1).digest), Row(1));
  const auto connection = SqliteConnection::Open(path_);
  ASSERT_TRUE(connection.ok()) << connection.status();
  EXPECT_EQ(*connection->QueryInteger("PRAGMA user_version"),
            kSqliteCatalogueVersion);
}

TEST_F(SqliteCatalogueTest, SomebodyElsesDatabaseIsRefusedAndLeftAlone) {
  RunSql("CREATE TABLE bookmarks (url TEXT)");
  const Bytes before = ReadBytes(path_);
  const absl::Status status = SqliteCatalogue::Open(path_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr(path_));
  EXPECT_EQ(ReadBytes(path_), before);
}

TEST_F(SqliteCatalogueTest, FileThatIsNoDatabaseIsDataLoss) {
  WriteBytes(path_, Bytes(5000, std::byte{'x'}));
  const absl::Status status = SqliteCatalogue::Open(path_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr(path_));
}

TEST_F(SqliteCatalogueTest, DamagedPageIsDataLoss) {
  {
    const auto catalogue = Open();
    for (uint64_t i = 0; i < 100; ++i) {
      ASSERT_EQ(catalogue->Insert(Row(i)), absl::OkStatus());
    }
  }
  // The last connection has moved everything into the one file.
  Bytes bytes = ReadBytes(path_);
  ASSERT_GT(bytes.size(), 20'000u);
  std::fill(bytes.begin() + 4096, bytes.end(), std::byte{0x5a});
  WriteBytes(path_, bytes);
  EXPECT_EQ(Open()->CheckIntegrity().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Open()->List({}, 10, {}).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(SqliteCatalogueTest, RowThatNobodyWritesIsDataLoss) {
  ASSERT_EQ(Open()->Insert(Row(1)), absl::OkStatus());
  RunSql("UPDATE replays SET root = 'nonsense'");
  EXPECT_EQ(Open()->List({}, 10, {}).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(SqliteCatalogueTest, TagOfNoReplayIsDataLoss) {
  ASSERT_NE(Open(), nullptr);
  RunSql("INSERT INTO tags VALUES ('00', 'orphan')");
  const absl::Status status = Open()->CheckIntegrity();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("1 tags"));
}

TEST_F(SqliteCatalogueTest, FullDiskIsUnavailableAndLosesNothing) {
  const auto catalogue = Open();
  ASSERT_EQ(catalogue->Insert(Row(0)), absl::OkStatus());
  absl::Status status;
  uint64_t inserted = 1;
  {
    const FullDisk full(100'000);
    while (inserted < 10'000 && status.ok()) {
      status = catalogue->Insert(Row(inserted));
      if (status.ok()) ++inserted;
    }
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(path_));
  EXPECT_EQ(catalogue->CheckIntegrity(), absl::OkStatus());
  EXPECT_EQ(catalogue->List({}, kCataloguePageMax, {})->size(), inserted);
  EXPECT_EQ(catalogue->Insert(Row(inserted)), absl::OkStatus());
}

TEST_F(SqliteCatalogueTest, FolderThatIsNotThereIsUnavailable) {
  const absl::Status status =
      SqliteCatalogue::Open(folder_.Beside("none/catalogue.sqlite")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what the store lists and opens, page by page, that a recording gets
// its name only when it is finished, and that what is finished is a store's
// replay and needs no catalogue to be the server's, on a folder made for the
// test.

#include "services/storage/replay_store.h"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/store/replay_store.h"
#include "replays/testing/disk_syncs.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/status.h"
#include "services/storage/recording_room.h"
#include "services/testing/test_folders.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class ReplayStoreTest : public testing::Test {
 protected:
  ReplayStoreTest() { store_ = *ReplayStore::Open(folders_.store(), options_); }

  std::unique_ptr<Recording> Record(const std::string& id) {
    return *store_->Record(Tenant(), id, simulation_.get(), pack_);
  }

  std::vector<std::string> ListIds(int32_t page_size,
                                   const std::string& token = "") {
    const ReplayStore::Page page = *store_->List(Tenant(), page_size, token);
    std::vector<std::string> ids;
    for (const ReplayStore::Entry& entry : page.replays) {
      ids.push_back(entry.id);
    }
    return ids;
  }

  const TestFolders folders_;
  RecordingOptions options_;
  std::unique_ptr<ReplayStore> store_;
  const sim::PackArchive pack_ = replays::MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation_ =
      *replays::TinySimulation::Create(pack_, /*seed=*/1);
};

TEST_F(ReplayStoreTest, AFolderThatCannotBeMadeIsAnError) {
  folders_.Write("store/file", "");

  EXPECT_EQ(
      ReplayStore::Open(folders_.store() + "/file", options_).status().code(),
      absl::StatusCode::kFailedPrecondition);
}

TEST_F(ReplayStoreTest, ARecordingIsPartialUntilItIsFinished) {
  const auto recording = Record("a");
  EXPECT_THAT(folders_.StoredFiles(), ElementsAre("a.mcap.partial"));
  EXPECT_THAT(ListIds(0), IsEmpty());
  const absl::Status opened = store_->OpenReplay(Tenant(), "a").status();
  EXPECT_EQ(opened.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ReasonOf(opened), "REPLAY_UNFINISHED");

  ASSERT_EQ(recording->Finish(), absl::OkStatus());

  EXPECT_THAT(folders_.StoredFiles(), ElementsAre("a.mcap"));
  EXPECT_THAT(ListIds(0), ElementsAre("a"));
  EXPECT_TRUE(store_->OpenReplay(Tenant(), "a").ok());
}

TEST_F(ReplayStoreTest, ALookSaysWhetherMoreComes) {
  EXPECT_EQ(ReasonOf(store_->Look(Tenant(), "a").status()), "REPLAY_NOT_FOUND");
  auto recording = Record("a");
  auto broken = Record("b");

  auto look = store_->Look(Tenant(), "a");
  ASSERT_TRUE(look.ok()) << look.status();
  EXPECT_TRUE(look->may_grow);
  const uint64_t size = look->source->size();
  EXPECT_GT(size, 0u);
  ASSERT_EQ(recording->Finish(), absl::OkStatus());
  look = store_->Look(Tenant(), "a");
  ASSERT_TRUE(look.ok()) << look.status();
  EXPECT_FALSE(look->may_grow);
  EXPECT_EQ(look->end, absl::OkStatus());
  EXPECT_GT(look->source->size(), size);

  broken = nullptr;
  look = store_->Look(Tenant(), "b");
  ASSERT_TRUE(look.ok()) << look.status();
  EXPECT_FALSE(look->may_grow);
  EXPECT_EQ(ReasonOf(look->end), "RECORDING_FAILED");
  EXPECT_GT(look->source->size(), 0u);
  EXPECT_EQ(ReasonOf(store_->Look({.name = "red"}, "a").status()),
            "REPLAY_NOT_FOUND");
}

// Clients are told so.
TEST_F(ReplayStoreTest, WhatTheSystemRefusesIsToldWithoutThePath) {
  std::filesystem::create_directories(folders_.store() +
                                      "/replays/a.mcap.partial");
  const absl::Status begun =
      store_->Record(Tenant(), "a", simulation_.get(), pack_).status();
  EXPECT_EQ(ReasonOf(begun), "STORE_UNAVAILABLE");
  EXPECT_EQ(std::string(begun.message()),
            "the store can't be read or written now: Is a directory");

  std::filesystem::create_directories(folders_.store() + "/replays/b.mcap");
  const absl::Status opened = store_->OpenReplay(Tenant(), "b").status();
  EXPECT_EQ(ReasonOf(opened), "STORE_UNAVAILABLE");
  EXPECT_EQ(std::string(opened.message()).find('/'), std::string::npos);
}

TEST_F(ReplayStoreTest, TheDiskIsWaitedForWhereThatIsAsked) {
  replays::TakeDiskSyncs();
  ASSERT_EQ(Record("hasty")->Finish(), absl::OkStatus());
  EXPECT_THAT(replays::TakeDiskSyncs(), IsEmpty());

  options_.durability = replays::FileSink::Durability::kMachine;
  store_ = *ReplayStore::Open(folders_.store(), options_);
  const auto recording = Record("careful");
  EXPECT_EQ(recording->Step({}), absl::OkStatus());
  ASSERT_EQ(recording->Finish(), absl::OkStatus());
  std::vector<std::string> synced;
  for (const replays::DiskSync& sync : replays::TakeDiskSyncs()) {
    synced.push_back(std::filesystem::path(sync.path).filename());
  }
  // The folder, the file as it grew, and the folder with its new name.
  ASSERT_THAT(synced, SizeIs(Ge(4)));
  EXPECT_EQ(synced.front(), "replays");
  EXPECT_EQ(synced.back(), "replays");
  EXPECT_THAT(std::vector(synced.begin() + 1, synced.end() - 1),
              Each("careful.mcap.partial"));
}

TEST_F(ReplayStoreTest, WhatAKilledServerLeftIsRecoveredAndABrokenOneIsKept) {
  folders_.Write("store/replays/a.mcap.partial", "broken");
  Record("b").reset();
  const auto under_way = Record("c");
  std::vector<std::string> reports;

  store_->RecoverUnfinished([&reports](std::string_view sentence) {
    reports.emplace_back(sentence);
  });

  EXPECT_THAT(ListIds(0), ElementsAre("b"));
  EXPECT_THAT(folders_.StoredFiles(),
              ElementsAre("a.mcap.partial", "b.mcap", "c.mcap.partial"));
  EXPECT_THAT(reports,
              ElementsAre(StartsWith("replay a: not recovered: "),
                          "replay b: recovered, 0 ticks",
                          "replay c: still being written, left alone"));
}

TEST_F(ReplayStoreTest, PagesFollowEachOtherFromTheLastIdToTheFirst) {
  for (const char* id : {"b", "d", "a", "c", "e"}) {
    folders_.Write(std::string("store/replays/") + id + ".mcap", id);
  }

  const auto first = store_->List(Tenant(), 2, "");
  const auto second = store_->List(Tenant(), 2, first->next_page_token);
  const auto third = store_->List(Tenant(), 2, second->next_page_token);

  EXPECT_THAT(ListIds(2), ElementsAre("e", "d"));
  EXPECT_THAT(ListIds(2, first->next_page_token), ElementsAre("c", "b"));
  EXPECT_THAT(ListIds(2, second->next_page_token), ElementsAre("a"));
  EXPECT_EQ(third->next_page_token, "");
}

TEST_F(ReplayStoreTest, FilesThatAreNoReplaysAreNotListed) {
  folders_.Write("store/replays/notes.txt", "");
  folders_.Write("store/replays/.mcap", "");
  folders_.Write("store/replays/Upper.mcap", "");
  folders_.Write("store/replays/folder.mcap/file", "");

  EXPECT_THAT(ListIds(0), IsEmpty());
}

TEST_F(ReplayStoreTest, APageSizePastTheLimitIsTheLimit) {
  for (size_t i = 0; i <= kReplaysPerPageMax; ++i) {
    folders_.Write("store/replays/" + std::to_string(i) + ".mcap", "");
  }

  EXPECT_THAT(store_->List(Tenant(), 1'000'000, "")->replays,
              SizeIs(kReplaysPerPageMax));
  EXPECT_THAT(store_->List(Tenant(), 0, "")->replays,
              SizeIs(kReplaysPerPageMax));
}

TEST_F(ReplayStoreTest, ANegativePageSizeAndAForeignTokenAreRefused) {
  EXPECT_EQ(store_->List(Tenant(), -1, "").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(store_->List(Tenant(), 1, "../a").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ReplayStoreTest, AFullStoreTakesNoNewRecording) {
  folders_.Write("store/replays/a.mcap.partial", "0123456789");
  options_.store_bytes_max = 10;
  store_ = *ReplayStore::Open(folders_.store(), options_);

  const absl::Status status =
      store_->Record(Tenant(), "b", simulation_.get(), pack_).status();

  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ReasonOf(status), "STORE_FULL");
  EXPECT_THAT(folders_.StoredFiles(), ElementsAre("a.mcap.partial"));
}

TEST_F(ReplayStoreTest, AReplayThatIsNotThereIsNotFound) {
  const absl::Status status = store_->OpenReplay(Tenant(), "a").status();

  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReasonOf(status), "REPLAY_NOT_FOUND");
}

// Even by an id that it has itself, and under the name of a folder.
TEST_F(ReplayStoreTest, NoTenantFindsWhatIsAnothers) {
  const Tenant red = {.name = "red"};
  const Tenant blue = {.name = "blue"};
  ASSERT_EQ((*store_->Record(red, "a", simulation_.get(), pack_))->Finish(),
            absl::OkStatus());

  EXPECT_TRUE(store_->OpenReplay(red, "a").ok());
  EXPECT_THAT(store_->List(red, 0, "")->replays, SizeIs(1));
  for (const Tenant& other : {blue, Tenant()}) {
    EXPECT_THAT(store_->List(other, 0, "")->replays, IsEmpty());
    for (const char* id : {"a", "red"}) {
      const absl::Status status = store_->OpenReplay(other, id).status();
      EXPECT_EQ(ReasonOf(status), "REPLAY_NOT_FOUND");
      EXPECT_EQ(status.message(),
                store_->OpenReplay(blue, id).status().message());
    }
  }
}

TEST_F(ReplayStoreTest, RecoveryAndRoomAreOfAllTenants) {
  const Tenant red = {.name = "red"};
  options_.store_bytes_max = 1;
  const auto small = *ReplayStore::Open(folders_.store(), options_);
  store_->Record(red, "a", simulation_.get(), pack_)->reset();
  std::vector<std::string> reports;

  store_->RecoverUnfinished([&reports](std::string_view sentence) {
    reports.emplace_back(sentence);
  });

  EXPECT_THAT(reports, ElementsAre("replay red/a: recovered, 0 ticks"));
  EXPECT_THAT(store_->List(red, 0, "")->replays, SizeIs(1));
  EXPECT_EQ(
      ReasonOf(small->Record(Tenant(), "b", simulation_.get(), pack_).status()),
      "STORE_FULL");
}

TEST_F(ReplayStoreTest, TwoRecordingsCanNotHaveTheLastRoom) {
  options_.store_bytes_max = kRoomAheadBytes * 3 / 2;
  store_ = *ReplayStore::Open(folders_.store(), options_);
  auto first = Record("a");

  EXPECT_EQ(
      ReasonOf(
          store_->Record(Tenant(), "b", simulation_.get(), pack_).status()),
      "STORE_FULL");
  EXPECT_THAT(folders_.StoredFiles(), ElementsAre("a.mcap.partial"));

  // What it reserved and didn't write is given back, also by the disk.
  ASSERT_EQ(first->Finish(), absl::OkStatus());
  first = nullptr;
  struct stat file = {};
  ASSERT_EQ(stat((folders_.store() + "/replays/a.mcap").c_str(), &file), 0);
  EXPECT_LT(static_cast<uint64_t>(file.st_blocks) * 512, kRoomAheadBytes);
  EXPECT_TRUE(store_->Record(Tenant(), "b", simulation_.get(), pack_).ok());
}

class TakingInTest : public ReplayStoreTest {
 protected:
  void RecordWhole(const std::string& id, const Tenant& tenant = {}) {
    ASSERT_EQ((*store_->Record(tenant, id, simulation_.get(), pack_))->Finish(),
              absl::OkStatus());
  }

  std::vector<std::string> TakeIn() {
    std::vector<std::string> reports;
    store_->TakeIn(
        absl::Now(), [] { return false; },
        [&reports](std::string_view sentence) {
          reports.emplace_back(sentence);
        });
    return reports;
  }

  std::vector<std::string> Catalogued() const {
    const auto store = *replays::ReplayStore::Open(folders_.store());
    std::vector<std::string> names;
    const auto all = store->catalogue().List({}, 100, {});
    EXPECT_TRUE(all.ok()) << all.status();
    for (const replays::StoredReplay& replay : *all) {
      names.push_back(replay.name);
    }
    return names;
  }

  // Somebody else has put something in the place of the catalogue.
  void ReplaceCatalogue(std::string_view contents) const {
    std::filesystem::create_directories(folders_.store());
    folders_.Write("store/catalogue.sqlite", contents);
  }
};

TEST_F(TakingInTest, WhatIsFinishedIsCataloguedWithItsTenant) {
  RecordWhole("a", {.name = "red"});
  const auto under_way = Record("b");

  EXPECT_THAT(TakeIn(), IsEmpty());

  EXPECT_THAT(Catalogued(), ElementsAre("replays/red/a.mcap"));
  EXPECT_THAT(folders_.StoredFiles(), ElementsAre("a.mcap", "b.mcap.partial"));
  EXPECT_EQ(under_way->Finish(), absl::OkStatus());
}

TEST_F(TakingInTest, WhatTheStoreRemovesIsNotFoundAnyMore) {
  RecordWhole("a");
  TakeIn();
  const auto store = *replays::ReplayStore::Open(folders_.store());
  const auto replay = store->catalogue().List({}, 1, {})->at(0);

  ASSERT_EQ(store->Remove(replay.digest), absl::OkStatus());

  EXPECT_THAT(ListIds(0), IsEmpty());
  EXPECT_EQ(ReasonOf(store_->OpenReplay(Tenant(), "a").status()),
            "REPLAY_NOT_FOUND");
}

// Recording and listing go on; once the catalogue is there again, it has all.
TEST_F(TakingInTest, ACatalogueThatCannotBeReadIsToldOnceAndCostsNothing) {
  RecordWhole("a");
  ReplaceCatalogue(std::string(10'000, 'x'));

  EXPECT_THAT(TakeIn(), ElementsAre(AllOf(HasSubstr("catalogue.sqlite"),
                                          HasSubstr("not a database"))));
  EXPECT_THAT(TakeIn(), IsEmpty());
  EXPECT_THAT(ListIds(0), ElementsAre("a"));
  EXPECT_TRUE(store_->OpenReplay(Tenant(), "a").ok());

  std::filesystem::remove(folders_.store() + "/catalogue.sqlite");
  EXPECT_THAT(TakeIn(), IsEmpty());
  EXPECT_THAT(Catalogued(), ElementsAre("replays/a.mcap"));
}

TEST_F(TakingInTest, ARecordingThatIsDamagedIsToldOnceAndLeftAlone) {
  folders_.Write("store/replays/a.mcap", "broken");
  RecordWhole("b");

  EXPECT_THAT(TakeIn(), ElementsAre(AllOf(HasSubstr("a.mcap"),
                                          HasSubstr("not an MCAP file"))));
  EXPECT_THAT(TakeIn(), IsEmpty());

  EXPECT_THAT(Catalogued(), ElementsAre("replays/b.mcap"));
  EXPECT_THAT(ListIds(0), ElementsAre("b", "a"));
}

TEST_F(TakingInTest, WhoStopsGoesOnTheNextTime) {
  RecordWhole("a");
  store_->TakeIn(
      absl::Now(), [] { return true; }, [](std::string_view) {});
  EXPECT_THAT(Catalogued(), IsEmpty());

  TakeIn();

  EXPECT_THAT(Catalogued(), ElementsAre("replays/a.mcap"));
}

// A file counts once, whatever names it has, and so does what others added.
TEST_F(TakingInTest, RoomIsOfTheWholeStore) {
  RecordWhole("a");
  const uint64_t size_bytes =
      std::filesystem::file_size(folders_.store() + "/replays/a.mcap");
  TakeIn();
  uint64_t others_bytes = 0;
  for (const char* name : {"catalogue.sqlite", "lock"}) {
    others_bytes += std::filesystem::file_size(folders_.store() + "/" + name);
  }
  // Another one is no larger before its first tick.
  options_.store_bytes_max = 2 * size_bytes + others_bytes + kRoomAheadBytes;
  store_ = *ReplayStore::Open(folders_.store(), options_);
  EXPECT_TRUE(store_->Record(Tenant(), "b", simulation_.get(), pack_).ok());
  std::filesystem::remove(folders_.store() + "/replays/b.mcap.partial");

  folders_.Write("store/files/added.mcap", std::string(size_bytes, 'x'));

  EXPECT_EQ(
      ReasonOf(
          store_->Record(Tenant(), "b", simulation_.get(), pack_).status()),
      "STORE_FULL");
}

}  // namespace
}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a folder is read again when it has changed, or may have, and not
// otherwise: on a disk that a test has stopped, who reads waits for ever.

#include "services/storage/replay_ids.h"

#include <chrono>
#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/testing/slow_disk.h"
#include "services/testing/test_folders.h"

namespace reprise::services {
namespace {

namespace filesystem = std::filesystem;

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ReplayIdsTest : public testing::Test {
 protected:
  ReplayIdsTest() {
    for (const char* name :
         {"a.mcap", "c.mcap", "b.mcap", "d.mcap.partial", "e.txt", "$.mcap"}) {
      Add(name);
    }
    filesystem::create_directories(folder_ + "/f.mcap");
  }

  void Add(const std::string& name) const {
    folders_.Write("store/replays/" + name, "");
  }

  // As if it had changed last an hour ago, and so many seconds behind that.
  void Age(int seconds = 0) const {
    filesystem::last_write_time(folder_, begin_ - std::chrono::hours(1) +
                                             std::chrono::seconds(seconds));
  }

  const TestFolders folders_;
  const std::string folder_ = folders_.store() + "/replays";
  const filesystem::file_time_type begin_ =
      filesystem::file_time_type::clock::now();
  ReplayIds ids_;
};

TEST_F(ReplayIdsTest, FinishedReplaysAreFoundInDescendingOrder) {
  EXPECT_THAT(**ids_.Of(folder_), ElementsAre("c", "b", "a"));
  EXPECT_THAT(**ids_.Of(folder_ + "/none"), IsEmpty());
}

TEST_F(ReplayIdsTest, WhatHasNotChangedIsNotReadAgain) {
  Age();
  ASSERT_THAT(**ids_.Of(folder_), ElementsAre("c", "b", "a"));
  const SlowDisk disk(folders_.store(), DiskWork::kListing);

  EXPECT_THAT(**ids_.Of(folder_), ElementsAre("c", "b", "a"));

  EXPECT_EQ(disk.waiting_count(), 0);
}

TEST_F(ReplayIdsTest, WhatHasChangedIsReadAgain) {
  Age();
  ASSERT_THAT(**ids_.Of(folder_), ElementsAre("c", "b", "a"));
  Add("d.mcap");
  EXPECT_THAT(**ids_.Of(folder_), ElementsAre("d", "c", "b", "a"));
  Age(1);
  ASSERT_THAT(**ids_.Of(folder_), ElementsAre("d", "c", "b", "a"));
  filesystem::remove(folder_ + "/b.mcap");
  EXPECT_THAT(**ids_.Of(folder_), ElementsAre("d", "c", "a"));
}

// As what restores files from a backup does.
TEST_F(ReplayIdsTest, WhatHasChangedIsReadAgainWhereItsTimeWasSetBack) {
  Age();
  ASSERT_THAT(**ids_.Of(folder_), ElementsAre("c", "b", "a"));
  Add("d.mcap");
  Age();
  EXPECT_THAT(**ids_.Of(folder_), ElementsAre("d", "c", "b", "a"));
}

// Two changes may have one time. Ahead of us it is just now, however slow this
// is.
TEST_F(ReplayIdsTest, WhatHasJustChangedIsReadAgain) {
  Age(7200);
  ASSERT_THAT(**ids_.Of(folder_), ElementsAre("c", "b", "a"));
  Add("d.mcap");
  Age(7200);
  EXPECT_THAT(**ids_.Of(folder_), ElementsAre("d", "c", "b", "a"));
}

TEST_F(ReplayIdsTest, FoldersAreNotTakenForEachOther) {
  Age();
  folders_.Write("store/replays/red/z.mcap", "");
  Age();
  filesystem::last_write_time(folder_ + "/red",
                              filesystem::last_write_time(folder_));
  EXPECT_THAT(**ids_.Of(folder_), ElementsAre("c", "b", "a"));
  EXPECT_THAT(**ids_.Of(folder_ + "/red"), ElementsAre("z"));
  EXPECT_THAT(**ids_.Of(folder_), ElementsAre("c", "b", "a"));
}

}  // namespace
}  // namespace reprise::services

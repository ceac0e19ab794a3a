// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a recording has its room before it writes, of the store and of
// the disk, for which the test stands in: that there is none is told with its
// reason, and that there is again is seen.

#include "services/storage/recording_room.h"

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "services/base/status.h"
#include "services/base/tenant.h"
#include "services/storage/room_ledger.h"
#include "services/testing/test_folders.h"

namespace {

// What the disk has room for, of one file.
uint64_t disk_bytes_max = UINT64_MAX;
uint64_t disk_bytes = 0;  // kept by it

}  // namespace

// In the place of the C library's.
extern "C" {

int fallocate(int, int, off_t offset, off_t size) {
  const auto end = static_cast<uint64_t>(offset + size);
  if (end > disk_bytes_max) {
    errno = ENOSPC;
    return -1;
  }
  disk_bytes = end;
  return 0;
}

int ftruncate(int, off_t size) noexcept {
  disk_bytes = static_cast<uint64_t>(size);
  return 0;
}
}  // extern "C"

namespace reprise::services {
namespace {

constexpr uint64_t kBlock = kRoomAheadBytes + kRoomBlockBytes;

class RecordingRoomTest : public testing::Test {
 protected:
  RecordingRoomTest() {
    disk_bytes_max = UINT64_MAX;
    disk_bytes = 0;
    folders_.Write("store/a.mcap.partial", "0123456789");
  }

  RecordingRoom MakeRoom(RoomLedger& ledger) {
    return RecordingRoom(ledger.Reserve(Tenant(), {1, 1}),
                         folders_.store() + "/a.mcap.partial", [this, &ledger] {
                           ++measured_;
                           ledger.NoteFiles(ledger.BeginLook(), files_bytes_);
                         });
  }

  const TestFolders folders_;
  int measured_ = 0;
  uint64_t files_bytes_ = 0;  // as somebody finds who looks again
};

TEST_F(RecordingRoomTest, ABlockIsReservedAheadOfWhatIsWritten) {
  RoomLedger ledger({.store_bytes_max = 1 << 30});
  RecordingRoom room = MakeRoom(ledger);
  EXPECT_FALSE(room.Covers(10));
  EXPECT_TRUE(room.WantsMore(10));

  room.Reserve(10);

  EXPECT_EQ(disk_bytes, 10 + kBlock);
  EXPECT_TRUE(room.Covers(10 + kRoomBlockBytes));
  EXPECT_FALSE(room.Covers(11 + kRoomBlockBytes));
  EXPECT_FALSE(room.WantsMore(10));
  // Before it is needed.
  EXPECT_TRUE(room.WantsMore(11 + kRoomBlockBytes / 2));
  EXPECT_EQ(measured_, 0);

  room.Release();

  EXPECT_EQ(disk_bytes, 10u);
}

TEST_F(RecordingRoomTest, WhereTheStoreIsFullSomebodyLooksAgain) {
  RoomLedger ledger({.store_bytes_max = kBlock});
  files_bytes_ = kBlock;
  ledger.NoteFiles(ledger.BeginLook(), files_bytes_);
  RecordingRoom room = MakeRoom(ledger);

  room.Reserve(10);

  EXPECT_TRUE(room.is_refused());
  EXPECT_EQ(ReasonOf(room.refusal()), "STORE_FULL");
  EXPECT_FALSE(room.Covers(10));
  EXPECT_FALSE(room.WantsMore(10));
  EXPECT_EQ(measured_, 1);
  EXPECT_EQ(disk_bytes, 0u);

  // Somebody has deleted some, but not enough for a block.
  files_bytes_ = kRoomBlockBytes / 2;
  room.Reserve(10);

  EXPECT_FALSE(room.is_refused());
  EXPECT_TRUE(room.Covers(10));
  EXPECT_EQ(disk_bytes, 10 + kRoomAheadBytes);
  // It asks when it needs more, and not at each tick.
  EXPECT_FALSE(room.WantsMore(10));
  EXPECT_TRUE(room.WantsMore(11));
}

TEST_F(RecordingRoomTest, WhereTheDiskIsFullTheStoreKeepsItsRoom) {
  RoomLedger ledger({.store_bytes_max = kBlock + 10});
  disk_bytes_max = kRoomAheadBytes;
  RecordingRoom room = MakeRoom(ledger);

  room.Reserve(10);

  EXPECT_EQ(ReasonOf(room.refusal()), "STORE_FULL");
  EXPECT_FALSE(room.Covers(10));
  // What is written is counted.
  EXPECT_TRUE(ledger.CheckStore(kBlock).ok());
  EXPECT_FALSE(ledger.CheckStore(kBlock + 1).ok());

  disk_bytes_max = kRoomAheadBytes + 10;
  room.Reserve(10);

  EXPECT_TRUE(room.Covers(10));
  EXPECT_FALSE(room.is_refused());
}

}  // namespace
}  // namespace reprise::services

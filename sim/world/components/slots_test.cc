// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a handle leads to the object it was made for and, once that is
// gone, to nobody, whoever moves into its slot.

#include "sim/world/components/slots.h"

#include <vector>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kSlotsMax = 4;

class SlotsTest : public ::testing::Test {
 protected:
  Handle Settle(uint64_t serial) {
    const Handle handle = *ReserveSlot(kSlotsMax, slots_, allocation_);
    SettleSlot(handle, ObjectId{serial}, slots_);
    return handle;
  }
  void Free(Handle handle) { FreeSlot(handle, slots_, allocation_); }
  ObjectId At(Handle handle) const { return ObjectInSlot(slots_, handle); }

  Table slots_{RowSchema::Of<SlotRow>()};
  AllocationRow allocation_;
};

TEST_F(SlotsTest, HandleLeadsToItsObject) {
  const Handle a = Settle(1);
  const Handle b = Settle(2);
  EXPECT_EQ(At(a), ObjectId{1});
  EXPECT_EQ(At(b), ObjectId{2});
  EXPECT_TRUE(CheckSlots(slots_, allocation_).ok());
}

TEST_F(SlotsTest, NullAndForeignHandlesLeadToNobody) {
  Settle(1);
  EXPECT_EQ(At(kNullHandle), kNoObject);
  EXPECT_EQ(At({.index = 0, .generation = 9}), kNoObject);
  EXPECT_EQ(At({.index = 4000000000, .generation = 1}), kNoObject);
}

TEST_F(SlotsTest, ReservedSlotLeadsToNobodyUntilItsObjectMovesIn) {
  const Handle handle = *ReserveSlot(kSlotsMax, slots_, allocation_);
  EXPECT_EQ(At(handle), kNoObject);
  SettleSlot(handle, ObjectId{7}, slots_);
  EXPECT_EQ(At(handle), ObjectId{7});
}

TEST_F(SlotsTest, OldHandleOfAReusedSlotLeadsToNobody) {
  const Handle a = Settle(1);
  Free(a);
  EXPECT_EQ(At(a), kNoObject);
  const Handle b = Settle(2);
  EXPECT_EQ(b.index, a.index);
  EXPECT_EQ(At(a), kNoObject);
  EXPECT_EQ(At(b), ObjectId{2});
}

TEST_F(SlotsTest, LastFreedSlotIsUsedFirst) {
  const Handle a = Settle(1);
  const Handle b = Settle(2);
  Settle(3);
  Free(a);
  Free(b);
  EXPECT_EQ(Settle(4).index, b.index);
  EXPECT_EQ(Settle(5).index, a.index);
  EXPECT_EQ(Settle(6).index, 3u);
}

TEST_F(SlotsTest, FullTableGivesNoHandle) {
  for (uint64_t serial = 1; serial <= kSlotsMax; ++serial) Settle(serial);
  EXPECT_EQ(ReserveSlot(kSlotsMax, slots_, allocation_), std::nullopt);
}

TEST_F(SlotsTest, SlotWhoseGenerationsAreUsedUpIsNeverUsedAgain) {
  const Handle first = Settle(1);
  slots_.Mutable<SlotRow>(first.index).generation = 0xffffffff;
  const Handle last = {.index = first.index, .generation = 0xffffffff};
  Free(last);
  EXPECT_NE(Settle(2).index, first.index);
  EXPECT_TRUE(CheckSlots(slots_, allocation_).ok());
}

TEST_F(SlotsTest, BrokenFreeListIsFound) {
  const Handle a = Settle(1);
  const Handle b = Settle(2);
  Free(a);
  Free(b);
  ASSERT_TRUE(CheckSlots(slots_, allocation_).ok());

  slots_.Mutable<SlotRow>(a.index).next_free = b.index + 1;  // a ring
  EXPECT_EQ(CheckSlots(slots_, allocation_).code(),
            absl::StatusCode::kDataLoss);
  slots_.Mutable<SlotRow>(a.index).next_free = 9;  // out of the table
  EXPECT_EQ(CheckSlots(slots_, allocation_).code(),
            absl::StatusCode::kDataLoss);
  slots_.Mutable<SlotRow>(a.index).next_free = 0;
  allocation_.first_free_slot = 0;  // slots that nobody finds
  EXPECT_EQ(CheckSlots(slots_, allocation_).code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace reprise::sim

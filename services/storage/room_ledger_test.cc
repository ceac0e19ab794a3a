// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no byte of a store, or of a tenant in it, is given twice, and
// that what is given back can be given again.

#include "services/storage/room_ledger.h"

#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "services/base/status.h"
#include "services/base/tenant.h"

namespace reprise::services {
namespace {

const Tenant kRed = {.name = "red"};
const Tenant kBlue = {.name = "blue"};

TEST(RoomLedgerTest, TwoCanNotTakeTheLastBytes) {
  RoomLedger ledger({.store_bytes_max = 100});
  ledger.NoteFiles(ledger.BeginLook(), 40);
  const auto first = ledger.Reserve(kRed, {1, 1});
  const auto second = ledger.Reserve(kBlue, {1, 2});
  EXPECT_EQ(first->GrowTo(50), absl::OkStatus());

  const absl::Status refused = second->GrowTo(11);

  EXPECT_EQ(ReasonOf(refused), "STORE_FULL");
  EXPECT_EQ(second->bytes(), 0u);
  EXPECT_EQ(second->GrowTo(10), absl::OkStatus());
  EXPECT_EQ(ReasonOf(first->GrowTo(51)), "STORE_FULL");
  EXPECT_EQ(first->GrowTo(50), absl::OkStatus());
  EXPECT_EQ(ReasonOf(ledger.CheckStore(0)), "STORE_FULL");
}

TEST(RoomLedgerTest, ATenantsRoomIsItsOwn) {
  RoomLedger ledger({.store_bytes_max = 1000, .tenant_bytes_max = 100});
  ledger.NoteFilesOf(kRed, ledger.BeginLook(), 90);
  const auto red = ledger.Reserve(kRed, {1, 1});
  const auto blue = ledger.Reserve(kBlue, {1, 2});

  EXPECT_EQ(ReasonOf(red->GrowTo(11)), "QUOTA_REACHED");
  EXPECT_EQ(blue->GrowTo(100), absl::OkStatus());
  EXPECT_EQ(red->GrowTo(10), absl::OkStatus());
  EXPECT_EQ(ReasonOf(ledger.CheckTenant(kRed, 0)), "QUOTA_REACHED");
}

TEST(RoomLedgerTest, WhatIsGivenBackCanBeTaken) {
  RoomLedger ledger({.store_bytes_max = 100});
  const auto other = ledger.Reserve(kRed, {1, 2});
  {
    const auto broken = ledger.Reserve(kRed, {1, 1});
    ASSERT_EQ(broken->GrowTo(100), absl::OkStatus());
    EXPECT_EQ(ledger.BeginLook().reserved_files.size(), 2u);
    EXPECT_EQ(ReasonOf(other->GrowTo(1)), "STORE_FULL");
  }
  EXPECT_EQ(ledger.BeginLook().reserved_files.size(), 1u);
  EXPECT_EQ(other->GrowTo(100), absl::OkStatus());
  other->ShrinkTo(60);
  EXPECT_EQ(ledger.CheckStore(40), absl::OkStatus());
}

TEST(RoomLedgerTest, WhatIsFinishedIsAFileOfItsSize) {
  RoomLedger ledger({.store_bytes_max = 100, .tenant_bytes_max = 100});
  {
    const auto finished = ledger.Reserve(kRed, {1, 1});
    ASSERT_EQ(finished->GrowTo(90), absl::OkStatus());
    finished->Finish(30);
  }
  EXPECT_EQ(ledger.CheckStore(70), absl::OkStatus());
  EXPECT_EQ(ReasonOf(ledger.CheckStore(71)), "STORE_FULL");
  EXPECT_EQ(ReasonOf(ledger.CheckTenant(kRed, 71)), "QUOTA_REACHED");
}

// Who looks meanwhile doesn't count it, by whatever name he finds it.
TEST(RoomLedgerTest, WhatIsFinishedDuringALookIsCounted) {
  RoomLedger ledger({.store_bytes_max = 100, .tenant_bytes_max = 100});
  auto finished = ledger.Reserve(kRed, {1, 1});
  ASSERT_EQ(finished->GrowTo(90), absl::OkStatus());
  const RoomLedger::Look look = ledger.BeginLook();
  finished->Finish(30);
  finished = nullptr;

  ledger.NoteFiles(look, 10);
  ledger.NoteFilesOf(kRed, look, 10);

  EXPECT_EQ(ledger.CheckStore(60), absl::OkStatus());
  EXPECT_EQ(ReasonOf(ledger.CheckStore(61)), "STORE_FULL");
  EXPECT_EQ(ledger.CheckTenant(kRed, 60), absl::OkStatus());
  EXPECT_EQ(ReasonOf(ledger.CheckTenant(kRed, 61)), "QUOTA_REACHED");
}

TEST(RoomLedgerTest, WhatIsThereCountsWhateverTheLimitIs) {
  RoomLedger ledger({.store_bytes_max = 100});
  const auto large = ledger.Reserve(kRed, {1, 1});
  large->Count(150);
  EXPECT_EQ(large->bytes(), 150u);
  large->Count(20);
  EXPECT_EQ(large->bytes(), 150u);
  EXPECT_EQ(ReasonOf(ledger.Reserve(kRed, {1, 2})->GrowTo(1)), "STORE_FULL");
}

TEST(RoomLedgerTest, ManyAtOnceGetWhatThereIs) {
  constexpr uint64_t kRoom = 1000;
  RoomLedger ledger({.store_bytes_max = kRoom});
  std::vector<std::unique_ptr<RoomLedger::Reservation>> reservations;
  for (uint64_t i = 0; i < 4; ++i) {
    reservations.push_back(ledger.Reserve(kRed, {1, i}));
  }
  std::vector<std::thread> threads;
  for (const auto& reservation : reservations) {
    threads.emplace_back([&reservation] {
      while (reservation->GrowTo(reservation->bytes() + 1).ok()) {
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  uint64_t taken = 0;
  for (const auto& reservation : reservations) taken += reservation->bytes();
  EXPECT_EQ(taken, kRoom);
}

}  // namespace
}  // namespace reprise::services

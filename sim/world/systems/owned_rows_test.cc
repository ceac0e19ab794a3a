// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that rows follow their owners, one or several for each, and that rows
// of a snapshot which nobody can own, or with numbers of no use, are found.

#include "sim/world/systems/owned_rows.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/field.h"
#include "sim/state/row_schema.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;

// Each owner has two.
struct ShoeRow {
  ObjectId object;
  uint64_t foot = 0;
  double size = 0.0;

  static constexpr std::string_view kTable = "shoes";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ShoeRow, object, ""),
                      REPRISE_FIELD(ShoeRow, foot, ""),
                      REPRISE_FIELD(ShoeRow, size, "")};
  }
};

// Each owner has one.
struct HatRow {
  ObjectId object;
  double size = 0.0;

  static constexpr std::string_view kTable = "hats";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(HatRow, object, ""),
                      REPRISE_FIELD(HatRow, size, "")};
  }
};

class OwnedRowsTest : public testing::Test {
 protected:
  const Table& shoes() const { return state_.table(shoes_); }
  const Table& hats() const { return state_.table(hats_); }

  static std::vector<RowOwner> Owners(const std::vector<uint64_t>& serials) {
    std::vector<RowOwner> owners;
    for (const uint64_t serial : serials) {
      owners.push_back({.object = {serial}, .type = 0});
    }
    return owners;
  }

  // Each new row has the number of those that came before as its size.
  void Follow(const std::vector<uint64_t>& serials) {
    const std::vector<RowOwner> owners = Owners(serials);
    FollowOwners(owners, state_, hats_,
                 [&](const RowOwner& owner, Table& table) {
                   const uint32_t row =
                       table.LowerBound(std::array{owner.object.serial});
                   table.Insert(row);
                   table.Mutable<HatRow>(row) = {owner.object, made_++};
                 });
    FollowOwners(
        owners, state_, shoes_, [&](const RowOwner& owner, Table& table) {
          uint32_t row =
              table.LowerBound(std::array{owner.object.serial, uint64_t{0}});
          for (uint64_t foot = 0; foot < 2; ++foot) {
            table.Insert(row);
            table.Mutable<ShoeRow>(row++) = {owner.object, foot, 0.0};
          }
        });
  }

  State state_;
  TableIndex shoes_ = state_.AddTable("clothes", RowSchema::Of<ShoeRow>());
  TableIndex hats_ = state_.AddTable("clothes", RowSchema::Of<HatRow>());
  double made_ = 0.0;
};

TEST_F(OwnedRowsTest, FollowTheirOwnersAndKeepWhatIsInThem) {
  Follow({3, 7});
  Follow({2, 7, 9});
  std::vector<uint64_t> serials;
  std::vector<double> sizes;
  for (const HatRow& row : ReadRows<HatRow>(hats())) {
    serials.push_back(row.object.serial);
    sizes.push_back(row.size);
  }
  EXPECT_THAT(serials, ElementsAre(2, 7, 9));
  EXPECT_THAT(sizes, ElementsAre(2.0, 1.0, 3.0));
  EXPECT_TRUE(RowsAscend(shoes()));
  EXPECT_EQ(shoes().row_count(), 6u);
}

TEST_F(OwnedRowsTest, TheFirstRowOfAnObjectIsFound) {
  Follow({3, 7});
  EXPECT_EQ(FindOwnedRow(hats(), {7}), 1u);
  EXPECT_EQ(FindOwnedRow(shoes(), {7}), 2u);
  EXPECT_EQ(OwnerOf(shoes(), 3), ObjectId{7});
  for (const uint64_t serial : {2, 5, 8}) {
    EXPECT_EQ(FindOwnedRow(hats(), {serial}), std::nullopt);
    EXPECT_EQ(FindOwnedRow(shoes(), {serial}), std::nullopt);
  }
}

TEST_F(OwnedRowsTest, OwnersThatAreOthersAreFound) {
  Follow({3, 7});
  EXPECT_TRUE(AreOwnedBy(Owners({3, 7}), hats()));
  EXPECT_FALSE(AreOwnedBy(Owners({3}), hats()));
  EXPECT_FALSE(AreOwnedBy(Owners({3, 8}), hats()));
  EXPECT_FALSE(AreOwnedBy(Owners({3, 7, 8}), hats()));
}

TEST_F(OwnedRowsTest, NumbersOfNoUseAreFound) {
  Follow({3, 7});
  EXPECT_TRUE(HasUsableNumbers(hats()));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double size :
       {2e9, -2e9, kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    State other = state_;
    other.mutable_table(hats_).Mutable<HatRow>(1).size = size;
    EXPECT_FALSE(HasUsableNumbers(other.table(hats_))) << size;
  }
}

}  // namespace
}  // namespace reprise::sim

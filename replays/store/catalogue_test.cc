// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what every catalogue does, for each database there is: SQLite, and a
// plain vector that shows how little another one needs. A further database
// takes part with one line at the end.

#include "replays/store/catalogue.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/store/sqlite_catalogue.h"
#include "replays/store/testing/memory_catalogue.h"
#include "replays/store/testing/numbered_digest.h"

namespace reprise::replays {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr absl::Time kNow = absl::FromUnixSeconds(1'700'000'000);

// A row in which everything follows from `number`.
StoredReplay Row(uint64_t number) {
  StoredReplay row;
  row.digest = NumberedDigest(number);
  row.size_bytes = 1000 * number;
  row.name = fmt::format("{}.mcap", number);
  row.recorded_at = kNow + absl::Microseconds(number);
  row.added_at = kNow + absl::Hours(number);
  row.format_revision = 1;
  row.simulation = "world";
  row.rules_revision = 2;
  row.pack = number % 2 == 0 ? "marble" : "pile";
  row.pack_digest = NumberedDigest(~number);
  row.seed = ~number;  // has the highest bit
  row.tick_rate = 60;
  row.tick_count = 100 * number;
  row.outcome = number % 3 == 0 ? "won" : "running";
  row.outcome_reason = std::string("a\0b", 3);  // any byte is kept
  row.root = sim::Digest{~number};
  row.build = number % 2 == 0 ? "gcc 12.2.0 optimised" : "clang 14.0.6 debug";
  row.platform = "linux x86_64";
  return row;
}

using Opener = std::function<std::unique_ptr<Catalogue>()>;

class CatalogueTest : public testing::TestWithParam<Opener> {
 protected:
  // Rows 1 to `count`.
  void Fill(uint64_t count) {
    for (uint64_t number = 1; number <= count; ++number) {
      ASSERT_EQ(catalogue_->Insert(Row(number)), absl::OkStatus());
    }
  }

  // The numbers of the rows that match.
  std::vector<uint64_t> Numbers(const StoredReplayFilter& filter) {
    std::vector<uint64_t> numbers;
    const absl::Status status = ForEachStoredReplay(
        *catalogue_, filter, [&numbers](const StoredReplay& replay) {
          numbers.push_back(NumberOf(replay.digest));
          return absl::OkStatus();
        });
    EXPECT_EQ(status, absl::OkStatus());
    return numbers;
  }

  absl::Status Tag(uint64_t number, const std::vector<std::string>& added,
                   const std::vector<std::string>& removed = {}) {
    return catalogue_->ChangeTags(Row(number).digest, added, removed);
  }

  const std::unique_ptr<Catalogue> catalogue_ = GetParam()();
};

TEST_P(CatalogueTest, RowComesBackAsItWas) {
  StoredReplay row = Row(3);
  row.tags = {"a", "b"};
  ASSERT_EQ(catalogue_->Insert(row), absl::OkStatus());
  EXPECT_EQ(*catalogue_->Find(row.digest), row);
}

TEST_P(CatalogueTest, DigestIsThereOnce) {
  Fill(1);
  StoredReplay other = Row(2);
  other.digest = Row(1).digest;
  EXPECT_EQ(catalogue_->Insert(other).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(*catalogue_->Find(other.digest), Row(1));
}

TEST_P(CatalogueTest, ErasedRowIsGoneWithItsTags) {
  Fill(2);
  ASSERT_EQ(Tag(1, {"a"}), absl::OkStatus());
  ASSERT_EQ(catalogue_->Erase(Row(1).digest), absl::OkStatus());
  EXPECT_EQ(catalogue_->Find(Row(1).digest).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(catalogue_->CheckIntegrity(), absl::OkStatus());
  ASSERT_EQ(catalogue_->Insert(Row(1)), absl::OkStatus());
  EXPECT_THAT(catalogue_->Find(Row(1).digest)->tags, IsEmpty());
}

TEST_P(CatalogueTest, WhatIsNotThereIsNotFound) {
  Fill(1);
  EXPECT_EQ(catalogue_->Find(Row(2).digest).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(catalogue_->Erase(Row(2).digest).code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(Tag(2, {"a"}).code(), absl::StatusCode::kNotFound);
}

TEST_P(CatalogueTest, PrefixFindsWhatBeginsWithIt) {
  Fill(20);  // 01..., 02..., ..., 14...
  EXPECT_EQ(catalogue_->FindByPrefix("0", 100)->size(), 15u);
  EXPECT_EQ(catalogue_->FindByPrefix("1", 100)->size(), 5u);
  EXPECT_EQ(catalogue_->FindByPrefix("1", 2)->back().digest, Row(17).digest);
  EXPECT_EQ(catalogue_->FindByPrefix("0a00", 100)->front(), Row(10));
  EXPECT_THAT(*catalogue_->FindByPrefix("f", 100), IsEmpty());
}

TEST_P(CatalogueTest, LastRecordedComesFirst) {
  Fill(4);
  EXPECT_THAT(Numbers({}), ElementsAre(4, 3, 2, 1));
}

TEST_P(CatalogueTest, RecordedAtOnceAreInTheOrderOfDigests) {
  for (const uint64_t number : {2, 3, 1}) {
    StoredReplay row = Row(number);
    row.recorded_at = kNow;
    ASSERT_EQ(catalogue_->Insert(row), absl::OkStatus());
  }
  EXPECT_THAT(Numbers({}), ElementsAre(1, 2, 3));
}

TEST_P(CatalogueTest, EachConditionHolds) {
  Fill(6);
  ASSERT_EQ(Tag(2, {"golden"}), absl::OkStatus());
  ASSERT_EQ(Tag(5, {"golden", "slow"}), absl::OkStatus());
  EXPECT_THAT(Numbers({.pack = "marble"}), ElementsAre(6, 4, 2));
  EXPECT_THAT(Numbers({.outcome = "won"}), ElementsAre(6, 3));
  EXPECT_THAT(Numbers({.tick_count_min = 500}), ElementsAre(6, 5));
  EXPECT_THAT(Numbers({.tick_count_max = 200}), ElementsAre(2, 1));
  EXPECT_THAT(Numbers({.build = "clang"}), ElementsAre(5, 3, 1));
  EXPECT_THAT(Numbers({.name = "5.mc"}), ElementsAre(5));
  EXPECT_THAT(Numbers({.recorded_from = kNow + absl::Microseconds(5)}),
              ElementsAre(6, 5));
  EXPECT_THAT(Numbers({.recorded_before = kNow + absl::Microseconds(3)}),
              ElementsAre(2, 1));
  EXPECT_THAT(Numbers({.tags = {"golden"}}), ElementsAre(5, 2));
  EXPECT_THAT(Numbers({.tags = {"golden", "slow"}}), ElementsAre(5));
}

TEST_P(CatalogueTest, AllConditionsHoldTogether) {
  Fill(12);
  EXPECT_THAT(Numbers({.pack = "marble",
                       .outcome = "won",
                       .tick_count_min = 600,
                       .tick_count_max = 1100,
                       .build = "gcc"}),
              ElementsAre(6));
}

TEST_P(CatalogueTest, ValuesAreNoPartOfTheQuestion) {
  Fill(2);
  EXPECT_THAT(Numbers({.pack = "marble' OR '1'='1"}), IsEmpty());
  EXPECT_THAT(Numbers({.build = "%"}), IsEmpty());
  EXPECT_THAT(Numbers({.tags = {"'; DROP TABLE replays; --"}}), IsEmpty());
  EXPECT_THAT(*catalogue_->FindByPrefix("%", 1), IsEmpty());
  EXPECT_THAT(Numbers({}), ElementsAre(2, 1));
}

TEST_P(CatalogueTest, LimitsBeyondEveryRunExcludeNothing) {
  Fill(2);
  EXPECT_THAT(Numbers({.tick_count_max = ~uint64_t{0}}), ElementsAre(2, 1));
  EXPECT_THAT(Numbers({.tick_count_min = ~uint64_t{0}}), IsEmpty());
}

TEST_P(CatalogueTest, PagesFollowEachOtherWithoutGapOrRepetition) {
  Fill(7);
  std::vector<uint64_t> numbers;
  std::optional<Catalogue::Place> behind;
  for (const size_t expected : {3, 3, 1, 0}) {
    const auto page = catalogue_->List({}, 3, behind);
    ASSERT_TRUE(page.ok()) << page.status();
    ASSERT_EQ(page->size(), expected);
    for (const StoredReplay& row : *page)
      numbers.push_back(NumberOf(row.digest));
    if (!page->empty()) {
      behind = {page->back().recorded_at, page->back().digest};
    }
  }
  EXPECT_THAT(numbers, ElementsAre(7, 6, 5, 4, 3, 2, 1));
}

TEST_P(CatalogueTest, TagsAreASet) {
  Fill(1);
  ASSERT_EQ(Tag(1, {"b", "a", "b"}), absl::OkStatus());
  ASSERT_EQ(Tag(1, {"a"}, {"c"}), absl::OkStatus());
  EXPECT_THAT(catalogue_->Find(Row(1).digest)->tags, ElementsAre("a", "b"));
  ASSERT_EQ(Tag(1, {}, {"a"}), absl::OkStatus());
  EXPECT_THAT(catalogue_->Find(Row(1).digest)->tags, ElementsAre("b"));
}

TEST_P(CatalogueTest, TagTooManyChangesNothing) {
  Fill(1);
  std::vector<std::string> tags;
  for (size_t i = 0; i <= kTagsMax; ++i) tags.push_back(fmt::format("t{}", i));
  EXPECT_EQ(Tag(1, tags).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(catalogue_->Find(Row(1).digest)->tags, IsEmpty());
}

TEST_P(CatalogueTest, RenamedRowIsTheSameOtherwise) {
  Fill(2);
  ASSERT_EQ(Tag(1, {"golden"}), absl::OkStatus());

  ASSERT_EQ(catalogue_->Rename(Row(1).digest, "replays/b.mcap"),
            absl::OkStatus());

  StoredReplay renamed = Row(1);
  renamed.name = "replays/b.mcap";
  renamed.tags = {"golden"};
  EXPECT_EQ(*catalogue_->Find(Row(1).digest), renamed);
  EXPECT_EQ(*catalogue_->Find(Row(2).digest), Row(2));
  EXPECT_EQ(catalogue_->Rename(Row(3).digest, "c").code(),
            absl::StatusCode::kNotFound);
}

TEST_P(CatalogueTest, VisitorsErrorEndsTheVisit) {
  Fill(3);
  int visits = 0;
  EXPECT_EQ(ForEachStoredReplay(*catalogue_, {},
                                [&visits](const StoredReplay&) {
                                  ++visits;
                                  return absl::CancelledError("enough");
                                })
                .code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(visits, 1);
}

INSTANTIATE_TEST_SUITE_P(Sqlite, CatalogueTest, testing::Values([] {
                           return *SqliteCatalogue::Open(":memory:");
                         }));
INSTANTIATE_TEST_SUITE_P(Memory, CatalogueTest, testing::Values([] {
                           return std::make_unique<MemoryCatalogue>();
                         }));

}  // namespace
}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a tenant learns of its replays, whether they are in the catalogue
// or not yet, and that it learns and changes nothing of others', not even of
// those with the same bytes.

#include "services/storage/replay_catalogue.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/store/replay_store.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/status.h"
#include "services/storage/replay_store.h"
#include "services/testing/test_folders.h"
#include "sim/base/content_digest.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const Tenant kNobody;
const Tenant kRed = {.name = "red"};
const Tenant kBlue = {.name = "blue"};

class ReplayCatalogueTest : public testing::Test {
 protected:
  // A run of so many ticks, as the tenant's replay `id`.
  void Record(const Tenant& tenant, const std::string& id, int ticks = 1) {
    const auto simulation = *replays::TinySimulation::Create(pack_, /*seed=*/1);
    const auto recording = *store_->Record(tenant, id, simulation.get(), pack_);
    for (int i = 0; i < ticks; ++i) {
      ASSERT_EQ(recording->Step({}), absl::OkStatus());
    }
    ASSERT_EQ(recording->Finish(), absl::OkStatus());
  }

  std::vector<std::string> TagsOf(const Tenant& tenant, const std::string& id) {
    const auto known = catalogue_.Get(tenant, id);
    EXPECT_TRUE(known.ok()) << known.status();
    return known->replay.tags;
  }

  absl::Status Tag(const Tenant& tenant, const std::string& id,
                   const std::vector<std::string>& added,
                   const std::vector<std::string>& removed = {}) {
    return catalogue_.ChangeTags(tenant, id, added, removed).status();
  }

  // All that match, over pages of `page_size`.
  std::vector<std::string> Ids(const Tenant& tenant,
                               const ReplayQuery& query = {},
                               int32_t page_size = 0) {
    std::vector<std::string> ids;
    std::string token;
    do {
      const auto next = catalogue_.List(tenant, query, page_size, token,
                                        [&ids](const KnownReplay& known) {
                                          ids.push_back(known.id);
                                          return true;
                                        });
      EXPECT_TRUE(next.ok()) << next.status();
      token = next.value_or("");
    } while (!token.empty());
    return ids;
  }

  void BreakCatalogue() const {
    folders_.Write("store/catalogue.sqlite", std::string(10'000, 'x'));
  }

  const TestFolders folders_;
  const RecordingOptions options_ = {};
  const sim::PackArchive pack_ = replays::MakeTinyPack();
  const std::unique_ptr<ReplayStore> store_ =
      *ReplayStore::Open(folders_.store(), options_);
  std::vector<std::string> reports_;
  const ReplayCatalogue catalogue_{
      folders_.store(), store_.get(),
      [this](const LogEntry& entry) { reports_.push_back(entry.message); }};
};

TEST_F(ReplayCatalogueTest, SaysTheSameOfAReplayBeforeAndBehindTheCatalogue) {
  Record(kRed, "a", /*ticks=*/5);
  const KnownReplay before = *catalogue_.Get(kRed, "a");
  EXPECT_FALSE(before.is_catalogued);
  EXPECT_EQ(before.replay.tick_count, 5u);

  catalogue_.TakeIn(kRed, "a");

  KnownReplay behind = *catalogue_.Get(kRed, "a");
  EXPECT_TRUE(behind.is_catalogued);
  EXPECT_NE(behind.replay.digest, sim::ContentDigest());
  EXPECT_EQ(behind.replay.size_bytes, behind.size_bytes);
  behind.replay.digest = {};
  behind.replay.name.clear();
  behind.replay.recorded_at = before.replay.recorded_at;
  behind.replay.added_at = before.replay.added_at;
  EXPECT_EQ(behind.replay, before.replay);
}

TEST_F(ReplayCatalogueTest, TagsAreOfTheirTenantAlone) {
  Record(kRed, "a");
  Record(kBlue, "b");    // the same bytes
  Record(kNobody, "c");  // and again
  ASSERT_EQ(Tag(kRed, "a", {"golden", "x"}), absl::OkStatus());
  catalogue_.TakeIn(kBlue, "b");
  ASSERT_EQ(Tag(kNobody, "c", {"public"}), absl::OkStatus());

  EXPECT_THAT(TagsOf(kRed, "a"), ElementsAre("golden", "x"));
  EXPECT_THAT(TagsOf(kBlue, "b"), IsEmpty());
  EXPECT_THAT(TagsOf(kNobody, "c"), ElementsAre("public"));
  ReplayQuery golden;
  golden.filter.tags = {"golden"};
  EXPECT_THAT(Ids(kRed, golden), ElementsAre("a"));
  EXPECT_THAT(Ids(kBlue, golden), IsEmpty());
  EXPECT_THAT(Ids(kNobody, golden), IsEmpty());

  ASSERT_EQ(Tag(kRed, "a", {}, {"golden", "public"}), absl::OkStatus());
  EXPECT_THAT(TagsOf(kRed, "a"), ElementsAre("x"));
  EXPECT_THAT(TagsOf(kNobody, "c"), ElementsAre("public"));
  // The operator sees whose it is.
  const auto store = *replays::ReplayStore::Open(folders_.store());
  EXPECT_THAT(store->catalogue().List({}, 1, {})->at(0).tags,
              ElementsAre("public", "red//x"));
}

TEST_F(ReplayCatalogueTest, NoTagPassesItselfOffAsAnothersAndNoneIsWrong) {
  Record(kNobody, "a");
  for (const std::string& tag :
       {std::string("red//golden"), std::string(), std::string("a b"),
        std::string(kReplayTagBytesMax + 1, 'a')}) {
    EXPECT_EQ(ReasonOf(Tag(kNobody, "a", {tag})), "TAG_REFUSED") << tag;
    EXPECT_EQ(ReasonOf(Tag(kNobody, "a", {}, {tag})), "TAG_REFUSED") << tag;
  }
  const Tenant longest = {.name = std::string(64, 't')};
  Record(longest, "b");
  const std::string tag(kReplayTagBytesMax, 'a');
  EXPECT_EQ(Tag(longest, "b", {tag}), absl::OkStatus());
  EXPECT_THAT(TagsOf(longest, "b"), ElementsAre(tag));
}

TEST_F(ReplayCatalogueTest, TagsTooManyChangeNothing) {
  Record(kRed, "a");
  std::vector<std::string> tags;
  for (size_t i = 0; i < replays::kTagsMax; ++i) {
    tags.push_back("t" + std::to_string(i));
  }
  ASSERT_EQ(Tag(kRed, "a", tags), absl::OkStatus());

  EXPECT_EQ(ReasonOf(Tag(kRed, "a", {"more"})), "TOO_MANY_TAGS");
  EXPECT_THAT(TagsOf(kRed, "a"), SizeIs(replays::kTagsMax));
}

TEST_F(ReplayCatalogueTest, WhatIsDeletedIsGoneForItsTenantOnly) {
  Record(kRed, "a");
  Record(kBlue, "b");
  ASSERT_EQ(Tag(kRed, "a", {"mine"}), absl::OkStatus());
  catalogue_.TakeIn(kBlue, "b");

  EXPECT_EQ(ReasonOf(catalogue_.Delete(kBlue, "a")), "REPLAY_NOT_FOUND");
  ASSERT_EQ(catalogue_.Delete(kRed, "a"), absl::OkStatus());

  EXPECT_EQ(ReasonOf(catalogue_.Get(kRed, "a").status()), "REPLAY_NOT_FOUND");
  EXPECT_EQ(ReasonOf(catalogue_.Delete(kRed, "a")), "REPLAY_NOT_FOUND");
  EXPECT_TRUE(catalogue_.Get(kBlue, "b")->is_catalogued);
  const auto store = *replays::ReplayStore::Open(folders_.store());
  EXPECT_THAT(store->catalogue().List({}, 1, {})->at(0).tags, IsEmpty());

  ASSERT_EQ(catalogue_.Delete(kBlue, "b"), absl::OkStatus());
  EXPECT_THAT(*store->catalogue().List({}, 1, {}), IsEmpty());
  EXPECT_THAT(*store->files().ListNamed(), IsEmpty());
}

TEST_F(ReplayCatalogueTest, WhatIsStillBeingRecordedIsNotDeleted) {
  const auto simulation = *replays::TinySimulation::Create(pack_, /*seed=*/1);
  const auto recording = *store_->Record(kRed, "a", simulation.get(), pack_);

  EXPECT_EQ(ReasonOf(catalogue_.Delete(kRed, "a")), "REPLAY_UNFINISHED");
  EXPECT_EQ(ReasonOf(Tag(kRed, "a", {"x"})), "REPLAY_UNFINISHED");
  EXPECT_EQ(recording->Finish(), absl::OkStatus());
}

TEST_F(ReplayCatalogueTest, EachConditionHolds) {
  Record(kRed, "short", 1);
  Record(kRed, "long", 9);
  ASSERT_EQ(Tag(kRed, "long", {"Nightly"}), absl::OkStatus());
  const auto matching = [this](auto change) {
    ReplayQuery query;
    change(query);
    return Ids(kRed, query);
  };

  EXPECT_THAT(matching([](ReplayQuery& q) { q.filter.pack = "tiny"; }),
              ElementsAre("short", "long"));
  EXPECT_THAT(matching([](ReplayQuery& q) { q.filter.pack = "tin"; }),
              IsEmpty());
  EXPECT_THAT(matching([](ReplayQuery& q) { q.filter.tick_count_min = 2; }),
              ElementsAre("long"));
  EXPECT_THAT(matching([](ReplayQuery& q) { q.filter.tick_count_max = 2; }),
              ElementsAre("short"));
  EXPECT_THAT(matching([](ReplayQuery& q) { q.filter.outcome = "won"; }),
              IsEmpty());
  EXPECT_THAT(matching([](ReplayQuery& q) { q.filter.outcome = "running"; }),
              SizeIs(2));
  EXPECT_THAT(matching([](ReplayQuery& q) { q.text = "nightly"; }),
              ElementsAre("long"));
  EXPECT_THAT(matching([](ReplayQuery& q) { q.text = "hort"; }),
              ElementsAre("short"));
  EXPECT_EQ(*ParseReplayText("NightLY"), "nightly");
  EXPECT_EQ(ReasonOf(ParseReplayText(std::string(129, 'a')).status()),
            "SEARCH_REFUSED");
}

TEST_F(ReplayCatalogueTest, PagesFollowEachOther) {
  for (const char* id : {"a", "b", "c", "d", "e"}) {
    Record(kRed, id, id[0] == 'c' ? 1 : 2);
  }
  ReplayQuery query;
  query.filter.tick_count_min = 2;

  for (const int32_t page_size : {1, 2, 3, 4, 5, 0}) {
    EXPECT_THAT(Ids(kRed, {}, page_size), ElementsAre("e", "d", "c", "b", "a"));
    EXPECT_THAT(Ids(kRed, query, page_size), ElementsAre("e", "d", "b", "a"));
  }
}

TEST_F(ReplayCatalogueTest, WhoSaysStopGoesOnThere) {
  for (const char* id : {"a", "b", "c"}) Record(kRed, id);
  std::vector<std::string> ids;
  const auto token =
      catalogue_.List(kRed, {}, 0, "", [&ids](const KnownReplay& known) {
        if (ids.size() == 2) return false;
        ids.push_back(known.id);
        return true;
      });

  EXPECT_THAT(ids, ElementsAre("c", "b"));
  EXPECT_EQ(*token, "behind:b");
}

TEST_F(ReplayCatalogueTest, AGuessedTokenIsNone) {
  for (const char* id : {"a", "b", "c"}) Record(kRed, id);
  for (const char* token : {"b", "x", "behind:", "behind:B", "behind:../b"}) {
    const auto page = catalogue_.List(kRed, {}, 0, token,
                                      [](const KnownReplay&) { return true; });

    EXPECT_EQ(ReasonOf(page.status()), "PAGE_TOKEN_MALFORMED") << token;
  }
}

// All that files say is still known; no path reaches the client.
TEST_F(ReplayCatalogueTest, WithoutACatalogueWhatFilesSayIsKnown) {
  Record(kRed, "a", /*ticks=*/3);
  BreakCatalogue();

  EXPECT_EQ(catalogue_.Get(kRed, "a")->replay.tick_count, 3u);
  EXPECT_THAT(Ids(kRed), ElementsAre("a"));
  ReplayQuery query;
  query.text = "a";
  for (const absl::Status& status :
       {catalogue_.Delete(kRed, "a"), Tag(kRed, "a", {"x"}),
        catalogue_
            .List(kRed, query, 0, "", [](const KnownReplay&) { return true; })
            .status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_EQ(ReasonOf(status), "CATALOGUE_UNAVAILABLE");
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("/")));
  }
  EXPECT_THAT(reports_.back(), AllOf(HasSubstr("catalogue.sqlite"),
                                     HasSubstr("not a database")));
  EXPECT_TRUE(store_->OpenReplay(kRed, "a").ok());
}

TEST_F(ReplayCatalogueTest, ADamagedFileIsListedAndSaysNothing) {
  folders_.Write("store/replays/red/a.mcap", "broken");

  EXPECT_FALSE(catalogue_.Get(kRed, "a")->is_readable);
  EXPECT_EQ(catalogue_.Get(kRed, "a")->size_bytes, 6u);
  EXPECT_THAT(Ids(kRed), ElementsAre("a"));
  EXPECT_EQ(ReasonOf(Tag(kRed, "a", {"x"})), "REPLAY_DAMAGED");
  EXPECT_EQ(catalogue_.Delete(kRed, "a"), absl::OkStatus());
  EXPECT_THAT(Ids(kRed), IsEmpty());
}

TEST_F(ReplayCatalogueTest, BytesAreFoundByTheirDigestAmongOnesOwn) {
  Record(kRed, "a");
  catalogue_.TakeIn(kRed, "a");
  const sim::ContentDigest digest = catalogue_.Get(kRed, "a")->replay.digest;

  EXPECT_EQ(catalogue_.FindId(kRed, digest), "a");
  EXPECT_EQ(catalogue_.FindId(kBlue, digest), "");
  EXPECT_EQ(catalogue_.FindId(kNobody, digest), "");
  EXPECT_EQ(catalogue_.FindId(kRed, {}), "");
}

// So that whoever changes tags knows whether a file has to be read first.
TEST_F(ReplayCatalogueTest, ItSaysWhatItKnowsAndTakesInTheRest) {
  Record(kRed, "a");
  EXPECT_FALSE(catalogue_.IsCatalogued(kRed, "a"));
  catalogue_.TakeIn(kRed, "a");
  EXPECT_TRUE(catalogue_.IsCatalogued(kRed, "a"));
  EXPECT_FALSE(catalogue_.IsCatalogued(kRed, "b"));
}

}  // namespace
}  // namespace reprise::services

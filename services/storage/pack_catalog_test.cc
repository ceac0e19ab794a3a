// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves which folders are packs, and that no name leads to anything else, on a
// folder made for the test.

#include "services/storage/pack_catalog.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/base/status.h"
#include "services/testing/test_folders.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PackCatalogTest, AMissingFolderIsAnError) {
  const TestFolders folders;

  EXPECT_EQ(PackCatalog::Open(folders.packs() + "/none").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(
      PackCatalog::Open(folders.packs() + "/tiny/pack.txtpb").status().code(),
      absl::StatusCode::kNotFound);
}

TEST(PackCatalogTest, FoldersWithAManifestAreOfferedInOrder) {
  const TestFolders folders;
  folders.Write("packs/golf/pack.txtpb", "");
  folders.Write("packs/empty/other.txtpb", "");
  folders.Write("packs/Upper/pack.txtpb", "");
  folders.Write("packs/.hidden/pack.txtpb", "");
  folders.Write("packs/pack.txtpb", "");

  EXPECT_THAT(*PackCatalog::Open(folders.packs())->Names(),
              ElementsAre("golf", "tiny"));
}

TEST(PackCatalogTest, PagesFollowEachOtherWithoutGaps) {
  const TestFolders folders;
  folders.Write("packs/golf/pack.txtpb", "");
  folders.Write("packs/maze/pack.txtpb", "");
  const auto catalog = PackCatalog::Open(folders.packs());

  const auto first = catalog->List(2, "");
  EXPECT_THAT(first->names, ElementsAre("golf", "maze"));
  const auto second = catalog->List(2, first->next_page_token);
  EXPECT_THAT(second->names, ElementsAre("tiny"));
  EXPECT_EQ(second->next_page_token, "");
  // Whatever came or went in between.
  EXPECT_THAT(catalog->List(0, "behind-h")->names, ElementsAre("maze", "tiny"));
}

TEST(PackCatalogTest, PagesThatAreNoneAreRefused) {
  const TestFolders folders;
  const auto catalog = PackCatalog::Open(folders.packs());

  EXPECT_EQ(ReasonOf(catalog->List(-1, "").status()), "PAGE_SIZE_NEGATIVE");
  for (const char* const token : {"../x", "x", "behind-", "behind-../x"}) {
    EXPECT_EQ(ReasonOf(catalog->List(1, token).status()),
              "PAGE_TOKEN_MALFORMED")
        << token;
  }
}

TEST(PackCatalogTest, APackIsReadAsItIsNow) {
  const TestFolders folders;
  const auto catalog = PackCatalog::Open(folders.packs());
  folders.Write("packs/tiny/later.txt", "new");

  const auto pack = catalog->Load("tiny");

  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_EQ(pack->Find("later.txt"), "new");
}

TEST(PackCatalogTest, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  const TestFolders folders;

  const absl::Status status =
      PackCatalog::Open(folders.packs())->Load("golf").status();

  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReasonOf(status), "PACK_NOT_FOUND");
  EXPECT_THAT(std::string(status.message()), HasSubstr("tiny"));
}

TEST(PackCatalogTest, NoNameLeadsElsewhere) {
  const TestFolders folders;
  folders.Write("secret/pack.txtpb", "");
  folders.Write("packs/pack.txtpb", "");
  const auto catalog = PackCatalog::Open(folders.packs());

  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."),
        std::string("../secret"), std::string("tiny/../../secret"),
        std::string("tiny/"), std::string("/etc"), std::string("tiny\0", 5),
        folders.packs() + "/tiny", std::string(5'000'000, 'x')}) {
    EXPECT_EQ(catalog->Load(name).status().code(), absl::StatusCode::kNotFound)
        << name.substr(0, 80);
  }
}

}  // namespace
}  // namespace reprise::services

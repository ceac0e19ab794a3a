// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that folders stand for the replays and packs in them and nothing else,
// and that a pack is found by the name in its manifest, if it is the only one.

#include "tools/reprise/inputs/file_search.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

namespace fs = std::filesystem;

class FileSearchTest : public testing::Test {
 protected:
  FileSearchTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  std::string Path(const std::string& name) const {
    return (folder_ / name).string();
  }

  void Write(const std::string& name, const std::string& text = "") const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

 private:
  const fs::path folder_ = fs::path(testing::TempDir()) / "file_search";
};

TEST_F(FileSearchTest, ReplaysOfAFolderAreFoundAmongOtherFiles) {
  for (int i = 0; i < 2000; ++i) {
    Write("corpus/notes/" + std::to_string(i) + ".txt");
  }
  Write("corpus/b.mcap");
  Write("corpus/deep/er/a.mcap");
  Write("corpus/c.mcap.partial");
  Write("corpus/.git/d.mcap");
  const auto found =
      FindReplays(std::vector<std::string>{"x.mcap", Path("corpus")});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_THAT(*found, ElementsAre("x.mcap", Path("corpus/b.mcap"),
                                  Path("corpus/deep/er/a.mcap")));
}

TEST_F(FileSearchTest, FolderWithoutReplaysIsAnError) {
  Write("corpus/notes.txt");
  const absl::Status status =
      FindReplays(std::vector<std::string>{Path("corpus")}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("no replay (*.mcap) among 1 files"));
}

TEST_F(FileSearchTest, PacksOfAFolderAreFoundButNoneWithinPacks) {
  Write("packs/b/pack.txtpb");
  Write("packs/b/inner/pack.txtpb");
  Write("packs/group/a/pack.txtpb");
  const auto found = FindPacks(
      std::vector<std::string>{"marble", Path("packs/b"), Path("packs")});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_THAT(*found, ElementsAre("marble", Path("packs/b"), Path("packs/b"),
                                  Path("packs/group/a")));
}

TEST_F(FileSearchTest, PackIsKnownByItsManifestsName) {
  Write("packs/one/pack.txtpb", "name: \"tower\"\nfield_of_another_game: 3\n");
  Write("packs/two/pack.txtpb", "no manifest {");
  const std::vector<std::string> folders = {Path("packs"), Path("packs/one")};
  const auto packs = PackFolders::Open(folders);
  ASSERT_TRUE(packs.ok()) << packs.status();
  EXPECT_EQ(packs->Find("tower").value_or(""), Path("packs/one"));
  EXPECT_EQ(packs->Find("two").value_or(""), Path("packs/two"));
  const absl::Status missing = packs->Find("towel").status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("tower"));
}

TEST_F(FileSearchTest, TwoPacksOfOneNameAreBothNamed) {
  Write("packs/one/pack.txtpb", "name: \"tower\"\n");
  Write("packs/two/pack.txtpb", "name: \"tower\"\n");
  const auto packs = PackFolders::Open(std::vector<std::string>{Path("packs")});
  ASSERT_TRUE(packs.ok()) << packs.status();
  const absl::Status status = packs->Find("tower").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(status.message()),
            "2 packs are called 'tower': " + Path("packs/one") + ", " +
                Path("packs/two"));
}

TEST_F(FileSearchTest, FolderOfPacksHasToBeThere) {
  const absl::Status status =
      PackFolders::Open(std::vector<std::string>{Path("none")}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace reprise::tools

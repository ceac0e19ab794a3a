// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the archive of a pack stands for its folder, by the pack in
// several files that docs/packs.md shows.

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"
#include "tests/command/document_blocks.h"

namespace reprise::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Json = nlohmann::json;
namespace fs = std::filesystem;

CommandResult Reprise(std::vector<std::string> words) {
  words.insert(words.begin(), "tools/reprise/reprise");
  return RunCommand(words);
}

class PackBuildTest : public testing::Test {
 protected:
  PackBuildTest() {
    fs::remove_all(folder_);
    for (const DocumentBlock& block :
         BlocksOf(ReadFileBytes("docs/packs.md"))) {
      if (!block.words.starts_with("camp/")) continue;
      const fs::path file = folder_ / block.words;
      fs::create_directories(file.parent_path());
      WriteFileBytes(file, block.text);
    }
  }

  CommandResult Build(const fs::path& output) const {
    return Reprise({"pack", "build", pack_, "--output", output});
  }

  const fs::path folder_ = TemporaryPath("pack_build");
  const fs::path pack_ = folder_ / "camp";
  const fs::path archive_ = folder_ / "camp.tar";
};

TEST_F(PackBuildTest, ArchiveIsThePack) {
  const CommandResult folder =
      Reprise({"pack", "check", pack_, "--format", "json"});
  ASSERT_EQ(folder.exit_code, 0) << folder.out << folder.err;
  const std::string digest = Json::parse(folder.out)["packs"][0]["digest"];

  const CommandResult built = Build(archive_);
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_THAT(built.out, StartsWith(archive_.string() + ": 4 files, "));
  EXPECT_THAT(built.out, HasSubstr("digest " + digest + "\n"));
  EXPECT_THAT(Reprise({"pack", "check", archive_}).out, HasSubstr(digest));

  const auto run = [](const fs::path& pack) {
    const CommandResult result = Reprise({"run", pack, "--ticks", "60"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out.substr(result.out.find("digest"));
  };
  EXPECT_EQ(run(archive_), run(pack_));
}

TEST_F(PackBuildTest, SameFilesGiveTheSameBytes) {
  ASSERT_EQ(Build(archive_).exit_code, 0);
  const fs::path other = folder_ / "other.tar";
  ASSERT_EQ(Reprise({"pack", "build", archive_, "--output", other}).exit_code,
            0);
  EXPECT_EQ(ReadFileBytes(other), ReadFileBytes(archive_));
  ASSERT_EQ(Build(archive_).exit_code, 0);
  EXPECT_EQ(ReadFileBytes(other), ReadFileBytes(archive_));
}

TEST_F(PackBuildTest, MistakesAreToldAndNothingIsWritten) {
  std::string table = ReadFileBytes(pack_ / "balance.csv");
  table.replace(table.find("chief"), 5, "chef");
  WriteFileBytes(pack_ / "balance.csv", table);
  const CommandResult check = Reprise({"pack", "check", pack_});
  EXPECT_EQ(check.exit_code, 2);
  EXPECT_THAT(check.out, HasSubstr("camp/balance.csv:3:1: there is no type"));
  const CommandResult built = Build(archive_);
  EXPECT_EQ(built.exit_code, 2);
  EXPECT_THAT(built.err, HasSubstr("balance.csv:3:1: there is no type"));
  EXPECT_FALSE(fs::exists(archive_));
  EXPECT_FALSE(fs::exists(archive_.string() + ".partial"));
}

TEST_F(PackBuildTest, ArchiveCanNotBeAPartOfThePack) {
  const CommandResult inside = Build(pack_ / "camp.tar");
  EXPECT_EQ(inside.exit_code, 2);
  EXPECT_THAT(inside.err, HasSubstr("--output would be a part of"));
  ASSERT_EQ(Build(archive_).exit_code, 0);
  const CommandResult itself =
      Reprise({"pack", "build", archive_, "--output", archive_});
  EXPECT_EQ(itself.exit_code, 2);
  EXPECT_THAT(itself.err, HasSubstr("or overwrite it"));
}

TEST_F(PackBuildTest, OutputIsAFile) {
  EXPECT_EQ(Reprise({"pack", "build", pack_}).exit_code, 2);
  const CommandResult folder = Build(folder_);
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_THAT(folder.err, HasSubstr("is a folder"));
}

}  // namespace
}  // namespace reprise::tests

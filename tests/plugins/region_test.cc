// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what docs/plugins.md says of an engine that keeps its own memory and
// draws its own pictures, by the example there: it holds the contract, what
// differs has a name, and `render` shows what it drew.

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/rendering/picture.h"
#include "replays/rendering/png.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kPack[] = "docs/examples/plugin/vault";
constexpr char kLibrary[] = "tests/plugins/libarena.so";
constexpr replays::PixelColour kWhite = {255, 255, 255};

CommandResult Reprise(std::vector<std::string> words) {
  words.insert(words.begin(), {"tools/reprise/reprise", "--plugin", kLibrary});
  return RunCommand(words);
}

class RegionTest : public testing::Test {
 protected:
  // A run of 200 ticks with the inputs of a seed.
  static std::string Record(const std::string& seed) {
    std::string path = TemporaryPath("vault_" + seed + ".mcap");
    std::filesystem::remove(path);
    const CommandResult run =
        Reprise({"run", kPack, "--random-inputs", seed, "--ticks", "200",
                 "--keyframe-stride", "50", "--record", path});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    return path;
  }
};

TEST_F(RegionTest, IsVerifiedFromItsKeyframes) {
  const CommandResult result =
      Reprise({"verify", Record("1"), "--threads", "2"});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("200 of 200"));
}

TEST_F(RegionTest, HoldsTheContract) {
  const CommandResult result = RunCommand(
      {"tools/reprise/reprise", "conform", kLibrary, kPack, "--ticks", "60"});

  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST_F(RegionTest, DifferenceHasTheNameOfItsField) {
  const CommandResult result = Reprise({"diff", Record("1"), Record("2")});

  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("vault.memory"), HasSubstr(" hero_")));
}

TEST_F(RegionTest, IsInspectedAndQueriedByName) {
  const std::string path = Record("1");
  const CommandResult inspect = Reprise({"inspect", path, "--tick", "100"});
  EXPECT_EQ(inspect.exit_code, 0) << inspect.err;
  EXPECT_THAT(inspect.out, AllOf(HasSubstr("hero_x"), HasSubstr("gold")));

  const CommandResult query = Reprise({"query", path, "memory.gold > 0"});
  EXPECT_EQ(query.exit_code, 0) << query.out << query.err;
}

TEST_F(RegionTest, RenderShowsThePictureThatItDrew) {
  const std::string folder = TemporaryPath("vault_pictures");
  std::filesystem::remove_all(folder);
  const CommandResult result =
      Reprise({"render", Record("1"), "--to", "0", "--size", "130x128",
               "--output", folder});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const absl::StatusOr<replays::Picture> picture =
      replays::DecodePng(ReadFileBytes(folder + "/tick_0000000.png"));
  ASSERT_TRUE(picture.ok()) << picture.status();

  // The hero stands in cell 32; a cell has two by two pixels, and the picture
  // is one pixel off the left edge.
  EXPECT_EQ(picture->At(65, 64), kWhite);
  EXPECT_EQ(picture->At(66, 65), kWhite);
  EXPECT_NE(picture->At(64, 64), kWhite);
  EXPECT_NE(picture->At(67, 64), kWhite);
}

TEST_F(RegionTest, BetweenTicksThePictureIsThatOfTheTickToCome) {
  const CommandResult result =
      Reprise({"render", Record("1"), "--to", "10", "--rate", "40", "--size",
               "64x64", "--digests"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  // Of the time in ticks and a digest: 0, 0.5, 1 and so on.
  const std::vector<std::string> words =
      absl::StrSplit(result.out, absl::ByAnyChar(" \n"), absl::SkipEmpty());
  ASSERT_EQ(words.size(), 2U * 21);
  std::set<std::string> pictures;
  for (size_t i = 3; i + 2 < words.size(); i += 4) {
    EXPECT_EQ(words[i], words[i + 2]) << words[i - 1];
    pictures.insert(words[i]);
  }
  EXPECT_GT(pictures.size(), 1U);
}

}  // namespace
}  // namespace reprise::tests

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every pack that ships has a golden replay of a minute or more
// with keyframes, for a reason that is said, and that the text beside it, which
// is what a person reviews, is the whole of it: the replay's text, of which the
// same replay can be assembled.
//
// That the replays hold is proved by `bazel test //tests/golden:all`, a
// reprise_replay_test each. `reprise accept tests/golden/*.mcap` makes them
// anew, and leaves the reason beside them.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

constexpr char kReprise[] = "tools/reprise/reprise";

// The names of the folders that are packs.
std::vector<std::string> ShippedPacks() {
  std::vector<std::string> packs;
  for (const auto& entry : std::filesystem::directory_iterator("sim/packs")) {
    if (std::filesystem::exists(entry.path() / "pack.txtpb")) {
      packs.push_back(entry.path().filename());
    }
  }
  return packs;
}

class GoldenTest : public testing::TestWithParam<std::string> {
 protected:
  static std::string Path(const std::string& extension) {
    return "tests/golden/" + GetParam() + extension;
  }
};

TEST_P(GoldenTest, IsAMinuteOrMore) {
  const CommandResult result =
      RunCommand({kReprise, "info", Path(".mcap"), "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto info = nlohmann::json::parse(result.out);
  EXPECT_GE(info["tick_count"].get<int64_t>(),
            60 * info["tick_rate"].get<int64_t>());
}

// The last sentence beside it is what a review of the next change begins with.
TEST_P(GoldenTest, ReasonSaysMoreThanAWord) {
  const std::string reasons = ReadFileBytes(Path(".reasons.txt"));
  std::string last;
  const std::vector<std::string> lines = absl::StrSplit(reasons, '\n');
  for (const std::string& line : lines) {
    if (!line.empty() && line[0] != ' ') last = line;
  }
  EXPECT_GE(std::ranges::count(last, ' '), 4) << last;
}

TEST_P(GoldenTest, TextBesideItIsWhatItHolds) {
  const CommandResult result = RunCommand({kReprise, "cat", Path(".mcap")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, ReadFileBytes(Path(".txtpb")));
}

TEST_P(GoldenTest, TextGivesTheSameRun) {
  const std::string copy = TemporaryPath(GetParam() + ".mcap");
  ASSERT_EQ(RunCommand({kReprise, "assemble", Path(".txtpb"), "--pack",
                        Path(".mcap"), "--output", copy})
                .exit_code,
            0);
  const CommandResult result =
      RunCommand({kReprise, "diff", Path(".mcap"), copy});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

// Where a run differs, the next keyframe names the field.
TEST_P(GoldenTest, HasKeyframesBehindItsStart) {
  const CommandResult result =
      RunCommand({kReprise, "info", Path(".mcap"), "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GE(nlohmann::json::parse(result.out)["keyframe_count"], 2);
}

INSTANTIATE_TEST_SUITE_P(Packs, GoldenTest, testing::ValuesIn(ShippedPacks()),
                         [](const auto& pack) { return pack.param; });

}  // namespace
}  // namespace reprise::tests

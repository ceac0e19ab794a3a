// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every system's way of counting gives the same shards, and that
// what doesn't count is refused, from environments that are maps.

#include "tools/reprise/verifying/verify_shard.h"

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Environment = std::map<std::string, std::string>;

absl::StatusOr<std::optional<Shard>> Choose(std::string_view flag,
                                            const Environment& environment) {
  return ChooseShard(flag, [&environment](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end()
               ? std::nullopt
               : std::optional<std::string>(found->second);
  });
}

struct Case {
  const char* system;
  Environment environment;
};

class ShardTest : public testing::TestWithParam<Case> {};

TEST_P(ShardTest, SystemSaysTheThirdOfFour) {
  const auto shard = Choose("", GetParam().environment);
  ASSERT_TRUE(shard.ok()) << shard.status();
  EXPECT_EQ(*shard, (Shard{3, 4, GetParam().system}));
}

TEST_P(ShardTest, FlagOverrulesTheEnvironment) {
  EXPECT_EQ(**Choose("2/9", GetParam().environment), (Shard{2, 9, "--shard"}));
}

TEST_P(ShardTest, CountOfTheFlagOverrulesTheEnvironments) {
  EXPECT_EQ(**Choose("auto/5", GetParam().environment),
            (Shard{3, 5, GetParam().system}));
}

INSTANTIATE_TEST_SUITE_P(
    Systems, ShardTest,
    testing::Values(
        Case{"Bazel", {{"TEST_SHARD_INDEX", "2"}, {"TEST_TOTAL_SHARDS", "4"}}},
        Case{"GitLab", {{"CI_NODE_INDEX", "3"}, {"CI_NODE_TOTAL", "4"}}},
        Case{"Buildkite",
             {{"BUILDKITE_PARALLEL_JOB", "2"},
              {"BUILDKITE_PARALLEL_JOB_COUNT", "4"}}},
        Case{"Slurm",
             {{"SLURM_ARRAY_TASK_ID", "14"},
              {"SLURM_ARRAY_TASK_MIN", "10"},
              {"SLURM_ARRAY_TASK_STEP", "2"},
              {"SLURM_ARRAY_TASK_COUNT", "4"}}},
        Case{"Kubernetes",
             {{"JOB_COMPLETION_INDEX", "2"}, {"JOB_COMPLETIONS", "4"}}}),
    [](const auto& info) { return info.param.system; });

TEST(ShardTest, NobodySaysAnything) {
  EXPECT_EQ(*Choose("", {}), std::nullopt);
  EXPECT_EQ(Choose("auto/4", {}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ShardTest, IndexWithoutACountIsRefused) {
  const auto shard = Choose("", {{"JOB_COMPLETION_INDEX", "2"}});
  EXPECT_EQ(shard.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(shard.status().message()),
              HasSubstr("--shard auto/N"));
}

TEST(ShardTest, RefusesWhatDoesNotCount) {
  for (const char* const flag :
       {"0/2", "3/2", "1/0", "1", "a/2", "1/b", "/2/", "1/2/3", "-1/2"}) {
    EXPECT_EQ(Choose(flag, {}).status().code(),
              absl::StatusCode::kInvalidArgument)
        << flag;
  }
  EXPECT_EQ(Choose("", {{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "4"}})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Choose("", {{"CI_NODE_INDEX", "x"}, {"CI_NODE_TOTAL", "4"}})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(PathsOfShardTest, SortedEachOnceDealtOutOneByOne) {
  const std::vector<std::string> paths = {"e", "b", "d", "a", "b", "c"};
  EXPECT_THAT(PathsOfShard(paths, {1, 2, ""}), ElementsAre("a", "c", "e"));
  EXPECT_THAT(PathsOfShard(paths, {2, 2, ""}), ElementsAre("b", "d"));
  EXPECT_THAT(PathsOfShard(paths, {6, 6, ""}), IsEmpty());
}

}  // namespace
}  // namespace reprise::tools

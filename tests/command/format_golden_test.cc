// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a file of every revision of the format that was ever released is
// taken by each verb that takes a replay, and that all find the same in it:
// what the golden's text says. replays/golden_replay_test proves the same of
// the reader.

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "replays/format/replay_metadata.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::HasSubstr;

using Json = nlohmann::json;

constexpr char kReprise[] = "tests/command/reprise_with_tiny";

// What RecordGolden() makes.
constexpr int kTicks = 250;

// Earlier ones know buttons, axes and commands of whole numbers only.
constexpr uint32_t kEveryInputRevision = 3;

class FormatGoldenTest : public testing::TestWithParam<uint32_t> {
 protected:
  FormatGoldenTest()
      : golden_("replays/golden/format_" + std::to_string(GetParam()) +
                ".mcap") {
    std::filesystem::remove(output_);
  }

  static CommandResult Reprise(std::vector<std::string> words) {
    words.insert(words.begin(), kReprise);
    return RunCommand(words);
  }

  // Whether it does the same as the golden, to the last state.
  void ExpectEqualToGolden(const std::string& path) {
    const CommandResult result = Reprise({"diff", golden_, path});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("equal: 250 ticks"));
  }

  const std::string golden_;
  const std::string output_ = TemporaryPath("output.mcap");
};

TEST_P(FormatGoldenTest, InfoReadsAllOfIt) {
  const CommandResult result = Reprise({"info", golden_, "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json info = Json::parse(result.out);
  EXPECT_EQ(info["format_revision"], GetParam());
  EXPECT_EQ(info["tick_count"], kTicks);
  EXPECT_EQ(info["is_complete"], true);
  EXPECT_EQ(info["lost_bytes"], 0);
  EXPECT_GT(info["keyframe_count"], 0);
  EXPECT_GT(info["event_count"], 0);
  EXPECT_EQ(info["branches"].size(), 1u);
}

TEST_P(FormatGoldenTest, VerifyFindsEveryTickRight) {
  const CommandResult result = Reprise({"verify", golden_, "--threads", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("verified 250 of 250 ticks"));
}

TEST_P(FormatGoldenTest, DiffRunsIt) { ExpectEqualToGolden(golden_); }

TEST_P(FormatGoldenTest, InspectReachesAnyTick) {
  for (const char* const tick : {"0", "119", "250"}) {
    const CommandResult result = Reprise({"inspect", golden_, "--tick", tick});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("runner"));
  }
}

TEST_P(FormatGoldenTest, QueryIsAnswered) {
  const CommandResult result = Reprise({"query", golden_, "tick == 249"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("249"));
}

TEST_P(FormatGoldenTest, CatAndAssembleGiveTheSameRun) {
  const CommandResult text = Reprise({"cat", golden_});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  const std::string path = TemporaryPath("golden.txtpb");
  WriteFileBytes(path, text.out);
  ASSERT_EQ(Reprise({"assemble", path, "--pack", golden_, "--output", output_})
                .exit_code,
            0);
  ExpectEqualToGolden(output_);
}

TEST_P(FormatGoldenTest, RecoverSavesEveryTick) {
  ASSERT_EQ(Reprise({"recover", golden_, "--output", output_}).exit_code, 0);
  ExpectEqualToGolden(output_);
}

TEST_P(FormatGoldenTest, RunPlaysItsInputs) {
  ASSERT_EQ(
      Reprise({"run", "--inputs", golden_, "--record", output_}).exit_code, 0);
  ExpectEqualToGolden(output_);
}

TEST_P(FormatGoldenTest, RunBranchesFromIt) {
  ASSERT_EQ(
      Reprise({"run", "--from", golden_, "--at", "130", "--record", output_})
          .exit_code,
      0);
  ExpectEqualToGolden(output_);
}

TEST_P(FormatGoldenTest, ExportWritesItsFrames) {
  const CommandResult result =
      Reprise({"export", golden_, "--from", "100", "--to", "100"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(result.out.empty());
}

TEST_P(FormatGoldenTest, AcceptMakesOneOfTheRevisionOfNow) {
  const std::string pack = TemporaryPath("tiny");
  std::filesystem::create_directories(pack);
  WriteFileBytes(
      pack + "/pack.txtpb",
      std::string("name: \"tiny\"\nstep: 0.1\ngoal: 100\n") +
          (GetParam() < kEveryInputRevision ? "" : "inputs: every\n"));
  const CommandResult result =
      Reprise({"accept", output_, "--inputs", golden_, "--pack", pack,
               "--reason", "an old recording"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  ExpectEqualToGolden(output_);
}

TEST_P(FormatGoldenTest, StoreKeepsIt) {
  const std::string store = "--store=" + TemporaryPath("store");
  const CommandResult result =
      Reprise({"store", "add", golden_, store, "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json added = Json::parse(result.out)["replays"][0];
  EXPECT_EQ(added["format_revision"], GetParam());
  EXPECT_EQ(Reprise({"store", "check", store}).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Revisions, FormatGoldenTest,
                         testing::Range(1u,
                                        replays::kReplayFormatRevision + 1));

}  // namespace
}  // namespace reprise::tests

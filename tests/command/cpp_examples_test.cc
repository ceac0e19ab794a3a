// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the examples of the C++ client do what they say, each as a
// program of its own against `reprise serve`.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/command/command_runner.h"
#include "tests/command/serve_process.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class CppExamplesTest : public testing::Test {
 protected:
  // What one prints, which is called with these words behind the address.
  std::string Run(const std::string& example,
                  const std::vector<std::string>& words = {}) {
    std::vector<std::string> command = {"clients/cpp/" + example,
                                        server_.address()};
    command.insert(command.end(), words.begin(), words.end());
    const CommandResult result = RunCommand(command);
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    return result.out;
  }

  const ServeProcess server_{"sim/packs"};
};

TEST_F(CppExamplesTest, AMarbleIsPlayed) {
  EXPECT_THAT(Run("marble"),
              AllOf(StartsWith("tick 60: "), HasSubstr("\ntick 300: "),
                    HasSubstr("\nkept as replays/")));
}

// Pushed by 14 N, 2 kg have some speed half a second later, and more later.
TEST_F(CppExamplesTest, ColumnsAreReadByTheirNames) {
  EXPECT_THAT(Run("observations_example"),
              MatchesRegex("tick 30: z = -?[0-9.e-]+ m, -?[0-9.e-]+ m/s\n"
                           "tick 60: z = -?[0-9.e-]+ m, -?[0-9.e-]+ m/s\n"
                           "tick 90: z = -?[0-9.e-]+ m, -?[0-9.e-]+ m/s\n"
                           "tick 120: z = -?[0-9.e-]+ m, -?[0-9.e-]+ m/s\n"));
}

TEST_F(CppExamplesTest, SeveralBatchesAreUnderWay) {
  EXPECT_THAT(Run("stepping_example"),
              MatchesRegex("tick 1000\n"
                           "tick [0-9]+: "
                           "STOP_REASON_(CONDITION|OUTCOME|TICKS)\n"));
}

TEST_F(CppExamplesTest, FramesAreKeptAsAScene) {
  EXPECT_THAT(Run("frames_example"),
              MatchesRegex("tick 120: [1-9][0-9]* objects\nplayer: .* m\n"));
}

TEST_F(CppExamplesTest, TwoPlayOneSession) {
  EXPECT_THAT(Run("playing_example"),
              MatchesRegex("both saw the same\nkept as replays/.*\n"));
}

TEST_F(CppExamplesTest, AReplayIsBroughtVerifiedAndQueried) {
  const std::string file = TemporaryPath("brought.mcap");
  const CommandResult recorded =
      RunCommand({"tools/reprise/reprise", "run", "sim/packs/marble", "--ticks",
                  "240", "--random-inputs", "1", "--record", file});
  ASSERT_EQ(recorded.exit_code, 0) << recorded.err;
  EXPECT_THAT(
      Run("replays_example", {file}),
      AllOf(StartsWith("verified 240 of 240 ticks"), HasSubstr("\n240,4,")));
}

TEST_F(CppExamplesTest, AMistakenPackIsMendedAndPlayed) {
  EXPECT_THAT(Run("own_pack_example"),
              MatchesRegex("pack.txtpb:5: .*bell.*\ntick 60 of drop\n"));
}

TEST_F(CppExamplesTest, ARecordingIsCopiedWhileItIsMade) {
  const std::string file = TemporaryPath("live.mcap");
  const std::string printed = Run("live_download_example", {file});
  EXPECT_EQ(
      printed,
      "played\nall " + std::to_string(ReadFileBytes(file).size()) + " bytes\n");
  const CommandResult verified =
      RunCommand({"tools/reprise/reprise", "verify", file});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("600"));
}

}  // namespace
}  // namespace reprise::tests

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a change of the outcome is the headline of whatever plays a
// recording on a changed pack: `verify --packs`, `diff` and `accept` say it
// before the change of the pack, and that before the first field; of a folder
// of goldens each.

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr char kOutcome[] = "outcome: won: rang -> running\n";
constexpr char kChange[] = "types.bell.timers.go.delay_s: 0.5 -> 50\n";

// A bell that rings, which wins; a changed one, which rings far too late; and a
// recording of the first, to the tick 60.
class OutcomeChangeTest : public testing::Test {
 protected:
  OutcomeChangeTest() {
    fs::remove_all(folder_);
    WritePack(folder_ + "/then/bell", "0.5");
    WritePack(folder_ + "/now/bell", "50");
    EXPECT_EQ(Reprise({"run", folder_ + "/then/bell", "--ticks", "60",
                       "--record", replay_})
                  .exit_code,
              0);
  }

  static void WritePack(const std::string& pack, const std::string& delay_s) {
    fs::create_directories(pack);
    WriteFileBytes(pack + "/pack.txtpb",
                   "name: \"bell\"\n"
                   "types { name: \"bell\" timers { name: \"go\" event: "
                   "\"ring\" delay_s: " +
                       delay_s +
                       " } }\n"
                       "objects { name: \"bell\" type: \"bell\" }\n"
                       "connections { name: \"rang\" event: \"ring\" then { "
                       "outcome { decision: DECISION_WON reason: \"rang\" } } "
                       "}\n");
  }

  // The outcome first, then the pack, then the first tick.
  static void ExpectHeadline(const std::string& text) {
    const size_t outcome = text.find(kOutcome);
    const size_t change = text.find(kChange);
    const size_t tick = text.find("tick 0: different before its inputs");
    ASSERT_NE(outcome, std::string::npos) << text;
    ASSERT_NE(change, std::string::npos) << text;
    ASSERT_NE(tick, std::string::npos) << text;
    EXPECT_LT(outcome, change);
    EXPECT_LT(change, tick);
  }

  const std::string folder_ = TemporaryPath("outcome");
  const std::string now_ = folder_ + "/now";
  const std::string replay_ = folder_ + "/bell.mcap";
};

TEST_F(OutcomeChangeTest, VerifyLeadsWithIt) {
  const CommandResult result = Reprise({"verify", replay_, "--packs", now_});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("bell.mcap: won: rang -> running; "));
  ExpectHeadline(result.out);
}

TEST_F(OutcomeChangeTest, DiffLeadsWithIt) {
  const CommandResult result =
      Reprise({"diff", replay_, "--pack", now_ + "/bell"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, StartsWith(kOutcome));
  ExpectHeadline(result.out);
  const Json json = Json::parse(
      Reprise({"diff", replay_, "--pack", now_ + "/bell", "--format", "json"})
          .out);
  EXPECT_EQ(json["expected_outcome"]["status"], "won");
  EXPECT_EQ(json["actual_outcome"]["status"], "running");
}

// Two recordings say themselves how they end.
TEST_F(OutcomeChangeTest, DiffOfTwoRecordingsLeadsWithIt) {
  const std::string other = folder_ + "/late.mcap";
  ASSERT_EQ(Reprise({"run", now_ + "/bell", "--ticks", "60", "--record", other})
                .exit_code,
            0);
  EXPECT_THAT(Reprise({"diff", replay_, other}).out, StartsWith(kOutcome));
}

TEST_F(OutcomeChangeTest, AcceptOfAFolderSaysItOfEachGolden) {
  const std::string goldens = folder_ + "/goldens";
  fs::create_directories(goldens + "/more");
  const std::vector<std::string> paths = {goldens + "/first.mcap",
                                          goldens + "/more/second.mcap"};
  for (const std::string& path : paths) {
    ASSERT_EQ(Reprise({"accept", path, "--inputs", replay_, "--pack",
                       folder_ + "/then/bell", "--reason", "the first"})
                  .exit_code,
              0);
  }
  WriteFileBytes(goldens + "/README.md", "no golden");

  const CommandResult shown =
      Reprise({"accept", goldens, "--pack", now_ + "/bell"});
  EXPECT_EQ(shown.exit_code, 2);
  const CommandResult accepted = Reprise(
      {"accept", goldens, "--pack", now_ + "/bell", "--reason", "later"});

  EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  for (const std::string& path : paths) {
    EXPECT_THAT(shown.err, HasSubstr(path + ": stays as it is"));
    EXPECT_THAT(accepted.out,
                AllOf(HasSubstr(path + ": changes (golden | now)\n  " +
                                kOutcome + "  " + kChange),
                      HasSubstr(path + ": accepted\n")));
    EXPECT_THAT(Reprise({"info", path}).out, HasSubstr("running"));
  }
  EXPECT_THAT(accepted.out, Not(HasSubstr("README")));
}

}  // namespace
}  // namespace reprise::tests

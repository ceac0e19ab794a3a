// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nothing recorded is lost: recordings that were cut off, killed or
// finished are continued, followed and recovered, and never written over.

#include <signal.h>

#include <algorithm>
#include <cstdio>
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

using Json = nlohmann::json;

using RecordingTest = MarbleReplayTest;

TEST_F(RecordingTest, RecordingThatWasCutOffIsContinuedToTheSameFile) {
  const std::string path = TemporaryPath("continued.mcap");
  const std::string whole = ReadFileBytes(replay());
  WriteFileBytes(path, whole.substr(0, whole.size() * 3 / 4));
  const CommandResult run =
      Reprise({"run", "--continue", path, "--inputs", replay(), "--fsync"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(ReadFileBytes(path), whole);
}

TEST_F(RecordingTest, FinishedRecordingIsContinuedToTheSameFile) {
  const std::string path = TemporaryPath("finished.mcap");
  const CommandResult start =
      Reprise({"run", "--inputs", replay(), "--ticks", "100",
               "--keyframe-stride", "60", "--record", path});
  ASSERT_EQ(start.exit_code, 0) << start.err;
  const CommandResult run =
      Reprise({"run", "--continue", path, "--inputs", replay()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(ValueOf(run.out, "from"), "tick 100");
  EXPECT_EQ(ReadFileBytes(path), ReadFileBytes(replay()));
}

TEST_F(RecordingTest, RecordingIsNeverShortened) {
  const std::string path = TemporaryPath("kept.mcap");
  const std::string short_track = TemporaryPath("short.txtpb");
  WriteFileBytes(short_track, "tick_count: 60");
  const std::string whole = ReadFileBytes(replay());
  // Finished, and cut off behind its last tick.
  for (const std::string& bytes : {whole, whole.substr(0, whole.size() - 1)}) {
    WriteFileBytes(path, bytes);
    for (const char* const ticks : {"0", "239", "240"}) {
      const CommandResult run =
          Reprise({"run", "--continue", path, "--ticks", ticks});
      EXPECT_EQ(run.exit_code, 2) << ticks;
      EXPECT_THAT(run.err, HasSubstr(std::string("--ticks ") + ticks + ": " +
                                     path + " has 240 ticks already"));
    }
    EXPECT_THAT(
        Reprise({"run", "--continue", path, "--inputs", short_track}).err,
        HasSubstr(short_track + " ends at tick 60: " + path +
                  " has 240 ticks already"));
    EXPECT_EQ(ReadFileBytes(path), bytes);
  }
  const CommandResult run =
      Reprise({"run", "--continue", path, "--expect", "tick >= 240"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Reprise({"verify", path}).exit_code, 0);
  const CommandResult branch =
      Reprise({"run", "--from", replay(), "--at", "100", "--ticks", "99"});
  EXPECT_EQ(branch.exit_code, 2);
  EXPECT_THAT(branch.err, HasSubstr("the branch starts at tick 100"));
}

TEST_F(RecordingTest, ReplacedRecordingIsTold) {
  const std::string path = TemporaryPath("replaced.mcap");
  std::remove(path.c_str());
  const std::vector<std::string> run = {"run", "marble",   "--ticks",
                                        "5",   "--record", path};
  EXPECT_THAT(Reprise(run).err, Not(HasSubstr("replaced")));
  EXPECT_THAT(Reprise(run).err,
              HasSubstr("replaced the " + path + " that was there"));
  EXPECT_THAT(Reprise({"run", "--continue", path, "--ticks", "9"}).err,
              Not(HasSubstr("replaced")));
}

TEST_F(RecordingTest, RecordingStaysAsItIsWhereTheRunIsRefused) {
  const std::string path = TemporaryPath("refused.mcap");
  const std::string whole = ReadFileBytes(replay());
  WriteFileBytes(path, whole);
  EXPECT_EQ(Reprise({"run", "--continue", path, "--expect", "outcom == won"})
                .exit_code,
            2);
  EXPECT_EQ(Reprise({"run", "--continue", path, "--change-input", "0:0:x=1"})
                .exit_code,
            2);
  EXPECT_EQ(ReadFileBytes(path), whole);
}

// Commands for a shell about a recording without an end.
class KilledRecordingTest : public RecordingTest {
 protected:
  KilledRecordingTest()
      : path_(TemporaryPath("killed.mcap")), partial_(path_ + ".partial") {
    for (const std::string& file :
         {path_, partial_, TemporaryPath("killed.recovered.mcap")}) {
      std::remove(file.c_str());
    }
  }

  // Starts it, and goes on as soon as its file has a few keyframes.
  std::string Begin() const {
    return std::string(kReprise) +
           " run marble --random-inputs 5 --ticks 100000000 "
           "--keyframe-stride 60 --record " +
           path_ + " >/dev/null 2>&1 & recorder=$!; until [ \"$(stat -c %s " +
           partial_ + " 2>/dev/null || echo 0)\" -gt 60000 ]; do :; done; ";
  }

  // Leaves what a killed recorder does.
  void Kill() const {
    const CommandResult killed = RunCommand(
        {"sh", "-c", Begin() + "kill -KILL $recorder; wait $recorder"});
    ASSERT_EQ(killed.exit_code, 128 + SIGKILL);
  }

  int TickCountOf(const std::string& path) const {
    return Json::parse(Reprise({"info", path, "--format", "json"}).out)
        .at("tick_count");
  }

  const std::string path_;
  const std::string partial_;
};

TEST_F(KilledRecordingTest, NeverLooksFinished) {
  WriteFileBytes(path_, ReadFileBytes(replay()));
  Kill();
  EXPECT_EQ(ReadFileBytes(path_), ReadFileBytes(replay()));
  std::remove(path_.c_str());
  const CommandResult verified = Reprise({"verify", path_});
  EXPECT_EQ(verified.exit_code, 3);
  EXPECT_THAT(verified.err, HasSubstr("what isn't finished is in " + partial_));
}

TEST_F(KilledRecordingTest, CanBeVerifiedAndContinued) {
  Kill();
  const CommandResult verified =
      Reprise({"verify", partial_, "--allow-partial"});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  const int ticks = TickCountOf(partial_);
  EXPECT_GT(ticks, 0);
  const CommandResult continued =
      Reprise({"run", "--continue", path_, "--random-inputs", "5", "--ticks",
               std::to_string(ticks + 100)});
  ASSERT_EQ(continued.exit_code, 0) << continued.err;
  EXPECT_EQ(ValueOf(continued.out, "recorded"), path_);
  EXPECT_THAT(Reprise({"verify", path_}).out,
              HasSubstr("verified " + std::to_string(ticks + 100) + " of "));
  EXPECT_EQ(Reprise({"info", partial_}).exit_code, 3);
}

TEST_F(KilledRecordingTest, CanBeRecoveredByEitherName) {
  Kill();
  const CommandResult result = Reprise({"recover", path_});
  const std::string recovered = TemporaryPath("killed.recovered.mcap");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" ticks in " + recovered));
  EXPECT_EQ(TickCountOf(recovered), TickCountOf(partial_));
  EXPECT_EQ(Reprise({"recover", partial_}).exit_code, 2);
}

TEST_F(KilledRecordingTest, IsNotOverwrittenByWhatIsMadeOfIt) {
  Kill();
  const std::string recording = ReadFileBytes(partial_);
  for (const std::string& name : {path_, partial_}) {
    const CommandResult result = Reprise({"recover", name, "--output", path_});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("would overwrite " + partial_));
  }
  const std::string text = TemporaryPath("killed.txtpb");
  WriteFileBytes(text, Reprise({"cat", partial_}).out);
  const CommandResult assembled =
      Reprise({"assemble", text, "--pack", partial_, "--output", path_});
  EXPECT_EQ(assembled.exit_code, 2);
  EXPECT_THAT(assembled.err, HasSubstr("would overwrite " + partial_));
  EXPECT_EQ(ReadFileBytes(partial_), recording);
}

TEST_F(KilledRecordingTest, IsNotSavedUnderTheNameOfAFolder) {
  Kill();
  const std::string folder = TemporaryPath("");
  EXPECT_THAT(Reprise({"recover", partial_, "--output", folder}).err,
              HasSubstr("is a folder"));
  EXPECT_THAT(Reprise({"assemble", partial_, "--output", folder}).err,
              HasSubstr("is a folder"));
}

TEST_F(KilledRecordingTest, IsFollowedRatherThanTheReplayThatItReplaces) {
  WriteFileBytes(path_, ReadFileBytes(replay()));
  const std::string followed = TemporaryPath("replacing.txtpb");
  std::remove(followed.c_str());
  const CommandResult result =
      RunCommand({"sh", "-c",
                  Begin() + kReprise + " cat --follow " + path_ + " >" +
                      followed + " & follower=$!; until [ -s " + followed +
                      " ]; do :; done; kill -KILL $recorder; wait $follower"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr(partial_ + ": nobody writes to it"));
}

TEST_F(KilledRecordingTest, FollowerSaysThatItsRecorderIsGone) {
  const std::string followed = TemporaryPath("followed.txtpb");
  const CommandResult result =
      RunCommand({"sh", "-c",
                  Begin() + kReprise + " cat --follow " + path_ + " >" +
                      followed + " & follower=$!; until [ -s " + followed +
                      " ]; do :; done; kill -KILL $recorder; wait $follower"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr(partial_ + ": nobody writes to it any more, and it "
                                   "isn't finished: "));
  std::vector<std::string> text = Lines(ReadFileBytes(followed));
  std::vector<std::string> whole = Lines(Reprise({"cat", partial_}).out);
  std::sort(text.begin(), text.end());
  std::sort(whole.begin(), whole.end());
  EXPECT_EQ(text, whole);
}

TEST_F(KilledRecordingTest, HasOneRecorderAtATime) {
  const CommandResult result = RunCommand(
      {"sh", "-c",
       Begin() + kReprise + " run marble --ticks 9 --record " + path_ +
           "; echo $?; " + kReprise + " run --continue " + path_ +
           "; echo $?; kill -KILL $recorder; wait $recorder"});
  EXPECT_EQ(result.out, "5\n5\n");
  EXPECT_THAT(result.err,
              HasSubstr(partial_ + ": somebody else is writing to this file"));
  EXPECT_EQ(Reprise({"verify", partial_, "--allow-partial"}).exit_code, 0);
}

TEST_F(KilledRecordingTest, BrokenOffRunSaysWhereItsRecordingIs) {
  const std::string track = TemporaryPath("refused.txtpb");
  WriteFileBytes(track,
                 "tick_count: 50 ticks { tick: 9 frames { player: 3 } }");
  const CommandResult result =
      Reprise({"run", "marble", "--inputs", track, "--record", path_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("what was recorded until then is in " + partial_));
  EXPECT_EQ(Reprise({"info", path_}).exit_code, 3);
}

TEST_F(KilledRecordingTest, IsNotWrittenOver) {
  Kill();
  const std::string left = ReadFileBytes(partial_);
  const CommandResult result =
      Reprise({"run", "marble", "--ticks", "10", "--record", path_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr(partial_ + " is there"));
  EXPECT_EQ(Reprise({"run", "--from", replay(), "--record", path_}).exit_code,
            2);
  EXPECT_EQ(ReadFileBytes(partial_), left);
}

TEST_F(KilledRecordingTest, FinishedOneIsNotContinuedOverAnotherOne) {
  Kill();
  WriteFileBytes(path_, ReadFileBytes(replay()));
  EXPECT_EQ(Reprise({"run", "--continue", path_}).exit_code, 2);
  EXPECT_EQ(ReadFileBytes(path_), ReadFileBytes(replay()));
  EXPECT_EQ(Reprise({"run", "marble", "--inputs", partial_, "--record", path_})
                .exit_code,
            2);
}

TEST_F(RecordingTest, DigestsAreOfEveryTenTicksAndKeyframesOfEverySixHundred) {
  const std::string path = TemporaryPath("defaults.mcap");
  const CommandResult run =
      Reprise({"run", "marble", "--ticks", "1250", "--record", path});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json info =
      Json::parse(Reprise({"info", path, "--format", "json"}).out);
  EXPECT_EQ(info["digest_stride"], 10);
  EXPECT_EQ(info["digest_count"], 126);
  EXPECT_EQ(info["keyframe_stride"], 600);
  EXPECT_EQ(info["keyframe_count"], 3);
}

TEST_F(RecordingTest, RecoverSavesWhatIsLeftAndSaysWhatIsLost) {
  const std::string path = TemporaryPath("damaged.mcap");
  std::string bytes = ReadFileBytes(replay());
  bytes[bytes.size() * 3 / 5] ^= 1;
  WriteFileBytes(path, bytes);
  const std::string output = TemporaryPath("damaged.recovered.mcap");
  std::remove(output.c_str());
  const CommandResult result = Reprise({"recover", path});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("lost: chunk "), HasSubstr("offset "),
                                HasSubstr(" of 240 ticks in " + output)));
  EXPECT_EQ(Reprise({"verify", output}).exit_code, 0);
  // Nothing is overwritten.
  EXPECT_EQ(Reprise({"recover", path}).exit_code, 2);
}

TEST_F(RecordingTest, RecoverLeavesNoFileWhereNothingIsLeft) {
  const std::string path = TemporaryPath("nothing.mcap");
  // The pack is whole; the first chunk isn't.
  WriteFileBytes(path, ReadFileBytes(replay()).substr(0, 10000));
  const CommandResult result = Reprise({"recover", path});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("not one tick is left, and nothing was saved"));
  EXPECT_EQ(
      Reprise({"info", TemporaryPath("nothing.recovered.mcap")}).exit_code, 3);
}

// The largest search that a pack may ask for, over ticks, with a keyframe each.
TEST_F(RecordingTest, LargestSearchesAreRecorded) {
  const std::string pack = TemporaryPath("far");
  RunCommand({"mkdir", "-p", pack});
  WriteFileBytes(pack + "/pack.txtpb", R"(
name: "far"
navigation {
  grids { name: "field" columns: 1024 row_count: 1024 neighbours: NEIGHBOURS_EIGHT }
  expansions_per_search: 524288
  expansions_per_tick: 130000
}
types { name: "walker" navigator { space: "field" speed: 1 policy: POLICY_DIJKSTRA } }
objects {
  name: "anna" type: "walker" position { x: 512 z: 512 }
  set { property: "navigator.goal" to: "0.5 0 0.5" } set { property: "navigator.is_active" to: "1" }
}
)");
  const std::string path = TemporaryPath("far.mcap");
  const CommandResult run =
      Reprise({"run", pack, "--ticks", "7", "--keyframe-stride", "1",
               "--record", path});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Reprise({"verify", path}).exit_code, 0);
  EXPECT_THAT(
      Reprise({"query", path, "event('path_failed') > 0", "--first"}).out,
      HasSubstr("tick "));
}

// The recording would get the number of standard output, and what is printed
// would be written into it.
TEST_F(RecordingTest, NothingIsPrintedIntoARecording) {
  const std::string path = TemporaryPath("closed.mcap");
  std::remove(path.c_str());
  const CommandResult run =
      RunCommand({"sh", "-c",
                  std::string(kReprise) +
                      " run pong --bots --ticks 8000 --events --record " +
                      path + " <&- >&-"});
  EXPECT_EQ(run.exit_code, 5) << run.err;
  EXPECT_THAT(run.err, HasSubstr("standard output can't be written"));
  const CommandResult verified = Reprise({"verify", path});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("verified 8000 of 8000 ticks"));
}

TEST_F(RecordingTest, CatFollowsARecordingToItsEnd) {
  const std::string path = TemporaryPath("followed.mcap");
  std::remove(path.c_str());
  const CommandResult result = RunCommand(
      {"sh", "-c",
       std::string(kReprise) +
           " run marble --random-inputs 5 --ticks 3000 --keyframe-stride 60 "
           "--record " +
           path + " >/dev/null 2>&1 & until [ -e " + path +
           ".partial ] || [ -e " + path + " ]; do :; done; " + kReprise +
           " cat --follow " + path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::vector<std::string> followed = Lines(result.out);
  std::vector<std::string> whole = Lines(Reprise({"cat", path}).out);
  // Followed, the number of ticks is known last.
  std::sort(followed.begin(), followed.end());
  std::sort(whole.begin(), whole.end());
  EXPECT_EQ(followed, whole);
}

}  // namespace
}  // namespace reprise::tests

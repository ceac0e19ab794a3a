// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what people get of `reprise fuzz`, `minimize` and `bisect`: failures
// with replays that verify, a corpus that goes on, is whole after a kill and
// names what it skips, known failures, a report for CI, short runs, and the
// change of data or the commit that made one fail.

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;
using testing::Not;

using Json = nlohmann::json;

constexpr char kLock[] = "tests/fuzzing/packs/lock";

CommandResult Reprise(std::vector<std::string> words) {
  words.insert(words.begin(), "tools/reprise/reprise");
  return RunCommand(words);
}

// An empty folder, or none.
std::string Folder(const std::string& name) {
  std::string path = TemporaryPath(name);
  fs::remove_all(path);
  return path;
}

CommandResult Fuzz(const std::string& corpus, std::vector<std::string> more) {
  std::vector<std::string> words = {"fuzz", kLock, "--corpus", corpus};
  words.insert(words.end(), more.begin(), more.end());
  return Reprise(words);
}

std::vector<std::string> FilesOf(const std::string& folder,
                                 const std::string& ending) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (path.ends_with(ending)) files.push_back(path);
  }
  return files;
}

// A replay that opens the lock, and the corpus that it lies in.
const std::string& OpeningReplay() {
  static const std::string path = [] {
    const std::string corpus = Folder("opening");
    const CommandResult fuzz = Fuzz(corpus, {"--ticks", "400K", "--seed", "1"});
    EXPECT_EQ(fuzz.exit_code, 1) << fuzz.out << fuzz.err;
    const auto replays = FilesOf(corpus + "/failures", ".mcap");
    EXPECT_EQ(replays.size(), 1);
    return replays.empty() ? std::string() : replays.front();
  }();
  return path;
}

TEST(FuzzCommandTest, FailureIsAReplayThatVerifies) {
  const CommandResult verify = Reprise({"verify", OpeningReplay()});
  EXPECT_EQ(verify.exit_code, 0) << verify.err;
  const CommandResult check = Reprise({"minimize", "--check", OpeningReplay()});
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_THAT(check.out, HasSubstr("unreachable opened, at tick"));
}

// On a plug-in with a planted mistake.
CommandResult FuzzPlugin(const std::string& library, const std::string& corpus,
                         std::vector<std::string> more) {
  std::vector<std::string> words = {
      "--plugin", "tests/command/lib" + library + ".so",
      "fuzz",     "docs/examples/plugin/orchard",
      "--corpus", corpus};
  words.insert(words.end(), more.begin(), more.end());
  return Reprise(words);
}

TEST(FuzzCommandTest, CrashIsAFindingAndTheSearchGoesOn) {
  const std::string corpus = Folder("crash");
  const std::vector<std::string> flags = {"--ticks", "30K",      "--jobs",
                                          "2",       "--format", "json"};
  const CommandResult fuzz = FuzzPlugin("crashes_at_edge", corpus, flags);

  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.err;
  const Json json = Json::parse(fuzz.out);
  ASSERT_EQ(json["failures"].size(), 1) << fuzz.out;
  EXPECT_EQ(json["failures"][0]["signature"], "crash SIGSEGV");
  EXPECT_GT(json["states"], 1);

  // The inputs do it again, outside of any search.
  const std::string track = json["failures"][0]["replay"];
  const CommandResult run =
      Reprise({"--plugin", "tests/command/libcrashes_at_edge.so", "run",
               "docs/examples/plugin/orchard", "--inputs", track});
  EXPECT_EQ(run.exit_code, 4) << run.err;
  const CommandResult right =
      Reprise({"--plugin", "tests/command/libcatch.so", "run",
               "docs/examples/plugin/orchard", "--inputs", track});
  EXPECT_EQ(right.exit_code, 0) << right.err;

  std::ofstream(corpus + "/known.txt") << "crash SIGSEGV  # of the edge\n";
  const CommandResult again = FuzzPlugin("crashes_at_edge", corpus, flags);
  EXPECT_EQ(again.exit_code, 0) << again.out << again.err;
}

TEST(FuzzCommandTest, CrashIsMinimizedToTheOneInputThatItTakes) {
  const std::string track = TemporaryPath("edge.txtpb");
  std::ofstream(track) << R"(
pack: "orchard"
tick_count: 120
ticks { tick: 3 frames { device { axes: [-900] } } }
ticks { tick: 9 frames { device { axes: [32000] } } }
ticks { tick: 30 frames { device { axes: [31000] } } }
ticks { tick: 90 frames { device { axes: [5] } } }
)";
  const std::string small = TemporaryPath("small.txtpb");
  const std::vector<std::string> words = {
      "--plugin", "tests/command/libcrashes_at_edge.so", "minimize", track,
      "--pack",   "docs/examples/plugin/orchard"};
  std::vector<std::string> shorten = words;
  shorten.insert(shorten.end(), {"--output", small, "--format", "json"});
  const CommandResult minimize = Reprise(shorten);
  EXPECT_EQ(minimize.exit_code, 0) << minimize.err;
  const Json json = Json::parse(minimize.out);
  EXPECT_EQ(json["signature"], "crash SIGSEGV");
  // Held from the first tick on, a sixth a tick leads beyond 6.1 after 37
  // ticks, and the one after that finds it there.
  EXPECT_THAT(json["inputs"], testing::SizeIs(1)) << minimize.out;
  EXPECT_EQ(json["tick_count"], 38) << minimize.out;

  std::vector<std::string> check = words;
  check[3] = small;
  check.push_back("--check");
  const CommandResult again = Reprise(check);
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_THAT(again.out, HasSubstr("crash SIGSEGV, at tick 38"));

  std::vector<std::string> replay = words;
  replay.insert(replay.end(), {"--output", "small.mcap"});
  EXPECT_EQ(Reprise(replay).exit_code, 2);
}

TEST(FuzzCommandTest, CrashIsFoundWithoutACorpus) {
  const CommandResult fuzz =
      Reprise({"--plugin", "tests/command/libcrashes_at_edge.so", "fuzz",
               "docs/examples/plugin/orchard", "--ticks", "30K"});

  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.err;
  EXPECT_THAT(fuzz.out, HasSubstr("failure: crash SIGSEGV, at tick "));
}

TEST(FuzzCommandTest, RunThatCrashesLeavesTheCorpus) {
  const std::string corpus = Folder("crashing_run");
  fs::create_directories(corpus + "/runs");
  std::ofstream(corpus + "/runs/edge.txtpb")
      << "pack: \"orchard\"\ntick_count: 80\n";
  const CommandResult fuzz =
      FuzzPlugin("crashes", corpus, {"--ticks", "0", "--seed", "1"});

  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.err;
  EXPECT_THAT(fuzz.out,
              HasSubstr("crash SIGABRT, at tick 51: the tick ends the process "
                        "by SIGABRT; "));
  EXPECT_TRUE(FilesOf(corpus + "/runs", ".txtpb").empty());
  EXPECT_EQ(FilesOf(corpus + "/failures", ".txtpb").size(), 1);
}

TEST(FuzzCommandTest, GameThatAlwaysCrashesIsGivenUp) {
  const CommandResult fuzz =
      FuzzPlugin("crashes", Folder("always"), {"--ticks", "1M"});

  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.err;
  EXPECT_THAT(fuzz.err, HasSubstr("ended the search 100 times"));
}

TEST(FuzzCommandTest, HangIsAFinding) {
  const CommandResult fuzz =
      FuzzPlugin("hangs", Folder("hang"),
                 {"--ticks", "60", "--hang-timeout-seconds", "1"});

  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.err;
  EXPECT_THAT(fuzz.out, HasSubstr("failure: hang, at tick 51: the tick doesn't "
                                  "end within 1 s"));
}

TEST(FuzzCommandTest, PackCheckReadsTheExpressions) {
  const std::string pack = Folder("misspelt");
  fs::create_directories(pack);
  std::ofstream(pack + "/pack.txtpb") << R"(name: "misspelt"
players {}
components { name: "dial" properties { name: "at" type: TYPE_INTEGER } }
types { name: "door" components { component: "dial" } }
objects { name: "door" type: "door" }
fuzzing {
  always { name: "shut" that: "door.dial.it == 0" }
  maximize { name: "open" that: "door.dial.at > 0" }
  set { name: "dial" of: "door.dial.at +" }
}
)";
  const CommandResult check = Reprise({"pack", "check", pack});
  EXPECT_EQ(check.exit_code, 2) << check.err;
  EXPECT_THAT(check.out,
              HasSubstr("pack.txtpb:7:25: fuzzing.always[0].that: "));
  EXPECT_THAT(check.out, HasSubstr("pack.txtpb:8:27: fuzzing.maximize[0].that: "
                                   "it is no number"));
  EXPECT_THAT(check.out, HasSubstr("pack.txtpb:9:22: fuzzing.set[0].of: "));
}

TEST(FuzzCommandTest, MistakeOfAScriptIsAFailureUnlessThePackExpectsIt) {
  const std::string pack = Folder("crumbling");
  fs::create_directories(pack);
  const std::string text = R"(name: "crumbling"
players { actions { name: "push" button: 0 } }
components { name: "wall" properties { name: "age" type: TYPE_INTEGER } }
types {
  name: "wall"
  components { component: "wall" }
  behaviours { file: "wall.lua" }
}
objects { name: "wall" type: "wall" }
)";
  WriteFileBytes(pack + "/pack.txtpb", text);
  WriteFileBytes(pack + "/wall.lua", R"(return {
  update = function()
    local nothing = nil
    return nothing.at
  end,
}
)");
  const CommandResult fuzz = Reprise({"fuzz", pack, "--ticks", "100"});
  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.err;
  EXPECT_THAT(fuzz.out, HasSubstr("failure: script_failed wall.lua:4, at tick "
                                  "1: wall: wall.lua:4: attempt to index"));
  WriteFileBytes(pack + "/pack.txtpb",
                 text +
                     "fuzzing { reachable: \"script_failed\" reachable: "
                     "\"object_failed\" }\n");
  EXPECT_EQ(Reprise({"fuzz", pack, "--ticks", "100"}).exit_code, 0);
}

TEST(FuzzCommandTest, LimitsNeedAProcess) {
  const CommandResult fuzz = Reprise(
      {"fuzz", kLock, "--isolation", "none", "--memory-max-mib", "100"});
  EXPECT_EQ(fuzz.exit_code, 2);
  EXPECT_THAT(fuzz.err, HasSubstr("need --isolation process"));
}

TEST(FuzzCommandTest, MinimizedRunFailsInTheSameWayAndVerifies) {
  const std::string small = TemporaryPath("small.mcap");
  const CommandResult minimize = Reprise(
      {"minimize", OpeningReplay(), "--output", small, "--format", "json"});
  ASSERT_EQ(minimize.exit_code, 0) << minimize.err;
  const Json document = Json::parse(minimize.out);
  EXPECT_EQ(document["signature"], "unreachable opened");
  EXPECT_TRUE(document["is_done"]);
  EXPECT_LE(document["inputs"].size(), 18);
  EXPECT_GT(document["ticks_run"], 0);
  EXPECT_EQ(Reprise({"verify", small}).exit_code, 0);
  const CommandResult again = Reprise({"minimize", small, "--format", "json"});
  EXPECT_EQ(Json::parse(again.out)["inputs"], document["inputs"]);
  const CommandResult by_two =
      Reprise({"minimize", OpeningReplay(), "--jobs", "2", "--format", "json"});
  EXPECT_EQ(Json::parse(by_two.out)["inputs"], document["inputs"]);
  EXPECT_EQ(Json::parse(by_two.out)["ticks_run"], document["ticks_run"]);
}

TEST(FuzzCommandTest, MinimizedRunIsWrittenAsItsNameSaysAndNowhereElse) {
  const std::string track = TemporaryPath("small_text.txtpb");
  const CommandResult text = Reprise(
      {"minimize", OpeningReplay(), "--ticks", "10K", "--output", track});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(ReadFileBytes(track), HasSubstr("tick_count: "));
  const CommandResult check =
      Reprise({"minimize", track, "--check", "--pack", kLock});
  EXPECT_EQ(check.exit_code, 1) << check.err;
  EXPECT_THAT(check.out, HasSubstr("unreachable opened"));

  const std::string folder = Folder("small_folder");
  fs::create_directories(folder);
  const CommandResult refused =
      Reprise({"minimize", OpeningReplay(), "--output", folder});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--output names a file; "));
  EXPECT_TRUE(fs::is_directory(folder));

  // What isn't a file stays what it is.
  const std::string device = TemporaryPath("device");
  fs::remove(device);
  fs::create_symlink("/dev/null", device);
  const CommandResult nowhere = Reprise(
      {"minimize", OpeningReplay(), "--ticks", "10K", "--output", device});
  EXPECT_EQ(nowhere.exit_code, 0) << nowhere.err;
  EXPECT_TRUE(fs::is_symlink(device));
  EXPECT_TRUE(fs::is_character_file(device));

  EXPECT_EQ(Reprise({"minimize", OpeningReplay(), "--ticks", "ten"}).exit_code,
            2);
}

TEST(FuzzCommandTest, SearchGoesOnWhereItStopped) {
  const std::string corpus = Folder("goes_on");
  Fuzz(corpus, {"--ticks", "20K"});
  const CommandResult second =
      Fuzz(corpus, {"--ticks", "20K", "--format", "json"});
  const Json document = Json::parse(second.out);
  EXPECT_GT(document["runs_loaded"], 0);
  EXPECT_GE(document["ticks_in_all"], 40'000);
  EXPECT_EQ(document["files_skipped"], 0);
}

TEST(FuzzCommandTest, SameCommandFindsTheSame) {
  const CommandResult one = Reprise(
      {"fuzz", kLock, "--ticks", "50K", "--jobs", "2", "--format", "json"});
  const CommandResult same = Reprise(
      {"fuzz", kLock, "--ticks", "50K", "--jobs", "2", "--format", "json"});
  EXPECT_EQ(one.out, same.out);
}

TEST(FuzzCommandTest, ForeignAndDamagedFilesAreNamedAndSkipped) {
  const std::string corpus = Folder("foreign");
  Fuzz(corpus, {"--ticks", "10K"});
  WriteFileBytes(corpus + "/runs/notes.md", "hello");
  WriteFileBytes(corpus + "/runs/damaged.mcap", "\x89MCAP0 no");
  WriteFileBytes(corpus + "/runs/other.txtpb",
                 "pack: \"marble\" tick_count: 5");
  // What a killed process left.
  WriteFileBytes(corpus + "/runs/half.txtpb.partial", "pack: \"lo");
  const CommandResult fuzz = Fuzz(corpus, {"--ticks", "5K"});
  EXPECT_THAT(fuzz.err, HasSubstr("notes.md: skipped: no input track"));
  EXPECT_THAT(fuzz.err, HasSubstr("damaged.mcap: skipped: "));
  EXPECT_THAT(fuzz.err, HasSubstr("other.txtpb: skipped: of the pack marble"));
  EXPECT_THAT(fuzz.err, Not(HasSubstr("half.txtpb")));
}

TEST(FuzzCommandTest, KnownFailuresAreNoNews) {
  const std::string corpus = Folder("known");
  fs::create_directories(corpus);
  WriteFileBytes(corpus + "/known.txt",
                 "# of the first release\nunreachable opened  # by design\n");
  const std::string junit = TemporaryPath("fuzz.xml");
  const CommandResult fuzz =
      Fuzz(corpus, {"--ticks", "400K", "--seed", "1", "--junit", junit});
  EXPECT_EQ(fuzz.exit_code, 0) << fuzz.err;
  EXPECT_THAT(fuzz.out, HasSubstr("known failure: unreachable opened"));
  EXPECT_THAT(ReadFileBytes(junit),
              HasSubstr("<skipped message=\"by design\"/>"));
  EXPECT_THAT(ReadFileBytes(junit),
              HasSubstr("failures=\"0\" errors=\"0\" skipped=\"1\""));
  WriteFileBytes(corpus + "/known.txt", "unreachable opened\n");
  const CommandResult refused = Fuzz(corpus, {"--ticks", "1"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("known.txt:1: 'unreachable opened' has no "
                                     "reason"));
}

TEST(FuzzCommandTest, FailuresAreToldToCiAndWhatNeverCameToAll) {
  const std::string corpus = Folder("told");
  const std::string sarif = TemporaryPath("fuzz.sarif");
  const std::string markdown = TemporaryPath("fuzz.md");
  const CommandResult fuzz =
      Fuzz(corpus, {"--ticks", "400K", "--seed", "1", "--sarif", sarif,
                    "--markdown", markdown, "--github"});
  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.err;
  EXPECT_THAT(fuzz.out, HasSubstr("came      4 of 4 actions\n"));
  EXPECT_THAT(fuzz.out, HasSubstr("came      1 of 1 properties\n"));
  EXPECT_THAT(fuzz.out, Not(HasSubstr("event_dropped")));
  EXPECT_THAT(fuzz.out, HasSubstr("::error file=" + corpus + "/failures/"));
  EXPECT_THAT(ReadFileBytes(markdown),
              HasSubstr("## reprise fuzz: 1 of 2 cases held\n"));
  const Json log = Json::parse(ReadFileBytes(sarif));
  EXPECT_EQ(log["runs"][0]["results"][0]["ruleId"], "unreachable opened");
}

TEST(FuzzCommandTest, CoverageIsThatOfTheCorpusAndTheSearch) {
  const std::string corpus = Folder("coverage");
  Fuzz(corpus, {"--ticks", "20K", "--seed", "1"});
  const CommandResult alone =
      Fuzz(corpus, {"--ticks", "0", "--format", "json"});
  for (const Json& part : Json::parse(alone.out)["coverage"]) {
    if (part["of"] == "actions") {
      EXPECT_EQ(part["count"], 4);
      EXPECT_EQ(part["never"], Json::array());
    }
    if (part["of"] == "types") {
      EXPECT_EQ(part["never"], Json::array());
    }
  }
  EXPECT_GE(Json::parse(alone.out)["coverage"].size(), 4) << alone.out;
}

TEST(FuzzCommandTest, MergedCorpusHasLessAndLosesNothing) {
  const std::string corpus = Folder("merged");
  // Runs of two days overlap.
  Fuzz(corpus, {"--ticks", "30K", "--seed", "1"});
  Fuzz(corpus, {"--ticks", "30K", "--seed", "2"});
  fs::copy_file(OpeningReplay(), corpus + "/runs/mine.mcap");
  const std::string track = FilesOf(corpus + "/runs", ".txtpb").front();
  fs::copy_file(track, corpus + "/runs/same.txtpb");
  fs::copy_file(track, corpus + "/runs/same_again.txtpb");
  const auto values_of = [&corpus] {
    const CommandResult fuzz = Fuzz(corpus, {"--ticks", "0"});
    const size_t place = fuzz.out.find("set       dial: ");
    EXPECT_NE(place, std::string::npos) << fuzz.out << fuzz.err;
    return fuzz.out.substr(place, fuzz.out.find('\n', place) - place);
  };
  const std::string before = values_of();
  const size_t tracks_before = FilesOf(corpus + "/runs", ".txtpb").size();
  const CommandResult merge = Fuzz(corpus, {"--ticks", "0", "--merge"});
  EXPECT_EQ(merge.exit_code, 1) << merge.err;  // its failure is still there
  const size_t tracks_after = FilesOf(corpus + "/runs", ".txtpb").size();
  EXPECT_LT(tracks_after, tracks_before);
  EXPECT_GT(tracks_after, 0);
  EXPECT_EQ(FilesOf(corpus + "/runs", ".mcap").size(), 1);  // ours
  EXPECT_EQ(FilesOf(corpus + "/failures", ".mcap").size(), 1);
  EXPECT_EQ(values_of(), before);
  // In another order of tracks there may be less to keep, and never more.
  Fuzz(corpus, {"--ticks", "0", "--merge"});
  EXPECT_LE(FilesOf(corpus + "/runs", ".txtpb").size(), tracks_after);
  EXPECT_EQ(values_of(), before);
  const CommandResult nowhere =
      Reprise({"fuzz", kLock, "--ticks", "0", "--merge"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("--merge needs --corpus"));
}

TEST(FuzzCommandTest, SoftLockIsAFailureWithAReplay) {
  const std::string corpus = Folder("soft_lock");
  const std::vector<std::string> words = {
      "fuzz",         "tests/fuzzing/packs/well",
      "--corpus",     corpus,
      "--ticks",      "4K",
      "--goal",       "outcome == won",
      "--goal-ticks", "10K"};
  const CommandResult fuzz = Reprise(words);
  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.err;
  EXPECT_THAT(fuzz.out, HasSubstr("failure: soft lock, at tick "));
  EXPECT_THAT(fuzz.out, HasSubstr("goal      a way from "));
  const auto replays = FilesOf(corpus + "/failures", ".mcap");
  ASSERT_EQ(replays.size(), 1);
  EXPECT_EQ(Reprise({"verify", replays[0]}).exit_code, 0);

  const std::vector<std::string> goal = {"--goal", "outcome == won",
                                         "--goal-ticks", "10K"};
  const auto minimize = [&](std::vector<std::string> minimized) {
    minimized.insert(minimized.begin(), "minimize");
    minimized.insert(minimized.end(), goal.begin(), goal.end());
    return Reprise(minimized);
  };
  const std::string small = corpus + "/small.mcap";
  const CommandResult made = minimize({replays[0], "--output", small});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("tick 1, player 0: throw()"));
  const CommandResult checked = minimize({small, "--check"});
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(checked.out, HasSubstr("soft lock, at tick 2"));
  // Who has done nothing yet isn't locked out.
  const std::string open = corpus + "/open.mcap";
  EXPECT_EQ(Reprise({"run", "tests/fuzzing/packs/well", "--ticks", "1",
                     "--record", open})
                .exit_code,
            0);
  const CommandResult open_checked = minimize({open, "--check"});
  EXPECT_EQ(open_checked.exit_code, 0) << open_checked.err;
  EXPECT_EQ(open_checked.out, "doesn't fail\n");
  const CommandResult open_made = minimize({open});
  EXPECT_EQ(open_made.exit_code, 2);
  EXPECT_THAT(open_made.err, HasSubstr("the run ends where there is a way to"));

  std::ofstream(corpus + "/known.txt") << "soft lock  # who would do that\n";
  EXPECT_EQ(Reprise(words).exit_code, 0);

  std::vector<std::string> unreachable = words;
  unreachable[7] = "outcome == lost";
  const CommandResult never = Reprise(unreachable);
  EXPECT_EQ(never.exit_code, 0) << never.err;
  EXPECT_THAT(never.err, HasSubstr("soft locks weren't looked for: no way to "
                                   "'outcome == lost' was found"));
  unreachable[7] = "tick + 1";
  const CommandResult wrong = Reprise(unreachable);
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--goal 'tick + 1': it is no condition"));
}

// What reprise_fuzz_test runs; that it passes where all is known is the
// business of //tests/fuzzing:lock_fuzz_test.
TEST(FuzzTestRuleTest, FailureThatIsNotKnownFailsTheTest) {
  const std::string outputs = Folder("rule");
  const CommandResult fails =
      RunCommand({"env", "TEST_UNDECLARED_OUTPUTS_DIR=" + outputs,
                  "XML_OUTPUT_FILE=" + outputs + ".xml",
                  "tools/bazel/fuzz_test.sh", "tools/reprise/reprise", "100K",
                  "1", "0", std::string(kLock) + "/pack.txtpb"});
  EXPECT_EQ(fails.exit_code, 1) << fails.err;
  EXPECT_EQ(FilesOf(outputs + "/corpus/failures", ".mcap").size(), 1);
  EXPECT_THAT(ReadFileBytes(outputs + ".xml"),
              HasSubstr("name=\"unreachable opened\""));
  const CommandResult no_pack =
      RunCommand({"env", "TEST_UNDECLARED_OUTPUTS_DIR=" + outputs,
                  "tools/bazel/fuzz_test.sh", "tools/reprise/reprise", "100K",
                  "1", "0", "tests/fuzzing/known.txt"});
  EXPECT_EQ(no_pack.exit_code, 2);
  EXPECT_THAT(no_pack.err, HasSubstr("no pack.txtpb among the files"));
}

// The run that was found, and no search: it fails until the pack is mended.
TEST(FuzzTestRuleTest, RunThatFailedIsATestThatKeepsItFixed) {
  const std::string mended = Folder("mended_lock");
  fs::create_directories(mended);
  std::string text = ReadFileBytes(std::string(kLock) + "/pack.txtpb");
  const std::string last = "lock.dial.progress == 9\"";
  ASSERT_NE(text.find(last), std::string::npos);
  text.replace(text.find(last), last.size(), "lock.dial.progress == 99\"");
  WriteFileBytes(mended + "/pack.txtpb", text);
  const auto test = [](const std::string& pack) {
    const std::string outputs = Folder("fixed");
    return RunCommand({"env", "TEST_UNDECLARED_OUTPUTS_DIR=" + outputs,
                       "tools/bazel/fuzz_test.sh", "tools/reprise/reprise", "0",
                       "1", "1", OpeningReplay(), pack + "/pack.txtpb"});
  };
  const CommandResult fails = test(kLock);
  EXPECT_EQ(fails.exit_code, 1) << fails.err;
  EXPECT_THAT(fails.out, HasSubstr("failure: unreachable opened, at tick "));
  const CommandResult passes = test(mended);
  EXPECT_EQ(passes.exit_code, 0) << passes.out << passes.err;
}

TEST(FuzzCommandTest, CorpusOfAKilledSearchIsWhole) {
  const std::string corpus = Folder("killed");
  const CommandResult killed =
      RunCommand({"timeout", "--signal=KILL", "2", "tools/reprise/reprise",
                  "fuzz", kLock, "--corpus", corpus, "--ticks", "1G"});
  EXPECT_NE(killed.exit_code, 0);
  const CommandResult fuzz =
      Fuzz(corpus, {"--ticks", "5K", "--format", "json"});
  const Json document = Json::parse(fuzz.out);
  EXPECT_EQ(document["files_skipped"], 0) << fuzz.err;
  for (const std::string& replay : FilesOf(corpus + "/failures", ".mcap")) {
    EXPECT_EQ(Reprise({"verify", replay}).exit_code, 0);
  }
}

TEST(FuzzCommandTest, FailureAtTickZeroIsTold) {
  const CommandResult fuzz =
      Reprise({"fuzz", kLock, "--always", "lock.dial.progress > 0", "--ticks",
               "10K", "--corpus", Folder("tick_zero")});
  EXPECT_EQ(fuzz.exit_code, 1);
  EXPECT_THAT(fuzz.out, HasSubstr("failure: always lock.dial.progress > 0, at "
                                  "tick 0"));
}

TEST(FuzzCommandTest, WhatCannotBeIsRefused) {
  EXPECT_THAT(Reprise({"fuzz", kLock, "--ticks", "ten"}).err,
              HasSubstr("--ticks 'ten' is not a number of ticks"));
  EXPECT_THAT(Reprise({"fuzz", kLock, "--jobs", "0"}).err,
              HasSubstr("--jobs 0 is not in 1..256"));
  EXPECT_THAT(Reprise({"minimize", OpeningReplay(), "--jobs", "257"}).err,
              HasSubstr("--jobs 257 is not in 1..256"));
  const CommandResult wrong =
      Reprise({"fuzz", kLock, "--always", "lock.dial.progres > 0"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("column "));
  const std::string idle = TemporaryPath("idle.mcap");
  Reprise({"run", kLock, "--ticks", "20", "--record", idle});
  const CommandResult minimize = Reprise({"minimize", idle});
  EXPECT_EQ(minimize.exit_code, 2);
  EXPECT_THAT(minimize.err, HasSubstr("the run doesn't fail"));
}

TEST(BisectCommandTest, ChangesOfDataThatMakeItFailAreNamed) {
  // One change that the failure needs, and one that it doesn't.
  const std::string good = Folder("good_lock");
  fs::create_directories(good);
  std::string text = ReadFileBytes(std::string(kLock) + "/pack.txtpb");
  const auto replace = [&text](const std::string& from, const std::string& to) {
    const size_t place = text.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    text.replace(place, from.size(), to);
  };
  replace("if: \"lock.dial.progress == 9\"",
          "if: \"lock.dial.progress == 99\"");
  replace("name: \"lock\"\nplayers",
          "name: \"lock\"\ntitle: \"a lock\"\nplayers");
  WriteFileBytes(good + "/pack.txtpb", text);
  const CommandResult bisect = Reprise(
      {"bisect", OpeningReplay(), "--good-pack", good, "--bad-pack", kLock});
  EXPECT_EQ(bisect.exit_code, 0) << bisect.err;
  EXPECT_THAT(bisect.out, HasSubstr("cause     1 of "));
  EXPECT_THAT(bisect.out, HasSubstr("lock.dial.progress == 99"));
  EXPECT_THAT(bisect.out, Not(HasSubstr("title")));
  const CommandResult same = Reprise(
      {"bisect", OpeningReplay(), "--good-pack", kLock, "--bad-pack", kLock});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_THAT(same.err, HasSubstr("fails on the good pack, too"));
}

// A run that opens the lock, and the same with its fifth press left out, and
// with it that the button is let go in the tick behind: the lock takes both.
TEST(BisectCommandTest, InputThatTellsTwoRunsApartIsNamed) {
  const std::string bad = TemporaryPath("opens.txtpb");
  ASSERT_EQ(Reprise({"minimize", OpeningReplay(), "--output", bad}).exit_code,
            0);
  std::string text;
  std::string left_out;
  std::ifstream lines(bad);
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool is_press = line.starts_with("ticks {") &&
                          line.find("buttons: ") != std::string::npos;
    if (is_press && ++count == 5) {
      left_out = line.substr(0, line.find(" frames"));
      continue;
    }
    text += line + "\n";
  }
  ASSERT_FALSE(left_out.empty());
  const std::string good = TemporaryPath("stays_shut.txtpb");
  WriteFileBytes(good, text);
  const CommandResult bisect =
      Reprise({"bisect", bad, "--bad-pack", kLock, "--good-run", good});
  EXPECT_EQ(bisect.exit_code, 0) << bisect.err;
  EXPECT_THAT(bisect.out, HasSubstr("failure   unreachable opened\n"));
  EXPECT_THAT(bisect.out, HasSubstr("cause     2 of 2 inputs, together;"));
  EXPECT_THAT(bisect.out, HasSubstr("          + tick "));
  EXPECT_THAT(bisect.out, HasSubstr("differs   tick "));

  const CommandResult same =
      Reprise({"bisect", bad, "--bad-pack", kLock, "--good-run", bad});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_THAT(same.err, HasSubstr("the good run fails in the same way"));
  const CommandResult both =
      Reprise({"bisect", bad, "--good-run", good, "--good", "HEAD"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("one of --good, --good-pack and --good-run"));
}

TEST(BisectCommandTest, FirstBadCommitIsFoundAndResultsAreKept) {
  const std::string repository = Folder("repository");
  fs::create_directories(repository);
  // Five commits; the third breaks it, the fourth doesn't build.
  const std::string script =
      "cd " + repository +
      " && git init -q . && git config user.email a@b && git config user.name a"
      " && for i in 1 2 3 4 5 6; do echo $i > number; git add number; git "
      "commit -q -m \"change $i\"; done";
  ASSERT_EQ(RunCommand({"bash", "-c", script}).exit_code, 0);
  // The program that a commit builds: from the fourth change on it says that
  // the run fails.
  const std::string build =
      "test $(cat number) != 3 && { printf '#!/bin/sh\\nexit '; test $(cat "
      "number) -ge 4 && echo 1 || echo 0; } > program && chmod +x program";
  const std::string replay = TemporaryPath("any.mcap");
  WriteFileBytes(replay, "any");
  const std::string reprise = fs::absolute("tools/reprise/reprise").string();
  const auto bisect = [&] {
    return RunCommand({"bash", "-c",
                       "cd " + repository + " && " + reprise + " bisect " +
                           replay + " --good HEAD~5 --bad HEAD --build \"" +
                           "$0\" --program ./program",
                       build});
  };
  const CommandResult first = bisect();
  // The third can't be tested, so it may have been that one.
  EXPECT_EQ(first.exit_code, 125) << first.err;
  EXPECT_THAT(first.out, HasSubstr("one of 2"));
  EXPECT_THAT(first.err, HasSubstr("skipped: "));
  const CommandResult second = bisect();
  EXPECT_THAT(second.err, HasSubstr("0 commits built and tested"));
  EXPECT_EQ(second.out, first.out);
}

void Replace(const std::string& from, const std::string& to,
             std::string& text) {
  const size_t place = text.find(from);
  ASSERT_NE(place, std::string::npos) << from;
  text.replace(place, from.size(), to);
}

// So many commits, "change 1" and so on, of what `write` leaves in the folder.
void MakeRepository(const std::string& folder, int commit_count,
                    const std::function<void(int number)>& write) {
  const auto git = [&folder](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", folder});
    const CommandResult result = RunCommand(words);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  };
  git({"init", "-q"});
  for (int number = 1; number <= commit_count; ++number) {
    write(number);
    git({"add", "."});
    git({"-c", "user.email=a@b", "-c", "user.name=a", "commit", "-q", "-m",
         "change " + std::to_string(number)});
  }
}

// Of four commits the third makes the lock's last press right, and the others
// change what the run doesn't need.
TEST(BisectCommandTest, CommitsChangeOfDataIsNamedWithWhatItChanges) {
  const std::string repository = Folder("data_repository");
  fs::create_directories(repository + "/lock");
  MakeRepository(repository, 4, [&](int number) {
    std::string text = ReadFileBytes(std::string(kLock) + "/pack.txtpb");
    Replace("name: \"lock\"\nplayers",
            "name: \"lock\"\ntitle: \"lock " + std::to_string(number) +
                "\"\nplayers",
            text);
    if (number < 3) {
      Replace("if: \"lock.dial.progress == 9\"",
              "if: \"lock.dial.progress == 99\"", text);
    }
    WriteFileBytes(repository + "/lock/pack.txtpb", text);
  });
  const std::string reprise = fs::absolute("tools/reprise/reprise").string();
  const std::string replay = fs::absolute(OpeningReplay()).string();
  const auto bisect = [&] {
    return RunCommand({"bash", "-c",
                       "cd " + repository + " && " + reprise + " bisect " +
                           replay + " --good HEAD~3 --bad HEAD --program " +
                           reprise + " --bad-pack lock"});
  };
  const CommandResult first = bisect();
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("is the first bad commit"));
  EXPECT_THAT(first.out, HasSubstr("change 3"));
  EXPECT_THAT(first.out, HasSubstr("\ncause     1 of 2 changes\n"));
  EXPECT_THAT(first.out, HasSubstr("connections.west_last.if: "));
  EXPECT_THAT(first.out, HasSubstr("\ndiffers   tick "));
  EXPECT_FALSE(fs::exists(repository + "/.reprise-bisect/tree"));
  EXPECT_FALSE(fs::exists(repository + "/.reprise-bisect/good_tree"));
  // Asked again, it is known.
  const CommandResult second = bisect();
  EXPECT_EQ(second.out, first.out);
  EXPECT_THAT(second.err, HasSubstr("0 commits built and tested"));
}

TEST(BisectCommandTest, KilledSearchCanBeAskedAgain) {
  const std::string repository = Folder("killed_repository");
  fs::create_directories(repository);
  const std::string script =
      "cd " + repository +
      " && git init -q . && git config user.email a@b && git config user.name a"
      " && for i in 1 2 3; do echo $i > number; git add number; git commit -q "
      "-m \"change $i\"; done";
  ASSERT_EQ(RunCommand({"bash", "-c", script}).exit_code, 0);
  const std::string replay = TemporaryPath("any_run.mcap");
  WriteFileBytes(replay, "any");
  const std::string reprise = fs::absolute("tools/reprise/reprise").string();
  const auto bisect = [&](const std::string& build) {
    return RunCommand({"bash", "-c",
                       "cd " + repository + " && " + reprise + " bisect " +
                           replay + " --good HEAD~2 --bad HEAD --build \"" +
                           "$0\" --program ./program",
                       build});
  };
  EXPECT_NE(bisect("kill -9 $PPID").exit_code, 0);
  ASSERT_TRUE(fs::exists(repository + "/.reprise-bisect/tree"));
  const std::string build =
      "{ printf '#!/bin/sh\\nexit '; test $(cat number) -ge 3 && echo 1 || "
      "echo "
      "0; } > program && chmod +x program";
  const CommandResult again = bisect(build);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("is the first bad commit"));
  EXPECT_FALSE(fs::exists(repository + "/.reprise-bisect/tree"));
  // What isn't git's stays.
  fs::create_directories(repository + "/.reprise-bisect/tree/mine");
  const CommandResult refused = bisect(build);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("no work tree of git: take it away"));
  EXPECT_TRUE(fs::exists(repository + "/.reprise-bisect/tree/mine"));
}

}  // namespace
}  // namespace reprise::tests

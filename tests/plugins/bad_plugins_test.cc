// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a library that breaks the interface is named, and takes nothing
// with it: not the other checks of `conform`, not the other replays of
// `verify`, and not what was recorded until then.

#include <filesystem>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kReprise[] = "tools/reprise/reprise";
constexpr char kPack[] = "docs/examples/plugin/orchard";
constexpr char kGood[] = "tests/command/libcatch.so";

std::string Bad(const std::string& mistake) {
  return "tests/plugins/libbad_" + mistake + ".so";
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasSanitizer = true;
#else
constexpr bool kHasSanitizer = false;
#endif

CommandResult Record(const std::string& mistake, const std::string& path) {
  std::filesystem::remove(path);
  return RunCommand({kReprise, "--plugin", Bad(mistake), "run", kPack,
                     "--random-inputs", "1", "--ticks", "100", "--record",
                     path});
}

CommandResult Conform(const std::string& mistake) {
  return RunCommand({kReprise, "conform", Bad(mistake), kPack, "--ticks", "60",
                     "--hang-timeout-seconds", "2"});
}

struct BadPlugin {
  std::string mistake;
  std::string sentence;
  int ticks = 50;  // that it makes
};

std::string NameOf(const testing::TestParamInfo<BadPlugin>& instance) {
  return instance.param.mistake;
}

// Those that can be told before anything runs.
class RefusedPluginTest : public testing::TestWithParam<BadPlugin> {};

TEST_P(RefusedPluginTest, IsNamedByEachVerb) {
  const CommandResult run =
      Record(GetParam().mistake, TemporaryPath("refused.mcap"));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr(GetParam().sentence));

  const CommandResult conform = Conform(GetParam().mistake);
  EXPECT_EQ(conform.exit_code, 2);
  EXPECT_THAT(conform.err, HasSubstr(GetParam().sentence));
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedPluginTest,
    testing::Values(
        BadPlugin{"of_another_version",
                  "libbad_of_another_version.so: it is of version 1 of the "
                  "interface, and this program knows version 2"},
        BadPlugin{"lacks_step", "libbad_lacks_step.so: it lacks `step`"},
        BadPlugin{
            "is_small",
            "reprise_plugin has a struct_size of 16 bytes, not 64 to 4096"},
        BadPlugin{"is_huge",
                  "reprise_plugin has a struct_size of 1073741824 bytes, not "
                  "64 to 4096"},
        BadPlugin{"sizes_info",
                  "plug-in 'catch': info: reprise_info has a struct_size of 3 "
                  "bytes, not 88 to 4096"},
        BadPlugin{"lists_small_items",
                  "tables: a list of 2 items of 8 bytes can't be: at most "
                  "65536, of 56 to 4096 bytes"},
        BadPlugin{"is_nameless", "libbad_is_nameless.so: it has no name"},
        BadPlugin{"describes_nothing", "it describes nothing"},
        BadPlugin{"throws_creating",
                  "plug-in 'catch': create: it throws: no such apple"},
        BadPlugin{"lies_in_lists",
                  "plug-in 'catch': info: actions: a list of 4000000000 items "
                  "of"},
        BadPlugin{
            "lists_at_null",
            "actions: a list of 1 items of 40 bytes at null can't be: at "},
        BadPlugin{"names_no_table",
                  "plug-in 'catch': info: table 0: it has no name"},
        BadPlugin{"names_no_field",
                  "plug-in 'catch': info: table 'game': field 4: it has no "
                  "name"},
        BadPlugin{"names_field_twice",
                  "plug-in 'catch': info: table 'game': field 'caught': there "
                  "are two of the name"},
        BadPlugin{"reaches_behind_row",
                  "plug-in 'catch': info: table 'game': field 'lost': it "
                  "reaches beyond the 32 bytes of a row"},
        BadPlugin{"counts_absurdly",
                  "plug-in 'catch': info: table 'game': field 'lost': it has "
                  "4000000000 scalars, not 1 to 512"},
        BadPlugin{"names_no_entry",
                  "plug-in 'catch': info: table 'game': legend 'lost': entry "
                  "1: it has no name"},
        BadPlugin{"names_entry_twice",
                  "plug-in 'catch': info: table 'game': legend 'lost': entry "
                  "'none': there are two of the name"},
        BadPlugin{"names_event_twice",
                  "plug-in 'catch': info: event 'caught': there are two of "
                  "the name"},
        BadPlugin{"writes_behind_info",
                  "plug-in 'catch': info: it wrote behind the"},
        BadPlugin{"writes_into_files",
                  "create: it wrote into or behind the file 'pack.txtpb' that "
                  "it was shown"},
        BadPlugin{"writes_behind_file",
                  "create: it wrote into or behind the file 'pack.txtpb' that "
                  "it was shown"}),
    NameOf);

// Those that are told in the middle of a run, which keeps what was recorded.
class FailingPluginTest : public testing::TestWithParam<BadPlugin> {};

TEST_P(FailingPluginTest, EndsTheRunWithASentence) {
  const std::string path = TemporaryPath(GetParam().mistake + ".mcap");
  const CommandResult run = Record(GetParam().mistake, path);
  EXPECT_EQ(run.exit_code, 4) << run.out << run.err;
  EXPECT_THAT(run.err, AllOf(HasSubstr(GetParam().sentence),
                             HasSubstr("what was recorded until then is in")));
  // All of it but for the tick that failed.
  const CommandResult info = RunCommand({kReprise, "info", path + ".partial"});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_THAT(info.out, HasSubstr(fmt::format("; {} ticks of it are left",
                                              GetParam().ticks)));

  const CommandResult conform = Conform(GetParam().mistake);
  EXPECT_EQ(conform.exit_code, 1) << conform.out << conform.err;
  EXPECT_THAT(conform.out, AllOf(HasSubstr(GetParam().sentence),
                                 HasSubstr("docs/conforming.md#interface")));
}

INSTANTIATE_TEST_SUITE_P(
    All, FailingPluginTest,
    testing::Values(
        BadPlugin{"throws", "step: it throws: no such apple"},
        BadPlugin{"writes_behind_error",
                  "step: it wrote behind the 1024 bytes of an error"},
        BadPlugin{"tells_in_rows",
                  "an event: it was told outside of a step, or on another "
                  "thread",
                  0},
        BadPlugin{"tells_on_a_thread",
                  "an event: it was told outside of a step, or on another "
                  "thread"},
        BadPlugin{"tells_nothing", "an event: it was none"},
        BadPlugin{"sizes_event",
                  "an event: reprise_event has a struct_size of 0 bytes, not "
                  "40 to 4096"},
        BadPlugin{"writes_into_players",
                  "step: it wrote into the players that it was shown"},
        BadPlugin{"writes_behind_players",
                  "step: it wrote behind the players that it was shown"},
        BadPlugin{"writes_behind_rows",
                  "rows: it wrote behind the 40 bytes of reprise_rows", 0},
        BadPlugin{"writes_behind_outcome",
                  "outcome: it wrote behind the 16 bytes of reprise_outcome",
                  0},
        BadPlugin{"lies_about_rows", "has 1099511627776 rows, and at most", 0}),
    NameOf);

// Those that end the process they are in: `conform` has others.
class EndingPluginTest : public testing::TestWithParam<BadPlugin> {};

TEST_P(EndingPluginTest, IsTheResultOfACheck) {
  const CommandResult conform = Conform(GetParam().mistake);

  EXPECT_EQ(conform.exit_code, 1) << conform.out << conform.err;
  EXPECT_THAT(conform.out, HasSubstr(GetParam().sentence));
}

INSTANTIATE_TEST_SUITE_P(
    All, EndingPluginTest,
    testing::Values(
        BadPlugin{"crashes_loading",
                  "tick 0: it ends with exit code 4: the program crashed"},
        BadPlugin{"crashes_creating", "tick 0: SIGABRT"},
        BadPlugin{"hangs_creating", "tick 0: no tick ends within 2 s"},
        BadPlugin{"hangs", "tick 50: no tick ends within 2 s"},
        BadPlugin{"crashes_on_a_thread", "tick 50: SIGABRT"},
        BadPlugin{"exits",
                  "tick 50: it ends with exit code 4: the program was ended by "
                  "a call of exit in plug-in 'catch': step, tick 50"},
        BadPlugin{
            "exits_loading",
            "tick 0: it ends with exit code 4: the program was ended by a "
            "call of exit"},
        BadPlugin{"reads_behind", "tick 0: SIGSEGV"}),
    NameOf);

TEST(BadPluginsTest, CrashIsTheResultOfItsReplayOnly) {
  const std::string path = TemporaryPath("good.mcap");
  std::filesystem::remove(path);
  const CommandResult good =
      RunCommand({kReprise, "--plugin", kGood, "run", kPack, "--ticks", "100",
                  "--record", path});
  ASSERT_EQ(good.exit_code, 0) << good.err;
  for (const std::string mistake : {"exits", "reads_behind", "throws"}) {
    const CommandResult result =
        RunCommand({kReprise, "--plugin", Bad(mistake), "verify", path});
    EXPECT_EQ(result.exit_code, 4) << mistake << result.out << result.err;
  }
}

// The process that a plug-in crashes in names it and the tick, and keeps what
// was recorded: all of it but for the tick that crashed.
class CrashingPluginTest : public testing::TestWithParam<BadPlugin> {
 protected:
  void SetUp() override {
    if (kHasSanitizer && GetParam().mistake == "crashes_writing") {
      GTEST_SKIP() << "sanitizers take this signal";
    }
  }
};

TEST_P(CrashingPluginTest, KeepsWhatWasRecorded) {
  const std::string path = TemporaryPath(GetParam().mistake + ".mcap");
  const CommandResult run = Record(GetParam().mistake, path);
  EXPECT_EQ(run.exit_code, 4) << run.out << run.err;
  EXPECT_THAT(run.err, AllOf(HasSubstr(GetParam().sentence),
                             HasSubstr("what was recorded until then is in")));
  const CommandResult info = RunCommand({kReprise, "info", path + ".partial"});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_THAT(info.out, HasSubstr(fmt::format("; {} ticks of it are left",
                                              GetParam().ticks)));
}

TEST_P(CrashingPluginTest, IsNamedWhereNothingIsRecorded) {
  const CommandResult run =
      RunCommand({kReprise, "--plugin", Bad(GetParam().mistake), "run", kPack,
                  "--ticks", "100"});

  EXPECT_EQ(run.exit_code, 4) << run.out << run.err;
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("error: the program crashed in plug-in 'catch': "
                              "step, tick 50\n"),
                    HasSubstr("reproduce: ")));
}

INSTANTIATE_TEST_SUITE_P(
    All, CrashingPluginTest,
    testing::Values(BadPlugin{"crashes",
                              "tick 50: plug-in 'catch': step: it crashes, "
                              "signal 6 (Aborted)"},
                    BadPlugin{"crashes_writing",
                              "tick 50: plug-in 'catch': step: it crashes, "
                              "signal 11 (Segmentation fault)"}),
    NameOf);

// `exit(0)` is how a library may end what it should have done; no verb passes
// what it hasn't looked at.
TEST(BadPluginsTest, ExitIsNoSuccessOfAnyVerb) {
  const std::string path = TemporaryPath("good.mcap");
  std::filesystem::remove(path);
  const CommandResult good =
      RunCommand({kReprise, "--plugin", kGood, "run", kPack, "--ticks", "100",
                  "--record", path});
  ASSERT_EQ(good.exit_code, 0) << good.err;
  const std::vector<std::vector<std::string>> verbs = {
      {"run", kPack, "--ticks", "100"},
      {"verify", path},
      {"verify", path, "--isolation", "none"},
      {"inspect", path, "--tick", "75"},
      {"export", path, "--output", TemporaryPath("exits.jsonl")}};
  for (const std::string mistake : {"exits", "exits_loading"}) {
    for (const std::vector<std::string>& verb : verbs) {
      std::vector<std::string> words = {kReprise, "--plugin", Bad(mistake)};
      words.insert(words.end(), verb.begin(), verb.end());
      const CommandResult result = RunCommand(words);
      EXPECT_NE(result.exit_code, 0) << mistake << " " << verb.front();
      EXPECT_THAT(result.out + result.err,
                  HasSubstr("the program was ended by a call of exit"))
          << mistake << " " << verb.front();
    }
  }
}

TEST(BadPluginsTest, BytesBehindARestoredRowAreNamed) {
  const CommandResult conform = Conform("writes_behind_given");

  EXPECT_EQ(conform.exit_code, 1) << conform.out << conform.err;
  EXPECT_THAT(
      conform.out,
      HasSubstr("restore: it wrote behind the rows of table 'game' that "
                "it was shown"));
}

TEST(BadPluginsTest, OtherDescriptionIsNamedByTheCheckThatForks) {
  const CommandResult conform = Conform("changes");

  EXPECT_EQ(conform.exit_code, 1) << conform.out << conform.err;
  EXPECT_THAT(conform.out,
              HasSubstr("info: it describes itself otherwise than at first"));
}

TEST(BadPluginsTest, NameThatIsTooLongIsNamed) {
  const CommandResult run =
      Record("writes_behind_name", TemporaryPath("name.mcap"));
  EXPECT_EQ(run.exit_code, 0) << run.err;

  const CommandResult inspect =
      RunCommand({kReprise, "--plugin", Bad("writes_behind_name"), "inspect",
                  TemporaryPath("name.mcap"), "--tick", "60"});
  EXPECT_EQ(inspect.exit_code, 0) << inspect.err;
  EXPECT_THAT(inspect.out,
              HasSubstr("object#1 (it wrote behind the 1025 bytes of a name)"));
}

// One that never stops would take all memory.
TEST(BadPluginsTest, EventsOfAStepHaveAnEnd) {
  const std::string path = TemporaryPath("too_much.mcap");
  const CommandResult run = Record("tells_too_much", path);

  EXPECT_EQ(run.exit_code, 4) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("tick 50: plug-in 'catch': an event: a step "
                                 "told more than 1048576"));
  EXPECT_EQ(RunCommand({kReprise, "info", path + ".partial"}).exit_code, 0);
}

TEST(BadPluginsTest, EventWhileItIsDestroyedReachesNobody) {
  const CommandResult run =
      Record("tells_destroying", TemporaryPath("destroyed.mcap"));

  EXPECT_EQ(run.exit_code, 0) << run.err;
}

}  // namespace
}  // namespace reprise::tests

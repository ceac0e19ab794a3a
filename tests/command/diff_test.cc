// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that `reprise diff` finds what two builds make of one replay, down to
// the field and its writer, that it follows a difference, and that a capsule
// gives a failure again to whoever opens it. The other build is the same
// program with one deliberate mistake: at tick 100 the behaviour `hover` is one
// unit in the last place off.

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::json;

constexpr char kBuild[] = "docs/examples/hover/reprise_with_hover";
constexpr char kOtherBuild[] = "tests/command/reprise_with_wrong_hover";
// With the same mistake, and one property more.
constexpr char kWiderBuild[] = "tests/command/reprise_with_wider_hover";
// Without a mistake; phase_rad is called angle_rad.
constexpr char kRenamedBuild[] = "tests/command/reprise_with_renamed_hover";
// With a mistake at tick 100 that the next tick mends.
constexpr char kPassingBuild[] = "tests/command/reprise_with_passing_hover";
constexpr char kPack[] = "docs/examples/hover/pack";

CommandResult Call(const std::string& build, std::vector<std::string> words) {
  words.insert(words.begin(), build);
  return RunCommand(words);
}

// As many ticks by `build`, recorded at `name`.
std::string Record(const std::string& build, const std::string& name,
                   int ticks = 240) {
  const std::string path = TemporaryPath(name);
  EXPECT_EQ(Call(build, {"run", kPack, "--ticks", std::to_string(ticks),
                         "--keyframe-stride", "60", "--record", path})
                .exit_code,
            0);
  return path;
}

constexpr char kHeadline[] =
    "tick 100, pre_physics, object lantern_0, hover.phase_rad: "
    "5.04999999999999 | 5.049999999999991 (1 ulp) [rad]; last written by "
    "behaviour hover\n";

TEST(DiffTest, OtherBuildIsNamedToTheFieldAndItsWriter) {
  const std::string replay = Record(kBuild, "builds.mcap");
  const CommandResult result =
      Call(kBuild, {"diff", replay, "--with", kOtherBuild});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr(kHeadline));
}

TEST(DiffTest, OtherBuildIsNamedToProgramsToo) {
  const std::string replay = Record(kBuild, "builds_json.mcap");
  const CommandResult result =
      Call(kBuild, {"diff", replay, "--with", kOtherBuild, "--format", "json"});
  ASSERT_EQ(result.exit_code, 1) << result.err;
  const Json divergence = Json::parse(result.out)["divergence"];
  EXPECT_EQ(divergence["last_equal_tick"], 100);
  EXPECT_EQ(divergence["is_exact"], true);
  EXPECT_EQ(divergence["phase"], "pre_physics");
  const Json& field = divergence["fields"][0];
  EXPECT_EQ(field["field"], "phase_rad");
  EXPECT_EQ(field["ulps"], "1");
  EXPECT_EQ(field["expected_writer"], "behaviour hover");
  EXPECT_EQ(field["actual_writer"], "behaviour hover");
}

TEST(DiffTest, DifferenceOfBuildsIsFollowed) {
  const std::string replay = Record(kBuild, "grows.mcap");
  const CommandResult result =
      Call(kBuild, {"diff", replay, "--with", kOtherBuild, "--format", "json"});
  const Json growth = Json::parse(result.out)["growth"];
  std::vector<int> ticks;
  for (const Json& sample : growth["samples"]) ticks.push_back(sample["tick"]);
  EXPECT_EQ(ticks, std::vector<int>({101, 102, 104, 108, 116, 132, 160}));
  const Json& first = growth["samples"][0];
  EXPECT_GT(first["objects"], 0);
  EXPECT_GT(first["fields"], 0);
  EXPECT_THAT(first["most_ulps_at"].get<std::string>(), HasSubstr("lantern"));
  EXPECT_THAT(
      Call(kBuild, {"diff", replay, "--with", kOtherBuild, "--growth", "3"})
          .out,
      AllOf(HasSubstr("from there on:\n  tick 101: "),
            HasSubstr("still there at tick 103\n")));
  EXPECT_THAT(
      Call(kBuild, {"diff", replay, "--with", kOtherBuild, "--growth", "0"})
          .out,
      Not(HasSubstr("from there on")));
}

TEST(DiffTest, BuildWithAnotherPropertyIsComparedInTheRest) {
  const std::string replay = Record(kBuild, "wider.mcap");
  const CommandResult result =
      Call(kBuild, {"diff", replay, "--with", kWiderBuild});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("  components.hover glow: added\n"),
                    HasSubstr("first difference of what both have: tick 100"),
                    HasSubstr("at tick 101:\n"), HasSubstr("phase_rad"),
                    Not(HasSubstr("missing"))));
}

TEST(DiffTest, BuildThatOnlyHasAnotherPropertyDiffersInNothingElse) {
  const std::string replay = Record(kOtherBuild, "only_wider.mcap");
  const CommandResult result =
      Call(kOtherBuild, {"diff", replay, "--with", kWiderBuild});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("components.hover glow: added\n"),
                                HasSubstr("no other difference: ")));
}

TEST(DiffTest, BuildThatOnlyNamesAFieldAnewDiffersInThat) {
  const std::string replay = Record(kBuild, "renamed.mcap");
  const CommandResult result =
      Call(kBuild, {"diff", replay, "--with", kRenamedBuild});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("components.hover phase_rad: removed"),
                    HasSubstr("components.hover angle_rad: added"),
                    HasSubstr("no other difference: ")));
}

// No recorded digest tells the states apart, only the chain over all ticks.
TEST(DiffTest, DifferenceThatDiesOutIsFound) {
  const std::string replay = Record(kBuild, "passing.mcap");
  const auto state = [&replay](const std::string& build, const char* tick) {
    const CommandResult result =
        Call(build, {"inspect", replay, "--tick", tick});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  EXPECT_NE(state(kPassingBuild, "101"), state(kBuild, "101"));
  EXPECT_EQ(state(kPassingBuild, "110"), state(kBuild, "110"));

  const CommandResult result = Call(
      kBuild, {"diff", replay, "--with", kPassingBuild, "--format", "json"});

  ASSERT_EQ(result.exit_code, 1) << result.err;
  const Json divergence = Json::parse(result.out)["divergence"];
  EXPECT_EQ(divergence["last_equal_tick"], 100);
  EXPECT_EQ(divergence["is_exact"], true);
  EXPECT_EQ(divergence["phase"], "pre_physics");
}

// Ticks made by both builds' processes together.
int CountTicks(const std::string& replay, const std::string& growth) {
  const CommandResult result =
      Call(kBuild, {"diff", replay, "--with", kOtherBuild, "--growth", growth,
                    "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  return Json::parse(result.out)["ticks_stepped"];
}

TEST(DiffTest, OtherBuildCostsTwoVerificationsAndTheStart) {
  const std::string replay = Record(kBuild, "cost.mcap");
  const std::string longer = Record(kBuild, "cost_longer.mcap", 1200);
  const int cost = CountTicks(replay, "0");
  // To the difference, by either build from the keyframe before.
  EXPECT_LE(cost, 2 * 240 + 2 * 60);
  EXPECT_GT(cost, 2 * 240);
  EXPECT_EQ(CountTicks(longer, "0") - cost, 2 * (1200 - 240));
  // To follow it, each of seven looks, too, is less than a keyframe interval.
  const int followed = CountTicks(replay, "60");
  EXPECT_LE(followed - cost, 2 * 7 * 60);
  EXPECT_EQ(CountTicks(longer, "60") - followed, 2 * (1200 - 240));
}

TEST(DiffTest, EqualBuildsCostTwoVerifications) {
  const std::string replay = Record(kBuild, "equal_cost.mcap");
  const CommandResult result =
      Call(kBuild, {"diff", replay, "--with", kBuild, "--format", "json"});
  EXPECT_EQ(Json::parse(result.out)["ticks_stepped"], 2 * 240);
}

// Of one compiler, and of two sources.
TEST(DiffTest, BuildsAreToldApartByTheirEngines) {
  const std::string replay = Record(kOtherBuild, "engine.mcap");
  EXPECT_THAT(Call(kBuild, {"verify", replay}).err,
              ContainsRegex("note: .*recorded with build .*, engine [0-9a-f]+, "
                            "replayed with .*, engine [0-9a-f]+\n"));
  EXPECT_THAT(Call(kOtherBuild, {"verify", replay}).err,
              Not(HasSubstr("recorded with")));
  const Json report = Json::parse(
      Call(kBuild, {"diff", replay, "--with", kOtherBuild, "--format", "json"})
          .out);
  const std::string left = report["expected"]["run"];
  const std::string right = report["actual"]["run"];
  EXPECT_THAT(left, HasSubstr(", engine "));
  EXPECT_NE(left.substr(left.find(", engine ")),
            right.substr(right.find(", engine ")));
  EXPECT_THAT(Call(kBuild, {"--version"}).out, HasSubstr(", engine "));
}

TEST(DiffTest, SameBuildPlaysTheSame) {
  const std::string replay = Record(kBuild, "same.mcap");
  const CommandResult result = Call(kBuild, {"diff", replay, "--with", kBuild});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("equal: 240 ticks"));
}

TEST(DiffTest, BuildThatIsNotThereIsThree) {
  const std::string replay = Record(kBuild, "missing.mcap");
  EXPECT_EQ(
      Call(kBuild, {"diff", replay, "--with", "/nowhere/reprise"}).exit_code,
      3);
}

TEST(DiffTest, BuildThatSpeaksOtherwiseIsRefused) {
  const std::string replay = Record(kBuild, "echo.mcap");
  const CommandResult result =
      Call(kBuild, {"diff", replay, "--with", "/bin/echo"});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("/bin/echo run: no JSON"));
}

TEST(DiffTest, CapsuleOfABuildFailsWithoutIt) {
  const std::string replay = Record(kBuild, "kept.mcap");
  const std::string capsule = TemporaryPath("kept.capsule.mcap");
  ASSERT_EQ(Call(kBuild,
                 {"diff", replay, "--with", kOtherBuild, "--capsule", capsule})
                .exit_code,
            1);
  // It is the other build's run, as that plays it and this one doesn't.
  EXPECT_EQ(Call(kOtherBuild, {"verify", capsule}).exit_code, 0);
  const CommandResult verified = Call(kBuild, {"verify", capsule});
  EXPECT_EQ(verified.exit_code, 1);
  EXPECT_THAT(verified.out, HasSubstr("phase_rad"));
}

TEST(DiffTest, RecordingsOfTwoBuildsAreToldFromRuns) {
  const std::string left = Record(kBuild, "left.mcap");
  const std::string right = Record(kOtherBuild, "right.mcap");
  const CommandResult result = Call(kBuild, {"diff", left, right});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("ticks 100 to 109"),
                    HasSubstr("only the recordings differ"),
                    HasSubstr("at tick 120:\n"), HasSubstr("phase_rad")));
}

class DiffCapsuleTest : public testing::Test {
 protected:
  DiffCapsuleTest()
      : left_(TemporaryPath("marble.mcap")),
        right_(TemporaryPath("changed.mcap")),
        capsule_(TemporaryPath("bug.mcap")) {
    EXPECT_EQ(Reprise({"run", "marble", "--random-inputs", "5", "--ticks",
                       "240", "--keyframe-stride", "60", "--record", left_})
                  .exit_code,
              0);
    EXPECT_EQ(Reprise({"run", "--inputs", left_, "--change-input",
                       "100:0:roll_x=-32001", "--record", right_})
                  .exit_code,
              0);
    diff_ = Reprise(
        {"diff", left_, right_, "--capsule", capsule_, "--format", "json"});
  }

  static CommandResult Reprise(const std::vector<std::string>& words) {
    return Call("tools/reprise/reprise", words);
  }

  const std::string left_;
  const std::string right_;
  const std::string capsule_;
  CommandResult diff_;
};

TEST_F(DiffCapsuleTest, OpensAsTheSameDifference) {
  EXPECT_EQ(diff_.exit_code, 1);
  const CommandResult again = Reprise({"diff", capsule_, "--format", "json"});
  ASSERT_EQ(again.exit_code, 1) << again.err;
  const Json before = Json::parse(diff_.out);
  const Json after = Json::parse(again.out);
  EXPECT_EQ(after["divergence"], before["divergence"]);
  EXPECT_EQ(after["first_input_difference"], before["first_input_difference"]);
  // From the keyframe just before it: one tick, three times on either side.
  EXPECT_EQ(after["ticks_stepped"], 6);
}

TEST_F(DiffCapsuleTest, IsAReplayThatVerifiesAndCanBeInspected) {
  const CommandResult verified = Reprise({"verify", capsule_});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_THAT(verified.out,
              AllOf(HasSubstr("verified 101 of 101 ticks"),
                    HasSubstr("; a capsule of a failure behind tick 100")));
  EXPECT_EQ(Reprise({"inspect", capsule_, "player", "--tick", "100"}).exit_code,
            0);
}

TEST_F(DiffCapsuleTest, IsToldFromOtherReplaysInTables) {
  const CommandResult verified = Reprise({"verify", left_, capsule_});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_THAT(verified.out, AllOf(HasSubstr(left_ + "\n"),
                                  HasSubstr(capsule_ + " (capsule)\n")));
  const std::string store = TemporaryPath("capsule_store");
  RunCommand({"rm", "-rf", store});
  ASSERT_EQ(
      Reprise({"store", "add", left_, capsule_, "--store", store}).exit_code,
      0);
  const std::string listed = Reprise({"store", "list", "--store", store}).out;
  EXPECT_THAT(listed, HasSubstr("marble (capsule)"));
  const Json document = Json::parse(
      Reprise({"store", "list", "--store", store, "--format", "json"}).out);
  int capsules = 0;
  for (const Json& replay : document["replays"]) {
    if (replay["is_capsule"] == true) ++capsules;
  }
  EXPECT_EQ(capsules, 1);
}

TEST_F(DiffCapsuleTest, CostsNoMoreThanAKeyframeIntervalOnEitherSide) {
  const Json report = Json::parse(diff_.out);
  EXPECT_LE(report["ticks_stepped"], 2 * (60 + 10 + 2));
}

// The marble is heavier; its first contact shows it.
TEST_F(DiffCapsuleTest, ChangedPackCostsOneVerificationAndTwoStrides) {
  const std::string folder = TemporaryPath("heavier");
  RunCommand({"mkdir", "-p", folder});
  std::string manifest = ReadFileBytes("sim/packs/marble/pack.txtpb");
  const std::string mass = "mass_kg: 2\n";
  manifest.replace(manifest.find(mass), mass.size(), "mass_kg: 2.5\n");
  WriteFileBytes(folder + "/pack.txtpb", manifest);
  const CommandResult result =
      Reprise({"diff", left_, "--pack", folder, "--format", "json"});
  ASSERT_EQ(result.exit_code, 1) << result.err;
  const Json report = Json::parse(result.out);
  const int tick = report["divergence"]["last_equal_tick"];
  EXPECT_EQ(report["divergence"]["is_exact"], true);
  EXPECT_FALSE(report["divergence"]["fields"].empty());
  EXPECT_LE(report["ticks_stepped"], tick + 3 * 10 + 4);
}

TEST_F(DiffCapsuleTest, NothingIsOverwritten) {
  const std::string taken = TemporaryPath("taken.mcap");
  WriteFileBytes(taken, "something else");
  const CommandResult result =
      Reprise({"diff", left_, right_, "--capsule", taken});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr(taken + " is there already; nothing is "
                                            "overwritten"));
  EXPECT_EQ(ReadFileBytes(taken), "something else");
  const std::string before = ReadFileBytes(capsule_);
  EXPECT_THAT(Reprise({"diff", left_, right_, "--capsule", right_}).err,
              HasSubstr("no capsule was written"));
  EXPECT_THAT(Reprise({"diff", left_, right_, "--capsule", capsule_, "--format",
                       "json"})
                  .err,
              HasSubstr("the failure is kept in " + capsule_));
  EXPECT_EQ(ReadFileBytes(capsule_), before);
}

TEST_F(DiffCapsuleTest, DifferenceIsFollowed) {
  const Json growth = Json::parse(diff_.out)["growth"];
  std::vector<int> ticks;
  for (const Json& sample : growth["samples"]) ticks.push_back(sample["tick"]);
  EXPECT_EQ(ticks, std::vector<int>({101, 102, 104, 108, 116, 132, 160}));
  EXPECT_GT(growth["samples"][0]["fields"], 0);
  EXPECT_THAT(Reprise({"diff", left_, right_}).out,
              AllOf(HasSubstr("from there on:\n  tick 101: "),
                    HasSubstr("  it lasts: still there at tick 160\n")));
}

TEST_F(DiffCapsuleTest, OrdinaryReplayAloneIsNoComparison) {
  const CommandResult result = Reprise({"diff", left_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("is no capsule"));
  EXPECT_EQ(Reprise({"diff", left_, right_, "--with", "x"}).exit_code, 2);
}

// The game makes no step at all, or several in a tick: a phase is left out, or
// comes again.
TEST_F(DiffCapsuleTest, PhasesMayComeSeveralTimesInATickOrNotAtAll) {
  const std::string folder = TemporaryPath("clock");
  const std::string replay = TemporaryPath("clock.mcap");
  const std::string changed = TemporaryPath("clock_changed.mcap");
  RunCommand({"mkdir", "-p", folder});
  for (const std::string clock :
       {"rate { numerator: 3 denominator: 1 }", "paused: true"}) {
    WriteFileBytes(folder + "/pack.txtpb",
                   ReadFileBytes("sim/packs/marble/pack.txtpb") + "clock { " +
                       clock + " }\n");
    ASSERT_EQ(
        Reprise({"run", folder, "--ticks", "60", "--record", replay}).exit_code,
        0);
    ASSERT_EQ(Reprise({"run", "--inputs", replay, "--change-input",
                       "30:0:roll_x=-32001", "--record", changed})
                  .exit_code,
              0);
    EXPECT_THAT(Reprise({"diff", replay, changed}).out,
                HasSubstr("first different state: tick 30, inputs, "));
  }
}

// The capsules that a verification of `replay` keeps in `folder`, and the one
// that it says it kept.
std::string VerifyIntoCapsule(const std::string& replay,
                              const std::string& folder) {
  const CommandResult failed =
      Call(kBuild, {"verify", replay, "--capsule", folder, "--format", "json"});
  EXPECT_EQ(failed.exit_code, 1) << failed.err;
  return Json::parse(failed.out)["files"][0]["capsule"];
}

int CountFiles(const std::string& folder) {
  return std::stoi(
      RunCommand({"sh", "-c", "ls -A " + folder + " | wc -l"}).out);
}

TEST(VerifyCapsuleTest, FailureIsKeptAndFailsAgain) {
  const std::string replay = Record(kOtherBuild, "wrong.mcap");
  const std::string folder = TemporaryPath("capsules");
  const std::string capsule = VerifyIntoCapsule(replay, folder);
  EXPECT_THAT(capsule, StartsWith(folder + "/wrong-100-"));
  const CommandResult again = Call(kBuild, {"verify", capsule});
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_THAT(again.out, HasSubstr("ticks 100 to 109"));
  const CommandResult opened = Call(kBuild, {"diff", capsule});
  EXPECT_EQ(opened.exit_code, 1) << opened.err;
  EXPECT_THAT(opened.out, HasSubstr("phase_rad"));
}

TEST(VerifyCapsuleTest, EachFailureHasANameOfItsOwnAndTheSameAgain) {
  const std::string folder = TemporaryPath("all_capsules");
  const std::string first = Record(kOtherBuild, "run.mcap");
  RunCommand({"mkdir", "-p", TemporaryPath("elsewhere")});
  const std::string second = TemporaryPath("elsewhere/run.mcap");
  WriteFileBytes(second, ReadFileBytes(first));
  const std::string capsule = VerifyIntoCapsule(first, folder);
  const std::string bytes = ReadFileBytes(capsule);
  EXPECT_EQ(VerifyIntoCapsule(second, folder), capsule);
  EXPECT_EQ(CountFiles(folder), 1);
  // Another replay of the same name that fails at the same tick.
  EXPECT_EQ(Call(kOtherBuild, {"run", kPack, "--seed", "7", "--ticks", "240",
                               "--keyframe-stride", "60", "--record", second})
                .exit_code,
            0);
  EXPECT_NE(VerifyIntoCapsule(second, folder), capsule);
  EXPECT_EQ(CountFiles(folder), 2);
  EXPECT_EQ(VerifyIntoCapsule(first, folder), capsule);
  EXPECT_EQ(CountFiles(folder), 2);
  EXPECT_EQ(ReadFileBytes(capsule), bytes);
}

TEST(InspectChangesTest, TickIsShownPhaseByPhase) {
  const std::string replay = Record(kBuild, "inspected.mcap");
  const CommandResult result =
      Call(kBuild, {"inspect", replay, "odd_one", "--tick", "7", "--changes"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("tick 7\ninputs  "));
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("\npre_physics  "),
                    HasSubstr("components.hover odd_one phase_rad: "),
                    HasSubstr(" rad, by behaviour hover\n")));
  EXPECT_EQ(Call(kBuild, {"inspect", kPack, "--changes"}).exit_code, 2);
}

}  // namespace
}  // namespace reprise::tests

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the example of docs/systems.md works as that page says, and that
// what a pack says wrong of a program's own system is reported at its place.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::HasSubstr;

constexpr char kPack[] = "docs/examples/wind/pack";

CommandResult Reprise(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "docs/examples/wind/reprise_with_wind");
  return RunCommand(arguments);
}

// What `pack check` says of a pack with these lines.
std::string Problems(const std::string& name, std::string_view lines) {
  const std::string folder = TemporaryPath(name);
  RunCommand({"mkdir", "-p", folder});
  WriteFileBytes(folder + "/pack.txtpb",
                 "name: \"breeze\"\n" + std::string(lines));
  const CommandResult result = Reprise({"pack", "check", folder});
  EXPECT_EQ(result.exit_code, 2);
  return result.out + result.err;
}

TEST(WindExampleTest, RunIsRecordedAndVerified) {
  const std::string replay = TemporaryPath("regatta.mcap");
  EXPECT_EQ(
      Reprise({"run", kPack, "--ticks", "600", "--record", replay}).exit_code,
      0);
  const CommandResult verified = Reprise({"verify", replay});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("verified 600 of 600 ticks"));
}

TEST(WindExampleTest, ItsTablesAndEventsAreKnownByName) {
  const CommandResult state = Reprise({"inspect", kPack, "--tick", "200"});
  EXPECT_EQ(state.exit_code, 0) << state.err;
  EXPECT_THAT(state.out, HasSubstr("weather"));
  EXPECT_THAT(state.out, HasSubstr("changes_at"));
  const CommandResult described = Reprise({"describe", kPack, "gust_began"});
  EXPECT_EQ(described.exit_code, 0) << described.err;
  EXPECT_THAT(described.out, HasSubstr("the wind freshened"));
}

TEST(WindExampleTest, QueriesKnowItsRowsAndWhoWroteThem) {
  const std::string replay = TemporaryPath("asked.mcap");
  ASSERT_EQ(
      Reprise({"run", kPack, "--ticks", "400", "--record", replay}).exit_code,
      0);
  const CommandResult event =
      Reprise({"query", replay, "event('gust_began') > 0", "--first"});
  EXPECT_EQ(event.exit_code, 0) << event.err;
  // The rows say so in the same step.
  const CommandResult row =
      Reprise({"query", replay, "weather.is_gusting == 1", "--first"});
  EXPECT_EQ(row.out, event.out);
  const CommandResult watched =
      Reprise({"query", replay, "--watch", "weather.is_gusting"});
  EXPECT_THAT(watched.out, HasSubstr("0 -> 1, by wind"));
}

TEST(WindExampleTest, MistakesHaveTheirPlace) {
  EXPECT_THAT(Problems("storm",
                       "systems {\n  [reprise/wind.Wind] {\n"
                       "    velocity_x: 200\n  }\n}\n"),
              HasSubstr("pack.txtpb:4:5: systems[0].velocity_x: "));
  EXPECT_THAT(Problems("stone",
                       "types {\n  name: \"stone\"\n  systems {\n"
                       "    [reprise/wind.Sail] { area_m2: 1 }\n  }\n}\n"),
              HasSubstr("types[0].systems[0].area_m2: needs a dynamic body"));
  EXPECT_THAT(Problems("calm", "systems { [reprise/wind.Calm] {} }\n"),
              HasSubstr("pack.txtpb:2:"));
}

TEST(WindExampleTest, MessagesThatNobodyReadsAreReported) {
  EXPECT_THAT(
      Problems("nobody", "systems { [reprise/reprise.v1.Pack] {} }\n"),
      HasSubstr("pack.txtpb:2:37: no system of this program reads the message "
                "'reprise/reprise.v1.Pack'; those that are read are: "
                "wind.Sail, wind.Wind"));
  EXPECT_THAT(Problems("slip", "systems { [reprise/wind.Wnd] {} }\n"),
              HasSubstr("no system of this program reads the message "
                        "'reprise/wind.Wnd'; those that are read are: "
                        "wind.Sail, wind.Wind; did you mean 'wind.Wind'?"));
  EXPECT_THAT(Problems("slip2", "systems { type_url: \"reprise/wind.Wid\" }\n"),
              HasSubstr("'reprise/wind.Wid' here; those that are read here "
                        "are: wind.Wind; did you mean 'wind.Wind'?"));
  // A sail is for a type.
  EXPECT_THAT(
      Problems("where", "systems { [reprise/wind.Sail] { area_m2: 1 } }\n"),
      HasSubstr("systems[0].type_url: no system of this program reads the "
                "message 'reprise/wind.Sail' here; those that are read here "
                "are: wind.Wind"));
  EXPECT_THAT(Problems("twice",
                       "systems { [reprise/wind.Wind] {} }\n"
                       "systems { [reprise/wind.Wind] {} }\n"),
              HasSubstr("systems[1].type_url: 'wind.Wind' stands there twice"));
  EXPECT_THAT(Problems("raw",
                       "systems { type_url: \"reprise/wind.Wind\" "
                       "value: \"\\377\" }\n"),
              HasSubstr("systems[0].value: no wind.Wind"));
}

// The parser doesn't count how deep it is in these; each would be another level
// on the stack.
TEST(WindExampleTest, MessagesWithinEachOtherWithoutEndAreRefused) {
  constexpr int kDepth = 100000;
  std::string nested;
  for (int i = 0; i < kDepth; ++i) {
    nested += "[reprise/google.protobuf.Any]{";
  }
  EXPECT_THAT(Problems("deep", "systems { " + nested),
              HasSubstr("no system of this program reads the message "
                        "'reprise/google.protobuf.Any'"));
}

}  // namespace
}  // namespace reprise::tests

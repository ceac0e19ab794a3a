// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what people and scripts get from `reprise describe`, with and without
// a pack, that `inspect` shows the names that it describes, and that
// docs/built_in.md is what it prints.

#include <sstream>
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
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::json;

CommandResult Reprise(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "tools/reprise/reprise");
  return RunCommand(arguments);
}

Json JsonOf(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const CommandResult result = Reprise(std::move(arguments));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out);
}

// The first of `list` of that name.
Json Named(const Json& list, const std::string& name) {
  for (const Json& item : list) {
    if (item["name"] == name) return item;
  }
  ADD_FAILURE() << "there is no " << name;
  return {};
}

TEST(DescribeTest, WithoutAPackItIsWhatIsBuiltIn) {
  const CommandResult result = Reprise({"describe"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(StartsWith("components\n"), HasSubstr("\n  spawner  "),
                    HasSubstr("\n  destructible  "), HasSubstr("\nevents\n"),
                    HasSubstr("\n  contact_began  "), HasSubstr("\nlegends\n"),
                    Not(HasSubstr("\ntypes\n"))));
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST(DescribeTest, PackSaysWhatItAdds) {
  const CommandResult result = Reprise({"describe", "nursery"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(
      result.out,
      AllOf(StartsWith("nursery: 1 player, 60 ticks a second\n"),
            HasSubstr(
                "\n  ring                    command: shift integer 1 to 2\n"),
            HasSubstr("\n  ball                    at most 60; extends toy; "
                      "components tag\n"),
            HasSubstr("\n  rung                    an object of bell")));
}

TEST(DescribeTest, WordSelectsWhatIsCalledSo) {
  const CommandResult result = Reprise({"describe", "nursery", "tag.batch"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(
      result.out,
      "components\n"
      "  tag                     says where something comes from\n"
      "    batch                 integer 0 to 1000; at first 0; the shift "
      "that made it\n");
}

TEST(DescribeTest, WordAloneIsOfWhatIsBuiltIn) {
  const CommandResult result = Reprise({"describe", "contact_ended"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("with object (object)\n"));
}

TEST(DescribeTest, JsonSaysTheSameByItsKinds) {
  const Json pack = JsonOf({"describe", "nursery"});
  EXPECT_EQ(pack["schema_version"], 1);
  EXPECT_EQ(pack["pack"], "nursery");
  EXPECT_EQ(pack["player_count"], 1);
  EXPECT_EQ(Named(pack["actions"], "ring")["arguments"][0]["maximum"], "2");
  EXPECT_EQ(Named(pack["types"], "ball")["extends"], "toy");
  const Json tag = Named(pack["components"], "tag");
  EXPECT_EQ(Named(tag["properties"], "colour")["default"], Json({"red"}));
  EXPECT_EQ(Named(tag["properties"], "scale")["default"],
            Json({1.0, 1.0, 1.0}));
  EXPECT_EQ(Named(pack["events"], "ring")["arguments"][0]["type"], "integer");
  EXPECT_EQ(JsonOf({"describe"})["pack"], nullptr);
}

TEST(DescribeTest, UnknownWordIsTwoAndTheNearestIsNamed) {
  const CommandResult result = Reprise({"describe", "nursery", "tag.color"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("nothing in the pack nursery is called 'tag.color'; "
                        "did you mean 'tag.colour'?"));
  EXPECT_THAT(result.out, IsEmpty());
}

TEST(DescribeTest, ForAWordAloneTheNearestOfWhatIsBuiltInIsNamed) {
  const CommandResult result = Reprise({"describe", "contact_begn"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err,
              HasSubstr("there is no pack 'contact_begn', neither here nor in "
                        "sim/packs, and nothing that is built in is called so; "
                        "did you mean 'contact_began'?"));
  EXPECT_THAT(result.out, IsEmpty());
}

TEST(DescribeTest, EveryBehaviourAndComponentSaysWhatItIsFor) {
  const Json all = JsonOf({"describe"});
  for (const char* const kind : {"behaviours", "components"}) {
    EXPECT_FALSE(all[kind].empty()) << kind;
    for (const Json& each : all[kind]) EXPECT_NE(each["help"], "") << each;
  }
}

TEST(DescribeTest, UnknownPackIsThree) {
  const CommandResult result = Reprise({"describe", "nursry"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'nursery'?"));
}

TEST(DescribeTest, MistakesInThePackAreTold) {
  const std::string folder = TemporaryPath("untyped");
  RunCommand({"mkdir", "-p", folder});
  WriteFileBytes(folder + "/pack.txtpb",
                 "name: \"untyped\"\nobjects { name: \"a\" type: \"b\" }\n");
  const CommandResult result = Reprise({"describe", folder});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("pack.txtpb:2:"));
}

TEST(InspectNamesTest, EnumerationsAndButtonsHaveTheirNames) {
  const CommandResult result = Reprise({"inspect", "nursery"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("\n      status: active (1)\n"),
                                HasSubstr("\n      outcome: running (0)\n"),
                                HasSubstr("\n      kind: floor ("),
                                HasSubstr("\n      buttons: 0\n")));
}

TEST(InspectNamesTest, JsonHasThemBesideTheNumbers) {
  const Json document = JsonOf({"inspect", "nursery", "paddle"});
  for (const Json& room : document["rooms"]) {
    for (const Json& table : room["tables"]) {
      if (table["table"] != "objects") continue;
      EXPECT_EQ(table["rows"][0]["fields"]["status"], "1");
      EXPECT_EQ(table["rows"][0]["names"]["status"], "active");
      return;
    }
  }
  FAIL() << "the table of objects is missing";
}

TEST(DescribeTest, PageOfWhatIsBuiltInIsOfToday) {
  const CommandResult result = Reprise({"describe", "--format", "markdown"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, ReadFileBytes("docs/built_in.md"))
      << "reprise describe --format markdown > docs/built_in.md";
}

TEST(DescribeTest, PageOfAPackHasItsTypesActionsAndEvents) {
  const CommandResult result =
      Reprise({"describe", "nursery", "--format", "markdown"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(
      result.out,
      AllOf(StartsWith("# nursery\n"),
            HasSubstr("\n| `ring` | command | `shift` (integer 1 to 2) |\n"),
            HasSubstr("\n| `ball` | toy | tag |"),
            HasSubstr("\n| `batch` | integer | 0 to 1000 | 0 |"),
            HasSubstr("\n| `rung` | an object of bell |")));
}

}  // namespace
}  // namespace reprise::tests

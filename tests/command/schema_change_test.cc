// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that an old recording can be compared with a pack whose things have
// other properties than then: what was added, removed or retyped is named, and
// the rest is compared tick by tick, as it is where nothing of that changed.

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr char kReprise[] = "tools/reprise/reprise";
constexpr int kTicks = 240;

// Where the manifest is changed, and what is put there.
struct Change {
  std::string_view from;
  std::string_view to;
};

constexpr Change kHealthFirst = {
    "  properties { name: \"batch\"",
    "  properties { name: \"health\" type: TYPE_INTEGER }\n"
    "  properties { name: \"batch\""};
constexpr Change kHealthLast = {
    "  properties { name: \"notes\"",
    "  properties { name: \"notes\" type: TYPE_TEXT list_max: 4 default { list "
    "{} } }\n  properties { name: \"health\" type: TYPE_INTEGER }\n}\n"
    "components {\n  name: \"mood\"\n  properties { name: \"notes\""};
constexpr Change kRetyped = {"name: \"batch\" type: TYPE_INTEGER",
                             "name: \"batch\" type: TYPE_NUMBER"};
constexpr Change kRemoved = {
    "  properties { name: \"scale\" type: TYPE_VECTOR3 default { vector3 { x: "
    "1 "
    "y: 1 z: 1 } } minimum: 0.1 maximum: 10 }\n",
    ""};
// No number of the first state: the first thing that is made shows it.
constexpr Change kShorterLife = {"delay_s: 3", "delay_s: 2"};

// A recording of a pack that ships, and copies of that pack that have changed
// since.
class SchemaChangeTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const CommandResult result =
        RunCommand({kReprise, "run", "nursery", "--random-inputs", "1",
                    "--ticks", std::to_string(kTicks), "--keyframe-stride",
                    "60", "--record", Replay()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  static std::string Replay() { return TemporaryPath("nursery.mcap"); }

  static std::string ChangedPack(const std::vector<Change>& changes) {
    const fs::path folder = TemporaryPath("nursery");
    fs::create_directories(folder);
    std::set<std::string_view> changed;
    for (const auto& entry : fs::directory_iterator("sim/packs/nursery")) {
      std::string text = ReadFileBytes(entry.path());
      for (const Change& change : changes) {
        const size_t place = text.find(change.from);
        if (place == std::string::npos) continue;
        text.replace(place, change.from.size(), change.to);
        changed.insert(change.from);
      }
      WriteFileBytes(folder / entry.path().filename(), text);
    }
    EXPECT_EQ(changed.size(), changes.size());
    return folder;
  }

  static CommandResult Call(const std::string& verb,
                            const std::vector<Change>& changes,
                            std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(),
                 {kReprise, verb, Replay(), "--pack", ChangedPack(changes)});
    return RunCommand(flags);
  }

  static Json DiffJson(const std::vector<Change>& changes) {
    const CommandResult result = Call("diff", changes, {"--format", "json"});
    EXPECT_EQ(result.exit_code, 1) << result.err;
    return Json::parse(result.out);
  }
};

TEST_F(SchemaChangeTest, AddedPropertyIsNamedAndNothingElseDiffers) {
  const CommandResult result = Call("diff", {kHealthFirst});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("the schemas of the states differ:\n"
                        "  components.tag health: added, int64\n"
                        "no other difference: what both have is equal for 240 "
                        "ticks\n"));
}

TEST_F(SchemaChangeTest, BothRunsAreMadeOnce) {
  const Json report = DiffJson({kHealthFirst});
  EXPECT_EQ(report["is_equal"], false);
  EXPECT_EQ(report["divergence"], nullptr);
  EXPECT_EQ(report["ticks_compared"], kTicks);
  EXPECT_EQ(report["ticks_stepped"], 2 * kTicks);
  const Json& difference = report["schema_differences"][0];
  EXPECT_EQ(difference["kind"], "added");
  EXPECT_EQ(difference["room"], "components");
  EXPECT_EQ(difference["table"], "tag");
  EXPECT_EQ(difference["field"], "health");
  EXPECT_EQ(difference["actual"], "int64");
}

TEST_F(SchemaChangeTest, AnotherSchemaHidesNoDifference) {
  const Json alone = DiffJson({kShorterLife});
  for (const Change& change : {kHealthFirst, kHealthLast, kRemoved}) {
    const Json report = DiffJson({kShorterLife, change});
    EXPECT_FALSE(report["schema_differences"].empty());
    for (const char* const key : {"last_equal_tick", "first_different_tick",
                                  "phase", "rooms", "fields"}) {
      EXPECT_EQ(report["divergence"][key], alone["divergence"][key]) << key;
    }
    EXPECT_EQ(report["consequence"], alone["consequence"]);
    EXPECT_EQ(report["growth"]["samples"].size(),
              alone["growth"]["samples"].size());
  }
}

TEST_F(SchemaChangeTest, WholeComponentsAndOtherTypesAreNamed) {
  EXPECT_THAT(Call("diff", {kHealthLast}).out,
              AllOf(HasSubstr("  components.tag health: added, int64\n"),
                    HasSubstr("  components.mood: added\n")));
  EXPECT_THAT(Call("diff", {kRetyped}).out,
              HasSubstr("  components.tag batch: int64 | double\n"));
  EXPECT_THAT(Call("diff", {kRemoved}).out,
              HasSubstr("  components.tag scale: removed, vector3\n"));
}

TEST_F(SchemaChangeTest, VerificationSaysWhyNothingIsEqual) {
  const CommandResult result =
      Call("verify", {kHealthFirst}, {"--on-divergence", "resync"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("  components.tag health: added, int64\n"),
                    HasSubstr("the schemas of the states differ:\n")));
  EXPECT_THAT(result.err, HasSubstr("` compares both packs"));
}

TEST_F(SchemaChangeTest, VerificationSaysItToPrograms) {
  const CommandResult result =
      Call("verify", {kHealthFirst}, {"--format", "json"});
  const Json file = Json::parse(result.out)["files"][0];
  EXPECT_EQ(file["schema_differences"][0]["text"],
            "components.tag health: added, int64");
  const CommandResult same_schema =
      Call("verify", {kShorterLife}, {"--format", "json"});
  EXPECT_TRUE(
      Json::parse(same_schema.out)["files"][0]["schema_differences"].empty());
}

TEST_F(SchemaChangeTest, NoCapsuleIsMadeOfRunsWithoutACommonState) {
  const CommandResult result =
      Call("diff", {kShorterLife, kHealthFirst},
           {"--capsule", TemporaryPath("schema.capsule.mcap")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("no capsule was written"));
}

TEST_F(SchemaChangeTest, AcceptingShowsWhatChangedFirst) {
  const std::string golden = TemporaryPath("golden.mcap");
  fs::copy_file(Replay(), golden, fs::copy_options::overwrite_existing);
  const auto accept = [&golden](const std::vector<Change>& changes) {
    return RunCommand(
               {kReprise, "accept", golden, "--pack", ChangedPack(changes)})
        .out;
  };
  EXPECT_THAT(accept({kHealthFirst}),
              HasSubstr("changes (golden | now)\n"
                        "  components.tag.properties.health: added, "
                        "{ name: \"health\" type: TYPE_INTEGER }\n"
                        "  the schemas of the states differ:\n"
                        "    components.tag health: added, int64\n"
                        "  what both have is equal for 240 ticks\n"));
  EXPECT_THAT(accept({kHealthFirst, kShorterLife}), HasSubstr("\n  tick "));
}

}  // namespace
}  // namespace reprise::tests

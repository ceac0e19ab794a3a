// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a pack in several files, with values in short and in tables, is
// the same world as one in a single file with values as messages, that every
// mistake has the file and line that it stands in, and that what is mistyped is
// told with what was meant.

#include "sim/compiler/manifest.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Files =
    std::initializer_list<std::pair<std::string_view, std::string_view>>;

PackArchive PackOf(const Files& files) {
  PackArchive pack;
  for (const auto& [path, text] : files) {
    EXPECT_TRUE(pack.Add(std::string(path), std::string(text)).ok());
  }
  return pack;
}

// The problems of a pack, one a line.
std::vector<std::string> Problems(const PackArchive& pack) {
  PackReport report;
  const auto definition = CompilePack(pack, 1, report);
  EXPECT_EQ(definition == nullptr, !report.ok());
  std::vector<std::string> lines;
  for (const PackProblem& problem : report.problems()) {
    lines.push_back(FormatProblem(problem));
  }
  return lines;
}

std::vector<std::string> Problems(const Files& files) {
  return Problems(PackOf(files));
}

// The digest of a pack's world at tick 0.
std::string DigestOf(const Files& files) {
  auto world = CreateWorld(PackOf(files), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? FormatDigest((*world)->state().ComputeRootDigest()) : "";
}

constexpr std::string_view kHealth = R"(components {
  name: "health"
  properties { name: "points" type: TYPE_INTEGER default { integer: 20 } minimum: 0 maximum: 100 }
  properties { name: "pace" type: TYPE_NUMBER }
  properties { name: "mood" type: TYPE_CHOICE choices: "calm" choices: "angry" }
  properties { name: "is_boss" type: TYPE_BOOLEAN }
  properties { name: "enemy" type: TYPE_REFERENCE }
  properties { name: "names" type: TYPE_TEXT list_max: 3 }
  properties { name: "tint" type: TYPE_VECTOR3 }
  properties { name: "turn" type: TYPE_ROTATION }
}
)";
constexpr std::string_view kOrcs =
    R"(types { name: "orc" components { component: "health" } }
types { name: "chief" extends: "orc" }
archetypes { name: "weak_orc" of: "orc" }
objects { name: "grom" type: "chief" }
objects { name: "plain" type: "weak_orc" }
)";

// One file with all of these parts.
std::string Whole(std::initializer_list<std::string_view> parts) {
  std::string text = "name: \"test\"\n";
  for (const std::string_view part : parts) text += part;
  return text;
}

TEST(ManifestTest, SeveralFilesAreTheSameWorldAsOne) {
  const std::string expected =
      DigestOf({{"pack.txtpb", Whole({kHealth, kOrcs})}});
  EXPECT_EQ(DigestOf({{"pack.txtpb",
                       "name: \"test\" include: \"orcs.txtpb\" include: "
                       "\"parts/health.txtpb\""},
                      {"orcs.txtpb", kOrcs},
                      {"parts/health.txtpb", kHealth}}),
            expected);
  // The other way round, nested, and one of them included twice.
  EXPECT_EQ(DigestOf({{"pack.txtpb",
                       "include: \"parts/health.txtpb\" include: "
                       "\"orcs.txtpb\" include: \"name.txtpb\""},
                      {"name.txtpb", "name: \"test\""},
                      {"orcs.txtpb", kOrcs},
                      {"parts/health.txtpb",
                       std::string(kHealth) + "include: \"name.txtpb\""}}),
            expected);
}

TEST(ManifestTest, MistakesHaveTheFileThatTheyStandIn) {
  EXPECT_THAT(
      Problems({{"pack.txtpb",
                 "name: \"test\"\ninclude: \"orcs.txtpb\"\ninclude: "
                 "\"more.txtpb\"\ntypes { name: \"Elf\" }\n"},
                {"orcs.txtpb",
                 "types { name: \"orc\" }\ntypes {\n  name: \"Orc\" }\n"},
                {"more.txtpb",
                 "tick_rate: 5000\nobjects { name: \"a\" type: \"orc\" }\n"
                 "objects {\n name: \"b\"\n type: \"ork\" }\n"}}),
      ElementsAre(
          StartsWith("more.txtpb:1:1: tick_rate: 5000 is not in"),
          StartsWith("pack.txtpb:4:9: types[0].name: 'Elf' is not a name"),
          StartsWith("orcs.txtpb:3:3: types[1].name: 'Orc' is not a name"),
          StartsWith("more.txtpb:5:2: objects[1].type: there is no type or "
                     "archetype 'ork'; did you mean 'orc'?")));
}

TEST(ManifestTest, MistakesInSyntaxHaveTheFileThatTheyStandIn) {
  EXPECT_THAT(Problems({{"pack.txtpb", "name: \"test\" include: \"a.txtpb\""},
                        {"a.txtpb", "\ntypes { name: 3 }"}}),
              ElementsAre(StartsWith("a.txtpb:2:15: ")));
}

TEST(ManifestTest, FieldThatCanBeThereOnceIsRefusedTwice) {
  EXPECT_THAT(
      Problems({{"pack.txtpb",
                 "name: \"test\"\ntick_rate: 60\nphysics { }\ninclude: "
                 "\"a.txtpb\""},
                {"a.txtpb", "physics { }\n  tick_rate: 0\n"}}),
      ElementsAre("a.txtpb:2:3: tick_rate: stands in pack.txtpb:2:1, too, and "
                  "can be there once",
                  "a.txtpb:1:1: physics: stands in pack.txtpb:3:1, too, and "
                  "can be there once"));
}

TEST(ManifestTest, OnlyTheManifestItselfNamesItsSimulation) {
  EXPECT_THAT(Problems({{"pack.txtpb", "name: \"test\" include: \"a.txtpb\""},
                        {"a.txtpb", "simulation: \"world\""}}),
              ElementsAre("a.txtpb:1:1: simulation: only pack.txtpb says which "
                          "simulation runs the pack"));
}

TEST(ManifestTest, RingsOfIncludesAreRefusedByName) {
  EXPECT_THAT(Problems({{"pack.txtpb", "name: \"test\" include: \"a.txtpb\""},
                        {"a.txtpb", "include: \"b.txtpb\""},
                        {"b.txtpb", "\ninclude: [\"c.txtpb\", \"a.txtpb\"]"},
                        {"c.txtpb", "include: \"pack.txtpb\""}}),
              ElementsAre("c.txtpb:1:1: include[0]: files include each other: "
                          "pack.txtpb -> a.txtpb -> b.txtpb -> c.txtpb -> "
                          "pack.txtpb",
                          "b.txtpb:2:1: include[1]: files include each other: "
                          "a.txtpb -> b.txtpb -> a.txtpb"));
}

TEST(ManifestTest, IncludesLeadToFilesOfThePack) {
  const std::string text =
      "name: \"test\"\ninclude: \"a.txtp\"\ninclude: \"../a.txtpb\"\ninclude: "
      "\"/etc/passwd\"\ninclude: \"\"";
  EXPECT_THAT(
      Problems({{"pack.txtpb", text}, {"a.txtpb", ""}}),
      ElementsAre("pack.txtpb:2:1: include[0]: there is no file 'a.txtp'; did "
                  "you mean 'a.txtpb'?",
                  "pack.txtpb:3:1: include[1]: not a path within a pack: "
                  "'../a.txtpb'",
                  "pack.txtpb:4:1: include[2]: not a path within a pack: "
                  "'/etc/passwd'",
                  StartsWith("pack.txtpb:5:1: include[3]: a path in a pack")));
}

TEST(ManifestTest, DepthAndNumberOfFilesAreBounded) {
  const auto chain = [](int depth) {
    PackArchive pack;
    EXPECT_TRUE(pack.Add("pack.txtpb", "name: \"test\" include: \"f1\"").ok());
    for (int i = 1; i <= depth; ++i) {
      const std::string text =
          i < depth ? fmt::format("include: \"f{}\"", i + 1) : "";
      EXPECT_TRUE(pack.Add(fmt::format("f{}", i), text).ok());
    }
    return Problems(pack);
  };
  EXPECT_THAT(chain(16), IsEmpty());
  EXPECT_THAT(chain(17), ElementsAre(StartsWith(
                             "f16:1:1: include[0]: more than 16 files deep: "
                             "pack.txtpb -> f1 -> f2")));
  const auto row = [](int count) {
    PackArchive pack;
    std::string text = "name: \"test\"\n";
    for (int i = 1; i < count; ++i) {
      text += fmt::format("include: \"f{}\"\n", i);
      EXPECT_TRUE(pack.Add(fmt::format("f{}", i), "").ok());
    }
    EXPECT_TRUE(pack.Add("pack.txtpb", text).ok());
    return Problems(pack);
  };
  EXPECT_THAT(row(1000), IsEmpty());
  EXPECT_THAT(row(1001), ElementsAre("pack.txtpb:1001:1: include[999]: more "
                                     "than 1000 files"));
}

TEST(ManifestTest, ShortValuesAreThoseOfMessages) {
  const std::string expected = DigestOf({{"pack.txtpb", Whole({kHealth, R"(
types { name: "orc" components { component: "health"
  set { property: "points" value { integer: 60 } }
  set { property: "pace" value { number: 0.1 } }
  set { property: "names" value { list { values { text: "a b" } values { text: "c" } } } } } }
archetypes { name: "weak" of: "orc" components { component: "health"
  set { property: "mood" value { text: "angry" } }
  set { property: "names" value { list {} } }
  set { property: "tint" value { vector3 { x: 1 y: -2 z: 0.5 } } } } }
objects { name: "plain" type: "orc" }
objects { name: "grom" type: "weak" components { component: "health"
  set { property: "is_boss" value { boolean: true } }
  set { property: "enemy" value { text: "plain" } }
  set { property: "turn" value { rotation_degrees { y: 90 } } } } }
)"})}});
  EXPECT_EQ(DigestOf({{"pack.txtpb", Whole({kHealth, R"(
types { name: "orc"
  set { property: "health.points" to: "60" }
  set { property: "health.pace" to: "0.1" }
  set { property: "health.names" to: ["a b", "c"] } }
archetypes { name: "weak" of: "orc"
  set { property: "health.mood" to: "angry" }
  set { property: "health.names" }
  set { property: "health.tint" to: "1 -2 0.5" } }
objects { name: "plain" type: "orc" }
objects { name: "grom" type: "weak"
  set { property: "health.is_boss" to: "true" }
  set { property: "health.enemy" to: "plain" }
  set { property: "health.turn" to: "0 90 0" } }
)"})}}),
            expected);
  // Within a component, and both beside each other.
  EXPECT_EQ(DigestOf({{"pack.txtpb", Whole({kHealth, R"(
types { name: "orc" components { component: "health"
  set { property: "points" to: "60" }
  set { property: "pace" to: "0.1" } }
  set { property: "health.names" value { list { values { text: "a b" } values { text: "c" } } } } }
archetypes { name: "weak" of: "orc" components { component: "health"
  set { property: "mood" to: "angry" }
  set { property: "names" } }
  set { property: "health.tint" to: "1 -2 0.5" } }
objects { name: "plain" type: "orc" }
objects { name: "grom" type: "weak" components { component: "health"
  set { property: "is_boss" to: "true" }
  set { property: "enemy" value { text: "plain" } } }
  set { property: "health.turn" to: "0 90 0" } }
)"})}}),
            expected);
}

TEST(ManifestTest, MistakesInShortValuesHaveTheirPlace) {
  EXPECT_THAT(
      Problems({{"pack.txtpb", Whole({kHealth, R"(types { name: "orc"
  set { property: "health.points" to: "many" }
  set { property: "health.pionts" to: "1" }
  set { property: "helth.points" to: "1" }
  set { property: "points" to: "1" }
  set { property: "health.pace" to: "1" to: "2" }
  set { property: "health.tint" to: "1 2 3" value { number: 1 } }
  set { property: "health.mood" }
}
)"})}}),
      ElementsAre(
          "pack.txtpb:14:35: types[0].set[0].to: 'health.points': 'many' is "
          "not a whole number of 64 bits, such as 60",
          StartsWith("pack.txtpb:15:9: types[0].set[1].property: 'health' has "
                     "no property 'pionts'; did you mean 'points'? There are "
                     "enemy, is_boss,"),
          StartsWith("pack.txtpb:16:9: types[0].set[2].property: there is no "
                     "component 'helth'; did you mean 'health'?"),
          "pack.txtpb:17:9: types[0].set[3].property: 'points' is not "
          "component.property; did you mean 'health.points'?",
          EndsWith("types[0].set[4].to: 'health.pace': wants one value, not 2"),
          EndsWith("types[0].set[5].to: a value stands there, too"),
          EndsWith("types[0].set[6].to: 'health.mood': wants one value, not "
                   "0")));
}

TEST(ManifestTest, MistakesThatTheCompilerFindsHaveThePlaceOfTheShortValue) {
  EXPECT_THAT(
      Problems({{"pack.txtpb", Whole({"include: \"a.txtpb\"\n", kHealth})},
                {"a.txtpb", R"(types { name: "orc"
  set { property: "health.points" to: "200" }
  set { property: "health.mood" to: "angri" } }
types { name: "stone" }
objects { name: "a" type: "stone"
  set { property: "health.points" to: "2" } }
objects { name: "b" type: "orc"
  set { property: "health.enemy" to: "aa" } }
)"}}),
      ElementsAre("a.txtpb:2:35: types[0].set[0].to: 'health.points': 200 is "
                  "above the maximum 100",
                  "a.txtpb:3:33: types[0].set[1].to: 'health.mood': 'angri' is "
                  "not among the choices; did you mean 'angry'? There are calm "
                  "and angry",
                  "a.txtpb:6:3: objects[0].set[0]: the type has no component "
                  "'health'",
                  "a.txtpb:8:34: objects[1].set[0].to: 'health.enemy': there "
                  "is no object 'aa'; did you mean 'a'? There are a and b"));
}

TEST(ManifestTest, ValueThatIsSetTwiceIsRefusedWithBothPlaces) {
  EXPECT_THAT(
      Problems({{"pack.txtpb", Whole({kHealth, R"(types { name: "orc"
  components { component: "health" set { property: "points" to: "1" } }
  set { property: "health.points" to: "2" }
  set { property: "health.pace" to: "2" }
  set { property: "health.pace" to: "2" } }
)"})}}),
      ElementsAre("pack.txtpb:15:9: types[0].set[0].property: 'health.points' "
                  "is set already, at pack.txtpb:14:36",
                  "pack.txtpb:17:9: types[0].set[2].property: 'health.pace' is "
                  "set already, at pack.txtpb:16:33"));
}

TEST(ManifestTest, TablesSetWhatManifestsDo) {
  const std::string expected = DigestOf({{"pack.txtpb", Whole({kHealth, R"(
types { name: "orc" components { component: "health"
  set { property: "points" value { integer: 60 } } } }
types { name: "chief" extends: "orc" components { component: "health"
  set { property: "pace" value { number: 0.25 } }
  set { property: "names" value { list { values { text: "a, b" } values { text: "c" } } } } } }
archetypes { name: "weak_orc" of: "orc" components { component: "health"
  set { property: "points" value { integer: 5 } }
  set { property: "tint" value { vector3 { x: 1 y: 2 z: 3 } } } } }
objects { name: "grom" type: "chief" }
objects { name: "plain" type: "weak_orc" }
)"})}});
  EXPECT_EQ(
      DigestOf({{"pack.txtpb", Whole({"tables { file: \"balance/orcs.csv\" }\n",
                                      kHealth, kOrcs})},
                {"balance/orcs.csv",
                 "\xef\xbb\xbfname,health.points,health.pace,"
                 "health.names,health.tint\r\n"
                 "weak_orc,5,,,1 2 3\r\n"
                 "chief,,0.25,\"a, b;c\",\r\n"
                 "\r\n"
                 "orc,60,,,\r\n"}}),
      expected);
}

TEST(ManifestTest, MistakesInTablesHaveLineAndColumn) {
  EXPECT_THAT(
      Problems({{"pack.txtpb",
                 Whole({"tables { file: \"t.csv\" }\n", kHealth, kOrcs})},
                {"t.csv",
                 "name,health.points,health.pionts,health.points,points\n"
                 "orc,many,1,2,3\n"
                 "ork,1,1,1,1\n"
                 "chief,200,1,1,1\n"
                 "orc,5,1,1,1\n"
                 "weak_orc,1\n"}}),
      ElementsAre(
          StartsWith("t.csv:1:20: 'health' has no property 'pionts'; did you "
                     "mean 'points'?"),
          "t.csv:1:34: there are two columns 'health.points'",
          "t.csv:1:48: 'points' is not component.property; did you mean "
          "'health.points'?",
          "t.csv:2:5: health.points: 'many' is not a whole number of 64 bits, "
          "such as 60",
          "t.csv:3:1: there is no type or archetype 'ork'; did you mean "
          "'orc'? There are chief, orc and weak_orc",
          "t.csv:5:1: 'orc' stands in line 2, too",
          "t.csv:6:1: 2 cells, but the first line has 5",
          StartsWith("t.csv:4:7: health.points: ")));
}

TEST(ManifestTest, TableAndManifestSetOneValueOnce) {
  EXPECT_THAT(
      Problems(
          {{"pack.txtpb", Whole({"include: \"b.txtpb\"\ntables { file: "
                                 "\"t.csv\" } tables { file: \"u.csv\" }\n",
                                 kHealth})},
           {"b.txtpb",
            "types { name: \"orc\"\n set { property: \"health.pace\" to: \"1\" "
            "} }"},
           {"t.csv", "name,health.points,health.pace\norc,1,2\n"},
           {"u.csv", "name,health.points\norc,2\n"}}),
      ElementsAre("t.csv:2:7: health.pace: 'health.pace' is set already, at "
                  "b.txtpb:2:32",
                  "u.csv:2:5: health.points: 'health.points' is set already, "
                  "at t.csv:2:5"));
}

TEST(ManifestTest, TablesAreFilesOfThePack) {
  EXPECT_THAT(
      Problems({{"pack.txtpb",
                 "name: \"test\"\ntables { file: \"t.csf\" }\ntables { file: "
                 "\"../t.csv\" }\ntables { file: \"t.csv\" }\ntables { file: "
                 "\"t.csv\" }\ntables { file: \"broken.csv\" }\n"},
                {"t.csv", ""},
                {"broken.csv", "name\n\"orc\n"}}),
      ElementsAre(
          StartsWith("pack.txtpb:2:10: tables[0].file: there is no file "
                     "'t.csf'; did you mean 't.csv'?"),
          "pack.txtpb:3:10: tables[1].file: not a path within a pack: "
          "'../t.csv'",
          "t.csv: the table is empty",
          "pack.txtpb:5:10: tables[3].file: there are two tables 't.csv'",
          "broken.csv:2:1: the quotes that begin here don't end"));
}

TEST(ManifestTest, ColumnsAndCellsOfTablesAreBounded) {
  std::string wide = "name";
  for (int i = 0; i < 256; ++i) wide += ",";
  const PackArchive pack =
      PackOf({{"pack.txtpb", "name: \"test\" tables { file: \"t.csv\" }"},
              {"t.csv", wide}});
  EXPECT_THAT(Problems(pack),
              ElementsAre("t.csv:1:261: more than 256 columns"));
  const std::string many(150000, ',');
  EXPECT_THAT(Problems({{"pack.txtpb",
                         "name: \"test\" tables { file: \"a.csv\" }\ntables "
                         "{ file: \"b.csv\" }"},
                        {"a.csv", many},
                        {"b.csv", many}}),
              ElementsAre("a.csv:1:257: more than 256 columns",
                          "pack.txtpb:2:10: tables[1].file: more than 200000 "
                          "cells in all tables"));
}

TEST(ManifestTest, MistypedFieldsAndValuesAreToldWithWhatWasMeant) {
  EXPECT_THAT(
      Problems({{"pack.txtpb", "name: \"test\"\ntypes { bdoy { } }\n"}}),
      ElementsAre(AllOf(StartsWith("pack.txtpb:2:"),
                        HasSubstr("Type has no field 'bdoy'; did you mean "
                                  "'body'? There are name, body, roller"))));
  EXPECT_THAT(
      Problems({{"pack.txtpb",
                 "name: \"test\"\ntypes { body { motion: MOTION_FIXT } }\n"}}),
      ElementsAre(AllOf(StartsWith("pack.txtpb:2:"),
                        HasSubstr("'motion' has no value 'MOTION_FIXT'; did "
                                  "you mean 'MOTION_FIXED'? There are "
                                  "MOTION_FIXED, MOTION_DYNAMIC"))));
}

TEST(ManifestTest, AFieldWithoutItsUnitIsThatField) {
  for (const auto& [text, meant] :
       {std::pair("objects { rotation { y: 90 } }", "rotation_degrees"),
        std::pair("physics { substeps: 2 }", "substeps_per_tick"),
        std::pair("types { senses { vision { angle: 90 } } }",
                  "angle_degrees")}) {
    EXPECT_THAT(
        Problems({{"pack.txtpb", std::string("name: \"test\"\n") + text}}),
        ElementsAre(HasSubstr(std::string("; did you mean '") + meant + "'?")));
  }
}

TEST(ManifestTest, OnlyTheFirstTwentyProblemsAreWorthLookingForWhatWasMeant) {
  std::string text = "name: \"test\" types { name: \"orc\" }\n";
  for (int i = 0; i < 30; ++i) {
    text += fmt::format("objects {{ name: \"o{}\" type: \"ork\" }}\n", i);
  }
  const std::vector<std::string> problems = Problems({{"pack.txtpb", text}});
  ASSERT_EQ(problems.size(), 30u);
  EXPECT_THAT(problems[19], EndsWith("'ork'; did you mean 'orc'?"));
  EXPECT_THAT(problems[20], EndsWith("'ork'"));
}

}  // namespace
}  // namespace reprise::sim

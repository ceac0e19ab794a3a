// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves how values of properties are resolved, from the component's default to
// the object's own, and that every mistake in components, types and archetypes
// is reported with its place.

#include "sim/compiler/component_compiler.h"

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::shared_ptr<const WorldDefinition> Compile(
    std::initializer_list<std::string_view> parts) {
  PackReport report;
  auto definition = CompilePack(PackOf(Manifest(parts)), 1, report);
  EXPECT_NE(definition, nullptr) << report.ToStatus();
  return definition;
}

// The value that an object begins with, of a property that is no list.
FieldValue ValueOf(const WorldDefinition& world, std::string_view object,
                   std::string_view component, std::string_view property) {
  const uint32_t index = *world.FindComponent(IdOf(component));
  const ComponentDefinition& definition = world.components[index];
  for (const ObjectDefinition& each : world.objects) {
    if (each.name != object) continue;
    const TypeDefinition& type =
        world.types[world.archetypes[each.archetype].type];
    for (size_t i = 0; i < type.components.size(); ++i) {
      if (type.components[i].component != index) continue;
      return ReadProperty(definition, *definition.Find(property), each.rows[i])
          .scalars()[0];
    }
  }
  ADD_FAILURE() << object;
  return {};
}

uint64_t OverriddenOf(const WorldDefinition& world, std::string_view object) {
  for (const ObjectDefinition& each : world.objects) {
    if (each.name != object) continue;
    uint64_t bits;
    std::memcpy(&bits, each.rows[0].data() + sizeof(ObjectId), sizeof(bits));
    return bits;
  }
  ADD_FAILURE() << object;
  return 0;
}

constexpr std::string_view kHealth = R"(
components {
  name: "health"
  properties { name: "points" type: TYPE_INTEGER default { integer: 20 } minimum: 0 maximum: 100 }
  properties { name: "mood" type: TYPE_CHOICE choices: "calm" choices: "angry" }
  properties { name: "enemy" type: TYPE_REFERENCE }
  properties { name: "names" type: TYPE_TEXT list_max: 3 }
  properties { name: "tint" type: TYPE_VECTOR3 default { vector3 { x: 1 y: 1 z: 1 } } minimum: 0 maximum: 1 }
  properties { name: "turn" type: TYPE_ROTATION }
}
)";
constexpr std::string_view kOrcs = R"(
types { name: "orc" components { component: "health" } }
types { name: "chief" extends: "orc" components { component: "health" set { property: "points" value { integer: 60 } } } }
archetypes { name: "weak_orc" of: "orc" components { component: "health" set { property: "points" value { integer: 5 } } } }
archetypes { name: "angry_weak_orc" of: "weak_orc" components { component: "health" set { property: "mood" value { text: "angry" } } } }
objects { name: "plain" type: "orc" }
objects { name: "boss" type: "chief" }
objects { name: "weak" type: "weak_orc" }
objects { name: "angry" type: "angry_weak_orc" }
objects { name: "own" type: "weak_orc" components { component: "health" set { property: "points" value { integer: 20 } } } }
)";

TEST(ComponentCompilerTest, NearestValueCounts) {
  const auto world = Compile({kHealth, kOrcs});
  const auto points = [&](std::string_view object) {
    return static_cast<int64_t>(
        ValueOf(*world, object, "health", "points").bits);
  };
  EXPECT_EQ(points("plain"), 20);
  EXPECT_EQ(points("boss"), 60);
  EXPECT_EQ(points("weak"), 5);
  EXPECT_EQ(points("angry"), 5);
  EXPECT_EQ(points("own"), 20);
  EXPECT_EQ(ValueOf(*world, "angry", "health", "mood"),
            FieldValue::OfId(IdOf("angry")));
  EXPECT_EQ(ValueOf(*world, "weak", "health", "mood"),
            FieldValue::OfId(IdOf("calm")));
}

TEST(ComponentCompilerTest, ValueThatEqualsTheDefaultIsStillTheObjectsOwn) {
  const auto world = Compile({kHealth, kOrcs});
  EXPECT_EQ(OverriddenOf(*world, "own"), 1u);
  EXPECT_EQ(OverriddenOf(*world, "weak"), 0u);
  EXPECT_EQ(OverriddenOf(*world, "plain"), 0u);
}

TEST(ComponentCompilerTest, ChangedDefaultReachesAllThatDoNotOverrideIt) {
  std::string health(kHealth);
  health.replace(health.find("integer: 20"), 11, "integer: 30");
  const auto world = Compile({health, kOrcs});
  EXPECT_EQ(ValueOf(*world, "plain", "health", "points").bits, 30u);
  EXPECT_EQ(ValueOf(*world, "own", "health", "points").bits, 20u);
}

TEST(ComponentCompilerTest, DefaultsArePartOfThePacksDigest) {
  std::string health(kHealth);
  health.replace(health.find("integer: 20"), 11, "integer: 30");
  EXPECT_NE(Compile({kHealth})->info.pack_digest,
            Compile({health})->info.pack_digest);
}

TEST(ComponentCompilerTest, ReferenceIsTheHandleOfItsObject) {
  const auto world = Compile(
      {kHealth,
       "types { name: \"orc\" components { component: \"health\" } }\n",
       "objects { name: \"b\" type: \"orc\" }\n",
       "objects { name: \"a\" type: \"orc\" components { component: \"health\" "
       "set { property: \"enemy\" value { text: \"b\" } } } }\n"});
  EXPECT_EQ(ValueOf(*world, "a", "health", "enemy"),
            FieldValue::OfHandle({.index = 1, .generation = 1}));
}

// The one problem of a pack in which the type "orc" sets a property so.
std::string ProblemOf(std::string_view setting) {
  const std::vector<std::string> problems = Problems(Manifest(
      {kHealth, "types { name: \"orc\" components { component: \"health\"\n",
       setting, "\n} }\n"}));
  EXPECT_EQ(problems.size(), 1u) << setting;
  return problems.empty() ? "" : problems[0];
}

TEST(ComponentCompilerTest, WrongValuesAreReportedWithTheirPlace) {
  const std::string place = "types[0].components[0].set[0]";
  const auto set = [](std::string_view property, std::string_view value) {
    return "set { property: \"" + std::string(property) + "\" value { " +
           std::string(value) + " } }";
  };
  EXPECT_THAT(
      ProblemOf(set("pionts", "integer: 1")),
      HasSubstr(place + ".property: 'health' has no property 'pionts'"));
  EXPECT_THAT(ProblemOf(set("points", "integer: 101")),
              HasSubstr(place + ".value: 101 is above the maximum 100"));
  EXPECT_THAT(ProblemOf(set("points", "integer: -1")),
              HasSubstr("below the minimum 0"));
  EXPECT_THAT(ProblemOf(set("points", "number: 1")),
              HasSubstr("wants a value of the kind integer"));
  EXPECT_THAT(ProblemOf(set("points", "list { values { integer: 1 } }")),
              HasSubstr("wants a value of the kind integer"));
  EXPECT_THAT(ProblemOf(set("mood", "text: \"sad\"")),
              HasSubstr("'sad' is not among the choices"));
  EXPECT_THAT(ProblemOf(set("tint", "vector3 { x: 2 }")),
              HasSubstr("2 is above the maximum 1"));
  EXPECT_THAT(ProblemOf(set("tint", "vector3 { x: nan }")),
              HasSubstr("isn't finite"));
  EXPECT_THAT(ProblemOf(set("names", "text: \"x\"")),
              HasSubstr("wants a list"));
  EXPECT_THAT(
      ProblemOf(set("names",
                    "list { values { text: \"a\" } values { text: \"b\" "
                    "} values { text: \"c\" } values { text: \"d\" } }")),
      HasSubstr("the list holds 3"));
  EXPECT_THAT(ProblemOf(set("enemy", "text: \"orc\"")),
              HasSubstr("only be referred to by an object"));
  EXPECT_THAT(
      ProblemOf(set("points", "integer: 1") + set("points", "integer: 2")),
      HasSubstr("set[1].property: 'points' is set twice"));
}

TEST(ComponentCompilerTest, WrongComponentsAreReportedWithTheirPlace) {
  const auto problem = [](std::string_view part) {
    const std::vector<std::string> problems = Problems(Manifest({part}));
    EXPECT_EQ(problems.size(), 1u) << part;
    return problems.empty() ? "" : problems[0];
  };
  const auto component = [](std::string_view property) {
    return "components { name: \"c\" properties { name: \"p\" " +
           std::string(property) + " } }";
  };
  EXPECT_THAT(problem(component("")),
              HasSubstr("components[0].properties[0].type: required"));
  EXPECT_THAT(problem(component("type: TYPE_CHOICE")),
              HasSubstr("properties[0].choices: required"));
  EXPECT_THAT(problem(component("type: TYPE_NUMBER choices: \"a\"")),
              HasSubstr("only a TYPE_CHOICE has choices"));
  EXPECT_THAT(problem(component("type: TYPE_NUMBER minimum: 3 maximum: 2 "
                                "default { integer: 3 }")),
              HasSubstr("properties[0].maximum"));
  EXPECT_THAT(problem(component("type: TYPE_NUMBER minimum: 3")),
              HasSubstr("properties[0].default: required"));
  EXPECT_THAT(problem(component("type: TYPE_BOOLEAN minimum: 0")),
              HasSubstr("only numbers and vectors have bounds"));
  EXPECT_THAT(problem(component("type: TYPE_NUMBER list_max: 1000")),
              HasSubstr("properties[0].list_max"));
  EXPECT_THAT(problem(component("type: TYPE_NUMBER unit: \"m\\n\"")),
              HasSubstr("properties[0].unit: at most 64 bytes of text"));
  EXPECT_THAT(problem("components { name: \"spawner\" }"),
              HasSubstr("there are two components 'spawner'"));
  EXPECT_THAT(problem("components { name: \"c\" properties { name: \"object\" "
                      "type: TYPE_NUMBER } }"),
              HasSubstr("'object' is taken in this component"));
  std::string wide = "components { name: \"c\"";
  for (int i = 0; i < 3; ++i) {
    wide += " properties { name: \"p" + std::to_string(i) +
            "\" type: TYPE_ROTATION list_max: 256 }";
  }
  EXPECT_THAT(problem(wide + " }"), HasSubstr("more than 4096"));
}

// Types in a row, each of which extends the one before; named so that they are
// compiled from its end, or from its beginning.
std::string TypesInARow(int count, bool is_from_the_end) {
  const auto name = [&](int i) {
    return fmt::format("t{}", 100000 + (is_from_the_end ? -i : i));
  };
  std::string types = fmt::format("types {{ name: \"{}\" }}\n", name(0));
  for (int i = 1; i < count; ++i) {
    types += fmt::format("types {{ name: \"{}\" extends: \"{}\" }}\n", name(i),
                         name(i - 1));
  }
  return types;
}

TEST(TypeCompilerTest, TypesInARowAreBounded) {
  for (const bool is_from_the_end : {false, true}) {
    EXPECT_THAT(Problems(Manifest({TypesInARow(65, is_from_the_end)})),
                IsEmpty());
    EXPECT_THAT(
        Problems(Manifest({TypesInARow(66, is_from_the_end)})),
        ElementsAre(HasSubstr(".extends: more than 64 types extend each other "
                              "in a row")));
  }
}

TEST(TypeCompilerTest, ThousandsOfTypesInARowAreAnErrorAndNoCrash) {
  for (const bool is_from_the_end : {false, true}) {
    EXPECT_THAT(Problems(Manifest({TypesInARow(12000, is_from_the_end)})),
                Not(IsEmpty()));
  }
}

TEST(TypeCompilerTest, HowManyObjectsThereCanBeIsInherited) {
  const auto world = Compile({
      "types { name: \"a\" objects_max: 3 }\n",
      "types { name: \"b\" extends: \"a\" }\n",
      "types { name: \"c\" extends: \"b\" objects_max: 5 }\n",
      "types { name: \"d\" }\n",
  });
  EXPECT_EQ(world->types[0].objects_max, 3u);
  EXPECT_EQ(world->types[1].objects_max, 3u);
  EXPECT_EQ(world->types[2].objects_max, 5u);
  EXPECT_EQ(world->types[3].objects_max, world->objects_max);
}

TEST(TypeCompilerTest, WrongTypesAndArchetypesAreReportedWithTheirPlace) {
  EXPECT_THAT(
      Problems(Manifest({"types { name: \"a\" extends: \"b\" }\n"
                         "types { name: \"b\" extends: \"a\" }\n"})),
      ElementsAre(HasSubstr("a type can't extend itself: a -> b -> a")));
  EXPECT_THAT(Problems(Manifest({"types { name: \"a\" extends: \"x\" }"})),
              ElementsAre(HasSubstr("types[0].extends: there is no type 'x'")));
  EXPECT_THAT(
      Problems(Manifest({"types { name: \"a\" components { component: \"x\" } "
                         "}"})),
      ElementsAre(HasSubstr(
          "types[0].components[0].component: there is no component 'x'")));
  EXPECT_THAT(
      Problems(Manifest({"types { name: \"a\" behaviours { behaviour: \"x\" } "
                         "}"})),
      ElementsAre(HasSubstr(
          "there is no behaviour 'x'; there are follow_path and spawn")));
  EXPECT_THAT(Problems(Manifest({"types { name: \"a\" behaviours { behaviour: "
                                 "\"spawn\" } }"})),
              ElementsAre(HasSubstr("the type needs the component 'spawner'")));
  EXPECT_THAT(
      Problems(Manifest({"types { name: \"a\" }\narchetypes { name: \"a\" of: "
                         "\"a\" }"})),
      ElementsAre(HasSubstr("archetypes[0].name")));
  EXPECT_THAT(
      Problems(Manifest({"archetypes { name: \"a\" of: \"b\" }\narchetypes { "
                         "name: \"b\" of: \"a\" }"})),
      ElementsAre(HasSubstr("archetypes[0].of"),
                  HasSubstr("archetypes[1].of")));
}

// Neither what is made from it, nor who is of either, is to blame.
TEST(ComponentCompilerTest, OneWrongArchetypeIsOneProblem) {
  constexpr std::string_view kType = "types { name: \"orc\" }\n";
  EXPECT_THAT(
      Problems(Manifest({kType, R"(
archetypes { name: "angry" of: "weak" }
archetypes { name: "weak" of: "orx" }
archetypes { name: "furious" of: "angry" }
objects { name: "a" type: "weak" }
objects { name: "b" type: "furious" grid { count_x: 3 } }
objects { name: "c" type: "orc" }
)"})),
      ElementsAre(HasSubstr("archetypes[1].of: there is no type or archetype "
                            "'orx' that isn't made from this one; did you "
                            "mean 'orc'?")));
  // Of a ring, all are; not what hangs on it.
  EXPECT_THAT(
      Problems(Manifest({kType, R"(
archetypes { name: "a" of: "c" }
archetypes { name: "b" of: "a" }
archetypes { name: "c" of: "b" }
archetypes { name: "d" of: "b" }
archetypes { name: "e" of: "d" }
objects { name: "x" type: "e" }
objects { name: "y" type: "f" }
)"})),
      ElementsAre(HasSubstr("archetypes[0].of"), HasSubstr("archetypes[1].of"),
                  HasSubstr("archetypes[2].of"),
                  HasSubstr("objects[1].type: there is no type or "
                            "archetype 'f'")));
}

}  // namespace
}  // namespace reprise::sim

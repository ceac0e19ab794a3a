// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the descriptions of the packs that ship are true: random players
// see no event or argument that isn't declared, legends are of whole numbers in
// the state, and the names of types, components and properties are those of the
// pack.

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/game_description.h"
#include "sim/input/random_input_source.h"
#include "sim/scalar_legend.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/world_description.h"
#include "tests/packs/battery_packs.h"
#include "tests/world/described_events.h"

namespace reprise::sim {
namespace {

std::unique_ptr<Simulation> MakeWorld(const std::string& name) {
  auto world = CreateWorld(BatteryPack(name), /*seed=*/1);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// The events of a run with random inputs.
std::vector<Event> PlayRandomly(Simulation& world, int ticks) {
  RandomInputSource players(world.info().inputs, /*seed=*/34);
  std::vector<Event> events;
  for (int tick = 0; tick < ticks; ++tick) {
    world.Step(players.Next(), nullptr);
    std::ranges::copy(world.DrainEvents(), std::back_inserter(events));
  }
  return events;
}

const ComponentDescription* FindComponent(const GameDescription& description,
                                          std::string_view name) {
  const auto found = std::ranges::find(description.components, name,
                                       &ComponentDescription::name);
  return found == description.components.end() ? nullptr : &*found;
}

class DescriptionTest : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Packs, DescriptionTest,
                         ::testing::ValuesIn(kBatteryPacks));

TEST_P(DescriptionTest, RandomPlayersSeeNoUndeclaredEvent) {
  const auto world = MakeWorld(GetParam());
  for (const Event& event : PlayRandomly(*world, 300)) {
    std::string arguments;
    for (const EventArgument& argument : event.arguments) {
      arguments += " " + world->IdName(argument.name);
    }
    ASSERT_TRUE(IsDeclared(world->description(), event))
        << "tick " << event.tick << ": " << world->IdName(event.type) << " of"
        << arguments;
  }
}

TEST_P(DescriptionTest, LegendsAreOfWholeNumbers) {
  const auto world = MakeWorld(GetParam());
  for (const Legend& legend : world->description().legends) {
    const auto table = world->state().Find(legend.room, legend.table);
    if (!table.has_value()) continue;  // this pack has none
    const auto fields = world->state().table(*table).schema().fields();
    // Of an array, an element may have one of its own.
    const auto field = std::ranges::find(
        fields, legend.field.substr(0, legend.field.find('[')),
        &sim::Field::name);
    ASSERT_NE(field, fields.end()) << legend.table << '.' << legend.field;
    const std::set<ScalarType> whole = {ScalarType::kInt16, ScalarType::kInt32,
                                        ScalarType::kInt64, ScalarType::kUint32,
                                        ScalarType::kUint64};
    EXPECT_TRUE(whole.contains(field->scalar))
        << legend.table << '.' << legend.field;
  }
}

TEST_P(DescriptionTest, AFieldHasOneLegend) {
  const auto world = MakeWorld(GetParam());
  std::set<std::string> seen;
  for (const Legend& legend : world->description().legends) {
    const std::string name =
        legend.room + "." + legend.table + "." + legend.field;
    EXPECT_TRUE(seen.insert(name).second) << name;
  }
}

TEST_P(DescriptionTest, PropertiesAreFieldsOfTheState) {
  const auto world = MakeWorld(GetParam());
  for (const ComponentDescription& component :
       world->description().components) {
    const auto table = world->state().Find("components", component.name);
    ASSERT_TRUE(table.has_value()) << component.name;
    const auto fields = world->state().table(*table).schema().fields();
    for (const PropertyDescription& property : component.properties) {
      const auto field =
          std::ranges::find(fields, property.name, &sim::Field::name);
      ASSERT_NE(field, fields.end()) << component.name << '.' << property.name;
      EXPECT_EQ(field->unit, property.unit);
      EXPECT_EQ(field->scalar, ScalarTypeOf(property.type));
    }
  }
}

TEST_P(DescriptionTest, WhatTypesUseIsThere) {
  const auto world = MakeWorld(GetParam());
  const GameDescription& description = world->description();
  ASSERT_FALSE(description.types.empty());
  for (const TypeDescription& type : description.types) {
    for (const std::string& component : type.components) {
      EXPECT_NE(FindComponent(description, component), nullptr) << component;
    }
    EXPECT_GT(type.objects_max, 0u);
  }
}

TEST_P(DescriptionTest, ForksShareIt) {
  const auto world = MakeWorld(GetParam());
  EXPECT_EQ(&world->Fork()->description(), &world->description());
}

TEST(DescriptionCheckTest, KeysAreCalledAsTheActionsThatTheyAre) {
  const auto world = MakeWorld("parlour");
  const auto fields = world->state()
                          .table(*world->state().Find("input", "keyboards"))
                          .schema()
                          .fields();
  const auto keys = std::ranges::find(fields, "keys", &sim::Field::name);
  ASSERT_NE(keys, fields.end());
  const auto name_of = [&](uint32_t word, uint64_t held) {
    const Legend* const legend = FindScalarLegend(world->description(), "input",
                                                  "keyboards", *keys, word);
    return legend == nullptr ? "-"
                             : legend->NameOf({ScalarType::kUint64, held});
  };
  // USB's numbers: A is 4, S 22, the space bar 44.
  EXPECT_EQ(name_of(0, 1u << 4 | 1u << 22), "west, south");
  EXPECT_EQ(name_of(0, uint64_t{1} << 44), "jump");
  EXPECT_EQ(name_of(1, 1), "-");
}

// The checkers are checked: with one argument or event less, a run is refused.
TEST(DescriptionCheckTest, AnUndeclaredArgumentIsFound) {
  const auto world = MakeWorld("nursery");
  const std::vector<Event> events = PlayRandomly(*world, 300);
  ASSERT_FALSE(events.empty());
  GameDescription poorer = world->description();
  for (EventDescription& event : poorer.events) event.arguments.clear();
  EXPECT_FALSE(std::ranges::all_of(
      events, [&](const Event& event) { return IsDeclared(poorer, event); }));
}

TEST(DescriptionCheckTest, EveryLegendIsOfATableOfSomePack) {
  std::set<std::string> unseen;
  const auto name_of = [](const Legend& legend) {
    return legend.room + "." + legend.table + "." + legend.field;
  };
  for (const Legend& legend : DescribeBuiltIns().legends) {
    unseen.insert(name_of(legend));
  }
  for (const char* const pack : kBatteryPacks) {
    const auto world = MakeWorld(pack);
    for (const Legend& legend : world->description().legends) {
      if (world->state().Find(legend.room, legend.table).has_value()) {
        unseen.erase(name_of(legend));
      }
    }
  }
  // No pack that ships has touches.
  EXPECT_TRUE(RowSchema::Of<TouchRow>()->Find("phase").has_value());
  unseen.erase("input.touches.phase");
  EXPECT_EQ(unseen, std::set<std::string>{});
}

// One pack as it is written, thing by thing.
class NurseryTest : public ::testing::Test {
 protected:
  const TypeDescription& Type(std::string_view name) const {
    return *std::ranges::find(description().types, name,
                              &TypeDescription::name);
  }
  const PropertyDescription& TagProperty(std::string_view name) const {
    return *std::ranges::find(FindComponent(description(), "tag")->properties,
                              name, &PropertyDescription::name);
  }
  std::vector<EventDescription> Events(std::string_view name) const {
    std::vector<EventDescription> events;
    std::ranges::copy_if(
        description().events, std::back_inserter(events),
        [&](const EventDescription& event) { return event.name == name; });
    return events;
  }
  const GameDescription& description() const { return world_->description(); }

  const std::unique_ptr<Simulation> world_ = MakeWorld("nursery");
};

TEST_F(NurseryTest, TypesSayWhatTheyExtendAndHave) {
  EXPECT_EQ(Type("ball").extends, "toy");
  EXPECT_EQ(Type("ball").components, std::vector<std::string>{"tag"});
  EXPECT_EQ(Type("ball").objects_max, 60u);
  EXPECT_EQ(Type("nest").behaviours, std::vector<std::string>{"spawn"});
  EXPECT_EQ(Type("brick").archetypes, std::vector<std::string>{"red_brick"});
  EXPECT_EQ(Type("toy").extends, "");
  EXPECT_EQ(Type("toy").archetypes, std::vector<std::string>{});
}

TEST_F(NurseryTest, PropertiesSayWhatValuesTheyTake) {
  EXPECT_EQ(TagProperty("scale").type, PropertyType::kVector3);
  EXPECT_EQ(TagProperty("scale").default_value,
            std::vector<FieldValue>(3, FieldValue::OfDouble(1.0)));
  EXPECT_EQ(TagProperty("scale").minimum, 0.1);
  EXPECT_EQ(TagProperty("scale").maximum, 10.0);
  EXPECT_EQ(TagProperty("colour").choices,
            (std::vector<std::string>{"red", "green", "blue"}));
  EXPECT_EQ(TagProperty("notes").list_max, 4u);
  EXPECT_EQ(TagProperty("batch").help, "the shift that made it");
}

TEST_F(NurseryTest, CommandsAreEventsWithTheirArguments) {
  ASSERT_EQ(Events("ring").size(), 1u);
  EXPECT_EQ(Events("ring")[0].sender, "a player");
  EXPECT_EQ(Events("ring")[0].arguments,
            (std::vector<EventArgumentDescription>{
                {.name = "player", .type = ScalarType::kInt64, .unit = ""},
                {.name = "shift", .type = std::nullopt, .unit = ""}}));
}

TEST_F(NurseryTest, TimersAndConnectionsAreEventsBesideTheWorldsOwn) {
  ASSERT_EQ(Events("rung").size(), 2u);
  EXPECT_EQ(Events("rung")[0].when, "the bell rings for the second shift");
  EXPECT_EQ(Events("rung")[1].sender, "an object of bell");
  EXPECT_EQ(Events("rung")[1].when, "its timer second_shift fires");
  ASSERT_EQ(Events("start").size(), 2u);
  EXPECT_EQ(Events("start")[0].receiver, "a spawner or path follower");
  EXPECT_EQ(Events("start")[1].receiver, "brick_nest");
  EXPECT_EQ(Events("start")[1].when,
            "after rung, by the connection second_shift");
}

TEST_F(NurseryTest, LegendsNameButtonsBodiesAndProperties) {
  const auto name_of = [&](std::string_view room, std::string_view table,
                           std::string_view field, uint64_t value) {
    return description()
        .FindLegend(room, table, field)
        ->NameOf({ScalarType::kUint64, value});
  };
  EXPECT_EQ(name_of("input", "devices", "buttons", 3), "pause, step");
  EXPECT_EQ(name_of("physics", "bodies", "kind", 0), "ball");
  EXPECT_EQ(name_of("components", "tag", "overridden", 5), "batch, nest");
  EXPECT_EQ(name_of("world", "objects", "status", 2), "dormant");
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what bots and sights of a pack compile to, and that each mistake in
// them is told at its place; that of scripts and native bots to the author
// alone.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kGame[] = R"(
components {
  name: "hand"
  properties { name: "of" type: TYPE_INTEGER }
  properties { name: "size" type: TYPE_NUMBER }
  properties { name: "all" type: TYPE_INTEGER list_max: 2 }
}
types { name: "card" components { component: "hand" } }
)";

constexpr char kDecide[] = "return { decide = function() end }";

// A pack of two players.
PackArchive Pack(std::string more, const std::string& script) {
  const std::string players = "players {";
  const size_t said = more.find(players);
  if (said == std::string::npos) {
    more += "players { count: 2 }";
  } else {
    more.replace(said, players.size(), players + " count: 2 ");
  }
  PackArchive pack = PackOf(Manifest({kGame, more}));
  EXPECT_TRUE(pack.Add("b.lua", script).ok());
  EXPECT_TRUE(pack.Add("c.lua", "return 7").ok());
  return pack;
}

// What the author is told.
std::vector<std::string> ProblemsOf(const std::string& more,
                                    const std::string& script = kDecide) {
  PackReport report({.is_author = true});
  CompilePack(Pack(more, script), 1, report);
  std::vector<std::string> lines;
  for (const PackProblem& problem : report.problems()) {
    lines.push_back(FormatProblem(problem));
  }
  return lines;
}

std::string Bot(const std::string& fields) {
  return fmt::format("bots {{ name: \"b\" {} }}", fields);
}

TEST(BotCompilerTest, DescriptionHasAllThatAPackSays) {
  const auto world = CreateWorld(
      Pack("bots { name: \"z\" native: \"random\" every_ticks: 1 reserve: true "
           "}\nbots { name: \"a\" help: \"plays\" players: 1 file: \"b.lua\" "
           "modules: \"c.lua\" every_ticks: 4 instructions_max: 9 parameters { "
           "parameter: \"y\" text: \"t\" } parameters { parameter: \"x\" "
           "number: 2 } }\n"
           "players { sees { type: \"card\" properties: \"hand.size\" "
           "player_property: \"hand.of\" } hears: \"destroy\" }",
           kDecide),
      1);
  ASSERT_TRUE(world.ok()) << world.status();
  const GameDescription& game = (*world)->description();
  const BotDescription expected = {
      .name = "a",
      .help = "plays",
      .players = {1},
      .is_reserve = false,
      .native = "",
      .script = "b.lua",
      .scripts = {{.name = "b.lua", .source = kDecide},
                  {.name = "c.lua", .source = "return 7"}},
      .every_ticks = 4,
      .instructions_max = 9,
      .parameters = {{.name = "x", .value = 2.0},
                     {.name = "y", .value = std::string("t")}}};
  ASSERT_EQ(game.bots.size(), 2);
  EXPECT_EQ(game.bots[0], expected);
  EXPECT_EQ(game.bots[1].name, "z");
  EXPECT_EQ(game.bots[1].native, "random");
  EXPECT_TRUE(game.bots[1].is_reserve);
  EXPECT_EQ(game.senses.sees,
            (std::vector<SightDescription>{{.type = "card",
                                            .properties = {"hand.size"},
                                            .is_place_only = false,
                                            .player_property = "hand.of"}}));
  EXPECT_THAT(game.senses.hears, ElementsAre("destroy"));
}

TEST(BotCompilerTest, EachMistakeHasItsPlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {Bot("file: \"b.lua\""), "bots[0].every_ticks: 0 is not in 1..3600"},
      {Bot("every_ticks: 1"),
       "bots[0].name: neither native nor file says who decides"},
      {Bot("every_ticks: 1 players: 2 file: \"b.lua\""),
       "bots[0].players: there is no player 2; the pack has 2"},
      {Bot("every_ticks: 1 players: 1 players: 1 file: \"b.lua\""),
       "bots[0].players: 1 stands there twice"},
      {Bot("every_ticks: 1 file: \"bb.lua\""),
       "bots[0].file: there is no script 'bb.lua'; did you mean 'b.lua'?"},
      {Bot("every_ticks: 1 file: \"b.lua\" modules: \"d\""),
       "bots[0].modules: there is no script 'd'"},
      {Bot("every_ticks: 1 file: \"b.lua\" instructions_max: 20000000"),
       "bots[0].instructions_max: 20000000 is not in 1..10000000"},
      {Bot("every_ticks: 1 native: \"randon\""),
       "bots[0].native: there is no native bot 'randon'; did you mean "
       "'random'?"},
      {Bot("every_ticks: 1 native: \"random\" parameters { parameter: \"x\" "
           "number: 1 }"),
       "bots[0].parameters[0].parameter: there is no parameter 'x'"},
      {Bot("every_ticks: 1 native: \"random\" modules: \"c.lua\""),
       "bots[0].modules: a native bot has none"},
      {Bot("every_ticks: 1 file: \"b.lua\" parameters { parameter: \"x\" }"),
       "bots[0].parameters[0].parameter: it is given no value"},
      {Bot("every_ticks: 1 file: \"b.lua\" parameters { parameter: \"x\" "
           "number: 1 } parameters { parameter: \"x\" number: 2 }"),
       "bots[0].parameters[1].parameter: 'x' stands there twice"},
      {Bot("every_ticks: 1 reserve: true file: \"b.lua\"") +
           Bot("every_ticks: 1 file: \"b.lua\""),
       "bots[1].name: there are two bots 'b'"},
      {Bot("every_ticks: 1 file: \"b.lua\"") +
           "bots { name: \"a\" players: 1 every_ticks: 1 file: \"b.lua\" }",
       "bots[1].players: player 1 has two bots, b and a; put one in reserve"},
      {"players { sees { type: \"crad\" } }",
       "players.sees[0].type: there is no type 'crad'; did you mean 'card'?"},
      {"players { sees { type: \"card\" properties: \"hand.sizes\" } }",
       "players.sees[0].properties: there is no property 'sizes'; did you mean "
       "'size'?"},
      {"players { sees { type: \"card\" properties: \"hand.size\" place_only: "
       "true } }",
       "players.sees[0].place_only: properties are seen, too"},
      {"players { sees { type: \"card\" player_property: \"hand.all\" } }",
       "players.sees[0].player_property: 'hand.all' is no TYPE_INTEGER"},
      {"players { hears: \"destroyd\" }",
       "players.hears: there is no event 'destroyd'"}};
  for (const auto& [more, problem] : cases) {
    EXPECT_THAT(ProblemsOf(more), ElementsAre(HasSubstr(problem))) << more;
  }
}

TEST(BotCompilerTest, ScriptsAreLoadedForTheAuthorAlone) {
  const std::string bot = Bot("every_ticks: 1 file: \"b.lua\"");
  EXPECT_THAT(ProblemsOf(bot, "return {\n decide = function( end }"),
              ElementsAre(HasSubstr("bots[0].file: b.lua:2: ")));
  EXPECT_THAT(ProblemsOf(bot, "local x = nil + 1"),
              ElementsAre(HasSubstr("bots[0].file: b.lua:1: ")));
  EXPECT_THAT(ProblemsOf(bot, "return {}"),
              ElementsAre(HasSubstr("bots[0].file: b.lua: it returns no table "
                                    "with a function 'decide'")));
  EXPECT_THAT(ProblemsOf(bot, "while true do end"),
              ElementsAre(HasSubstr("the budget of instructions is used up")));
  EXPECT_TRUE(CreateWorld(Pack(bot, "return {"), 1).ok());
  EXPECT_TRUE(
      CreateWorld(Pack(Bot("every_ticks: 1 native: \"other\""), kDecide), 1)
          .ok());
  EXPECT_THAT(ProblemsOf(bot), IsEmpty());
}

}  // namespace
}  // namespace reprise::sim

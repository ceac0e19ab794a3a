// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the author of a pack is told of each name in the scripts of its
// bots that isn't there or that players don't see, with file, line and what was
// meant, once each; and that nothing is said of names that are right or that
// may be.

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/testing_packs.h"
#include "sim/pack_archive.h"

namespace reprise::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr std::string_view kGame = R"(
components {
  name: "hand"
  properties { name: "size" type: TYPE_INTEGER }
  properties { name: "place" type: TYPE_VECTOR3 }
  properties { name: "all" type: TYPE_INTEGER list_max: 2 }
}
types { name: "card" components { component: "hand" } }
types { name: "ace" extends: "card" }
types { name: "table" }
)";

constexpr std::string_view kPlayers = R"(
players {
  actions { name: "jump" button: 0 }
  actions { name: "move_x" axis: 0 }
  actions { name: "chat" text {} }
  actions {
    name: "bet"
    command { arguments { name: "coins" type: TYPE_INTEGER } }
  }
}
)";

constexpr std::string_view kBot =
    "bots { name: \"b\" every_ticks: 1 file: \"b.lua\" parameters { "
    "parameter: \"mine\" text: \"red\" } parameters { parameter: \"odds\" "
    "number: 1 } }\n";

// What the author is told of such a decision, which begins at line 2 of b.lua.
std::vector<std::string> Told(std::string_view decision,
                              std::string_view bots = kBot,
                              std::string_view players = kPlayers) {
  PackArchive pack = PackOf(Manifest({kGame, players, bots}));
  EXPECT_TRUE(pack.Add("b.lua", "return { decide = function()\n" +
                                    std::string(decision) + "\nend }")
                  .ok());
  EXPECT_TRUE(
      pack.Add("c.lua", "return { f = function() return bot.text('mine') end }")
          .ok());
  PackReport report({.is_author = true});
  CompilePack(pack, 1, report);
  std::vector<std::string> lines;
  for (const PackProblem& problem : report.problems()) {
    lines.push_back(FormatProblem(problem));
  }
  return lines;
}

TEST(BotNamesTest, WhatIsThereIsRight) {
  EXPECT_THAT(Told(R"(
    local me = view.find("anything")
    act.press("jump") act.hold("jump", true) act.release("jump")
    act.axis("move_x", 0.5) act.say("chat", "hello")
    act.command("bet") act.give_integer("coins", 3)
    local card = view.nearest("card", view.position(me))
    if view.is_a(me, "ace") and view.count("table") > 0 then card = me end
    local all = view.object("card", view.integer(me, "hand.size"))
    local x = view.number(all, "hand.place.x") + view.integer(me, "hand.all[1]")
    x = x + view.integer(me, "hand.all_count")
    local place = view.vector(me, "hand.place")
    bot.log(bot.text("mine") .. bot.number("odds") .. bot.random())
    act.press("ju" .. "mp") act.axis(bot.text("mine"), 1)
  )"),
              IsEmpty());
}

TEST(BotNamesTest, EachNameThatIsWrongHasItsLineAndWhatWasMeant) {
  EXPECT_THAT(
      Told("act.axis('mov_x', 0)\n"
           "act.pres('jump')\n"
           "view.nearest('crad', bot.text('mien'))\n"
           "act.give_integer('coin', 1)\n"
           "print('a')"),
      ElementsAre(
          HasSubstr("bots[0].file: b.lua:3: there is no function 'act.pres'; "
                    "did you mean 'act.press'?"),
          HasSubstr("bots[0].file: b.lua:6: scripts don't have Lua's 'print'; "
                    "scripts have bot.log"),
          HasSubstr("bots[0].file: b.lua:2: there is no action 'mov_x'; did "
                    "you mean 'move_x'?"),
          HasSubstr("bots[0].file: b.lua:5: there is no argument of a command "
                    "'coin'; did you mean 'coins'?"),
          HasSubstr("bots[0].file: b.lua:4: there is no type 'crad'; did you "
                    "mean 'card'?"),
          HasSubstr(
              "bots[0].file: b.lua:4: the pack gives the bot no parameter "
              "'mien'; did you mean 'mine'?")));
}

TEST(BotNamesTest, ActionsAreOfTheKindThatTheFunctionTakes) {
  EXPECT_THAT(
      Told("act.axis('jump', 0)\nact.press('bet')\nact.command('chat')"),
      ElementsAre(HasSubstr("b.lua:3: the action 'bet' is a command, and can't "
                            "be held"),
                  HasSubstr("b.lua:2: the action 'jump' is a button, not an "
                            "axis"),
                  HasSubstr("b.lua:4: the action 'chat' is text, not a "
                            "command")));
}

TEST(BotNamesTest, PropertiesAreTold) {
  EXPECT_THAT(
      Told("view.integer(me, 'size')\n"
           "view.integer(me, 'hnad.size')\n"
           "view.integer(me, 'hand.sizes')\n"
           "view.integer(me, 'hand.all')\n"
           "view.integer(me, 'hand.size.z')"),
      ElementsAre(
          HasSubstr("b.lua:2: 'size' is no property: it is named with its "
                    "component, as in \"health.points\""),
          HasSubstr("b.lua:3: the pack has no component 'hnad'; did you mean "
                    "'hand'?"),
          HasSubstr(
              "b.lua:4: the component 'hand' has no property 'sizes'; did "
              "you mean 'size'?"),
          HasSubstr(
              "b.lua:5: 'hand.all' is a list: one of its values is named, "
              "as in \"hand.all[0]\""),
          HasSubstr("b.lua:6: the property 'hand.size' has no '.z'")));
}

TEST(BotNamesTest, WhatPlayersDontSeeIsTold) {
  constexpr std::string_view kSights =
      "players { sees { type: \"ace\" properties: \"hand.size\" } }\n";
  constexpr std::string_view kLooks =
      "view.count('table')\n"
      "view.count('card') view.count('ace')\n"
      "view.integer(me, 'hand.size')\n"
      "view.number(me, 'hand.place.x')";
  EXPECT_THAT(
      Told(kLooks, kBot, kSights),
      ElementsAre(HasSubstr("b.lua:2: players see nothing of the type 'table'"),
                  HasSubstr("b.lua:5: players don't see the property "
                            "'hand.place'")));
  EXPECT_THAT(
      Told(kLooks, kBot, "players { sees { type: \"card\" } }\n"),
      ElementsAre(HasSubstr("players see nothing of the type 'table'")));
}

TEST(BotNamesTest, ParametersOfAnyBotWithTheScriptAreRight) {
  EXPECT_THAT(Told("bot.number('mine')"),
              ElementsAre(HasSubstr("b.lua:2: the parameter 'mine' is a text: "
                                    "bot.text gives it")));
  // The second bot has what the first one lacks, and both have the script.
  const std::string others =
      "bots { name: \"a\" every_ticks: 1 file: \"b.lua\" modules: \"c.lua\" "
      "}\n";
  EXPECT_THAT(Told("bot.text('mine')", others),
              ElementsAre(HasSubstr("bots[0].file: b.lua:2: the pack gives the "
                                    "bot no parameter 'mine'"),
                          HasSubstr("bots[0].modules: c.lua:1: the pack gives "
                                    "the bot no parameter 'mine'")));
  EXPECT_THAT(Told("bot.text('mine')",
                   others + "bots { name: \"b\" reserve: true every_ticks: 1 "
                            "file: \"b.lua\" modules: \"c.lua\" parameters { "
                            "parameter: \"mine\" text: \"t\" } }"),
              IsEmpty());
}

// Numbers of actions that are out of bounds are told, and do no harm.
TEST(BotNamesTest, ActionsOutOfBoundsDoNoHarm) {
  EXPECT_THAT(Told("act.axis('far', 1) act.press('off')", kBot,
                   "players { actions { name: \"far\" axis: 4000 } actions { "
                   "name: \"off\" button: 4000 } }\n"),
              SizeIs(2));
}

// Whoever plays the pack needs no names of bots that don't play.
TEST(BotNamesTest, TheAuthorAloneIsTold) {
  PackArchive pack = PackOf(Manifest({kGame, kPlayers, kBot}));
  ASSERT_TRUE(
      pack.Add("b.lua", "return { decide = function() act.pres('a') end }")
          .ok());
  PackReport report;
  EXPECT_NE(CompilePack(pack, 1, report), nullptr);
  for (const PackProblem& warning : report.warnings()) {
    EXPECT_THAT(FormatProblem(warning), Not(HasSubstr("b.lua")));
  }
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that bots see what a pack shows to their players and nothing else,
// decide at their rate and within their budget, that what they do is checked
// like any client's, and that a run of theirs is its inputs: the same seats and
// seed give the same frames, and these alone give the same states.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/bots/bot_players.h"
#include "sim/bots/native_bots.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::sim {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Two players with a ball each, cards in their hands, and a bell.
constexpr char kTable[] = R"(
name: "table"
players {
  count: 2
  commands_per_tick_max: 1
  actions { name: "jump" button: 3 }
  actions { name: "push" axis: 1 }
  actions { name: "chat" text { bytes_max: 12 } }
  actions { name: "bid" command {
    arguments { name: "much" minimum: 1 maximum: 9 }
    arguments { name: "whom" type: TYPE_REFERENCE }
    arguments { name: "way" type: TYPE_VECTOR2 number_minimum: -1 number_maximum: 1 list_max: 2 }
  } }
  %SENSES%
}
components {
  name: "card"
  properties { name: "value" type: TYPE_INTEGER }
  properties { name: "holder" type: TYPE_INTEGER }
  properties { name: "suit" type: TYPE_CHOICE choices: "hearts" choices: "spades" }
  properties { name: "next" type: TYPE_REFERENCE }
  properties { name: "aim" type: TYPE_VECTOR3 }
}
types { name: "thing" }
types { name: "card" extends: "thing" components { component: "card" } }
types { name: "bell" interests { event: "chat" } interests { event: "bid" } }
types { name: "ball" extends: "thing" body { motion: MOTION_DYNAMIC mass_kg: 1 gravity_scale: 0 shapes { sphere { radius: 0.5 } } } }
objects { name: "ace" type: "card" position { x: 1 } set { property: "card.value" to: "14" } set { property: "card.aim" to: "1 2 3" } set { property: "card.next" to: "ten" } }
objects { name: "ten" type: "card" position { x: 2 } set { property: "card.value" to: "10" } set { property: "card.holder" to: "1" } set { property: "card.suit" to: "spades" } }
objects { name: "ball" type: "ball" position { y: 3 } linear_velocity { x: 6 } }
objects { name: "bell" type: "bell" }
)";

struct Script {
  std::string name;
  std::string body;  // of `decide`
  std::string more;  // fields of the bot
};

PackArchive PackWith(const std::vector<Script>& scripts,
                     const std::string& senses = "",
                     const std::string& more = "") {
  std::string manifest = kTable;
  const std::string mark = "%SENSES%";
  manifest.replace(manifest.find(mark), mark.size(), senses);
  manifest += more;
  PackArchive pack;
  for (const Script& script : scripts) {
    const std::string fields =
        script.more.empty() ? "every_ticks: 1 reserve: true" : script.more;
    manifest += fmt::format("bots {{ name: \"{0}\" file: \"{0}.lua\" {1} }}\n",
                            script.name, fields);
    EXPECT_TRUE(pack.Add(script.name + ".lua",
                         fmt::format("return {{ decide = function()\n{}\nend "
                                     "}}\n",
                                     script.body))
                    .ok());
  }
  EXPECT_TRUE(pack.Add(std::string(kPackManifestPath), manifest).ok());
  return pack;
}

// A run with bots, and what came of it.
class BotRun {
 public:
  explicit BotRun(const PackArchive& pack, std::vector<BotChoice> choices = {},
                  uint64_t seed = 1) {
    auto world = CreateWorld(pack, seed);
    EXPECT_TRUE(world.ok()) << world.status();
    world_ = *std::move(world);
    if (choices.empty()) choices = {{.player = 0, .name = "a"}};
    auto bots = BotPlayers::Create(*world_, choices);
    EXPECT_TRUE(bots.ok()) << bots.status();
    bots_ = *std::move(bots);
  }

  void Step(int ticks = 1) {
    for (int i = 0; i < ticks; ++i) {
      frames_.push_back(bots_->Decide(*world_));
      ASSERT_TRUE(world_->Validate(frames_.back()).ok());
      world_->Step(frames_.back(), nullptr);
      bots_->Hear(world_->DrainEvents());
      digests_.push_back(world_->state().ComputeRootDigest());
      for (BotLogEntry& entry : bots_->DrainLog()) {
        log_.push_back(std::move(entry));
      }
    }
  }

  // What bots said, or was said of them.
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    for (const BotLogEntry& entry : log_) lines.push_back(entry.text);
    return lines;
  }

  const std::vector<std::vector<InputFrame>>& frames() const { return frames_; }
  const std::vector<Digest>& digests() const { return digests_; }
  const std::vector<BotLogEntry>& log() const { return log_; }
  const BotPlayers& bots() const { return *bots_; }
  Simulation& world() { return *world_; }

 private:
  std::unique_ptr<Simulation> world_;
  std::unique_ptr<BotPlayers> bots_;
  std::vector<std::vector<InputFrame>> frames_;
  std::vector<Digest> digests_;
  std::vector<BotLogEntry> log_;
};

std::vector<std::string> LinesOf(const std::string& body,
                                 const std::string& senses = "",
                                 uint32_t player = 0, int ticks = 1) {
  BotRun run(PackWith({{.name = "a", .body = body, .more = ""}}, senses),
             {{.player = player, .name = "a"}});
  run.Step(ticks);
  return run.Lines();
}

TEST(BotsTest, ScriptSeesObjectsTheirMotionAndTheirProperties) {
  EXPECT_THAT(
      LinesOf(R"(
local ace = view.find("ace")
local ball = view.find("ball")
bot.log(tostring(view.position(ace)) .. " " .. view.name(ace) .. " " .. view.type(ace))
bot.log(tostring(view.velocity(ball)) .. " " .. tostring(view.spin(ball)))
bot.log(tostring(view.to_local(ball, vector(1, 3, 0))))
bot.log(view.integer(ace, "card.value") .. " " .. view.number(ace, "card.value") .. " " .. view.text(ace, "card.suit"))
bot.log(view.name(view.reference(ace, "card.next")) .. " " .. tostring(view.vector(ace, "card.aim")) .. " " .. view.number(ace, "card.aim.y"))
bot.log(view.count("thing") .. " " .. view.count("card") .. " " .. view.name(view.object("card", 2)) .. " " .. tostring(view.object("card", 3)))
bot.log(view.name(view.nearest("thing", vector(2, 1, 0))) .. " " .. tostring(view.is_a(ball, "thing")) .. " " .. tostring(view.is_a(ball, "card")))
bot.log(tostring(view.find("nobody")) .. " " .. tostring(view.number(ball, "card.value")))
bot.log(view.tick() .. " " .. view.seconds() .. " " .. view.player())
)"),
      ElementsAre("(1.0, 0.0, 0.0) ace card", "(6.0, 0.0, 0.0) (0.0, 0.0, 0.0)",
                  "(1.0, 0.0, 0.0)", "14 14.0 hearts",
                  "ten (1.0, 2.0, 3.0) 2.0", "3 2 ten nil", "ten true false",
                  "nil nil", "0 0.0 0"));
}

constexpr char kHands[] = R"(
  sees { type: "card" place_only: true }
  sees { type: "card" properties: "card.value" player_property: "card.holder" }
  sees { type: "bell" player_property: "card.holder" })";

TEST(BotsTest, NothingIsSeenThatThePackDoesNotShow) {
  const std::string look = R"(
local ace, ten = view.find("ace"), view.find("ten")
bot.log(tostring(view.position(ace)) .. " " .. tostring(view.integer(ace, "card.value")) .. " " .. tostring(view.integer(ten, "card.value")))
bot.log(tostring(view.integer(ace, "card.holder")) .. " " .. tostring(view.text(ten, "card.suit")) .. " " .. tostring(view.reference(ace, "card.next")))
bot.log(tostring(view.find("ball")) .. " " .. tostring(view.find("bell")) .. " " .. view.count("thing"))
)";
  EXPECT_THAT(
      LinesOf(look, kHands, 0),
      ElementsAre("(1.0, 0.0, 0.0) 14 nil", "nil nil nil", "nil nil 2"));
  EXPECT_THAT(
      LinesOf(look, kHands, 1),
      ElementsAre("(1.0, 0.0, 0.0) nil 10", "nil nil nil", "nil nil 2"));
}

TEST(BotsTest, ReferencesLeadToNobodyWhoIsNotSeen) {
  const std::string senses = R"(
  sees { type: "card" player_property: "card.holder" })";
  EXPECT_THAT(LinesOf("local ace = view.find('ace') bot.log(view.integer(ace, "
                      "'card.value') .. ' ' .. tostring(view.reference(ace, "
                      "'card.next')))",
                      senses, 0),
              ElementsAre("14 nil"));
}

TEST(BotsTest, EventsAreHeardByThePlayerTheyAreOf) {
  const std::string chat = R"(
if view.tick() == 0 then act.say("chat", "hi " .. view.player()) end
for i = 1, view.event_count() do
  if view.event(i) == "chat" then
    bot.log(view.player() .. " hears " .. view.event_integer(i, "player") .. ": " .. view.event_text(i, "text"))
  end
end)";
  BotRun run(PackWith({{.name = "a", .body = chat, .more = ""}}),
             {{.player = 0, .name = "a"}, {.player = 1, .name = "a"}});
  run.Step(4);
  EXPECT_THAT(run.Lines(), ElementsAre("0 hears 0: hi 0", "1 hears 1: hi 1"));
  BotRun deaf(
      PackWith({{.name = "a", .body = chat, .more = ""}}, "hears: \"bid\""));
  deaf.Step(4);
  EXPECT_THAT(deaf.Lines(), IsEmpty());
}

TEST(BotsTest, BotDecidesAtItsRateAndHoldsInBetween) {
  BotRun run(
      PackWith({{.name = "a",
                 .body = "bot.log(tostring(view.tick())) act.hold('jump', "
                         "view.tick() == 3) act.axis('push', -1)",
                 .more = "every_ticks: 3"}}));
  run.Step(8);
  EXPECT_THAT(run.Lines(), ElementsAre("0", "3", "6"));
  EXPECT_EQ(run.bots().decision_count(), 3);
  ASSERT_THAT(run.frames()[0], SizeIs(1));
  EXPECT_EQ(run.frames()[0][0].device.axes[1], -kAxisMax);
  ASSERT_THAT(run.frames()[3], SizeIs(1));
  EXPECT_EQ(run.frames()[3][0].device.buttons, uint64_t{1} << 3);
  ASSERT_THAT(run.frames()[6], SizeIs(1));
  for (const int held : {1, 2, 4, 5, 7}) {
    EXPECT_THAT(run.frames()[static_cast<size_t>(held)], IsEmpty());
  }
}

TEST(BotsTest, DecisionBeyondItsBudgetIsNoneAndIsToldWithItsLine) {
  BotRun run(
      PackWith({{.name = "a",
                 .body = "memory.set_number('n', (memory.number('n') or 0) "
                         "+ 1)\nact.press('jump')\nif view.tick() == 1 "
                         "then while true do end "
                         "end\nbot.log(tostring(memory.number('n')))",
                 .more = "every_ticks: 1 instructions_max: 2000"}}));
  run.Step(3);
  EXPECT_THAT(
      run.Lines(),
      ElementsAre("1.0", "a.lua:4: the budget of instructions is used up",
                  "2.0"));
  EXPECT_TRUE(run.log()[1].is_error);
  EXPECT_EQ(FormatBotLogEntry(run.log()[1]),
            "tick 1, player 0, bot a: a.lua:4: the budget of instructions is "
            "used up");
  EXPECT_EQ(run.bots().error_count(), 1);
}

// It may be given many more instructions than it takes to make 4 MiB.
TEST(BotsTest, DecisionThatMakesTooMuchIsNoneAndIsToldWithItsLine) {
  BotRun run(PackWith(
      {{.name = "a",
        .body = "act.press('jump')\nif view.tick() == 1 then\n  local s = "
                "('x'):rep(1000) while true do s = s .. s end\nend\n"
                "bot.log('decided')",
        .more = "every_ticks: 1 instructions_max: 1000000"}}));
  run.Step(3);
  EXPECT_THAT(run.Lines(),
              ElementsAre("decided", "a.lua:4: the budget of bytes is used up",
                          "decided"));
  EXPECT_TRUE(run.log()[1].is_error);
  EXPECT_THAT(run.frames()[1], IsEmpty());
  EXPECT_EQ(run.bots().error_count(), 1);
}

TEST(BotsTest, MistakeGivesNoInputAndIsToldWithItsLine) {
  BotRun run(PackWith({{.name = "a",
                        .body = "act.press('jump')\nlocal x = nil + 1",
                        .more = ""}}));
  run.Step(2);
  EXPECT_THAT(run.frames(), Each(IsEmpty()));
  EXPECT_THAT(run.Lines(), Each(HasSubstr("a.lua:3: ")));
}

TEST(BotsTest, WhatIsNotAllowedIsRefusedAndTold) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"act.press('jmp')", "there is no action 'jmp'; did you mean 'jump'?"},
      {"act.press('push')", "the action 'push' is an axis, and can't be held"},
      {"act.axis('push', 1.5)", "'value' is 1.5"},
      {"act.say('chat', '0123456789abc')", "12 bytes of text are the most"},
      {"act.say('chat', '\\xFF')", "UTF-8"},
      {"act.give_integer('much', 1)", "one comes first"},
      {"act.command('bid') act.give_integer('much', 10)", "10"},
      {"act.command('bid') act.give_integer('mch', 1)",
       "there is no argument 'mch'; did you mean 'much'?"},
      {"act.command('bid') act.give_integer('much', 1)",
       "the command bid was not given 'whom'"},
      {"for i = 1, 2 do act.command('bid') act.give_integer('much', 1) "
       "act.give_text('whom', 'ace') end",
       "commands"},
      {"bot.number('skill')", "the pack gives the bot no parameter 'skill'"},
      {"view.number(view.find('ace'), 'card.suit')",
       "'card.suit' is no number"},
      {"view.number(view.find('ace'), 'card.worth')",
       "there is no property 'card.worth'"}};
  for (const auto& [body, problem] : cases) {
    BotRun run(PackWith({{.name = "a", .body = body, .more = ""}}));
    run.Step();
    EXPECT_THAT(run.frames()[0], IsEmpty()) << body;
    EXPECT_THAT(run.Lines(), ElementsAre(HasSubstr(problem))) << body;
  }
}

TEST(BotsTest, CommandsCarryWhatTheScriptGives) {
  BotRun run(
      PackWith({{.name = "a",
                 .body = "act.command('bid') act.give_text('whom', 'ten') "
                         "act.give_vector2('way', vector(1, -1, 0)) "
                         "act.give_vector2('way', vector(0, 0.5, 0)) "
                         "act.give_integer('much', 7)",
                 .more = ""}}));
  run.Step();
  ASSERT_THAT(run.frames()[0], SizeIs(1));
  const Command expected = {
      .name = IdOf("bid"),
      .arguments = {
          7, "ten",
          std::vector<SingleValue>{Vector2{1.0, -1.0}, Vector2{0.0, 0.5}}}};
  EXPECT_THAT(run.frames()[0][0].commands, ElementsAre(expected));
}

const char* const kRestless =
    "act.hold('jump', bot.random() < 0.5) act.axis('push', "
    "bot.random_integer(-4, 4) / 4)";

TEST(BotsTest, SameSeedGivesTheSameFramesAndAnotherOneOthers) {
  const PackArchive pack =
      PackWith({{.name = "a", .body = kRestless, .more = ""}});
  const std::vector<BotChoice> both = {{.player = 0, .name = "a"},
                                       {.player = 1, .name = "a"}};
  BotRun one(pack, both);
  BotRun same(pack, {both[1], both[0]});
  BotRun other(pack, both, /*seed=*/2);
  for (BotRun* run : {&one, &same, &other}) run->Step(30);
  EXPECT_EQ(one.frames(), same.frames());
  EXPECT_EQ(one.digests(), same.digests());
  EXPECT_NE(one.frames(), other.frames());
  // Players have streams of their own.
  int differing = 0;
  for (const std::vector<InputFrame>& frames : one.frames()) {
    if (frames.size() == 2 && frames[0].device != frames[1].device) ++differing;
  }
  EXPECT_GT(differing, 10);
}

TEST(BotsTest, FramesAloneGiveTheSameStatesInAPackWithoutBots) {
  BotRun run(PackWith({{.name = "a", .body = kRestless, .more = ""}}),
             {{.player = 0, .name = "a"}, {.player = 1, .name = "random"}});
  run.Step(60);
  auto plain = CreateWorld(PackWith({}), 1);
  ASSERT_TRUE(plain.ok()) << plain.status();
  for (size_t tick = 0; tick < run.frames().size(); ++tick) {
    (*plain)->Step(run.frames()[tick], nullptr);
    ASSERT_EQ((*plain)->state().ComputeRootDigest(), run.digests()[tick])
        << tick;
  }
}

TEST(BotsTest, FirstDecisionLetsGoOfWhatWasHeld) {
  BotRun run(PackWith({{.name = "a", .body = "", .more = ""}}));
  InputFrame held{.player = 0};
  held.device.buttons = uint64_t{1} << 3;
  run.world().Step(std::span(&held, 1), nullptr);
  run.Step(2);
  ASSERT_THAT(run.frames()[0], SizeIs(1));
  EXPECT_EQ(run.frames()[0][0].device, DeviceState{});
  EXPECT_THAT(run.frames()[1], IsEmpty());
}

// Pushes as far as its parameter says, while it sees the ball.
class Pusher final : public Bot {
 public:
  explicit Pusher(const BotSeat& seat)
      : push_(NumberOf(*seat.description, "push")),
        axis_(TextOf(*seat.description, "axis")) {}

  absl::Status Decide(BotTurn& turn) override {
    if (!turn.view.Find("ball")) return absl::NotFoundError("no ball");
    turn.notes.push_back(fmt::format("decision {}", ++decisions_));
    return turn.actions.SetAxis(axis_, push_);
  }

 private:
  double push_;
  std::string axis_;
  int decisions_ = 0;
};

REPRISE_REGISTER_BOT(pusher, "pusher",
                     (NativeBot{
                         .help = "pushes",
                         .parameters = {{.name = "push",
                                         .help = "how far",
                                         .default_value = 0.5,
                                         .minimum = -1.0,
                                         .maximum = 1.0},
                                        {.name = "axis",
                                         .help = "of which",
                                         .default_value = std::string("push")}},
                         .make = [](const BotSeat& seat) {
                           return std::make_unique<Pusher>(seat);
                         }}));

TEST(BotsTest, NativeBotOfTheProgramPlaysWithItsParameters) {
  const PackArchive pack = PackWith(
      {}, "",
      "bots { name: \"weak\" native: \"pusher\" every_ticks: 2 players: 1 "
      "parameters { parameter: \"push\" number: -0.25 } }\n");
  auto world = CreateWorld(pack, 1);
  ASSERT_TRUE(world.ok()) << world.status();
  EXPECT_EQ(AllBots(**world),
            (std::vector<BotChoice>{{.player = 1, .name = "weak"}}));
  BotRun run(pack,
             {{.player = 0, .name = "pusher"}, {.player = 1, .name = "weak"}});
  run.Step(3);
  ASSERT_THAT(run.frames()[0], SizeIs(2));
  EXPECT_EQ(run.frames()[0][0].device.axes[1], 16384);
  EXPECT_EQ(run.frames()[0][1].device.axes[1], -8192);
  EXPECT_THAT(run.Lines(), ElementsAre("decision 1", "decision 1", "decision 2",
                                       "decision 3", "decision 2"));
  // Of what isn't shown it knows nothing.
  BotRun blind(PackWith({}, "sees { type: \"bell\" }"),
               {{.player = 0, .name = "pusher"}});
  blind.Step();
  EXPECT_THAT(blind.Lines(), ElementsAre("no ball"));
  EXPECT_THAT(blind.frames()[0], IsEmpty());
}

TEST(BotsTest, SeatsThatCannotBeTakenAreRefused) {
  const PackArchive pack =
      PackWith({{.name = "a", .body = "", .more = "every_ticks: 1 players: 0"},
                {.name = "broken", .body = "end end", .more = ""}});
  auto world = CreateWorld(pack, 1);
  ASSERT_TRUE(world.ok()) << world.status();
  const auto refusal = [&](std::vector<BotChoice> choices) {
    return std::string(BotPlayers::Create(**world, choices).status().message());
  };
  EXPECT_EQ(refusal({{.player = 2, .name = "a"}}),
            "there is no player 2; the pack has 2");
  EXPECT_EQ(refusal({{.player = 1, .name = "a"}}),
            "the bot a doesn't play player 1");
  EXPECT_EQ(
      refusal({{.player = 0, .name = "a"}, {.player = 0, .name = "random"}}),
      "two bots are to play player 0: a and random");
  EXPECT_THAT(refusal({{.player = 0, .name = "randm"}}),
              HasSubstr("there is no bot 'randm'; did you mean 'random'?"));
  EXPECT_THAT(refusal({{.player = 0, .name = "broken"}}),
              HasSubstr("the bot broken: broken.lua:2:"));
}

TEST(BotsTest, MemoryIsBounded) {
  EXPECT_THAT(LinesOf("for i = 1, 300 do memory.set_number('n' .. i, i) end"),
              ElementsAre(HasSubstr("256 values are the most")));
  EXPECT_THAT(LinesOf("memory.set_text('t', 'a') memory.number('t')"),
              ElementsAre(HasSubstr("'t' is no value of that type")));
  EXPECT_THAT(LinesOf("memory.set_text('t', 'a') memory.forget('t') "
                      "bot.log(tostring(memory.text('t')))"),
              ElementsAre("nil"));
}

}  // namespace
}  // namespace reprise::sim

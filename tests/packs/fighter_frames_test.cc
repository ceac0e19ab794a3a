// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the fighter's moves take the ticks, and do the damage, that its
// balance table says. The table is read here anew, moves are made by inputs as
// a person makes them, and what came of them is asked of the recording.
//
// Inputs of tick t show in the state of tick t + 1. A move is first seen at T;
// then it meets the foe at T + startup, and its fighter can do something else
// at T + startup + active + recovery, later by hit_stop where it met somebody.

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

constexpr char kReprise[] = "tools/reprise/reprise";
constexpr char kPack[] = "sim/packs/fighter";

// The buttons of the pack's actions.
constexpr int kLeft = 1;
constexpr int kRight = 2;
constexpr int kDown = 4;
constexpr int kUp = 8;
constexpr int kLight = 16;
constexpr int kHeavy = 32;
constexpr int kThrow = 64;

using Row = std::map<std::string, std::string>;

// The table by the names of moves, its columns without "move.".
std::map<std::string, Row> ReadTable() {
  std::istringstream file(ReadFileBytes(absl::StrCat(kPack, "/moves.csv")));
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> head = absl::StrSplit(line, ',');
  std::map<std::string, Row> table;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = absl::StrSplit(line, ',');
    Row& row = table[cells[0]];
    for (size_t i = 1; i < cells.size() && i < head.size(); ++i) {
      row[head[i].substr(std::string("move.").size())] = cells[i];
    }
  }
  return table;
}

// One of the numbers of a move, by the table.
double Number(const std::string& move, const std::string& column) {
  static const auto* const kTable = new auto(ReadTable());
  double number = 0;
  EXPECT_TRUE(absl::SimpleAtod(kTable->at(move).at(column), &number))
      << move << "." << column;
  return number;
}

int Ticks(const std::string& move, const std::string& column) {
  return static_cast<int>(Number(move, column));
}

// At the tick, the player holds the buttons from then on.
struct Press {
  int tick;
  int buttons;
};

// From the tick at which the fighters are as near as they get, what the left
// one's player does to make a move.
constexpr int kStart = 100;

std::vector<Press> Inputs(const std::string& move) {
  const std::map<std::string, std::vector<int>> kEveryTwoTicks = {
      {"light", {kLight}},
      {"low_kick", {kDown, kDown | kLight}},
      {"heavy", {kHeavy}},
      {"sweep", {kDown, kDown | kHeavy}},
      {"throw", {kThrow}},
      {"air_kick", {kUp, kHeavy}},
      {"air_punch", {kUp, kLight}},
      {"fireball", {kDown, kDown | kRight, kRight, kRight | kLight}},
      {"uppercut", {kRight, kDown, kDown | kRight, kDown | kRight | kHeavy}},
  };
  std::vector<Press> presses;
  int tick = kStart;
  if (move == "light_two" || move == "finisher") {
    presses = {{tick, kLight}, {tick + 3, 0}, {tick + 7, kLight}};
    if (move == "finisher") {
      presses.push_back({tick + 10, 0});
      presses.push_back({tick + 19, kHeavy});
    }
    tick = presses.back().tick + 2;
  } else {
    for (const int buttons : kEveryTwoTicks.at(move)) {
      presses.push_back({tick, buttons});
      tick += 2;
    }
  }
  presses.push_back({tick, kRight});
  return presses;
}

// The recording of a bout of four seconds.
class Bout {
 public:
  // `foe` is what the right one's player does; right is backwards for it.
  Bout(const std::string& name, bool near, const std::vector<Press>& presses,
       const std::vector<Press>& foe = {})
      : path_(TemporaryPath(name + ".mcap")) {
    std::map<int, std::string> ticks;
    if (near) {
      Hold(70, 0, kRight, ticks);
      Hold(70, 1, kLeft, ticks);
      Hold(89, 0, 0, ticks);
      Hold(89, 1, 0, ticks);
    }
    for (const Press& press : presses) {
      Hold(press.tick, 0, press.buttons, ticks);
    }
    for (const Press& press : foe) Hold(press.tick, 1, press.buttons, ticks);
    std::string track = "pack: \"fighter\"\ntick_count: 280\n";
    for (const auto& [tick, frames] : ticks) {
      absl::StrAppend(&track, "ticks { tick: ", tick, frames, " }\n");
    }
    const std::string track_path = TemporaryPath(name + ".txtpb");
    WriteFileBytes(track_path, track);
    const CommandResult result = RunCommand(
        {kReprise, "run", kPack, "--inputs", track_path, "--record", path_});
    EXPECT_EQ(result.exit_code, 0) << result.err << track;
  }

  // The first tick at which it holds, or -1.
  int First(const std::string& expression) const {
    const CommandResult result =
        RunCommand({kReprise, "query", path_, expression, "--first"});
    EXPECT_LE(result.exit_code, 1) << expression << result.err;
    return result.out.starts_with("tick ") ? std::atoi(result.out.c_str() + 5)
                                           : -1;
  }

  int First(const std::string& expression, int from) const {
    return First(absl::StrCat("tick >= ", from, " and ", expression));
  }

  // By how much a field grew in the step to the tick.
  double Grew(const std::string& field, int tick) const {
    const CommandResult result = RunCommand(
        {kReprise, "query", path_, "--watch", field, "--limit", "1000"});
    const std::string start = absl::StrCat("tick ", tick, ": ");
    const std::vector<std::string> lines = absl::StrSplit(result.out, '\n');
    for (const std::string& line : lines) {
      if (!line.starts_with(start)) continue;
      const std::vector<std::string> words = absl::StrSplit(line, ' ');
      return std::atof(words[4].c_str()) - std::atof(words[2].c_str());
    }
    return 0;
  }

  // How far the right fighter went along x in the step to the tick.
  double FoeMoved(int tick) const {
    return Grew("right.bodies.position.x", tick);
  }

 private:
  static void Hold(int tick, int player, int buttons,
                   std::map<int, std::string>& ticks) {
    absl::StrAppend(&ticks[tick], " frames { player: ", player,
                    " device { buttons: ", buttons, " } }");
  }

  std::string path_;
};

int Seen(const Bout& bout, const std::string& move) {
  const int tick =
      bout.First(absl::StrCat("left.fighter.move == '", move, "'"));
  EXPECT_GT(tick, 0) << move;
  return tick;
}

class FighterFramesTest : public testing::TestWithParam<std::string> {
 protected:
  int Of(const std::string& column) const { return Ticks(GetParam(), column); }
  std::vector<Press> Made() const { return Inputs(GetParam()); }

  // What follows another move needs somebody whom that has met.
  bool Follows() const {
    return GetParam() == "light_two" || GetParam() == "finisher";
  }
  bool IsMadeInTheAir() const { return GetParam().starts_with("air_"); }
  bool IsStrikeOnTheFloor() const {
    return !IsMadeInTheAir() && GetParam() != "throw" &&
           GetParam() != "fireball";
  }
  // Each blow of a combo does a tenth less than the one before.
  int DamageInChain() const {
    const int percent = GetParam() == "light_two"  ? 90
                        : GetParam() == "finisher" ? 80
                                                   : 100;
    return Of("damage") * percent / 100;
  }
  bool LeavesStanding() const {
    return Number(GetParam(), "lift") == 0 && GetParam() != "sweep" &&
           GetParam() != "throw";
  }
};

TEST_P(FighterFramesTest, TakesItsTicksWhereItMeetsNobody) {
  if (Follows()) return;
  const Bout bout("miss_" + GetParam(), false, Made());
  const int seen = Seen(bout, GetParam());
  const int active = bout.First("left.fighter.phase == 'active'");
  const int recovery = bout.First("left.fighter.phase == 'recovery'");
  const int over = bout.First("left.fighter.stance != 'attack'", seen);
  EXPECT_EQ(active - seen, Of("startup"));
  EXPECT_EQ(recovery - active, Of("active"));
  EXPECT_EQ(over - recovery, Of("recovery"));
  if (IsMadeInTheAir()) return;
  EXPECT_EQ(bout.First("left.fighter.stance == 'walk'", seen), over);
  EXPECT_EQ(bout.Grew("left.bodies.position.x", over - 1), 0);
  EXPECT_NEAR(bout.Grew("left.bodies.position.x", over), 3.2 / 60, 1e-9);
}

TEST_P(FighterFramesTest, MeetsTheFoeInTheFirstActiveTick) {
  if (IsMadeInTheAir() || GetParam() == "fireball") return;
  const Bout bout("meet_" + GetParam(), true, Made());
  const int met = Seen(bout, GetParam()) + Of("startup");
  EXPECT_EQ(bout.Grew("right.fighter.health", met - 1), 0);
  EXPECT_EQ(bout.Grew("right.fighter.health", met), -DamageInChain());
  EXPECT_EQ(bout.First(absl::StrCat("left.fighter.contact == 'hit' and "
                                    "left.fighter.move == '",
                                    GetParam(), "'")),
            met);
  const int over = bout.First("left.fighter.stance == 'walk'", met);
  EXPECT_EQ(over - met, Of("hit_stop") + Of("active") + Of("recovery"));
}

TEST_P(FighterFramesTest, ShotIsThereInTheFirstActiveTick) {
  if (GetParam() != "fireball") return;
  const Bout bout("shot", false, Made());
  EXPECT_EQ(bout.First("left_shot.shot.is_live") - Seen(bout, "fireball"),
            Of("startup"));
  const int met = bout.First("right.fighter.health < 1000");
  EXPECT_EQ(bout.Grew("right.fighter.health", met), -Of("damage"));
}

TEST_P(FighterFramesTest, StunsAndPushesWhomItHits) {
  if (!IsStrikeOnTheFloor() || !LeavesStanding()) return;
  const Bout first("find_" + GetParam(), true, Made());
  const int met = Seen(first, GetParam()) + Of("startup");
  const Bout bout("hit_" + GetParam(), true, Made(), {{met, kRight}});
  const int foe_free = bout.First("right.fighter.stance == 'retreat'");
  const int free = bout.First("left.fighter.stance == 'walk'", met);
  EXPECT_EQ(foe_free - met, Of("hit_stop") + Of("hit_stun") + 1);
  EXPECT_EQ(foe_free - free,
            Of("hit_stun") + 1 - Of("active") - Of("recovery"));
  EXPECT_EQ(bout.FoeMoved(met + Of("hit_stop")), 0);
  EXPECT_NEAR(bout.FoeMoved(met + Of("hit_stop") + 1),
              Number(GetParam(), "push_hit") / 60, 1e-9);
}

TEST_P(FighterFramesTest, StunsAndPushesWhoBlocks) {
  if (!IsStrikeOnTheFloor()) return;
  const Bout bout("block_" + GetParam(), true, Made(),
                  {{kStart, kRight | kDown}});
  const int met = Seen(bout, GetParam()) + Of("startup");
  EXPECT_EQ(bout.First("left.fighter.contact == 'blocked'", met - 1), met);
  EXPECT_EQ(bout.First("left.fighter.contact == 'hit'"), -1);
  const int foe_free = bout.First("right.fighter.stance == 'crouch'", met);
  const int free = bout.First("left.fighter.stance == 'walk'", met);
  EXPECT_EQ(foe_free - met, Of("hit_stop") + Of("block_stun") + 1);
  EXPECT_EQ(foe_free - free,
            Of("block_stun") + 1 - Of("active") - Of("recovery"));
  EXPECT_NEAR(bout.FoeMoved(met + Of("hit_stop") + 1),
              Number(GetParam(), "push_block") / 60, 1e-9);
  const int lost = bout.First("right.fighter.health < 1000");
  EXPECT_EQ(lost, Of("chip") > 0 ? met : -1);
  if (lost < 0) return;
  EXPECT_EQ(
      bout.First(absl::StrCat("right.fighter.health == ", 1000 - Of("chip"))),
      met);
}

// Sweeps the foe off its feet, and walks up to it.
std::vector<Press> Sweep() { return Inputs("sweep"); }

// The tick from which on a foe that was swept can be met again.
int FoeRises() {
  static const int rises = [] {
    const Bout bout("rise", true, Sweep());
    const int down = bout.First("right.fighter.stance == 'down'");
    return bout.First("right.fighter.stance != 'down'", down);
  }();
  return rises;
}

// After a sweep, makes the move with its last button at the tick.
Bout AfterSweep(const std::string& move, int tick) {
  std::vector<Press> presses = Sweep();
  std::vector<Press> inputs = Inputs(move);
  inputs.pop_back();
  const int shift = tick - inputs.back().tick;
  presses.push_back({inputs.front().tick + shift - 2, 0});
  for (const Press& press : inputs) {
    presses.push_back({press.tick + shift, press.buttons});
  }
  presses.push_back({tick + 2, 0});
  return Bout(absl::StrCat("rise_", move, "_", tick), true, presses);
}

// Nothing meets a foe on the floor. Of a move whose last active tick is that in
// which the foe rises, just this tick meets it; one tick sooner, none does.
TEST_P(FighterFramesTest, MeetsTheFoeUntilTheLastActiveTick) {
  if (!IsStrikeOnTheFloor() || Follows()) return;
  const int rises = FoeRises();
  ASSERT_GT(rises, kStart);
  const int last_button = rises - Of("startup") - Of("active");
  const Bout late = AfterSweep(GetParam(), last_button);
  EXPECT_EQ(late.First(absl::StrCat("left.fighter.contact == 'hit' and "
                                    "left.fighter.move == '",
                                    GetParam(), "'"),
                       last_button),
            rises);
  EXPECT_EQ(late.Grew("right.fighter.health", rises), -Of("damage"));
  const Bout early = AfterSweep(GetParam(), last_button - 1);
  EXPECT_EQ(early.First(absl::StrCat("left.fighter.move == '", GetParam(), "'"),
                        last_button),
            last_button);
  EXPECT_EQ(early.First("left.fighter.contact == 'hit'", last_button), -1);
}

// Whoever stands on the left has nothing of it.
TEST_P(FighterFramesTest, MirroredPlayersFareAlike) {
  std::vector<Press> mirrored = Made();
  for (Press& press : mirrored) {
    const int sides = press.buttons & (kLeft | kRight);
    if (sides == kLeft || sides == kRight) press.buttons ^= kLeft | kRight;
  }
  const Bout bout("mirror_" + GetParam(), true, Made(), mirrored);
  EXPECT_EQ(bout.First("left.fighter.health != right.fighter.health"), -1);
  EXPECT_EQ(bout.First("left.fighter.stance != right.fighter.stance"), -1);
  EXPECT_EQ(bout.First("left.bodies.position.x + right.bodies.position.x != 0"),
            -1);
}

std::vector<std::string> Moves() {
  std::vector<std::string> moves;
  for (const auto& [name, row] : ReadTable()) moves.push_back(name);
  return moves;
}

INSTANTIATE_TEST_SUITE_P(Moves, FighterFramesTest, testing::ValuesIn(Moves()),
                         [](const auto& move) { return move.param; });

TEST(FighterRulesTest, LowBlowsAreBlockedLow) {
  const Bout bout("low", true, Inputs("low_kick"), {{kStart, kRight}});
  EXPECT_GT(bout.First("right.fighter.stance == 'hit'"), kStart);
}

TEST(FighterRulesTest, BlowsFromTheAirAreBlockedHigh) {
  const std::vector<Press> jump = {{kStart, kUp | kRight},
                                   {kStart + 24, kHeavy}};
  const Bout low("air_low", true, jump, {{kStart, kRight | kDown}});
  EXPECT_GT(low.First("right.fighter.stance == 'hit'"), kStart);
  const Bout high("air_high", true, jump, {{kStart + 20, kRight}});
  EXPECT_GT(high.First("right.fighter.stance == 'block'"), kStart);
  EXPECT_EQ(high.First("right.fighter.stance == 'hit'"), -1);
}

TEST(FighterRulesTest, ThrowsMeetWhoBlocks) {
  const Bout bout("throw_block", true, Inputs("throw"),
                  {{kStart, kRight | kDown}});
  EXPECT_GT(bout.First("right.fighter.stance == 'down'"), kStart);
}

TEST(FighterRulesTest, ChainOfThreeScalesItsDamage) {
  const Bout bout("chain", true, Inputs("finisher"));
  EXPECT_GT(bout.First("left.fighter.combo == 3"), kStart);
  const int damage = Ticks("light", "damage") +
                     Ticks("light_two", "damage") * 90 / 100 +
                     Ticks("finisher", "damage") * 80 / 100;
  EXPECT_GT(bout.First(absl::StrCat("right.fighter.health == ", 1000 - damage)),
            kStart);
}

TEST(FighterRulesTest, SequencesComeLateOnlyWithinTheirWindow) {
  for (const int gap : {12, 13}) {
    const std::vector<Press> presses = {{kStart, kDown},
                                        {kStart + 2, kDown | kRight},
                                        {kStart + 4, kRight},
                                        {kStart + 4 + gap, kRight | kLight}};
    const Bout bout(absl::StrCat("window_", gap), false, presses);
    EXPECT_EQ(bout.First("left.fighter.move == 'fireball'") > 0, gap == 12);
  }
}

}  // namespace
}  // namespace reprise::tests

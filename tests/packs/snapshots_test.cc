// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that snapshots of every pack that ships are exact at any tick: a game
// with random inputs is saved at ticks drawn at random, and goes on from each
// with the digests of the run that was never interrupted. It does in the same
// world after that went on, in a fresh one that is given portable bytes, and in
// forks that live side by side. A world at its start takes that of each tick.
// That the snapshots hold all that a body can be is asked of them, too.
//
// The short form is for every day; `bazel test
// //tests/packs:snapshots_full_test` makes 50 snapshots of each pack and 1,000
// ticks from each.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/base/random.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"
#include "sim/physics/characters/character_rows.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/vehicles/vehicle_rows.h"
#include "sim/state/state_codec.h"
#include "sim/state/state_comparison.h"
#include "sim/world/components/object_rows.h"
#include "tests/packs/battery_packs.h"
#include "tests/packs/game_ticks.h"

namespace reprise::sim {
namespace {

// Most others keep the nursery paused for more than half of the time.
constexpr uint64_t kInputSeed = 39;

// How much is made of each pack.
struct Extent {
  size_t snapshots = 0;
  Tick snapshots_end = 0;  // they are of ticks before this one
  Tick ticks_after = 0;
};

constexpr Extent kShort = {
    .snapshots = 25, .snapshots_end = 1200, .ticks_after = 300};
constexpr Extent kFull = {
    .snapshots = 50, .snapshots_end = 1500, .ticks_after = 1000};
// A tick of `pile` costs as much as twenty of another pack.
constexpr Extent kShortOfPile = {
    .snapshots = 8, .snapshots_end = 400, .ticks_after = 100};

std::set<Tick> DrawTicks(const std::string& pack, const Extent& extent) {
  RandomStream random = MakeRandomStream(3, IdOf(pack));
  std::set<Tick> ticks;
  while (ticks.size() < extent.snapshots) {
    ticks.insert(NextBelow(random, extent.snapshots_end));
  }
  return ticks;
}

std::unique_ptr<Simulation> MakeWorld(const std::string& name) {
  auto world = CreateWorld(BatteryPack(name), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

Digest Root(const Simulation& world) {
  return world.state().ComputeRootDigest();
}

// A game with random inputs that is never interrupted, and what it was at each
// tick.
class Game {
 public:
  explicit Game(std::string pack)
      : pack_(std::move(pack)), world_(MakeWorld(pack_)) {
    digests_.push_back(Root(*world_));
  }

  const std::string& pack() const { return pack_; }
  Simulation& world() { return *world_; }

  // Makes ticks up to this one.
  void PlayTo(Tick tick) {
    while (world_->tick() < tick) {
      inputs_.push_back(source_.Next());
      world_->Step(inputs_.back(), nullptr);
      digests_.push_back(Root(*world_));
    }
  }

  // Makes a tick of `world` as the run made it. Fails with the fields that
  // differ then, if any does.
  testing::AssertionResult Follow(Simulation& world) const {
    world.Step(inputs_[world.tick()], nullptr);
    world.DrainEvents();
    if (Root(world) == digests_[world.tick()]) {
      return testing::AssertionSuccess();
    }
    const std::unique_ptr<Simulation> expected = MakeWorld(pack_);
    while (expected->tick() < world.tick()) {
      expected->Step(inputs_[expected->tick()], nullptr);
    }
    testing::AssertionResult failure = testing::AssertionFailure();
    failure << "at tick " << world.tick();
    for (const FieldDifference& difference :
         CompareStates(expected->state(), world.state(), /*limit=*/8)) {
      failure << "\n"
              << FormatDifference(difference, world.state(), NamesOf(world));
    }
    return failure;
  }

  testing::AssertionResult Follow(Simulation& world, Tick tick_count) const {
    testing::AssertionResult result = testing::AssertionSuccess();
    for (Tick made = 0; made < tick_count && result; ++made) {
      result = Follow(world);
    }
    return result;
  }

 private:
  const std::string pack_;
  const std::unique_ptr<Simulation> world_;
  RandomInputSource source_{world_->info().inputs, kInputSeed};
  std::vector<std::vector<InputFrame>> inputs_;  // by tick
  std::vector<Digest> digests_;                  // by tick
};

using Parameters = std::tuple<const char*, Extent>;

class SnapshotsTest : public testing::TestWithParam<Parameters> {
 protected:
  static Tick ticks_after() { return std::get<Extent>(GetParam()).ticks_after; }

  // Plays to the end, and calls `at_snapshot` before each tick of which a
  // snapshot is wanted.
  template <typename AtSnapshot>
  void Play(const AtSnapshot& at_snapshot) {
    const Extent& extent = std::get<Extent>(GetParam());
    for (const Tick tick : DrawTicks(game_.pack(), extent)) {
      game_.PlayTo(tick);
      at_snapshot(game_.world());
    }
    const Tick end = extent.snapshots_end + extent.ticks_after;
    game_.PlayTo(end);
    EXPECT_GT(GameTicksOf(game_.world()), end / 2);
  }

  Game game_{std::get<const char*>(GetParam())};
};

const auto kNameOf = [](const testing::TestParamInfo<Parameters>& info) {
  return std::string(std::get<const char*>(info.param));
};

std::vector<Parameters> ShortParameters() {
  std::vector<Parameters> parameters;
  for (const char* const pack : kBatteryPacks) {
    parameters.emplace_back(
        pack, pack == std::string_view("pile") ? kShortOfPile : kShort);
  }
  return parameters;
}

INSTANTIATE_TEST_SUITE_P(Short, SnapshotsTest,
                         testing::ValuesIn(ShortParameters()), kNameOf);
INSTANTIATE_TEST_SUITE_P(Full, SnapshotsTest,
                         testing::Combine(testing::ValuesIn(kBatteryPacks),
                                          testing::Values(kFull)),
                         kNameOf);

TEST_P(SnapshotsTest, WorldGoesBackToEachOfThem) {
  std::vector<State> snapshots;
  Play([&](const Simulation& world) { snapshots.push_back(world.state()); });
  // From the last to the first, so that each time there is more to forget.
  for (; !snapshots.empty(); snapshots.pop_back()) {
    ASSERT_TRUE(game_.world().Restore(snapshots.back()).ok());
    const Tick tick = game_.world().tick();
    ASSERT_TRUE(game_.Follow(game_.world(), ticks_after())) << "from " << tick;
  }
}

TEST_P(SnapshotsTest, FreshWorldGoesOnFromTheirBytes) {
  std::vector<std::string> snapshots;
  Play([&](const Simulation& world) {
    snapshots.push_back(EncodeState(world.state()));
  });
  for (const std::string& snapshot : snapshots) {
    const std::unique_ptr<Simulation> fresh = MakeWorld(game_.pack());
    const auto state =
        DecodeState(std::as_bytes(std::span(snapshot)), fresh->state());
    ASSERT_TRUE(state.ok()) << state.status();
    ASSERT_TRUE(fresh->Restore(*state).ok());
    const Tick tick = fresh->tick();
    ASSERT_TRUE(game_.Follow(*fresh, ticks_after())) << "from " << tick;
  }
}

// Of a world that has come far others have objects of other types in their
// rows; what is wrong about that may show at few ticks. So it is asked of all.
TEST_P(SnapshotsTest, WorldAtItsStartTakesThatOfEveryTick) {
  const Simulation& world = game_.world();
  const std::unique_ptr<Simulation> other = world.Fork();
  const State start = other->state();
  for (Tick tick = 1; tick < std::get<Extent>(GetParam()).snapshots_end;
       ++tick) {
    game_.PlayTo(tick);
    ASSERT_TRUE(other->Restore(start).ok()) << tick;
    const absl::Status restored = other->Restore(world.state());
    ASSERT_TRUE(restored.ok()) << tick << ": " << restored;
    ASSERT_EQ(Root(*other), Root(world)) << tick;
  }
}

// Each is at another tick of the same game.
TEST_P(SnapshotsTest, ForksGoOnSideBySide) {
  std::vector<std::unique_ptr<Simulation>> forks;
  Play([&](const Simulation& world) { forks.push_back(world.Fork()); });
  for (Tick made = 0; made < ticks_after(); ++made) {
    for (const std::unique_ptr<Simulation>& fork : forks) {
      ASSERT_TRUE(game_.Follow(*fork)) << "after " << made << " ticks";
    }
  }
}

// Whether the state has such a row.
template <typename Row, typename Condition>
bool Any(const State& state, std::string_view room,
         const Condition& condition) {
  const std::optional<TableIndex> index = state.Find(room, Row::kTable);
  if (!index.has_value()) return false;
  const Table& table = state.table(*index);
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    if (condition(table.Get<Row>(row))) return true;
  }
  return false;
}

// What a snapshot holds of what is hard to restore.
std::set<std::string> ContentsOf(const Simulation& world) {
  const State& state = world.state();
  std::set<std::string> contents;
  const auto note = [&](const std::string& what, bool is_there) {
    if (is_there) contents.insert(what);
  };
  const auto is_there = [](const auto&) { return true; };
  note("sleeper", Any<BodyRow>(state, "physics", [](const BodyRow& body) {
         return body.activation == Activation::kAsleep && body.slow_time > 0.0;
       }));
  note("warm contact of a part",
       Any<ContactPointRow>(state, "physics", [](const ContactPointRow& row) {
         return row.primitives > 0 && row.impulse > 0.0;
       }));
  const auto is_of = [&](ObjectId object, const std::string& name) {
    return world.info().pack + "/" + world.ObjectName(object) == name;
  };
  // A height field, a mesh, a continuous and a kinematic body.
  for (const char* const name :
       {"terrain/hills", "terrain/ramp", "terrain/bullet", "nursery/paddle"}) {
    note(
        std::string("contact of ") + name,
        Any<ContactPointRow>(state, "physics", [&](const ContactPointRow& row) {
          return is_of(row.object_a, name) || is_of(row.object_b, name);
        }));
  }
  note("motor", Any<JointRow>(state, "physics", [](const JointRow& joint) {
         return joint.motor_impulse_max > 0.0;
       }));
  note("broken joint",
       Any<JointRow>(state, "physics", [](const JointRow& joint) {
         return joint.is_enabled == 0;
       }));
  note("ragdoll", Any<SpawnedJointRow>(state, "physics", is_there));
  note("character", Any<CharacterRow>(state, "characters", is_there));
  note("vehicle", Any<VehicleRow>(state, "vehicles", is_there));
  note("objects that came and went",
       Any<AllocationRow>(state, "world", [](const AllocationRow& row) {
         return row.spawned > 0 && row.destroyed > 0;
       }));
  return contents;
}

TEST(SnapshotContentsTest, PacksBetweenThemHoldAllThatABodyCanBe) {
  std::set<std::string> contents;
  for (const char* const pack : kBatteryPacks) {
    Game game(pack);
    for (const Tick tick : DrawTicks(pack, kShort)) {
      game.PlayTo(tick);
      contents.merge(ContentsOf(game.world()));
    }
    EXPECT_GT(GameTicksOf(game.world()), game.world().tick() / 2);
  }
  EXPECT_THAT(
      contents,
      testing::ElementsAre(
          "broken joint", "character", "contact of nursery/paddle",
          "contact of terrain/bullet", "contact of terrain/hills",
          "contact of terrain/ramp", "motor", "objects that came and went",
          "ragdoll", "sleeper", "vehicle", "warm contact of a part"));
}

}  // namespace
}  // namespace reprise::sim

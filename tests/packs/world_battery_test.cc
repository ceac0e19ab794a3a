// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the promises of the waist for the built-in world, on the packs that
// ship: state is a function of pack, seed and inputs; snapshots and forks
// continue it to the bit; observers and frames change nothing.

#include "sim/world/world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/field.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"
#include "sim/state/row_schema.h"
#include "sim/state/state_comparison.h"
#include "tests/packs/battery_packs.h"
#include "tests/packs/game_ticks.h"

namespace reprise::sim {
namespace {

std::unique_ptr<Simulation> MakeWorld(const std::string& pack,
                                      uint64_t seed = 1) {
  auto world = CreateWorld(BatteryPack(pack), seed);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

// Of nobody: a table beside those of the world.
struct OddRow {
  uint64_t number = 0;

  static constexpr std::string_view kTable = "odd";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(OddRow, number, "")};
  }
};

// Steps with random inputs; the same count and seed give the same inputs.
class RandomPlayer {
 public:
  explicit RandomPlayer(const Simulation& simulation)
      : source_(simulation.info().inputs, kInputSeed) {}

  void Play(Simulation& simulation, int ticks) {
    for (int tick = 0; tick < ticks; ++tick) {
      simulation.Step(source_.Next(), nullptr);
    }
    EXPECT_GT(GameTicksOf(simulation), simulation.tick() / 2);
  }

 private:
  // Most others keep the nursery paused.
  static constexpr uint64_t kInputSeed = 34;

  RandomInputSource source_;
};

Digest Root(const Simulation& simulation) {
  return simulation.state().ComputeRootDigest();
}

// Every pack that ships goes through the same claims.
class WorldTest : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Packs, WorldTest, ::testing::ValuesIn(kBatteryPacks));

TEST_P(WorldTest, SameInputsGiveTheSameBits) {
  auto one = MakeWorld(GetParam());
  auto two = MakeWorld(GetParam());
  RandomPlayer(*one).Play(*one, 120);
  RandomPlayer(*two).Play(*two, 120);
  EXPECT_EQ(Root(*one), Root(*two));
}

TEST_P(WorldTest, RestoredWorldContinuesToTheBit) {
  auto original = MakeWorld(GetParam());
  RandomPlayer player(*original);
  player.Play(*original, 90);
  auto restored = MakeWorld(GetParam());
  ASSERT_TRUE(restored->Restore(original->state()).ok());
  RandomPlayer player_of_restored = player;
  player.Play(*original, 60);
  player_of_restored.Play(*restored, 60);
  EXPECT_EQ(Root(*restored), Root(*original));
}

TEST_P(WorldTest, RestoringItselfAtEveryTickChangesNothing) {
  auto plain = MakeWorld(GetParam());
  auto heavy = MakeWorld(GetParam());
  RandomPlayer player(*plain);
  RandomPlayer player_of_heavy(*heavy);
  for (int tick = 0; tick < 60; ++tick) {
    const State snapshot = heavy->state();
    ASSERT_TRUE(heavy->Restore(snapshot).ok());
    player.Play(*plain, 1);
    player_of_heavy.Play(*heavy, 1);
    ASSERT_EQ(Root(*heavy), Root(*plain)) << "tick " << tick;
  }
}

// Heavy mode: at each tick a world is taken back by 1 to 7 ticks and makes them
// anew; it then is where the plain one is.
TEST_P(WorldTest, RollingBackAndSteppingAgainChangesNothing) {
  constexpr size_t kTicksBackMax = 7;
  auto plain = MakeWorld(GetParam());
  auto heavy = MakeWorld(GetParam());
  RandomPlayer player(*plain);
  std::vector<State> states = {heavy->state()};
  std::vector<RandomPlayer> players = {RandomPlayer(*heavy)};
  for (size_t tick = 1; tick <= 60; ++tick) {
    const size_t back = std::min(tick - 1, tick % (kTicksBackMax + 1));
    ASSERT_TRUE(heavy->Restore(states[tick - 1 - back]).ok());
    RandomPlayer again = players[tick - 1 - back];
    again.Play(*heavy, static_cast<int>(back) + 1);
    player.Play(*plain, 1);
    states.push_back(heavy->state());
    players.push_back(again);
    ASSERT_EQ(Root(*heavy), Root(*plain)) << "tick " << tick;
  }
}

// The smallest change of every scalar of every table is found, and only that.
TEST_P(WorldTest, EveryFieldOfEveryTableIsComparedByName) {
  auto world = MakeWorld(GetParam());
  RandomPlayer(*world).Play(*world, 40);
  const State before = world->state();
  size_t field_count = 0;
  for (uint32_t table = 0; table < before.table_count(); ++table) {
    const Table& rows = before.table({table});
    if (rows.row_count() == 0) continue;
    const uint32_t row = rows.row_count() / 2;
    const RowSchema& schema = rows.schema();
    for (uint32_t field = schema.key_field_count();
         field < schema.fields().size(); ++field) {
      for (uint32_t index = 0; index < schema.fields()[field].count; ++index) {
        const FieldAddress address{
            .table = {table}, .row = row, .scalar = {field, index}};
        FieldValue value = ReadScalar(before, address);
        value.bits ^= 1;  // of a double, one unit in the last place
        State changed = before;
        ASSERT_TRUE(WriteScalar(changed, address, value).ok());
        const auto found = CompareStates(before, changed, 10);
        ASSERT_EQ(found.size(), 1u)
            << schema.name() << "." << schema.fields()[field].name;
        EXPECT_EQ(found[0].table, address.table);
        EXPECT_EQ(found[0].scalar, address.scalar);
        EXPECT_NE(changed.ComputeRootDigest(), before.ComputeRootDigest());
        ++field_count;
      }
    }
  }
  EXPECT_GT(field_count, 60u);
}

TEST_P(WorldTest, ForksLiveOnIndependently) {
  auto original = MakeWorld(GetParam());
  RandomPlayer player(*original);
  player.Play(*original, 40);
  auto fork = original->Fork();
  const Digest before = Root(*original);
  RandomPlayer player_of_fork = player;
  player_of_fork.Play(*fork, 40);
  EXPECT_EQ(Root(*original), before);
  player.Play(*original, 40);
  EXPECT_EQ(Root(*original), Root(*fork));
}

TEST_P(WorldTest, FramesAndObserversChangeNothing) {
  class Watcher : public PhaseObserver {
   public:
    void OnPhase(uint32_t, const State& state) override {
      copies_.push_back(state);
      root_ = state.ComputeRootDigest();
    }
    std::vector<State> copies_;
    Digest root_;
  };
  auto plain = MakeWorld(GetParam());
  auto watched = MakeWorld(GetParam());
  Watcher watcher;
  for (int tick = 0; tick < 60; ++tick) {
    plain->Step({}, nullptr);
    watched->Step({}, &watcher);
    EXPECT_EQ(watched->ProduceFrame().tick, watched->tick());
  }
  EXPECT_EQ(Root(*watched), Root(*plain));
  EXPECT_EQ(watcher.root_, Root(*plain));
  // Inputs and the commit come once a tick, all between with each step of the
  // game.
  const size_t step_phases = plain->info().phases.size() - 2;
  EXPECT_EQ(watcher.copies_.size(),
            60 * 2 + GameTicksOf(*watched) * step_phases);
}

TEST_P(WorldTest, SmallestInjectedChangeIsReportedAsThat) {
  auto world = MakeWorld(GetParam());
  world->Step({}, nullptr);
  const State before = world->state();
  const TableIndex bodies = *before.Find("physics", "bodies");
  const RowSchema& schema = before.table(bodies).schema();
  const uint32_t row = before.table(bodies).row_count() - 1;
  for (uint32_t field = schema.key_field_count();
       field < schema.fields().size(); ++field) {
    if (schema.fields()[field].scalar != ScalarType::kDouble) continue;
    auto changed = world->Fork();
    const FieldAddress address{
        .table = bodies, .row = row, .scalar = {.field = field}};
    const double value = ReadScalar(before, address).AsDouble();
    ASSERT_TRUE(changed
                    ->Inject(address,
                             FieldValue::OfDouble(std::nextafter(value, 1e300)))
                    .ok());
    const auto found = CompareStates(before, changed->state(), 10);
    ASSERT_EQ(found.size(), 1u) << schema.fields()[field].name;
    EXPECT_EQ(found[0].scalar, address.scalar);
    EXPECT_EQ(UlpDistance(*found[0].expected, *found[0].actual), 1u);
  }
}

// The quarry is only worth its place in the battery while all of it happens.
TEST(QuarryTest, ChargesBreakCratesAndOthersFloat) {
  auto world = MakeWorld("quarry");
  std::map<std::string, int> events;
  for (int tick = 0; tick < 300; ++tick) {
    world->Step({}, nullptr);
    for (const Event& event : world->DrainEvents()) {
      ++events[world->IdName(event.type)];
    }
  }
  for (const char* const expected :
       {"blast", "contact_began", "contact_stayed", "contact_ended", "crumbled",
        "damage", "objective_complete", "stage_changed", "object_destroyed",
        "object_spawned"}) {
    EXPECT_GT(events[expected], 0) << expected;
  }
  double buoy = 0.0;
  double sunken = 0.0;
  for (const FrameObject& object : world->ProduceFrame().objects) {
    if (object.name == "buoy_0") buoy = object.position.y;
    if (object.name == "sunken") sunken = object.position.y;
  }
  // Of 1.2 m of water.
  EXPECT_GT(buoy, 0.6);
  EXPECT_LT(sunken, 0.3);
}

TEST(WorldRestoreTest, SnapshotOfAnotherPackIsRefusedAndNothingChanges) {
  auto world = MakeWorld("marble");
  auto other = MakeWorld("pile");
  world->Step({}, nullptr);
  const Digest before = Root(*world);
  const absl::Status status = world->Restore(other->state());
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(),
            "the snapshot lacks the tables of the system 'contacts'");
  EXPECT_EQ(Root(*world), before);
  world->Step({}, nullptr);
}

TEST(WorldRestoreTest, TablesOfASystemThatIsNotInUseAreNamed) {
  auto world = MakeWorld("pile");
  const Digest before = Root(*world);
  State snapshot = world->state();
  snapshot.AddTable("regions", RowSchema::Of<OddRow>());
  const absl::Status status = world->Restore(snapshot);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(),
            "the snapshot has tables of the system 'regions', which is not in "
            "use here");
  EXPECT_EQ(Root(*world), before);
}

// Each table in turn as another version of the program would have it.
TEST(WorldRestoreTest, TableOfAnotherVersionNamesItsFields) {
  auto world = MakeWorld("marble");
  const Digest before = Root(*world);
  const State& state = world->state();
  for (uint32_t changed = 0; changed < state.table_count(); ++changed) {
    State snapshot;
    std::string expected;
    for (uint32_t table = 0; table < state.table_count(); ++table) {
      const RowSchema& schema = state.table({table}).schema();
      std::vector<Field> fields(schema.fields().begin(), schema.fields().end());
      const std::string& room = state.room_of({table}).name;
      if (table == changed) {
        const std::string was = fields.back().name;
        fields.back().name = "of_later";
        expected = room + "." + schema.name() + " has other fields: without " +
                   was + "; with of_later";
      }
      snapshot.AddTable(
          room, std::make_shared<RowSchema>(schema.name(),
                                            schema.key_field_count(), fields));
    }
    const absl::Status status = world->Restore(snapshot);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(status.message(), "table " + expected);
  }
  EXPECT_EQ(Root(*world), before);
}

TEST(WorldRestoreTest, ContradictingRowsAreRefused) {
  auto world = MakeWorld("marble");
  const Digest before = Root(*world);
  for (uint32_t table = 0; table < world->state().table_count(); ++table) {
    State snapshot = world->state();
    Table& rows = snapshot.mutable_table({table});
    const uint32_t row_count = rows.row_count();
    rows.Resize(row_count + 1);
    // An overlap or contact point of objects 0 and 0 in first place.
    if (row_count == 0) rows.Resize(2);
    EXPECT_EQ(world->Restore(snapshot).code(), absl::StatusCode::kDataLoss)
        << rows.schema().name();
  }
  EXPECT_EQ(Root(*world), before);
}

TEST(WorldInputTest, MarbleRollsTheWayTheStickPoints) {
  auto world = MakeWorld("marble");
  InputFrame frame{.player = 0};
  frame.device.axes[1] = -kAxisMax;
  const auto position_z = [&world] {
    for (const FrameObject& object : world->ProduceFrame().objects) {
      if (object.name == "player") return object.position.z;
    }
    return 0.0;
  };
  const double start = position_z();
  world->Step(std::vector{frame}, nullptr);
  for (int tick = 0; tick < 30; ++tick) world->Step({}, nullptr);
  EXPECT_LT(position_z(), start - 0.2);
}

TEST(WorldInputTest, MarbleJumpsOnceForOnePress) {
  auto world = MakeWorld("marble");
  for (int tick = 0; tick < 30; ++tick) world->Step({}, nullptr);
  InputFrame frame{.player = 0};
  frame.device.buttons = 1;
  world->DrainEvents();
  world->Step(std::vector{frame}, nullptr);
  for (int tick = 0; tick < 5; ++tick) world->Step({}, nullptr);
  const std::vector<Event> events = world->DrainEvents();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(world->IdName(events[0].type), "jumped");
  EXPECT_EQ(world->ObjectName(events[0].object), "player");
}

TEST(WorldOutcomeTest, FallingOffTheCourseLoses) {
  auto world = MakeWorld("marble");
  const State& state = world->state();
  const TableIndex bodies = *state.Find("physics", "bodies");
  for (uint32_t row = 0; row < state.table(bodies).row_count(); ++row) {
    const auto& body = state.table(bodies).Get<BodyRow>(row);
    if (world->ObjectName(body.object) != "player") continue;
    const FieldAddress x{
        .table = bodies,
        .row = row,
        .scalar = *state.table(bodies).schema().Find("position.x")};
    ASSERT_TRUE(world->Inject(x, FieldValue::OfDouble(-20.0)).ok());
    break;
  }
  for (int tick = 0; tick < 300; ++tick) world->Step({}, nullptr);
  EXPECT_EQ(world->outcome(), (Outcome{Outcome::Status::kLost,
                                       "the marble fell off the course"}));
}

}  // namespace
}  // namespace reprise::sim

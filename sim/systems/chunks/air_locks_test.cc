// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that doors open onto active chunks only and never both, on a walk
// through a corridor between two chunks of which only one fits at a time, and
// under requests at random.

#include "sim/systems/chunks/air_locks.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/geometry/volume.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"
#include "sim/systems/chunks/chunk_events.h"
#include "sim/systems/chunks/chunks.h"

namespace reprise::sim {
namespace {

constexpr Id kHall = IdOf("hall");
constexpr Id kCorridor = IdOf("corridor");
constexpr Id kCanyon = IdOf("canyon");
constexpr Id kHallDoor = IdOf("hall door");
constexpr Id kCanyonDoor = IdOf("canyon door");
constexpr Id kInterior = IdOf("interior");
constexpr Id kStory = IdOf("story");

RegionDefinition Between(Id name, double low, double high) {
  return {.name = name,
          .volume = OrientedBoxVolume{
              .centre = {0.5 * (low + high), 0.0, 0.0},
              .half_extents_m = {0.5 * (high - low), 5.0, 5.0}}};
}

// The hall from 0 to 10, the corridor to 20, the canyon to 30. Two places: a
// large chunk and the corridor.
ChunkPlan Plan() {
  return {.chunks = {{.name = kHall, .is_active_at_start = true},
                     {.name = kCorridor,
                      .is_active_at_start = true,
                      .is_always_wanted = true},
                     {.name = kCanyon}},
          .load_regions = {{Between(IdOf("in hall"), 0, 11), {kHall}},
                           {Between(IdOf("far end"), 14, 30), {kCanyon}}},
          .activation_delay = 20,
          .deactivation_delay = 3,
          .present_chunks_max = 2};
}

AirLockDefinition Corridor() {
  return {
      .name = kCorridor,
      .sides = {AirLockSide{.chunk = kHall, .door = kHallDoor},
                AirLockSide{
                    .chunk = kCanyon, .door = kCanyonDoor, .layer = kStory}},
      .interior = kInterior,
      .closing_ticks = 5,
      .open_side_at_start = 1};
}

// A player in a level with one air lock, stepped as the phases of a tick do it.
class Corridors {
 public:
  Corridors()
      : loader_(Plan()),
        regions_(std::vector{Between(kInterior, 11, 19)}),
        air_locks_(std::vector{Corridor()}) {
    InitializeLayers(std::vector<LayerDefinition>{{.name = kStory}}, layers_);
    loader_.Initialize(chunks_);
    air_locks_.Initialize(rows_);
  }

  // One tick with the player at `x`; what happened goes to the log.
  void Step(double x) {
    const std::vector<ObjectPoint> player = {{ObjectId{1}, {x, 0.0, 0.0}}};
    const std::vector<Id> changed = ApplyLayers(layers_);
    const ChunkUpdate chunks = loader_.Update(
        player, air_locks_.HeldChunks(rows_), changed, tick_, tables());
    for (const auto& [type, chunk] : chunks.events) Log(type, chunk);
    for (const auto& [type, door] :
         air_locks_.Update(tick_, chunks_, layers_, rows_)) {
      Log(type, door);
    }
    air_locks_.Follow(regions_.Update(player, tick_, layers_, visits_).events,
                      rows_);
    ++tick_;
    CheckPromises();
  }

  void Ask(Id door) { ASSERT_TRUE(air_locks_.Ask(door, rows_).ok()); }

  void SetStory(bool is_enabled) {
    ASSERT_TRUE(SetLayer(kStory, is_enabled, layers_).ok());
  }

  bool IsOpen(Id door) const { return air_locks_.IsOpen(door, rows_); }

  Tick tick() const { return tick_; }
  std::vector<std::string> TakeLog() { return std::exchange(log_, {}); }
  AirLockRow row() const { return rows_.Get<AirLockRow>(0); }
  absl::Status AskFor(Id door) { return air_locks_.Ask(door, rows_); }

  // Whether the rows pass as those of a snapshot with this row of the lock.
  absl::StatusCode CheckWith(const AirLockRow& row) {
    rows_.Mutable<AirLockRow>(0) = row;
    return air_locks_.CheckRows(rows_, chunks_).code();
  }

 private:
  ChunkTables tables() { return {chunks_, load_visits_, layers_}; }

  void Log(Id type, Id name) {
    static const std::map<Id, std::string> kWords = {
        {kHall, "hall"},
        {kCanyon, "canyon"},
        {kHallDoor, "hall door"},
        {kCanyonDoor, "canyon door"},
        {kChunkScheduled, "scheduled"},
        {kChunkActivated, "active"},
        {kChunkLeaving, "leaving"},
        {kChunkDeactivated, "gone"},
        {kChunkCancelled, "cancelled"},
        {kChunkKept, "kept"},
        {kChunkBudgetExceeded, "refused"},
        {kDoorOpened, "open"},
        {kDoorClosing, "closing"},
        {kDoorClosed, "closed"}};
    log_.push_back(
        fmt::format("{}: {} {}", tick_, kWords.at(name), kWords.at(type)));
  }

  // What holds at every tick of every test.
  void CheckPromises() const {
    EXPECT_FALSE(IsOpen(kHallDoor) && IsOpen(kCanyonDoor));
    const uint64_t side = row().side;
    if (side != 0) {
      EXPECT_EQ(StatusOfChunk(chunks_, side == 1 ? kHall : kCanyon),
                ChunkStatus::kActive)
          << "tick " << tick_;
    }
    int present_count = 0;
    for (const Id chunk : {kHall, kCorridor, kCanyon}) {
      present_count += StatusOfChunk(chunks_, chunk) != ChunkStatus::kAbsent;
    }
    EXPECT_LE(present_count, 2);
  }

  ChunkLoader loader_;
  Regions regions_;
  AirLocks air_locks_;
  Table chunks_{RowSchema::Of<ChunkRow>()};
  Table load_visits_{RowSchema::Of<RegionVisitRow>()};
  Table visits_{RowSchema::Of<RegionVisitRow>()};
  Table layers_{RowSchema::Of<LayerRow>()};
  Table rows_{RowSchema::Of<AirLockRow>()};
  Tick tick_ = 0;
  std::vector<std::string> log_;
};

TEST(AirLockTest, ExitOpensExactlyWhenTheNextChunkIsActive) {
  Corridors world;
  for (int tick = 0; tick < 10; ++tick) world.Step(5.0);
  ASSERT_TRUE(world.IsOpen(kHallDoor));
  ASSERT_TRUE(world.TakeLog().empty());
  // In through the entrance, up to the exit.
  for (int tick = 10; tick < 60; ++tick) world.Step(15.0);
  const std::vector<std::string> expected = {
      // The player is inside from tick 10 on: the hall, with an open door to
      // it, stays, and there is no room for the canyon.
      "10: canyon refused", "11: hall door closing", "16: hall door closed",
      "17: hall leaving",   "20: hall gone",         "20: canyon scheduled",
      "40: canyon active",  "40: canyon door open",
  };
  std::vector<std::string> actual = world.TakeLog();
  // Chunks of one tick come in the order of their ids.
  EXPECT_TRUE(std::ranges::is_permutation(actual, expected))
      << fmt::format("{}", fmt::join(actual, "\n"));
  EXPECT_EQ(actual.back(), "40: canyon door open");
}

TEST(AirLockTest, TheWayBackIsTheSame) {
  Corridors world;
  for (int tick = 0; tick < 60; ++tick) world.Step(tick < 10 ? 5.0 : 15.0);
  for (int tick = 60; tick < 80; ++tick) world.Step(25.0);
  ASSERT_TRUE(world.IsOpen(kCanyonDoor));
  for (int tick = 80; tick < 90; ++tick) world.Step(15.0);
  EXPECT_FALSE(world.IsOpen(kCanyonDoor));
  // Only who walks to the hall's end wants the hall.
  for (int tick = 90; tick < 130; ++tick) world.Step(11.0);
  EXPECT_TRUE(world.IsOpen(kHallDoor));
}

TEST(AirLockTest, DoorAskedForAgainWhileItClosesOpens) {
  Corridors world;
  for (int tick = 0; tick < 3; ++tick) world.Step(5.0);
  world.Ask(kCanyonDoor);
  world.Step(5.0);
  EXPECT_FALSE(world.IsOpen(kHallDoor));
  world.Ask(kHallDoor);
  world.Step(5.0);
  EXPECT_TRUE(world.IsOpen(kHallDoor));
  EXPECT_EQ(world.TakeLog(), (std::vector<std::string>{"3: hall door closing",
                                                       "4: hall door open"}));
}

TEST(AirLockTest, DoorWaitsForItsLayer) {
  Corridors world;
  world.SetStory(false);
  for (int tick = 0; tick < 100; ++tick) world.Step(15.0);
  EXPECT_FALSE(world.IsOpen(kCanyonDoor));
  world.SetStory(true);
  world.Step(15.0);
  EXPECT_TRUE(world.IsOpen(kCanyonDoor));
}

TEST(AirLockTest, PromisesHoldWhateverIsAsked) {
  RandomStream stream = MakeRandomStream(9, IdOf("doors"));
  Corridors world;
  double x = 5.0;
  int opened_count = 0;
  for (int tick = 0; tick < 20'000; ++tick) {
    const uint64_t choice = NextBelow(stream, 60);
    if (choice == 0) world.Ask(kHallDoor);
    if (choice == 1) world.Ask(kCanyonDoor);
    if (choice == 2) world.SetStory(NextBelow(stream, 4) != 0);
    if (choice == 3) x = 30.0 * NextUnit(stream);
    world.Step(x);
  }
  for (const std::string& line : world.TakeLog()) {
    opened_count += line.ends_with("canyon door open");
  }
  EXPECT_GT(opened_count, 20);
}

TEST(AirLockTest, RowsThatCanNotBeAreRefused) {
  Corridors world;
  world.Step(5.0);
  const AirLockRow open = world.row();
  AirLockRow canyon_open = open;
  canyon_open.side = 2;
  AirLockRow no_side = open;
  no_side.side = 3;
  AirLockRow closed_on_a_side = open;
  closed_on_a_side.status = 0;
  AirLockRow other = open;
  other.air_lock = kHall;
  for (const AirLockRow& odd :
       {canyon_open, no_side, closed_on_a_side, other}) {
    EXPECT_EQ(world.CheckWith(odd), absl::StatusCode::kDataLoss);
  }
  EXPECT_EQ(world.CheckWith(open), absl::StatusCode::kOk);
}

TEST(AirLockTest, UnknownDoorIsNotFound) {
  Corridors world;
  EXPECT_EQ(world.AskFor(kHall).code(), absl::StatusCode::kNotFound);
}

TEST(ValidateAirLocksTest, NamesTheAirLockAndItsMistake) {
  NameTable names;
  for (const char* name : {"hall", "corridor", "canyon", "hall door", "moat"}) {
    ASSERT_TRUE(names.Add(name).ok());
  }
  const auto validate = [&](const AirLockDefinition& air_lock) {
    return ValidateAirLocks(std::vector{air_lock}, Plan().chunks,
                            std::vector{Between(kInterior, 11, 19)},
                            std::vector<LayerDefinition>{{.name = kStory}},
                            names);
  };
  EXPECT_TRUE(validate(Corridor()).ok());
  AirLockDefinition odd = Corridor();
  odd.sides[1].chunk = IdOf("moat");
  EXPECT_EQ(validate(odd), absl::InvalidArgumentError(
                               "air lock \"corridor\": no chunk \"moat\""));
  odd = Corridor();
  odd.sides[1].chunk = kHall;
  EXPECT_EQ(validate(odd),
            absl::InvalidArgumentError(
                "air lock \"corridor\": chunk \"hall\" is on both sides"));
  odd = Corridor();
  odd.sides[1].door = kHallDoor;
  EXPECT_EQ(validate(odd),
            absl::InvalidArgumentError("door \"hall door\": defined twice"));
  odd = Corridor();
  odd.open_side_at_start = 2;
  EXPECT_EQ(validate(odd),
            absl::InvalidArgumentError(
                "air lock \"corridor\": its door to chunk \"canyon\", which "
                "isn't active at the start, is open"));
  odd = Corridor();
  odd.interior = IdOf("moat");
  EXPECT_EQ(validate(odd).code(), absl::StatusCode::kInvalidArgument);
  odd = Corridor();
  odd.open_side_at_start = 3;
  EXPECT_EQ(validate(odd).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace reprise::sim

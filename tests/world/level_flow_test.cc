// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that regions, chunks, layers, objectives and paths make a level
// together: a hub with two wings, of which one stays shut until the key from
// the other is found, walked along a path and won, or lost for being late. The
// modules meet as a world joins them, phase by phase, and share nothing but the
// tables of a State.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/geometry/volume.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/systems/chunks/chunks.h"
#include "sim/systems/layers/layers.h"
#include "sim/systems/objectives/objectives.h"
#include "sim/systems/paths/paths.h"
#include "sim/systems/regions/region_events.h"
#include "sim/systems/regions/regions.h"

namespace reprise::sim {
namespace {

constexpr Id kHub = IdOf("hub");
constexpr Id kWest = IdOf("west wing");
constexpr Id kEast = IdOf("east wing");
constexpr Id kEastLock = IdOf("east lock");
constexpr Id kShrine = IdOf("shrine");
constexpr Id kTower = IdOf("tower");
constexpr Id kFindKey = IdOf("find the key");
constexpr Id kReachTower = IdOf("reach the tower");
constexpr Id kStory = IdOf("story");
constexpr ObjectId kPlayer{1};

constexpr double kSpeedMPerTick = 0.1;  // 6 m/s at 60 Hz

RegionDefinition Around(Id name, double x, double radius_m) {
  return {.name = name, .volume = SphereVolume{{x, 0.0, 0.0}, radius_m}};
}

// The hub around 0, the wings 30 m to either side.
ChunkPlan StarPlan() {
  return {.chunks = {{.name = kHub,
                      .is_active_at_start = true,
                      .is_always_wanted = true},
                     {.name = kWest},
                     {.name = kEast, .layer = kEastLock}},
          .load_regions = {{Around(IdOf("near west"), -30, 22), {kWest}},
                           {Around(IdOf("near east"), 30, 22), {kEast}}},
          .activation_delay = 30,
          .deactivation_delay = 10};
}

ObjectiveDefinition Visit(Id name, Id region) {
  return {.name = name,
          .condition = EventCondition{
              .type = kRegionEntered, .object = kPlayer, .subject = region}};
}

std::vector<ObjectiveDefinition> Story(Tick deadline) {
  ObjectiveDefinition story = {.name = kStory,
                               .kind = ObjectiveKind::kSequence,
                               .children = {kFindKey, kReachTower},
                               .deadline = deadline,
                               .decides = Outcome::Status::kWon,
                               .failure_decides = Outcome::Status::kLost};
  ObjectiveDefinition find_key = Visit(kFindKey, kShrine);
  find_key.gates = {kEastLock};
  return {story, find_key, Visit(kReachTower, kTower)};
}

// The level, with a player who walks from the hub to the shrine in the west and
// back through the hub to the tower in the east.
class StarLevel {
 public:
  explicit StarLevel(Tick deadline)
      : loader_(StarPlan()),
        regions_(std::vector{Around(kShrine, -35, 2), Around(kTower, 35, 2)}),
        objectives_(Story(deadline)),
        path_({.points = {{0, 0, 0}, {-35, 0, 1}, {0, 0, 0}, {35, 0, -1}}}) {
    chunks_ = state_.AddTable("chunks", RowSchema::Of<ChunkRow>());
    load_visits_ = state_.AddTable("chunks", RowSchema::Of<RegionVisitRow>());
    layers_ = state_.AddTable("layers", RowSchema::Of<LayerRow>());
    story_ = state_.AddTable("objectives", RowSchema::Of<ObjectiveRow>());
    visits_ = state_.AddTable("regions", RowSchema::Of<RegionVisitRow>());
    InitializeLayers(std::vector<LayerDefinition>{{kEastLock, false}},
                     table(layers_));
    loader_.Initialize(table(chunks_));
    objectives_.Initialize(0, table(story_));
  }

  void Step() {
    const std::vector<ObjectPoint> player = {
        {kPlayer, path_.At(kSpeedMPerTick * static_cast<double>(tick_)).point}};
    const std::vector<Id> changed = ApplyLayers(table(layers_));
    loader_.Update(player, {}, changed, tick_, chunk_tables());
    std::vector<Event> events;
    for (const RegionEvent& event :
         regions_.Update(player, tick_, table(layers_), table(visits_))
             .events) {
      events.push_back(
          {.tick = tick_,
           .type = event.type,
           .object = event.object,
           .arguments = {{IdOf("region"), FieldValue::OfId(event.region)}}});
    }
    const ObjectiveUpdate update = objectives_.Update(
        tick_, events, [](Id) { return false; }, table(story_), scratch_);
    for (const Id gate : update.gates) {
      ASSERT_TRUE(SetLayer(gate, true, table(layers_)).ok());
    }
    if (update.decision.has_value() && outcome_ == Outcome::Status::kRunning) {
      outcome_ = update.decision->outcome;
    }
    ++tick_;
  }

  // Steps until the game is decided, at most `tick_count` ticks.
  void Run(int tick_count) {
    for (int i = 0; i < tick_count && outcome_ == Outcome::Status::kRunning;
         ++i) {
      Step();
    }
  }

  ChunkStatus Status(Id chunk) const {
    return StatusOfChunk(state_.table(chunks_), chunk);
  }
  ObjectiveStatus ObjectiveNow(Id objective) const {
    return StatusOfObjective(state_.table(story_), objective);
  }
  Outcome::Status outcome() const { return outcome_; }
  Digest digest() const { return state_.ComputeRootDigest(); }

 private:
  Table& table(TableIndex index) { return state_.mutable_table(index); }
  ChunkTables chunk_tables() {
    return {table(chunks_), table(load_visits_), table(layers_)};
  }

  ChunkLoader loader_;
  Regions regions_;
  Objectives objectives_;
  ObjectiveScratch scratch_;
  Path path_;
  State state_;
  TableIndex layers_, visits_, story_, chunks_, load_visits_;
  Tick tick_ = 0;
  Outcome::Status outcome_ = Outcome::Status::kRunning;
};

TEST(LevelFlowTest, LockedWingStaysAwayUntilTheKeyIsFound) {
  StarLevel level(/*deadline=*/5000);
  while (level.ObjectiveNow(kFindKey) == ObjectiveStatus::kActive) {
    ASSERT_EQ(level.Status(kEast), ChunkStatus::kAbsent);
    level.Step();
  }
  EXPECT_EQ(level.Status(kWest), ChunkStatus::kActive);
  level.Run(5000);
  EXPECT_EQ(level.outcome(), Outcome::Status::kWon);
  EXPECT_EQ(level.Status(kEast), ChunkStatus::kActive);
  EXPECT_EQ(level.Status(kWest), ChunkStatus::kAbsent);
}

TEST(LevelFlowTest, WhoIsLateLoses) {
  StarLevel level(/*deadline=*/600);
  level.Run(5000);
  EXPECT_EQ(level.outcome(), Outcome::Status::kLost);
  EXPECT_EQ(level.ObjectiveNow(kReachTower), ObjectiveStatus::kLocked);
}

TEST(LevelFlowTest, CopyOfTheStateGoesOnTheSameWay) {
  StarLevel level(/*deadline=*/5000);
  for (int tick = 0; tick < 400; ++tick) level.Step();
  StarLevel copy = level;
  while (level.outcome() == Outcome::Status::kRunning) {
    level.Step();
    copy.Step();
    ASSERT_EQ(copy.digest(), level.digest());
  }
  EXPECT_EQ(copy.outcome(), Outcome::Status::kWon);
}

}  // namespace
}  // namespace reprise::sim

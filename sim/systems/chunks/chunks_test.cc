// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves when chunks come and go: on written cases, on the level topologies
// that games are built as, and on random walks against a model that is written
// down without tables. Everything lies along x, where viewers walk.

#include "sim/systems/chunks/chunks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/geometry/volume.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"
#include "sim/systems/chunks/chunk_events.h"

namespace reprise::sim {
namespace {

constexpr Id kA = IdOf("a");
constexpr Id kB = IdOf("b");
constexpr Id kC = IdOf("c");
constexpr Id kNight = IdOf("night");

using Ids = std::vector<Id>;
using Events = std::vector<ChunkEvent>;

std::vector<Id> Sorted(std::vector<Id> ids) {
  std::ranges::sort(ids);
  return ids;
}

// Wants `chunks` while a viewer is between two places on the x axis.
LoadRegionDefinition Between(const char* name, double low, double high,
                             Ids chunks, double margin_m = 0.0) {
  return {.region = {.name = IdOf(name),
                     .volume =
                         OrientedBoxVolume{
                             .centre = {0.5 * (low + high), 0.0, 0.0},
                             .half_extents_m = {0.5 * (high - low), 5.0, 5.0}},
                     .margin_m = margin_m},
          .chunks = std::move(chunks)};
}

// A plan at work, with its tables and the layer "night", which is enabled.
class Level {
 public:
  explicit Level(ChunkPlan plan) : loader_(std::move(plan)) {
    InitializeLayers(std::vector<LayerDefinition>{{.name = kNight}}, layers_);
    loader_.Initialize(chunks_);
  }

  // One tick with viewers at these places.
  ChunkUpdate Step(const std::vector<double>& places, const Ids& held = {}) {
    std::vector<ObjectPoint> viewers;
    for (const double x : places) {
      viewers.push_back({ObjectId{viewers.size() + 1}, {x, 0.0, 0.0}});
    }
    const Ids changed = ApplyLayers(layers_);
    return loader_.Update(viewers, held, changed, tick_++, tables());
  }

  // Some ticks without a change of mind.
  void Stay(const std::vector<double>& places, int tick_count) {
    for (int i = 0; i < tick_count; ++i) Step(places);
  }

  void SetNight(bool is_enabled) {
    ASSERT_TRUE(SetLayer(kNight, is_enabled, layers_).ok());
  }

  ChunkStatus Status(Id chunk) const { return StatusOfChunk(chunks_, chunk); }

  // The chunks that are active or leaving, ascending.
  Ids Loaded() const {
    Ids loaded;
    for (uint32_t row = 0; row < chunks_.row_count(); ++row) {
      const Id chunk = chunks_.Get<ChunkRow>(row).chunk;
      const ChunkStatus status = Status(chunk);
      if (status == ChunkStatus::kActive || status == ChunkStatus::kLeaving) {
        loaded.push_back(chunk);
      }
    }
    return loaded;
  }

  std::vector<PresenceChange> PresentObjects() const {
    return loader_.PresentObjects(chunks_, layers_);
  }

  absl::StatusCode Check() const {
    return loader_.CheckRows(chunks_, visits_).code();
  }

  Tick tick() const { return tick_; }
  const Table& chunks() const { return chunks_; }
  Table& mutable_chunks() { return chunks_; }
  const Table& visits() const { return visits_; }

 private:
  ChunkTables tables() { return {chunks_, visits_, layers_}; }

  ChunkLoader loader_;
  Table chunks_{RowSchema::Of<ChunkRow>()};
  Table visits_{RowSchema::Of<RegionVisitRow>()};
  Table layers_{RowSchema::Of<LayerRow>()};
  Tick tick_ = 0;
};

// "a" from 0 to 10, "b" from 8 to 20, both seen between 8 and 10.
ChunkPlan TwoRooms() {
  return {.chunks = {{.name = kA}, {.name = kB}},
          .load_regions = {Between("west", 0, 10, {kA}, 1.0),
                           Between("east", 8, 20, {kB}, 1.0)},
          .activation_delay = 5,
          .deactivation_delay = 3};
}

TEST(ChunkLoaderTest, WantedChunkIsActiveExactlyAfterTheDelay) {
  Level level(TwoRooms());
  EXPECT_EQ(level.Step({5}).events, (Events{{kChunkScheduled, kA}}));
  for (Tick tick = 1; tick < 5; ++tick) {
    EXPECT_EQ(level.Step({5}).activated, Ids{});
  }
  const ChunkUpdate update = level.Step({5});
  EXPECT_EQ(update.activated, Ids{kA});
  EXPECT_EQ(update.events, (Events{{kChunkActivated, kA}}));
  EXPECT_EQ(level.tick(), 6u);
}

TEST(ChunkLoaderTest, WithoutADelayItIsActiveAtOnce) {
  ChunkPlan plan = TwoRooms();
  plan.activation_delay = 0;
  plan.deactivation_delay = 0;
  Level level(plan);
  EXPECT_EQ(level.Step({5}).activated, Ids{kA});
  EXPECT_EQ(level.Step({99}).deactivated, Ids{kA});
}

TEST(ChunkLoaderTest, UnwantedBeforeItsTickItIsCancelled) {
  Level level(TwoRooms());
  level.Stay({5}, 5);
  // The tick at which it would have become active.
  EXPECT_EQ(level.Step({99}).events, (Events{{kChunkCancelled, kA}}));
  EXPECT_EQ(level.Status(kA), ChunkStatus::kAbsent);
  level.Stay({5}, 5);
  EXPECT_EQ(level.Status(kA), ChunkStatus::kScheduled);
  EXPECT_EQ(level.Step({5}).activated, Ids{kA});
}

TEST(ChunkLoaderTest, WantedAgainBeforeItHasLeftItIsKept) {
  Level level(TwoRooms());
  level.Stay({5}, 6);
  EXPECT_EQ(level.Step({99}).events, (Events{{kChunkLeaving, kA}}));
  level.Stay({99}, 2);
  EXPECT_EQ(level.Step({5}).events, (Events{{kChunkKept, kA}}));
  level.Stay({5}, 10);
  EXPECT_EQ(level.Status(kA), ChunkStatus::kActive);
}

TEST(ChunkLoaderTest, UnwantedChunkIsGoneExactlyAfterTheDelay) {
  Level level(TwoRooms());
  level.Stay({5}, 6);
  level.Stay({99}, 3);
  EXPECT_EQ(level.Loaded(), Ids{kA});
  EXPECT_EQ(level.Step({99}).deactivated, Ids{kA});
  EXPECT_EQ(level.Loaded(), Ids{});
}

TEST(ChunkLoaderTest, ChunkStaysItsLeastTime) {
  ChunkPlan plan = TwoRooms();
  plan.active_ticks_min = 50;
  Level level(plan);
  level.Stay({5}, 6);  // active since tick 5
  level.Stay({99}, 49);
  EXPECT_EQ(level.Loaded(), Ids{kA});
  EXPECT_EQ(level.Step({99}).deactivated, Ids{kA});
  EXPECT_EQ(level.tick(), 56u);
}

TEST(ChunkLoaderTest, OverlappingRegionsWantTheUnion) {
  Level level(TwoRooms());
  level.Stay({9}, 6);
  EXPECT_EQ(level.Loaded(), Sorted({kA, kB}));
}

TEST(ChunkLoaderTest, TwoViewersWantTheUnion) {
  Level level(TwoRooms());
  level.Stay({2, 18}, 6);
  EXPECT_EQ(level.Loaded(), Sorted({kA, kB}));
  level.Stay({18, 18}, 4);
  EXPECT_EQ(level.Loaded(), Ids{kB});
}

TEST(ChunkLoaderTest, ViewerOnTheBoundaryLoadsOnce) {
  Level level(TwoRooms());
  level.Stay({9.9}, 6);
  Events events;
  for (int i = 0; i < 100; ++i) {
    const Events more = level.Step({i % 2 == 0 ? 10.9 : 9.9}).events;
    events.insert(events.end(), more.begin(), more.end());
  }
  EXPECT_EQ(events, Events{});
  EXPECT_EQ(level.Step({11.1}).events, (Events{{kChunkLeaving, kA}}));
}

TEST(ChunkLoaderTest, QuietTickWritesNothing) {
  Level level(TwoRooms());
  level.Stay({9}, 6);
  const uint64_t stamp = level.chunks().PageStamp(0);
  level.Stay({9}, 10);
  EXPECT_EQ(level.chunks().PageStamp(0), stamp);
}

TEST(ChunkLoaderTest, ChunkWaitsForItsLayer) {
  ChunkPlan plan = TwoRooms();
  plan.chunks[0].layer = kNight;
  Level level(plan);
  level.SetNight(false);
  level.Stay({5}, 20);
  EXPECT_EQ(level.Loaded(), Ids{});
  level.SetNight(true);
  level.Stay({5}, 6);
  EXPECT_EQ(level.Loaded(), Ids{kA});
}

TEST(ChunkLoaderTest, SomeAreThereFromTheStartAndSomeAlways) {
  ChunkPlan plan = TwoRooms();
  plan.chunks[0].is_active_at_start = true;
  plan.chunks[1].is_active_at_start = true;
  plan.chunks[1].is_always_wanted = true;
  Level level(plan);
  EXPECT_EQ(level.Loaded(), Sorted({kA, kB}));
  level.Stay({99}, 4);
  EXPECT_EQ(level.Loaded(), Ids{kB});
}

TEST(ChunkLoaderTest, HeldChunkStays) {
  Level level(TwoRooms());
  level.Stay({5}, 6);
  for (int i = 0; i < 10; ++i) level.Step({99}, {kA});
  EXPECT_EQ(level.Status(kA), ChunkStatus::kActive);
  level.Stay({99}, 4);
  EXPECT_EQ(level.Status(kA), ChunkStatus::kAbsent);
}

TEST(ChunkLoaderTest, RowsThatCanNotBeAreRefused) {
  ChunkPlan plan = TwoRooms();
  plan.present_chunks_max = 1;
  Level level(plan);
  level.Stay({5}, 6);
  ASSERT_EQ(level.Check(), absl::StatusCode::kOk);
  const std::vector<ChunkRow> sound = {level.chunks().Get<ChunkRow>(0),
                                       level.chunks().Get<ChunkRow>(1)};
  const auto code_with = [&](auto change) {
    for (uint32_t row = 0; row < 2; ++row) {
      ChunkRow odd = sound[row];
      change(odd);
      level.mutable_chunks().Mutable<ChunkRow>(row) = odd;
    }
    return level.Check();
  };
  constexpr auto kDataLoss = absl::StatusCode::kDataLoss;
  EXPECT_EQ(code_with([](ChunkRow& row) { row.chunk = kC; }), kDataLoss);
  EXPECT_EQ(code_with([](ChunkRow& row) { row.status = 4; }), kDataLoss);
  EXPECT_EQ(code_with([](ChunkRow& row) { row.status = 1; }), kDataLoss);
  EXPECT_EQ(code_with([](ChunkRow& row) { row.is_refused = 2; }), kDataLoss);
  EXPECT_EQ(code_with([](ChunkRow& row) { row.activation_count = 0; }),
            kDataLoss);
  EXPECT_EQ(code_with([](ChunkRow&) {}), absl::StatusCode::kOk);
}

// Three chunks that one region wants, and two places; "c" matters most.
ChunkPlan TwoPlacesForThree() {
  return {.chunks = {{.name = kA, .priority = 7},
                     {.name = kB, .priority = 7},
                     {.name = kC, .priority = 1}},
          .load_regions = {Between("all", 0, 10, {kA, kB, kC}),
                           Between("only a", 20, 30, {kA})},
          .activation_delay = 2,
          .present_chunks_max = 2};
}

TEST(ChunkBudgetTest, PlacesGoByPriorityThenName) {
  Level level(TwoPlacesForThree());
  const Id first = std::min(kA, kB);
  const Id refused = std::max(kA, kB);
  const Events events = level.Step({5}).events;
  EXPECT_NE(
      std::ranges::find(events, ChunkEvent{kChunkBudgetExceeded, refused}),
      events.end());
  level.Stay({5}, 2);
  EXPECT_EQ(level.Loaded(), Sorted({first, kC}));
}

TEST(ChunkBudgetTest, RefusalIsReportedOnceUntilItIsUnwanted) {
  Level level(TwoPlacesForThree());
  int refusal_count = 0;
  const auto step = [&](double x) {
    for (const ChunkEvent& event : level.Step({x}).events) {
      refusal_count += event.type == kChunkBudgetExceeded;
    }
  };
  for (int i = 0; i < 20; ++i) step(5);
  EXPECT_EQ(refusal_count, 1);
  step(99);
  step(5);
  EXPECT_EQ(refusal_count, 2);
}

TEST(ChunkBudgetTest, RefusedChunkComesAsSoonAsAPlaceIsFree) {
  ChunkPlan plan = TwoPlacesForThree();
  plan.chunks[0].priority = 9;
  Level level(plan);
  level.Stay({5}, 3);
  ASSERT_EQ(level.Loaded(), Sorted({kB, kC}));
  const Events events = level.Step({25}).events;
  EXPECT_NE(std::ranges::find(events, ChunkEvent{kChunkScheduled, kA}),
            events.end());
}

TEST(ChunkBudgetTest, NobodyIsSentAwayForAMoreImportantOne) {
  ChunkPlan plan = TwoPlacesForThree();
  plan.present_chunks_max = 1;
  Level level(plan);
  level.Stay({25}, 3);
  ASSERT_EQ(level.Loaded(), Ids{kA});
  level.Stay({5}, 10);
  EXPECT_EQ(level.Loaded(), Ids{kA});
}

// One chunk with a lamp, a wall of fixed motion and an owl of the night.
ChunkPlan Inhabited(UnloadPolicy policy) {
  ChunkPlan plan = {
      .chunks = {{.name = kA,
                  .objects = {{.name = IdOf("lamp")},
                              {.name = IdOf("owl"), .layer = kNight},
                              {.name = IdOf("wall"), .is_fixed = true}},
                  .when_unloaded = policy}},
      .load_regions = {Between("all", 0, 10, {kA})}};
  return plan;
}

// What becomes of "lamp", "owl" and "wall"; nullopt: nothing.
std::optional<Presence> Fate(const ChunkUpdate& update, const char* object) {
  for (const PresenceChange& change : update.objects) {
    if (change.object == IdOf(object)) return change.to;
  }
  return std::nullopt;
}

TEST(ChunkObjectsTest, AppearWithTheirChunk) {
  Level level(Inhabited(UnloadPolicy::kDestroy));
  const ChunkUpdate update = level.Step({5});
  ASSERT_EQ(update.objects.size(), 3u);
  for (const PresenceChange& change : update.objects) {
    EXPECT_EQ(change.chunk, kA);
    EXPECT_EQ(change.from, Presence::kAbsent);
    EXPECT_EQ(change.to, Presence::kPresent);
  }
  EXPECT_EQ(level.PresentObjects(), update.objects);
}

TEST(ChunkObjectsTest, DestroyedOnesAreMadeAnew) {
  Level level(Inhabited(UnloadPolicy::kDestroy));
  const ChunkUpdate first = level.Step({5});
  const ChunkUpdate gone = level.Step({99});
  EXPECT_EQ(Fate(gone, "lamp"), Presence::kAbsent);
  EXPECT_EQ(Fate(gone, "wall"), Presence::kAbsent);
  EXPECT_EQ(level.Step({5}).objects, first.objects);
}

TEST(ChunkObjectsTest, DormantOnesComeBackAsTheyWere) {
  Level level(Inhabited(UnloadPolicy::kDormant));
  level.Step({5});
  EXPECT_EQ(Fate(level.Step({99}), "lamp"), Presence::kDormant);
  const ChunkUpdate back = level.Step({5});
  ASSERT_EQ(back.objects.size(), 3u);
  EXPECT_EQ(back.objects[0].from, Presence::kDormant);
  EXPECT_EQ(back.objects[0].to, Presence::kPresent);
}

TEST(ChunkObjectsTest, KeptOnesLoseOnlyTheGroundUnderThem) {
  Level level(Inhabited(UnloadPolicy::kKeep));
  level.Step({5});
  const ChunkUpdate gone = level.Step({99});
  ASSERT_EQ(gone.objects.size(), 1u);
  EXPECT_EQ(Fate(gone, "wall"), Presence::kDormant);
  EXPECT_EQ(Fate(level.Step({5}), "wall"), Presence::kPresent);
}

TEST(ChunkObjectsTest, SleepAndWakeWithTheirLayer) {
  Level level(Inhabited(UnloadPolicy::kDestroy));
  level.Step({5});
  level.SetNight(false);
  const ChunkUpdate day = level.Step({5});
  ASSERT_EQ(day.objects.size(), 1u);
  EXPECT_EQ(Fate(day, "owl"), Presence::kDormant);
  // A dormant one goes with its chunk all the same.
  EXPECT_EQ(Fate(level.Step({99}), "owl"), Presence::kAbsent);
  EXPECT_EQ(Fate(level.Step({5}), "owl"), Presence::kDormant);
  level.SetNight(true);
  EXPECT_EQ(Fate(level.Step({5}), "owl"), Presence::kPresent);
}

// A level as a graph: which chunks lie next to which.
struct Topology {
  std::string name;
  std::vector<std::pair<int, int>> edges;
};

class ChunkTopologyTest : public ::testing::TestWithParam<Topology> {};

Id ChunkName(int node) { return IdOf("chunk " + std::to_string(node)); }

// Node k lies between 10 k and 10 k + 9. In it, it and its neighbours are
// wanted; chunks know nothing of each other, only the regions do.
ChunkPlan PlanOf(const std::map<int, std::set<int>>& neighbours) {
  ChunkPlan plan = {.activation_delay = 4, .deactivation_delay = 2};
  for (const auto& [node, others] : neighbours) {
    plan.chunks.push_back({.name = ChunkName(node)});
    Ids wanted = {ChunkName(node)};
    for (const int other : others) wanted.push_back(ChunkName(other));
    plan.load_regions.push_back(Between(std::to_string(node).c_str(), 10 * node,
                                        10 * node + 9, wanted));
  }
  return plan;
}

TEST_P(ChunkTopologyTest, WalkerAlwaysStandsInAnActiveChunk) {
  std::map<int, std::set<int>> neighbours;
  for (const auto& [a, b] : GetParam().edges) {
    neighbours[a].insert(b);
    neighbours[b].insert(a);
  }
  Level level(PlanOf(neighbours));
  RandomStream stream = MakeRandomStream(5, IdOf(GetParam().name));
  int node = 0;
  level.Stay({5.0}, 10);
  for (int move = 0; move < 200; ++move) {
    auto next = neighbours[node].begin();
    std::advance(next, NextBelow(stream, neighbours[node].size()));
    node = *next;
    // Longer than the delays, as authors have to see to.
    for (int tick = 0; tick < 8; ++tick) {
      level.Step({10.0 * node + 5.0});
      ASSERT_EQ(level.Status(ChunkName(node)), ChunkStatus::kActive);
    }
    Ids expected = {ChunkName(node)};
    for (const int other : neighbours[node]) {
      expected.push_back(ChunkName(other));
    }
    ASSERT_EQ(level.Loaded(), Sorted(expected));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Levels, ChunkTopologyTest,
    ::testing::Values(
        Topology{"Linear", {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}},
        Topology{"Star", {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}},
        Topology{"Graph",
                 {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 2}}}),
    [](const auto& instance) { return instance.param.name; });

// What the header says, as plainly as it can be written: no tables, no order
// but that of maps.
class Model {
 public:
  explicit Model(const ChunkPlan& plan) : plan_(plan) {}

  void Step(const std::vector<double>& places, Tick tick) {
    std::set<Id> wanted;
    for (const auto& [region, chunks] : plan_.load_regions) {
      for (size_t viewer = 0; viewer < places.size(); ++viewer) {
        const Vector3 point = {places[viewer], 0.0, 0.0};
        const std::pair key = {region.name, viewer};
        const double reach_m = inside_.contains(key) ? region.margin_m : 0.0;
        inside_.erase(key);
        if (!Contains(region.volume, point, reach_m)) continue;
        inside_.insert(key);
        wanted.insert(chunks.begin(), chunks.end());
      }
    }
    std::map<std::pair<uint64_t, Id>, Id> newcomers;
    for (const ChunkDefinition& chunk : plan_.chunks) {
      const Id name = chunk.name;
      if (wanted.contains(name)) {
        leaving_.erase(name);
        if (!scheduled_.contains(name) && !active_since_.contains(name)) {
          newcomers[{chunk.priority, name}] = name;
        }
        continue;
      }
      scheduled_.erase(name);
      if (active_since_.contains(name) && !leaving_.contains(name)) {
        leaving_[name] = std::max(tick + plan_.deactivation_delay,
                                  active_since_[name] + plan_.active_ticks_min);
      }
      if (leaving_.contains(name) && leaving_[name] == tick) {
        leaving_.erase(name);
        active_since_.erase(name);
      }
    }
    for (const auto& [key, name] : newcomers) {
      if (scheduled_.size() + active_since_.size() < plan_.present_chunks_max) {
        scheduled_[name] = tick + plan_.activation_delay;
      }
    }
    for (auto it = scheduled_.begin(); it != scheduled_.end();) {
      if (it->second == tick) {
        active_since_[it->first] = tick;
        it = scheduled_.erase(it);
      } else {
        ++it;
      }
    }
  }

  ChunkStatus Status(Id chunk) const {
    if (leaving_.contains(chunk)) return ChunkStatus::kLeaving;
    if (active_since_.contains(chunk)) return ChunkStatus::kActive;
    if (scheduled_.contains(chunk)) return ChunkStatus::kScheduled;
    return ChunkStatus::kAbsent;
  }

 private:
  ChunkPlan plan_;
  std::set<std::pair<Id, size_t>> inside_;
  std::map<Id, Tick> scheduled_;
  std::map<Id, Tick> leaving_;
  std::map<Id, Tick> active_since_;
};

// Chunks and regions that overlap as they like, on 100 m.
ChunkPlan RandomPlan(RandomStream& stream) {
  ChunkPlan plan;
  for (int i = 0; i < 8; ++i) {
    plan.chunks.push_back(
        {.name = ChunkName(i), .priority = NextBelow(stream, 3)});
  }
  for (int i = 0; i < 8; ++i) {
    const double low = 90.0 * NextUnit(stream);
    const double size = 1.0 + 30.0 * NextUnit(stream);
    const double margin_m = 3.0 * NextUnit(stream);
    Ids chunks;
    for (int chunk = 0; chunk < 8; ++chunk) {
      if (NextBelow(stream, 3) == 0) chunks.push_back(ChunkName(chunk));
    }
    plan.load_regions.push_back(
        Between(std::to_string(i).c_str(), low, low + size, chunks, margin_m));
  }
  plan.activation_delay = NextBelow(stream, 6);
  plan.deactivation_delay = NextBelow(stream, 6);
  plan.active_ticks_min = NextBelow(stream, 20);
  plan.present_chunks_max = 2 + NextBelow(stream, 7);
  return plan;
}

void Walk(RandomStream& stream, std::vector<double>& places) {
  for (double& x : places) {
    x = std::clamp(x + 6.0 * NextUnit(stream) - 3.0, -5.0, 105.0);
  }
}

TEST(ChunkWalkTest, ThousandRandomWalksMatchTheModel) {
  RandomStream stream = MakeRandomStream(6, IdOf("walks"));
  std::map<ChunkStatus, int> seen;
  for (int walk = 0; walk < 1000; ++walk) {
    const ChunkPlan plan = RandomPlan(stream);
    Level level(plan);
    Model model(plan);
    std::vector<double> places(1 + NextBelow(stream, 3), 50.0);
    for (Tick tick = 0; tick < 100; ++tick) {
      level.Step(places);
      model.Step(places, tick);
      for (const ChunkDefinition& chunk : plan.chunks) {
        ASSERT_EQ(level.Status(chunk.name), model.Status(chunk.name))
            << "walk " << walk << ", tick " << tick;
        ++seen[level.Status(chunk.name)];
      }
      Walk(stream, places);
    }
  }
  for (const auto& [status, count] : seen) EXPECT_GT(count, 10'000);
  EXPECT_EQ(seen.size(), 4u);
}

TEST(ChunkWalkTest, OrderOfDeclarationDecidesNothing) {
  RandomStream stream = MakeRandomStream(7, IdOf("walks"));
  for (int walk = 0; walk < 20; ++walk) {
    ChunkPlan plan = RandomPlan(stream);
    Level level(plan);
    std::ranges::reverse(plan.chunks);
    std::ranges::reverse(plan.load_regions);
    for (auto& load_region : plan.load_regions) {
      std::ranges::reverse(load_region.chunks);
    }
    Level reversed(plan);
    std::vector<double> places(2, 50.0);
    for (Tick tick = 0; tick < 100; ++tick) {
      EXPECT_EQ(level.Step(places).events, reversed.Step(places).events);
      ASSERT_EQ(level.chunks().ComputeDigest(),
                reversed.chunks().ComputeDigest());
      ASSERT_EQ(level.visits().ComputeDigest(),
                reversed.visits().ComputeDigest());
      Walk(stream, places);
    }
  }
}

TEST(ChunkWalkTest, CopyOfTheTablesGoesOnTheSameWay) {
  RandomStream stream = MakeRandomStream(8, IdOf("walks"));
  Level level(RandomPlan(stream));
  std::vector<double> places(2, 50.0);
  for (int tick = 0; tick < 50; ++tick) {
    level.Step(places);
    Walk(stream, places);
  }
  Level copy = level;
  for (int tick = 0; tick < 50; ++tick) {
    EXPECT_EQ(copy.Step(places).events, level.Step(places).events);
    ASSERT_EQ(copy.chunks().ComputeDigest(), level.chunks().ComputeDigest());
    Walk(stream, places);
  }
}

}  // namespace
}  // namespace reprise::sim

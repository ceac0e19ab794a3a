// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves when objects enter, stay and leave, in which order it is said, and
// that the searched answer is that of asking every region about every object.

#include "sim/systems/regions/regions.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"
#include "sim/systems/regions/region_events.h"

namespace reprise::sim {
namespace {

constexpr Id kCave = IdOf("cave");
constexpr Id kNight = IdOf("night");
constexpr ObjectId kRat{1};
constexpr ObjectId kBat{2};

// The sphere of 5 m around the origin.
RegionDefinition Cave() {
  return {.name = kCave, .volume = SphereVolume{{}, 5.0}};
}

// Regions with their tables, and a layer "night" that is enabled.
class RegionsTest : public ::testing::Test {
 protected:
  RegionsTest() { InitializeLayers(std::vector{kNightLayer}, layers_); }

  void Define(std::vector<RegionDefinition> definitions) {
    regions_ = Regions(definitions);
  }

  // One tick with objects at these places along x.
  std::vector<RegionEvent> Step(
      const std::vector<std::pair<ObjectId, double>>& places) {
    std::vector<ObjectPoint> points;
    for (const auto& [object, x] : places)
      points.push_back({object, {x, 0, 0}});
    return regions_.Update(points, tick_++, layers_, rows_).events;
  }

  static constexpr LayerDefinition kNightLayer = {.name = kNight};
  Regions regions_{std::vector<RegionDefinition>{}};
  Table layers_{RowSchema::Of<LayerRow>()};
  Table rows_{RowSchema::Of<RegionVisitRow>()};
  Tick tick_ = 10;
};

using Events = std::vector<RegionEvent>;

TEST_F(RegionsTest, ObjectsEnterOnceAndLeaveWithTheirTickOfEntry) {
  Define({Cave()});
  EXPECT_EQ(Step({{kRat, 9.0}}), Events{});
  EXPECT_EQ(Step({{kRat, 4.0}}), (Events{{kRegionEntered, kCave, kRat, 11}}));
  EXPECT_EQ(Step({{kRat, 1.0}}), Events{});
  EXPECT_EQ(Step({{kRat, 6.0}}), (Events{{kRegionLeft, kCave, kRat, 11}}));
  EXPECT_EQ(rows_.row_count(), 0u);
}

TEST_F(RegionsTest, TouchingTheBoundaryIsInside) {
  Define({Cave()});
  EXPECT_EQ(Step({{kRat, 5.0}}).size(), 1u);
  EXPECT_EQ(Step({{kRat, -5.0}}).size(), 0u);
  EXPECT_EQ(Step({{kRat, 5.0 + 0x1p-50}}).size(), 1u);
}

TEST_F(RegionsTest, MarginKeepsThoseInsideAndAdmitsNobody) {
  RegionDefinition cave = Cave();
  cave.margin_m = 1.0;
  Define({cave});
  EXPECT_EQ(Step({{kRat, 5.5}}), Events{});
  EXPECT_EQ(Step({{kRat, 5.0}}), (Events{{kRegionEntered, kCave, kRat, 11}}));
  EXPECT_EQ(Step({{kRat, 6.0}}), Events{});
  EXPECT_EQ(Step({{kRat, 6.1}}), (Events{{kRegionLeft, kCave, kRat, 11}}));
  EXPECT_EQ(Step({{kRat, 6.0}}), Events{});
}

TEST_F(RegionsTest, ObjectsThatVanishLeave) {
  Define({Cave()});
  Step({{kRat, 0.0}, {kBat, 0.0}});
  EXPECT_EQ(Step({{kBat, 0.0}}), (Events{{kRegionLeft, kCave, kRat, 10}}));
}

TEST_F(RegionsTest, StaysAreReportedEveryPeriodSinceTheEntry) {
  RegionDefinition cave = Cave();
  cave.stay_period = 3;
  Define({cave});
  std::vector<Tick> stays;
  for (Tick tick = 10; tick < 20; ++tick) {
    for (const RegionEvent& event : Step({{kRat, tick < 11 ? 9.0 : 0.0}})) {
      if (event.type == kRegionStayed) stays.push_back(tick);
    }
  }
  EXPECT_EQ(stays, (std::vector<Tick>{14, 17}));
}

TEST_F(RegionsTest, DisabledLayerHoldsNobody) {
  RegionDefinition cave = Cave();
  cave.layer = kNight;
  Define({cave});
  EXPECT_EQ(Step({{kRat, 0.0}}).size(), 1u);
  ASSERT_TRUE(SetLayer(kNight, false, layers_).ok());
  ApplyLayers(layers_);
  EXPECT_EQ(Step({{kRat, 0.0}}), (Events{{kRegionLeft, kCave, kRat, 10}}));
}

TEST_F(RegionsTest, EventsComeByRegionThenObject) {
  std::vector<RegionDefinition> definitions;
  for (const char* name : {"a", "b", "c"}) {
    definitions.push_back(Cave());
    definitions.back().name = IdOf(name);
  }
  Define(definitions);
  Step({{kRat, 0.0}, {ObjectId{3}, 0.0}});
  const Events events = Step({{kBat, 2.0}, {ObjectId{3}, 9.0}});
  EXPECT_EQ(events.size(), 9u);
  EXPECT_TRUE(std::ranges::is_sorted(events, {}, [](const RegionEvent& event) {
    return std::pair(event.region, event.object);
  }));
}

TEST_F(RegionsTest, QuietTickWritesNothing) {
  Define({Cave()});
  Step({{kRat, 0.0}, {kBat, 1.0}});
  const uint64_t stamp = rows_.PageStamp(0);
  Step({{kRat, 1.0}, {kBat, 0.0}});
  EXPECT_EQ(rows_.PageStamp(0), stamp);
}

TEST_F(RegionsTest, EveryObjectPastTheLimitIsCounted) {
  // 4096 regions of 257 objects each are one object a region too many.
  std::vector<RegionDefinition> definitions;
  for (size_t i = 0; i < kRegionsMax; ++i) {
    definitions.push_back(Cave());
    definitions.back().name = IdOf(fmt::format("cave {}", i));
  }
  Define(definitions);
  std::vector<ObjectPoint> points;
  for (uint64_t serial = 1; serial <= 257; ++serial) {
    points.push_back({ObjectId{serial}, {}});
  }
  const RegionUpdate update = regions_.Update(points, 0, layers_, rows_);
  EXPECT_EQ(rows_.row_count(), kRegionVisitsMax);
  EXPECT_EQ(update.events.size(), kRegionVisitsMax);
  EXPECT_EQ(update.dropped_visit_count, kRegionsMax);
}

TEST_F(RegionsTest, RowsThatCanNotBeAreRefused) {
  Define({Cave()});
  Step({{kRat, 0.0}, {kBat, 0.0}});
  EXPECT_TRUE(regions_.CheckRows(rows_).ok());
  const RegionVisitRow rat = rows_.Get<RegionVisitRow>(0);
  for (const RegionVisitRow& odd :
       {RegionVisitRow{kNight, kRat, 10}, RegionVisitRow{kCave, kBat, 10},
        RegionVisitRow{kCave, kRat, kTickMax + 1}}) {
    rows_.Mutable<RegionVisitRow>(0) = odd;
    EXPECT_EQ(regions_.CheckRows(rows_).code(), absl::StatusCode::kDataLoss);
  }
  rows_.Mutable<RegionVisitRow>(0) = rat;
  EXPECT_TRUE(regions_.CheckRows(rows_).ok());
}

// Uniform in a cube of 20 m around the origin.
Vector3 RandomPoint(RandomStream& stream) {
  const double x = NextUnit(stream);
  const double y = NextUnit(stream);
  const double z = NextUnit(stream);
  return {20.0 * x - 10.0, 20.0 * y - 10.0, 20.0 * z - 10.0};
}

std::vector<RegionDefinition> RandomRegions(RandomStream& stream) {
  std::vector<RegionDefinition> definitions;
  for (int i = 0; i < 30; ++i) {
    RegionDefinition& region = definitions.emplace_back();
    region.name = IdOf(fmt::format("region {}", i));
    region.volume = SphereVolume{RandomPoint(stream), 3.0};
    region.margin_m = i % 3 == 0 ? 0.0 : NextUnit(stream);
  }
  return definitions;
}

// Moves every object a little, so that boundaries are crossed both ways.
void Move(RandomStream& stream, std::vector<ObjectPoint>& points) {
  for (ObjectPoint& place : points) {
    place.point = place.point + 0.05 * RandomPoint(stream);
  }
}

TEST_F(RegionsTest, AnswersAsIfEveryRegionWereAskedAboutEveryObject) {
  RandomStream stream = MakeRandomStream(3, IdOf("regions"));
  const std::vector<RegionDefinition> definitions = RandomRegions(stream);
  Define(definitions);
  std::vector<ObjectPoint> points;
  for (uint64_t serial = 1; serial <= 100; ++serial) {
    points.push_back({ObjectId{serial}, RandomPoint(stream)});
  }
  std::map<std::pair<Id, ObjectId>, Tick> inside;
  uint64_t kept_by_margin_count = 0;
  for (Tick tick = 0; tick < 300; ++tick) {
    std::map<std::pair<Id, ObjectId>, Tick> now;
    for (const RegionDefinition& region : definitions) {
      for (const auto& [object, point] : points) {
        const auto before = inside.find({region.name, object});
        const bool was_inside = before != inside.end();
        const bool is_inside = Contains(region.volume, point);
        if (!is_inside &&
            !(was_inside && Contains(region.volume, point, region.margin_m))) {
          continue;
        }
        kept_by_margin_count += !is_inside;
        now[{region.name, object}] = was_inside ? before->second : tick;
      }
    }
    inside = std::move(now);
    regions_.Update(points, tick, layers_, rows_);
    std::map<std::pair<Id, ObjectId>, Tick> rows;
    for (uint32_t i = 0; i < rows_.row_count(); ++i) {
      const auto& row = rows_.Get<RegionVisitRow>(i);
      rows[{row.region, row.object}] = row.entered_at;
    }
    ASSERT_EQ(rows, inside) << "tick " << tick;
    Move(stream, points);
  }
  EXPECT_GT(kept_by_margin_count, 100u);
}

TEST_F(RegionsTest, EventsAddUpToTheRowsInEveryOrderOfDeclaration) {
  RandomStream stream = MakeRandomStream(4, IdOf("regions"));
  std::vector<RegionDefinition> definitions = RandomRegions(stream);
  Define(definitions);
  std::ranges::reverse(definitions);
  const Regions reversed(definitions);
  Table reversed_rows(RowSchema::Of<RegionVisitRow>());
  std::vector<ObjectPoint> points;
  for (uint64_t serial = 1; serial <= 50; ++serial) {
    points.push_back({ObjectId{serial}, RandomPoint(stream)});
  }
  std::set<std::pair<Id, ObjectId>> inside;
  for (Tick tick = 0; tick < 100; ++tick) {
    const Events events = regions_.Update(points, tick, layers_, rows_).events;
    EXPECT_EQ(reversed.Update(points, tick, layers_, reversed_rows).events,
              events);
    ASSERT_EQ(reversed_rows.ComputeDigest(), rows_.ComputeDigest());
    for (const RegionEvent& event : events) {
      const bool is_entry = event.type == kRegionEntered;
      ASSERT_EQ(is_entry ? inside.insert({event.region, event.object}).second
                         : inside.erase({event.region, event.object}) == 1,
                true);
    }
    ASSERT_EQ(inside.size(), rows_.row_count());
    Move(stream, points);
  }
}

TEST(ValidateRegionsTest, NamesTheRegionAndItsMistake) {
  NameTable names;
  for (const char* name : {"cave", "night"}) ASSERT_TRUE(names.Add(name).ok());
  const auto validate = [&](const RegionDefinition& region) {
    return ValidateRegions("region", std::vector{region}, {}, names);
  };
  EXPECT_TRUE(validate(Cave()).ok());
  RegionDefinition flat = Cave();
  flat.volume = SphereVolume{{}, 0.0};
  EXPECT_EQ(validate(flat),
            absl::InvalidArgumentError(
                "region \"cave\": volume: its radius of 0 m is not within "
                "[1e-06, 1000000000] m"));
  RegionDefinition locked = Cave();
  locked.layer = kNight;
  EXPECT_EQ(validate(locked),
            absl::InvalidArgumentError("region \"cave\": no layer \"night\""));
  for (const double odd : {-1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    RegionDefinition wide = Cave();
    wide.margin_m = odd;
    EXPECT_EQ(validate(wide).code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace reprise::sim

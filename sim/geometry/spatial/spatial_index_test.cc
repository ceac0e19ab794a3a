// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that each index finds what looking at every entry finds, in order, to
// the bit: in thousands of random scenes with boxes that touch, that have no
// size, that are alike, that lie outside the bounds or are larger than they
// are, while entries come, move and go; and that one built anew allocates
// nothing.

#include "sim/geometry/spatial/spatial_index.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/spatial/quadtree.h"
#include "sim/geometry/spatial/uniform_grid.h"

namespace {
uint64_t allocation_count = 0;
}  // namespace

// Every allocation of the program is counted. Not inlined, or GCC would take
// malloc and delete for a mismatched pair.
[[gnu::noinline]] void* operator new(size_t size) {
  ++allocation_count;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, size_t /*size*/) noexcept {
  std::free(memory);
}

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Aabb kBounds = {{-8.0, -4.0, -8.0}, {8.0, 4.0, 8.0}};

struct IndexMaker {
  std::string name;
  std::unique_ptr<SpatialIndex> (*make)();
};

void PrintTo(const IndexMaker& maker, std::ostream* out) { *out << maker.name; }

template <uint32_t kTenths>
std::unique_ptr<SpatialIndex> MakeGrid() {
  return std::make_unique<UniformGrid>(
      UniformGridOptions{.bounds = kBounds, .cell_size = kTenths / 10.0});
}

template <uint32_t kDepthMax, uint32_t kLeafCapacity>
std::unique_ptr<SpatialIndex> MakeQuadtree() {
  return std::make_unique<Quadtree>(
      QuadtreeOptions{.bounds = kBounds,
                      .depth_max = kDepthMax,
                      .leaf_capacity = kLeafCapacity});
}

const IndexMaker kMakers[] = {
    {"List",
     []() -> std::unique_ptr<SpatialIndex> {
       return std::make_unique<SpatialList>();
     }},
    {"GridOfOneCell", MakeGrid<1000>},
    {"GridOnTheLattice", MakeGrid<10>},
    {"GridOffTheLattice", MakeGrid<7>},
    {"GridOfTinyCells", MakeGrid<2>},
    {"QuadtreeOfOneLeaf", MakeQuadtree<0, 1>},
    {"QuadtreeOfSingles", MakeQuadtree<12, 1>},
    {"Quadtree", MakeQuadtree<8, 8>},
    {"QuadtreeThatGrows",
     []() -> std::unique_ptr<SpatialIndex> {
       return std::make_unique<Quadtree>(
           QuadtreeOptions{.leaf_width_m = 0.5, .leaf_capacity = 2});
     }},
};

// Scenes differ in how large coordinates are and whether they are whole
// numbers, which is what makes things touch and coincide.
class Scene {
 public:
  explicit Scene(uint64_t seed)
      : random_(MakeRandomStream(seed, IdOf("scene"))) {
    constexpr double kSizes[] = {2.0, 8.0, 12.0, 1000.0};
    size_ = kSizes[NextBelow(random_, 4)];
    has_lattice_ = NextBelow(random_, 2) == 0;
  }

  uint64_t Below(uint64_t bound) { return NextBelow(random_, bound); }

  double DrawLength(double max) {
    const double length = NextUnit(random_) * max;
    return has_lattice_ ? Floor(length) : length;
  }

  Vector3 DrawPoint() {
    const double x = DrawCoordinate();
    const double y = DrawCoordinate();
    const double z = DrawCoordinate();
    return {x, y, z};
  }

  Aabb DrawBox() {
    const uint64_t kind = Below(16);
    const Vector3 corner = DrawPoint();
    if (kind < 4) return {corner, corner};
    if (kind == 4) return Expanded({corner, corner}, 1e6);
    const double max = kind == 5 ? 2.0 * size_ : kind < 9 ? 0.5 * size_ : 2.5;
    const double x = DrawLength(max);
    const double y = DrawLength(max);
    const double z = DrawLength(max);
    return {corner, corner + Vector3{x, y, z}};
  }

  std::vector<SpatialEntry> DrawEntries(uint64_t count) {
    std::vector<SpatialEntry> entries;
    uint64_t serial = 0;
    for (uint64_t i = 0; i < count; ++i) {
      serial += 1 + Below(3);
      entries.push_back({.object = {serial}, .bounds = DrawBox()});
    }
    return entries;
  }

 private:
  double DrawCoordinate() {
    const double value = (2.0 * NextUnit(random_) - 1.0) * size_;
    return has_lattice_ ? Floor(value) : value;
  }

  RandomStream random_;
  double size_;
  bool has_lattice_;
};

// What the index must find, written without it. Entries ascend by object.
template <typename Predicate>
std::vector<ObjectId> ObjectsWhere(const std::vector<SpatialEntry>& entries,
                                   Predicate predicate) {
  std::vector<ObjectId> objects;
  for (const SpatialEntry& entry : entries) {
    if (predicate(entry.bounds)) objects.push_back(entry.object);
  }
  return objects;
}

double DistanceTo(Vector3 point, const Aabb& box) {
  return Length(Maximum(box.minimum, Minimum(point, box.maximum)) - point);
}

std::vector<NearObject> NearestOf(const std::vector<SpatialEntry>& entries,
                                  Vector3 point, uint32_t count) {
  std::vector<NearObject> all;
  for (const auto& [object, bounds] : entries) {
    all.push_back({.distance = DistanceTo(point, bounds), .object = object});
  }
  std::ranges::sort(all);
  if (all.size() > count) all.resize(count);
  return all;
}

class SpatialIndexTest : public testing::TestWithParam<IndexMaker> {
 protected:
  // Queries of every kind that `scene` draws find in the index what they find
  // in `entries`.
  void ExpectSameAs(const std::vector<SpatialEntry>& entries, Scene& scene) {
    ASSERT_EQ(index_->size(), entries.size());
    std::vector<ObjectId> found;
    const Aabb box = scene.DrawBox();
    index_->FindInBox(box, found);
    ASSERT_EQ(found, ObjectsWhere(entries, [&](const Aabb& bounds) {
                return Overlaps(bounds, box);
              }));
    const Vector3 center = scene.DrawPoint();
    const double radius = scene.DrawLength(scene.Below(8) == 0 ? 1e5 : 6.0);
    index_->FindInSphere(center, radius, found);
    ASSERT_EQ(found, ObjectsWhere(entries, [&](const Aabb& bounds) {
                const Vector3 apart =
                    Maximum(bounds.minimum, Minimum(center, bounds.maximum)) -
                    center;
                return Dot(apart, apart) <= radius * radius;
              }));
    const Vector3 start = scene.DrawPoint();
    const Vector3 end = scene.Below(8) == 0 ? start : scene.DrawPoint();
    index_->FindAlong(start, end, found);
    const SegmentClipper segment(start, end);
    ASSERT_EQ(found, ObjectsWhere(entries, [&](const Aabb& bounds) {
                return !segment.Clip(bounds).is_empty();
              }));
    const auto count = static_cast<uint32_t>(scene.Below(12));
    std::vector<NearObject> nearest;
    index_->FindNearest(center, count, nearest);
    ASSERT_EQ(nearest, NearestOf(entries, center, count));
  }

  std::unique_ptr<SpatialIndex> index_ = GetParam().make();
};

TEST_P(SpatialIndexTest, FindsWhatLookingAtEveryEntryFinds) {
  for (uint64_t seed = 0; seed < 1'000; ++seed) {
    SCOPED_TRACE(seed);
    Scene scene(seed);
    const uint64_t count = scene.Below(seed % 20 == 0 ? 500 : 60);
    const auto entries = scene.DrawEntries(count);
    index_->Build(entries);
    for (int i = 0; i < 8; ++i) {
      ASSERT_NO_FATAL_FAILURE(ExpectSameAs(entries, scene));
    }
  }
}

TEST_P(SpatialIndexTest, StaysRightWhileEntriesComeMoveAndGo) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Scene scene(seed);
    auto entries = scene.DrawEntries(scene.Below(60));
    index_->Build(entries);
    for (int change = 0; change < 100; ++change) {
      const ObjectId object = {1 + scene.Below(200)};
      const auto place =
          std::ranges::lower_bound(entries, object, {}, &SpatialEntry::object);
      const auto slot = index_->Find(object);
      const bool exists = place != entries.end() && place->object == object;
      ASSERT_EQ(slot.has_value(), exists);
      if (!exists) {
        const SpatialEntry entry = {.object = object,
                                    .bounds = scene.DrawBox()};
        entries.insert(place, entry);
        EXPECT_EQ(index_->entry(index_->Insert(entry)), entry);
      } else if (scene.Below(2) == 0) {
        entries.erase(place);
        index_->Remove(*slot);
      } else {
        // Half of the moves are small.
        place->bounds = scene.Below(2) == 0 ? scene.DrawBox()
                                            : Expanded(place->bounds, 0.25);
        index_->Move(*slot, place->bounds);
      }
      ASSERT_NO_FATAL_FAILURE(ExpectSameAs(entries, scene));
    }
  }
}

TEST_P(SpatialIndexTest, IsEmptyUntilBuiltAndAfterClear) {
  std::vector<ObjectId> found;
  std::vector<NearObject> nearest;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(index_->size(), 0u);
    index_->FindInBox(kBounds, found);
    EXPECT_THAT(found, IsEmpty());
    index_->FindAlong(kBounds.minimum, kBounds.maximum, found);
    EXPECT_THAT(found, IsEmpty());
    index_->FindNearest({}, 3, nearest);
    EXPECT_THAT(nearest, IsEmpty());
    index_->Insert({.object = {7}, .bounds = {}});
    index_->Clear();
  }
}

TEST_P(SpatialIndexTest, TouchingCountsAndTiesGoByObject) {
  const Aabb left = {{-2.0, 0.0, 0.0}, {-1.0, 1.0, 1.0}};
  const Aabb right = {{1.0, 0.0, 0.0}, {2.0, 1.0, 1.0}};
  index_->Build(
      std::vector<SpatialEntry>{{{3}, right}, {{5}, left}, {{8}, right}});
  std::vector<ObjectId> found;
  index_->FindInBox({{-1.0, 1.0, 1.0}, {1.0, 2.0, 2.0}}, found);
  EXPECT_THAT(found, ElementsAre(ObjectId{3}, ObjectId{5}, ObjectId{8}));
  index_->FindInSphere({0.0, 1.0, 0.0}, 1.0, found);
  EXPECT_THAT(found, ElementsAre(ObjectId{3}, ObjectId{5}, ObjectId{8}));
  index_->FindAlong({0.0, 2.0, 0.0}, {1.0, 1.0, 0.0}, found);
  EXPECT_THAT(found, ElementsAre(ObjectId{3}, ObjectId{8}));
  std::vector<NearObject> nearest;
  index_->FindNearest({}, 2, nearest);
  EXPECT_THAT(nearest, ElementsAre(NearObject{1.0, {3}}, NearObject{1.0, {5}}));
}

TEST_P(SpatialIndexTest, TakesEverythingWithinReach) {
  const double far = kSpatialReach;
  const Aabb all = {{-far, -far, -far}, {far, far, far}};
  const Aabb corner = {all.maximum, all.maximum};
  index_->Build(std::vector<SpatialEntry>{{{1}, all}, {{2}, corner}});
  std::vector<ObjectId> found;
  index_->FindInBox(all, found);
  EXPECT_THAT(found, ElementsAre(ObjectId{1}, ObjectId{2}));
  index_->FindInSphere({}, far, found);
  EXPECT_THAT(found, ElementsAre(ObjectId{1}));
  index_->FindAlong(all.minimum, all.maximum, found);
  EXPECT_THAT(found, ElementsAre(ObjectId{1}, ObjectId{2}));
}

TEST_P(SpatialIndexTest, BuildingAnewAllocatesNothing) {
  Scene scene(1);
  const auto entries = scene.DrawEntries(400);
  auto fewer = entries;
  fewer.resize(300);
  index_->Build(entries);
  const uint64_t before = allocation_count;
  index_->Build(fewer);
  index_->Clear();
  index_->Build(entries);
  EXPECT_EQ(allocation_count, before);
}

INSTANTIATE_TEST_SUITE_P(AllIndexes, SpatialIndexTest,
                         testing::ValuesIn(kMakers),
                         [](const auto& info) { return info.param.name; });

// Far away, where doubles are so few that cells are only some of them wide and
// most fractions of segments are rounded.
TEST(SpatialIndexRoundingTest, RoundingLosesNothing) {
  constexpr double kFar = 0x1p40;
  constexpr double kUnit = 0x1p-12;  // of doubles from 2^40 on
  constexpr Aabb kFarBounds = {
      {kFar, kFar, kFar},
      {kFar + 48 * kUnit, kFar + 48 * kUnit, kFar + 48 * kUnit}};
  RandomStream random = MakeRandomStream(1, IdOf("rounding"));
  const auto draw = [&](uint64_t size) {
    const auto x = static_cast<double>(NextBelow(random, size));
    const auto y = static_cast<double>(NextBelow(random, size));
    const auto z = static_cast<double>(NextBelow(random, size));
    return Vector3{x, y, z} * kUnit;
  };
  SpatialList list;
  UniformGrid grid({.bounds = kFarBounds, .cell_size = 3.4 * kUnit});
  Quadtree tree({.leaf_width_m = 1.5 * kUnit, .leaf_capacity = 2});
  std::vector<ObjectId> in_list, in_grid, in_tree;
  size_t found_count = 0;
  for (int scene = 0; scene < 200; ++scene) {
    std::vector<SpatialEntry> entries;
    for (uint64_t serial = 1; serial <= 300; ++serial) {
      const Vector3 corner = kFarBounds.minimum + draw(48);
      entries.push_back({{serial}, {corner, corner + draw(8)}});
    }
    for (SpatialIndex* index :
         std::initializer_list<SpatialIndex*>{&list, &grid, &tree}) {
      index->Build(entries);
    }
    for (int i = 0; i < 100; ++i) {
      // Half of the segments begin and end far outside.
      const double reach = i % 2 == 0 ? 0.0 : 1e6;
      const Vector3 away = (draw(9) - draw(9)) * reach;
      const Vector3 start = kFarBounds.minimum + draw(48) - away;
      const Vector3 end = kFarBounds.minimum + draw(48) + away;
      list.FindAlong(start, end, in_list);
      grid.FindAlong(start, end, in_grid);
      tree.FindAlong(start, end, in_tree);
      ASSERT_EQ(in_grid, in_list) << "scene " << scene << ", segment " << i;
      ASSERT_EQ(in_tree, in_list) << "scene " << scene << ", segment " << i;
      found_count += in_list.size();
    }
  }
  EXPECT_GT(found_count, 10'000u);
}

// Crowds a metre wide, far from each other and from anywhere: an index that
// knew bounds would look at each of a crowd.
TEST(QuadtreeTest, FindsAmongCrowdsWhereverTheyAre) {
  constexpr double kPlaces[] = {0.0, -3e3, 5e4, -1e9, 1e13, 1e40};
  RandomStream random = MakeRandomStream(2, IdOf("crowds"));
  const auto draw_at = [&](double width) {
    const Vector3 crowd = {kPlaces[NextBelow(random, std::size(kPlaces))], 0.0,
                           kPlaces[NextBelow(random, 3)]};
    const double x = NextUnit(random) * width;
    const double z = NextUnit(random) * width;
    return crowd + Vector3{x, NextUnit(random), z};
  };
  SpatialList list;
  Quadtree tree({.leaf_width_m = 0.01});
  std::vector<SpatialEntry> entries;
  for (uint64_t serial = 1; serial <= 2000; ++serial) {
    const Vector3 corner = draw_at(1.0);
    entries.push_back({{serial}, {corner, corner}});
  }
  list.Build(entries);
  tree.Build(entries);
  std::vector<ObjectId> in_list;
  std::vector<ObjectId> in_tree;
  std::vector<NearObject> near_in_list;
  std::vector<NearObject> near_in_tree;
  size_t found_count = 0;
  size_t visited = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto slot = static_cast<EntrySlot>(NextBelow(random, list.size()));
    const Vector3 to = draw_at(1.0);
    list.Move(slot, {to, to});
    tree.Move(slot, {to, to});
    const Vector3 center = draw_at(1.0);
    list.FindInSphere(center, 0.05, in_list);
    tree.FindInSphere(center, 0.05, in_tree);
    ASSERT_EQ(in_tree, in_list);
    found_count += in_list.size();
    list.FindNearest(center, 5, near_in_list);
    tree.FindNearest(center, 5, near_in_tree);
    ASSERT_EQ(near_in_tree, near_in_list);
    if (Abs(center.x) > 1e12) continue;  // where a metre is no number
    tree.VisitNear(center, [&](EntrySlot) {
      ++visited;
      return 0.02;
    });
  }
  EXPECT_GT(found_count, 200u);
  EXPECT_LT(visited, 2000u * 20u);
}

// An object that moves on and on has the tree made anew ever more rarely, and
// is found all the way.
TEST(QuadtreeTest, GrowsAfterWhatMovesAway) {
  Quadtree tree(QuadtreeOptions{});
  std::vector<SpatialEntry> entries;
  for (uint64_t i = 1; i <= 100; ++i) {
    const Vector3 place = {static_cast<double>(i), 0.0, 0.0};
    entries.push_back({{i}, {place, place}});
  }
  tree.Build(entries);
  std::vector<NearObject> found;
  for (double x = 200.0; x < 1e45; x *= -1.7) {
    const Vector3 place = {x, 1.0, -x};
    tree.Move(99, {place, place});
    tree.FindNearest(place, 1, found);
    ASSERT_EQ(found, (std::vector<NearObject>{{0.0, {100}}}));
  }
  EXPECT_LT(tree.node_count(), 4000u);
}

TEST(SpatialIndexDeathTest, RefusesWhatCallersMustNotGive) {
  SpatialList index;
  const SpatialEntry entry = {.object = {2}, .bounds = {}};
  index.Insert(entry);
  EXPECT_DEATH(index.Insert(entry), "object 2 has an entry");
  EXPECT_DEATH(index.Insert({.object = kNoObject}), "kNoObject");
  EXPECT_DEATH(index.Remove(7), "slot");
  const std::vector<SpatialEntry> alike = {entry, entry};
  EXPECT_DEATH(index.Build(alike), "entry 1");
  const Aabb inside_out = {.minimum = {1.0, 0.0, 0.0}, .maximum = {}};
  std::vector<ObjectId> found;
  EXPECT_DEATH(index.FindInBox(inside_out, found), "IsValid");
}

TEST(UniformGridTest, OptionsHaveToMakeSense) {
  const auto is_valid = [](const Aabb& bounds, double cell_size) {
    return UniformGrid::IsValidOptions(
        {.bounds = bounds, .cell_size = cell_size});
  };
  EXPECT_TRUE(is_valid(kBounds, 1.0));
  EXPECT_FALSE(is_valid({kBounds.maximum, kBounds.minimum}, 1.0));
  EXPECT_FALSE(is_valid(kBounds, 0.0));
  EXPECT_FALSE(is_valid(kBounds, -1.0));
  EXPECT_FALSE(is_valid(kBounds, 0.0 / 0.0));
  EXPECT_FALSE(is_valid(kBounds, 1e-6));
}

TEST(UniformGridTest, CellsDivideTheBounds) {
  const UniformGrid grid({.bounds = kBounds, .cell_size = 2.0});
  EXPECT_EQ(grid.cell_count(), 8u * 4u * 8u);
  const UniformGrid flat({.bounds = {{0.0, 0.0, 0.0}, {3.0, 0.0, 3.0}}});
  EXPECT_EQ(flat.cell_count(), 9u);
}

TEST(QuadtreeTest, OptionsHaveToMakeSense) {
  EXPECT_TRUE(Quadtree::IsValidOptions({.bounds = kBounds}));
  EXPECT_FALSE(Quadtree::IsValidOptions({.bounds = kBounds, .depth_max = 27}));
  EXPECT_FALSE(
      Quadtree::IsValidOptions({.bounds = kBounds, .leaf_capacity = 0}));
}

TEST(QuadtreeTest, DividesWhereItIsCrowdedAndMergesAgain) {
  Quadtree tree({.bounds = kBounds, .depth_max = 3, .leaf_capacity = 2});
  std::vector<EntrySlot> slots;
  for (uint64_t i = 1; i <= 2; ++i) slots.push_back(tree.Insert({{i}, {}}));
  EXPECT_EQ(tree.node_count(), 1u);
  // Three at one point divide down to the greatest depth.
  slots.push_back(tree.Insert({{3}, {}}));
  EXPECT_EQ(tree.node_count(), 1u + 3u * 4u);
  tree.Remove(slots[0]);
  EXPECT_EQ(tree.node_count(), 1u + 3u * 4u);
  tree.Remove(slots[1]);
  EXPECT_EQ(tree.node_count(), 1u);
}

}  // namespace
}  // namespace reprise::sim

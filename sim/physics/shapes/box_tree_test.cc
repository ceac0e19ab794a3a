// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that searches find exactly what looking at every box finds, for random
// boxes of all sizes, and that a search along a way may stop early without
// missing what comes first.

#include "sim/physics/shapes/box_tree.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

Vector3 DrawVector(RandomStream& random, double reach) {
  Vector3 drawn;
  drawn.x = reach * (2.0 * NextUnit(random) - 1.0);
  drawn.y = reach * (2.0 * NextUnit(random) - 1.0);
  drawn.z = reach * (2.0 * NextUnit(random) - 1.0);
  return drawn;
}

AxisAlignedBox DrawBox(RandomStream& random) {
  const Vector3 middle = DrawVector(random, 10.0);
  // A few are as large as everything together.
  const double size = NextBelow(random, 20) == 0 ? 10.0 : 0.5;
  const Vector3 half = {size * NextUnit(random), size, 0.5 * size};
  return {middle - half, middle + half};
}

class BoxTreeTest : public testing::TestWithParam<uint32_t> {
 protected:
  BoxTreeTest() {
    for (uint32_t i = 0; i < GetParam(); ++i) {
      boxes_.push_back(DrawBox(random_));
    }
    tree_.Build(boxes_);
  }

  // The indexes of which is_wanted(box) holds.
  template <typename Choice>
  std::vector<uint32_t> Expected(const Choice& is_wanted) const {
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < boxes_.size(); ++i) {
      if (is_wanted(boxes_[i])) expected.push_back(i);
    }
    return expected;
  }

  RandomStream random_ = MakeRandomStream(1, IdOf("boxes"));
  std::vector<AxisAlignedBox> boxes_;
  BoxTree tree_;
};

TEST_P(BoxTreeTest, SearchFindsWhatMeets) {
  for (int i = 0; i < 100; ++i) {
    const AxisAlignedBox wanted = DrawBox(random_);
    std::vector<uint32_t> found;
    tree_.Search(wanted, [&](uint32_t index) { found.push_back(index); });
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, Expected([&](const AxisAlignedBox& box) {
                return Meet(box, wanted);
              }));
  }
}

TEST_P(BoxTreeTest, SearchFindsBoxesThatHaveMoved) {
  for (const double step : {0.01, 0.1, 5.0, 0.01}) {
    for (AxisAlignedBox& box : boxes_) {
      const Vector3 moved = DrawVector(random_, step);
      box = {box.low + moved, box.high + moved};
    }
    tree_.Build(boxes_);
    for (int round = 0; round < 20; ++round) {
      const AxisAlignedBox wanted = DrawBox(random_);
      std::vector<uint32_t> found;
      tree_.Search(wanted, [&](uint32_t index) { found.push_back(index); });
      std::sort(found.begin(), found.end());  // a total order
      EXPECT_EQ(found, Expected([&](const AxisAlignedBox& box) {
                  return Meet(box, wanted);
                }));
    }
  }
}

TEST_P(BoxTreeTest, SearchAlongFindsWhatIsOnTheWay) {
  for (int i = 0; i < 100; ++i) {
    const Vector3 from = DrawVector(random_, 15.0);
    Vector3 motion = DrawVector(random_, 30.0);
    if (i % 4 == 0) motion.y = 0.0;  // within a slab, or outside of it
    std::vector<uint32_t> found;
    tree_.SearchAlong(from, motion, {}, [&](uint32_t index) {
      found.push_back(index);
      return 1.0;
    });
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, Expected([&](const AxisAlignedBox& box) {
                return EntryFraction(box, from, motion, 1.0).has_value();
              }));
  }
}

TEST_P(BoxTreeTest, SearchThatStopsEarlyStillFindsTheFirst) {
  for (int i = 0; i < 100; ++i) {
    const Vector3 from = DrawVector(random_, 15.0);
    const Vector3 motion = DrawVector(random_, 30.0);
    double first = 1.0;
    double expected = 1.0;
    tree_.SearchAlong(from, motion, {}, [&](uint32_t index) {
      first = std::min(first, *EntryFraction(boxes_[index], from, motion, 1.0));
      return first;
    });
    for (const AxisAlignedBox& box : boxes_) {
      expected = std::min(expected,
                          EntryFraction(box, from, motion, 1.0).value_or(1.0));
    }
    EXPECT_EQ(first, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, BoxTreeTest,
                         testing::Values(0, 1, 4, 5, 9, 300));

TEST(BoxTreeAloneTest, SearchAlongGrowsBoxes) {
  BoxTree tree;
  const AxisAlignedBox box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
  tree.Build({&box, 1});
  int found = 0;
  const auto count = [&](uint32_t) {
    ++found;
    return 1.0;
  };
  tree.SearchAlong({-5.0, 1.5, 0.0}, {10.0, 0.0, 0.0}, {0.4, 0.4, 0.4}, count);
  EXPECT_EQ(found, 0);
  tree.SearchAlong({-5.0, 1.5, 0.0}, {10.0, 0.0, 0.0}, {0.6, 0.6, 0.6}, count);
  EXPECT_EQ(found, 1);
}

TEST(BoxWayTest, EntersWhereEntryFractionSays) {
  constexpr AxisAlignedBox kBox = {{-1.0, -2.0, -3.0}, {1.0, 2.0, 3.0}};
  // Inside, on faces and edges, and outside; up, down, and standing still.
  const std::array<double, 5> starts = {-4.0, -1.0, 0.0, 1.0, 4.0};
  const std::array<double, 4> motions = {-6.0, -0.0, 0.0, 6.0};
  for (const double x : starts) {
    for (const double y : starts) {
      for (const double motion_x : motions) {
        for (const double motion_y : motions) {
          const Vector3 from = {x, 2.0 * y, 3.0};
          const Vector3 motion = {motion_x, motion_y, 0.0};
          EXPECT_DOUBLE_EQ(
              BoxWay(from, motion, {}).Entry(kBox, 1.0),
              EntryFraction(kBox, from, motion, 1.0).value_or(BoxWay::kNever))
              << x << " " << y << " " << motion_x << " " << motion_y;
        }
      }
    }
  }
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what covers which samples by facts from outside: areas of projections
// by their formulas, places of projected points, what is nearer, and that
// neighbours share no sample and leave none.

#include "replays/rendering/rasterizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "replays/rendering/projection.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

constexpr uint32_t kWidth = 320;
constexpr uint32_t kHeight = 180;

const PackedShade kBackground = Pack({{0, 0, 0}, 1}, false);
const PackedShade kWhite = Pack({{1, 1, 1}, 1}, false);
const PackedShade kRed = Pack({{1, 0, 0}, 1}, false);

class RasterizerTest : public testing::TestWithParam<uint32_t> {
 protected:
  RasterizerTest() : raster_(kWidth, kHeight, GetParam()) { Begin(0); }

  // The eye in the origin, or without perspective so many metres from top to
  // bottom; places are given as the camera sees them.
  void Begin(double height_m) {
    Camera camera;
    camera.lens = {.field_of_view_rad = sim::Radians(60),
                   .height_m = height_m,
                   .near_m = 0.1,
                   .far_m = 1000};
    raster_.Begin(Projection(camera, kWidth, kHeight), kBackground);
  }

  void Triangle(const Vector3& a, const Vector3& b, const Vector3& c,
                PackedShade shade) {
    const Shade all = {LitOf(shade), 1};
    raster_.DrawTriangle({{{a, all}, {b, all}, {c, all}}}, RasterSides::kBoth);
  }

  void Ball(const Vector3& centre, double radius, PackedShade shade) {
    raster_.DrawBall(centre, radius, [&](const Vector3&) { return shade; });
  }

  // In pixels, of what isn't the background.
  double Area() const {
    const auto covered = std::ranges::count_if(
        raster_.shades(),
        [](PackedShade shade) { return shade != kBackground; });
    return static_cast<double>(covered) / raster_.samples();
  }

  PackedShade At(uint32_t x, uint32_t y) const {
    return raster_.shades()[(size_t{y} * kWidth + x) * raster_.samples()];
  }

  // Pixels a metre, at a metre.
  double Scale() const { return raster_.projection().scale(); }

  Rasterizer raster_;
};

// A ball straight ahead is a disc of tan(asin(r / d)).
TEST_P(RasterizerTest, ABallAheadIsADisc) {
  Ball({0, 0, 5}, 1, kWhite);
  const double radius = Scale() / std::sqrt(5.0 * 5.0 - 1.0);
  const double area = std::numbers::pi * radius * radius;
  EXPECT_NEAR(Area(), area, 0.004 * area);
}

// Aside it is the ellipse in which the cone that touches it, b wide and a
// aside, meets the picture: its half axes are cos b sin b / D and sin b /
// sqrt(D) with D = cos^2 a - sin^2 b.
TEST_P(RasterizerTest, ABallAsideIsAnEllipse) {
  const Vector3 centre = {2.5, 1, 5};
  Ball(centre, 1, kWhite);
  const double distance = sim::Length(centre);
  const double cos_a = centre.z / distance;
  const double sin_b = 1 / distance;
  const double flat = cos_a * cos_a - sin_b * sin_b;
  const double cos_b = std::sqrt(1 - sin_b * sin_b);
  const double area = std::numbers::pi * Scale() * Scale() * cos_b * sin_b *
                      sin_b / std::pow(flat, 1.5);
  EXPECT_NEAR(Area(), area, 0.006 * area);
}

TEST_P(RasterizerTest, WithoutPerspectiveABallIsADiscAnywhere) {
  Begin(10);
  Ball({3, -2, 50}, 1.5, kWhite);
  const double area = std::numbers::pi * 1.5 * 1.5 * 18 * 18;
  EXPECT_NEAR(Area(), area, 0.005 * area);
}

TEST_P(RasterizerTest, ATriangleCoversItsArea) {
  Triangle({-1, -0.5, 4}, {1.5, -0.7, 4}, {0.2, 1.1, 4}, kWhite);
  const double metres = 0.5 * (2.5 * 1.6 - -0.2 * 1.2);
  const double area = metres * Scale() * Scale() / 16;
  EXPECT_NEAR(Area(), area, 0.01 * area);
}

// A fan around a point: what lies on a shared edge belongs to one of two.
TEST_P(RasterizerTest, NeighboursLeaveNoSampleAndShareNone) {
  std::vector<Vector3> rim;
  for (int i = 0; i < 11; ++i) {
    const double angle = 2 * std::numbers::pi * i / 11;
    rim.push_back({1.7 * std::cos(angle), 1.3 * std::sin(angle), 4});
  }
  const Vector3 middle = {0.13, -0.21, 4};
  double sum = 0;
  for (size_t i = 0; i < rim.size(); ++i) {
    Begin(0);
    Triangle(middle, rim[i], rim[(i + 1) % rim.size()], kWhite);
    sum += Area();
  }
  Begin(0);
  for (size_t i = 0; i < rim.size(); ++i) {
    Triangle(middle, rim[i], rim[(i + 1) % rim.size()], kWhite);
  }
  EXPECT_DOUBLE_EQ(sum, Area());
  double expected = 0;
  for (size_t i = 0; i < rim.size(); ++i) {
    const Vector3& a = rim[i];
    const Vector3& b = rim[(i + 1) % rim.size()];
    expected += 0.5 * (a.x * b.y - a.y * b.x) * Scale() * Scale() / 16;
  }
  EXPECT_NEAR(Area(), expected, 0.005 * expected);
}

TEST_P(RasterizerTest, PointsAreWhereTheirFormulaPutsThem) {
  for (const Vector3& place :
       {Vector3{0.7, 0.4, 3}, Vector3{-2, 1, 6}, Vector3{1, -1.2, 4}}) {
    Begin(0);
    Ball(place, 0.02 * place.z, kWhite);
    const double x = 0.5 * kWidth + Scale() * place.x / place.z;
    const double y = 0.5 * kHeight - Scale() * place.y / place.z;
    EXPECT_EQ(At(static_cast<uint32_t>(x), static_cast<uint32_t>(y)), kWhite);
  }
}

// The order in which they are drawn is nothing.
TEST_P(RasterizerTest, TheNearerHidesTheFurther) {
  const auto near = [&] { Ball({0, 0, 4}, 0.5, kRed); };
  const auto far = [&] {
    Triangle({-3, -3, 5}, {3, -3, 5}, {0, 3, 5}, kWhite);
  };
  near();
  far();
  const std::vector<PackedShade> first(raster_.shades().begin(),
                                       raster_.shades().end());
  Begin(0);
  far();
  near();
  EXPECT_TRUE(std::ranges::equal(first, raster_.shades()));
  EXPECT_EQ(At(kWidth / 2, kHeight / 2), kRed);
}

// Two that cross are parted where they cross: at x = 0.
TEST_P(RasterizerTest, WhatCrossesIsPartedWhereItCrosses) {
  Triangle({-2, -9, 4}, {2, -9, 6}, {0, 9, 5}, kRed);
  Triangle({-2, -9, 6}, {2, -9, 4}, {0, 9, 5}, kWhite);
  EXPECT_EQ(At(kWidth / 2 - 3, kHeight / 2), kRed);
  EXPECT_EQ(At(kWidth / 2 + 3, kHeight / 2), kWhite);
}

// Many at random against what the edges and the plane of each say of every
// sample; but for those on an edge, which one of two has.
TEST_P(RasterizerTest, TheNearestTriangleThatCoversASampleIsSeen) {
  Begin(10);
  struct Corner {
    double x = 0;  // in parts of a pixel
    double y = 0;
    double nearness = 0;
  };
  sim::RandomStream random = sim::MakeRandomStream(1, sim::IdOf("triangles"));
  const auto between = [&](double least, double most) {
    return least + (most - least) * sim::NextUnit(random);
  };
  const double parts = Rasterizer::kCornerParts;
  std::vector<std::array<Corner, 3>> triangles;
  for (int i = 0; i < 60; ++i) {
    std::array<Vector3, 3> views;
    std::array<Corner, 3> corners;
    // Small ones and large ones, thin ones, and some that reach outside.
    const double size = i % 3 == 0 ? 8 : 0.7;
    const Vector3 first = {between(-9, 9), between(-5, 5), between(10, 40)};
    for (size_t c = 0; c < 3; ++c) {
      const double thin = i % 5 == 0 ? 0.05 : 1;
      const double x = between(-size, size);
      const double y = between(-size, size) * thin;
      const double z = between(-5, 5);
      views[c] = first + Vector3{x, y, z};
      corners[c] = {
          std::floor((0.5 * kWidth + Scale() * views[c].x) * parts + 0.5),
          std::floor((0.5 * kHeight - Scale() * views[c].y) * parts + 0.5),
          -views[c].z};
    }
    Triangle(views[0], views[1], views[2], kWhite);
    triangles.push_back(corners);
  }
  // Beyond the edge from `a` to `b`: twice the area that is spanned.
  const auto beyond = [](const Corner& a, const Corner& b, const Corner& at) {
    return (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
  };
  size_t on_edges = 0;
  for (uint32_t y = 0; y < kHeight; y += 2) {
    for (uint32_t x = y % 4 / 2; x < kWidth; x += 2) {
      for (size_t i = 0; i < raster_.samples(); ++i) {
        const SamplePlace& place = raster_.places()[i];
        const Corner at = {(x + place.x) * parts, (y + place.y) * parts};
        double nearest = raster_.nothing();
        bool is_on_edge = false;
        for (const auto& [a, b, c] : triangles) {
          const double area = beyond(a, b, c);
          const double of_a = beyond(b, c, at) / area;
          const double of_b = beyond(c, a, at) / area;
          const double of_c = beyond(a, b, at) / area;
          if (of_a < 0 || of_b < 0 || of_c < 0) continue;
          is_on_edge |= of_a == 0 || of_b == 0 || of_c == 0;
          nearest = std::max(nearest, a.nearness * of_a + b.nearness * of_b +
                                          c.nearness * of_c);
        }
        on_edges += is_on_edge ? 1 : 0;
        if (is_on_edge) continue;
        const size_t sample = (size_t{y} * kWidth + x) * raster_.samples() + i;
        ASSERT_NEAR(raster_.nearness()[sample], nearest, 1e-4) << x << " " << y;
      }
    }
  }
  EXPECT_LT(on_edges, 100);
}

// Whatever was drawn before, and where.
TEST_P(RasterizerTest, WhatBeginsHasNothingInIt) {
  const auto expect_nothing = [&] {
    EXPECT_EQ(Area(), 0);
    const std::span<const float> nearness = raster_.nearness();
    EXPECT_EQ(std::ranges::count(nearness, raster_.nothing()),
              static_cast<std::ptrdiff_t>(nearness.size()));
  };
  Ball({0, -2, 5}, 0.2, kRed);
  Begin(0);
  expect_nothing();
  Triangle({-3, 1, 5}, {3, 1, 5}, {0, 2, 5}, kWhite);
  Begin(0);
  expect_nothing();
  Ball({0, 0, 5}, 0.1, kRed);
  // Another projection has another nearness of nothing.
  Begin(10);
  expect_nothing();
}

// Ground from behind the eye to far away covers all below the horizon.
TEST_P(RasterizerTest, WhatGoesThroughTheEyeIsCutOff) {
  Triangle({-3000, -1, -3000}, {3000, -1, -3000}, {0, -1, 9000}, kWhite);
  const double depth = 1 / 1000.0;  // the furthest that is drawn
  const double area = kWidth * (0.5 * kHeight - Scale() * depth);
  EXPECT_NEAR(Area(), area, 1.0 * kWidth);
}

TEST_P(RasterizerTest, WithTheClockIsSeenFromBehind) {
  const Shade all = {{1, 1, 1}, 1};
  const std::array<RasterCorner, 3> corners = {
      {{{-1, -1, 4}, all}, {{0, 1, 4}, all}, {{1, -1, 4}, all}}};
  raster_.DrawTriangle(corners, RasterSides::kFront);
  EXPECT_EQ(Area(), 0);
  raster_.DrawTriangle({{corners[0], corners[2], corners[1]}},
                       RasterSides::kFront);
  EXPECT_GT(Area(), 0);
}

TEST_P(RasterizerTest, ALineIsAsWideAsItIsTold) {
  raster_.DrawLine({-1, -0.3, 4}, {1, 0.5, 4}, 3, kWhite);
  const double length = std::sqrt(2 * 2 + 0.8 * 0.8) * Scale() / 4;
  // Few samples tell an area by fewer places along the line's edges.
  EXPECT_NEAR(Area(), 3 * length, (GetParam() == 1 ? 0.06 : 0.03) * 3 * length);
}

INSTANTIATE_TEST_SUITE_P(Samples, RasterizerTest, testing::Values(1, 4, 16));

// A map of depths without perspective, 20 m high, from a metre to 100.
class HiddenTest : public testing::Test {
 protected:
  HiddenTest() { Begin(raster_); }

  static void Begin(Rasterizer& raster) {
    Camera camera;
    camera.lens = {.height_m = 20, .near_m = 1, .far_m = 100};
    raster.Begin(Projection(camera, kWidth, kHeight), 0);
  }

  static void Square(Rasterizer& raster, const Vector3& middle, double half) {
    const auto corner = [&](double x, double y) {
      return RasterCorner{middle + Vector3{x * half, y * half, 0}};
    };
    raster.DrawTriangle({corner(-1, -1), corner(1, -1), corner(1, 1)},
                        RasterSides::kBoth);
    raster.DrawTriangle({corner(-1, -1), corner(1, 1), corner(-1, 1)},
                        RasterSides::kBoth);
  }

  bool IsHidden(const Vector3& middle, double half) {
    const Vector3 reach = {half, half, half};
    return raster_.IsHidden(middle - reach, middle + reach);
  }

  Rasterizer raster_{kWidth, kHeight, 1, Rasterizer::Keeps::kDepths};
};

TEST_F(HiddenTest, IsWhatLiesBehindAllOver) {
  EXPECT_FALSE(IsHidden({0, 0, 20}, 1));
  Square(raster_, {0, 0, 10}, 3);
  EXPECT_TRUE(IsHidden({0, 0, 20}, 1));
  EXPECT_TRUE(IsHidden({1, -1, 11.1}, 1));
  // Nearer, through it, and beyond its edge.
  EXPECT_FALSE(IsHidden({0, 0, 8}, 1));
  EXPECT_FALSE(IsHidden({0, 0, 10.5}, 1));
  EXPECT_FALSE(IsHidden({2.5, 0, 20}, 1));
  EXPECT_FALSE(IsHidden({0, 9.5, 20}, 1));
  // What was there before isn't there now.
  Begin(raster_);
  EXPECT_FALSE(IsHidden({0, 0, 20}, 1));
}

TEST_F(HiddenTest, IsNeverSaidWherePicturesHaveShadesOrPerspective) {
  Rasterizer shaded(kWidth, kHeight, 1);
  Begin(shaded);
  Square(shaded, {0, 0, 10}, 3);
  EXPECT_FALSE(shaded.IsHidden({-1, -1, 20}, {1, 1, 21}));
  raster_.Begin(
      Projection({.lens = {.near_m = 1, .far_m = 100}}, kWidth, kHeight), 0);
  Square(raster_, {0, 0, 10}, 30);
  EXPECT_FALSE(raster_.IsHidden({-1, -1, 20}, {1, 1, 21}));
}

// Whatever is left out since it is hidden, depths are the same; and much is.
TEST_F(HiddenTest, WhatIsLeftOutChangesNothing) {
  Rasterizer all(kWidth, kHeight, 1, Rasterizer::Keeps::kDepths);
  Begin(all);
  sim::RandomStream random = sim::MakeRandomStream(1, sim::IdOf("hidden"));
  const auto between = [&](double least, double most) {
    return least + (most - least) * sim::NextUnit(random);
  };
  int hidden = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vector3 middle = {between(-20, 20), between(-11, 11), between(2, 90)};
    const double half = between(0.1, 3);
    const bool is_left_out = IsHidden(middle, half);
    hidden += is_left_out ? 1 : 0;
    for (Rasterizer* raster : {&raster_, &all}) {
      if (is_left_out && raster == &raster_) continue;
      if (i % 2 == 0) {
        raster->DrawBall(middle, half, [](const Vector3&) { return 0U; });
        continue;
      }
      // Thin ones, too: their slopes are the steepest.
      const double thin = i % 4 == 1 ? 1e-3 : 1;
      raster->DrawTriangle({RasterCorner{middle + Vector3{-half, -half, half}},
                            {middle + Vector3{half, half, -half}},
                            {middle + Vector3{half, half - thin * half, half}}},
                           RasterSides::kBoth);
    }
  }
  EXPECT_GT(hidden, 200);
  EXPECT_TRUE(std::ranges::equal(raster_.nearness(), all.nearness()));
}

}  // namespace
}  // namespace reprise::replays

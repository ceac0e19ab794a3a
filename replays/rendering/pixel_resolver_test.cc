// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what pixels show by the ray that leads back through each: the light
// of what it meets, less what a shadow or a line on the ground takes.

#include "replays/rendering/pixel_resolver.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gtest/gtest.h"
#include "replays/rendering/picture.h"
#include "replays/rendering/projection.h"
#include "replays/rendering/rasterizer.h"
#include "replays/rendering/scene_bounds.h"
#include "replays/rendering/shading.h"
#include "replays/rendering/shadow_map.h"
#include "sim/base/math.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

constexpr uint32_t kWidth = 160;
constexpr uint32_t kHeight = 90;

// So much is left of the ground where the sun doesn't shine.
constexpr double kLeft = 64 / 127.0;

// Dark, so that the highest bits of all their bytes are alike.
const PackedShade kSky = Pack({{0.01, 0.02, 0.03}, 1}, false);
const Light kGround = {0.15, 0.12, 0.1};

// Ground at height 0 and a square above it, seen with or without perspective.
class PixelResolverTest : public testing::TestWithParam<double> {
 protected:
  PixelResolverTest() : picture_(kWidth, kHeight) {
    camera_.view = LookAt({7, 6, 8}, {0, 0, 0}, {0, 1, 0});
    camera_.lens.height_m = GetParam();
    shadows_.Begin(
        {.least = {-3, 0, -3}, .most = {3, 2, 3}, .is_empty = false});
    DrawSquare(shadows_.raster(), {0, 1.5, 0}, 1, false);
  }

  static void DrawSquare(Rasterizer& raster, const Vector3& middle, double half,
                         bool is_ground) {
    const auto corner = [&](double x, double z) {
      const Vector3 place = middle + Vector3{x * half, 0, z * half};
      return RasterCorner{raster.projection().ToView(place), {kGround, kLeft}};
    };
    raster.DrawTriangle({corner(-1, -1), corner(-1, 1), corner(1, 1)},
                        RasterSides::kBoth, is_ground);
    raster.DrawTriangle({corner(-1, -1), corner(1, 1), corner(1, -1)},
                        RasterSides::kBoth, is_ground);
  }

  void Resolve(uint32_t samples, bool has_shadows, bool has_lines) {
    Rasterizer raster(kWidth, kHeight, samples);
    raster.Begin(Projection(camera_, kWidth, kHeight), kSky);
    DrawSquare(raster, {}, 40, has_lines);
    PixelResolver().Resolve(raster, has_shadows ? &shadows_ : nullptr,
                            picture_);
  }

  // Where the ray through the middle of a pixel meets the ground.
  Vector3 GroundAt(uint32_t x, uint32_t y) const {
    const PictureRay ray =
        Projection(camera_, kWidth, kHeight).RayThrough(x + 0.5, y + 0.5);
    return ray.start - ray.direction * (ray.start.y / ray.direction.y);
  }

  void ExpectNear(uint32_t x, uint32_t y, const Light& light) const {
    const PixelColour shown = picture_.At(x, y);
    const PixelColour expected = ToPixel(light);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(shown[i], expected[i], 2) << x << " " << y;
    }
  }

  Camera camera_;
  ShadowMap shadows_;
  Picture picture_;
};

TEST_P(PixelResolverTest, WithoutShadowsAndLinesItIsWhatWasDrawn) {
  for (const uint32_t samples : {1, 4, 16}) {
    Resolve(samples, false, false);
    const PixelColour ground = ToPixel(kGround);
    for (uint32_t y = 60; y < kHeight; ++y) {
      for (uint32_t x = 0; x < kWidth; ++x) {
        ASSERT_EQ(picture_.At(x, y), ground);
      }
    }
  }
}

TEST_P(PixelResolverTest, AShadowLeavesItsPart) {
  Resolve(1, true, false);
  int dark = 0;
  int lit = 0;
  for (uint32_t y = 40; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      // Along the sun's ray up to the height of the square.
      const Vector3 sun = WorldLamp().sun;
      const Vector3 at = GroundAt(x, y) + sun * (1.5 / sun.y);
      const double beside = std::max(sim::Abs(at.x), sim::Abs(at.z)) - 1;  // m
      // An edge is as soft as the map is coarse.
      if (sim::Abs(beside) < 0.03) continue;
      ExpectNear(x, y, beside < 0 ? kGround * kLeft : kGround);
      ++(beside < 0 ? dark : lit);
    }
  }
  EXPECT_GT(dark, 50);
  EXPECT_GT(lit, 50);
}

TEST_P(PixelResolverTest, LinesAreAMetreApart) {
  Resolve(1, false, true);
  const Projection projection(camera_, kWidth, kHeight);
  int dark = 0;
  int lit = 0;
  for (uint32_t y = 40; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      const Vector3 at = GroundAt(x, y);
      const Vector3 way = at - camera_.view.eye;
      double width = 1 / projection.scale();
      if (projection.is_perspective()) {
        const double depth = sim::Dot(way, camera_.view.forward);
        width *= depth * sim::Length(way) / sim::Abs(way.y);
      }
      const auto line = [&](double place) {
        const double apart = sim::Abs(place - std::round(place));
        return std::clamp((0.012 - apart) / width + 0.5, 0.0, 1.0);
      };
      const double shown = std::clamp(1.2 - 2 * width, 0.0, 1.0);
      const double most = std::max(line(at.x), line(at.z));
      ExpectNear(x, y, kGround * (1 - 0.35 * most * shown));
      ++(most * shown > 0 ? dark : lit);
    }
  }
  EXPECT_GT(dark, 50);
  EXPECT_GT(lit, 50);
}

// At the edge of what was drawn a pixel has of both.
TEST_P(PixelResolverTest, APixelIsTheMeanOfItsSamples) {
  Rasterizer raster(kWidth, kHeight, 4);
  raster.Begin(Projection(camera_, kWidth, kHeight), kSky);
  DrawSquare(raster, {}, 1, false);
  PixelResolver().Resolve(raster, nullptr, picture_);
  int mixed = 0;
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      const PackedShade* const shades =
          &raster.shades()[(size_t{y} * kWidth + x) * 4];
      const auto sky = std::count(shades, shades + 4, kSky);
      ExpectNear(x, y,
                 LitOf(kSky) * (static_cast<double>(sky) / 4) +
                     kGround * (static_cast<double>(4 - sky) / 4));
      mixed += sky > 0 && sky < 4 ? 1 : 0;
    }
  }
  EXPECT_GT(mixed, 20);
}

INSTANTIATE_TEST_SUITE_P(HeightOfPicture, PixelResolverTest,
                         testing::Values(0.0, 6.0));

}  // namespace
}  // namespace reprise::replays

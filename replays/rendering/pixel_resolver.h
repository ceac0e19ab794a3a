// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// From samples to pixels: what each sends in the sun or in a shadow, and lines
// on the ground. Samples are computed four at once, each as it would be alone.

#ifndef REPRISE_REPLAYS_RENDERING_PIXEL_RESOLVER_H_
#define REPRISE_REPLAYS_RENDERING_PIXEL_RESOLVER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "replays/rendering/picture.h"
#include "replays/rendering/projection.h"
#include "replays/rendering/rasterizer.h"
#include "replays/rendering/sample_quad.h"
#include "replays/rendering/shading.h"
#include "replays/rendering/shadow_map.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

class PixelResolver {
 public:
  PixelResolver();

  // All pixels of what was drawn; without `shadows` the sun shines everywhere.
  // REQUIRES: raster keeps shades, and the picture is as large.
  void Resolve(const Rasterizer& raster, const ShadowMap* shadows,
               Picture& picture);

 private:
  // What leads from a pixel back into the world, or to the sun's picture.
  struct WayBack {
    sim::Vector3 start;  // of all rays, or of the one of the corner
    sim::Vector3 corner;
    sim::Vector3 right;  // a pixel
    sim::Vector3 down;

    QuadVector At(const QuadDouble& x, const QuadDouble& y,
                  const QuadDouble& nearness, bool is_perspective) const;
  };
  // Samples whose light depends on where they are, and what is left of it.
  struct Looks {
    static constexpr size_t kMax = 256;
    std::array<double, kMax> x;  // on the picture, in pixels
    std::array<double, kMax> y;
    std::array<float, kMax> nearness;
    std::array<PackedShade, kMax> shade;
    std::array<double, kMax> in_shadow;  // factors
    std::array<double, kMax> on_lines;
  };
  // A pixel that waits for its looks, one or one for each sample.
  struct Waiting {
    uint32_t x = 0;
    uint32_t y = 0;
    bool is_even = false;
  };

  void FindWays(const Projection& projection);
  void Look(uint32_t x, uint32_t y, size_t first_sample, size_t samples);
  // Computes what was looked for, and the pixels that wait.
  void FinishLooks(Picture& picture);
  void ComputeLooks(size_t first);
  QuadDouble LinesAt(const QuadDouble& x, const QuadDouble& y,
                     const QuadDouble& nearness) const;

  const SrgbTables& tables_ = SrgbTables::Get();
  // By the part left in shadow: that, and how much nearer what throws a shadow
  // has to be, in widths of the map.
  std::array<double, 128> left_ = {};
  std::array<double, 128> slack_ = {};
  // Of the picture that is resolved.
  const Rasterizer* raster_ = nullptr;
  const ShadowMap* shadows_ = nullptr;
  WayBack to_world_;
  WayBack to_sun_;
  Looks looks_;
  size_t look_count_ = 0;
  std::vector<Waiting> waiting_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_PIXEL_RESOLVER_H_

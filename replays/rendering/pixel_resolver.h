// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// From samples to pixels: what each sends in the sun or in a shadow, and lines
// on the ground. Samples are computed four at once, each as it would be alone.

#ifndef REPRISE_REPLAYS_RENDERING_PIXEL_RESOLVER_H_
#define REPRISE_REPLAYS_RENDERING_PIXEL_RESOLVER_H_

#include <array>
#include <cstddef>
#include <cstdint>

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
  // Four places of the picture, and what is seen there.
  struct Look {
    QuadDouble x;  // in pixels
    QuadDouble y;
    QuadDouble nearness;
    std::array<PackedShade, 4> shades = {};
  };
  // Which part of its light each sends.
  struct Sent {
    QuadDouble in_shadow;
    QuadDouble on_lines;
  };

  void FindWays(const Projection& projection);
  // Up to four pixels in a row.
  void ResolveFour(uint32_t x, uint32_t y, uint32_t pixels, uint8_t* out);
  // A pixel whose samples are of several things; its lowest byte is red.
  int32_t MeanOf(uint32_t x, uint32_t y);
  Sent SentFrom(const Look& look) const;
  QuadDouble LinesAt(const QuadDouble& x, const QuadDouble& y,
                     const QuadDouble& nearness) const;
  int32_t ColourOf(PackedShade shade, double in_shadow, double on_lines);

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
  // Of a shade the highest bits of what is sent wherever it is.
  int32_t mask_ = 0;
  int32_t plain_ = 0;
  // What was computed last: neighbours are mostly alike.
  PackedShade last_shade_ = 0;
  double last_in_shadow_ = 0;
  double last_on_lines_ = 0;
  int32_t last_colour_ = 0;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_PIXEL_RESOLVER_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/pixel_resolver.h"

#include <algorithm>
#include <span>

#include "replays/rendering/sample_places.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

QuadDouble Clamp(const QuadDouble& values, double least, double most) {
  const QuadDouble low = FourOf(least);
  const QuadDouble high = FourOf(most);
  return Select(values < low, low, Select(high < values, high, values));
}

// a where neither is more, or either is no number.
QuadDouble Most(const QuadDouble& a, const QuadDouble& b) {
  return Select(a < b, b, a);
}

// Where lines a metre apart are, from 0 to 1, smoothed over `width` metres.
QuadDouble LineAt(const QuadDouble& place, const QuadDouble& width) {
  const QuadDouble apart = AbsOf(place - FloorOf(place + 0.5));
  return Clamp((FourOf(0.012) - apart) / width + 0.5, 0.0, 1.0);
}

// Whether all samples of a pixel are of one thing.
bool IsEven(const PackedShade* shades, size_t count) {
  if (count == 1) return true;
  const QuadMask first = FourOf(static_cast<int32_t>(shades[0]));
  QuadMask other = FourOf(int32_t{0});
  for (size_t i = 0; i < count; i += 4) {
    QuadMask four;
    LoadQuad(shades + i, four);
    other |= four != first;
  }
  return !IsAny(other);
}

}  // namespace

PixelResolver::PixelResolver() {
  // The flatter the sun shines on something, the further apart neighbours on
  // the map are in depth. How flat it is follows from what shadow leaves of it.
  for (size_t i = 0; i < slack_.size(); ++i) {
    const double left = static_cast<double>(i) / 127.0;
    const double facing =
        std::clamp(0.35 * (1.0 - left) / std::max(left, 0.01), 0.1, 1.0);
    const double slope = sim::Sqrt(1.0 / (facing * facing) - 1.0);
    left_[i] = left;
    slack_[i] = 0.6 + 1.5 * slope;
  }
}

QuadVector PixelResolver::WayBack::At(const QuadDouble& x, const QuadDouble& y,
                                      const QuadDouble& nearness,
                                      bool is_perspective) const {
  const QuadVector ray = FourOf(corner) + FourOf(right) * x + FourOf(down) * y;
  // Without perspective rays are parallel: `start` is the way of a metre.
  return is_perspective ? FourOf(start) + ray / nearness
                        : ray - FourOf(start) * nearness;
}

void PixelResolver::FindWays(const Projection& projection) {
  const CameraView& view = projection.camera().view;
  const double metres = 1.0 / projection.scale();
  const Vector3 corner = view.left * (0.5 * projection.width() * metres) +
                         view.up * (0.5 * projection.height() * metres);
  const Vector3 right = view.left * -metres;
  const Vector3 down = view.up * -metres;
  const bool is_perspective = projection.is_perspective();
  if (is_perspective) {
    to_world_ = {view.eye, corner + view.forward, right, down};
  } else {
    to_world_ = {view.forward, view.eye + corner, right, down};
  }
  if (shadows_ == nullptr) return;
  to_sun_.right = shadows_->WayOf(right);
  to_sun_.down = shadows_->WayOf(down);
  if (is_perspective) {
    to_sun_.start = shadows_->PlaceOf(to_world_.start);
    to_sun_.corner = shadows_->WayOf(to_world_.corner);
  } else {
    to_sun_.start = shadows_->WayOf(to_world_.start);
    to_sun_.corner = shadows_->PlaceOf(to_world_.corner);
  }
}

void PixelResolver::Resolve(const Rasterizer& raster, const ShadowMap* shadows,
                            Picture& picture) {
  raster_ = &raster;
  shadows_ = shadows;
  FindWays(raster.projection());
  const size_t count = raster.samples();
  const PackedShade* const shades = raster.shades().data();
  size_t sample = 0;
  for (uint32_t y = 0; y < picture.height(); ++y) {
    for (uint32_t x = 0; x < picture.width(); ++x, sample += count) {
      const PackedShade first = shades[sample];
      const bool is_even = IsEven(shades + sample, count);
      // Nothing else than what was packed, wherever it is.
      if (is_even && !IsGround(first) &&
          (shadows == nullptr || LeftInShadow(first) == 1)) {
        picture.Set(x, y, PixelOf(first));
        continue;
      }
      // One look where all samples are of one thing.
      const size_t looks = is_even ? 1 : count;
      if (look_count_ + looks > Looks::kMax) FinishLooks(picture);
      Look(x, y, sample, looks);
      waiting_.push_back({x, y, is_even});
    }
  }
  FinishLooks(picture);
}

void PixelResolver::Look(uint32_t x, uint32_t y, size_t first_sample,
                         size_t samples) {
  const std::span<const SamplePlace> places = raster_->places();
  for (size_t i = 0; i < samples; ++i, ++look_count_) {
    looks_.x[look_count_] = x + places[i].x;
    looks_.y[look_count_] = y + places[i].y;
    looks_.nearness[look_count_] = raster_->nearness()[first_sample + i];
    looks_.shade[look_count_] = raster_->shades()[first_sample + i];
  }
}

void PixelResolver::FinishLooks(Picture& picture) {
  // The last four may have some that nobody waits for.
  for (size_t i = look_count_; i % 4 != 0; ++i) {
    looks_.x[i] = 0;
    looks_.y[i] = 0;
    looks_.nearness[i] = 1;
    looks_.shade[i] = 0;
  }
  for (size_t i = 0; i < look_count_; i += 4) ComputeLooks(i);
  const size_t count = raster_->samples();
  size_t look = 0;
  const auto next_light = [&] {
    const Light light = tables_.LitOf(looks_.shade[look]) *
                        looks_.in_shadow[look] * looks_.on_lines[look];
    ++look;
    return light;
  };
  for (const Waiting& pixel : waiting_) {
    if (pixel.is_even && looks_.in_shadow[look] == 1 &&
        looks_.on_lines[look] == 1) {
      picture.Set(pixel.x, pixel.y, PixelOf(looks_.shade[look++]));
      continue;
    }
    if (pixel.is_even) {
      picture.Set(pixel.x, pixel.y, tables_.ToPixel(next_light()));
      continue;
    }
    Light sum;
    for (size_t i = 0; i < count; ++i) sum = sum + next_light();
    picture.Set(pixel.x, pixel.y,
                tables_.ToPixel(sum / static_cast<double>(count)));
  }
  waiting_.clear();
  look_count_ = 0;
}

void PixelResolver::ComputeLooks(size_t first) {
  QuadDouble x;
  QuadDouble y;
  QuadFloat narrow;
  LoadQuad(&looks_.x[first], x);
  LoadQuad(&looks_.y[first], y);
  LoadQuad(&looks_.nearness[first], narrow);
  const QuadDouble nearness = ToDoubles(narrow);
  const std::array<PackedShade, 4> shades = {
      looks_.shade[first], looks_.shade[first + 1], looks_.shade[first + 2],
      looks_.shade[first + 3]};
  QuadDouble in_shadow = FourOf(1.0);
  if (shadows_ != nullptr) {
    const auto four = [&](const std::array<double, 128>& table) {
      return QuadDouble{
          DoublePair{table[shades[0] >> 25], table[shades[1] >> 25]},
          DoublePair{table[shades[2] >> 25], table[shades[3] >> 25]}};
    };
    const QuadVector places =
        to_sun_.At(x, y, nearness, raster_->projection().is_perspective());
    const QuadDouble left = four(left_);
    in_shadow =
        left + (FourOf(1.0) - left) * shadows_->LightsAt(places, four(slack_));
  }
  StoreQuad(in_shadow, &looks_.in_shadow[first]);

  const MaskPair low = {IsGround(shades[0]) ? -1 : 0,
                        IsGround(shades[1]) ? -1 : 0};
  const MaskPair high = {IsGround(shades[2]) ? -1 : 0,
                         IsGround(shades[3]) ? -1 : 0};
  QuadDouble on_lines = FourOf(1.0);
  if (IsGround(shades[0] | shades[1] | shades[2] | shades[3])) {
    on_lines = Select({low, high}, LinesAt(x, y, nearness), on_lines);
  }
  StoreQuad(on_lines, &looks_.on_lines[first]);
}

// What lines on the ground leave of its light.
QuadDouble PixelResolver::LinesAt(const QuadDouble& x, const QuadDouble& y,
                                  const QuadDouble& nearness) const {
  const Projection& projection = raster_->projection();
  const bool is_perspective = projection.is_perspective();
  const QuadVector point = to_world_.At(x, y, nearness, is_perspective);
  // How many metres of the ground a pixel shows, along it.
  QuadDouble width = FourOf(1.0 / projection.scale());
  if (is_perspective) {
    const QuadVector way = point - FourOf(projection.camera().view.eye);
    const QuadDouble steep =
        Most(FourOf(0.02), AbsOf(way.y)) / SqrtOf(Dot(way, way));
    width = width / nearness / steep;
  }
  const QuadDouble line = Most(LineAt(point.x, width), LineAt(point.z, width));
  const QuadDouble shown = Clamp(FourOf(1.2) - FourOf(2.0) * width, 0.0, 1.0);
  return FourOf(1.0) - FourOf(0.35) * line * shown;
}

}  // namespace reprise::replays

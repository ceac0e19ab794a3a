// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/pixel_resolver.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "replays/rendering/sample_places.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

// Of a packed shade: whether lines are on it, and how much a shadow leaves.
constexpr PackedShade kGroundBit = PackedShade{1} << 24;
constexpr PackedShade kLeftBits = PackedShade{127} << 25;

QuadDouble Clamp(const QuadDouble& values, double least, double most) {
  return LessOf(FourOf(most), MoreOf(FourOf(least), values));
}

// How far within a line places are, where lines are a metre apart; beside one
// it is less than 0.
QuadDouble WithinLine(const QuadDouble& place) {
  return FourOf(0.012) - AbsOf(place - FloorOf(place + 0.5));
}

// The line there, from 0 to 1, smoothed over `width` metres.
QuadDouble LineAt(const QuadDouble& within, const QuadDouble& width) {
  return Clamp(within / width + 0.5, 0.0, 1.0);
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

// As in a shade: its lowest byte is red.
int32_t InBytes(const PixelColour& colour) {
  return colour[0] | colour[1] << 8 | colour[2] << 16;
}

// Of each the three lowest bytes, one after the other.
void PutColours(const std::array<uint32_t, 4>& colours, uint32_t pixels,
                uint8_t* out) {
  if (pixels < 4) {
    for (uint32_t i = 0; i < pixels; ++i) {
      std::memcpy(out + 3 * size_t{i}, &colours[i], 3);
    }
    return;
  }
  const std::array<uint32_t, 3> packed = {
      (colours[0] & 0xffffff) | colours[1] << 24,
      (colours[1] >> 8 & 0xffff) | colours[2] << 16,
      (colours[2] >> 16 & 0xff) | colours[3] << 8};
  std::memcpy(out, packed.data(), sizeof(packed));
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

inline QuadVector PixelResolver::WayBack::At(const QuadDouble& x,
                                             const QuadDouble& y,
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
  mask_ = static_cast<int32_t>(shadows == nullptr ? kGroundBit
                                                  : kGroundBit | kLeftBits);
  plain_ = static_cast<int32_t>(shadows == nullptr ? 0 : kLeftBits);
  uint8_t* out = picture.mutable_bytes().data();
  for (uint32_t y = 0; y < picture.height(); ++y) {
    for (uint32_t x = 0; x < picture.width(); x += 4) {
      const uint32_t pixels = std::min(picture.width() - x, 4U);
      ResolveFour(x, y, pixels, out);
      out += 3 * size_t{pixels};
    }
  }
}

void PixelResolver::ResolveFour(uint32_t x, uint32_t y, uint32_t pixels,
                                uint8_t* out) {
  const size_t count = raster_->samples();
  const size_t first = (size_t{y} * raster_->pitch() + x) * count;
  const PackedShade* const shades = raster_->shades().data() + first;
  const float* const nearness = raster_->nearness().data() + first;
  // Of each pixel its first sample; behind the last whatever is there.
  QuadMask seen;
  QuadFloat narrow;
  QuadMask are_even = FourOf(int32_t{-1});
  if (count == 1) {
    LoadQuad(shades, seen);
    LoadQuad(nearness, narrow);
  } else {
    for (uint32_t i = 0; i < 4; ++i) {
      const size_t at = count * std::min(i, pixels - 1);
      seen[i] = static_cast<int32_t>(shades[at]);
      narrow[i] = nearness[at];
      are_even[i] = IsEven(shades + at, count) ? -1 : 0;
    }
  }
  const QuadMask are_plain = (seen & FourOf(mask_)) == FourOf(plain_);
  const QuadMask are_looks = are_even & ~are_plain;
  QuadMask colours = seen;
  if (IsAny(are_looks)) {
    // One look where all samples are of one thing: at the first.
    const SamplePlace& place = raster_->places()[0];
    const Sent sent = SentFrom(
        {QuadDouble{{0, 1}, {2, 3}} + (x + place.x), FourOf(y + place.y),
         ToDoubles(narrow), std::bit_cast<std::array<PackedShade, 4>>(seen)});
    for (uint32_t i = 0; i < 4; ++i) {
      if (are_looks[i] == 0) continue;
      colours[i] = ColourOf(static_cast<PackedShade>(seen[i]),
                            sent.in_shadow[i], sent.on_lines[i]);
    }
  }
  if (IsAny(~are_even)) {
    for (uint32_t i = 0; i < pixels; ++i) {
      if (are_even[i] == 0) colours[i] = MeanOf(x + i, y);
    }
  }
  PutColours(std::bit_cast<std::array<uint32_t, 4>>(colours), pixels, out);
}

int32_t PixelResolver::MeanOf(uint32_t x, uint32_t y) {
  const std::span<const SamplePlace> places = raster_->places();
  const QuadLayout& layout = raster_->layout();
  const size_t count = places.size();
  const size_t first = (size_t{y} * raster_->pitch() + x) * count;
  Light sum;
  for (size_t i = 0; i < count; i += 4) {
    Look look = {.x = layout.x[i / 4] + x, .y = layout.y[i / 4] + y};
    QuadFloat narrow;
    LoadQuad(&raster_->nearness()[first + i], narrow);
    look.nearness = ToDoubles(narrow);
    LoadQuad(&raster_->shades()[first + i], look.shades);
    const Sent sent = SentFrom(look);
    for (size_t lane = 0; lane < 4; ++lane) {
      sum = sum + tables_.LitOf(look.shades[lane]) * sent.in_shadow[lane] *
                      sent.on_lines[lane];
    }
  }
  return InBytes(tables_.ToPixel(sum / static_cast<double>(count)));
}

inline int32_t PixelResolver::ColourOf(PackedShade shade, double in_shadow,
                                       double on_lines) {
  if (in_shadow == 1 && on_lines == 1) return static_cast<int32_t>(shade);
  if (shade != last_shade_ || in_shadow != last_in_shadow_ ||
      on_lines != last_on_lines_) {
    last_shade_ = shade;
    last_in_shadow_ = in_shadow;
    last_on_lines_ = on_lines;
    last_colour_ =
        InBytes(tables_.ToPixel(tables_.LitOf(shade) * in_shadow * on_lines));
  }
  return last_colour_;
}

PixelResolver::Sent PixelResolver::SentFrom(const Look& look) const {
  const std::array<PackedShade, 4>& shades = look.shades;
  Sent sent = {FourOf(1.0), FourOf(1.0)};
  // Where nothing of the light is the sun's, none is taken.
  const PackedShade left_in_all = shades[0] & shades[1] & shades[2] & shades[3];
  if (shadows_ != nullptr && (left_in_all & kLeftBits) != kLeftBits) {
    const auto four = [&](const std::array<double, 128>& table) {
      return QuadDouble{
          DoublePair{table[shades[0] >> 25], table[shades[1] >> 25]},
          DoublePair{table[shades[2] >> 25], table[shades[3] >> 25]}};
    };
    const QuadVector places = to_sun_.At(
        look.x, look.y, look.nearness, raster_->projection().is_perspective());
    const QuadDouble left = four(left_);
    sent.in_shadow =
        left + (FourOf(1.0) - left) * shadows_->LightsAt(places, four(slack_));
  }
  if (IsGround(shades[0] | shades[1] | shades[2] | shades[3])) {
    const auto all_bits = [](PackedShade shade) -> int64_t {
      return IsGround(shade) ? -1 : 0;
    };
    const MaskPair low = {all_bits(shades[0]), all_bits(shades[1])};
    const MaskPair high = {all_bits(shades[2]), all_bits(shades[3])};
    sent.on_lines = Select({low, high}, LinesAt(look.x, look.y, look.nearness),
                           sent.on_lines);
  }
  return sent;
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
        MoreOf(AbsOf(way.y), FourOf(0.02)) / SqrtOf(Dot(way, way));
    width = width / nearness / steep;
  }
  const QuadDouble within_x = WithinLine(point.x);
  const QuadDouble within_z = WithinLine(point.z);
  // Mostly there is none near: what would be drawn ends half a width away.
  if (!IsAny(~(IsLess(within_x, -width) & IsLess(within_z, -width)))) {
    return FourOf(1.0);
  }
  const QuadDouble line =
      MoreOf(LineAt(within_z, width), LineAt(within_x, width));
  const QuadDouble shown = Clamp(FourOf(1.2) - FourOf(2.0) * width, 0.0, 1.0);
  return FourOf(1.0) - FourOf(0.35) * line * shown;
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/shading.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/base/math.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

// Of white that looks up: sun and sky together are 1.
constexpr double kSun = 0.72;
constexpr double kSky = 0.34;
constexpr double kGround = 0.16;
constexpr double kHighlight = 0.16;

// IEC 61966-2-1.
double FromSrgb(double value) {
  return value <= 0.04045 ? value / 12.92
                          : sim::Pow((value + 0.055) / 1.055, 2.4);
}

double ToSrgb(double light) {
  return light <= 0.0031308 ? light * 12.92
                            : 1.055 * sim::Pow(light, 1.0 / 2.4) - 0.055;
}

}  // namespace

SrgbTables::SrgbTables() {
  for (size_t i = 0; i <= kLevels; ++i) {
    const double light = static_cast<double>(i) / kLevels;
    to_srgb_[i] = static_cast<uint8_t>(255.0 * ToSrgb(light) + 0.5);
  }
  for (size_t i = 0; i < 256; ++i) {
    to_light_[i] = FromSrgb(static_cast<double>(i) / 255.0);
  }
}

const SrgbTables& SrgbTables::Get() {
  static const SrgbTables tables;  // Never changes.
  return tables;
}

Light LightOf(const ShownColour& colour) {
  return {FromSrgb(colour[0]), FromSrgb(colour[1]), FromSrgb(colour[2])};
}

Lamp WorldLamp() {
  return {sim::Normalized(Vector3{0.45, 0.8, 0.35}), {0, 1, 0}};
}

Shade ShadeOf(const Light& colour, const Vector3& normal, const Lamp& lamp) {
  const double facing = sim::Dot(normal, lamp.sun);
  const double up = 0.5 * (1.0 + sim::Dot(normal, lamp.up));
  const double ambient = kGround + (kSky - kGround) * up;
  if (facing <= 0) return {colour * ambient, 1};
  const double lit = ambient + kSun * facing;
  return {colour * lit, ambient / lit};
}

Shade ShadeOf(const Light& colour, const Vector3& normal, const Vector3& to_eye,
              const Lamp& lamp) {
  Shade shade = ShadeOf(colour, normal, lamp);
  if (shade.left_in_shadow == 1) return shade;
  AddHighlight(normal, HalfwayOf(to_eye, lamp), shade);
  return shade;
}

Vector3 HalfwayOf(const Vector3& to_eye, const Lamp& lamp) {
  return sim::Normalized(lamp.sun + to_eye);
}

void AddHighlight(const Vector3& normal, const Vector3& halfway, Shade& shade) {
  double highlight = sim::Dot(normal, halfway);
  if (shade.left_in_shadow == 1 || highlight <= 0) return;
  // Squared five times: to the 32nd power.
  for (int i = 0; i < 5; ++i) highlight *= highlight;
  highlight *= kHighlight;
  shade.lit = shade.lit + Vector3{highlight, highlight, highlight};
}

PackedShade Pack(const Shade& shade, bool is_ground) {
  uint32_t left = 0;
  if (shade.left_in_shadow > 0) {  // so it is a number
    left = static_cast<uint32_t>(std::min(shade.left_in_shadow, 1.0) * 127.0 +
                                 0.5);
  }
  const SrgbTables& tables = SrgbTables::Get();
  return static_cast<uint32_t>(tables.Level(shade.lit.x)) |
         static_cast<uint32_t>(tables.Level(shade.lit.y)) << 8 |
         static_cast<uint32_t>(tables.Level(shade.lit.z)) << 16 |
         (is_ground ? 1U : 0U) << 24 | left << 25;
}

}  // namespace reprise::replays

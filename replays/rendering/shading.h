// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One sun, and a sky that lights what looks up more than what looks down: from
// a colour and a normal to what a point sends to the eye, in the light and in
// the shadow.

#ifndef REPRISE_REPLAYS_RENDERING_SHADING_H_
#define REPRISE_REPLAYS_RENDERING_SHADING_H_

#include <cstdint>

#include "replays/rendering/picture.h"
#include "replays/showing/shown_scene.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

// Red, green, blue as amounts of light, 1 for white: what can be added.
using Light = sim::Vector3;

Light LightOf(const ShownColour& colour);

// Unit vectors in whatever space is shaded in: to the sun, and up.
struct Lamp {
  sim::Vector3 sun;
  sim::Vector3 up;
};

// In the world.
Lamp WorldLamp();

// What is sent in the sun, and which part of that is left in its shadow.
struct Shade {
  Light lit;
  double left_in_shadow = 1;
};

// Diffuse by Lambert's law. REQUIRES: the normal is unit.
Shade ShadeOf(const Light& colour, const sim::Vector3& normal,
              const Lamp& lamp);

// The same with Blinn's highlight; `to_eye` leads from the point to the camera,
// and is unit.
Shade ShadeOf(const Light& colour, const sim::Vector3& normal,
              const sim::Vector3& to_eye, const Lamp& lamp);

// A shade in four bytes: sRGB, then the part that is left in 1/127, and in the
// lowest bit whether lines a metre apart are drawn on it. What is no number is
// 0.
using PackedShade = uint32_t;

PackedShade Pack(const Shade& shade, bool is_ground);

constexpr bool IsGround(PackedShade shade) { return (shade >> 24 & 1) != 0; }
constexpr double LeftInShadow(PackedShade shade) {
  return static_cast<double>(shade >> 25) / 127.0;
}
Light LitOf(PackedShade shade);

// The nearest of 256 levels.
PixelColour ToPixel(const Light& light);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_SHADING_H_

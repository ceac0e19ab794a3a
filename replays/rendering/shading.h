// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One sun, and a sky that lights what looks up more than what looks down: from
// a colour and a normal to what a point sends to the eye, in the light and in
// the shadow.

#ifndef REPRISE_REPLAYS_RENDERING_SHADING_H_
#define REPRISE_REPLAYS_RENDERING_SHADING_H_

#include <array>
#include <cstddef>
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

// The same in two steps, for who knows what lies halfway between the ways to
// the sun and to the eye; all are unit.
sim::Vector3 HalfwayOf(const sim::Vector3& to_eye, const Lamp& lamp);
void AddHighlight(const sim::Vector3& normal, const sim::Vector3& halfway,
                  Shade& shade);

// A shade in four bytes: sRGB, then the part that is left in 1/127, and in the
// lowest bit whether lines a metre apart are drawn on it. What is no number is
// 0.
using PackedShade = uint32_t;

PackedShade Pack(const Shade& shade, bool is_ground);

constexpr bool IsGround(PackedShade shade) { return (shade >> 24 & 1) != 0; }
constexpr double LeftInShadow(PackedShade shade) {
  return static_cast<double>(shade >> 25) / 127.0;
}
// The same level of red, green and blue, for who asks it of every pixel.
class SrgbTables {
 public:
  // So fine that the darkest levels, which lie closest, are told apart.
  static constexpr size_t kLevels = 8192;

  // Made once, of our own functions, so they are the same on every machine.
  static const SrgbTables& Get();

  Light LitOf(PackedShade shade) const {
    return {to_light_[shade & 0xff], to_light_[shade >> 8 & 0xff],
            to_light_[shade >> 16 & 0xff]};
  }

  // The nearest of 256 levels; of what is no number it is that of nothing.
  uint8_t Level(double light) const {
    if (!(light > 0)) return to_srgb_[0];
    const double held = light < 1.0 ? light : 1.0;
    return to_srgb_[static_cast<size_t>(held * kLevels + 0.5)];
  }
  PixelColour ToPixel(const Light& light) const {
    return {Level(light.x), Level(light.y), Level(light.z)};
  }

 private:
  SrgbTables();

  std::array<uint8_t, kLevels + 1> to_srgb_ = {};
  std::array<double, 256> to_light_ = {};
};

inline Light LitOf(PackedShade shade) { return SrgbTables::Get().LitOf(shade); }
inline PixelColour ToPixel(const Light& light) {
  return SrgbTables::Get().ToPixel(light);
}

// What is sent, where nothing is in its way: ToPixel of LitOf, to the bit.
constexpr PixelColour PixelOf(PackedShade shade) {
  return {static_cast<uint8_t>(shade), static_cast<uint8_t>(shade >> 8),
          static_cast<uint8_t>(shade >> 16)};
}

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_SHADING_H_

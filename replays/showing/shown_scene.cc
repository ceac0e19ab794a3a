// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/shown_scene.h"

#include <algorithm>
#include <span>

#include "sim/base/math.h"
#include "sim/base/tick.h"

namespace reprise::replays {
namespace {

// Hues that are none of the red in which differences are drawn, and how bright
// each may be: types are told apart by both.
constexpr double kHueMin = 25;
constexpr double kHueMax = 330;
constexpr std::array<double, 3> kLightness = {0.42, 0.55, 0.68};
constexpr double kSaturation = 0.45;

// One component of a colour by hue, saturation and lightness, as CSS Color 4
// converts them (section 7.1); `n` is 0, 8 and 4 for red, green and blue.
double ComponentOf(double hue, double lightness, double n) {
  const double k = n + hue / 30 - 12 * sim::Floor((n + hue / 30) / 12);
  const double chroma = kSaturation * std::min(lightness, 1 - lightness);
  return lightness - chroma * std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
}

constexpr double kNsPerSecond = 1e9;

}  // namespace

uint64_t TimeNsOf(const ShownFrame& frame, sim::TickRate rate) {
  const uint64_t whole = sim::LogTimeNs(frame.tick, rate);
  if (frame.ticks_before == 0) return whole;
  // From the tick's own time: far along a run a double is too coarse for both.
  const double before =
      frame.ticks_before * kNsPerSecond / rate.ticks_per_second;
  if (before < 0) return whole + static_cast<uint64_t>(sim::Floor(-before));
  return whole - std::min(whole, static_cast<uint64_t>(sim::Ceil(before)));
}

ShownColour ColourOfType(std::string_view type) {
  const uint64_t hash =
      sim::DigestOf(std::as_bytes(std::span(type.data(), type.size()))).value;
  const double part = static_cast<double>(hash >> 32) / 4294967296.0;
  const double hue = kHueMin + (kHueMax - kHueMin) * part;
  const double lightness = kLightness[hash % kLightness.size()];
  return {ComponentOf(hue, lightness, 0), ComponentOf(hue, lightness, 8),
          ComponentOf(hue, lightness, 4)};
}

}  // namespace reprise::replays

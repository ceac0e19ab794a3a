// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/shown_scene.h"

#include <span>

namespace reprise::replays {
namespace {

// Twelve hues that are told apart on a light ground and a dark one, none of
// them the red in which differences are drawn.
constexpr std::array<ShownColour, 12> kPalette = {{
    {0.306, 0.475, 0.655},
    {0.949, 0.557, 0.169},
    {0.349, 0.631, 0.310},
    {0.463, 0.718, 0.698},
    {0.929, 0.788, 0.282},
    {0.690, 0.478, 0.631},
    {0.612, 0.459, 0.373},
    {0.729, 0.690, 0.675},
    {0.204, 0.596, 0.859},
    {0.545, 0.765, 0.290},
    {0.475, 0.525, 0.796},
    {0.800, 0.725, 0.455},
}};

}  // namespace

ShownColour ColourOfType(std::string_view type) {
  const uint64_t hash =
      sim::DigestOf(std::as_bytes(std::span(type.data(), type.size()))).value;
  return kPalette[hash % kPalette.size()];
}

}  // namespace reprise::replays

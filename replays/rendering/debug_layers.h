// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What can't be seen of a state, as lines: contacts, joints, triggers, regions,
// paths, where one can walk, axes, velocities.

#ifndef REPRISE_REPLAYS_RENDERING_DEBUG_LAYERS_H_
#define REPRISE_REPLAYS_RENDERING_DEBUG_LAYERS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/rendering/scene_renderer.h"
#include "replays/showing/frame_stream.h"

namespace reprise::replays {

enum class DebugLayer {
  // At each point its normal, yellow, and its impulse, red: as long as the
  // doublings of 0.01 N s.
  kContacts,
  kJoints,    // to its anchors blue, its axes pink, its limits orange
  kTriggers,  // by their outlines, in place of their solids
  kRegions,   // by their outlines
  // Of who finds its way yellow; of the search under way what it has expanded
  // pink, and its open list orange.
  kPaths,
  kSpaces,  // where they can walk, teal, and links pink; what is closed grey
  kAxes,    // of each object x, y and z, half a metre: red, green, blue
  kVelocities,  // of each body, how far it goes in a fifth of a second
};

// Names with commas between them. INVALID_ARGUMENT: there is no such layer.
absl::StatusOr<std::vector<DebugLayer>> ParseDebugLayers(
    std::span<const std::string> lists);

struct DrawnLayers {
  std::vector<DrawnLine> lines;
  // What is drawn by lines alone, as indexes of what the stream has shown,
  // ascending.
  std::vector<uint32_t> outlined;
};

// Of the frame that `stream` is at. What is broken or switched off is grey.
// Velocities are those of the built-in simulation's bodies; another has none.
DrawnLayers DrawLayers(std::span<const DebugLayer> layers,
                       const FrameStream& stream);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_DEBUG_LAYERS_H_

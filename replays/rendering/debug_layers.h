// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What can't be seen of a state, as lines: contacts, axes, velocities.

#ifndef REPRISE_REPLAYS_RENDERING_DEBUG_LAYERS_H_
#define REPRISE_REPLAYS_RENDERING_DEBUG_LAYERS_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/rendering/scene_renderer.h"
#include "replays/showing/frame_stream.h"

namespace reprise::replays {

enum class DebugLayer {
  kContacts,    // at each point its normal: red where it bears, else yellow
  kAxes,        // of each object x, y and z, half a metre: red, green, blue
  kVelocities,  // of each body, how far it goes in a fifth of a second
};

// Names with commas between them. INVALID_ARGUMENT: there is no such layer.
absl::StatusOr<std::vector<DebugLayer>> ParseDebugLayers(
    std::span<const std::string> lists);

// Of the frame that `stream` is at. Contacts and velocities are those of the
// built-in simulation's bodies; another has none.
std::vector<DrawnLine> LinesOf(std::span<const DebugLayer> layers,
                               const FrameStream& stream);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_DEBUG_LAYERS_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What `reprise render` is told by flags, and what they come to.

#ifndef REPRISE_TOOLS_REPRISE_VERBS_RENDER_PLAN_H_
#define REPRISE_TOOLS_REPRISE_VERBS_RENDER_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/rendering/camera_plan.h"
#include "replays/rendering/debug_layers.h"
#include "replays/rendering/scene_renderer.h"
#include "replays/showing/shown_scene.h"
#include "tools/reprise/inputs/shown_replay.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {

// They write into this, which must remain live.
struct RenderFlags {
  std::string camera = "auto";
  std::string size = "640x360";
  uint64_t samples = 4;
  bool has_no_shadows = false;
  bool has_label = false;
  bool prints_digests = false;
  std::optional<std::string> pick;
  std::vector<std::string> layers;
  FrameFlags frames;
  std::string output;

  std::vector<Flag> flags();
};

// From the upper left corner.
struct Pixel {
  uint32_t x = 0;
  uint32_t y = 0;
};

// What the flags come to.
struct RenderPlan {
  replays::RenderOptions picture;
  replays::CameraPlan camera;
  std::vector<replays::DebugLayer> layers;
  std::optional<replays::FrameRate> rate;
  std::optional<Pixel> pick;
};

// INVALID_ARGUMENT: a flag that says nothing that could be drawn.
absl::StatusOr<RenderPlan> MakeRenderPlan(const RenderFlags& options);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERBS_RENDER_PLAN_H_

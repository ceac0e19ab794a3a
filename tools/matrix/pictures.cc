// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/matrix/pictures.h"

#include <array>
#include <memory>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/replay_reader.h"
#include "replays/rendering/camera_plan.h"
#include "replays/rendering/camera_rig.h"
#include "replays/rendering/debug_layers.h"
#include "replays/rendering/scene_renderer.h"
#include "replays/showing/frame_stream.h"
#include "tools/reprise/inputs/input_selection.h"

namespace reprise::tools {
namespace {

// Small, since some rows draw under an emulator.
constexpr replays::RenderOptions kPicture = {
    .width = 320, .height = 180, .samples = 4, .has_shadows = true};

constexpr std::array<replays::DebugLayer, 6> kLayers = {
    replays::DebugLayer::kContacts, replays::DebugLayer::kJoints,
    replays::DebugLayer::kTriggers, replays::DebugLayer::kRegions,
    replays::DebugLayer::kAxes,     replays::DebugLayer::kVelocities};

}  // namespace

absl::StatusOr<std::vector<DrawnTick>> DrawPictures(const std::string& path,
                                                    uint64_t every) {
  const absl::StatusOr<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  const replays::ReplayReader* const replay = file->replay();
  if (replay == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("{}: pictures are drawn of a replay", path));
  }
  absl::StatusOr<std::unique_ptr<replays::FrameStream>> stream =
      replays::FrameStream::Open(replay, {.every = every});
  if (!stream.ok()) return stream.status();
  absl::StatusOr<replays::CameraRig> rig = replays::CameraRig::Create(
      replays::CameraPlan{}, (*stream)->source(),
      static_cast<double>(kPicture.width) / kPicture.height);
  if (!rig.ok()) return rig.status();
  replays::SceneRenderer renderer((*stream)->meshes(), kPicture);
  std::vector<DrawnTick> drawn;
  while (true) {
    const absl::StatusOr<bool> is_there = (*stream)->Next();
    if (!is_there.ok()) return is_there.status();
    if (!*is_there) return drawn;
    rig->Follow(**stream);
    const replays::ShownFrame& frame = (*stream)->frame();
    const replays::DrawnLayers layers = replays::DrawLayers(kLayers, **stream);
    drawn.push_back({frame.tick, renderer
                                     .Draw({.frame = frame,
                                            .objects = (*stream)->objects(),
                                            .lines = layers.lines,
                                            .outlined = layers.outlined},
                                           rig->camera())
                                     .ComputeDigest()});
  }
}

}  // namespace reprise::tools

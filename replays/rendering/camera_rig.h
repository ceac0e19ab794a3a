// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Carries out a camera plan along a run: tick by tick, where the camera is. It
// reads frames and nothing reads it, so no bit of the run depends on it.

#ifndef REPRISE_REPLAYS_RENDERING_CAMERA_RIG_H_
#define REPRISE_REPLAYS_RENDERING_CAMERA_RIG_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/rendering/camera_moves.h"
#include "replays/rendering/camera_plan.h"
#include "replays/rendering/projection.h"
#include "replays/rendering/scene_bounds.h"
#include "replays/showing/frame_stream.h"
#include "sim/geometry/motion/catmull_rom.h"

namespace reprise::replays {

// Used by one thread at a time.
class CameraRig {
 public:
  // INVALID_ARGUMENT: a spring too stiff for the ticks of this run, or points
  // that make no curve.
  static absl::StatusOr<CameraRig> Create(const CameraPlan& plan,
                                          const ShownSource& source,
                                          double aspect);

  // Whether it has to see each tick, and not only those that are drawn.
  static bool WantsEveryTick(const CameraPlan& plan) {
    return plan.kind == CameraPlan::Kind::kSpring;
  }

  // Takes over the frame that `stream` is at, in order of ticks. NOT_FOUND:
  // the object isn't there in the first frame; later the camera stays where
  // it was when the object went.
  absl::Status Follow(const FrameStream& stream);

  // Since the first frame.
  const Camera& camera() const { return camera_; }

 private:
  CameraRig(const CameraPlan& plan, double seconds_per_tick, double aspect);

  // Nullopt where the object isn't there.
  std::optional<CameraTarget> FindTarget(const FrameStream& stream) const;
  void Begin(const FrameStream& stream);
  CameraView AutoView();
  CameraView FlatView(const sim::Vector3& middle);
  CameraView SplineView(double seconds) const;
  CameraView ViewOf(double seconds, double step_s);

  CameraPlan plan_;
  double seconds_per_tick_;
  double aspect_;
  std::optional<sim::CatmullRomSpline> spline_;
  std::optional<SpringEye> spring_;
  std::optional<sim::Tick> first_;
  sim::Tick last_ = 0;
  SceneBounds bounds_;  // of the first frame
  CameraTarget target_;
  Camera camera_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_CAMERA_RIG_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Carries out a camera plan along a run: tick by tick, where the camera is. It
// reads frames and nothing reads it, so no bit of the run depends on it. Where
// it is at a tick doesn't depend on which frames came before, unless a plan
// wants every tick, is `auto` or `flat`, or its object is gone.

#ifndef REPRISE_REPLAYS_RENDERING_CAMERA_RIG_H_
#define REPRISE_REPLAYS_RENDERING_CAMERA_RIG_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "replays/rendering/camera_moves.h"
#include "replays/rendering/camera_plan.h"
#include "replays/rendering/projection.h"
#include "replays/rendering/scene_bounds.h"
#include "replays/showing/frame_stream.h"
#include "sim/base/tick.h"
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

  // Whether it has to see each tick from 0 on, and not only those that are
  // drawn.
  static bool WantsEveryTick(const CameraPlan& plan) {
    return plan.kind == CameraPlan::Kind::kSpring;
  }

  // Takes over the frame that `stream` is at, in order of ticks. Until the
  // object comes, what follows it shows all of the first frame; when it goes,
  // the camera stays where it was.
  void Follow(const FrameStream& stream);

  // Since the first frame.
  const Camera& camera() const { return camera_; }

  // Where the object of the plan is, as far as frames told.
  enum class Whereabouts : uint8_t { kNotYet, kThere, kGone };
  // kThere of a plan without an object.
  Whereabouts whereabouts() const { return whereabouts_; }

  // The last tick at which it was there; unset before.
  std::optional<sim::Tick> last_seen() const { return last_seen_; }

 private:
  CameraRig(const CameraPlan& plan, double seconds_per_tick, double aspect);

  // Nullopt where the object isn't there.
  std::optional<CameraTarget> FindTarget(const FrameStream& stream) const;
  void Begin(const FrameStream& stream);
  CameraView AutoView();
  CameraView FlatView(const sim::Vector3& middle);
  CameraView SplineView(double seconds) const;
  bool NeedsTarget() const;
  CameraView ViewOf(sim::Tick tick, double step_s);
  CameraView SpringView(double step_s);
  CameraView OrbitView(double seconds) const;

  CameraPlan plan_;
  double seconds_per_tick_;
  double aspect_;
  std::optional<sim::CatmullRomSpline> spline_;
  std::optional<SpringEye> spring_;
  std::optional<sim::Tick> last_;  // the frame before
  std::optional<sim::Tick> last_seen_;
  Whereabouts whereabouts_ = Whereabouts::kThere;
  SceneBounds bounds_;  // of the first frame
  CameraTarget target_;
  Camera camera_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_CAMERA_RIG_H_

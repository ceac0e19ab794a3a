// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/camera_rig.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"

namespace reprise::replays {
namespace {

using Kind = CameraPlan::Kind;
using sim::Vector3;

constexpr Vector3 kUp = {0, 1, 0};

// Where from all is seen if nobody says: from the right, above and in front.
constexpr Vector3 kAutoWay = {0.45, 0.75, 1.0};

constexpr double kDistanceM = 8;
constexpr double kHeightM = 3;
constexpr double kEyesM = 1.6;
constexpr double kPitchRad = 0.35;

// Behind the middle of a segment there is this part of it as room around.
constexpr double kRoom = 1.06;

double Seconds(const sim::TickRate& rate) {
  return 1.0 / static_cast<double>(rate.ticks_per_second);
}

Vector3 AxisOf(char name) {
  return {name == 'x' ? 1.0 : 0.0, name == 'y' ? 1.0 : 0.0,
          name == 'z' ? 1.0 : 0.0};
}

}  // namespace

absl::StatusOr<CameraRig> CameraRig::Create(const CameraPlan& plan,
                                            const ShownSource& source,
                                            double aspect) {
  const double seconds = Seconds(source.tick_rate);
  if (plan.kind == Kind::kSpring &&
      plan.stiffness_per_s2 >= SpringEye::StiffnessMax(seconds)) {
    return absl::InvalidArgumentError(fmt::format(
        "stiffness of a camera is below {:.0f} where {} ticks are "
        "a second: a stiffer spring swings ever further",
        SpringEye::StiffnessMax(seconds), source.tick_rate.ticks_per_second));
  }
  CameraRig rig(plan, seconds, aspect);
  if (plan.kind == Kind::kSpline) {
    absl::Status status = sim::CatmullRomSpline::Validate(plan.points);
    if (!status.ok()) return status;
    rig.spline_.emplace(plan.points, sim::CatmullRomSpline::Ends::kOpen);
  }
  return rig;
}

CameraRig::CameraRig(const CameraPlan& plan, double seconds_per_tick,
                     double aspect)
    : plan_(plan), seconds_per_tick_(seconds_per_tick), aspect_(aspect) {
  camera_.lens.field_of_view_rad = plan.field_of_view_rad;
  if (plan.near_m) camera_.lens.near_m = *plan.near_m;
}

std::optional<CameraTarget> CameraRig::FindTarget(
    const FrameStream& stream) const {
  for (const auto& [index, position, rotation] : stream.frame().poses) {
    if (stream.objects()[index].name != plan_.object) continue;
    // How it is turned around y, if at all; a ball that rolls turns no camera.
    double yaw = plan_.yaw_rad;
    if (plan_.is_turned_with) {
      const Vector3 ahead = sim::Rotate(rotation, Vector3{0, 0, 1});
      yaw += sim::Atan2(ahead.x, ahead.z);
    }
    return CameraTarget{position, {sim::Sin(yaw), 0, sim::Cos(yaw)}, kUp};
  }
  return std::nullopt;
}

void CameraRig::Follow(const FrameStream& stream) {
  const sim::Tick tick = stream.frame().tick;
  if (!last_) Begin(stream);
  if (!plan_.object.empty()) {
    const std::optional<CameraTarget> target = FindTarget(stream);
    if (target) {
      target_ = *target;
      last_seen_ = tick;
      whereabouts_ = Whereabouts::kThere;
    } else {
      whereabouts_ = last_seen_ ? Whereabouts::kGone : Whereabouts::kNotYet;
    }
  }
  const double step =
      static_cast<double>(tick - last_.value_or(tick)) * seconds_per_tick_;
  last_ = tick;
  camera_.view = ViewOf(tick, step);
}

void CameraRig::Begin(const FrameStream& stream) {
  bounds_ = BoundsOf(stream.frame(), stream.objects(), stream.meshes());
  if (plan_.kind == Kind::kAuto && bounds_.flat_axis != 0) {
    plan_.kind = Kind::kFlat;
    plan_.axis = bounds_.flat_axis;
  }
  target_.position = bounds_.middle();
}

// Others have a place of their own, and look at the middle of all until then.
bool CameraRig::NeedsTarget() const {
  return plan_.kind == Kind::kFollow || plan_.kind == Kind::kSpring ||
         plan_.kind == Kind::kOrbit || plan_.kind == Kind::kFirstPerson;
}

CameraView CameraRig::ViewOf(sim::Tick tick, double step_s) {
  if (whereabouts_ == Whereabouts::kNotYet && NeedsTarget()) return AutoView();
  // Time is that of the run, so that no picture depends on the first one.
  const double seconds =
      static_cast<double>(tick - std::min(tick, plan_.start)) *
      seconds_per_tick_;
  switch (plan_.kind) {
    case Kind::kAuto:
      return AutoView();
    case Kind::kFixed:
      return LookAt(*plan_.eye, *plan_.at, kUp);
    case Kind::kLookAt:
      return LookAt(*plan_.eye, target_.position, kUp);
    case Kind::kFollow:
      return LookAt(FollowEye(target_, plan_.distance_m.value_or(kDistanceM),
                              plan_.height_m.value_or(kHeightM)),
                    target_.position, kUp);
    case Kind::kSpring:
      return SpringView(step_s);
    case Kind::kOrbit:
      return OrbitView(seconds);
    case Kind::kFirstPerson: {
      const Vector3 eye =
          target_.position + kUp * plan_.height_m.value_or(kEyesM);
      return LookAt(eye,
                    eye + FirstPersonGaze(target_.forward, 0,
                                          plan_.pitch_rad.value_or(0)),
                    kUp);
    }
    case Kind::kSpline:
      return SplineView(seconds);
    case Kind::kFlat:
      return FlatView(target_.position);
  }
  return {};
}

// At rest when the object comes.
CameraView CameraRig::SpringView(double step_s) {
  const Vector3 ideal =
      FollowEye(target_, plan_.distance_m.value_or(kDistanceM),
                plan_.height_m.value_or(kHeightM));
  if (!spring_) {
    spring_.emplace(plan_.stiffness_per_s2, ideal);
  } else if (step_s > 0) {
    spring_->Step(ideal, step_s);
  }
  return LookAt(spring_->eye(), target_.position, kUp);
}

CameraView CameraRig::OrbitView(double seconds) const {
  OrbitOffset offset(target_.forward * -plan_.distance_m.value_or(kDistanceM),
                     kUp);
  offset.Turn(plan_.turn_rad_per_s * seconds,
              plan_.pitch_rad.value_or(kPitchRad));
  return offset.Around(target_.position);
}

CameraView CameraRig::AutoView() {
  const double vertical = plan_.field_of_view_rad;
  const double narrow =
      std::min(vertical, HorizontalFieldOfView(vertical, aspect_));
  // Every corner of the box is in sight from here; go no further than it takes.
  const Vector3 middle = bounds_.middle();
  const Vector3 way = sim::Normalized(kAutoWay);
  const CameraView view = LookAt(middle + way, middle, kUp);
  const double across_up = sim::Tan(0.5 * vertical);
  const double across_left = across_up * aspect_;
  double distance = 0.1 / sim::Sin(0.5 * narrow);
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3 place = {
        (corner & 1) != 0 ? bounds_.most.x : bounds_.least.x,
        (corner & 2) != 0 ? bounds_.most.y : bounds_.least.y,
        (corner & 4) != 0 ? bounds_.most.z : bounds_.least.z};
    const Vector3 apart = place - middle;
    const double nearer = -sim::Dot(apart, view.forward);
    const double up = sim::Abs(sim::Dot(apart, view.up)) / across_up;
    const double left = sim::Abs(sim::Dot(apart, view.left)) / across_left;
    distance = std::max(distance, kRoom * std::max(up, left) + nearer);
  }
  return LookAt(middle + way * distance, middle, kUp);
}

// Up on the picture is away from who sits before it: -z of what is seen from
// above, y otherwise.
CameraView CameraRig::FlatView(const Vector3& middle) {
  const Vector3 axis = AxisOf(plan_.axis);
  const Vector3 up = plan_.axis == 'y' ? Vector3{0, 0, -1} : kUp;
  const CameraView view = LookAt(middle + axis, middle, up);
  const Vector3 size = bounds_.most - bounds_.least;
  const double high = sim::Abs(sim::Dot(size, view.up));
  const double wide = sim::Abs(sim::Dot(size, view.left));
  const double all = std::max({high, wide / aspect_, 0.1}) * kRoom;
  camera_.lens.height_m = plan_.height_m.value_or(all);
  // From before all that there is, and some that may come.
  const double back = sim::Length(size) + 100;
  camera_.lens.far_m = 4 * back;
  return LookAt(middle + axis * back, middle, up);
}

// At what is looked along the curve is a twentieth of a stretch ahead.
CameraView CameraRig::SplineView(double seconds) const {
  const auto last = static_cast<double>(spline_->stretch_count());
  const auto place = [&](double stretches) {
    const double held = std::min(stretches, last);
    const double stretch = std::min(sim::Floor(held), last - 1);
    return spline_->At(static_cast<size_t>(stretch), held - stretch);
  };
  const double gone = plan_.speed_per_s * seconds;
  const sim::SplinePoint here = place(gone);
  if (!plan_.object.empty()) {
    return LookAt(here.position, target_.position, kUp);
  }
  if (plan_.at) return LookAt(here.position, *plan_.at, kUp);
  const Vector3 ahead = gone + 0.05 < last ? place(gone + 0.05).position
                                           : here.position + here.direction;
  return LookAt(here.position, ahead, kUp);
}

}  // namespace reprise::replays

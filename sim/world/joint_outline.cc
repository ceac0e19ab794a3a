// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/joint_outline.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "sim/base/math.h"
#include "sim/geometry/outlines.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kX = {1, 0, 0};
constexpr Vector3 kY = {0, 1, 0};
constexpr Vector3 kZ = {0, 0, 1};

// As long as the lines of a joint are: half of its way to the body it hangs on,
// so that small joints aren't buried under their own lines, nor large ones
// lost.
constexpr double kSizeMinM = 0.1;
constexpr double kSizeMaxM = 1.0;

class OutlineMaker {
 public:
  OutlineMaker(const JointDefinition& joint, ObjectId object_a,
               ObjectId object_b)
      : joint_(joint), object_a_(object_a), object_b_(object_b) {
    double way_m = Length(joint.frame_a.position);
    if (object_b != kNoObject) {
      way_m = std::max(way_m, Length(joint.frame_b.position));
    }
    size_m_ = std::clamp(0.5 * way_m, kSizeMinM, kSizeMaxM);
  }

  std::vector<DebugLine> Make() {
    Add(DebugRole::kOutline, object_a_, {}, joint_.frame_a.position);
    if (object_b_ != kNoObject) {
      Add(DebugRole::kOutline, object_b_, {}, joint_.frame_b.position);
    }
    // Nothing to be seen, unless the joint gives way; or a spring.
    lines_.push_back({object_a_, joint_.frame_a.position, object_b_,
                      joint_.frame_b.position, DebugRole::kOutline});
    std::visit(*this, joint_.kind);
    return std::move(lines_);
  }

  void operator()(const BallJoint&) {
    for (const Vector3 axis : {kX, kY, kZ}) AddAxis(axis, 0.3);
  }

  void operator()(const HingeJoint& hinge) {
    AddAxis(kZ, 1);
    AddTurn(kX, kY, hinge.lower_rad, hinge.upper_rad);
  }

  void operator()(const ConeTwistJoint& cone) {
    AddCone(cone);
    AddPointer(kX);
    const double twist_rad = cone.twist_span_rad;
    if (twist_rad < 0 || twist_rad >= kPi) return;
    AddArc(kY * 0.5, kZ * 0.5, -twist_rad, twist_rad);
    AddPointer(kY * 0.5);
  }

  // How far its ends are apart is all there is to a spring.
  void operator()(const SpringJoint&) {}

  void operator()(const SixAxisJoint& joint) {
    const Vector3 axes[] = {kX, kY, kZ};
    for (uint32_t i = 0; i < 3; ++i) {
      const JointAxis& slide = joint.axes[i];
      if (slide.lower > slide.upper) {
        AddAxis(axes[i], 1);
      } else if (slide.lower < slide.upper) {
        AddOfB(DebugRole::kLimit, axes[i] * slide.lower, axes[i] * slide.upper);
      }
      const JointAxis& turn = joint.axes[kFirstTurningAxis + i];
      if (turn.lower == turn.upper) continue;
      AddAxis(axes[i], 0.5);
      AddTurn(axes[(i + 1) % 3], axes[(i + 2) % 3], turn.lower, turn.upper);
    }
  }

 private:
  void Add(DebugRole role, ObjectId object, Vector3 start, Vector3 end) {
    lines_.push_back({object, start, object, end, role});
  }

  // By places in the joint's frame of object_b, or that of object_a.
  void AddOfB(DebugRole role, Vector3 start, Vector3 end) {
    const auto& [position, rotation] = joint_.frame_b;
    Add(role, object_b_, position + Rotate(rotation, start),
        position + Rotate(rotation, end));
  }
  void AddPointer(Vector3 way) {
    const auto& [position, rotation] = joint_.frame_a;
    Add(DebugRole::kAxis, object_a_, position,
        position + Rotate(rotation, way * size_m_));
  }

  void AddAxis(Vector3 axis, double part) {
    const Vector3 half = axis * (part * size_m_);
    AddOfB(DebugRole::kAxis, -half, half);
  }

  void AddArc(Vector3 x, Vector3 y, double from_rad, double to_rad) {
    for (const Segment& segment :
         ArcOutline({}, x * size_m_, y * size_m_, from_rad, to_rad)) {
      AddOfB(DebugRole::kLimit, segment[0], segment[1]);
    }
    for (const double angle_rad : {from_rad, to_rad}) {
      AddOfB(DebugRole::kLimit, {},
             OnCircle({}, x * size_m_, y * size_m_, angle_rad));
    }
  }

  // What may turn all the way has no limit to show.
  void AddTurn(Vector3 x, Vector3 y, double lower_rad, double upper_rad) {
    if (lower_rad > upper_rad) return;
    AddArc(x, y, lower_rad, upper_rad);
    AddPointer(x);
  }

  // The directions that x may turn to: by `angle` around the axis that lies so
  // far between y and minus z. The span in between is that of an ellipse.
  void AddCone(const ConeTwistJoint& cone) {
    const auto rim = [&](int i) {
      const double around = 2 * kPi * i / kCircleCorners;
      const double c = Cos(around);
      const double s = Sin(around);
      const double of_y = c / std::max(cone.swing_span_y_rad, 1e-3);
      const double of_z = s / std::max(cone.swing_span_z_rad, 1e-3);
      const double angle = std::min(1 / Sqrt(of_y * of_y + of_z * of_z), kPi);
      return Rotate(FromAxisAngle({0, c, -s}, angle), kX * size_m_);
    };
    for (int i = 0; i < kCircleCorners; ++i) {
      AddOfB(DebugRole::kLimit, rim(i), rim(i + 1));
      if (i % 4 == 0) AddOfB(DebugRole::kLimit, {}, rim(i));
    }
  }

  const JointDefinition& joint_;
  const ObjectId object_a_;
  const ObjectId object_b_;
  double size_m_ = 0;
  std::vector<DebugLine> lines_;
};

}  // namespace

std::vector<DebugLine> JointOutline(const JointDefinition& joint,
                                    ObjectId object_a, ObjectId object_b) {
  return OutlineMaker(joint, object_a, object_b).Make();
}

}  // namespace reprise::sim

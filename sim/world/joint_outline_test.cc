// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// That a joint's lines are where its bodies, its axes and its limits are: what
// an object carries along stays within what the other shows as the limit, as
// physics measures it.

#include "sim/world/joint_outline.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

constexpr ObjectId kDoor = {7};
constexpr ObjectId kFrame = {3};

std::vector<DebugLine> LinesOfRole(const std::vector<DebugLine>& lines,
                                   DebugRole role) {
  std::vector<DebugLine> of_role;
  std::ranges::copy_if(
      lines, std::back_inserter(of_role),
      [role](const DebugLine& line) { return line.role == role; });
  return of_role;
}

// Anchors a metre from the door's middle, and two beside the frame's.
JointDefinition Hinge(HingeJoint hinge) {
  return {.kind = hinge,
          .frame_a = {.position = {-1, 0, 0}},
          .frame_b = {.position = {2, 0, 0},
                      .rotation = FromAxisAngle({1, 0, 0}, kPi / 2)}};
}

TEST(JointOutlineTest, LinesLeadFromBodiesToAnchors) {
  const std::vector<DebugLine> lines =
      LinesOfRole(JointOutline(Hinge({}), kDoor, kFrame), DebugRole::kOutline);
  ASSERT_EQ(lines.size(), 3);
  EXPECT_EQ(lines[0], (DebugLine{kDoor, {}, kDoor, {-1, 0, 0}}));
  EXPECT_EQ(lines[1], (DebugLine{kFrame, {}, kFrame, {2, 0, 0}}));
  EXPECT_EQ(lines[2], (DebugLine{kDoor, {-1, 0, 0}, kFrame, {2, 0, 0}}));
}

// The world has no middle.
TEST(JointOutlineTest, TheWorldHasOneAnchor) {
  const std::vector<DebugLine> lines = LinesOfRole(
      JointOutline(Hinge({}), kDoor, kNoObject), DebugRole::kOutline);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[1].end_object, kNoObject);
}

TEST(JointOutlineTest, AHingeShowsItsAxisAndHowFarItTurns) {
  const JointDefinition joint =
      Hinge({.lower_rad = -0.5, .upper_rad = kPi / 2});
  const std::vector<DebugLine> lines = JointOutline(joint, kDoor, kFrame);
  // The axis z of frame_b, a metre to each side: y turned around x.
  const DebugLine axis = LinesOfRole(lines, DebugRole::kAxis).front();
  EXPECT_EQ(axis.start_object, kFrame);
  const Vector3 way = axis.end - axis.start;
  EXPECT_NEAR(way.x, 0, 1e-12);
  EXPECT_NEAR(way.y, -2, 1e-12);
  EXPECT_NEAR(way.z, 0, 1e-12);
  // The pointer is x of frame_a. Where the door is turned by an angle between
  // the limits around the axis, it points at the arc there.
  const DebugLine pointer = LinesOfRole(lines, DebugRole::kAxis).back();
  EXPECT_EQ(pointer.start_object, kDoor);
  EXPECT_NEAR(Length(pointer.end - pointer.start), 1, 1e-12);
  const std::vector<DebugLine> limits = LinesOfRole(lines, DebugRole::kLimit);
  for (const double angle : {-0.5, kPi / 2}) {
    const Vector3 tip =
        joint.frame_b.position +
        Rotate(joint.frame_b.rotation, Rotate(FromAxisAngle({0, 0, 1}, angle),
                                              pointer.end - pointer.start));
    EXPECT_TRUE(std::ranges::any_of(limits, [&](const DebugLine& line) {
      return Length(line.end - tip) < 1e-12;
    })) << angle;
  }
}

TEST(JointOutlineTest, WhatTurnsAllTheWayHasNoLimit) {
  EXPECT_TRUE(
      LinesOfRole(JointOutline(Hinge({}), kDoor, kFrame), DebugRole::kLimit)
          .empty());
}

// The rim lies at each axis' own span, and nowhere beyond the larger.
TEST(JointOutlineTest, AConeIsAsWideAsItsSpans) {
  JointDefinition joint = Hinge({});
  joint.frame_b = {};
  joint.kind = ConeTwistJoint{
      .swing_span_z_rad = 0.4, .swing_span_y_rad = 0.9, .twist_span_rad = 4.0};
  double to_y = 0;
  double to_z = 0;
  for (const DebugLine& line :
       LinesOfRole(JointOutline(joint, kDoor, kFrame), DebugRole::kLimit)) {
    if (line.end == Vector3{}) continue;
    const Vector3 way = Normalized(line.end);
    EXPECT_LE(Acos(std::clamp(way.x, -1.0, 1.0)), 0.9 + 1e-9);
    if (Abs(way.z) < 1e-9) to_y = std::max(to_y, Atan2(Abs(way.y), way.x));
    if (Abs(way.y) < 1e-9) to_z = std::max(to_z, Atan2(Abs(way.z), way.x));
  }
  // A turn around z moves x towards y, and one around y towards z.
  EXPECT_NEAR(to_y, 0.4, 1e-9);
  EXPECT_NEAR(to_z, 0.9, 1e-9);
}

TEST(JointOutlineTest, ASliderShowsItsWay) {
  JointDefinition joint = Hinge({});
  joint.frame_b = {.position = {0, 5, 0}};
  SixAxisJoint slider;
  slider.axes[0] = {.lower = -0.25, .upper = 3};
  joint.kind = slider;
  const std::vector<DebugLine> limits =
      LinesOfRole(JointOutline(joint, kDoor, kNoObject), DebugRole::kLimit);
  ASSERT_EQ(limits.size(), 1);
  EXPECT_EQ(limits[0].start, (Vector3{-0.25, 5, 0}));
  EXPECT_EQ(limits[0].end, (Vector3{3, 5, 0}));
}

}  // namespace
}  // namespace reprise::sim

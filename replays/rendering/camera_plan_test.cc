// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what is understood of a camera's text, and that what isn't is named.

#include "replays/rendering/camera_plan.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/geometry/quaternion.h"

namespace reprise::replays {
namespace {

using testing::HasSubstr;

std::string MistakeOf(const std::string& text) {
  const absl::StatusOr<CameraPlan> plan = ParseCameraPlan(text);
  EXPECT_EQ(plan.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(plan.status().message());
}

TEST(CameraPlanTest, ReadsAnObjectAndNumbers) {
  const absl::StatusOr<CameraPlan> plan =
      ParseCameraPlan("follow:crate#7,distance=6.5,height=2,yaw=90,turns=yes");
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->kind, CameraPlan::Kind::kFollow);
  EXPECT_EQ(plan->object, "crate#7");
  EXPECT_EQ(plan->distance_m, 6.5);
  EXPECT_EQ(plan->height_m, 2);
  EXPECT_DOUBLE_EQ(plan->yaw_rad, sim::Radians(90));
  EXPECT_TRUE(plan->is_turned_with);
}

TEST(CameraPlanTest, ChaseIsASpring) {
  const absl::StatusOr<CameraPlan> plan =
      ParseCameraPlan("chase:player,stiffness=30");
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->kind, CameraPlan::Kind::kSpring);
  EXPECT_EQ(plan->object, "player");
  EXPECT_EQ(plan->stiffness_per_s2, 30);
}

TEST(CameraPlanTest, ReadsPlaces) {
  const absl::StatusOr<CameraPlan> fixed =
      ParseCameraPlan("fixed,eye=1/-2/3.5,at=0/0/0");
  ASSERT_TRUE(fixed.ok()) << fixed.status();
  EXPECT_EQ(fixed->eye, (sim::Vector3{1, -2, 3.5}));
  const absl::StatusOr<CameraPlan> spline =
      ParseCameraPlan("spline:player,points=0/1/0;1/1/0;2/1/0;3/1/0,speed=0.5");
  ASSERT_TRUE(spline.ok()) << spline.status();
  EXPECT_EQ(spline->points.size(), 4u);
  EXPECT_EQ(spline->speed_per_s, 0.5);
}

TEST(CameraPlanTest, NamesWhatItDoesNotUnderstand) {
  EXPECT_THAT(MistakeOf("dolly:player"), HasSubstr("'dolly'"));
  EXPECT_THAT(MistakeOf("chase"), HasSubstr("chase:NAME"));
  EXPECT_THAT(MistakeOf("follow"), HasSubstr("follow:NAME"));
  EXPECT_THAT(MistakeOf("fixed"), HasSubstr("eye=x/y/z"));
  EXPECT_THAT(MistakeOf("fixed,eye=1/2,at=0/0/0"), HasSubstr("'1/2'"));
  EXPECT_THAT(MistakeOf("follow:p,distance=nan"), HasSubstr("'nan'"));
  EXPECT_THAT(MistakeOf("follow:p,fov=180"), HasSubstr("1 to 120"));
  EXPECT_THAT(MistakeOf("follow:p,far=2"), HasSubstr("'far'"));
  EXPECT_THAT(MistakeOf("flat,axis=w"), HasSubstr("x, y or z"));
  EXPECT_THAT(MistakeOf("flat,height=-1"), HasSubstr("more than 0"));
  EXPECT_THAT(MistakeOf("flat,height"), HasSubstr("name=value"));
  EXPECT_THAT(MistakeOf("spline,points=0/0/0"), HasSubstr("four points"));
}

}  // namespace
}  // namespace reprise::replays

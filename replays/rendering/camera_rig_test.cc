// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that each camera is at every tick of a run where its formula, worked
// out here once more from the run's own poses, has it; that where it is doesn't
// depend on the frame that is shown first; and where it stays without an
// object.

#include "replays/rendering/camera_rig.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/rendering/camera_plan.h"
#include "replays/rendering/projection.h"
#include "replays/showing/frame_stream.h"
#include "replays/testing/tiny_recording.h"
#include "sim/base/math.h"
#include "sim/base/tick.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

constexpr double kAspect = 16.0 / 9.0;
constexpr Vector3 kUp = {0, 1, 0};

void ExpectNear(const Vector3& actual, const Vector3& expected,
                sim::Tick tick) {
  EXPECT_NEAR(sim::Length(actual - expected), 0, 1e-9)
      << "tick " << tick << ": " << actual.x << ' ' << actual.y << ' '
      << actual.z;
}

class CameraRigTest : public testing::Test {
 protected:
  CameraRigTest() : file_(RecordTiny()), replay_(*OpenReplay(file_)) {}

  CameraRig Make(const std::string& plan, const FrameStream& stream) const {
    return *CameraRig::Create(*ParseCameraPlan(plan), stream.source(), kAspect);
  }

  std::unique_ptr<FrameStream> Open(sim::Tick first, uint64_t every = 1) const {
    return *FrameStream::Open(replay_.get(), {.first = first, .every = every});
  }

  // Where the runner is in the frame of a stream.
  static Vector3 Runner(const FrameStream& stream) {
    for (const ShownPose& pose : stream.frame().poses) {
      if (stream.objects()[pose.object].name == "runner") return pose.position;
    }
    ADD_FAILURE() << "no runner";
    return {};
  }

  // Where a camera has to be, and at what it has to look: of the runner's
  // place and the seconds of the run.
  struct Expected {
    Vector3 eye;
    Vector3 at;
  };
  using Formula = std::function<Expected(const Vector3&, double)>;

  void ExpectFollows(const std::string& plan, const Formula& formula) const {
    const auto stream = Open(0);
    const double rate =
        static_cast<double>(stream->source().tick_rate.ticks_per_second);
    CameraRig rig = Make(plan, *stream);
    while (*stream->Next()) {
      rig.Follow(*stream);
      const sim::Tick tick = stream->frame().tick;
      const auto [eye, at] =
          formula(Runner(*stream), static_cast<double>(tick) / rate);
      const CameraView& view = rig.camera().view;
      ExpectNear(view.eye, eye, tick);
      ExpectNear(view.forward, sim::Normalized(at - eye), tick);
      EXPECT_NEAR(sim::Dot(view.up, view.forward), 0, 1e-9);
      EXPECT_GE(view.up.y, 0);
    }
  }

  // The view at a tick, of a stream that begins at `first`.
  CameraView ViewAt(const std::string& plan, sim::Tick tick, sim::Tick first,
                    uint64_t every) const {
    const auto stream = Open(first, every);
    CameraRig rig = Make(plan, *stream);
    do {
      EXPECT_TRUE(*stream->Next());
      rig.Follow(*stream);
    } while (stream->frame().tick < tick);
    return rig.camera().view;
  }

  const Bytes file_;
  const std::unique_ptr<ReplayReader> replay_;
};

TEST_F(CameraRigTest, FixedStandsStill) {
  ExpectFollows("fixed,eye=1/2/3,at=4/0/-1", [](const Vector3&, double) {
    return Expected{{1, 2, 3}, {4, 0, -1}};
  });
}

TEST_F(CameraRigTest, LookAtTurnsAfterItsObject) {
  ExpectFollows("look-at:runner,eye=1/5/9", [](const Vector3& runner, double) {
    return Expected{{1, 5, 9}, runner};
  });
}

TEST_F(CameraRigTest, FollowIsBehindAndAbove) {
  ExpectFollows("follow:runner,distance=4,height=2,yaw=90",
                [](const Vector3& runner, double) {
                  return Expected{runner + Vector3{-4, 2, 0}, runner};
                });
}

TEST_F(CameraRigTest, SpringIsDrawnToWhereFollowIs) {
  constexpr double kStiffness = 40;
  const double damping = 2 * sim::Sqrt(kStiffness);
  const double dt =
      1.0 / static_cast<double>(Open(0)->source().tick_rate.ticks_per_second);
  Vector3 eye;
  Vector3 velocity;
  ExpectFollows("chase:runner,distance=4,height=2,stiffness=40",
                [&](const Vector3& runner, double seconds) {
                  const Vector3 ideal = runner + Vector3{0, 2, -4};
                  if (seconds == 0) {
                    eye = ideal;
                  } else {
                    velocity =
                        velocity +
                        ((eye - ideal) * -kStiffness - velocity * damping) * dt;
                    eye = eye + velocity * dt;
                  }
                  return Expected{eye, runner};
                });
}

TEST_F(CameraRigTest, OrbitGoesRoundBySeconds) {
  ExpectFollows("orbit:runner,distance=5,turn=90,pitch=30",
                [](const Vector3& runner, double seconds) {
                  const double yaw = sim::Radians(90) * seconds;
                  const double pitch = sim::Radians(30);
                  const Vector3 way = {-sim::Sin(yaw) * sim::Cos(pitch),
                                       sim::Sin(pitch),
                                       -sim::Cos(yaw) * sim::Cos(pitch)};
                  return Expected{runner + way * 5.0, runner};
                });
}

TEST_F(CameraRigTest, FirstPersonLooksFromTheEyesAndDownByPitch) {
  ExpectFollows("first-person:runner,height=1.5,pitch=20", [](const Vector3&
                                                                  runner,
                                                              double) {
    const double pitch = sim::Radians(20);
    const Vector3 eye = runner + kUp * 1.5;
    return Expected{eye, eye + Vector3{0, -sim::Sin(pitch), sim::Cos(pitch)}};
  });
}

// From the second point to the last but one, and there it stays.
TEST_F(CameraRigTest, SplineGoesAlongItsCurveBySeconds) {
  ExpectFollows("spline:runner,points=0/3/9;1/3/9;2/4/8;4/3/7,speed=0.75",
                [](const Vector3& runner, double seconds) {
                  const double t = std::min(0.75 * seconds, 1.0);
                  const Vector3 p0 = {0, 3, 9};
                  const Vector3 p1 = {1, 3, 9};
                  const Vector3 p2 = {2, 4, 8};
                  const Vector3 p3 = {4, 3, 7};
                  const Vector3 eye =
                      p0 * (0.5 * (-t + 2 * t * t - t * t * t)) +
                      p1 * (0.5 * (2 - 5 * t * t + 3 * t * t * t)) +
                      p2 * (0.5 * (t + 4 * t * t - 3 * t * t * t)) +
                      p3 * (0.5 * (-t * t + t * t * t));
                  return Expected{eye, runner};
                });
}

TEST_F(CameraRigTest, FlatLooksAlongItsAxisAtItsObject) {
  const auto stream = Open(0);
  CameraRig rig = Make("flat:runner,axis=z,height=7", *stream);
  while (*stream->Next()) {
    rig.Follow(*stream);
    const sim::Tick tick = stream->frame().tick;
    const CameraView& view = rig.camera().view;
    const Vector3 apart = view.eye - Runner(*stream);
    ExpectNear(view.forward, {0, 0, -1}, tick);
    ExpectNear(view.up, kUp, tick);
    EXPECT_NEAR(apart.x, 0, 1e-9);
    EXPECT_NEAR(apart.y, 0, 1e-9);
    EXPECT_GT(apart.z, 0);
    EXPECT_EQ(rig.camera().lens.height_m, 7);
  }
}

// Every corner of what is there is within the picture.
TEST_F(CameraRigTest, AutoSeesAllOfTheFirstFrame) {
  const auto stream = Open(0);
  ASSERT_TRUE(*stream->Next());
  CameraRig rig = Make("auto,fov=40", *stream);
  rig.Follow(*stream);
  const Projection projection(rig.camera(), 160, 90);
  for (const ShownPose& pose : stream->frame().poses) {
    const Vector3 seen = projection.ToView(pose.position);
    const double nearness =
        projection.scale() / (projection.is_perspective() ? seen.z : 1.0);
    EXPECT_LT(sim::Abs(seen.x) * nearness, 80);
    EXPECT_LT(sim::Abs(seen.y) * nearness, 45);
    EXPECT_GT(seen.z, 0);
  }
}

// `--from` and `--every` choose pictures, and move no camera.
TEST_F(CameraRigTest, NoCameraDependsOnTheFirstFrame) {
  for (const std::string plan :
       {"look-at:runner,eye=1/5/9", "follow:runner", "orbit:runner,turn=30",
        "first-person:runner",
        "spline,points=0/3/9;1/3/9;2/4/8;4/3/7;5/3/3,speed=1.1"}) {
    const CameraView whole = ViewAt(plan, 70, 0, 1);
    const CameraView part = ViewAt(plan, 70, 40, 15);
    EXPECT_EQ(whole.eye, part.eye) << plan;
    EXPECT_EQ(whole.forward, part.forward) << plan;
    EXPECT_EQ(whole.up, part.up) << plan;
  }
  EXPECT_TRUE(CameraRig::WantsEveryTick(*ParseCameraPlan("spring:runner")));
}

TEST_F(CameraRigTest, MovesFromItsStartOn) {
  const std::string plan = "orbit:runner,turn=30";
  const auto way = [&](const std::string& flags, sim::Tick tick) {
    const auto stream = Open(tick);
    EXPECT_TRUE(*stream->Next());
    CameraRig rig = Make(plan + flags, *stream);
    rig.Follow(*stream);
    return rig.camera().view.eye - Runner(*stream);
  };
  ExpectNear(way(",start=50", 20), way("", 0), 20);
  ExpectNear(way(",start=50", 50), way("", 0), 50);
  ExpectNear(way(",start=50", 80), way("", 30), 80);
}

// What it would follow isn't there yet: all of the first frame is seen.
TEST_F(CameraRigTest, WaitsForAnObjectWhereItSeesAll) {
  using Whereabouts = CameraRig::Whereabouts;
  for (const std::string kind : {"follow", "spring", "orbit", "first-person"}) {
    const auto stream = Open(0);
    CameraRig rig = Make(kind + ":nobody", *stream);
    ASSERT_TRUE(*stream->Next());
    rig.Follow(*stream);
    EXPECT_EQ(rig.whereabouts(), Whereabouts::kNotYet);
    EXPECT_FALSE(rig.last_seen().has_value());
    ASSERT_TRUE(*stream->Next());
    const CameraView first = rig.camera().view;
    rig.Follow(*stream);
    EXPECT_EQ(rig.camera().view.eye, first.eye) << kind;
  }
  const auto stream = Open(0);
  CameraRig rig = Make("follow:runner", *stream);
  ASSERT_TRUE(*stream->Next());
  rig.Follow(*stream);
  EXPECT_EQ(rig.whereabouts(), Whereabouts::kThere);
  EXPECT_EQ(rig.last_seen(), 0u);
}

}  // namespace
}  // namespace reprise::replays

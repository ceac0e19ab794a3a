// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what frames tell a client, which keeps what it is told as clients do:
// that it sees each tick as it is, from whole frames and from differences,
// whichever it has acknowledged; what is said once; what an interest, a view
// and want of room leave out; and when frames are due.

#include "services/observations/shown_frames.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/testing/forwarding_simulation.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/status.h"
#include "services/base/tenant_memory.h"
#include "services/observations/frame_interest.h"
#include "services/observations/observed_field.h"
#include "services/observations/tick_frame.h"
#include "sim/frame.h"
#include "sim/game_description.h"
#include "sim/geometry/vector3.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr uint64_t kPlenty = 1 << 20;

// Shows what the test puts into it.
class Scene final : public replays::ForwardingSimulation {
 public:
  Scene()
      : ForwardingSimulation(*replays::TinySimulation::Create(
            replays::MakeTinyPack(), /*seed=*/1)) {
    for (const char* type : {"ball", "wall"}) {
      description_.types.emplace_back().name = type;
    }
  }

  sim::Frame ProduceFrame() const override {
    ++frames_made_;
    return frame;
  }
  std::vector<sim::FrameMesh> FrameMeshes() const override {
    ++meshes_made_;
    return meshes;
  }
  const sim::GameDescription& description() const override {
    return description_;
  }
  std::unique_ptr<sim::Simulation> Fork() const override { return nullptr; }

  void Add(uint64_t serial, const std::string& name, const std::string& type,
           double x) {
    frame.objects.push_back({.object = {.serial = serial},
                             .name = name,
                             .type = type,
                             .position = {x, 0.0, 0.0},
                             .rotation = {},
                             .shapes = {sim::FrameShape()}});
  }
  int frames_made() const { return frames_made_; }
  int meshes_made() const { return meshes_made_; }

  sim::Frame frame;
  std::vector<sim::FrameMesh> meshes;

 private:
  sim::GameDescription description_;
  mutable int frames_made_ = 0;
  mutable int meshes_made_ = 0;
};

// What a client knows.
class Client {
 public:
  void Take(const v1::ObservedFrame& message) {
    for (const v1::FrameObject& object : message.introduced()) {
      EXPECT_FALSE(object.has_position());
      names[object.object()] = object.name();
    }
    for (const v1::FrameMesh& mesh : message.meshes()) {
      EXPECT_TRUE(meshes.insert(mesh.mesh()).second);
    }
    std::map<uint64_t, std::vector<double>> poses;
    if (message.base() != 0) poses = frames.at(message.base());
    for (const uint64_t serial : message.gone()) {
      EXPECT_EQ(poses.erase(serial), 1u);
    }
    for (int i = 0; i < message.objects_size(); ++i) {
      EXPECT_TRUE(names.contains(message.objects(i)));
      std::vector<double>& pose = poses[message.objects(i)];
      pose.assign(message.positions().begin() + 3 * i,
                  message.positions().begin() + 3 * i + 3);
      pose.insert(pose.end(), message.rotations().begin() + 4 * i,
                  message.rotations().begin() + 4 * i + 4);
    }
    frames[message.number()] = std::move(poses);
    last = message.number();
    Forget(message);
  }

  // The names of those that it sees, in ascending order of objects.
  std::vector<std::string> Seen() const {
    std::vector<std::string> seen;
    for (const auto& [serial, pose] : frames.at(last)) {
      seen.push_back(names.at(serial));
    }
    return seen;
  }

  // All that a client may forget.
  void Forget(const v1::ObservedFrame& message) {
    std::erase_if(frames, [&](const auto& frame) {
      return frame.first != message.base() &&
             frame.first + kKeptFramesMax <= message.number();
    });
    std::erase_if(names, [&](const auto& name) {
      return std::ranges::none_of(frames, [&](const auto& frame) {
        return frame.second.contains(name.first);
      });
    });
  }

  std::map<uint64_t, std::string> names;
  std::set<uint32_t> meshes;
  std::map<uint64_t, std::map<uint64_t, std::vector<double>>> frames;
  uint64_t last = 0;
};

// What a client that sees all sees.
std::map<uint64_t, std::vector<double>> PosesOf(const sim::Frame& frame) {
  std::map<uint64_t, std::vector<double>> poses;
  for (const sim::FrameObject& object : frame.objects) {
    poses[object.object.serial] = {object.position.x, object.position.y,
                                   object.position.z, object.rotation.x,
                                   object.rotation.y, object.rotation.z,
                                   object.rotation.w};
  }
  return poses;
}

class ShownFramesTest : public testing::Test {
 protected:
  ShownFramesTest() {
    scene_.Add(1, "one", "ball", 1);
    scene_.Add(2, "two", "ball", 2);
    scene_.Add(3, "three", "wall", 3);
  }

  void Declare(const FrameInterest* view = nullptr) {
    auto parsed =
        ShownFrames::Parse(declaration_, "frames", view, scene_, kPlenty);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    shown_.emplace(*std::move(parsed));
  }

  v1::ObservedFrame Show(uint64_t bytes_max = kPlenty) {
    ++scene_.frame.tick;
    v1::Observations observations;
    uint64_t bytes_left = bytes_max;
    shown_->Show({.simulation = scene_, .events = {}}, bytes_left,
                 observations);
    EXPECT_EQ(observations.frames_size(), 1);
    EXPECT_LE(observations.frames(0).ByteSizeLong(),
              bytes_max - bytes_left + 64);
    client_.Take(observations.frames(0));
    return observations.frames(0);
  }

  Scene scene_;
  v1::ObservedFrames declaration_;
  std::optional<ShownFrames> shown_;
  Client client_;
};

TEST_F(ShownFramesTest, WhatObjectsAreIsSaidOnceThenPoses) {
  Declare();

  const v1::ObservedFrame first = Show();
  scene_.frame.objects[1].position.y = 0.5;
  const v1::ObservedFrame second = Show();

  EXPECT_EQ(first.number(), 1u);
  EXPECT_EQ(first.tick(), 1u);
  ASSERT_THAT(first.introduced(), SizeIs(3));
  EXPECT_EQ(first.introduced(2).type(), "wall");
  EXPECT_THAT(first.introduced(2).shapes(), SizeIs(1));
  EXPECT_THAT(second.introduced(), IsEmpty());
  EXPECT_EQ(second.base(), 0u);
  EXPECT_THAT(second.objects(), ElementsAre(1, 2, 3));
  EXPECT_EQ(client_.frames[2], PosesOf(scene_.frame));
}

TEST_F(ShownFramesTest, WhatBecomesAnotherThingIsSaidAgain) {
  Declare();
  Show();
  scene_.frame.objects[0].shapes[0].size = {2.0, 0.0, 0.0};

  const v1::ObservedFrame frame = Show();

  ASSERT_THAT(frame.introduced(), SizeIs(1));
  EXPECT_EQ(frame.introduced(0).shapes(0).size().x(), 2.0);
}

TEST_F(ShownFramesTest, WhatWasNotShownForLongIsIntroducedAgain) {
  for (const bool differences : {false, true}) {
    declaration_.set_differences(differences);
    client_ = Client();
    Declare();
    Show();
    const sim::FrameObject away = scene_.frame.objects.back();
    scene_.frame.objects.pop_back();
    Show();
    scene_.frame.objects.push_back(away);
    EXPECT_THAT(Show().introduced(), IsEmpty());
    scene_.frame.objects.pop_back();
    for (size_t i = 0; i < kKeptFramesMax; ++i) Show();
    EXPECT_FALSE(client_.names.contains(away.object.serial));
    scene_.frame.objects.push_back(away);
    EXPECT_THAT(Show().introduced(), SizeIs(1));
  }
}

// Each frame may be the one that the next are different from.
TEST_F(ShownFramesTest, WhatTheBaseShowsStaysKnown) {
  declaration_.set_differences(true);
  Declare();
  Show();
  shown_->Acknowledge(1);
  const sim::FrameObject away = scene_.frame.objects.back();
  scene_.frame.objects.pop_back();
  for (size_t i = 0; i < 2 * kKeptFramesMax; ++i) Show();
  scene_.frame.objects.push_back(away);
  EXPECT_THAT(Show().introduced(), IsEmpty());
}

TEST_F(ShownFramesTest, DifferencesAreToTheFrameThatIsAcknowledged) {
  declaration_.set_differences(true);
  Declare();
  EXPECT_EQ(Show().base(), 0u);
  scene_.frame.objects[0].position.y = 0.5;
  // Nothing is acknowledged.
  EXPECT_EQ(Show().base(), 0u);
  shown_->Acknowledge(1);
  shown_->Acknowledge(77);
  scene_.frame.objects.pop_back();
  scene_.Add(4, "four", "ball", 4);

  const v1::ObservedFrame frame = Show();

  EXPECT_EQ(frame.base(), 1u);
  EXPECT_THAT(frame.objects(), ElementsAre(1, 4));
  EXPECT_THAT(frame.gone(), ElementsAre(3));
  EXPECT_THAT(frame.introduced(), SizeIs(1));
  EXPECT_EQ(client_.frames[3], PosesOf(scene_.frame));
  // One before that isn't known any more.
  shown_->Acknowledge(2);
  shown_->Acknowledge(1);
  EXPECT_EQ(Show().base(), 2u);
}

TEST_F(ShownFramesTest, WhoeverAcknowledgesWhateverSeesWhatIsThere) {
  declaration_.set_differences(true);
  uint64_t next_serial = 100;
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    std::minstd_rand random(seed);
    client_ = Client();
    Declare();
    for (int tick = 0; tick < 200; ++tick) {
      std::vector<sim::FrameObject>& objects = scene_.frame.objects;
      for (sim::FrameObject& object : objects) {
        if (random() % 3 == 0) object.position.x += 1;
      }
      if (random() % 5 == 0 && objects.size() > 1) {
        objects.erase(objects.begin() +
                      static_cast<std::ptrdiff_t>(random() % objects.size()));
      }
      if (random() % 5 == 0) {
        scene_.Add(next_serial++, "new", "ball", 0);
      }
      Show();
      ASSERT_EQ(client_.frames[client_.last], PosesOf(scene_.frame));
      if (random() % 4 == 0) {
        shown_->Acknowledge(client_.last - random() % 40);
      }
    }
  }
}

TEST_F(ShownFramesTest, AnAcknowledgedFrameStaysHoweverManyFollow) {
  declaration_.set_differences(true);
  Declare();
  Show();
  shown_->Acknowledge(1);
  for (size_t i = 0; i < 3 * kKeptFramesMax; ++i) EXPECT_EQ(Show().base(), 1u);
  const uint64_t last = client_.last;
  shown_->Acknowledge(last);
  EXPECT_EQ(Show().base(), last);
}

// Else it would be the base for ever, and ever more be different from it.
TEST_F(ShownFramesTest, ABaseThatLeavesNoRoomForAnotherFrameGoes) {
  constexpr uint64_t kRoom = uint64_t{1} << 24;
  declaration_.set_differences(true);
  Declare();
  scene_.frame.objects.clear();
  for (uint64_t serial = 1; serial <= kKeptPosesMax / 2 + 1; ++serial) {
    scene_.Add(serial, "many", "ball", 0);
  }
  Show(kRoom);
  shown_->Acknowledge(1);
  EXPECT_EQ(Show(kRoom).base(), 1u);
  // Whole, until one of them is acknowledged.
  EXPECT_EQ(Show(kRoom).base(), 0u);
  shown_->Acknowledge(3);
  EXPECT_EQ(Show(kRoom).base(), 3u);
}

TEST_F(ShownFramesTest, WhatIsKeptForAClientIsCounted) {
  const auto memory = std::make_shared<TenantMemory>(/*bytes_max=*/0);
  declaration_.set_differences(true);
  Declare();
  shown_->CountInto(memory);
  Show();
  const uint64_t one_frame = memory->bytes();
  EXPECT_GE(one_frame, 3 * 7 * sizeof(double));
  Show();
  EXPECT_GT(memory->bytes(), one_frame);

  shown_->Acknowledge(2);

  EXPECT_EQ(memory->bytes(), one_frame);
  shown_.reset();
  EXPECT_EQ(memory->bytes(), 0u);
}

TEST_F(ShownFramesTest, AnInterestIsOfTypesAndPartsOfSpace) {
  declaration_.mutable_interest()->add_types("ball");
  Declare();
  Show();
  EXPECT_THAT(client_.Seen(), ElementsAre("one", "two"));

  v1::FrameBox& box = *declaration_.mutable_interest()->mutable_within();
  box.mutable_least()->set_x(1.5);
  box.mutable_greatest()->set_x(3);
  Declare();
  Show();
  EXPECT_THAT(client_.Seen(), ElementsAre("two"));

  declaration_.clear_interest();
  v1::FrameBall& ball = *declaration_.mutable_interest()->mutable_near();
  ball.set_object("three");
  ball.set_radius_m(1);
  Declare();
  Show();
  EXPECT_THAT(client_.Seen(), ElementsAre("two", "three"));
  // It goes along, and where it isn't nothing is near.
  scene_.frame.objects[2].position.x = 0.5;
  Show();
  EXPECT_THAT(client_.Seen(), ElementsAre("one", "three"));
  scene_.frame.objects.pop_back();
  Show();
  EXPECT_THAT(client_.Seen(), IsEmpty());
}

TEST_F(ShownFramesTest, WhatAViewDoesNotShowIsInNoByte) {
  FrameInterest view;
  view.near =
      FrameInterest::Ball{.object = "one", .centre = {}, .radius_m = 1.5};
  declaration_.set_differences(true);
  Declare(&view);

  const v1::ObservedFrame frame = Show();

  EXPECT_THAT(client_.Seen(), ElementsAre("one", "two"));
  EXPECT_THAT(frame.SerializeAsString(), Not(HasSubstr("three")));
  // What leaves it is gone, and nothing is said of where to.
  shown_->Acknowledge(1);
  scene_.frame.objects[1].position.x = 77;
  const v1::ObservedFrame next = Show();
  EXPECT_THAT(next.gone(), ElementsAre(2));
  EXPECT_THAT(next.positions(), IsEmpty());
  // A declaration can't widen it.
  declaration_.mutable_interest()->add_types("wall");
  Declare(&view);
  Show();
  EXPECT_THAT(client_.Seen(), IsEmpty());
}

// Else a client would find it by asking who of those that it sees is near.
TEST_F(ShownFramesTest, NothingIsNearWhatAViewHides) {
  FrameInterest view;
  view.types = {"ball"};
  v1::FrameBall& ball = *declaration_.mutable_interest()->mutable_near();
  ball.set_object("three");
  ball.set_radius_m(1);
  Declare(&view);
  Show();
  EXPECT_THAT(client_.Seen(), IsEmpty());

  // The centre needn't be of the types that are asked for, nor the view's own.
  ball.set_object("two");
  Declare(&view);
  Show();
  EXPECT_THAT(client_.Seen(), ElementsAre("one", "two"));
  view.near =
      FrameInterest::Ball{.object = "three", .centre = {}, .radius_m = 1};
  Declare(&view);
  Show();
  EXPECT_THAT(client_.Seen(), ElementsAre("two"));
}

TEST_F(ShownFramesTest, WhatHasNoRoomComesLater) {
  declaration_.set_differences(true);
  Declare();
  scene_.frame.objects.clear();
  for (uint64_t serial = 1; serial <= 50; ++serial) {
    scene_.Add(serial, "ball_" + std::to_string(serial), "ball", 0);
  }
  const v1::ObservedFrame first = Show(/*bytes_max=*/2000);
  EXPECT_GT(first.objects_omitted(), 20u);
  EXPECT_LT(first.objects_omitted(), 50u);
  uint32_t frames = 1;
  for (uint32_t omitted = first.objects_omitted(); omitted > 0; ++frames) {
    shown_->Acknowledge(client_.last);
    const uint32_t left = Show(/*bytes_max=*/2000).objects_omitted();
    ASSERT_LT(left, omitted);
    omitted = left;
  }
  EXPECT_LT(frames, 10u);
  EXPECT_EQ(client_.frames[client_.last], PosesOf(scene_.frame));
  // Those that are gone, too.
  shown_->Acknowledge(client_.last);
  scene_.frame.objects.clear();
  EXPECT_THAT(Show(/*bytes_max=*/100).gone(), SizeIs(10));
  shown_->Acknowledge(client_.last);
  Show();
  EXPECT_THAT(client_.Seen(), IsEmpty());
}

TEST_F(ShownFramesTest, MeshesComeOnceAndAsThereIsRoom) {
  Declare();
  for (size_t i = 0; i < 3; ++i) {
    scene_.meshes.push_back(
        {.vertices = std::vector<sim::Vector3>(100, {1.0, 2.0, 3.0}),
         .triangles = {{0, 1, 2}}});
    sim::FrameShape& shape = scene_.frame.objects[i].shapes[0];
    shape.kind = sim::FrameShape::Kind::kMesh;
    shape.mesh = static_cast<uint32_t>(i % 2);
  }

  const v1::ObservedFrame first = Show(/*bytes_max=*/4000);

  ASSERT_THAT(first.meshes(), SizeIs(1));
  EXPECT_EQ(first.meshes(0).mesh(), 0u);
  EXPECT_THAT(first.meshes(0).vertices(), SizeIs(300));
  EXPECT_EQ(first.meshes_omitted(), 1u);
  EXPECT_THAT(Show().meshes(), SizeIs(1));
  EXPECT_THAT(Show().meshes(), IsEmpty());
  // The one that nobody refers to isn't sent.
  EXPECT_THAT(client_.meshes, ElementsAre(0u, 1u));
}

// It isn't made for each frame again, only to be left out.
TEST_F(ShownFramesTest, AMeshThatNeverFitsIsToldAndNotTriedAgain) {
  Declare();
  scene_.meshes.push_back(
      {.vertices = std::vector<sim::Vector3>(kPlenty / 20), .triangles = {}});
  scene_.frame.objects[0].shapes[0].kind = sim::FrameShape::Kind::kMesh;

  for (int i = 0; i < 3; ++i) EXPECT_EQ(Show().meshes_omitted(), 1u);

  EXPECT_EQ(scene_.meshes_made(), 1);
}

TEST_F(ShownFramesTest, AMeshThatWaitsForRoomIsMadeWhenThereIsSome) {
  Declare();
  scene_.meshes.push_back(
      {.vertices = std::vector<sim::Vector3>(100), .triangles = {}});
  scene_.frame.objects[0].shapes[0].kind = sim::FrameShape::Kind::kMesh;

  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Show(/*bytes_max=*/2000).meshes_omitted(), 1u);
  }
  EXPECT_EQ(scene_.meshes_made(), 1);

  EXPECT_THAT(Show().meshes(), SizeIs(1));
  EXPECT_EQ(scene_.meshes_made(), 2);
}

TEST_F(ShownFramesTest, FramesAreDueAtMultiplesAndThoseThatWereMissedAreTold) {
  declaration_.set_every_ticks(10);
  Declare();
  EXPECT_FALSE(shown_->IsDue(3));
  EXPECT_FALSE(shown_->IsDue(9));
  EXPECT_TRUE(shown_->IsDue(10));
  EXPECT_FALSE(shown_->IsDue(11));
  // Those at 20 and 30 were due while nobody was told of ticks.
  EXPECT_TRUE(shown_->IsDue(35));
  EXPECT_EQ(Show().frames_missed(), 1u);
  EXPECT_EQ(Show().frames_missed(), 0u);

  declaration_.set_every_ticks(0);
  Declare();
  EXPECT_FALSE(shown_->IsDue(0));
}

TEST_F(ShownFramesTest, AFrameIsMadeOnceForAllWhoLookAtATick) {
  Declare();
  TickFrame frame;
  v1::Observations observations;
  uint64_t bytes_left = kPlenty;
  const ObservedTick tick = {
      .simulation = scene_, .events = {}, .frame = &frame};
  shown_->Show(tick, bytes_left, observations);
  shown_->Show(tick, bytes_left, observations);

  EXPECT_EQ(scene_.frames_made(), 1);
  EXPECT_EQ(observations.frames_size(), 2);
}

TEST_F(ShownFramesTest, MistakesAreNamed) {
  const auto refusal = [this](auto change) {
    v1::ObservedFrames declaration;
    change(*declaration.mutable_interest());
    const auto parsed =
        ShownFrames::Parse(declaration, "frames", nullptr, scene_, kPlenty);
    EXPECT_EQ(ReasonOf(parsed.status()), "OBSERVATION_REFUSED");
    return std::string(parsed.status().message());
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(refusal([](auto& i) { i.add_types("bell"); }), HasSubstr("bell"));
  EXPECT_THAT(refusal([](auto& i) { i.add_types(""); }), HasSubstr("name"));
  EXPECT_THAT(refusal([](auto& i) {
                for (int n = 0; n <= kInterestTypesMax; ++n) {
                  i.add_types("ball");
                }
              }),
              HasSubstr("65 types"));
  EXPECT_THAT(
      refusal([](auto& i) { i.mutable_within()->mutable_least()->set_y(1); }),
      HasSubstr("below"));
  EXPECT_THAT(refusal([](auto& i) {
                i.mutable_within()->mutable_greatest()->set_y(kInfinity);
              }),
              HasSubstr("finite"));
  EXPECT_THAT(refusal([](auto& i) { i.mutable_near()->set_object("one"); }),
              HasSubstr("radius"));
  EXPECT_THAT(refusal([](auto& i) {
                i.mutable_near()->set_radius_m(1);
                i.mutable_near()->set_object("one");
                i.mutable_near()->mutable_centre();
              }),
              HasSubstr("origin"));
}

TEST(FrameInterestTest, WhatIsParsedIsWhatIsTold) {
  v1::FrameInterest message;
  message.add_types("ball");
  message.mutable_within()->mutable_least()->set_x(-1);
  message.mutable_within()->mutable_greatest()->set_x(2);
  message.mutable_near()->mutable_centre()->set_z(3);
  message.mutable_near()->set_radius_m(4);
  const auto refuse = [](std::string_view, std::string_view) {
    return absl::InvalidArgumentError("");
  };

  const auto parsed = ParseFrameInterest(message, "", refuse);

  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(ToProto(*parsed).SerializeAsString(), message.SerializeAsString());
}

}  // namespace
}  // namespace reprise::services

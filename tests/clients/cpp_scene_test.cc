// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the scene of the C++ client is what a server's frames say: equal
// to the frame as a whole, at each tick, whether frames are whole or
// differences; that it forgets what the server introduces again; and that a
// frame that doesn't go on from what there is, is refused and changes nothing.

#include "clients/cpp/scene.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "clients/cpp/client.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/sync_stream.h"
#include "gtest/gtest.h"
#include "services/testing/crowd_simulation.h"
#include "services/testing/test_server.h"

namespace reprise::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint32_t kPlayers = 8;

std::vector<uint64_t> SerialsOf(const Scene& scene) {
  std::vector<uint64_t> serials;
  for (const SceneObject& object : scene.objects()) {
    serials.push_back(object.serial);
  }
  return serials;
}

void ExpectShows(const Scene& scene, const v1::Frame& frame) {
  ASSERT_EQ(scene.objects().size(), static_cast<size_t>(frame.objects_size()));
  EXPECT_EQ(scene.tick(), frame.tick());
  for (size_t i = 0; i < scene.objects().size(); ++i) {
    const SceneObject& drawn = scene.objects()[i];
    const v1::FrameObject& whole = frame.objects(static_cast<int>(i));
    EXPECT_EQ(drawn.serial, whole.object());
    EXPECT_EQ(drawn.description->name(), whole.name());
    EXPECT_EQ(drawn.description->type(), whole.type());
    ASSERT_EQ(drawn.description->shapes_size(), whole.shapes_size());
    for (int j = 0; j < whole.shapes_size(); ++j) {
      EXPECT_EQ(drawn.description->shapes(j).SerializeAsString(),
                whole.shapes(j).SerializeAsString());
    }
    const v1::Vector3& position = whole.position();
    EXPECT_THAT(drawn.position,
                ElementsAre(position.x(), position.y(), position.z()));
    const v1::Quaternion& rotation = whole.rotation();
    EXPECT_THAT(drawn.rotation, ElementsAre(rotation.x(), rotation.y(),
                                            rotation.z(), rotation.w()));
  }
}

class CppSceneServerTest : public testing::TestWithParam<bool> {
 protected:
  CppSceneServerTest() {
    services::WriteCrowdPack(server_.folders(), kPlayers);
  }

  // Ten ticks of which frames are due at two; only player 2 walks.
  static v1::StepSessionRequest WalkRequest(uint64_t tick) {
    v1::StepSessionRequest request;
    request.set_tick(tick);
    request.set_tick_count(10);
    request.set_want_frame(true);
    v1::TickInputs& inputs = *request.add_inputs();
    inputs.set_tick(tick);
    v1::InputFrame& frame = *inputs.add_frames();
    frame.set_player(2);
    frame.mutable_device()->add_axes(static_cast<int>(100 + tick));
    return request;
  }

  services::RunningServer server_{[](services::ServerOptions& options) {
    options.simulation_factory = &services::CrowdSimulation::Create;
  }};
};

TEST_P(CppSceneServerTest, IsWhatAFrameShows) {
  const auto client = Client::Create(server_.server().address());
  ASSERT_TRUE(client.ok()) << client.status();
  v1::CreateSessionRequest create;
  create.set_pack("crowd");
  auto session = (*client)->CreateSession(create);
  ASSERT_TRUE(session.ok()) << session.status();
  grpc::ClientContext context;
  (*client)->Prepare(context);
  const auto stream = (*client)->simulations().StepSession(&context);
  Scene scene;
  v1::StepSessionResponse response;
  for (uint64_t tick = 0; tick < 60; tick += 10) {
    v1::StepSessionRequest request = WalkRequest(tick);
    if (tick == 0) {
      request.set_session(session->name());
      v1::ObservedFrames& frames = *request.mutable_observe()->mutable_frames();
      frames.set_every_ticks(5);
      frames.set_differences(GetParam());
    }
    request.set_frame_acknowledged(scene.acknowledged());
    ASSERT_TRUE(stream->Write(request));
    ASSERT_TRUE(stream->Read(&response));

    ASSERT_EQ(response.observations().frames_size(), 2);
    const absl::Status taken = scene.Take(response.observations());
    ASSERT_TRUE(taken.ok()) << taken;
    ExpectShows(scene, response.frame());
    // Who stands still is in no difference.
    EXPECT_EQ(response.observations().frames(1).objects_size(),
              GetParam() && tick > 0 ? 1 : static_cast<int>(kPlayers));
  }
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

INSTANTIATE_TEST_SUITE_P(Differences, CppSceneServerTest, testing::Bool());

// A frame with these objects at x = their serials.
v1::ObservedFrame MakeFrame(uint64_t number, uint64_t base,
                            const std::vector<uint64_t>& objects) {
  v1::ObservedFrame frame;
  frame.set_number(number);
  frame.set_tick(10 * number);
  frame.set_base(base);
  for (const uint64_t serial : objects) {
    frame.add_objects(serial);
    frame.add_positions(static_cast<double>(serial));
    for (const double value : {0.0, 0.0}) frame.add_positions(value);
    for (const double value : {0.0, 0.0, 0.0, 1.0}) frame.add_rotations(value);
  }
  return frame;
}

void Introduce(uint64_t serial, const std::string& type,
               v1::ObservedFrame& frame) {
  v1::FrameObject& object = *frame.add_introduced();
  object.set_object(serial);
  object.set_type(type);
}

absl::Status TakeOne(const v1::ObservedFrame& frame, Scene& scene) {
  v1::Observations observations;
  *observations.add_frames() = frame;
  return scene.Take(observations);
}

// A scene of the objects 2, 5 and 7.
Scene MakeScene() {
  Scene scene;
  v1::ObservedFrame frame = MakeFrame(1, 0, {2, 5, 7});
  for (const uint64_t serial : {2, 5, 7}) Introduce(serial, "crate", frame);
  frame.add_meshes()->set_mesh(3);
  const absl::Status taken = TakeOne(frame, scene);
  EXPECT_TRUE(taken.ok()) << taken;
  return scene;
}

TEST(CppSceneTest, ADifferenceLeavesTheRestAsItWas) {
  Scene scene = MakeScene();
  v1::ObservedFrame frame = MakeFrame(2, 1, {3, 5, 9});
  frame.set_positions(3, 55);
  frame.add_gone(7);
  Introduce(3, "ball", frame);
  Introduce(9, "ball", frame);

  ASSERT_TRUE(TakeOne(frame, scene).ok());

  EXPECT_THAT(SerialsOf(scene), ElementsAre(2, 3, 5, 9));
  EXPECT_EQ(scene.objects()[0].position[0], 2);
  EXPECT_EQ(scene.objects()[1].description->type(), "ball");
  EXPECT_EQ(scene.objects()[2].position[0], 55);
  EXPECT_EQ(scene.acknowledged(), 2u);
  EXPECT_EQ(scene.tick(), 20u);
  EXPECT_EQ(scene.meshes().count(3), 1u);

  // To the first frame once more: what the second one said isn't in it.
  ASSERT_TRUE(TakeOne(MakeFrame(3, 1, {}), scene).ok());
  EXPECT_THAT(SerialsOf(scene), ElementsAre(2, 5, 7));
  EXPECT_EQ(scene.objects()[1].position[0], 5);
}

TEST(CppSceneTest, WhatIsIntroducedAgainIsAnother) {
  Scene scene = MakeScene();
  v1::ObservedFrame frame = MakeFrame(2, 1, {5});
  Introduce(5, "splinters", frame);

  ASSERT_TRUE(TakeOne(frame, scene).ok());

  EXPECT_EQ(scene.objects()[0].description->type(), "crate");
  EXPECT_EQ(scene.objects()[1].description->type(), "splinters");
}

TEST(CppSceneTest, WhatDoesNotGoOnIsRefusedAndChangesNothing) {
  Scene scene = MakeScene();
  v1::ObservedFrame unknown = MakeFrame(2, 1, {6});
  v1::ObservedFrame without_base = MakeFrame(9, 8, {5});
  v1::ObservedFrame short_of_poses = MakeFrame(2, 0, {5});
  short_of_poses.mutable_rotations()->RemoveLast();
  const v1::ObservedFrame in_disorder = MakeFrame(2, 0, {5, 2});

  EXPECT_THAT(std::string(TakeOne(unknown, scene).message()),
              HasSubstr("frame 2: nothing has said what object 6 is"));
  EXPECT_THAT(std::string(TakeOne(without_base, scene).message()),
              HasSubstr("it differs from frame 8, which isn't here"));
  EXPECT_EQ(TakeOne(short_of_poses, scene).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(TakeOne(in_disorder, scene).code(),
            absl::StatusCode::kInvalidArgument);

  EXPECT_THAT(SerialsOf(scene), ElementsAre(2, 5, 7));
  EXPECT_EQ(scene.acknowledged(), 1u);
}

// As the server: neither the base nor one of the last 32 frames shows it.
TEST(CppSceneTest, WhatNoFrameShowsIsForgotten) {
  Scene scene;
  for (uint64_t number = 1; number < 500; ++number) {
    v1::ObservedFrame frame = MakeFrame(number, 0, {number});
    Introduce(number, "crate", frame);
    ASSERT_TRUE(TakeOne(frame, scene).ok());
    ASSERT_THAT(SerialsOf(scene), ElementsAre(number));
  }

  EXPECT_FALSE(TakeOne(MakeFrame(500, 0, {1}), scene).ok());
  EXPECT_FALSE(TakeOne(MakeFrame(500, 467, {}), scene).ok());
  EXPECT_TRUE(TakeOne(MakeFrame(500, 468, {}), scene).ok());
  EXPECT_THAT(SerialsOf(scene), ElementsAre(468));
}

}  // namespace
}  // namespace reprise::client

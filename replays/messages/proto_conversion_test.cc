// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that frames survive the way into a message and back, and that what a
// client may send wrongly is refused with the right code before it reaches a
// simulation: each mistake is put into an otherwise good message.

#include "replays/messages/proto_conversion.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "reprise/v1/run_end.pb.h"
#include "sim/input/testing_grammar.h"

namespace reprise::replays {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

sim::InputFrame FullFrame() {
  sim::InputFrame frame;
  frame.device.axes[0] = -sim::kAxisMax;
  frame.device.buttons = 1;
  frame.commands = {{.name = sim::IdOf("teleport"), .arguments = {-250}}};
  return frame;
}

v1::InputFrame FullMessage() {
  return ToProto(FullFrame(), MakeTiny()->info().inputs);
}

TEST(ProtoConversionTest, FrameComesBackAsItWas) {
  const absl::StatusOr<sim::InputFrame> frame = FromProto(FullMessage());

  ASSERT_TRUE(frame.ok()) << frame.status();
  EXPECT_EQ(*frame, FullFrame());
}

TEST(ProtoConversionTest, FrameOfEverythingComesBackAsItWas) {
  const v1::InputFrame message =
      ToProto(sim::EveryInputFrame(), sim::EveryInputGrammar());
  v1::InputFrame parsed;
  ASSERT_TRUE(parsed.ParseFromString(message.SerializeAsString()));

  const absl::StatusOr<sim::InputFrame> frame = FromProto(parsed);

  ASSERT_TRUE(frame.ok()) << frame.status();
  EXPECT_EQ(*frame, sim::EveryInputFrame());
}

TEST(ProtoConversionTest, WholeNumbersOfOlderClientsAreValues) {
  v1::InputFrame message = FullMessage();
  message.mutable_commands(0)->clear_values();
  message.mutable_commands(0)->add_arguments(-250);

  EXPECT_EQ(*FromProto(message), FullFrame());
}

// One mistake, and what is said of it.
struct Mistake {
  void (*make)(v1::InputFrame& message);
  std::string problem;
};

TEST(ProtoConversionTest, EveryMistakeIsNamed) {
  using Frame = v1::InputFrame;
  for (const Mistake& mistake : std::vector<Mistake>{
           {[](Frame& m) { m.mutable_device()->set_keys(0, v1::Key(3)); },
            "a key is 3, outside 4..231"},
           {[](Frame& m) { m.mutable_device()->add_keys(v1::Key(232)); },
            "a key is 232, outside 4..231"},
           {[](Frame& m) { m.mutable_device()->add_keys(v1::Key(-1)); },
            "a key is -1, outside 4..231"},
           {[](Frame& m) { m.mutable_device()->add_keys(v1::Key(224)); },
            "key 224 follows key 224; keys ascend"},
           {[](Frame& m) { m.mutable_device()->mutable_mouse()->set_x(65536); },
            "the mouse's x is 65536"},
           {[](Frame& m) {
              m.mutable_device()->mutable_touches(1)->set_pressure(65536);
            },
            "a touch's pressure is 65536"},
           {[](Frame& m) {
              while (m.device().touches_size() < 17) {
                m.mutable_device()->add_touches();
              }
            },
            "17 touches; at most 16"},
           {[](Frame& m) { m.mutable_activity()->set_wheel_y(-32768); },
            "wheel_y is -32768, outside -32767..32767"},
           {[](Frame& m) {
              m.mutable_activity()->set_text(std::string(257, 'a'));
            },
            "257 bytes of text; at most 256"},
           {[](Frame& m) { m.mutable_commands(0)->add_arguments(1); },
            "command build has values, and arguments as well"},
           {[](Frame& m) { m.mutable_commands(1)->add_values(); },
            "command order has 8 arguments; at most 7"},
           {[](Frame& m) {
              m.mutable_commands(1)->mutable_values(2)->clear_kind();
            },
            "command order is given as argument 3 a value of no kind"},
           {[](Frame& m) {
              m.mutable_commands(1)->mutable_values(6)->set_text(
                  std::string(65537, 'a'));
            },
            "command order is given as argument 7 65537 bytes of text"},
           {[](Frame& m) {
              m.mutable_commands(2)
                  ->mutable_values(2)
                  ->mutable_list()
                  ->add_values()
                  ->mutable_list();
            },
            "command plan is given as argument 3 a list in a list"},
           {[](Frame& m) {
              for (int i = 0; i < 7; ++i) {
                m.mutable_commands(2)
                    ->mutable_values(2)
                    ->mutable_list()
                    ->add_values();
              }
            },
            "command plan is given as argument 3 a list of 9 values"}}) {
    v1::InputFrame message =
        ToProto(sim::EveryInputFrame(), sim::EveryInputGrammar());
    mistake.make(message);

    const absl::Status status = FromProto(message).status();

    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("player 0: " + mistake.problem));
  }
}

TEST(ProtoConversionTest, DeviceAtRestTakesNoBytes) {
  const v1::InputFrame message =
      ToProto(sim::InputFrame{}, MakeTiny()->info().inputs);

  EXPECT_EQ(message.ByteSizeLong(), 0u);
}

TEST(ProtoConversionTest, AxesAtRestAtTheEndAreLeftOut) {
  EXPECT_EQ(FullMessage().device().axes_size(), 1);
}

TEST(ProtoConversionTest, AxisOutsideTheRangeIsInvalid) {
  for (const int32_t value : {-32768, 32768, INT32_MIN, INT32_MAX}) {
    v1::InputFrame message = FullMessage();
    message.mutable_device()->set_axes(0, value);

    const absl::Status status = FromProto(message).status();

    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("axis 0"));
  }
}

TEST(ProtoConversionTest, NinthAxisIsInvalid) {
  v1::InputFrame message = FullMessage();
  while (message.device().axes_size() < 9)
    message.mutable_device()->add_axes(0);

  EXPECT_EQ(FromProto(message).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ProtoConversionTest, CommandWithoutANameIsInvalid) {
  v1::InputFrame message = FullMessage();
  message.mutable_commands(0)->clear_name();

  EXPECT_EQ(FromProto(message).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ProtoConversionTest, TooManyArgumentsAreInvalid) {
  v1::InputFrame message = FullMessage();
  message.mutable_commands(0)->clear_values();
  for (int i = 0; i < 16; ++i) message.mutable_commands(0)->add_arguments(0);

  EXPECT_EQ(FromProto(message).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ProtoConversionTest, TooManyCommandsExhaust) {
  v1::InputFrame message = FullMessage();
  for (int i = 0; i < 64; ++i) message.add_commands()->set_name("teleport");

  EXPECT_EQ(FromProto(message).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(ProtoConversionTest, TwoFramesOfOnePlayerAreInvalid) {
  v1::TickInputs tick;
  *tick.add_frames() = FullMessage();
  *tick.add_frames() = FullMessage();

  EXPECT_EQ(FromProto(tick.frames()).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ProtoConversionTest, PlayerBeyondTheLimitIsInvalid) {
  v1::TickInputs tick;
  tick.add_frames()->set_player(sim::kPlayersMax);

  EXPECT_EQ(FromProto(tick.frames()).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ProtoConversionTest, FramesComeInTheOrderOfPlayers) {
  v1::TickInputs tick;
  tick.add_frames()->set_player(3);
  tick.add_frames()->set_player(1);

  const absl::StatusOr<std::vector<sim::InputFrame>> frames =
      FromProto(tick.frames());

  ASSERT_TRUE(frames.ok()) << frames.status();
  EXPECT_EQ(frames->at(0).player, 1u);
  EXPECT_EQ(frames->at(1).player, 3u);
}

TEST(ProtoConversionTest, EventArgumentsKeepTypeAndSign) {
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
  const sim::Id name = sim::IdOf("score");
  const auto argument = [&](sim::ScalarType type, uint64_t bits) {
    return sim::EventArgument{.name = name, .value = {type, bits}};
  };
  const sim::Event event = {
      .tick = 5,
      .type = sim::IdOf("goal_reached"),
      .object = kRunner,
      .arguments = {argument(sim::ScalarType::kInt16, 0xffff),
                    argument(sim::ScalarType::kInt32, 0xfffffffe),
                    argument(sim::ScalarType::kUint64, ~uint64_t{0}),
                    argument(sim::ScalarType::kBool, 1),
                    argument(sim::ScalarType::kId, name.value),
                    argument(sim::ScalarType::kObject, kDrifter.serial)}};

  const v1::Event message = ToProto(event, *simulation);

  EXPECT_EQ(message.type(), "goal_reached");
  EXPECT_EQ(message.object_name(), "runner");
  ASSERT_EQ(message.arguments_size(), 6);
  EXPECT_EQ(message.arguments(0).int_value(), -1);
  EXPECT_EQ(message.arguments(1).int_value(), -2);
  EXPECT_EQ(message.arguments(2).uint_value(), ~uint64_t{0});
  EXPECT_TRUE(message.arguments(3).bool_value());
  EXPECT_EQ(message.arguments(4).id_value(), "score");
  EXPECT_EQ(message.arguments(5).object_value(), "drifter");
}

TEST(ProtoConversionTest, FrameCarriesItsTime) {
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
  sim::Frame frame = simulation->ProduceFrame();
  frame.tick = 30;

  const v1::Frame message = ToProto(frame, {.ticks_per_second = 60});

  EXPECT_EQ(message.time_ns(), 500'000'000u);
  ASSERT_EQ(message.objects_size(), 2);
  EXPECT_EQ(message.objects(1).name(), "drifter");
  EXPECT_EQ(message.objects(1).shapes(0).kind(), v1::FrameShape::KIND_SPHERE);
}

TEST(ProtoConversionTest, MeshesAreNumberedAndFlat) {
  v1::Frame message;
  AddMeshes({{.vertices = {{1, 2, 3}}, .triangles = {}},
             {.vertices = {{4, 5, 6}, {7, 8, 9}},
              .triangles = {{0, 1, 0}, {1, 1, 0}}}},
            message);
  ASSERT_EQ(message.meshes_size(), 2);
  EXPECT_EQ(message.meshes(1).mesh(), 1u);
  EXPECT_THAT(message.meshes(1).vertices(), ElementsAre(4, 5, 6, 7, 8, 9));
  EXPECT_THAT(message.meshes(1).triangles(), ElementsAre(0, 1, 0, 1, 1, 0));
}

TEST(ProtoConversionTest, OutcomesComeBackAsTheyWere) {
  for (const auto status :
       {sim::Outcome::Status::kRunning, sim::Outcome::Status::kWon,
        sim::Outcome::Status::kLost}) {
    EXPECT_EQ(*FromProto(ToProto(status)), status);
  }
}

TEST(ProtoConversionTest, UnspecifiedOutcomeIsInvalid) {
  EXPECT_EQ(FromProto(v1::RunEnd::OUTCOME_UNSPECIFIED).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that keyframes outlive a change of tables: recordings of a simulation
// with other rows are sought in, verified room by room and gone on with only as
// far as nothing is lost or made up, and what stands in the way is named.

#include "replays/format/keyframe_state.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_topics.h"
#include "replays/format/schema_difference.h"
#include "replays/playing/replay_player.h"
#include "replays/recording/replay_recovery.h"
#include "replays/recording/resumed_recording.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/reshaped_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/verifying/verifier.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "sim/state/state_codec.h"
#include "sim/state/state_schema_codec.h"

namespace reprise::replays {
namespace {

using sim::ScalarType;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Fields = std::vector<sim::Field>;

std::string TextOf(const absl::Status& status) {
  return std::string(status.message());
}

// What an older build had: the same fields in another order.
void MoveFields(std::string_view /*room*/, std::string_view table,
                Fields& fields) {
  if (table == "game") {
    std::rotate(fields.begin(), fields.begin() + 1, fields.end());
  }
}

void AddMass(std::string_view /*room*/, std::string_view table,
             Fields& fields) {
  if (table == "pieces") {
    fields.push_back(NewField("mass", ScalarType::kDouble, "kg"));
  }
}

void LongerAxes(std::string_view /*room*/, std::string_view table,
                Fields& fields) {
  if (table == "device") fields.back().count = 12;
}

sim::State TinyShape(const ChangeFields& change) {
  return ChangeShape(MakeTiny()->state(), change);
}

// A room more, with a table that never gets a row.
sim::State WithObstacles(sim::State shape) {
  shape.AddTable("maze", std::make_shared<const sim::RowSchema>(
                             "obstacles", 0,
                             Fields{NewField("x", ScalarType::kDouble, "m")}));
  return shape;
}

// The state of an ordinary run.
sim::Digest RootAt(sim::Tick tick) {
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
  RestlessInputs inputs;
  while (simulation->tick() < tick) {
    simulation->Step(*inputs.FramesAt(simulation->tick()), nullptr);
  }
  return simulation->state().ComputeRootDigest();
}

ReplayKeyframe KeyframeOf(const sim::State& state, const sim::State& shape) {
  return {.tick = 0,
          .chain = {},
          .state = sim::EncodeState(state),
          .shape = std::make_shared<const sim::State>(shape)};
}

// Rows for every table, so that each change touches some.
sim::State WithRows(sim::State shape) {
  for (uint32_t i = 0; i < shape.table_count(); ++i) {
    shape.mutable_table({i}).Resize(2);
  }
  return shape;
}

TEST(KeyframeStateTest, MovedFieldsAndNewTablesCostNothing) {
  const Bytes file = RecordReshaped(TinyShape(MoveFields));
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const ReplayKeyframe keyframe = **replay->FindKeyframe(85);
  const absl::StatusOr<sim::State> carried =
      CarryKeyframe(keyframe, MakeTiny()->state());
  ASSERT_TRUE(carried.ok()) << carried.status();
  EXPECT_EQ(carried->ComputeRootDigest(), RootAt(80));
  const absl::StatusOr<sim::State> more =
      CarryKeyframe(keyframe, WithObstacles(MakeTiny()->state()));
  ASSERT_TRUE(more.ok()) << more.status();
  EXPECT_EQ(more->table(*more->Find("maze", "obstacles")).row_count(), 0u);
}

TEST(KeyframeStateTest, TableThatWentWithoutRowsIsNotMissed) {
  const Bytes file = RecordReshaped(WithObstacles(TinyShape(MoveFields)));
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const std::unique_ptr<ReplayPlayer> player =
      *ReplayPlayer::Create(replay.get());
  ASSERT_TRUE(player->SeekTo(85).ok());
  EXPECT_EQ(player->keyframe_refusal(), "");
  EXPECT_EQ(player->simulation().state().ComputeRootDigest(), RootAt(85));
}

TEST(KeyframeStateTest, SeekPlaysFromTheStartWhereSomethingWouldBeMadeUp) {
  const Bytes file = RecordReshaped(TinyShape(AddMass));
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const std::unique_ptr<ReplayPlayer> player =
      *ReplayPlayer::Create(replay.get());
  ASSERT_TRUE(player->SeekTo(85).ok());
  EXPECT_EQ(player->keyframe_refusal(),
            "the keyframe of tick 80: not all of it is found by name: "
            "board.pieces mass: removed, double [kg]");
  EXPECT_EQ(player->simulation().state().ComputeRootDigest(), RootAt(85));
}

TEST(KeyframeStateTest, WhatIsLostOrMadeUpIsNamed) {
  const sim::State today = MakeTiny()->state();
  const ChangeFields no_score = [](std::string_view, std::string_view table,
                                   Fields& fields) {
    if (table == "game") fields.erase(fields.begin() + 1);
  };
  const ChangeFields other_unit = [](std::string_view, std::string_view table,
                                     Fields& fields) {
    if (table == "pieces") fields.back().unit = "cm";
  };
  const ChangeFields no_die = [](std::string_view, std::string_view table,
                                 Fields& fields) {
    if (table == "die") fields.clear();
  };
  const std::vector<std::pair<ChangeFields, std::string>> cases = {
      {AddMass, "board.pieces mass: removed, double [kg]"},
      {no_score, "board.game score: added, int64"},
      {LongerAxes, "board.device axes: int16[12] [1/32767] | int16[8]"},
      {other_unit, "board.pieces y: double [cm] | double [m]"},
  };
  for (const auto& [change, sentence] : cases) {
    const sim::State shape = TinyShape(change);
    const absl::Status status =
        CarryKeyframe(KeyframeOf(WithRows(shape), shape), today).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(TextOf(status), HasSubstr(sentence));
    // Without rows, nothing is.
    EXPECT_TRUE(CarryKeyframe(KeyframeOf(shape, shape), today).ok());
  }
  const sim::State before = MakeTiny()->state();
  EXPECT_THAT(TextOf(CarryKeyframe(KeyframeOf(WithRows(before), before),
                                   TinyShape(no_die))
                         .status()),
              HasSubstr("chance.die: removed"));
}

// Its bits are properties by their places.
TEST(KeyframeStateTest, ComponentsThatWereReorderedAreNotCarriedOver) {
  const auto make = [](const Fields& properties) {
    Fields fields = {NewField("object", ScalarType::kObject, ""),
                     NewField("overridden", ScalarType::kUint64, "")};
    fields.insert(fields.end(), properties.begin(), properties.end());
    for (uint32_t i = 0; i < fields.size(); ++i) fields[i].offset = 8 * i;
    sim::State state;
    state.AddTable("components",
                   std::make_shared<const sim::RowSchema>("tag", 1, fields));
    return state;
  };
  const sim::Field a = NewField("a", ScalarType::kInt64, "");
  const sim::Field b = NewField("b", ScalarType::kInt64, "");
  const sim::State shape = make({a, b});
  EXPECT_THAT(
      TextOf(CarryKeyframe(KeyframeOf(WithRows(shape), shape), make({b, a}))
                 .status()),
      HasSubstr("components.tag: its fields in another order"));
}

TEST(KeyframeStateTest, StateThatWasRecordedIsShownWhole) {
  const sim::State shape = TinyShape(AddMass);
  const Bytes file = RecordReshaped(shape);
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const absl::StatusOr<sim::State> state =
      DecodeRecordedState(**replay->FindKeyframe(40));
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_TRUE(state->CheckSameShape(shape).ok());
  EXPECT_EQ(state->table(*state->Find("board", "pieces")).row_count(), 2u);
}

TEST(KeyframeStateTest, VerificationProvesNoTickAndComparesTheSameRooms) {
  const Bytes file = RecordReshaped(WithObstacles(TinyShape(AddMass)));
  for (const uint32_t threads : {1u, 4u}) {
    const auto report = *VerifyReplay(**OpenReplay(file), {.threads = threads});
    EXPECT_FALSE(report.passed());
    EXPECT_EQ(report.ticks_verified, 0u);
    EXPECT_FALSE(report.divergence.has_value());
    ASSERT_TRUE(report.rooms.has_value());
    EXPECT_THAT(report.rooms->compared, ElementsAre("chance"));
    EXPECT_THAT(report.rooms->not_compared, ElementsAre("board", "maze"));
    EXPECT_EQ(report.digests_compared, 11u);
    EXPECT_EQ(report.rooms->keyframes_compared, 3u);
    EXPECT_EQ(FormatSchemaDifferences(report.rooms->schema_differences),
              "the schemas of the states differ:\n"
              "  board.pieces mass: removed, double [kg]\n"
              "  maze.obstacles: removed\n");
  }
}

TEST(KeyframeStateTest, VerificationFindsWhatDiffersInTheSameRooms) {
  const std::unique_ptr<sim::Simulation> tiny = MakeTiny();
  const sim::TableIndex die = *tiny->state().Find("chance", "die");
  const Bytes file = RecordReshaped(
      TinyShape(AddMass),
      Injection{.tick = 33,
                .address = {.table = die, .row = 0, .scalar = {0, 2}},
                .value = {ScalarType::kUint64, 1000}});
  const auto report = *VerifyReplay(**OpenReplay(file), {});
  ASSERT_TRUE(report.divergence.has_value());
  EXPECT_THAT(report.divergence->rooms, ElementsAre("chance"));
  EXPECT_EQ(report.divergence->last_equal_tick, 30u);
  EXPECT_EQ(report.divergence->first_different_tick, 40u);
  ASSERT_FALSE(report.divergence->fields.empty());
}

TEST(KeyframeStateTest, VerificationComparesTheOtherRoomsAtKeyframes) {
  const Bytes file =
      RecordReshaped(TinyShape(AddMass),
                     OneUlpMore(*MakeTiny(), "board", "pieces", 1, "x", 5));
  const auto report = *VerifyReplay(**OpenReplay(file), {});
  ASSERT_TRUE(report.divergence.has_value());
  EXPECT_THAT(report.divergence->rooms, IsEmpty());
  EXPECT_EQ(report.divergence->first_different_tick, 40u);
  EXPECT_EQ(report.divergence->fields_tick, 40u);
  EXPECT_EQ(report.divergence->fields[0].field, "x");
}

TEST(KeyframeStateTest, NobodyGoesOnWithARecordingOfOtherTables) {
  const Bytes file = RecordReshaped(TinyShape(MoveFields));
  Bytes branch;
  const absl::Status status =
      ResumedRecording::Branch(**OpenReplay(file), "parent.mcap", 50,
                               std::make_unique<MemorySink>(&branch))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(TextOf(status),
              HasSubstr("the recording is of other tables: "
                        "board.game: its fields in another order"));
  EXPECT_THAT(branch, IsEmpty());
}

TEST(KeyframeStateTest, RecoveredFilesAndCutOffOnesKeepTheSchema) {
  const Bytes file = RecordTiny();
  Bytes saved;
  MemorySink sink(&saved);
  ASSERT_TRUE(RecoverReplay(std::make_unique<MemorySource>(file), &sink).ok());
  const Bytes cut_off = RecordTiny({.tick_count = 1, .is_finished = false});
  for (const Bytes& left : {file, saved, cut_off}) {
    const auto replay = OpenReplay(left);
    ASSERT_TRUE(replay.ok()) << replay.status();
    const auto shape = (*replay)->ReadShape();
    ASSERT_TRUE(shape.ok()) << shape.status();
    ASSERT_NE(*shape, nullptr);
    EXPECT_TRUE((*shape)->CheckSameShape(MakeTiny()->state()).ok());
  }
}

TEST(KeyframeStateTest, FileWithoutKeyframesSaysNothingOfItsTables) {
  TinyRecordingOptions options;
  options.writer.keyframe_stride = 0;
  const Bytes file = RecordTiny(options);
  EXPECT_EQ(*(*OpenReplay(file))->ReadShape(), nullptr);
}

// Two keyframes of the tiny simulation as messages, to lie with.
class LyingSchemaTest : public testing::Test {
 protected:
  LyingSchemaTest() {
    const std::unique_ptr<sim::Simulation> tiny = MakeTiny();
    first_.set_state(sim::EncodeState(tiny->state()));
    first_.set_schema(*sim::EncodeStateSchema(tiny->state()));
    tiny->Step({}, nullptr);
    second_.set_tick(1);
    second_.set_state(sim::EncodeState(tiny->state()));
  }

  Bytes Forge() const {
    v1::InputBatch inputs;
    inputs.set_tick_count(1);
    return ForgedReplay()
        .Add(kKeyframesTopic, 0, first_)
        .Add(kInputsTopic, 0, inputs)
        .Add(kKeyframesTopic, 1, second_)
        .Finish();
  }

  // Of reading both and taking them into a simulation.
  absl::Status Use() const {
    const Bytes file = Forge();
    const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
    const auto keyframes = replay->ReadKeyframes();
    const std::unique_ptr<sim::Simulation> simulation = MakeTiny();
    while (true) {
      const auto keyframe = keyframes->Next();
      if (!keyframe.ok()) return keyframe.status();
      if (!keyframe->has_value()) return absl::OkStatus();
      const absl::Status status = RestoreKeyframe(**keyframe, *simulation);
      if (!status.ok()) return status;
    }
  }

  v1::Keyframe first_;
  v1::Keyframe second_;
};

TEST_F(LyingSchemaTest, TheTruthIsTaken) { EXPECT_TRUE(Use().ok()) << Use(); }

TEST_F(LyingSchemaTest, WhatCannotBeIsRefusedByName) {
  first_.set_schema("board");
  EXPECT_EQ(Use().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(TextOf(Use()), HasSubstr("/keyframes, message 0 (in chunk 0): "
                                       "schema: cut off at byte 0"));
}

TEST_F(LyingSchemaTest, OtherRoomsThanTheMetadatasAreRefused) {
  first_.set_schema(*sim::EncodeStateSchema(WithObstacles({})));
  EXPECT_EQ(Use().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(TextOf(Use()),
              HasSubstr("its rooms are not those of the metadata"));
}

TEST_F(LyingSchemaTest, OtherTablesThanTheStatesAreRefused) {
  first_.set_schema(*sim::EncodeStateSchema(TinyShape(LongerAxes)));
  EXPECT_EQ(Use().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(TextOf(Use()),
              HasSubstr("the keyframe of tick 0: snapshot: it is of other "
                        "tables than the file says"));
}

TEST_F(LyingSchemaTest, LaterStateOfOtherTablesIsRefused) {
  second_.set_state(sim::EncodeState(TinyShape(LongerAxes)));
  EXPECT_EQ(Use().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(TextOf(Use()), HasSubstr("the keyframe of tick 1"));
}

TEST_F(LyingSchemaTest, SecondSchemaIsRefused) {
  second_.set_schema(first_.schema());
  EXPECT_EQ(Use().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(TextOf(Use()), HasSubstr("message 1 (in chunk 0): a second"));
}

TEST_F(LyingSchemaTest, EveryFlippedBitIsRefused) {
  const std::string schema = first_.schema();
  for (size_t bit = 0; bit < 8 * schema.size(); ++bit) {
    std::string& damaged = *first_.mutable_schema();
    damaged = schema;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_EQ(Use().code(), absl::StatusCode::kDataLoss) << "bit " << bit;
  }
}

}  // namespace
}  // namespace reprise::replays

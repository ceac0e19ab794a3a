// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/plugin_simulation.h"

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/plugins/foreign_call.h"
#include "sim/plugins/testing_plugin.h"
#include "sim/state/field_value.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr uint64_t kSeed = 5;

absl::StatusOr<std::unique_ptr<Simulation>> TryCreate(
    PluginMistake mistake = PluginMistake::kNone) {
  return PluginSimulation::Create(MakeTestingPlugin(mistake),
                                  MakeTestingPluginPack(), kSeed);
}

std::unique_ptr<Simulation> Create(
    PluginMistake mistake = PluginMistake::kNone) {
  absl::StatusOr<std::unique_ptr<Simulation>> simulation = TryCreate(mistake);
  EXPECT_TRUE(simulation.ok()) << simulation.status();
  return *std::move(simulation);
}

InputFrame Push(int16_t axis) {
  InputFrame frame;
  frame.device.axes[1] = axis;
  return frame;
}

// A restless second player.
std::vector<InputFrame> InputsAt(Tick tick) {
  InputFrame frame = Push(static_cast<int16_t>(tick % 3 * 1000));
  frame.player = 1;
  frame.device.buttons = tick % 2 << 3;
  return {frame};
}

std::vector<Digest> DigestsUpTo(Simulation& simulation, Tick end) {
  std::vector<Digest> digests;
  while (simulation.tick() < end) {
    simulation.Step(InputsAt(simulation.tick()), nullptr);
    EXPECT_TRUE(simulation.status().ok()) << simulation.status();
    digests.push_back(simulation.state().ComputeRootDigest());
  }
  return digests;
}

FieldAddress AddressOf(const Simulation& simulation, std::string_view room,
                       std::string_view table, uint32_t row,
                       std::string_view field) {
  const State& state = simulation.state();
  const TableIndex index = state.Find(room, table).value();
  return {.table = index,
          .row = row,
          .scalar = state.table(index).schema().Find(field).value()};
}

FieldValue Read(const Simulation& simulation, std::string_view table,
                uint32_t row, std::string_view field) {
  return ReadScalar(simulation.state(),
                    AddressOf(simulation, "game", table, row, field));
}

FieldValue ReadMemory(const Simulation& simulation, std::string_view field) {
  return ReadScalar(simulation.state(),
                    AddressOf(simulation, "memory", "arena", 0, field));
}

// The error of a run that goes on to tick 30 if it can.
std::string ErrorOf(PluginMistake mistake) {
  absl::StatusOr<std::unique_ptr<Simulation>> made = TryCreate(mistake);
  if (!made.ok()) return std::string(made.status().message());
  Simulation& simulation = **made;
  while (simulation.tick() < 31 && simulation.status().ok()) {
    simulation.Step(std::vector{Push(32767)}, nullptr);
  }
  return std::string(simulation.status().message());
}

TEST(PluginSimulationTest, SaysWhatItIs) {
  const std::unique_ptr<Simulation> simulation = Create();

  const SimulationInfo& info = simulation->info();
  EXPECT_EQ(info.simulation, "counters");
  EXPECT_EQ(info.pack, "tally");
  EXPECT_EQ(info.pack_digest, MakeTestingPluginPack().ComputeDigest());
  EXPECT_EQ(info.seed, kSeed);
  EXPECT_EQ(info.tick_rate.ticks_per_second, 50U);
  EXPECT_EQ(info.rules_revision, 3U);
  EXPECT_EQ(info.inputs.player_count, 2U);
  EXPECT_THAT(info.inputs.actions, SizeIs(7));
  EXPECT_EQ(simulation->description()
                .FindLegend("game", "counters", "sign")
                ->NameOf(Read(*simulation, "counters", 0, "sign")),
            "minus");
  EXPECT_EQ(simulation->ObjectName({3}), "counter_3");
  EXPECT_EQ(simulation->IdName(IdOf("moved")), "moved");
}

TEST(PluginSimulationTest, SmallScalarsKeepTheirValues) {
  const std::unique_ptr<Simulation> simulation = Create();

  EXPECT_EQ(Read(*simulation, "counters", 0, "value").AsDouble(), kSeed);
  EXPECT_EQ(Read(*simulation, "counters", 0, "half").AsDouble(), 0.5);
  EXPECT_EQ(Read(*simulation, "counters", 0, "small").AsNumber(), 12);
  EXPECT_EQ(Read(*simulation, "counters", 0, "sign").AsNumber(), -1);
  EXPECT_EQ(Read(*simulation, "counters", 0, "medium").AsNumber(), 65535);
}

TEST(PluginSimulationTest, TwoOfThemAgree) {
  const std::unique_ptr<Simulation> first = Create();
  const std::unique_ptr<Simulation> second = first->Fork();

  EXPECT_EQ(DigestsUpTo(*first, 200), DigestsUpTo(*second, 200));
}

TEST(PluginSimulationTest, GoesOnFromEachTick) {
  const std::unique_ptr<Simulation> whole = Create();
  std::vector<State> snapshots;
  std::vector<Digest> digests;
  while (whole->tick() < 60) {
    snapshots.push_back(whole->state());
    whole->Step(InputsAt(whole->tick()), nullptr);
    digests.push_back(whole->state().ComputeRootDigest());
  }

  const std::unique_ptr<Simulation> other = whole->Fork();
  for (size_t tick = 60; tick-- > 0;) {
    ASSERT_TRUE(other->Restore(snapshots[tick]).ok());
    EXPECT_EQ(other->tick(), tick);
    other->Step(InputsAt(tick), nullptr);
    EXPECT_EQ(other->state().ComputeRootDigest(), digests[tick]) << tick;
  }
}

TEST(PluginSimulationTest, RowsOfManyPagesComeAndGo) {
  const std::unique_ptr<Simulation> simulation = Create();
  DigestsUpTo(*simulation, 3000);

  const State& state = simulation->state();
  const Table& counters = state.table(*state.Find("game", "counters"));
  EXPECT_EQ(counters.row_count(), 301U);
  EXPECT_GT(counters.page_count(), 2U);
  const std::unique_ptr<Simulation> fork = simulation->Fork();
  EXPECT_EQ(fork->state().ComputeRootDigest(), state.ComputeRootDigest());
}

TEST(PluginSimulationTest, KeysAreComparedAcrossPages) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kUnorderedAcrossPages);
  const State& state = simulation->state();
  ASSERT_EQ(state.table(*state.Find("game", "counters")).rows_per_page(), 117U);
  while (simulation->tick() < 2001 && simulation->status().ok()) {
    simulation->Step({}, nullptr);
  }

  EXPECT_EQ(simulation->tick(), 2000U);
  EXPECT_EQ(std::string(simulation->status().message()),
            "plug-in 'counters': rows: table 'counters' row 117: its key isn't "
            "above that of the row before it");
}

TEST(PluginSimulationTest, PlayersReachIt) {
  const auto seen = [](const std::vector<InputFrame>& frames) {
    const std::unique_ptr<Simulation> simulation = Create();
    EXPECT_TRUE(simulation->Validate(frames).ok())
        << simulation->Validate(frames);
    simulation->Step(frames, nullptr);
    EXPECT_TRUE(simulation->status().ok());
    return Read(*simulation, "player", 0, "seen").bits;
  };
  InputFrame frame;
  EXPECT_EQ(seen({frame}), 0U);
  frame.device.buttons = 8;
  EXPECT_EQ(seen({frame}), 24U * 37);
  frame.player = 1;
  EXPECT_EQ(seen({frame}), 24U);
  frame.device.keys.Add(44);
  EXPECT_EQ(seen({frame}), 24U + (uint64_t{5} << 44));
  frame.device = {};
  frame.device.mouse.x = 3;
  frame.device.mouse.y = 2;
  EXPECT_EQ(seen({frame}), 59U);
  frame.device = {};
  frame.device.touches = {{.id = 1, .x = 2, .y = 3, .pressure = 4}};
  EXPECT_EQ(seen({frame}), 17U + 2 * 19 + 3 * 23 + 4 * 29);
  frame.device = {};
  frame.activity.text = "ab";
  EXPECT_EQ(seen({frame}), uint64_t{'a'} * 31 + 'b');
}

TEST(PluginSimulationTest, WhatIsHeldStaysHeld) {
  const std::unique_ptr<Simulation> simulation = Create();
  simulation->Step(std::vector{Push(32767)}, nullptr);
  simulation->Step({}, nullptr);

  EXPECT_EQ(Read(*simulation, "counters", 0, "value").AsDouble(), kSeed + 2.0);
}

TEST(PluginSimulationTest, CommandsCarryTheirValues) {
  const std::unique_ptr<Simulation> simulation = Create();
  InputFrame frame;
  // A whole number does for a number.
  frame.commands = {{.name = IdOf("add"), .arguments = {4, "four"}}};
  ASSERT_TRUE(simulation->Validate(std::vector{frame}).ok());
  simulation->Step(std::vector{frame}, nullptr);

  EXPECT_EQ(Read(*simulation, "counters", 0, "value").AsDouble(), kSeed + 4.0);
  // The second player, who gives nothing, comes after the first.
  EXPECT_EQ(Read(*simulation, "player", 0, "seen").bits, 4U * 37);
}

TEST(PluginSimulationTest, TellsEventsOutcomeAndFrame) {
  const std::unique_ptr<Simulation> simulation = Create();
  simulation->Step(std::vector{Push(32767)}, nullptr);

  EXPECT_THAT(
      simulation->DrainEvents(),
      ElementsAre(
          Event{.tick = 0,
                .type = IdOf("moved"),
                .object = {1},
                .arguments = {{.name = IdOf("value"),
                               .value = FieldValue::OfDouble(kSeed + 1.0)}}}));
  EXPECT_EQ(simulation->outcome().status, Outcome::Status::kRunning);
  DigestsUpTo(*simulation, 21);
  EXPECT_EQ(simulation->outcome(), (Outcome{.status = Outcome::Status::kWon,
                                            .reason = "four counters"}));
  const Frame frame = simulation->ProduceFrame();
  ASSERT_THAT(frame.objects, SizeIs(4));
  EXPECT_EQ(frame.objects[0].type, "counter");
  EXPECT_EQ(frame.objects[0].shapes[0].size.x, 0.5);
  EXPECT_EQ(TestingPluginPictureCount(), 0U);
  const auto picture = simulation->ProducePicture();
  EXPECT_EQ(TestingPluginPictureCount(), 1U);
  ASSERT_TRUE(picture.ok()) << picture.status();
  ASSERT_TRUE(picture->has_value());
  EXPECT_EQ((*picture)->width, 2U);
  EXPECT_THAT((*picture)->pixels, ElementsAre(255, 0, 0, 0, 0, 0));
}

TEST(PluginSimulationTest, PictureThatCantBeIsNamed) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kPictureTooLarge);

  const absl::Status shown = simulation->ProducePicture().status();

  EXPECT_EQ(shown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(shown.message(),
            "frame: a picture of 5000 by 1 pixels can't be: at most 4096 by "
            "4096");
  // Whoever doesn't ask for it isn't told, and the run goes on.
  EXPECT_THAT(simulation->ProduceFrame().objects, SizeIs(1));
  EXPECT_TRUE(simulation->status().ok());
}

TEST(PluginSimulationTest, InjectedScalarIsTaken) {
  const std::unique_ptr<Simulation> simulation = Create();
  const State& state = simulation->state();
  const TableIndex table = *state.Find("game", "counters");
  const FieldAddress value = {
      .table = table,
      .row = 0,
      .scalar = *state.table(table).schema().Find("value")};

  ASSERT_TRUE(simulation->Inject(value, FieldValue::OfDouble(9.0)).ok());
  simulation->Step(std::vector{Push(32767)}, nullptr);
  EXPECT_EQ(Read(*simulation, "counters", 0, "value").AsDouble(), 10.0);
}

TEST(PluginSimulationTest, RefusedSnapshotChangesNothing) {
  const std::unique_ptr<Simulation> simulation = Create();
  DigestsUpTo(*simulation, 15);
  const Digest before = simulation->state().ComputeRootDigest();
  State empty = simulation->state();
  const TableIndex table = *empty.Find("game", "counters");
  empty.mutable_table(table).Resize(0);
  State wide = simulation->state();
  // 256 is no number of the plug-in's.
  ASSERT_TRUE(WriteScalar(wide,
                          {.table = table,
                           .row = 0,
                           .scalar = *wide.table(table).schema().Find("small")},
                          {.type = ScalarType::kUint32, .bits = 256})
                  .ok());

  EXPECT_THAT(std::string(simulation->Restore(empty).message()),
              HasSubstr("there is no counter"));
  EXPECT_THAT(std::string(simulation->Restore(wide).message()),
              HasSubstr("row 0: small is 256"));
  EXPECT_EQ(simulation->state().ComputeRootDigest(), before);
  const std::unique_ptr<Simulation> whole = Create();
  DigestsUpTo(*whole, 15);
  EXPECT_EQ(DigestsUpTo(*simulation, 30), DigestsUpTo(*whole, 30));
}

TEST(PluginSimulationTest, RegionsFieldsHaveNamesAndItsBytesAreAllThere) {
  const std::unique_ptr<Simulation> simulation = Create();
  DigestsUpTo(*simulation, 3);

  EXPECT_EQ(ReadMemory(*simulation, "steps").AsNumber(), 3);
  EXPECT_EQ(ReadMemory(*simulation, "heat").AsDouble(), 0.0);
  const State& state = simulation->state();
  EXPECT_EQ(state.table(*state.Find("memory", "arena_pages")).row_count(), 2U);
  EXPECT_FALSE(state.Find("memory", "nameless").has_value());
  // Bytes 100 to 102, one each step; a word begins at 96.
  EXPECT_EQ(ReadScalar(state, AddressOf(*simulation, "memory", "arena_pages", 0,
                                        "words[12]"))
                .bits,
            0x0003030300000000U);
}

TEST(PluginSimulationTest, PageOfARegionThatStaysAsItWasIsNotWritten) {
  const std::unique_ptr<Simulation> simulation = Create();
  const State& state = simulation->state();
  const TableIndex pages = *state.Find("memory", "arena_pages");
  const uint64_t first = state.table(pages).PageStamp(0);
  const uint64_t second = state.table(pages).PageStamp(1);
  DigestsUpTo(*simulation, 5);

  EXPECT_NE(state.table(pages).PageStamp(0), first);
  EXPECT_EQ(state.table(pages).PageStamp(1), second);
}

TEST(PluginSimulationTest, InjectedFieldOfARegionIsInItsBytes) {
  const std::unique_ptr<Simulation> simulation = Create();
  ASSERT_TRUE(
      simulation
          ->Inject(AddressOf(*simulation, "memory", "arena", 0, "steps"),
                   {.type = ScalarType::kUint32, .bits = 77})
          .ok());
  simulation->Step({}, nullptr);

  EXPECT_EQ(ReadMemory(*simulation, "steps").AsNumber(), 78);
}

TEST(PluginSimulationTest, FieldOfARegionThatLiesInTwoPagesIsOne) {
  const std::unique_ptr<Simulation> simulation = Create();
  const auto word = [&](uint32_t page, std::string_view name) {
    return ReadScalar(simulation->state(), AddressOf(*simulation, "memory",
                                                     "arena_pages", page, name))
        .bits;
  };
  ASSERT_TRUE(
      simulation
          ->Inject(AddressOf(*simulation, "memory", "arena", 0, "seam"),
                   {.type = ScalarType::kUint64, .bits = 0x1122334455667788})
          .ok());
  // Bytes 4092 to 4099, of which a word begins at 4088 and at 4096.
  EXPECT_EQ(word(0, "words[511]"), 0x5566778800000000U);
  EXPECT_EQ(word(1, "words[0]"), 0x11223344U);

  ASSERT_TRUE(simulation
                  ->Inject(AddressOf(*simulation, "memory", "arena_pages", 1,
                                     "words[0]"),
                           {.type = ScalarType::kUint64, .bits = 0x99})
                  .ok());
  EXPECT_EQ(ReadMemory(*simulation, "seam").bits, 0x9955667788U);
  // The plug-in has it, too: what it shows from here on.
  const std::unique_ptr<Simulation> fork = simulation->Fork();
  ASSERT_TRUE(fork->status().ok()) << fork->status();
  EXPECT_EQ(ReadMemory(*fork, "seam").bits, 0x9955667788U);
}

TEST(PluginSimulationTest, PageOfARegionThatIsSaidNotToChangeIsNotRead) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kHidesAChangeOfARegion);
  DigestsUpTo(*simulation, 3);

  EXPECT_EQ(ReadMemory(*simulation, "steps").AsNumber(), 0);
}

// What FindHiddenChange says after each of `step_count` steps; the first.
std::string HiddenChangeOf(PluginMistake mistake, int step_count) {
  const std::unique_ptr<Simulation> simulation = Create(mistake);
  auto* const plugin = dynamic_cast<PluginSimulation*>(simulation.get());
  const std::vector<InputFrame> frames = {Push(3000)};
  for (int step = 0; step < step_count; ++step) {
    simulation->Step(frames, nullptr);
    absl::StatusOr<std::string> found = plugin->FindHiddenChange();
    EXPECT_TRUE(found.ok()) << found.status();
    if (!found.ok() || !found->empty()) return found.value_or("");
  }
  return "";
}

TEST(PluginSimulationTest, ChangeThatAPluginHidesIsFoundByItsField) {
  EXPECT_THAT(HiddenChangeOf(PluginMistake::kHidesAChange, 20),
              HasSubstr("game.counters counter_1 value: "));
  EXPECT_EQ(HiddenChangeOf(PluginMistake::kHidesAChangeOfARegion, 1),
            "memory.arena 0 steps: 0 | 1");
  EXPECT_EQ(HiddenChangeOf(PluginMistake::kNone, 20), "");
  // Nothing is said of what didn't change.
  EXPECT_EQ(HiddenChangeOf(PluginMistake::kDiffersEachTime, 20), "");
}

TEST(PluginSimulationTest, InjectedBytesOfARegionAreInItsField) {
  const std::unique_ptr<Simulation> simulation = Create();
  // Bytes 8 to 15, of which 10 and 11 count steps.
  ASSERT_TRUE(simulation
                  ->Inject(AddressOf(*simulation, "memory", "arena_pages", 0,
                                     "words[1]"),
                           {.type = ScalarType::kUint64, .bits = 5U << 16})
                  .ok());

  EXPECT_EQ(ReadMemory(*simulation, "steps").AsNumber(), 5);
}

TEST(PluginSimulationTest, SnapshotWhoseRegionContradictsItselfIsRefused) {
  const std::unique_ptr<Simulation> simulation = Create();
  State wrong = simulation->state();
  ASSERT_TRUE(WriteScalar(wrong,
                          AddressOf(*simulation, "memory", "arena", 0, "steps"),
                          {.type = ScalarType::kUint32, .bits = 7})
                  .ok());
  State longer = simulation->state();
  ASSERT_TRUE(WriteScalar(longer,
                          AddressOf(*simulation, "memory", "arena_pages", 1,
                                    "words[511]"),
                          {.type = ScalarType::kUint64, .bits = 7})
                  .ok());

  EXPECT_EQ(std::string(simulation->Restore(wrong).message()),
            "region 'arena' has fields that its bytes contradict");
  EXPECT_EQ(std::string(simulation->Restore(longer).message()),
            "region 'arena' has bytes behind its 5000");
}

TEST(PluginSimulationTest, ObjectOfAFrameWhoseSizeCantBeIsNamed) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kFrameObjectOfNoSize);
  const Frame frame = simulation->ProduceFrame();

  ASSERT_THAT(frame.objects, SizeIs(1));
  EXPECT_EQ(frame.objects[0].name,
            "object#1 (reprise_frame_object has a struct_size of 7 bytes, not "
            "104 to 4096)");
}

struct MistakeCase {
  PluginMistake mistake;
  const char* sentence;
};

class PluginMistakeTest : public ::testing::TestWithParam<MistakeCase> {};

TEST_P(PluginMistakeTest, EndsTheRunWithASentence) {
  EXPECT_EQ(ErrorOf(GetParam().mistake), GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(
    All, PluginMistakeTest,
    ::testing::Values(
        MistakeCase{PluginMistake::kNone, ""},
        MistakeCase{PluginMistake::kRefusesPack,
                    "plug-in 'counters': create: level.txt:1: no such level"},
        MistakeCase{PluginMistake::kMakesNothing,
                    "plug-in 'counters': create: it made nothing"},
        MistakeCase{PluginMistake::kFailsAtTickThree,
                    "plug-in 'counters': step: the counters ran out"},
        MistakeCase{PluginMistake::kFailsWithoutAWord,
                    "plug-in 'counters': step: it failed and doesn't say why"},
        MistakeCase{PluginMistake::kIsNan,
                    "plug-in 'counters': rows: table 'counters' row 0: value "
                    "is nan"},
        MistakeCase{PluginMistake::kIsNoBoolean,
                    "plug-in 'counters': rows: table 'counters' row 0: "
                    "is_moved is 2"},
        MistakeCase{PluginMistake::kUnorderedKeys,
                    "plug-in 'counters': rows: table 'counters' row 1: its "
                    "key isn't above that of the row before it"},
        MistakeCase{PluginMistake::kRowsAtNull,
                    "plug-in 'counters': rows: table 'counters' has 1 rows at "
                    "null, and at most 16777216 can be"},
        MistakeCase{PluginMistake::kTooManyRows,
                    "plug-in 'counters': rows: table 'counters' has "
                    "9223372036854775807 rows, and at most 16777216 can be"},
        MistakeCase{PluginMistake::kUnknownEvent,
                    "plug-in 'counters': an event: 'mvoed' isn't declared"},
        MistakeCase{PluginMistake::kEventWithoutArguments,
                    "plug-in 'counters': an event: 'moved' has 0 arguments, "
                    "and 1 are declared"},
        MistakeCase{PluginMistake::kEventWithNan,
                    "plug-in 'counters': an event: 'value' of 'moved' is NaN"},
        MistakeCase{
            PluginMistake::kEventAfterwards,
            "plug-in 'counters': an event: it was told outside of a step, or "
            "on another thread"},
        MistakeCase{PluginMistake::kUnknownOutcome,
                    "plug-in 'counters': outcome: status 9 is none"},
        MistakeCase{PluginMistake::kOutcomeWithoutReason,
                    "plug-in 'counters': outcome: its reason: it has no name"},
        MistakeCase{PluginMistake::kEventOfNoSize,
                    "plug-in 'counters': an event: reprise_event has a "
                    "struct_size of 3 bytes, not 40 to 4096"},
        MistakeCase{PluginMistake::kEventWithHalfAPointer,
                    "plug-in 'counters': an event: reprise_event has a "
                    "struct_size of 44 bytes, no multiple of 8"},
        MistakeCase{PluginMistake::kRowsOfNoSize,
                    "plug-in 'counters': rows: reprise_rows has a struct_size "
                    "of 0 bytes, not 40 to 4096"},
        MistakeCase{PluginMistake::kOutcomeOfNoSize,
                    "plug-in 'counters': outcome: reprise_outcome has a "
                    "struct_size of 5000 bytes, not 16 to 4096"},
        MistakeCase{PluginMistake::kItemsOfNoSize,
                    "plug-in 'counters': info: actions: a list of 7 items of 8 "
                    "bytes can't be: at most 65536, of 40 to 4096 bytes"},
        MistakeCase{PluginMistake::kRegionChangesSize,
                    "plug-in 'counters': rows: region 'arena' has 4999 bytes, "
                    "and 5000 are described"},
        MistakeCase{PluginMistake::kRegionAtNull,
                    "plug-in 'counters': rows: region 'arena' is at "
                    "null"},
        MistakeCase{PluginMistake::kRegionIsNan,
                    "plug-in 'counters': rows: table 'arena' row 0: heat is "
                    "nan"},
        MistakeCase{PluginMistake::kLongNameOfRegion,
                    "plug-in 'counters': info: region "
                    "'rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr"
                    "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr': its table of pages: "
                    "its name takes more than 1024 bytes"},
        MistakeCase{PluginMistake::kManyRegions,
                    "plug-in 'counters': info: tables and regions make 4002 "
                    "tables, and at most 4000 can be"},
        MistakeCase{PluginMistake::kWritesBehindError,
                    "plug-in 'counters': step: it wrote behind the 16 bytes of "
                    "reprise_error"},
        MistakeCase{PluginMistake::kWritesIntoStep,
                    "plug-in 'counters': step: it wrote into "
                    "reprise_step_arguments that it was shown"},
        MistakeCase{PluginMistake::kWritesBehindStep,
                    "plug-in 'counters': step: it wrote behind the 48 bytes of "
                    "reprise_step_arguments"},
        MistakeCase{PluginMistake::kWritesBehindPointer,
                    "plug-in 'counters': create: it wrote behind the 8 bytes "
                    "of the simulation's pointer"},
        MistakeCase{PluginMistake::kChangesFloatControl,
                    "plug-in 'counters': it changed the control of floating "
                    "point, and with it the results of whatever comes "
                    "next"}));

TEST(PluginSimulationTest, TextThatItWritesIntoEndsTheRunAndStaysAsItWas) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kWritesIntoTexts);
  InputFrame frame;
  frame.activity.text = "ab";
  simulation->Step(std::vector{frame}, nullptr);

  EXPECT_EQ(std::string(simulation->status().message()),
            "plug-in 'counters': step: it wrote into the texts that it was "
            "shown");
  EXPECT_EQ(frame.activity.text, "ab");
}

TEST(PluginSimulationTest, BytesBehindTheLastValueEndTheRun) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kWritesBehindValues);
  InputFrame frame;
  frame.commands = {{.name = IdOf("add"), .arguments = {4, "four"}}};
  simulation->Step(std::vector{frame}, nullptr);

  EXPECT_EQ(std::string(simulation->status().message()),
            "plug-in 'counters': step: it wrote behind the values of commands "
            "that it was shown");
}

TEST(PluginSimulationTest, NamesThatAreTooLongAreSaidToBe) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kLongNames);
  constexpr char kName[] = "object#1 (its name takes more than 1024 bytes)";

  // There is no room for more than a name may have.
  EXPECT_EQ(simulation->ObjectName({1}), std::string(1024, 'c'));
  const Frame frame = simulation->ProduceFrame();
  ASSERT_THAT(frame.objects, SizeIs(1));
  EXPECT_EQ(frame.objects[0].name, kName);
}

TEST(PluginSimulationTest, RegionThatItWritesBehindIsNamed) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kWritesBehindRegion);

  EXPECT_EQ(std::string(simulation->Restore(simulation->state()).message()),
            "plug-in 'counters': restore: it wrote behind the bytes of region "
            "'arena' that it was shown");
  EXPECT_FALSE(simulation->status().ok());
}

TEST(PluginSimulationTest, ListOfRowsThatItWritesIntoIsNamed) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kWritesIntoGivenLists);

  EXPECT_EQ(std::string(simulation->Restore(simulation->state()).message()),
            "plug-in 'counters': restore: it wrote into the list of rows that "
            "it was shown");
}

TEST(PluginSimulationTest, BytesBehindAFramesArgumentsEndTheRun) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kWritesBehindFrame);

  // What it drew is there nevertheless.
  EXPECT_THAT(simulation->ProduceFrame().objects, SizeIs(1));
  EXPECT_EQ(std::string(simulation->status().message()),
            "plug-in 'counters': frame: it wrote behind the 40 bytes of "
            "reprise_frame_arguments");
  simulation->Step({}, nullptr);
  EXPECT_EQ(simulation->tick(), 0U);
}

// What ends a run by what it does to memory isn't called again, and what ends
// it otherwise is destroyed.
TEST(PluginSimulationTest, WhatWroteWhereItMustNotIsNotDestroyed) {
  for (const PluginMistake mistake :
       {PluginMistake::kWritesBehindError, PluginMistake::kWritesIntoStep,
        PluginMistake::kWritesBehindPointer, PluginMistake::kRowsAtNull,
        PluginMistake::kTooManyRows, PluginMistake::kRowsOfNoSize,
        PluginMistake::kOutcomeOfNoSize, PluginMistake::kRegionAtNull,
        PluginMistake::kRegionChangesSize}) {
    EXPECT_NE(ErrorOf(mistake), "");
    EXPECT_EQ(TestingPluginDestroyedCount(), 0U) << static_cast<int>(mistake);
  }
  for (const PluginMistake mistake :
       {PluginMistake::kFailsAtTickThree, PluginMistake::kIsNan,
        PluginMistake::kUnorderedKeys, PluginMistake::kUnknownEvent,
        PluginMistake::kItemsOfNoSize, PluginMistake::kChangesFloatControl}) {
    EXPECT_NE(ErrorOf(mistake), "");
    EXPECT_EQ(TestingPluginDestroyedCount(), 1U) << static_cast<int>(mistake);
  }
}

// Where crashes are caught.
class PluginCrashTest : public ::testing::Test {
 protected:
  PluginCrashTest() { CatchForeignCrashes(true); }
  ~PluginCrashTest() override { CatchForeignCrashes(false); }
};

// A crash in one of its calls.
struct CrashCase {
  const char* call;
  void (*make)(Simulation& simulation);
};

class PluginCallCrashTest : public PluginCrashTest,
                            public ::testing::WithParamInterface<CrashCase> {};

TEST_P(PluginCallCrashTest, EndsTheRunAndNothingOfItIsCalledAgain) {
  std::unique_ptr<Simulation> simulation = Create();
  simulation->Step({}, nullptr);
  CrashTestingPluginIn(GetParam().call);
  GetParam().make(*simulation);

  const std::string sentence(simulation->status().message());
  EXPECT_THAT(sentence, HasSubstr("plug-in 'counters': "));
  EXPECT_THAT(sentence, HasSubstr(GetParam().call));
  EXPECT_THAT(sentence, HasSubstr("it crashes, signal 11"));
  CrashTestingPluginIn("");
  EXPECT_THAT(simulation->ProduceFrame().objects, SizeIs(0));
  EXPECT_THAT(simulation->ObjectName({1}), StartsWith("object#1"));
  simulation.reset();
  EXPECT_EQ(TestingPluginDestroyedCount(), 0U);
}

TEST_P(PluginCallCrashTest, AnotherOneGoesOnFromASnapshot) {
  const std::unique_ptr<Simulation> simulation = Create();
  const State start = simulation->state();
  CrashTestingPluginIn(GetParam().call);
  GetParam().make(*simulation);
  CrashTestingPluginIn("");

  EXPECT_TRUE(simulation->Restore(start).ok());
  simulation->Step({}, nullptr);
  EXPECT_EQ(simulation->tick(), 1U);
}

void MakeStep(Simulation& simulation) { simulation.Step({}, nullptr); }

INSTANTIATE_TEST_SUITE_P(
    All, PluginCallCrashTest,
    ::testing::Values(
        CrashCase{"step", &MakeStep}, CrashCase{"rows", &MakeStep},
        CrashCase{"outcome", &MakeStep},
        CrashCase{"restore",
                  [](Simulation& simulation) {
                    EXPECT_FALSE(simulation.Restore(simulation.state()).ok());
                  }},
        CrashCase{"frame",
                  [](Simulation& simulation) { simulation.ProduceFrame(); }},
        CrashCase{"object_name",
                  [](Simulation& simulation) {
                    EXPECT_THAT(simulation.ObjectName({1}),
                                HasSubstr("object#1 (object_name: it crash"));
                  }}),
    [](const auto& instance) { return std::string(instance.param.call); });

TEST_F(PluginCrashTest, OfAForkIsTheForksOwn) {
  const std::unique_ptr<Simulation> simulation = Create();
  for (const char* const call : {"create", "info", "restore"}) {
    CrashTestingPluginIn(call);
    const std::unique_ptr<Simulation> fork = simulation->Fork();
    CrashTestingPluginIn("");
    EXPECT_THAT(std::string(fork->status().message()), HasSubstr(call));
  }
  EXPECT_EQ(TestingPluginDestroyedCount(), 0U);
  simulation->Step({}, nullptr);
  EXPECT_TRUE(simulation->status().ok());
}

TEST_F(PluginCrashTest, WhileItIsLoadedRefusesThePack) {
  for (const char* const call : {"create", "info", "rows", "outcome"}) {
    const std::shared_ptr<const Plugin> plugin = MakeTestingPlugin();
    CrashTestingPluginIn(call);
    const auto made =
        PluginSimulation::Create(plugin, MakeTestingPluginPack(), kSeed);
    EXPECT_EQ(made.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(made.status().message()), HasSubstr(call));
    EXPECT_EQ(TestingPluginDestroyedCount(), 0U) << call;
  }
}

TEST(PluginSimulationTest, FieldThatItForgetsToRestoreIsNamed) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kForgetsAField);
  const State start = simulation->state();
  simulation->Step(std::vector{Push(32767)}, nullptr);
  const Digest before = simulation->state().ComputeRootDigest();

  const absl::Status status = simulation->Restore(start);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("it doesn't have what it was given: game.counters "
                        "counter_1 value: 5 | 6"));
  EXPECT_EQ(simulation->state().ComputeRootDigest(), before);
}

TEST(PluginSimulationTest, OneThatDoesNotGoBackIsAskedForNothingMore) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kRestoresOnce);
  const State start = simulation->state();
  simulation->Step(std::vector{Push(32767)}, nullptr);

  EXPECT_THAT(std::string(simulation->Restore(start).message()),
              HasSubstr("it doesn't have what it was given"));
  EXPECT_THAT(std::string(simulation->status().message()),
              HasSubstr("restore: once is enough"));
}

TEST(PluginSimulationTest, OtherDescriptionOfTheSamePackIsRefused) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kChangesDescription);

  EXPECT_THAT(std::string(simulation->Fork()->status().message()),
              HasSubstr("it describes itself otherwise than at first"));
}

TEST(PluginSimulationTest, FailedRunGoesOnAfterARestore) {
  const std::unique_ptr<Simulation> simulation =
      Create(PluginMistake::kFailsAtTickThree);
  const State start = simulation->state();
  while (simulation->status().ok()) simulation->Step({}, nullptr);
  EXPECT_EQ(simulation->tick(), 3U);
  EXPECT_FALSE(simulation->Validate({}).ok());

  EXPECT_TRUE(simulation->Restore(start).ok());
  EXPECT_TRUE(simulation->status().ok());
  simulation->Step({}, nullptr);
  EXPECT_EQ(simulation->tick(), 1U);
}

}  // namespace
}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Claims about everything above the waist, proven with the tiny simulation,
// which shares nothing with the built-in World: created by its name, it is
// recorded, read, verified, compared, saved, restored and forked, and the
// smallest change of its state is found. Whoever brings a simulation of their
// own gets all of this.

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/comparing/run_comparison.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/playing/replay_player.h"
#include "replays/recording/recorder.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/verifying/divergence.h"
#include "replays/verifying/verifier.h"
#include "sim/simulation_registry.h"
#include "sim/state/state_codec.h"
#include "tests/world/described_events.h"

namespace reprise {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr sim::Tick kTicks = 120;
constexpr uint64_t kSeed = 7;

std::unique_ptr<sim::Simulation> Create() {
  return *sim::CreateSimulation("tiny", replays::MakeTinyPack(), kSeed);
}

// Makes the tick that is due with the inputs of a restless player.
void Step(sim::Simulation& simulation) {
  replays::RestlessInputs inputs;
  simulation.Step(*inputs.FramesAt(simulation.tick()), nullptr);
}

std::vector<sim::Digest> DigestsFrom(sim::Simulation& simulation) {
  std::vector<sim::Digest> digests;
  while (simulation.tick() < kTicks) {
    Step(simulation);
    digests.push_back(simulation.state().ComputeRootDigest());
  }
  return digests;
}

// Records the whole run into the file at `path`.
absl::Status Record(const std::string& path) {
  const std::unique_ptr<sim::Simulation> simulation = Create();
  auto sink = replays::FileSink::Create(path);
  if (!sink.ok()) return sink.status();
  auto writer = replays::ReplayWriter::Create(*std::move(sink), *simulation,
                                              replays::MakeTinyPack(), {});
  if (!writer.ok()) return writer.status();
  replays::Recorder recorder(simulation.get(), writer->get());
  replays::RestlessInputs inputs;
  for (sim::Tick tick = 0; tick < kTicks; ++tick) {
    const absl::Status status = recorder.Step(*inputs.FramesAt(tick));
    if (!status.ok()) return status;
  }
  return recorder.Finish();
}

TEST(WaistTest, SimulationIsKnownByItsName) {
  EXPECT_THAT(sim::SimulationNames(), Contains("tiny"));
  EXPECT_EQ(Create()->info().simulation, "tiny");
}

TEST(WaistTest, UnknownSimulationNamesTheOnesThereAre) {
  const absl::Status status =
      sim::CreateSimulation("chess", replays::MakeTinyPack(), kSeed).status();

  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("tiny"));
}

TEST(WaistTest, WhatItTellsIsDescribed) {
  const std::unique_ptr<sim::Simulation> simulation = Create();
  while (simulation->tick() < kTicks) Step(*simulation);
  const std::vector<sim::Event> events = simulation->DrainEvents();

  ASSERT_FALSE(events.empty());
  for (const sim::Event& event : events) {
    EXPECT_TRUE(sim::IsDeclared(simulation->description(), event))
        << simulation->IdName(event.type);
  }
  EXPECT_EQ(simulation->description()
                .FindLegend("board", "game", "outcome")
                ->NameOf(sim::FieldValue::OfInt64(1)),
            "won");
}

TEST(WaistTest, MistakeInAPackIsInvalid) {
  sim::PackArchive pack;
  ASSERT_TRUE(pack.Add("pack.txtpb", "nonsense").ok());

  EXPECT_EQ(sim::CreateSimulation("tiny", pack, kSeed).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(WaistTest, RunIsRecordedReadAndVerifiedThroughAFile) {
  const std::string path = ::testing::TempDir() + "/waist.mcap";
  ASSERT_TRUE(Record(path).ok());

  const auto replay = replays::ReplayReader::OpenFile(path);
  ASSERT_TRUE(replay.ok()) << replay.status();
  const auto report = replays::VerifyReplay(**replay, {});

  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->passed());
  EXPECT_EQ(report->ticks_verified, kTicks);
  std::filesystem::remove(path);
}

TEST(WaistTest, SmallestChangeIsFoundByVerifyingAndByComparing) {
  const replays::Injection nudge =
      replays::OneUlpMore(*Create(), "board", "pieces", 1, "y", /*tick=*/2);
  const replays::Bytes file =
      replays::RecordTiny({.tick_count = kTicks,
                           .writer = {.digest_stride = 1, .keyframe_stride = 1},
                           .injection = nudge});
  const auto replay = *replays::OpenReplay(file);
  const replays::Divergence verified =
      replays::VerifyReplay(*replay, {})->divergence.value();

  const std::unique_ptr<sim::Simulation> recorded =
      std::make_unique<replays::InjectingSimulation>(Create(), nudge);
  const std::unique_ptr<sim::Simulation> again = Create();
  const auto recorded_inputs = replay->ReadInputs();
  const auto again_inputs = replay->ReadInputs();
  const replays::Divergence compared =
      replays::CompareRuns({recorded.get(), recorded_inputs.get()},
                           {again.get(), again_inputs.get()}, {})
          ->divergence.value();

  EXPECT_EQ(verified.last_equal_tick, 2u);
  EXPECT_EQ(compared.last_equal_tick, 2u);
  ASSERT_THAT(verified.fields, SizeIs(1));
  ASSERT_THAT(compared.fields, SizeIs(1));
  EXPECT_EQ(verified.fields[0].text, compared.fields[0].text);
  // The comparison has watched the tick, too.
  EXPECT_EQ(compared.fields[0].expected_writer, "input");
}

TEST(WaistTest, SavedAtAnyTickTheRunGoesOnTheSame) {
  const std::unique_ptr<sim::Simulation> whole = Create();
  for (sim::Tick tick = 0; tick < kTicks; ++tick) {
    const std::string saved = sim::EncodeState(whole->state());
    const std::unique_ptr<sim::Simulation> restored = Create();
    const auto state =
        sim::DecodeState(std::as_bytes(std::span(saved)), restored->state());
    ASSERT_TRUE(state.ok()) << state.status();
    ASSERT_TRUE(restored->Restore(*state).ok());
    ASSERT_EQ(restored->tick(), tick);

    const std::unique_ptr<sim::Simulation> fork = whole->Fork();
    ASSERT_EQ(DigestsFrom(*restored), DigestsFrom(*fork)) << tick;
    Step(*whole);
  }
}

TEST(WaistTest, ForksLiveOnIndependently) {
  const std::unique_ptr<sim::Simulation> whole = Create();
  Step(*whole);
  const sim::Digest before = whole->state().ComputeRootDigest();

  const std::unique_ptr<sim::Simulation> fork = whole->Fork();
  DigestsFrom(*fork);

  EXPECT_EQ(whole->state().ComputeRootDigest(), before);
  EXPECT_EQ(whole->tick(), 1u);
}

TEST(WaistTest, StateOfOtherTablesIsRefusedAndNothingChanges) {
  const std::unique_ptr<sim::Simulation> simulation = Create();
  Step(*simulation);
  const sim::Digest before = simulation->state().ComputeRootDigest();

  EXPECT_EQ(simulation->Restore(sim::State()).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(simulation->state().ComputeRootDigest(), before);
}

TEST(WaistTest, FramesChangeNothing) {
  const std::unique_ptr<sim::Simulation> watched = Create();
  const std::unique_ptr<sim::Simulation> unwatched = Create();
  for (sim::Tick tick = 0; tick < kTicks; ++tick) {
    EXPECT_EQ(watched->ProduceFrame().tick, tick);
    Step(*watched);
    Step(*unwatched);
  }

  EXPECT_EQ(watched->state().ComputeRootDigest(),
            unwatched->state().ComputeRootDigest());
}

}  // namespace
}  // namespace reprise

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that states are recorded which no message of a file can hold: they
// verify on any number of threads, are sought and branched from, and a file
// that was cut off between the parts of one is gone on with.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_records.h"
#include "replays/format/common_shape.h"
#include "replays/format/keyframe_message.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_topics.h"
#include "replays/format/replay_writer.h"
#include "replays/recording/recorder.h"
#include "replays/recording/resumed_recording.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/forwarding_simulation.h"
#include "replays/testing/reshaped_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/verifying/verifier.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "sim/base/field.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/simulation_registry.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/state/state_codec.h"

namespace reprise::replays {
namespace {

// 40 MiB in rows of 2 KiB.
constexpr uint32_t kRows = 20'480;
constexpr uint32_t kValuesInRow = 255;

// The tables of the tiny simulation, and one more.
sim::State MakeShape(const sim::State& tiny) {
  sim::State shape = ChangeShape(tiny, [](std::string_view, std::string_view,
                                          std::vector<sim::Field>&) {});
  std::vector<sim::Field> fields = {
      NewField("index", sim::ScalarType::kUint64, "1"),
      NewField("values", sim::ScalarType::kUint64, "1")};
  fields[1].shape = sim::FieldShape::kArray;
  fields[1].count = kValuesInRow;
  fields[1].offset = sizeof(uint64_t);
  shape.AddTable("bulk", std::make_shared<const sim::RowSchema>(
                             "cells", /*key_field_count=*/1, fields));
  return shape;
}

// The tiny simulation, with a table of which each tick writes one row.
class LargeSimulation final : public ForwardingSimulation {
 public:
  explicit LargeSimulation(std::unique_ptr<sim::Simulation> tiny)
      : ForwardingSimulation(std::move(tiny)),
        info_(simulation().info()),
        shape_(MakeShape(simulation().state())),
        common_(simulation().state(), shape_),
        cells_(*shape_.Find("bulk", "cells")),
        state_(shape_) {
    info_.simulation = "large";
    state_.mutable_table(cells_).Resize(kRows);
    for (uint32_t row = 0; row < kRows; ++row) {
      // Parts in another order would be another state.
      Write(row, 0, row);
      Write(row, 1 + row % kValuesInRow, uint64_t{row} * row);
    }
    TakeTiny();
  }

  static absl::StatusOr<std::unique_ptr<sim::Simulation>> Create(
      const sim::PackArchive& pack, uint64_t seed) {
    absl::StatusOr<std::unique_ptr<sim::Simulation>> tiny =
        TinySimulation::Create(pack, seed);
    if (!tiny.ok()) return tiny.status();
    return std::make_unique<LargeSimulation>(*std::move(tiny));
  }

  const sim::SimulationInfo& info() const override { return info_; }
  const sim::State& state() const override { return state_; }

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    const auto row = static_cast<uint32_t>(tick() % kRows);
    ForwardingSimulation::Step(frames, observer);
    Write(row, 1, tick());
    TakeTiny();
  }

  absl::Status Restore(const sim::State& snapshot) override {
    absl::Status status = state_.CheckSameShape(snapshot);
    if (!status.ok()) return status;
    const std::string part =
        sim::EncodeState(common_.Take(CommonShape::Side::kActual, snapshot));
    const absl::StatusOr<sim::State> tiny =
        sim::DecodeState(std::as_bytes(std::span(part)), simulation().state());
    if (!tiny.ok()) return tiny.status();
    status = simulation().Restore(*tiny);
    if (status.ok()) state_ = snapshot;
    return status;
  }

  std::unique_ptr<sim::Simulation> Fork() const override {
    auto fork = std::make_unique<LargeSimulation>(simulation().Fork());
    fork->state_ = state_;
    return fork;
  }

 private:
  void Write(uint32_t row, uint32_t place, uint64_t value) {
    const std::span<std::byte> bytes =
        state_.mutable_table(cells_).MutableRow(row);
    std::memcpy(bytes.data() + place * sizeof(value), &value, sizeof(value));
  }

  void TakeTiny() {
    sim::State next = shape_;
    common_.Put(
        CommonShape::Side::kActual,
        common_.Take(CommonShape::Side::kExpected, simulation().state()), next);
    next.mutable_table(cells_) = state_.table(cells_);
    state_ = std::move(next);
  }

  sim::SimulationInfo info_;
  const sim::State shape_;
  const CommonShape common_;
  const sim::TableIndex cells_;
  sim::State state_;
};

REPRISE_REGISTER_SIMULATION(large, "large", &LargeSimulation::Create);

void PlayOn(sim::Tick end, const sim::Simulation& simulation,
            Recorder& recorder) {
  RestlessInputs inputs;
  while (simulation.tick() < end) {
    ASSERT_TRUE(recorder.Step(*inputs.FramesAt(simulation.tick())).ok());
  }
  ASSERT_TRUE(recorder.Finish().ok());
}

// With keyframes of the ticks 0, 20 and 40.
Bytes RecordLarge(sim::Tick tick_count = 45) {
  const sim::PackArchive pack = MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation =
      *LargeSimulation::Create(pack, /*seed=*/7);
  Bytes file;
  const std::unique_ptr<ReplayWriter> writer = *ReplayWriter::Create(
      std::make_unique<MemorySink>(&file), *simulation, pack,
      {.digest_stride = 10,
       .keyframe_stride = 20,
       .keyframe_bytes_per_tick = 0,
       .batch_ticks = 20});
  Recorder recorder(simulation.get(), writer.get());
  PlayOn(tick_count, *simulation, recorder);
  return file;
}

void ExpectVerified(const Bytes& file, uint32_t threads) {
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const auto report = VerifyReplay(*replay, {.threads = threads});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->passed());
  EXPECT_EQ(report->ticks_verified, replay->tick_count());
}

TEST(LargeStateTest, StateThatNoMessageHoldsIsVerified) {
  const Bytes file = RecordLarge();
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  const auto keyframes = replay->ReadKeyframes();
  for (const sim::Tick tick : {0u, 20u, 40u}) {
    const auto keyframe = keyframes->Next();
    ASSERT_TRUE(keyframe.ok() && keyframe->has_value()) << keyframe.status();
    EXPECT_EQ((*keyframe)->tick, tick);
    EXPECT_GT((*keyframe)->state.size(), kMcapMessageBytesMax);
  }
  EXPECT_FALSE(keyframes->Next()->has_value());

  ExpectVerified(file, /*threads=*/1);
  ExpectVerified(file, /*threads=*/2);
}

TEST(LargeStateTest, BranchGoesOnFromIt) {
  const Bytes parent = RecordLarge();
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(parent);
  Bytes file;
  const auto branch = ResumedRecording::Branch(
      *replay, "parent.mcap", 33, std::make_unique<MemorySink>(&file));
  ASSERT_TRUE(branch.ok()) << branch.status();

  PlayOn(50, (*branch)->simulation(), (*branch)->recorder());

  ExpectVerified(file, /*threads=*/1);
}

TEST(LargeStateTest, CutAtAnyChunkAndContinuedItIsTheSameFile) {
  const Bytes whole = RecordLarge(25);
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(whole);
  const std::string path =
      (std::filesystem::path(testing::TempDir()) / "large.mcap").string();
  int parts = 0;
  const std::span<const McapChunkIndex> chunks =
      replay->file().Chunks().value();
  for (const McapChunkIndex& chunk : chunks) {
    const uint64_t end = chunk.chunk_start_offset + chunk.chunk_length +
                         chunk.message_index_length;
    {
      std::ofstream cut(path, std::ios::binary | std::ios::trunc);
      cut.write(reinterpret_cast<const char*>(whole.data()),
                static_cast<std::streamsize>(end));
    }
    const auto resumed = ResumedRecording::Continue(path);
    ASSERT_TRUE(resumed.ok()) << resumed.status();
    PlayOn(25, (*resumed)->simulation(), (*resumed)->recorder());
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    ASSERT_EQ(bytes.size(), whole.size()) << "cut at " << end;
    ASSERT_EQ(std::memcmp(bytes.data(), whole.data(), whole.size()), 0) << end;
    ++parts;
  }
  EXPECT_GE(parts, 5) << "each keyframe takes two chunks";
}

TEST(LargeStateTest, StateBeyondAllFilesIsRefused) {
  v1::Keyframe keyframe;
  keyframe.set_tick(60);
  keyframe.mutable_state()->resize(kWrittenStateBytesMax + 1);

  const absl::Status status =
      WriteKeyframe(std::move(keyframe), kReplayFormatRevision, kStatePartBytes,
                    [](const v1::Keyframe&) { return absl::OkStatus(); });

  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_EQ(status.message(),
            "the state of tick 60 has 268435457 bytes; at most 268435456 are "
            "written");
}

// Limits are of writers: what a later one may write is read today.
TEST(LargeStateTest, ReaderTakesMoreThanAnyWriterWrites) {
  static_assert(kReadStateBytesMax > kWrittenStateBytesMax);
  static_assert(kUnprovenTicksMax > kDigestStrideMax);
  constexpr uint64_t kBytes = kWrittenStateBytesMax + kStatePartBytes;
  ForgedReplay forged("digest_stride", std::to_string(kDigestStrideMax + 1));
  v1::InputBatch inputs;
  inputs.set_tick_count(50);
  forged.Add(kInputsTopic, 0, inputs);
  v1::Keyframe part;
  part.set_tick(10);
  part.mutable_state()->resize(kStatePartBytes);
  for (uint64_t offset = 0; offset < kBytes; offset += kStatePartBytes) {
    part.set_state_offset(offset);
    part.set_state_bytes_left(kBytes - offset - kStatePartBytes);
    forged.Add(kKeyframesTopic, 10, part).EndChunk();
  }
  const Bytes file = forged.Finish();
  const absl::StatusOr<std::unique_ptr<ReplayReader>> replay = OpenReplay(file);
  ASSERT_TRUE(replay.ok()) << replay.status();

  const absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
      (*replay)->FindKeyframe(50);

  ASSERT_TRUE(keyframe.ok()) << keyframe.status();
  ASSERT_TRUE(keyframe->has_value());
  EXPECT_EQ((*keyframe)->state.size(), kBytes);
}

}  // namespace
}  // namespace reprise::replays

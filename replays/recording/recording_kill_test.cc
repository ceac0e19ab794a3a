// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a killed recorder loses at most the chunk it was writing. Again
// and again a process of its own records a run, and the kernel kills it, with
// no chance to clean up, at a random byte of the file: between two writes or
// within one. What it leaves has to open, hold all that was flushed, and go on
// to the very file that nobody killed. 100 times; REPRISE_KILLS asks for more:
//   bazel test --test_env=REPRISE_KILLS=1000
//   //replays/recording:recording_kill_test

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "replays/recording/recorder.h"
#include "replays/recording/resumed_recording.h"
#include "replays/testing/kills.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/check.h"
#include "sim/base/id.h"
#include "sim/base/random.h"

namespace reprise::replays {
namespace {

constexpr int kKillsDefault = 100;
constexpr sim::Tick kTicks = 400;
constexpr ReplayWriterOptions kOptions = {
    .digest_stride = 10, .keyframe_stride = 40, .batch_ticks = 25};

// Passes bytes on, and kills its process when so many of them are written.
class DeadlySink final : public ByteSink {
 public:
  DeadlySink(std::unique_ptr<ByteSink> sink, uint64_t bytes_left)
      : sink_(std::move(sink)), bytes_left_(bytes_left) {}

  absl::Status Append(std::span<const std::byte> bytes) override {
    if (bytes.size() >= bytes_left_) {
      CHECK(sink_->Append(bytes.first(bytes_left_)).ok());
      kill(getpid(), SIGKILL);
    }
    bytes_left_ -= bytes.size();
    return sink_->Append(bytes);
  }
  absl::Status Flush() override { return sink_->Flush(); }

 private:
  const std::unique_ptr<ByteSink> sink_;
  uint64_t bytes_left_;
};

// The tick up to which the recorder was told that all is safe; shared with its
// process.
class SharedTick {
 public:
  SharedTick()
      : value_(new (mmap(nullptr, sizeof(std::atomic<sim::Tick>),
                         PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                         0)) std::atomic<sim::Tick>(0)) {}
  SharedTick(const SharedTick&) = delete;
  SharedTick& operator=(const SharedTick&) = delete;
  ~SharedTick() { munmap(value_, sizeof(*value_)); }

  std::atomic<sim::Tick>& operator*() { return *value_; }

 private:
  std::atomic<sim::Tick>* const value_;
};

void PlayOn(sim::Simulation& simulation, Recorder& recorder,
            std::atomic<sim::Tick>* safe_tick, const ReplayWriter* writer) {
  RestlessInputs inputs;
  uint64_t size = writer != nullptr ? writer->size_bytes() : 0;
  while (simulation.tick() < kTicks) {
    CHECK(recorder.Step(*inputs.FramesAt(simulation.tick())).ok());
    // A batch has gone to the file, and came back flushed.
    if (writer != nullptr && writer->size_bytes() != size) {
      size = writer->size_bytes();
      *safe_tick = simulation.tick();
    }
  }
  CHECK(recorder.Finish().ok());
}

// Records to `path` until the file has `size` bytes, and dies.
[[noreturn]] void RecordAndDie(const std::string& path, uint64_t size,
                               std::atomic<sim::Tick>& safe_tick) {
  const sim::PackArchive pack = MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation = MakeTiny(7, pack);
  const std::unique_ptr<ReplayWriter> writer = *ReplayWriter::Create(
      std::make_unique<DeadlySink>(*FileSink::Create(path), size), *simulation,
      pack, kOptions);
  Recorder recorder(simulation.get(), writer.get());
  PlayOn(*simulation, recorder, &safe_tick, writer.get());
  _exit(1);
}

// Kills a recorder when its file has `size` bytes, and returns what was safe.
sim::Tick RecordAndKill(const std::string& path, uint64_t size) {
  SharedTick safe_tick;
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) RecordAndDie(path, size, *safe_tick);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  return *safe_tick;
}

Bytes ReadAll(const std::string& path) {
  const std::unique_ptr<FileSource> source = *FileSource::Open(path);
  Bytes bytes(source->size());
  CHECK(source->ReadAt(0, bytes).ok());
  return bytes;
}

TEST(RecordingKillTest, KilledRecorderLosesAtMostTheUnfinishedChunk) {
  const std::string path = ::testing::TempDir() + "killed.mcap";
  const Bytes whole = RecordTiny({.tick_count = kTicks, .writer = kOptions});
  sim::RandomStream random =
      sim::MakeRandomStream(/*seed=*/1, sim::IdOf("kills"));
  int continued = 0;
  for (int i = 0; i < KillCount(kKillsDefault); ++i) {
    const uint64_t size = 1 + sim::NextBelow(random, whole.size());
    const sim::Tick safe_tick = RecordAndKill(path, size);
    ASSERT_EQ(ReadAll(path).size(), size);
    const auto replay = ReplayReader::OpenFile(path);
    ASSERT_TRUE(replay.ok() || safe_tick == 0) << replay.status();
    if (replay.ok()) {
      EXPECT_GE((*replay)->tick_count(), safe_tick) << size;
    }

    const auto resumed = ResumedRecording::Continue(path);
    ASSERT_TRUE(resumed.ok() || safe_tick == 0) << resumed.status();
    if (!resumed.ok()) continue;
    EXPECT_GE((*resumed)->simulation().tick(), safe_tick);
    PlayOn((*resumed)->simulation(), (*resumed)->recorder(), nullptr, nullptr);
    ASSERT_EQ(ReadAll(path), whole) << "killed at byte " << size;
    ++continued;
  }
  EXPECT_GT(continued, 0);
  RecordProperty("kills", KillCount(kKillsDefault));
  RecordProperty("continued", continued);
}

}  // namespace
}  // namespace reprise::replays

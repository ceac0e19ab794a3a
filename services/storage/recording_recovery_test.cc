// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what becomes of recordings that were left unfinished, on files made
// for the test: cut off, still being written, damaged, and no recordings at
// all.

#include "services/storage/recording_recovery.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/partial_file.h"
#include "replays/format/replay_reader.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/verifying/verifier.h"
#include "services/storage/recording.h"
#include "services/testing/test_folders.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RecordingRecoveryTest : public testing::Test {
 protected:
  // A recording of 99 ticks, of which 80 are in whole batches.
  std::unique_ptr<Recording> Record(uint64_t pack_bytes_max = 1 << 20) {
    auto recording = *Recording::Start(path_, simulation_.get(), pack_,
                                       {.digest_stride = 10,
                                        .keyframe_stride = 40,
                                        .batch_ticks = 20,
                                        .pack_bytes_max = pack_bytes_max});
    for (int i = 0; i < 99; ++i)
      EXPECT_EQ(recording->Step({}), absl::OkStatus());
    return recording;
  }

  // Flips a byte of the batch `chunk` of the unfinished recording.
  void Damage(size_t chunk) const {
    const uint64_t offset = (*replays::ReplayReader::OpenFile(partial_))
                                ->file()
                                .Chunks()
                                .value()[chunk]
                                .chunk_start_offset;
    std::fstream file(partial_, std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(offset + 60));
    const int byte = file.peek();
    file.seekp(static_cast<std::streamoff>(offset + 60));
    file.put(static_cast<char>(byte ^ 1));
  }

  replays::VerificationReport Verify() const {
    return *replays::VerifyReplay(**replays::ReplayReader::OpenFile(path_), {});
  }

  const TestFolders folders_;
  const std::string path_ = folders_.store() + "/a.mcap";
  const std::string partial_ = replays::PartialPath(path_);
  const sim::PackArchive pack_ = replays::MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation_ =
      *replays::TinySimulation::Create(pack_, /*seed=*/1);
};

TEST_F(RecordingRecoveryTest, WhatWasCutOffBecomesAReplayOfItsWholeBatches) {
  Record().reset();

  const auto recovered = RecoverRecording(path_);

  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_EQ((*recovered)->tick_count, 80u);
  EXPECT_EQ((*recovered)->damage, "");
  EXPECT_THAT(folders_.StoredFiles(), ElementsAre("a.mcap"));
  EXPECT_TRUE(Verify().passed());
  EXPECT_EQ(Verify().ticks_verified, 80u);
}

TEST_F(RecordingRecoveryTest, WhatIsStillBeingRecordedIsLeftAlone) {
  const auto recording = Record();

  const auto recovered = RecoverRecording(path_);

  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_TRUE((*recovered)->is_under_way);
  EXPECT_EQ(recording->Finish(), absl::OkStatus());
  EXPECT_EQ(Verify().ticks_verified, 99u);
}

TEST_F(RecordingRecoveryTest, WhatIsNotThereIsNoError) {
  const auto recovered = RecoverRecording(path_);

  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_FALSE(recovered->has_value());
}

TEST_F(RecordingRecoveryTest, WhatIsNoRecordingStaysAsItIs) {
  folders_.Write("store/a.mcap.partial", "broken");

  EXPECT_EQ(RecoverRecording(path_).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(folders_.StoredFiles(), ElementsAre("a.mcap.partial"));
  EXPECT_EQ(std::filesystem::file_size(partial_), 6u);
}

TEST_F(RecordingRecoveryTest, ADamagedRecordingIsKeptBesideWhatWasSavedOfIt) {
  Record().reset();
  Damage(/*chunk=*/3);

  const auto recovered = RecoverRecording(path_);

  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_LT((*recovered)->tick_count, 80u);
  EXPECT_THAT((*recovered)->damage, HasSubstr("can't be read"));
  EXPECT_THAT(folders_.StoredFiles(), ElementsAre("a.mcap", "a.mcap.damaged"));
  EXPECT_TRUE(Verify().passed());
}

// What a killed server had reserved for more of it.
TEST_F(RecordingRecoveryTest, ADamagedRecordingKeepsNoRoomForMore) {
  constexpr int64_t kReservedBytes = 4 << 20;
  Record().reset();
  Damage(/*chunk=*/3);
  const int descriptor = open(partial_.c_str(), O_WRONLY | O_CLOEXEC);
  const int failed =
      fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, kReservedBytes);
  close(descriptor);
  if (failed != 0) GTEST_SKIP() << "no room can be reserved here";
  struct stat file = {};
  ASSERT_EQ(stat(partial_.c_str(), &file), 0);
  const int64_t size_bytes = file.st_size;
  ASSERT_GE(file.st_blocks * 512, kReservedBytes);

  ASSERT_TRUE(RecoverRecording(path_).ok());

  ASSERT_EQ(stat((path_ + ".damaged").c_str(), &file), 0);
  EXPECT_EQ(file.st_size, size_bytes);
  EXPECT_LT(file.st_blocks * 512, kReservedBytes / 2);
}

TEST_F(RecordingRecoveryTest, ARecordingThatOnlyNamesItsPackIsNotDamaged) {
  Record(/*pack_bytes_max=*/0).reset();

  const auto recovered = RecoverRecording(path_);

  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_EQ((*recovered)->tick_count, 80u);
  EXPECT_EQ((*recovered)->damage, "");
  EXPECT_THAT(folders_.StoredFiles(), ElementsAre("a.mcap"));
}

TEST_F(RecordingRecoveryTest, ARecoveryOfSomebodyElseIsNotRemoved) {
  Record().reset();
  const auto other = replays::FileSink::Create(path_ + ".recovering");

  EXPECT_EQ(RecoverRecording(path_).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_THAT(folders_.StoredFiles(),
              ElementsAre("a.mcap.partial", "a.mcap.recovering"));
}

TEST_F(RecordingRecoveryTest, ARecoveryThatWasKilledIsMadeAnew) {
  Record().reset();
  folders_.Write("store/a.mcap.recovering", "half");
  folders_.Write("store/a.mcap", "whole, and not yet without its recording");

  ASSERT_TRUE(RecoverRecording(path_).ok());

  EXPECT_THAT(folders_.StoredFiles(), ElementsAre("a.mcap"));
  EXPECT_TRUE(Verify().passed());
}

}  // namespace
}  // namespace reprise::services

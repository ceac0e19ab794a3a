// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that who wants to see all of a recording that is being finished sees
// it, and that neither harms the other.

#include "services/storage/recording.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/format/replay_reader.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/verifying/verifier.h"
#include "services/storage/disk_writers.h"
#include "services/testing/test_folders.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

class RecordingTest : public testing::Test {
 protected:
  const TestFolders folders_;
  const std::string path_ = folders_.store() + "/a.mcap";
  const sim::PackArchive pack_ = replays::MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation_ =
      *replays::TinySimulation::Create(pack_, /*seed=*/1);
  DiskWriters writers_;
};

// As a fork does of a session that is reset meanwhile.
TEST_F(RecordingTest, AFlushWhileItIsBeingFinishedFindsAll) {
  const auto recording =
      *Recording::Start(path_, simulation_.get(), pack_, {},
                        replays::FileSink::Durability::kProcess, &writers_);
  for (int i = 0; i < 30; ++i) {
    ASSERT_EQ(recording->Step({}), absl::OkStatus());
  }
  const DiskWait finish = recording->BeginFinish();

  const DiskWait flush = recording->Flush();
  EXPECT_EQ(flush(), absl::OkStatus());
  EXPECT_EQ(recording->status(), absl::OkStatus());

  EXPECT_EQ(recording->EndFinish(finish()), absl::OkStatus());
  EXPECT_EQ(recording->status(), absl::OkStatus());
  const auto reader = replays::ReplayReader::OpenFile(path_);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ(replays::VerifyReplay(**reader, {})->ticks_verified, 30u);
}

}  // namespace
}  // namespace reprise::services

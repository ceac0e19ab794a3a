// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a recording is made as its flags say, and that with --fsync the
// disk has each batch before the next one is begun, and the file's name at the
// end.

#include "tools/reprise/inputs/recording_flags.h"

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/partial_file.h"
#include "replays/format/replay_reader.h"
#include "replays/testing/disk_syncs.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/verbs/command.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(RecordingFlagsTest, WhatIsUnsetIsAsItWas) {
  const replays::ReplayWriterOptions track = {.digest_stride = 3,
                                              .keyframe_stride = 50,
                                              .keyframe_bytes_per_tick = 70,
                                              .pack_bytes_max = 9};
  EXPECT_EQ(*ToWriterOptions({}, track), track);
  EXPECT_EQ(*ToWriterOptions({}), replays::ReplayWriterOptions{});
  EXPECT_EQ(*ToWriterOptions({.digest_stride = 1,
                              .keyframe_stride = 0,
                              .keyframe_bytes_per_tick = 0,
                              .pack_bytes_max = 5},
                             track),
            (replays::ReplayWriterOptions{.digest_stride = 1,
                                          .keyframe_stride = 0,
                                          .keyframe_bytes_per_tick = 0,
                                          .pack_bytes_max = 5}));
}

TEST(RecordingFlagsTest, WhatIsOutOfRangeIsNamed) {
  for (const uint64_t stride : {uint64_t{0}, uint64_t{1} << 32}) {
    const absl::Status status =
        ToWriterOptions({.digest_stride = stride}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("--digest-stride"));
  }
  const absl::Status status =
      ToWriterOptions({.pack_bytes_max = ~uint64_t{0}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("--pack-bytes-max"));
}

// Records a game of ten batches and returns what the disk was waited for.
std::vector<replays::DiskSync> Record(const std::string& path,
                                      std::vector<std::string> more_flags) {
  const std::vector<Command> commands = {MakeRunCommand()};
  std::vector<std::string> arguments = {
      "run",  "sim/packs/marble", "--random-inputs", "1",        "--ticks",
      "6000", "--expect",         "tick == 6000",    "--record", path};
  arguments.insert(arguments.end(), more_flags.begin(), more_flags.end());
  std::ostringstream out;
  std::ostringstream err;
  Console console(out, err, /*is_err_terminal=*/false);
  replays::TakeDiskSyncs();
  EXPECT_EQ(RunCommandLine(commands, arguments, console), ExitCode::kOk)
      << err.str();
  return replays::TakeDiskSyncs();
}

TEST(RecordingFlagsTest, FsyncHasEachBatchOnTheDiskBeforeTheNext) {
  const std::string path =
      std::filesystem::weakly_canonical(testing::TempDir() + "/synced.mcap");
  const std::vector<replays::DiskSync> syncs = Record(path, {"--fsync"});

  std::vector<uint64_t> sizes;
  size_t folder_sync_count = 0;
  const std::filesystem::path folder =
      std::filesystem::path(path).parent_path();
  for (const replays::DiskSync& sync : syncs) {
    if (sync.path == replays::PartialPath(path)) {
      sizes.push_back(sync.size_bytes);
    } else {
      EXPECT_TRUE(std::filesystem::equivalent(sync.path, folder)) << sync.path;
      ++folder_sync_count;
    }
  }
  // The file under its first name, and under its last.
  EXPECT_EQ(folder_sync_count, 2u);

  const auto replay = *replays::ReplayReader::OpenFile(path);
  const replays::McapReader& file = replay->file();
  ASSERT_GT(file.Chunks()->size(), 5u);
  for (size_t i = 0; i < file.Chunks()->size(); ++i) {
    const uint64_t end = i + 1 < file.Chunks()->size()
                             ? file.Chunks().value()[i + 1].chunk_start_offset
                             : std::filesystem::file_size(path);
    EXPECT_THAT(sizes, Contains(end)) << "chunk " << i;
  }
}

TEST(RecordingFlagsTest, WithoutItNobodyWaitsForTheDisk) {
  EXPECT_THAT(Record(testing::TempDir() + "/unsynced.mcap", {}), IsEmpty());
}

}  // namespace
}  // namespace reprise::tools

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that whatever a reader reads around is told: the file of a recording
// is cut, flipped and grown behind its end, and what is said of it names the
// place and what it costs.

#include "replays/format/replay_damage.h"

#include <memory>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_reader.h"
#include "replays/format/replay_reader.h"
#include "replays/testing/tiny_recording.h"

namespace reprise::replays {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::optional<ReplayDamage> DamageOf(std::span<const std::byte> file) {
  return FindDamage(**OpenReplay(file));
}

void ExpectNothingOfTheRunLost(std::span<const std::byte> file) {
  ASSERT_TRUE((*OpenReplay(file))->is_complete());
  const std::optional<ReplayDamage> damage = DamageOf(file);
  ASSERT_TRUE(damage.has_value());
  EXPECT_THAT(damage->cost, HasSubstr("nothing of the run is lost"));
  EXPECT_THAT(damage->problem, StartsWith("offset "));
}

TEST(ReplayDamageTest, WholeReplayHasNone) {
  EXPECT_FALSE(DamageOf(RecordTiny()).has_value());
}

TEST(ReplayDamageTest, FlippedEndIsTold) {
  Bytes file = RecordTiny();
  file[file.size() - 20] ^= std::byte{1};
  ExpectNothingOfTheRunLost(file);
}

TEST(ReplayDamageTest, BytesBehindTheEndAreTold) {
  Bytes file = RecordTiny();
  file.resize(file.size() + 5, std::byte{0x2A});
  ExpectNothingOfTheRunLost(file);
}

TEST(ReplayDamageTest, FileTwiceInARowIsTold) {
  const Bytes once = RecordTiny();
  Bytes twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  ExpectNothingOfTheRunLost(twice);
}

TEST(ReplayDamageTest, CutAnywhereBehindTheRunsEndIsTold) {
  const Bytes file = RecordTiny();
  const auto replay = *OpenReplay(file);
  const McapChunkIndex& last =
      replay->file().Chunks().value()[replay->file().Chunks()->size() - 1];
  const size_t end = last.chunk_start_offset + last.chunk_length;
  for (size_t size = end; size < file.size(); ++size) {
    ExpectNothingOfTheRunLost(std::span(file).first(size));
  }
}

TEST(ReplayDamageTest, CutOffRecordingSaysWhatIsLeft) {
  const Bytes file = RecordTiny({.tick_count = 99, .is_finished = false});

  const std::optional<ReplayDamage> damage = DamageOf(file);

  ASSERT_TRUE(damage.has_value());
  EXPECT_EQ(damage->Format(),
            "the recording was cut off; 80 ticks of it are left");
}

TEST(ReplayDamageTest, BytesThatCantBeReadAreCounted) {
  Bytes file = RecordTiny({.tick_count = 99, .is_finished = false});
  const std::string size = std::to_string(file.size());
  file.resize(file.size() + 4096);

  const std::optional<ReplayDamage> damage = DamageOf(file);

  ASSERT_TRUE(damage.has_value());
  EXPECT_THAT(damage->Format(),
              AllOf(HasSubstr("80 ticks of it are left"),
                    HasSubstr("offset " + size), HasSubstr("4096 bytes")));
}

TEST(ReplayDamageTest, RecordingThatIsUnderWayIsNotCutOff) {
  const std::string path = ::testing::TempDir() + "/under_way.mcap.partial";
  const auto sink = *FileSink::Create(path);
  ASSERT_TRUE(
      sink->Append(RecordTiny({.tick_count = 99, .is_finished = false})).ok());

  const std::optional<ReplayDamage> damage =
      FindDamage(**ReplayReader::OpenFile(path));

  ASSERT_TRUE(damage.has_value());
  EXPECT_THAT(damage->cost, HasSubstr("still being written; 80 ticks"));
  EXPECT_THAT(damage->problem, IsEmpty());
}

}  // namespace
}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that files and memory keep what was appended, read it back at any
// offset, refuse what lies past the end, and name the path in every error.

#include "replays/byte_file.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;

Bytes ToBytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return Bytes(bytes.begin(), bytes.end());
}

class FileTest : public ::testing::Test {
 protected:
  std::string Path() const {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    return ::testing::TempDir() + "/byte_file_test_" + test->name();
  }

  void Write(std::string_view text, FileSink::Durability durability) const {
    auto sink = FileSink::Create(Path(), durability);
    ASSERT_TRUE(sink.ok()) << sink.status();
    ASSERT_TRUE((*sink)->Append(ToBytes(text)).ok());
    ASSERT_TRUE((*sink)->Flush().ok());
  }

  std::unique_ptr<FileSource> Open() const {
    auto source = FileSource::Open(Path());
    EXPECT_TRUE(source.ok()) << source.status();
    return source.ok() ? *std::move(source) : nullptr;
  }
};

TEST_F(FileTest, ReadsBackWhatWasAppended) {
  Write("recorded", FileSink::Durability::kProcess);
  const auto source = Open();
  Bytes middle(3);
  ASSERT_TRUE(source->ReadAt(2, middle).ok());
  EXPECT_EQ(source->size(), 8u);
  EXPECT_EQ(middle, ToBytes("cor"));
}

TEST_F(FileTest, CreateEmptiesTheFileThatIsThere) {
  Write("a long recording", FileSink::Durability::kMachine);
  Write("short", FileSink::Durability::kMachine);
  EXPECT_EQ(Open()->size(), 5u);
}

TEST_F(FileTest, ContinueAppendsToTheFrontThatIsKept) {
  Write("abcdef", FileSink::Durability::kProcess);
  const auto sink =
      *FileSink::Continue(Path(), 3, FileSink::Durability::kMachine);
  ASSERT_TRUE(sink->Append(ToBytes("XY")).ok());
  ASSERT_TRUE(sink->Flush().ok());
  Bytes all(Open()->size());
  ASSERT_TRUE(Open()->ReadAt(0, all).ok());
  EXPECT_EQ(all, ToBytes("abcXY"));
}

TEST_F(FileTest, ContinueOfMoreThanIsThereIsOutOfRange) {
  Write("abc", FileSink::Durability::kProcess);
  EXPECT_EQ(FileSink::Continue(Path(), 4).status().code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(FileSink::Continue(Path() + "x", 0).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(Open()->size(), 3u);
}

TEST_F(FileTest, PastTheEndIsOutOfRangeAndNamesThePath) {
  Write("recorded", FileSink::Durability::kProcess);
  Bytes out(4);
  const auto status = Open()->ReadAt(5, out);
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(status.message()), HasSubstr(Path()));
}

TEST_F(FileTest, AMissingFileIsNotFoundAndNamesThePath) {
  const auto source = FileSource::Open("/nowhere/replay.mcap");
  EXPECT_EQ(source.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(source.status().message()),
              HasSubstr("/nowhere/replay.mcap"));
}

TEST_F(FileTest, AFolderIsNoFile) {
  const auto source = FileSource::Open(::testing::TempDir());
  EXPECT_EQ(source.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(FileTest, AFileInAMissingFolderCannotBeCreated) {
  const auto sink = FileSink::Create("/nowhere/replay.mcap");
  EXPECT_EQ(sink.status().code(), absl::StatusCode::kNotFound);
}

TEST(MemoryTest, ReadsBackWhatWasAppended) {
  Bytes bytes;
  MemorySink sink(&bytes);
  ASSERT_TRUE(sink.Append(ToBytes("recor")).ok());
  ASSERT_TRUE(sink.Append(ToBytes("ded")).ok());
  Bytes out(8);
  ASSERT_TRUE(MemorySource(bytes).ReadAt(0, out).ok());
  EXPECT_EQ(out, ToBytes("recorded"));
}

TEST(MemoryTest, PastTheEndIsOutOfRange) {
  const Bytes bytes = ToBytes("recorded");
  Bytes out(1);
  const MemorySource source(bytes);
  EXPECT_EQ(source.ReadAt(8, out).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(source.ReadAt(UINT64_MAX, out).code(),
            absl::StatusCode::kOutOfRange);
}

TEST(MemoryTest, NothingCanBeReadAtTheEnd) {
  const MemorySource source({});
  EXPECT_EQ(source.ReadAt(0, {}), absl::OkStatus());
}

}  // namespace
}  // namespace reprise::replays

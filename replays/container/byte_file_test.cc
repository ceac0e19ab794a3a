// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that files and memory keep what was appended, read it back at any
// offset, refuse what lies past the end, and name the path in every error; that
// a file has one writer, and everybody can see whether it has.

#include "replays/container/byte_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/partial_file.h"

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
  const auto sink = *FileSink::Continue(Path(), FileSink::Durability::kMachine);
  ASSERT_TRUE(sink->KeepFront(3).ok());
  EXPECT_EQ(Open()->size(), 6u);
  ASSERT_TRUE(sink->Append(ToBytes("XY")).ok());
  ASSERT_TRUE(sink->Flush().ok());
  Bytes all(Open()->size());
  ASSERT_TRUE(Open()->ReadAt(0, all).ok());
  EXPECT_EQ(all, ToBytes("abcXY"));
}

TEST_F(FileTest, ContinueOfMoreThanIsThereIsOutOfRange) {
  Write("abc", FileSink::Durability::kProcess);
  const auto sink = *FileSink::Continue(Path());
  EXPECT_EQ(sink->KeepFront(4).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(Open()->size(), 3u);
}

TEST_F(FileTest, ContinueAppendsToTheEnd) {
  Write("abc", FileSink::Durability::kProcess);
  ASSERT_TRUE((*FileSink::Continue(Path()))->Append(ToBytes("de")).ok());
  EXPECT_EQ(Open()->size(), 5u);
}

TEST_F(FileTest, ContinueOfAMissingFileIsNotFound) {
  EXPECT_EQ(FileSink::Continue(Path() + "x").status().code(),
            absl::StatusCode::kNotFound);
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

// Where anything waited for the pipe's other end, this would never end.
TEST_F(FileTest, APipeIsRefusedAndNotWaitedFor) {
  ASSERT_EQ(mkfifo(Path().c_str(), 0600), 0);
  EXPECT_EQ(FileSource::Open(Path()).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(FileSink::Continue(Path()).ok());
  const auto lock = WriteLock::TryAcquire(Path());
  EXPECT_FALSE(lock.ok() && *lock != nullptr);
  EXPECT_TRUE(IsBeingWritten(Path()).ok());
  ASSERT_EQ(unlink(Path().c_str()), 0);
}

TEST_F(FileTest, AFileInAMissingFolderCannotBeCreated) {
  const auto sink = FileSink::Create("/nowhere/replay.mcap");
  EXPECT_EQ(sink.status().code(), absl::StatusCode::kNotFound);
}

TEST_F(FileTest, OneAtATimeMayWrite) {
  Write("recorded", FileSink::Durability::kProcess);
  auto sink = FileSink::Continue(Path());
  ASSERT_TRUE(sink.ok()) << sink.status();
  const auto second = FileSink::Create(Path());
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr(Path()));
  EXPECT_EQ(FileSink::Continue(Path()).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(Open()->size(), 8u);
  sink->reset();
  EXPECT_TRUE(FileSink::Create(Path()).ok());
}

TEST_F(FileTest, WriterIsSeenWhileItLives) {
  auto sink = FileSink::Create(Path());
  ASSERT_TRUE(sink.ok()) << sink.status();
  EXPECT_EQ(*IsBeingWritten(Path()), true);
  sink->reset();
  EXPECT_EQ(*IsBeingWritten(Path()), false);
  EXPECT_EQ(IsBeingWritten("/nowhere/replay.mcap").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(FileTest, LockKeepsWritersAwayAndChangesNothing) {
  Write("recorded", FileSink::Durability::kProcess);
  auto lock = WriteLock::TryAcquire(Path());
  ASSERT_TRUE(lock.ok()) << lock.status();
  ASSERT_NE(*lock, nullptr);
  EXPECT_EQ(*WriteLock::TryAcquire(Path()), nullptr);
  EXPECT_EQ(FileSink::Create(Path()).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(Open()->size(), 8u);
  lock->reset();
  EXPECT_TRUE(FileSink::Continue(Path()).ok());
  EXPECT_EQ(WriteLock::TryAcquire("/nowhere/replay.mcap").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(FileTest, LockIsRefusedWhileASinkLives) {
  auto sink = FileSink::Create(Path());
  EXPECT_EQ(*WriteLock::TryAcquire(Path()), nullptr);
  sink->reset();
  EXPECT_NE(*WriteLock::TryAcquire(Path()), nullptr);
}

// Both race for the name: whoever opens the file while it is still unfinished
// gets the lock when it is finished already.
TEST_F(FileTest, FileThatIsFinishedMeanwhileIsNeverCutOff) {
  const std::string partial = PartialPath(Path());
  for (int i = 0; i < 500; ++i) {
    auto sink = FileSink::Create(partial);
    ASSERT_TRUE(sink.ok()) << sink.status();
    ASSERT_TRUE((*sink)->Append(ToBytes("recorded")).ok());
    std::thread rival([&partial] {
      while (!FileSink::Create(partial).ok()) {
      }
    });
    EXPECT_TRUE(
        RenameFile(partial, Path(), FileSink::Durability::kProcess).ok());
    sink->reset();
    rival.join();
    ASSERT_EQ(Open()->size(), 8u) << i;
  }
}

TEST_F(FileTest, DeviceTakesAnyNumberOfWriters) {
  const auto first = FileSink::Create("/dev/null");
  const auto second = FileSink::Create("/dev/null");
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_TRUE((*second)->Append(ToBytes("recorded")).ok());
}

TEST_F(FileTest, RenamedFileTakesThePlaceOfAnother) {
  const std::string partial = PartialPath(Path());
  Write("old", FileSink::Durability::kProcess);
  {
    const auto sink = FileSink::Create(partial);
    ASSERT_TRUE((*sink)->Append(ToBytes("recorded")).ok());
    ASSERT_TRUE(
        RenameFile(partial, Path(), FileSink::Durability::kMachine).ok());
    ASSERT_TRUE((*sink)->Append(ToBytes("!")).ok());
  }
  EXPECT_EQ(Open()->size(), 9u);
  EXPECT_EQ(RenameFile(partial, Path(), FileSink::Durability::kProcess).code(),
            absl::StatusCode::kNotFound);
}

TEST_F(FileTest, MissingFileThatIsNotFinishedIsNamed) {
  const std::string path = Path() + "_missing";
  ASSERT_TRUE(FileSink::Create(PartialPath(path)).ok());
  const auto source = FileSource::Open(path);
  EXPECT_EQ(source.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(source.status().message()),
              HasSubstr(PartialPath(path)));
}

TEST(PartialFileTest, OneOfTwoNamesIsThere) {
  const std::string path = ::testing::TempDir() + "/partial_file_test.mcap";
  EXPECT_EQ(PathNow(path), path);
  ASSERT_TRUE(FileSink::Create(PartialPath(path)).ok());
  EXPECT_EQ(PathNow(path), PartialPath(path));
  EXPECT_EQ(PathNow(PartialPath(path)), PartialPath(path));
  ASSERT_TRUE(
      RenameFile(PartialPath(path), path, FileSink::Durability::kProcess).ok());
  EXPECT_EQ(PathNow(PartialPath(path)), path);
  EXPECT_EQ(FinishedPath(PartialPath(path)), path);
  EXPECT_EQ(FinishedPath(path), path);
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
  const MemorySource source{std::span<const std::byte>()};
  EXPECT_EQ(source.ReadAt(0, {}), absl::OkStatus());
}

}  // namespace
}  // namespace reprise::replays

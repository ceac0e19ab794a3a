// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that who hands over bytes never waits for a disk that has stopped,
// that the disk gets them in their order, that nothing counts as written before
// it is flushed, and that the first error is the last thing that is tried.

#include "services/storage/write_queue.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_stream.h"
#include "services/storage/disk_writers.h"

namespace reprise::services {
namespace {

using ::testing::StartsWith;

// A file that a test watches and stops; safe to use from any thread.
class Disk {
 public:
  void Stop() {
    const std::scoped_lock lock(mutex_);
    is_stopped_ = true;
  }
  void GoOn() {
    const std::scoped_lock lock(mutex_);
    is_stopped_ = false;
    changed_.notify_all();
  }
  // From now on nothing can be written.
  void Fail() {
    const std::scoped_lock lock(mutex_);
    status_ = absl::ResourceExhaustedError("full");
  }

  absl::Status Write(std::string_view text) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !is_stopped_; });
    if (status_.ok()) text_ += text;
    return status_;
  }
  std::string text() const {
    const std::scoped_lock lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool is_stopped_ = false;
  absl::Status status_;
  std::string text_;
};

// Writes what it is given, and "|" where it is flushed.
class DiskSink final : public replays::ByteSink {
 public:
  explicit DiskSink(Disk* disk) : disk_(*disk) {}
  absl::Status Append(std::span<const std::byte> bytes) override {
    return disk_.Write(std::string_view(
        reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  absl::Status Flush() override { return disk_.Write("|"); }

 private:
  Disk& disk_;
};

class WriteQueueTest : public testing::Test {
 protected:
  absl::Status Append(std::string_view text) {
    return sink_->Append(std::as_bytes(std::span(text)));
  }

  Disk disk_;
  DiskWriters writers_;
  std::shared_ptr<WriteQueue> queue_ =
      std::make_shared<WriteQueue>(std::make_unique<DiskSink>(&disk_));
  std::unique_ptr<replays::ByteSink> sink_ = queue_->MakeSink();
};

TEST_F(WriteQueueTest, BeforeItBeginsWhoHandsOverWrites) {
  EXPECT_EQ(Append("a"), absl::OkStatus());
  EXPECT_EQ(sink_->Flush(), absl::OkStatus());
  EXPECT_EQ(disk_.text(), "a|");
  EXPECT_TRUE(queue_->is_written());
}

TEST_F(WriteQueueTest, NobodyWaitsForADiskThatHasStopped) {
  queue_->Begin(&writers_);
  disk_.Stop();
  ASSERT_EQ(Append("a"), absl::OkStatus());
  ASSERT_EQ(sink_->Flush(), absl::OkStatus());
  ASSERT_EQ(Append("b"), absl::OkStatus());
  ASSERT_EQ(sink_->Flush(), absl::OkStatus());
  std::latch resumed(1);
  EXPECT_FALSE(queue_->WhenWritten([&resumed] { resumed.count_down(); }));
  EXPECT_FALSE(queue_->is_written());
  EXPECT_EQ(disk_.text(), "");

  disk_.GoOn();
  resumed.wait();
  EXPECT_TRUE(queue_->is_written());
  // In order, and flushed behind the last byte, wherever else it was.
  std::string text = disk_.text();
  EXPECT_EQ(text.back(), '|');
  std::erase(text, '|');
  EXPECT_EQ(text, "ab");
}

TEST_F(WriteQueueTest, ItIsFullUntilTheDiskHasCaughtUp) {
  queue_->Begin(&writers_);
  disk_.Stop();
  const std::string half(kUnwrittenBytesMax / 2, 'x');
  ASSERT_EQ(Append(half), absl::OkStatus());
  EXPECT_TRUE(queue_->HasRoom());
  ASSERT_EQ(Append(half), absl::OkStatus());
  EXPECT_FALSE(queue_->HasRoom());
  // What has to be is taken all the same.
  ASSERT_EQ(Append("y"), absl::OkStatus());

  disk_.GoOn();
  EXPECT_EQ(queue_->AwaitWritten(), absl::OkStatus());
  EXPECT_TRUE(queue_->HasRoom());
  EXPECT_EQ(disk_.text(), half + half + "y");
}

TEST_F(WriteQueueTest, NothingFollowsAnError) {
  queue_->Begin(&writers_);
  disk_.Fail();
  ASSERT_EQ(Append("a"), absl::OkStatus());
  EXPECT_TRUE(absl::IsResourceExhausted(queue_->AwaitWritten()));
  EXPECT_TRUE(absl::IsResourceExhausted(queue_->status()));
  EXPECT_TRUE(absl::IsResourceExhausted(Append("b")));
  EXPECT_TRUE(absl::IsResourceExhausted(sink_->Flush()));
  EXPECT_TRUE(queue_->WhenWritten([] { FAIL(); }));
}

// Who wants to see what there is doesn't wait for what comes behind it.
TEST_F(WriteQueueTest, WhoWaitsDoesNotWaitForWhatFollows) {
  queue_->Begin(&writers_);
  std::atomic<bool> is_enough = false;
  // Before one is done another one is there.
  std::function<void()> go_on = [&] {
    if (!is_enough) queue_->Post(go_on);
  };
  queue_->Post(go_on);
  ASSERT_EQ(Append("a"), absl::OkStatus());
  ASSERT_EQ(sink_->Flush(), absl::OkStatus());

  EXPECT_EQ(queue_->AwaitWritten(), absl::OkStatus());

  EXPECT_FALSE(queue_->is_written());
  EXPECT_THAT(disk_.text(), StartsWith("a"));
  is_enough = true;
  while (!queue_->is_written())
    EXPECT_EQ(queue_->AwaitWritten(), absl::OkStatus());
}

TEST_F(WriteQueueTest, WhatWasHandedOverIsWrittenWhenNobodyIsLeft) {
  queue_->Begin(&writers_);
  disk_.Stop();
  ASSERT_EQ(Append("a"), absl::OkStatus());
  ASSERT_EQ(sink_->Flush(), absl::OkStatus());
  const std::weak_ptr<WriteQueue> queue = queue_;
  sink_ = nullptr;
  queue_ = nullptr;
  EXPECT_FALSE(queue.expired());
  std::latch written(1);
  EXPECT_FALSE(queue.lock()->WhenWritten([&written] { written.count_down(); }));
  disk_.GoOn();
  written.wait();
  EXPECT_EQ(disk_.text().substr(0, 1), "a");
}

}  // namespace
}  // namespace reprise::services

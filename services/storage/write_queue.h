// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is to be written into one file, by a thread that may wait for its disk
// while those who hand it over go on. Bytes keep their order, and what is asked
// to be flushed is flushed behind all that was handed over before.

#ifndef REPRISE_SERVICES_STORAGE_WRITE_QUEUE_H_
#define REPRISE_SERVICES_STORAGE_WRITE_QUEUE_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "replays/container/byte_stream.h"
#include "services/storage/disk_writers.h"

namespace reprise::services {

// What waits to be written of one file before whoever has more of it had better
// wait: two full batches of a recording.
inline constexpr uint64_t kUnwrittenBytesMax = uint64_t{2} << 20;

// Safe to use from any thread; its sink, by one at a time.
class WriteQueue : public std::enable_shared_from_this<WriteQueue> {
 public:
  // Of `sink`, which is written at once until Begin.
  explicit WriteQueue(std::unique_ptr<replays::ByteSink> sink)
      : sink_(std::move(sink)) {}
  WriteQueue(const WriteQueue&) = delete;
  WriteQueue& operator=(const WriteQueue&) = delete;

  // What hands over to this queue, and keeps it. An error is the first one of
  // the sink that was seen so far. What was handed over is written, also when
  // this sink has gone; then the file is closed.
  std::unique_ptr<replays::ByteSink> MakeSink();

  // From now on `writers` do the writing; they must remain live until all of
  // this queue's sinks have gone. Nobody who hands over waits any more, however
  // much there is: ask HasRoom before. REQUIRES: it is in a shared_ptr.
  void Begin(DiskWriters* writers);

  // Has the writers call `job` before they write what is handed over from now
  // on. It may wait for the disk, as they do; nothing counts as written before.
  // REQUIRES: it has begun.
  void Post(std::function<void()> job);

  // Whether less than kUnwrittenBytesMax waits.
  bool HasRoom() const { return unwritten_bytes_ < kUnwrittenBytesMax; }

  // OK, or the first error of the sink: nothing behind it is written.
  absl::Status status() const;

  // Whether all that was handed over is written and flushed, as it was asked
  // for, or never will be (see status). False: `resume` is called once, by
  // another thread, when that is so. The last one given counts.
  bool WhenWritten(std::function<void()> resume);
  bool is_written() const;

  // Waits until all that was handed over before is, however much follows, and
  // returns status().
  absl::Status AwaitWritten();

 private:
  class Sink;

  absl::Status Append(std::span<const std::byte> bytes);
  absl::Status Flush();

  // REQUIRES of those: the caller holds mutex_.
  // Notes that something was handed over, and has the writers' task run.
  void ScheduleLocked();
  bool IsWrittenLocked() const;
  bool HasMoreLocked() const {
    return !jobs_.empty() || !pending_.empty() || is_flush_pending_;
  }

  // The writers' task.
  void Write();

  const std::unique_ptr<replays::ByteSink> sink_;  // of who writes
  std::atomic<uint64_t> unwritten_bytes_ = 0;
  std::atomic<bool> has_failed_ = false;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable written_;
  DiskWriters* writers_ = nullptr;  // null: it is written at once
  std::vector<std::function<void()>> jobs_;
  replays::Bytes pending_;
  bool is_flush_pending_ = false;
  bool is_scheduled_ = false;  // the task runs, or will
  uint64_t handed_over_ = 0;   // bytes, flushes and jobs, each time
  uint64_t done_ = 0;          // of those
  absl::Status status_;
  std::function<void()> resume_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_WRITE_QUEUE_H_

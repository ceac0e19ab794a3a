// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/write_queue.h"

#include <new>

#include "sim/base/check.h"

namespace reprise::services {
namespace {

absl::Status WriteTo(replays::ByteSink& sink,
                     std::vector<std::function<void()>>& jobs,
                     const replays::Bytes& bytes, bool flush) {
  try {
    for (const auto& job : jobs) job();
    absl::Status written;
    if (!bytes.empty()) written = sink.Append(bytes);
    return written.ok() && flush ? sink.Flush() : written;
  } catch (const std::bad_alloc&) {
    // Without a text, which would take memory.
    return absl::ResourceExhaustedError("");
  }
}

}  // namespace

class WriteQueue::Sink final : public replays::ByteSink {
 public:
  explicit Sink(std::shared_ptr<WriteQueue> queue) : queue_(std::move(queue)) {}

  absl::Status Append(std::span<const std::byte> bytes) override {
    return queue_->Append(bytes);
  }
  absl::Status Flush() override { return queue_->Flush(); }

 private:
  const std::shared_ptr<WriteQueue> queue_;
};

std::unique_ptr<replays::ByteSink> WriteQueue::MakeSink() {
  return std::make_unique<Sink>(shared_from_this());
}

void WriteQueue::Begin(DiskWriters* writers) {
  const std::scoped_lock lock(mutex_);
  CHECK(writers_ == nullptr);
  writers_ = writers;
}

absl::Status WriteQueue::Append(std::span<const std::byte> bytes) {
  const std::scoped_lock lock(mutex_);
  if (!status_.ok()) return status_;
  if (writers_ == nullptr) return sink_->Append(bytes);
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  unwritten_bytes_ += bytes.size();
  ScheduleLocked();
  return absl::OkStatus();
}

absl::Status WriteQueue::Flush() {
  const std::scoped_lock lock(mutex_);
  if (!status_.ok()) return status_;
  if (writers_ == nullptr) return sink_->Flush();
  is_flush_pending_ = true;
  ScheduleLocked();
  return absl::OkStatus();
}

void WriteQueue::Post(std::function<void()> job) {
  const std::scoped_lock lock(mutex_);
  CHECK(writers_ != nullptr);
  if (!status_.ok()) return;
  jobs_.push_back(std::move(job));
  ScheduleLocked();
}

absl::Status WriteQueue::status() const {
  // Asked for at every tick.
  if (!has_failed_) return absl::OkStatus();
  const std::scoped_lock lock(mutex_);
  return status_;
}

bool WriteQueue::WhenWritten(std::function<void()> resume) {
  const std::scoped_lock lock(mutex_);
  if (IsWrittenLocked()) return true;
  resume_.swap(resume);
  return false;
}

bool WriteQueue::is_written() const {
  const std::scoped_lock lock(mutex_);
  return IsWrittenLocked();
}

absl::Status WriteQueue::AwaitWritten() {
  std::unique_lock lock(mutex_);
  const uint64_t all = handed_over_;
  written_.wait(lock, [&] { return done_ >= all || IsWrittenLocked(); });
  return status_;
}

bool WriteQueue::IsWrittenLocked() const { return !is_scheduled_; }

void WriteQueue::ScheduleLocked() {
  ++handed_over_;
  if (is_scheduled_) return;
  writers_->Run([self = shared_from_this()] { self->Write(); });
  is_scheduled_ = true;
}

void WriteQueue::Write() {
  std::vector<std::function<void()>> jobs;
  replays::Bytes bytes;
  std::unique_lock lock(mutex_);
  while (status_.ok() && HasMoreLocked()) {
    jobs.clear();
    jobs.swap(jobs_);
    bytes.clear();
    bytes.swap(pending_);
    const bool flush = std::exchange(is_flush_pending_, false);
    const uint64_t taken = handed_over_;
    lock.unlock();
    absl::Status written = WriteTo(*sink_, jobs, bytes, flush);
    lock.lock();
    unwritten_bytes_ -= bytes.size();
    if (written.ok()) {
      done_ = taken;
      written_.notify_all();
      continue;
    }
    status_ = std::move(written);
    has_failed_ = true;
    jobs_.clear();
    replays::Bytes().swap(pending_);
    unwritten_bytes_ = 0;
  }
  is_scheduled_ = false;
  written_.notify_all();
  const std::function<void()> resume = std::exchange(resume_, nullptr);
  lock.unlock();
  if (resume != nullptr) resume();
}

}  // namespace reprise::services

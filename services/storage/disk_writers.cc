// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/disk_writers.h"

#include <exception>
#include <utility>

namespace reprise::services {

DiskWriters::DiskWriters() {
  const std::scoped_lock lock(mutex_);
  AddThreadLocked();
}

DiskWriters::~DiskWriters() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    wakeup_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
}

void DiskWriters::Run(std::function<void()> task) {
  const std::scoped_lock lock(mutex_);
  tasks_.push_back(std::move(task));
  // Those that were woken for tasks before are idle until they have them.
  if (idle_count_ >= tasks_.size()) {
    wakeup_.notify_one();
    return;
  }
  try {
    AddThreadLocked();
  } catch (const std::exception&) {
    // No thread, or no memory for one: the task stays for the others.
  }
}

void DiskWriters::AddThreadLocked() {
  threads_.emplace_back([this] { Work(); });
  ++idle_count_;
}

size_t DiskWriters::thread_count() const {
  const std::scoped_lock lock(mutex_);
  return threads_.size();
}

void DiskWriters::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wakeup_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    --idle_count_;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
    ++idle_count_;
  }
}

}  // namespace reprise::services

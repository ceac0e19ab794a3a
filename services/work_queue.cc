// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/work_queue.h"

#include <utility>

#include "sim/base/check.h"

namespace reprise::services {

WorkQueue::WorkQueue(size_t thread_count, size_t tasks_max)
    : tasks_max_(tasks_max) {
  CHECK(thread_count > 0);
  CHECK(tasks_max > 0);
  threads_.reserve(thread_count);
  for (size_t i = 0; i < thread_count; ++i) {
    threads_.emplace_back([this] { RunTasks(); });
  }
}

WorkQueue::~WorkQueue() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    wakeup_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
}

bool WorkQueue::Post(Task task) {
  const std::scoped_lock lock(mutex_);
  if (tasks_.size() + running_count_ >= tasks_max_) return false;
  tasks_.push_back(std::move(task));
  wakeup_.notify_one();
  return true;
}

void WorkQueue::RunTasks() {
  std::unique_lock lock(mutex_);
  while (true) {
    wakeup_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    // When stopping, an unfinished task of another thread is that thread's to
    // finish, so an empty queue is the end.
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    ++running_count_;

    lock.unlock();
    const Progress progress = task();
    if (progress == Progress::kDone) task = nullptr;
    lock.lock();

    --running_count_;
    // Nobody has to be woken for it: this thread takes one off at once.
    if (progress == Progress::kUnfinished) tasks_.push_back(std::move(task));
  }
}

}  // namespace reprise::services

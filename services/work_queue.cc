// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/work_queue.h"

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
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
}

bool WorkQueue::Post(Task task) {
  absl::MutexLock lock(&mutex_);
  if (tasks_.size() + running_count_ >= tasks_max_) return false;
  tasks_.push_back(std::move(task));
  return true;
}

void WorkQueue::RunTasks() {
  absl::MutexLock lock(&mutex_);
  while (true) {
    mutex_.Await(absl::Condition(this, &WorkQueue::HasTaskOrIsStopping));
    // When stopping, an unfinished task of another thread is that thread's to
    // finish, so an empty queue is the end.
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    ++running_count_;

    mutex_.Unlock();
    const Progress progress = task();
    if (progress == Progress::kDone) task = nullptr;
    mutex_.Lock();

    --running_count_;
    if (progress == Progress::kUnfinished) tasks_.push_back(std::move(task));
  }
}

}  // namespace reprise::services

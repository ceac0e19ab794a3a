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
  if (new_tasks_.size() + long_tasks_.size() + running_count_ >= tasks_max_)
    return false;
  new_tasks_.push_back({.task = std::move(task), .posted = Clock::now()});
  wakeup_.notify_one();
  return true;
}

size_t WorkQueue::size() const {
  const std::scoped_lock lock(mutex_);
  return new_tasks_.size() + long_tasks_.size() + running_count_;
}

void WorkQueue::RunTasks() {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto has_task = [this] {
      return !new_tasks_.empty() || !long_tasks_.empty();
    };
    wakeup_.wait(lock, [&] { return stopping_ || has_task(); });
    // When stopping, an unfinished task of another thread is that thread's to
    // finish, so an empty queue is the end.
    if (!has_task()) return;
    Task task = TakeTask();
    ++running_count_;

    lock.unlock();
    const Progress progress = task();
    if (progress == Progress::kDone) task = nullptr;
    lock.lock();

    --running_count_;
    // Nobody has to be woken for it: this thread takes one off at once.
    if (progress == Progress::kUnfinished) {
      long_tasks_.push_back(std::move(task));
    }
  }
}

WorkQueue::Task WorkQueue::TakeTask() {
  const bool is_long_turn = !long_tasks_.empty() &&
                            (new_tasks_.empty() || new_turns_ + 1 >= kLongTurn);
  new_turns_ = is_long_turn ? 0 : new_turns_ + 1;
  Task task;
  if (is_long_turn) {
    task = std::move(long_tasks_.front());
    long_tasks_.pop_front();
  } else {
    waits_.Add(Clock::now() - new_tasks_.front().posted);
    task = std::move(new_tasks_.front().task);
    new_tasks_.pop_front();
  }
  return task;
}

}  // namespace reprise::services

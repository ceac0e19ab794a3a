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

bool WorkQueue::Post(const Tenant& tenant, Task task) {
  const std::scoped_lock lock(mutex_);
  if (IsFullFor(tenant)) return false;
  PostLocked(tenant, std::move(task));
  return true;
}

void WorkQueue::PostAgain(const Tenant& tenant, Task task) {
  const std::scoped_lock lock(mutex_);
  PostLocked(tenant, std::move(task));
}

void WorkQueue::PostLocked(const Tenant& tenant, Task task) {
  // In this order, so that where memory runs out nothing has been counted.
  size_t& count = counts_[tenant];
  new_tasks_.Push(tenant, {.task = std::move(task), .posted = Clock::now()});
  ++count;
  wakeup_.notify_one();
}

bool WorkQueue::IsFullFor(const Tenant& tenant) const {
  if (SizeLocked() >= tasks_max_) return true;
  if (tenant.name.empty()) return false;
  const auto count = counts_.find(tenant);
  // Rounded up.
  const size_t share_max = (tasks_max_ * kTenantQuarters + 3) / 4;
  return count != counts_.end() && count->second >= share_max;
}

size_t WorkQueue::size() const {
  const std::scoped_lock lock(mutex_);
  return SizeLocked();
}

size_t WorkQueue::SizeLocked() const {
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
    auto [tenant, task] = TakeTask();
    ++running_count_;

    lock.unlock();
    const Progress progress = task();
    if (progress == Progress::kDone) task = nullptr;
    lock.lock();

    --running_count_;
    // Nobody has to be woken for it: this thread takes one off at once.
    if (progress == Progress::kUnfinished) {
      long_tasks_.Push(tenant, std::move(task));
    } else if (const auto count = counts_.find(tenant); --count->second == 0) {
      counts_.erase(count);
    }
  }
}

WorkQueue::Turn WorkQueue::TakeTask() {
  const bool is_long_turn = !long_tasks_.empty() &&
                            (new_tasks_.empty() || new_turns_ + 1 >= kLongTurn);
  new_turns_ = is_long_turn ? 0 : new_turns_ + 1;
  if (is_long_turn) return long_tasks_.Pop();
  auto [tenant, next] = new_tasks_.Pop();
  waits_.Add(Clock::now() - next.posted);
  return {.tenant = std::move(tenant), .item = std::move(next.task)};
}

}  // namespace reprise::services

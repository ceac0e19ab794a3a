// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A fixed number of threads that do the server's work, so that gRPC's own
// threads never wait for a simulation or a disk. Long work is done in slices:
// a task that isn't finished goes behind those that have not run yet, but gets
// every kLongTurn-th turn. So a short request waits for the slices of one long
// request in kLongTurn - 1, however many there are, and none waits for ever.
// Among those that are new, and among those that aren't, tenants take turns:
// what one has in the queue costs the others a slice a turn, not all of it.

#ifndef REPRISE_SERVICES_CALLS_WORK_QUEUE_H_
#define REPRISE_SERVICES_CALLS_WORK_QUEUE_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/time/time.h"
#include "services/base/tenant.h"
#include "services/calls/tenant_turns.h"
#include "services/monitoring/metric.h"

namespace reprise::services {

// How long a task runs before it lets others run: short beside what a person
// notices, long beside what changing tasks costs.
inline constexpr absl::Duration kWorkSlice = absl::Milliseconds(10);

// Of so many turns, one is that of a task which ran before.
inline constexpr size_t kLongTurn = 4;

// What one tenant may have of the places in a queue, in quarters, so that
// others find one. Those who belong to nobody in particular are all there are,
// or those whom the others trust: they may have all.
inline constexpr size_t kTenantQuarters = 3;

// Safe to use from any thread.
class WorkQueue {
 public:
  enum class Progress {
    kDone,
    kUnfinished,  // Call the task again when the others had their turn.
  };
  using Task = std::function<Progress()>;

  // Accepts up to `tasks_max` tasks, running ones included. REQUIRES: both are
  // positive.
  WorkQueue(size_t thread_count, size_t tasks_max);
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Runs what is still in the queue to its end.
  ~WorkQueue();

  // Adds a task of a tenant; false, and `task` is not run, when there are too
  // many, or too many of the tenant.
  [[nodiscard]] bool Post(const Tenant& tenant, Task task);

  // Adds one that was accepted before and has waited for something since,
  // however many there are.
  void PostAgain(const Tenant& tenant, Task task);

  // The tasks that it has accepted and not finished.
  size_t size() const;

  // How long tasks waited before they ran first.
  TimeCounts waits() const { return waits_.Read(); }

 private:
  using Clock = std::chrono::steady_clock;

  struct NewTask {
    Task task;
    Clock::time_point posted;
  };

  using Turn = TenantTurns<Task>::Turn;

  void RunTasks();
  // REQUIRES of those: the caller holds mutex_, and of TakeTask: there is one.
  Turn TakeTask();
  bool IsFullFor(const Tenant& tenant) const;
  void PostLocked(const Tenant& tenant, Task task);
  size_t SizeLocked() const;

  const size_t tasks_max_;
  TimeHistogram waits_;
  mutable std::mutex mutex_;        // guards what follows
  std::condition_variable wakeup_;  // a task came, or the end
  TenantTurns<NewTask> new_tasks_;
  TenantTurns<Task> long_tasks_;     // have run, and aren't finished
  std::map<Tenant, size_t> counts_;  // of each tenant's, those that run, too
  size_t new_turns_ = 0;             // since the last turn of a long one
  size_t running_count_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_WORK_QUEUE_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Threads that write to disks, so that no other one waits for them. There are
// as many as disks have been waited for at a time: a task never waits behind
// another one whose disk doesn't answer.

#ifndef REPRISE_SERVICES_STORAGE_DISK_WRITERS_H_
#define REPRISE_SERVICES_STORAGE_DISK_WRITERS_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace reprise::services {

// Safe to use from any thread.
class DiskWriters {
 public:
  // Starts with one thread.
  DiskWriters();
  DiskWriters(const DiskWriters&) = delete;
  DiskWriters& operator=(const DiskWriters&) = delete;

  // Runs what is left to its end.
  ~DiskWriters();

  // Has `task` run by a thread that has nothing else to do: a new one where all
  // are busy. Where the system allows no more, one of those that there are runs
  // it later.
  void Run(std::function<void()> task);

  // How many there are: as many as there were tasks at a time, at most. They
  // stay, as they may be needed again.
  size_t thread_count() const;

 private:
  // REQUIRES: the caller holds mutex_.
  void AddThreadLocked();
  void Work();

  mutable std::mutex mutex_;        // guards what follows
  std::condition_variable wakeup_;  // a task came, or the end
  std::deque<std::function<void()>> tasks_;
  size_t idle_count_ = 0;  // of threads that have no task, or are beginning
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_DISK_WRITERS_H_

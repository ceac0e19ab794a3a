// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that who waits for the mutex gets it before who has just unlocked it,
// and wants it again at once, does; and that it is one.

#include "services/sessions/fair_mutex.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace reprise::services {
namespace {

// Whether a thread of this process waits for something.
bool IsAsleep(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string line;
  std::getline(file, line);
  const size_t name_end = line.rfind(')');
  return name_end != std::string::npos && line.substr(name_end + 2, 1) == "S";
}

TEST(FairMutexTest, WhoWaitsGetsItBeforeWhoHadIt) {
  for (int round = 0; round < 20; ++round) {
    FairMutex mutex;
    std::atomic<pid_t> waiter_id = 0;
    bool waiter_had_it = false;  // guarded by `mutex`
    mutex.lock();
    std::thread waiter([&] {
      waiter_id = static_cast<pid_t>(syscall(SYS_gettid));
      const std::scoped_lock lock(mutex);
      waiter_had_it = true;
    });
    while (waiter_id == 0 || !IsAsleep(waiter_id)) std::this_thread::yield();

    mutex.unlock();
    mutex.lock();
    EXPECT_TRUE(waiter_had_it);
    mutex.unlock();
    waiter.join();
  }
}

TEST(FairMutexTest, OneHasItAtATime) {
  constexpr int kRounds = 10'000;
  FairMutex mutex;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        const std::scoped_lock lock(mutex);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 4 * kRounds);
}

}  // namespace
}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/command/serve_process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

namespace fs = std::filesystem;

constexpr char kReprise[] = "tools/reprise/reprise";

}  // namespace

ServeProcess::ServeProcess(const std::string& packs) {
  const std::string folder = TemporaryPath("serve");
  const std::string address = folder + "/address";
  fs::create_directories(folder);
  fs::remove(address);  // of one before
  process_ = fork();
  if (process_ == 0) {
    const std::string store = folder + "/store";
    execl(kReprise, "reprise", "serve", "--listen", "127.0.0.1:0", "--packs",
          packs.c_str(), "--store", store.c_str(), "--print-address",
          address.c_str(), nullptr);
    _exit(127);
  }
  const absl::Time deadline = absl::Now() + absl::Minutes(1);
  while (!fs::exists(address) && absl::Now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::ifstream(address) >> address_;
}

ServeProcess::~ServeProcess() {
  kill(process_, SIGTERM);
  int status = 0;
  waitpid(process_, &status, 0);
  EXPECT_EQ(status, 0);
}

std::vector<pid_t> ServeProcess::Workers() const {
  std::vector<pid_t> workers;
  const std::string tasks = "/proc/" + std::to_string(process_) + "/task";
  for (const auto& task : fs::directory_iterator(tasks)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) workers.push_back(child);
  }
  return workers;
}

}  // namespace reprise::tests

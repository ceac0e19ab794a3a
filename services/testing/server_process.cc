// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/server_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>

#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "services/base/resource_name.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

// Where Bazel puts it, seen from where tests run.
constexpr char kProgram[] = "services/testing/tiny_server";

// The first line that comes from `descriptor`, without its end.
std::string ReadLine(int descriptor) {
  std::string line;
  char character = 0;
  while (read(descriptor, &character, 1) == 1 && character != '\n') {
    line += character;
  }
  return line;
}

}  // namespace

ServerProcess::ServerProcess(const TestFolders& folders)
    : log_path_(testing::TempDir() + NewId(absl::Now()) + ".log") {
  std::array<int, 2> pipe = {};
  CHECK(pipe2(pipe.data(), O_CLOEXEC) == 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log_path_.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::string program = kProgram;
  std::string packs = folders.packs();
  std::string store = folders.store();
  const std::array<char*, 4> arguments = {program.data(), packs.data(),
                                          store.data(), nullptr};
  CHECK(posix_spawn(&process_, kProgram, &actions, /*attributes=*/nullptr,
                    arguments.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe[1]);
  address_ = ReadLine(pipe[0]);
  close(pipe[0]);
  EXPECT_NE(address_, "") << ReadLog();
}

void ServerProcess::Kill() {
  if (process_ == 0) return;
  kill(process_, SIGKILL);
  CHECK(waitpid(process_, nullptr, 0) == process_);
  process_ = 0;
}

std::string ServerProcess::ReadLog() const {
  std::ifstream log(log_path_);
  return {std::istreambuf_iterator<char>(log), {}};
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/isolated_process.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <system_error>
#include <thread>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::tools {
namespace {

using std::chrono::steady_clock;

// How often a process that works is looked at: soon at first, since many end
// soon.
constexpr std::chrono::microseconds kLookIntervalMin{200};
constexpr std::chrono::microseconds kLookIntervalMax{20'000};

// As of a shell that finds no program.
constexpr int kOrphaned = 127;

absl::Status SystemError(const char* call) {
  return absl::UnavailableError(
      fmt::format("{}: {}", call, std::generic_category().message(errno)));
}

// Called where memory is asked for and there is none, so it asks for none.
void EndWithoutMemory() {
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, kNoMemory.data(), kNoMemory.size());
  abort();
}

// The new process: crashes are the parent's to tell of.
void BecomeChild(const ProcessLimits& limits, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kOrphaned);  // it died before the call
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    signal(number, SIG_DFL);
  }
  // Nobody reads a core of each crash.
  const rlimit no_core = {.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (limits.memory_max_mib > 0) {
    const rlim_t bytes = rlim_t{limits.memory_max_mib} << 20;
    const rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    setrlimit(RLIMIT_DATA, &limit);
    std::set_new_handler(&EndWithoutMemory);
  }
}

}  // namespace

absl::StatusOr<ProcessEnding> RunIsolated(
    const ProcessLimits& limits, const std::function<void()>& work,
    const std::function<uint64_t()>& progress) {
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) return SystemError("fork");
  if (process == 0) {
    BecomeChild(limits, parent);
    work();
    _exit(kOrphaned);
  }
  ProcessEnding ending;
  uint64_t last = progress();
  steady_clock::time_point last_progress = steady_clock::now();
  std::chrono::microseconds interval = kLookIntervalMin;
  while (waitpid(process, &ending.wait_status, WNOHANG) == 0) {
    std::this_thread::sleep_for(interval);
    interval = std::min(interval * 2, kLookIntervalMax);
    const uint64_t now = progress();
    if (now != last) {
      last = now;
      last_progress = steady_clock::now();
    }
    if (limits.hang_timeout.count() == 0 ||
        steady_clock::now() - last_progress < limits.hang_timeout) {
      continue;
    }
    ending.is_hung = true;
    kill(process, SIGKILL);
    waitpid(process, &ending.wait_status, 0);
    break;
  }
  return ending;
}

std::string NameOfEnding(const ProcessEnding& ending) {
  if (!WIFSIGNALED(ending.wait_status)) {
    return fmt::format("exit code {}", WEXITSTATUS(ending.wait_status));
  }
  const int number = WTERMSIG(ending.wait_status);
  const char* const name = sigabbrev_np(number);
  return name == nullptr ? fmt::format("signal {}", number)
                         : fmt::format("SIG{}", name);
}

}  // namespace reprise::tools

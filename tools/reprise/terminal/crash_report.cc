// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/crash_report.h"

#include <signal.h>
#include <unistd.h>

#include "tools/reprise/terminal/exit_code.h"

namespace reprise::tools {
namespace {

// Written before there is a crash: a handler may not allocate.
std::string& Report() {
  static std::string& report = *new std::string;
  return report;
}

const char* report_data = nullptr;
size_t report_size = 0;

// Only calls that are safe in a handler of signals (POSIX, 2.4.3).
void EndProcess(int) {
  // There is nobody to tell if this can't be written.
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, report_data, report_size);
  _exit(static_cast<int>(ExitCode::kCrashed));
}

}  // namespace

void ReportCrashes(const std::string& command_line) {
  Report() = "error: the program crashed\nreproduce: " + command_line + "\n";
  report_data = Report().data();
  report_size = Report().size();
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction current = {};
    sigaction(number, nullptr, &current);
    if (current.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = &EndProcess;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
}

}  // namespace reprise::tools

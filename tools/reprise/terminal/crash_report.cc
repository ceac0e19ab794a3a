// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/crash_report.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "sim/plugins/foreign_call.h"
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

// The process that is to report an `exit`: not one that a plug-in forked.
pid_t reporting_process = 0;
std::atomic<bool> exit_is_expected = false;

// What is left to do behind a crash takes less, unless it never ends.
constexpr unsigned kSecondsMax = 20;

// There is nobody to tell if this can't be written.
void Print(std::string_view text) {
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, text.data(), text.size());
}

void PrintNumber(uint64_t number) {
  std::array<char, 20> digits;
  size_t first = digits.size();
  do {
    digits[--first] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  Print({digits.data() + first, digits.size() - first});
}

// What happened, where, and how to have it again; and ends the process. Only
// calls that are safe in a handler of signals (POSIX, 2.4.3).
void ReportEnd(std::string_view what) {
  Print("error: the program ");
  Print(what);
  const sim::ForeignPlace& place = sim::CurrentForeignPlace();
  if (place.plugin != nullptr && !place.call.empty()) {
    Print(" in plug-in '");
    Print({place.plugin, strlen(place.plugin)});
    Print("': ");
    Print(place.call);
    Print(", tick ");
    PrintNumber(place.tick);
  }
  Print("\n");
  Print({report_data, report_size});
  _exit(static_cast<int>(ExitCode::kCrashed));
}

void EndProcess(int number) {
  if (number != SIGALRM) {
    alarm(kSecondsMax);
    sim::ReturnFromForeignCrash(number);
  }
  ReportEnd("crashed");
}

// A library's way to end in the middle of a run, and with 0 it would pass.
void EndUnlessExpected() {
  if (exit_is_expected || getpid() != reporting_process) return;
  ReportEnd("was ended by a call of exit");
}

// Where a handler runs on the thread that asks: of a stack that has overflowed
// nothing is left for it.
void MakeStackForHandlers() {
  constexpr size_t kStackBytes = size_t{64} << 10;
  alignas(16) static std::array<std::byte, kStackBytes> bytes;
  stack_t current = {};
  if (sigaltstack(nullptr, &current) != 0 ||
      (current.ss_flags & SS_DISABLE) == 0) {
    return;
  }
  stack_t stack = {};
  stack.ss_sp = bytes.data();
  stack.ss_size = bytes.size();
  sigaltstack(&stack, nullptr);
}

}  // namespace

void ReportCrashes(const std::string& command_line) {
  Report() = "reproduce: " + command_line + "\n";
  report_data = Report().data();
  report_size = Report().size();
  reporting_process = getpid();
  // Before anything is loaded, so it comes before all that the program destroys
  // at its end.
  std::atexit(&EndUnlessExpected);
  MakeStackForHandlers();
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) {
    struct sigaction current = {};
    sigaction(number, nullptr, &current);
    if (current.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = &EndProcess;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
}

void ExpectExit() { exit_is_expected = true; }

}  // namespace reprise::tools

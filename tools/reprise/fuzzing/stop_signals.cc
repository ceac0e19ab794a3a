// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/stop_signals.h"

#include <sys/mman.h>

#include <cerrno>
#include <new>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::tools {
namespace {

using Count = std::atomic<uint32_t>;

static_assert(Count::is_always_lock_free);  // a handler may wait for nothing

constinit std::atomic<Count*> count_of_all = nullptr;

void CountSignal(int /*number*/) {
  Count* const count = count_of_all.load();
  if (count != nullptr) count->fetch_add(1);
}

void Take(int number, struct sigaction& before) {
  sigaction(number, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = &CountSignal;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigaction(number, &action, nullptr);
}

}  // namespace

absl::StatusOr<std::unique_ptr<StopSignals>> StopSignals::Create() {
  void* const memory = mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return absl::UnavailableError(
        fmt::format("mmap: {}", std::generic_category().message(errno)));
  }
  return std::unique_ptr<StopSignals>(new StopSignals(new (memory) Count(0)));
}

StopSignals::StopSignals(std::atomic<uint32_t>* count) : count_(*count) {
  count_of_all = count;
  Take(SIGINT, interrupt_before_);
  Take(SIGTERM, terminate_before_);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &terminate_before_, nullptr);
  count_of_all = nullptr;
  munmap(&count_, sizeof(Count));
}

}  // namespace reprise::tools

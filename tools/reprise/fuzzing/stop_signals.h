// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// SIGINT and SIGTERM that end a search where it can be kept, instead of ending
// the process.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_STOP_SIGNALS_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_STOP_SIGNALS_H_

#include <signal.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"

namespace reprise::tools {

// Counts the signals while it lives; what this process forks counts with it, so
// whichever of them a signal comes to, all know. The second one of a kind that
// comes to a process ends it. A signal that was ignored before stays so.
class StopSignals {
 public:
  // UNAVAILABLE: the system gives no memory. REQUIRES: there is no other one.
  static absl::StatusOr<std::unique_ptr<StopSignals>> Create();

  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  bool has_come() const { return count_.load() > 0; }

 private:
  explicit StopSignals(std::atomic<uint32_t>* count);

  std::atomic<uint32_t>& count_;  // in memory that processes share
  struct sigaction interrupt_before_ = {};
  struct sigaction terminate_before_ = {};
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_STOP_SIGNALS_H_

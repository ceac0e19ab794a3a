// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A process that makes runs of a simulation and is asked about them, one
// question at a time. What it does wrong ends it, and is its answer.

#ifndef REPRISE_TOOLS_REPRISE_CONFORMING_TRIAL_PROCESS_H_
#define REPRISE_TOOLS_REPRISE_CONFORMING_TRIAL_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/tick.h"
#include "tools/reprise/conforming/surroundings.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

// An answer, or how the process ended before there was one.
struct TrialAnswer {
  Json json;                // null: none
  sim::Tick tick = 0;       // it was at last
  std::string_view ending;  // of mistake_kind.h; empty: it goes on
  std::string reason;       // "SIGSEGV"
  int exit_code = 0;        // where it ended by itself
};

class TrialProcess {
 public:
  // Starts `program` with `words`, to which it adds that it is asked. It dies
  // with this one. UNAVAILABLE: the system gives no process or pipe. REQUIRES:
  // this process has one thread.
  static absl::StatusOr<std::unique_ptr<TrialProcess>> Start(
      const std::string& program, const std::vector<std::string>& words,
      const Surroundings& surroundings, std::chrono::seconds hang_timeout);

  ~TrialProcess();
  TrialProcess(const TrialProcess&) = delete;
  TrialProcess& operator=(const TrialProcess&) = delete;

  // Returns when it has answered, or ended, or no tick has ended for the time
  // that it may take.
  TrialAnswer Ask(const Json& question);

  bool has_ended() const { return process_ <= 0; }

 private:
  using Clock = std::chrono::steady_clock;

  TrialProcess() = default;

  TrialAnswer End(TrialAnswer answer, bool is_hung);
  std::string Reason(int wait_status) const;
  std::string LastWords() const;

  pid_t process_ = 0;
  int questions_ = -1;  // this side's ends
  int answers_ = -1;
  int printed_ = -1;
  std::chrono::seconds hang_timeout_{0};
  std::string pending_;
  std::string text_;  // the end of what it printed
};

// The other side: answers what comes through standard input until it ends.
// `answer` is told a question, and may tell of ticks meanwhile.
void AnswerQuestions(int answers,
                     const std::function<Json(const Json&)>& answer);

// Tells the one who asks which tick is about to be made.
void TellTick(int answers, sim::Tick tick);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_CONFORMING_TRIAL_PROCESS_H_

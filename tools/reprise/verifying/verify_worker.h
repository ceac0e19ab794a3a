// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A process that verifies replays, one after another, seen by the one that
// started it: a crash, a hang or too much memory ends it, and is the result of
// the replay that it was at.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_WORKER_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_WORKER_H_

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "replays/format/replay_metadata.h"
#include "tools/reprise/verifying/verify_process.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {

// Two descriptors that belong together, closed when they are forgotten: the
// ends of a pipe, or of a pair of sockets.
class DescriptorPair {
 public:
  DescriptorPair() = default;
  DescriptorPair(const DescriptorPair&) = delete;
  DescriptorPair& operator=(const DescriptorPair&) = delete;
  ~DescriptorPair();

  // False: the system gives none, and errno says why. Nobody else inherits
  // them; reading from the first end doesn't wait.
  bool OpenPipe();
  bool OpenSockets();

  // -1 once it is closed.
  int first() const { return ends_[0]; }
  int second() const { return ends_[1]; }
  void CloseFirst() { CloseEnd(0); }
  void CloseSecond() { CloseEnd(1); }

  // Appends to `text` what can be read from the first end, but no more than a
  // process that ended may have left: one that never stops isn't waited for.
  void Drain(std::string& text);

 private:
  void CloseEnd(size_t end);

  std::array<int, 2> ends_ = {-1, -1};
};

// Used by one thread. The process dies with this one.
class VerifyWorker {
 public:
  // Both must outlive the worker.
  VerifyWorker(const VerifyProcessOptions& options,
               const VerifyProcessObserver& observer)
      : options_(options), observer_(observer) {}
  VerifyWorker(const VerifyWorker&) = delete;
  VerifyWorker& operator=(const VerifyWorker&) = delete;
  ~VerifyWorker();

  // Starts the process with its first replay, which the observer knows as
  // `index`; unless `takes_more`, it is its only one. UNAVAILABLE: the system
  // gives no process or pipe.
  absl::Status Start(size_t index, const std::string& path, bool takes_more);

  // Gives it another one; false if it is gone. REQUIRES: is_idle().
  bool Give(size_t index, const std::string& path);

  // Has it end once it is done; for how long it may take to, counts from here.
  void GiveNoMore();

  // The descriptors that become readable when there is news.
  std::array<int, 2> descriptors() const {
    return {report_.first(), output_.first()};
  }

  // Takes what there is to take. True: the result of its replay is there.
  bool Look();

  // The replay that it is at, and whether it has verified others before.
  size_t index() const { return index_; }
  bool was_used() const { return replays_done_ > 0; }

  // REQUIRES: Look() returned true.
  VerifyResult TakeResult();

  // Without a replay, and ready for one.
  bool is_idle() const { return process_ > 0 && !is_busy_; }
  bool has_ended() const { return process_ <= 0; }

  // What is wrong with how it ended, which no result says: it crashed or hung
  // when it was done. Empty: nothing. REQUIRES: has_ended().
  std::string DescribeEnd() const;

 private:
  using Clock = std::chrono::steady_clock;

  [[noreturn]] void Become(std::vector<char*>& arguments, pid_t parent);
  void Begin(size_t index, const std::string& path);
  void TakeOutput();
  void TakeReport();
  void TakeLine(std::string_view line);
  bool HasHung() const;
  void End(Verdict verdict, std::string summary);
  bool StaysForMore() const { return paths_.first() >= 0 && !is_leaving_; }
  bool EndedAfter(Verdict verdict) const;
  std::string Place() const;
  VerifyResult Crash() const;
  std::string Reason() const;
  std::string PrintedLines() const;

  const VerifyProcessOptions& options_;
  const VerifyProcessObserver& observer_;
  DescriptorPair paths_;
  DescriptorPair report_;
  DescriptorPair output_;
  pid_t process_ = 0;  // 0: none, or it has ended
  int wait_status_ = 0;
  uint64_t replays_done_ = 0;
  bool is_leaving_ = false;  // it says that it takes no other replay
  std::optional<Verdict> last_verdict_;

  // Of the replay that it is at.
  bool is_busy_ = false;
  size_t index_ = 0;
  std::string path_;
  Clock::time_point start_;
  Clock::time_point last_progress_;
  std::string pending_;  // of the report: a line that isn't whole yet
  std::string printed_;
  uint64_t ticks_done_ = 0;
  uint64_t tick_count_ = 0;
  replays::ReplayRemarks remarks_;
  std::optional<VerifyResult> result_;
  std::optional<Verdict> ended_;  // by this side, and why
  std::string end_summary_;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_WORKER_H_

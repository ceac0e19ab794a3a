// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A process that works for an operation: another start of the program that the
// server is told of. What it does to itself ends with it; it dies with the
// server, and can't write more than it may.

#ifndef REPRISE_SERVICES_OPERATIONS_WORKER_PROCESS_H_
#define REPRISE_SERVICES_OPERATIONS_WORKER_PROCESS_H_

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace reprise::services {

// The variable that names the descriptor to which a worker tells its progress:
// lines of JSON, `{"ticks_done":120,"tick_count":240}`.
inline constexpr std::string_view kProgressVariable = "REPRISE_PROGRESS_TO";

struct WorkerOrder {
  std::string program;
  std::vector<std::string> arguments;
  // Where it runs.
  std::string folder;
  // Descriptors that it has as kInputDescriptor and those behind it.
  std::vector<int> inputs;
  // What it may write to in memory; 0: no limit.
  uint64_t memory_bytes_max = 0;
  // How large a file may become that it writes.
  uint64_t file_bytes_max = 0;
};

inline constexpr int kInputDescriptor = 10;

// Used by one thread, which has to live as long as the process may: the system
// ends the process with it.
class WorkerProcess {
 public:
  using Clock = std::chrono::steady_clock;

  // UNAVAILABLE: the system gives no process or pipe.
  static absl::StatusOr<std::unique_ptr<WorkerProcess>> Start(
      const WorkerOrder& order);

  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  // Ends it where it hasn't.
  ~WorkerProcess();

  // Takes what it says, and waits for that so long. False: it has ended.
  bool Look(absl::Duration wait_max);

  // Ends it, and those that it started.
  void Kill();

  uint64_t ticks_done() const { return ticks_done_; }
  uint64_t tick_count() const { return tick_count_; }
  // When it last said that it came further.
  Clock::time_point last_progress() const { return last_progress_; }

  // What it wrote to its standard output, and the end of what it wrote to the
  // other one.
  const std::string& out() const { return out_; }
  const std::string& err() const { return err_; }
  // Whether it wrote more to its standard output than anybody reads.
  bool says_too_much() const { return says_too_much_; }

  // REQUIRES of those: it has ended. What it had of memory at most.
  uint64_t peak_memory_bytes() const;
  // Its exit code, -1 where a signal ended it.
  int exit_code() const;
  // "signal 11 (Segmentation fault)" or "exit code 4".
  std::string DescribeEnd() const;
  // Whether it wrote to a file more than it may.
  bool wrote_too_much() const;

 private:
  // An end of a pipe that this process reads.
  struct Reader {
    Reader() = default;
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader();
    int descriptor = -1;
  };

  WorkerProcess() = default;

  // Appends what there is to `text`, up to `bytes_max` of it in all.
  static void Drain(Reader& reader, std::string& text, size_t bytes_max);
  void TakeOutput();
  void TakeProgress();

  pid_t process_ = 0;  // 0 once it has ended
  int wait_status_ = 0;
  rusage usage_ = {};
  Reader out_reader_;
  Reader err_reader_;
  Reader progress_reader_;
  std::string out_;
  std::string err_;
  std::string pending_;  // of its progress: a line that isn't whole
  bool says_too_much_ = false;
  uint64_t ticks_done_ = 0;
  uint64_t tick_count_ = 0;
  Clock::time_point last_progress_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OPERATIONS_WORKER_PROCESS_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_process.h"

#include <malloc.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "replays/playing/kept_simulations.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verifying/verify_worker.h"

namespace reprise::tools {
namespace {

// How long to wait for news before the clocks are looked at.
constexpr int kPollMilliseconds = 50;

// What a process may still have of memory, behind a replay, beyond what it
// began with, and take another one: without a limit, and of one.
constexpr uint64_t kKeptBytesMax = uint64_t{1} << 30;
constexpr uint64_t kKeptPartOfLimit = 4;

// More packs than most corpora have; what they take counts as kept bytes, too.
constexpr size_t kKeptSimulationsMax = 32;

// Shares the paths out to so many workers, and hires others for those that end.
class WorkerPool {
 public:
  WorkerPool(std::span<const std::string> paths,
             const VerifyProcessOptions& options,
             const VerifyProcessObserver& observer)
      : paths_(paths), options_(options), observer_(observer) {}

  absl::Status Run() {
    while (next_ < paths_.size() || !workers_.empty()) {
      absl::Status status = Employ();
      if (!status.ok()) return status;
      WaitForNews();
      for (const std::unique_ptr<VerifyWorker>& worker : workers_) {
        if (!worker->Look()) continue;
        status = TakeResult(*worker);
        if (!status.ok()) return status;
      }
      for (const std::unique_ptr<VerifyWorker>& worker : workers_) {
        if (!worker->has_ended() || !end_.empty()) continue;
        end_ = worker->DescribeEnd();
      }
      workers_.insert(workers_.end(), std::make_move_iterator(hired_.begin()),
                      std::make_move_iterator(hired_.end()));
      hired_.clear();
      std::erase_if(workers_, [](const std::unique_ptr<VerifyWorker>& worker) {
        return worker->has_ended();
      });
    }
    return end_.empty() ? absl::OkStatus() : absl::InternalError(end_);
  }

 private:
  // Gives a replay to everybody who has none, as long as there are any.
  absl::Status Employ() {
    for (const std::unique_ptr<VerifyWorker>& worker : workers_) {
      if (!worker->is_idle() || next_ == paths_.size()) continue;
      // Who is gone is replaced below.
      if (worker->Give(next_, paths_[next_])) ++next_;
    }
    while (next_ < paths_.size() && Working() < options_.jobs) {
      absl::Status status = Hire(next_, workers_);
      if (!status.ok()) return status;
      ++next_;
    }
    // Known before their results are there, their ends belong to these.
    if (next_ < paths_.size()) return absl::OkStatus();
    for (const std::unique_ptr<VerifyWorker>& worker : workers_) {
      worker->GiveNoMore();
    }
    return absl::OkStatus();
  }

  uint64_t Working() const {
    return static_cast<uint64_t>(std::ranges::count_if(
        workers_, [](const std::unique_ptr<VerifyWorker>& worker) {
          return !worker->is_idle();
        }));
  }

  absl::Status Hire(size_t index,
                    std::vector<std::unique_ptr<VerifyWorker>>& into) {
    into.push_back(std::make_unique<VerifyWorker>(options_, observer_));
    return into.back()->Start(index, paths_[index], options_.reuses_processes);
  }

  // What doesn't pass in a process that has verified others is tried once more
  // in a new one: what those left behind is no fault of this one. Neither is it
  // to be one of the next, so the process takes no more.
  absl::Status TakeResult(VerifyWorker& worker) {
    const bool was_used = worker.was_used();
    VerifyResult result = worker.TakeResult();
    if (was_used && !result.passed()) {
      worker.GiveNoMore();
      return Hire(worker.index(), hired_);
    }
    observer_.on_result(worker.index(), std::move(result));
    return absl::OkStatus();
  }

  void WaitForNews() {
    std::vector<pollfd> waits;
    for (const std::unique_ptr<VerifyWorker>& worker : workers_) {
      for (const int descriptor : worker->descriptors()) {
        // poll skips those that are closed, which are negative.
        waits.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
      }
    }
    poll(waits.data(), waits.size(), kPollMilliseconds);
  }

  const std::span<const std::string> paths_;
  const VerifyProcessOptions& options_;
  const VerifyProcessObserver& observer_;
  std::vector<std::unique_ptr<VerifyWorker>> workers_;
  std::vector<std::unique_ptr<VerifyWorker>>
      hired_;  // while they are looked at
  size_t next_ = 0;
  std::string end_;  // the first crash that is no replay's
};

void WriteLine(int descriptor, const Json& json) {
  const std::string line = json.dump(-1, ' ', /*ensure_ascii=*/false,
                                     Json::error_handler_t::replace) +
                           "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t count = write(descriptor, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // nobody listens any more
    rest.remove_prefix(static_cast<size_t>(count));
  }
}

// Called where memory is asked for and there is none, so it asks for none.
void EndWithoutMemory() {
  constexpr std::string_view kMessage = "error: out of memory\n";
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(static_cast<int>(ExitCode::kCrashed));
}

// Of this process, what RLIMIT_DATA counts: statm's sixth number, in pages
// (proc(5)).
uint64_t DataBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t pages = 0;
  for (int i = 0; i < 6; ++i) file >> pages;
  return file ? pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

// The replays that a process is given, and whether it is still as good as new.
class Assignments {
 public:
  explicit Assignments(std::optional<uint64_t> descriptor)
      : descriptor_(descriptor), bytes_max_(DataBytes() + KeptBytesMax()) {}

  bool CanGoOn() const {
    if (!descriptor_.has_value()) return false;
    if (DataBytes() <= bytes_max_) return true;
    malloc_trim(0);
    return DataBytes() <= bytes_max_;
  }

  // False: there are no more.
  bool TakePath(std::string& path) const {
    path.clear();
    for (char byte = 0;;) {
      const ssize_t count = read(static_cast<int>(*descriptor_), &byte, 1);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      if (byte == '\0') return true;
      path.push_back(byte);
    }
  }

 private:
  static uint64_t KeptBytesMax() {
    rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0 ||
        limit.rlim_cur == RLIM_INFINITY) {
      return kKeptBytesMax;
    }
    return limit.rlim_cur / kKeptPartOfLimit;
  }

  const std::optional<uint64_t> descriptor_;
  const uint64_t bytes_max_;
};

}  // namespace

absl::Status VerifyInProcesses(std::span<const std::string> paths,
                               const VerifyProcessOptions& options,
                               const VerifyProcessObserver& observer) {
  return WorkerPool(paths, options, observer).Run();
}

Verdict VerifyForParent(std::string path, const VerifyFileOptions& options,
                        const ParentDescriptors& descriptors) {
  std::set_new_handler(&EndWithoutMemory);
  const int report = static_cast<int>(descriptors.report);
  VerifyFileObserver observer;
  observer.on_remarks = [&](const replays::ReplayRemarks& remarks) {
    Json line;
    line["remarks"] = ToJson(remarks);
    WriteLine(report, line);
  };
  observer.on_progress = [report](sim::Tick ticks_done, sim::Tick tick_count) {
    Json line;
    line["ticks_done"] = ticks_done;
    line["tick_count"] = tick_count;
    WriteLine(report, line);
  };
  const Assignments assignments(descriptors.paths);
  replays::KeptSimulations simulations(kKeptSimulationsMax);
  while (true) {
    const VerifyResult result =
        VerifyFile(path, options, observer, &simulations);
    const bool can_go_on = assignments.CanGoOn();
    Json line;
    line["result"] = ToJson(result);
    line["is_last"] = !can_go_on;
    WriteLine(report, line);
    if (!can_go_on || !assignments.TakePath(path)) return result.verdict;
  }
}

}  // namespace reprise::tools

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/operations/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

// As of a shell that finds no program.
constexpr int kNotStarted = 127;

constexpr int kProgressDescriptor = 3;
// Beyond those that a worker has.
constexpr int kAsideDescriptor = 64;

// A report of a hundred differences of sixteen fields has a megabyte.
constexpr size_t kOutBytesMax = size_t{16} << 20;
// The end of what it says: enough for any error.
constexpr size_t kErrBytesMax = size_t{8} << 10;
constexpr size_t kProgressBytesMax = size_t{64} << 10;
constexpr size_t kPieceBytes = size_t{64} << 10;

// Who steps for a client goes first.
constexpr int kNiceness = 10;

absl::Status SystemError(const char* call) {
  return absl::UnavailableError(
      fmt::format("{}: {}", call, std::generic_category().message(errno)));
}

// Both ends, until they are given away.
struct Pipe {
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends) {
      if (end >= 0) close(end);
    }
  }

  // Reading doesn't wait.
  bool Open() {
    return pipe2(ends.data(), O_CLOEXEC) == 0 &&
           fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
  }

  int TakeReader() { return std::exchange(ends[0], -1); }

  std::array<int, 2> ends = {-1, -1};
};

// Those of this process without the ones that are ours, which speak of servers.
std::vector<std::string> EnvironmentOfWorkers() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("REPRISE_")) {
      variables.emplace_back(*variable);
    }
  }
  variables.push_back(
      fmt::format("{}={}", kProgressVariable, kProgressDescriptor));
  return variables;
}

// As exec takes them. `texts` must remain live and as they are.
std::vector<char*> PointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What the new process needs, made before there is one.
struct Launch {
  const WorkerOrder& order;
  std::vector<char*> arguments;
  std::vector<char*> environment;
  std::vector<int> descriptors;  // out, err, progress, inputs
  pid_t parent = 0;
};

// Of everything that this process has open, others keep to themselves.
void CloseFrom(int first) {
  constexpr unsigned int kCloseOnExec = 1U << 2;  // CLOSE_RANGE_CLOEXEC
  if (syscall(SYS_close_range, first, ~0U, kCloseOnExec) == 0) return;
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  for (int i = first; i < static_cast<int>(limit.rlim_cur); ++i) close(i);
}

void SetLimit(__rlimit_resource resource, uint64_t value) {
  const rlimit limit = {.rlim_cur = value, .rlim_max = value};
  setrlimit(resource, &limit);
}

// The new process: only calls that are safe behind a fork (POSIX, 2.4.3).
[[noreturn]] void Become(Launch& launch) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launch.parent) _exit(kNotStarted);  // it died before
  setpgid(0, 0);
  setpriority(PRIO_PROCESS, 0, kNiceness);
  SetLimit(RLIMIT_CORE, 0);
  if (launch.order.memory_bytes_max > 0) {
    SetLimit(RLIMIT_DATA, launch.order.memory_bytes_max);
  }
  if (launch.order.file_bytes_max > 0) {
    SetLimit(RLIMIT_FSIZE, launch.order.file_bytes_max);
  }
  // A server waits for its signals in one place, and ignores others.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  if (chdir(launch.order.folder.c_str()) != 0) _exit(kNotStarted);
  // Out of the way first: where they are may be where others go.
  for (int& descriptor : launch.descriptors) {
    descriptor = fcntl(descriptor, F_DUPFD, kAsideDescriptor);
    if (descriptor < 0) _exit(kNotStarted);
  }
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) _exit(kNotStarted);
  const std::array<int, 3> fixed = {STDOUT_FILENO, STDERR_FILENO,
                                    kProgressDescriptor};
  for (size_t i = 0; i < launch.descriptors.size(); ++i) {
    const int target = i < fixed.size()
                           ? fixed[i]
                           : kInputDescriptor + static_cast<int>(i) -
                                 static_cast<int>(fixed.size());
    if (dup2(launch.descriptors[i], target) < 0) _exit(kNotStarted);
  }
  for (int i = kProgressDescriptor + 1; i < kInputDescriptor; ++i) close(i);
  CloseFrom(kInputDescriptor + static_cast<int>(launch.order.inputs.size()));
  execve(launch.order.program.c_str(), launch.arguments.data(),
         launch.environment.data());
  _exit(kNotStarted);
}

}  // namespace

WorkerProcess::Reader::~Reader() {
  if (descriptor >= 0) close(descriptor);
}

absl::StatusOr<std::unique_ptr<WorkerProcess>> WorkerProcess::Start(
    const WorkerOrder& order) {
  Pipe out;
  Pipe err;
  Pipe progress;
  if (!out.Open() || !err.Open() || !progress.Open()) {
    return SystemError("pipe");
  }
  std::vector<std::string> words = {"reprise"};
  words.insert(words.end(), order.arguments.begin(), order.arguments.end());
  std::vector<std::string> variables = EnvironmentOfWorkers();
  Launch launch = {.order = order,
                   .arguments = PointersTo(words),
                   .environment = PointersTo(variables),
                   .descriptors = {out.ends[1], err.ends[1], progress.ends[1]},
                   .parent = getpid()};
  launch.descriptors.insert(launch.descriptors.end(), order.inputs.begin(),
                            order.inputs.end());
  std::unique_ptr<WorkerProcess> worker(new WorkerProcess);
  worker->process_ = fork();
  if (worker->process_ < 0) {
    worker->process_ = 0;
    return SystemError("fork");
  }
  if (worker->process_ == 0) Become(launch);
  worker->out_reader_.descriptor = out.TakeReader();
  worker->err_reader_.descriptor = err.TakeReader();
  worker->progress_reader_.descriptor = progress.TakeReader();
  worker->last_progress_ = Clock::now();
  return worker;
}

WorkerProcess::~WorkerProcess() { Kill(); }

bool WorkerProcess::Look(absl::Duration wait_max) {
  if (process_ == 0) return false;
  // poll skips those that are closed, which are negative.
  std::array<pollfd, 3> news = {
      {{.fd = out_reader_.descriptor, .events = POLLIN, .revents = 0},
       {.fd = err_reader_.descriptor, .events = POLLIN, .revents = 0},
       {.fd = progress_reader_.descriptor, .events = POLLIN, .revents = 0}}};
  poll(news.data(), news.size(),
       static_cast<int>(absl::ToInt64Milliseconds(wait_max)));
  // Before its words: what it says is complete once it has ended.
  const pid_t ended = wait4(process_, &wait_status_, WNOHANG, &usage_);
  if (ended == process_) {
    // Those that it started, and left.
    kill(-process_, SIGKILL);
    process_ = 0;
  }
  TakeOutput();
  TakeProgress();
  return process_ != 0;
}

void WorkerProcess::Kill() {
  if (process_ == 0) return;
  kill(-process_, SIGKILL);
  // Where it isn't the first of its group yet.
  kill(process_, SIGKILL);
  while (wait4(process_, &wait_status_, 0, &usage_) < 0 && errno == EINTR) {
  }
  process_ = 0;
  TakeOutput();
  TakeProgress();
}

void WorkerProcess::Drain(Reader& reader, std::string& text, size_t bytes_max) {
  std::array<char, kPieceBytes> piece;
  while (reader.descriptor >= 0 && text.size() < bytes_max) {
    const ssize_t count = read(reader.descriptor, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      close(std::exchange(reader.descriptor, -1));
      return;
    }
    text.append(piece.data(), static_cast<size_t>(count));
  }
}

void WorkerProcess::TakeOutput() {
  Drain(out_reader_, out_, kOutBytesMax);
  says_too_much_ = out_.size() >= kOutBytesMax;
  // Never more at a time than a pipe holds, so this ends.
  std::string said;
  Drain(err_reader_, said, kPieceBytes);
  err_ += said;
  if (err_.size() > kErrBytesMax) err_.erase(0, err_.size() - kErrBytesMax);
}

void WorkerProcess::TakeProgress() {
  Drain(progress_reader_, pending_, kProgressBytesMax);
  size_t begin = 0;
  for (size_t end = pending_.find('\n'); end != std::string::npos;
       end = pending_.find('\n', begin)) {
    const auto json =
        nlohmann::json::parse(pending_.substr(begin, end - begin), nullptr,
                              /*allow_exceptions=*/false);
    begin = end + 1;
    if (!json.is_object()) continue;
    const auto done = json.find("ticks_done");
    const auto count = json.find("tick_count");
    if (done == json.end() || !done->is_number_unsigned() ||
        count == json.end() || !count->is_number_unsigned()) {
      continue;
    }
    ticks_done_ = done->get<uint64_t>();
    tick_count_ = count->get<uint64_t>();
    last_progress_ = Clock::now();
  }
  pending_.erase(0, begin);
  // A line without an end is none.
  if (pending_.size() >= kProgressBytesMax) pending_.clear();
}

uint64_t WorkerProcess::peak_memory_bytes() const {
  CHECK(process_ == 0);
  return static_cast<uint64_t>(usage_.ru_maxrss) << 10;  // of KiB
}

int WorkerProcess::exit_code() const {
  CHECK(process_ == 0);
  return WIFEXITED(wait_status_) ? WEXITSTATUS(wait_status_) : -1;
}

std::string WorkerProcess::DescribeEnd() const {
  CHECK(process_ == 0);
  if (WIFSIGNALED(wait_status_)) {
    const int number = WTERMSIG(wait_status_);
    return fmt::format("signal {} ({})", number, strsignal(number));
  }
  return fmt::format("exit code {}", exit_code());
}

bool WorkerProcess::wrote_too_much() const {
  CHECK(process_ == 0);
  return WIFSIGNALED(wait_status_) && WTERMSIG(wait_status_) == SIGXFSZ;
}

}  // namespace reprise::services

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

using std::chrono::steady_clock;

// How long to wait for news before the clocks are looked at.
constexpr int kPollMilliseconds = 50;

// A report describes at most a hundred divergences of sixteen fields each.
constexpr size_t kReportLineBytesMax = size_t{64} << 20;

// What is kept of the end of what a process printed: enough for any crash.
constexpr size_t kOutputBytesMax = size_t{4} << 10;

constexpr std::string_view kErrorLabel = "error: ";

// What Linux keeps in a pipe (pipe(7)).
constexpr size_t kPipeBytesMax = size_t{64} << 10;

// As of a shell that finds no program.
constexpr int kNotStarted = 127;

// Both ends of a pipe, closed when they are forgotten.
class Pipe {
 public:
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    CloseEnd(0);
    CloseEnd(1);
  }

  bool Open() {
    return pipe2(ends_.data(), O_CLOEXEC) == 0 &&
           fcntl(ends_[0], F_SETFL, O_NONBLOCK) == 0;
  }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void CloseWriter() { CloseEnd(1); }
  void CloseReader() { CloseEnd(0); }

  // Appends to `text` what there is, but no more than a process that ended may
  // have left: one that never stops writing is not waited for.
  void Drain(std::string& text) {
    std::array<char, kPipeBytesMax> bytes;
    for (size_t drained = 0; reader() >= 0 && drained < kPipeBytesMax;) {
      const ssize_t count = read(reader(), bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count <= 0) return CloseReader();
      text.append(bytes.data(), static_cast<size_t>(count));
      drained += static_cast<size_t>(count);
    }
  }

 private:
  void CloseEnd(size_t end) {
    if (ends_[end] >= 0) close(std::exchange(ends_[end], -1));
  }

  std::array<int, 2> ends_ = {-1, -1};
};

// One process, from its start to its result.
class VerifyProcess {
 public:
  VerifyProcess(size_t index, std::string path,
                const VerifyProcessOptions& options,
                const VerifyProcessObserver& observer)
      : index_(index),
        path_(std::move(path)),
        options_(options),
        observer_(observer),
        start_(steady_clock::now()),
        last_progress_(start_) {}
  VerifyProcess(const VerifyProcess&) = delete;
  VerifyProcess& operator=(const VerifyProcess&) = delete;

  ~VerifyProcess() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  absl::Status Start() {
    if (!report_.Open() || !output_.Open()) return SystemError("pipe");
    std::vector<std::string> words = {"reprise", "verify", "--report-to",
                                      std::to_string(report_.writer())};
    words.insert(words.end(), options_.flags.begin(), options_.flags.end());
    words.insert(words.end(), {"--", path_});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ < 0) return SystemError("fork");
    if (process_ == 0) Become(arguments, parent);
    report_.CloseWriter();
    output_.CloseWriter();
    return absl::OkStatus();
  }

  // The descriptors that become readable when there is news.
  std::array<int, 2> descriptors() const {
    return {report_.reader(), output_.reader()};
  }

  // Takes what there is to take. True: the result is there.
  bool Look() {
    const bool has_ended = waitpid(process_, &wait_status_, WNOHANG) != 0;
    if (has_ended) process_ = 0;
    TakeReport();
    TakeOutput();
    if (has_ended) return true;
    const auto idle = steady_clock::now() - last_progress_;
    if (options_.hang_timeout.count() > 0 && idle >= options_.hang_timeout) {
      End(Verdict::kHung, fmt::format("hung, no progress for {} s, {}",
                                      options_.hang_timeout.count(), Place()));
      return true;
    }
    if (pending_.size() > kReportLineBytesMax) {
      End(Verdict::kCrashed, "crashed, its report has no end");
      return true;
    }
    return false;
  }

  size_t index() const { return index_; }

  // REQUIRES: Look() returned true.
  VerifyResult TakeResult() {
    VerifyResult result = result_.has_value() && IsOfItsExitCode(*result_)
                              ? *std::move(result_)
                              : Crash();
    result.path = path_;
    result.seconds =
        std::chrono::duration<double>(steady_clock::now() - start_).count();
    return result;
  }

 private:
  static absl::Status SystemError(const char* call) {
    return absl::UnavailableError(
        fmt::format("{}: {}", call, std::generic_category().message(errno)));
  }

  // The new process: only calls that are safe behind a fork (POSIX, 2.4.3).
  [[noreturn]] void Become(std::vector<char*>& arguments, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kNotStarted);  // it died before the call
    if (options_.memory_max_mib > 0) {
      const rlim_t bytes = rlim_t{options_.memory_max_mib} << 20;
      const rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
      setrlimit(RLIMIT_DATA, &limit);
    }
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(output_.writer(), STDOUT_FILENO);
    dup2(output_.writer(), STDERR_FILENO);
    fcntl(report_.writer(), F_SETFD, 0);  // the one that goes on
    execv("/proc/self/exe", arguments.data());
    _exit(kNotStarted);
  }

  // Keeps the end of what is printed.
  void TakeOutput() {
    output_.Drain(printed_);
    if (printed_.size() > kOutputBytesMax) {
      printed_.erase(0, printed_.size() - kOutputBytesMax);
    }
  }

  // Takes the whole lines of the report.
  void TakeReport() {
    report_.Drain(pending_);
    size_t begin = 0;
    for (size_t end = pending_.find('\n'); end != std::string::npos;
         end = pending_.find('\n', begin)) {
      TakeLine(std::string_view(pending_).substr(begin, end - begin));
      begin = end + 1;
    }
    pending_.erase(0, begin);
  }

  void TakeLine(std::string_view line) {
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) return;
    last_progress_ = steady_clock::now();
    if (json.contains("ticks_done") &&
        json["ticks_done"].is_number_unsigned() &&
        json.contains("tick_count") &&
        json["tick_count"].is_number_unsigned()) {
      ticks_done_ = json["ticks_done"];
      tick_count_ = json["tick_count"];
      observer_.on_progress(index_, ticks_done_, tick_count_);
      return;
    }
    if (json.contains("remarks")) {
      absl::StatusOr<replays::ReplayRemarks> remarks =
          ParseRemarks(json["remarks"]);
      if (!remarks.ok()) return;
      remarks_ = *std::move(remarks);
      observer_.on_remarks(index_, remarks_);
    } else if (json.contains("result")) {
      absl::StatusOr<VerifyResult> result = ParseVerifyResult(json["result"]);
      if (result.ok()) result_ = *std::move(result);
    }
  }

  // Ends the process; what it printed until then is kept.
  void End(Verdict verdict, std::string summary) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = 0;
    TakeReport();
    TakeOutput();
    ended_ = verdict;
    end_summary_ = std::move(summary);
    result_.reset();
  }

  bool IsOfItsExitCode(const VerifyResult& result) const {
    return WIFEXITED(wait_status_) &&
           WEXITSTATUS(wait_status_) ==
               static_cast<int>(ExitCodeOf(result.verdict));
  }

  std::string Place() const {
    if (tick_count_ == 0) return "before its first tick";
    return fmt::format("after {} of {} ticks", ticks_done_, tick_count_);
  }

  // The result of a process that gave none.
  VerifyResult Crash() const {
    VerifyResult result;
    result.ticks_verified = 0;
    result.tick_count = tick_count_;
    result.remarks = remarks_;
    result.report = PrintedLines();
    if (ended_.has_value()) {
      result.verdict = *ended_;
      result.summary = end_summary_;
      return result;
    }
    const bool was_started =
        !WIFEXITED(wait_status_) || WEXITSTATUS(wait_status_) != kNotStarted;
    if (!was_started && result.report.empty()) {
      result.verdict = Verdict::kFailed;
      result.summary = "the process could not be started";
      return result;
    }
    result.verdict = Verdict::kCrashed;
    result.summary = fmt::format("crashed, {}, {}", Reason(), Place());
    return result;
  }

  std::string Reason() const {
    if (WIFSIGNALED(wait_status_)) {
      const int number = WTERMSIG(wait_status_);
      return fmt::format("signal {} ({})", number, strsignal(number));
    }
    // A failed promise says what it was in its last line.
    const std::string lines = PrintedLines();
    if (WEXITSTATUS(wait_status_) == static_cast<int>(ExitCode::kCrashed) &&
        !lines.empty()) {
      const size_t begin = lines.rfind('\n', lines.size() - 2);
      std::string line =
          lines.substr(begin == std::string::npos ? 0 : begin + 1);
      line.pop_back();
      return line.starts_with(kErrorLabel) ? line.substr(kErrorLabel.size())
                                           : line;
    }
    return fmt::format("exit code {} and no result", WEXITSTATUS(wait_status_));
  }

  // What the simulation printed, without the lines that every crash has.
  std::string PrintedLines() const {
    std::istringstream stream(printed_);
    std::string lines;
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("reproduce: ")) continue;
      if (line == "error: the program crashed") continue;
      lines += line + "\n";
    }
    return lines;
  }

  const size_t index_;
  const std::string path_;
  const VerifyProcessOptions& options_;
  const VerifyProcessObserver& observer_;
  const steady_clock::time_point start_;
  steady_clock::time_point last_progress_;
  Pipe report_;
  Pipe output_;
  pid_t process_ = 0;  // 0: none, or it has ended
  int wait_status_ = 0;
  std::string pending_;  // of the report: a line that isn't whole yet
  std::string printed_;
  uint64_t ticks_done_ = 0;
  uint64_t tick_count_ = 0;
  replays::ReplayRemarks remarks_;
  std::optional<VerifyResult> result_;
  std::optional<Verdict> ended_;  // by this side, and why
  std::string end_summary_;
};

void WaitForNews(const std::vector<std::unique_ptr<VerifyProcess>>& processes) {
  std::vector<pollfd> waits;
  for (const std::unique_ptr<VerifyProcess>& process : processes) {
    for (const int descriptor : process->descriptors()) {
      // poll skips those that are closed, which are negative.
      waits.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
    }
  }
  poll(waits.data(), waits.size(), kPollMilliseconds);
}

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

}  // namespace

absl::Status VerifyInProcesses(std::span<const std::string> paths,
                               const VerifyProcessOptions& options,
                               const VerifyProcessObserver& observer) {
  std::vector<std::unique_ptr<VerifyProcess>> processes;
  size_t next = 0;
  while (next < paths.size() || !processes.empty()) {
    while (next < paths.size() && processes.size() < options.jobs) {
      processes.push_back(std::make_unique<VerifyProcess>(next, paths[next],
                                                          options, observer));
      ++next;
      const absl::Status status = processes.back()->Start();
      if (!status.ok()) return status;
    }
    WaitForNews(processes);
    std::erase_if(processes,
                  [&observer](const std::unique_ptr<VerifyProcess>& process) {
                    if (!process->Look()) return false;
                    observer.on_result(process->index(), process->TakeResult());
                    return true;
                  });
  }
  return absl::OkStatus();
}

VerifyResult VerifyForParent(const std::string& path,
                             const VerifyFileOptions& options,
                             uint64_t descriptor) {
  std::set_new_handler(&EndWithoutMemory);
  const int report = static_cast<int>(descriptor);
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
  VerifyResult result = VerifyFile(path, options, observer);
  Json line;
  line["result"] = ToJson(result);
  WriteLine(report, line);
  return result;
}

}  // namespace reprise::tools

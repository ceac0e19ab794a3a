// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_worker.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>
#include <system_error>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

// A report describes at most a hundred divergences of sixteen fields each.
constexpr size_t kReportLineBytesMax = size_t{64} << 20;

// What is kept of the end of what a process printed: enough for any crash.
constexpr size_t kOutputBytesMax = size_t{4} << 10;

constexpr std::string_view kErrorLabel = "error: ";

// What Linux keeps in a pipe (pipe(7)).
constexpr size_t kPipeBytesMax = size_t{64} << 10;

// As of a shell that finds no program.
constexpr int kNotStarted = 127;

absl::Status SystemError(const char* call) {
  return absl::UnavailableError(
      fmt::format("{}: {}", call, std::generic_category().message(errno)));
}

}  // namespace

DescriptorPair::~DescriptorPair() {
  CloseEnd(0);
  CloseEnd(1);
}

bool DescriptorPair::OpenPipe() {
  return pipe2(ends_.data(), O_CLOEXEC) == 0 &&
         fcntl(ends_[0], F_SETFL, O_NONBLOCK) == 0;
}

bool DescriptorPair::OpenSockets() {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()) == 0;
}

void DescriptorPair::Drain(std::string& text) {
  std::array<char, kPipeBytesMax> bytes;
  for (size_t drained = 0; first() >= 0 && drained < kPipeBytesMax;) {
    const ssize_t count = read(first(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return CloseFirst();
    text.append(bytes.data(), static_cast<size_t>(count));
    drained += static_cast<size_t>(count);
  }
}

void DescriptorPair::CloseEnd(size_t end) {
  if (ends_[end] >= 0) close(std::exchange(ends_[end], -1));
}

VerifyWorker::~VerifyWorker() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

absl::Status VerifyWorker::Start(size_t index, const std::string& path,
                                 bool takes_more) {
  CHECK(process_ == 0);
  if (!report_.OpenPipe() || !output_.OpenPipe()) return SystemError("pipe");
  std::vector<std::string> words = {"reprise", "verify", "--report-to",
                                    std::to_string(report_.second())};
  if (takes_more) {
    if (!paths_.OpenSockets()) return SystemError("socketpair");
    words.insert(words.end(),
                 {"--paths-from", std::to_string(paths_.second())});
  }
  words.insert(words.end(), options_.flags.begin(), options_.flags.end());
  words.insert(words.end(), {"--", path});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) return SystemError("fork");
  if (process_ == 0) Become(arguments, parent);
  report_.CloseSecond();
  output_.CloseSecond();
  paths_.CloseSecond();
  Begin(index, path);
  return absl::OkStatus();
}

// The new process: only calls that are safe behind a fork (POSIX, 2.4.3).
void VerifyWorker::Become(std::vector<char*>& arguments, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNotStarted);  // it died before the call
  if (options_.memory_max_mib > 0) {
    const rlim_t bytes = rlim_t{options_.memory_max_mib} << 20;
    const rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    setrlimit(RLIMIT_DATA, &limit);
  }
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(output_.second(), STDOUT_FILENO);
  dup2(output_.second(), STDERR_FILENO);
  fcntl(report_.second(), F_SETFD, 0);  // those that go on
  if (paths_.second() >= 0) fcntl(paths_.second(), F_SETFD, 0);
  execv("/proc/self/exe", arguments.data());
  _exit(kNotStarted);
}

bool VerifyWorker::Give(size_t index, const std::string& path) {
  CHECK(is_idle());
  // With its zero byte, which no path has inside.
  std::string_view rest(path.c_str(), path.size() + 1);
  while (StaysForMore() && !rest.empty()) {
    const ssize_t count =
        send(paths_.first(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    rest.remove_prefix(static_cast<size_t>(count));
  }
  if (!rest.empty()) return false;
  Begin(index, path);
  return true;
}

void VerifyWorker::GiveNoMore() {
  if (paths_.first() < 0) return;
  paths_.CloseFirst();
  last_progress_ = Clock::now();
}

void VerifyWorker::Begin(size_t index, const std::string& path) {
  is_busy_ = true;
  index_ = index;
  path_ = path;
  start_ = Clock::now();
  last_progress_ = start_;
  printed_.clear();
  ticks_done_ = 0;
  tick_count_ = 0;
  remarks_ = {};
  result_.reset();
}

bool VerifyWorker::Look() {
  if (has_ended()) return is_busy_;
  const bool has_just_ended = waitpid(process_, &wait_status_, WNOHANG) != 0;
  if (has_just_ended) process_ = 0;
  TakeReport();
  TakeOutput();
  if (has_just_ended) return is_busy_;
  if (!is_busy_) {
    // Without a replay only its end may take long.
    if (!StaysForMore() && HasHung()) {
      End(Verdict::kHung,
          fmt::format("hung behind its last replay, {}: it didn't end in {} s",
                      path_, options_.hang_timeout.count()));
    }
    return false;
  }
  // One that is about to end may crash while it does.
  if (result_.has_value() && StaysForMore()) return true;
  if (HasHung()) {
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

VerifyResult VerifyWorker::TakeResult() {
  CHECK(is_busy_);
  const bool is_result =
      result_.has_value() && (!has_ended() || EndedAfter(result_->verdict));
  VerifyResult result = is_result ? *std::move(result_) : Crash();
  last_verdict_ = result.verdict;
  result.path = path_;
  result.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  is_busy_ = false;
  ++replays_done_;
  return result;
}

std::string VerifyWorker::DescribeEnd() const {
  CHECK(has_ended());
  // A crash with a replay is that one's result.
  if (!last_verdict_.has_value() || *last_verdict_ == Verdict::kCrashed ||
      *last_verdict_ == Verdict::kHung) {
    return "";
  }
  if (ended_.has_value()) {
    return fmt::format("a process {}\n{}", end_summary_, PrintedLines());
  }
  if (EndedAfter(*last_verdict_)) return "";
  return fmt::format("a process crashed behind its last replay, {}: {}\n{}",
                     path_, Reason(), PrintedLines());
}

// Keeps the end of what is printed.
void VerifyWorker::TakeOutput() {
  output_.Drain(printed_);
  if (printed_.size() > kOutputBytesMax) {
    printed_.erase(0, printed_.size() - kOutputBytesMax);
  }
}

// Takes the whole lines of the report.
void VerifyWorker::TakeReport() {
  report_.Drain(pending_);
  size_t begin = 0;
  for (size_t end = pending_.find('\n'); end != std::string::npos;
       end = pending_.find('\n', begin)) {
    TakeLine(std::string_view(pending_).substr(begin, end - begin));
    begin = end + 1;
  }
  pending_.erase(0, begin);
}

void VerifyWorker::TakeLine(std::string_view line) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !is_busy_) return;
  last_progress_ = Clock::now();
  if (json.contains("ticks_done") && json["ticks_done"].is_number_unsigned() &&
      json.contains("tick_count") && json["tick_count"].is_number_unsigned()) {
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
    is_leaving_ = json.contains("is_last") && json["is_last"] == true;
  }
}

bool VerifyWorker::HasHung() const {
  return options_.hang_timeout.count() > 0 &&
         Clock::now() - last_progress_ >= options_.hang_timeout;
}

// Ends the process; what it printed until then is kept.
void VerifyWorker::End(Verdict verdict, std::string summary) {
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = 0;
  TakeReport();
  TakeOutput();
  ended_ = verdict;
  end_summary_ = std::move(summary);
  result_.reset();
}

bool VerifyWorker::EndedAfter(Verdict verdict) const {
  return WIFEXITED(wait_status_) &&
         WEXITSTATUS(wait_status_) == static_cast<int>(ExitCodeOf(verdict));
}

std::string VerifyWorker::Place() const {
  if (tick_count_ == 0) return "before its first tick";
  return fmt::format("after {} of {} ticks", ticks_done_, tick_count_);
}

// The result of a process that gave none.
VerifyResult VerifyWorker::Crash() const {
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

std::string VerifyWorker::Reason() const {
  if (WIFSIGNALED(wait_status_)) {
    const int number = WTERMSIG(wait_status_);
    return fmt::format("signal {} ({})", number, strsignal(number));
  }
  // A failed promise says what it was in its last line.
  const std::string lines = PrintedLines();
  if (WEXITSTATUS(wait_status_) == static_cast<int>(ExitCode::kCrashed) &&
      !lines.empty()) {
    const size_t begin = lines.rfind('\n', lines.size() - 2);
    std::string line = lines.substr(begin == std::string::npos ? 0 : begin + 1);
    line.pop_back();
    return line.starts_with(kErrorLabel) ? line.substr(kErrorLabel.size())
                                         : line;
  }
  return fmt::format("exit code {} and no result", WEXITSTATUS(wait_status_));
}

// What the simulation printed, without the lines that every crash has.
std::string VerifyWorker::PrintedLines() const {
  std::istringstream stream(printed_);
  std::string lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("reproduce: ")) continue;
    if (line == "error: the program crashed") continue;
    lines += line + "\n";
  }
  return lines;
}

}  // namespace reprise::tools

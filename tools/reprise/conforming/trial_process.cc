// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/conforming/trial_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iostream>
#include <sstream>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "tools/reprise/terminal/exit_code.h"

namespace reprise::tools {
namespace {

constexpr size_t kPieceBytes = size_t{64} << 10;

// What is kept of the end of what a process printed.
constexpr size_t kTextBytesMax = 4096;

// An answer has some fields, each with a line.
constexpr size_t kAnswerBytesMax = size_t{16} << 20;

// How long to wait for news before the clock is looked at.
constexpr int kPollMilliseconds = 50;

constexpr int kNotStarted = 127;

constexpr std::string_view kErrorLabel = "error: ";

// As enclosure.cc has it.
constexpr std::string_view kStartsThread = "it starts a thread or process";

absl::Status SystemError(const char* call) {
  return absl::UnavailableError(
      fmt::format("{}: {}", call, std::generic_category().message(errno)));
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Appends what is there; false: the other end is closed.
bool Drain(int descriptor, std::string& text) {
  std::array<char, kPieceBytes> piece;
  const ssize_t count = read(descriptor, piece.data(), piece.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  text.append(piece.data(), static_cast<size_t>(count));
  return count > 0;
}

void WriteLine(int descriptor, const Json& json) {
  const std::string line =
      json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (size_t done = 0; done < line.size();) {
    const ssize_t count =
        write(descriptor, line.data() + done, line.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(static_cast<int>(ExitCode::kInfrastructure));
    done += static_cast<size_t>(count);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<TrialProcess>> TrialProcess::Start(
    const std::string& program, const std::vector<std::string>& words,
    const Surroundings& surroundings, std::chrono::seconds hang_timeout) {
  std::array<int, 2> questions = {-1, -1};
  std::array<int, 2> answers = {-1, -1};
  std::array<int, 2> printed = {-1, -1};
  // A pair of sockets: writing to one that is gone is an error, no signal.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, questions.data()) !=
          0 ||
      pipe2(answers.data(), O_CLOEXEC) != 0 ||
      pipe2(printed.data(), O_CLOEXEC) != 0) {
    return SystemError("pipe");
  }
  std::vector<std::string> texts = {"reprise"};
  texts.insert(texts.end(), words.begin(), words.end());
  texts.insert(texts.end(), {"--answer-to", std::to_string(answers[1])});
  std::vector<std::string> environment = surroundings.environment;
  const std::vector<char*> arguments = Pointers(texts);
  const std::vector<char*> variables = Pointers(environment);
  std::unique_ptr<TrialProcess> result(new TrialProcess);
  result->hang_timeout_ = hang_timeout;
  result->questions_ = questions[0];
  result->answers_ = answers[0];
  result->printed_ = printed[0];
  fcntl(answers[0], F_SETFL, O_NONBLOCK);
  fcntl(printed[0], F_SETFL, O_NONBLOCK);
  const pid_t parent = getpid();
  result->process_ = fork();
  if (result->process_ == 0) {
    // Only calls that are safe behind a fork (POSIX, 2.4.3).
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kNotStarted);  // it died before the call
    const rlimit no_core = {.rlim_cur = 0, .rlim_max = 0};
    setrlimit(RLIMIT_CORE, &no_core);
    if (!surroundings.has_other_addresses) personality(ADDR_NO_RANDOMIZE);
    dup2(questions[1], STDIN_FILENO);
    dup2(printed[1], STDOUT_FILENO);
    dup2(printed[1], STDERR_FILENO);
    fcntl(answers[1], F_SETFD, 0);  // goes on
    if (!surroundings.folder.empty() &&
        chdir(surroundings.folder.c_str()) != 0) {
      _exit(kNotStarted);
    }
    execve(program.c_str(), arguments.data(), variables.data());
    _exit(kNotStarted);
  }
  for (const int other : {questions[1], answers[1], printed[1]}) close(other);
  if (result->process_ < 0) return SystemError("fork");
  return result;
}

TrialProcess::~TrialProcess() {
  for (const int end : {questions_, answers_, printed_}) {
    if (end >= 0) close(end);
  }
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

TrialAnswer TrialProcess::Ask(const Json& question) {
  TrialAnswer answer;
  const std::string line = question.dump() + "\n";
  // One that is gone says so below.
  [[maybe_unused]] const ssize_t sent =
      send(questions_, line.data(), line.size(), MSG_NOSIGNAL);
  Clock::time_point last = Clock::now();
  while (true) {
    std::array<pollfd, 2> ends = {
        {{.fd = answers_, .events = POLLIN, .revents = 0},
         {.fd = printed_, .events = POLLIN, .revents = 0}}};
    poll(ends.data(), ends.size(), kPollMilliseconds);
    if (ends[1].revents != 0 && !Drain(printed_, text_)) {
      close(std::exchange(printed_, -1));  // poll leaves it out
    }
    if (text_.size() > kTextBytesMax) {
      text_.erase(0, text_.size() - kTextBytesMax);
    }
    const bool is_open = ends[0].revents == 0 || Drain(answers_, pending_);
    for (size_t end = pending_.find('\n'); end != std::string::npos;
         end = pending_.find('\n')) {
      Json json = Json::parse(std::string_view(pending_).substr(0, end),
                              nullptr, /*allow_exceptions=*/false);
      pending_.erase(0, end + 1);
      last = Clock::now();
      if (json.is_number_unsigned()) {
        answer.tick = json.get<sim::Tick>();
      } else if (json.is_object()) {
        answer.json = std::move(json);
        return answer;
      }
    }
    if (!is_open || pending_.size() > kAnswerBytesMax) {
      return End(std::move(answer), /*is_hung=*/false);
    }
    if (Clock::now() - last >= hang_timeout_) {
      return End(std::move(answer), /*is_hung=*/true);
    }
  }
}

TrialAnswer TrialProcess::End(TrialAnswer answer, bool is_hung) {
  // Who closed its answers and goes on is at its end, too.
  if (is_hung) kill(process_, SIGKILL);
  int wait_status = 0;
  for (int waits = 0; waitpid(process_, &wait_status, WNOHANG) == 0; ++waits) {
    usleep(1000);
    if (waits == 1000) kill(process_, SIGKILL);
  }
  process_ = 0;
  while (printed_ >= 0 && Drain(printed_, text_) && errno != EAGAIN) {
  }
  answer.ending = is_hung ? "hang" : "crash";
  answer.reason =
      is_hung ? fmt::format("no tick ends within {} s", hang_timeout_.count())
              : Reason(wait_status);
  // An enclosed process ends so where no handler may run, as in pthread_create.
  if (!is_hung && WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGSYS) {
    answer.ending = "thread";
    answer.reason = kStartsThread;
  }
  if (!is_hung && WIFEXITED(wait_status)) {
    answer.exit_code = WEXITSTATUS(wait_status);
    if (answer.exit_code == static_cast<int>(ExitCode::kBadInput) ||
        answer.exit_code == static_cast<int>(ExitCode::kMissing)) {
      answer.reason = LastWords();
    }
  }
  return answer;
}

std::string TrialProcess::Reason(int wait_status) const {
  std::string reason;
  if (WIFSIGNALED(wait_status)) {
    const char* const name = sigabbrev_np(WTERMSIG(wait_status));
    reason = name == nullptr ? fmt::format("signal {}", WTERMSIG(wait_status))
                             : fmt::format("SIG{}", name);
  } else {
    reason = fmt::format("it ends with exit code {}", WEXITSTATUS(wait_status));
  }
  const std::string words = LastWords();
  return words.empty() ? reason : fmt::format("{}: {}", reason, words);
}

// A library's, or why it can't be loaded.
std::string TrialProcess::LastWords() const {
  std::istringstream stream(text_);
  std::string words;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("reproduce: ") || line.empty()) continue;
    words =
        line.starts_with(kErrorLabel) ? line.substr(kErrorLabel.size()) : line;
  }
  return words;
}

void AnswerQuestions(int answers,
                     const std::function<Json(const Json&)>& answer) {
  for (std::string line; std::getline(std::cin, line);) {
    const Json question =
        Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!question.is_object()) return;
    WriteLine(answers, answer(question));
  }
}

void TellTick(int answers, sim::Tick tick) { WriteLine(answers, Json(tick)); }

}  // namespace reprise::tools

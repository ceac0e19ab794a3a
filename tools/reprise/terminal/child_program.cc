// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/child_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::tools {
namespace {

// What a shell says of a program that can't be run.
constexpr int kNotRun = 127;

// The state of a large world as JSON has some ten megabytes.
constexpr size_t kOutputBytesMax = size_t{1} << 30;

constexpr size_t kPieceBytes = size_t{1} << 16;

absl::Status SystemError(const char* call) {
  return absl::UnavailableError(
      fmt::format("{}: {}", call, std::generic_category().message(errno)));
}

// A pipe whose ends close with it.
class Pipe {
 public:
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    Close(0);
    Close(1);
  }

  bool Open() { return pipe2(ends_.data(), O_CLOEXEC) == 0; }
  int end(size_t i) const { return ends_[i]; }
  void Close(size_t i) {
    if (ends_[i] >= 0) close(std::exchange(ends_[i], -1));
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};  // to read from, to write to
};

// Only calls that are safe behind a fork (POSIX, 2.4.3).
[[noreturn]] void Become(std::vector<char*>& words, pid_t parent,
                         const Pipe& out, const Pipe& err) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNotRun);  // it died before the call
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(out.end(1), STDOUT_FILENO);
  dup2(err.end(1), STDERR_FILENO);
  execv(words.front(), words.data());
  _exit(kNotRun);
}

// Reads both until the process has closed them. False: it prints too much.
bool ReadAll(Pipe& out, Pipe& err, ProgramResult& result) {
  std::array<char, kPieceBytes> piece;
  std::array<pollfd, 2> ends = {
      {{.fd = out.end(0), .events = POLLIN, .revents = 0},
       {.fd = err.end(0), .events = POLLIN, .revents = 0}}};
  const std::array<std::string*, 2> texts = {&result.out, &result.err};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends.data(), ends.size(), /*timeout=*/-1) < 0) continue;
    for (size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t count = read(ends[i].fd, piece.data(), piece.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        ends[i].fd = -1;  // poll leaves it out
        continue;
      }
      texts[i]->append(piece.data(), static_cast<size_t>(count));
      if (texts[i]->size() > kOutputBytesMax) return false;
    }
  }
  return true;
}

int WaitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int kSignalled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status)
                           : kSignalled + WTERMSIG(status);
}

}  // namespace

absl::StatusOr<ProgramResult> RunProgram(
    const std::string& program, const std::vector<std::string>& arguments) {
  // Asked here, since the other process can only say that it didn't work.
  if (access(program.c_str(), X_OK) != 0) {
    return absl::NotFoundError(
        fmt::format("{}: {}", program, std::generic_category().message(errno)));
  }
  Pipe out;
  Pipe err;
  if (!out.Open() || !err.Open()) return SystemError("pipe");
  std::vector<std::string> texts = {program};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) return SystemError("fork");
  if (process == 0) Become(words, parent, out, err);
  out.Close(1);
  err.Close(1);
  ProgramResult result;
  const bool is_read = ReadAll(out, err, result);
  if (!is_read) kill(process, SIGKILL);
  result.exit_code = WaitFor(process);
  if (!is_read) {
    return absl::ResourceExhaustedError(
        fmt::format("{}: it prints more than 1 GiB", program));
  }
  return result;
}

}  // namespace reprise::tools

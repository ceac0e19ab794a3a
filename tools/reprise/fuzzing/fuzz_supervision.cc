// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/fuzz_supervision.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/fuzzing/fuzz_corpus.h"
#include "tools/reprise/fuzzing/shared_file.h"
#include "tools/reprise/fuzzing/shared_journal.h"

namespace reprise::tools {
namespace {

using replays::FoundFailure;
using replays::PlayedInputs;
using std::chrono::steady_clock;

// How often the clock is looked at while a process works.
constexpr std::chrono::milliseconds kLookInterval{20};

// More than that is told better by a person who mends the first ones.
constexpr int kCrashesMax = 100;

constexpr std::string_view kNoMemory = "out of memory";

// As of a shell that finds no program.
constexpr int kOrphaned = 127;

absl::Status SystemError(const char* call) {
  return absl::UnavailableError(
      fmt::format("{}: {}", call, std::generic_category().message(errno)));
}

// How a process ended.
struct Ending {
  int wait_status = 0;
  bool is_hung = false;
};

// Called where memory is asked for and there is none, so it asks for none.
void EndWithoutMemory() {
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, kNoMemory.data(), kNoMemory.size());
  abort();
}

// The new process: crashes are the parent's to tell of.
void BecomeChild(const FuzzLimits& limits, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kOrphaned);  // it died before the call
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    signal(number, SIG_DFL);
  }
  // Nobody reads a core of each crash.
  const rlimit no_core = {.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (limits.memory_max_mib > 0) {
    const rlim_t bytes = rlim_t{limits.memory_max_mib} << 20;
    const rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    setrlimit(RLIMIT_DATA, &limit);
    std::set_new_handler(&EndWithoutMemory);
  }
}

// Runs `work` in another process, where `ticks` goes on. It ends the process
// itself, or it is a crash.
absl::StatusOr<Ending> RunInProcess(const FuzzLimits& limits,
                                    const std::function<void()>& work,
                                    const std::function<uint64_t()>& ticks) {
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) return SystemError("fork");
  if (process == 0) {
    BecomeChild(limits, parent);
    work();
    _exit(kOrphaned);
  }
  Ending ending;
  uint64_t last_ticks = ticks();
  steady_clock::time_point last_progress = steady_clock::now();
  while (waitpid(process, &ending.wait_status, WNOHANG) == 0) {
    std::this_thread::sleep_for(kLookInterval);
    const uint64_t now = ticks();
    if (now != last_ticks) {
      last_ticks = now;
      last_progress = steady_clock::now();
    }
    if (limits.hang_timeout.count() == 0 ||
        steady_clock::now() - last_progress < limits.hang_timeout) {
      continue;
    }
    ending.is_hung = true;
    kill(process, SIGKILL);
    waitpid(process, &ending.wait_status, 0);
    break;
  }
  return ending;
}

// "SIGSEGV", or "exit code 3".
std::string NameOfEnding(int wait_status) {
  if (!WIFSIGNALED(wait_status)) {
    return fmt::format("exit code {}", WEXITSTATUS(wait_status));
  }
  const int number = WTERMSIG(wait_status);
  const char* const name = sigabbrev_np(number);
  return name == nullptr ? fmt::format("signal {}", number)
                         : fmt::format("SIG{}", name);
}

// What a failed promise says of itself, which tells crashes apart that end by
// the same signal; empty: nothing of that kind was printed.
std::string FailedPromise(const std::string& printed) {
  constexpr size_t kBytesMax = 200;
  std::istringstream stream(printed);
  std::string promise;
  for (std::string line; std::getline(stream, line);) {
    const bool is_one = line.find("CHECK failed") != std::string::npos ||
                        line.find("Assertion ") != std::string::npos ||
                        line.starts_with("terminate called");
    if (is_one) promise = line.substr(0, kBytesMax);
  }
  return promise;
}

// Plays inputs to their end, or to its own.
void PlayTo(sim::Simulation& simulation, const PlayedInputs& inputs,
            SharedJournal& journal) {
  size_t next = 0;
  while (simulation.tick() < inputs.tick_count) {
    const sim::Tick tick = simulation.tick();
    journal.OnTick(0);
    std::span<const sim::InputFrame> frames;
    if (next < inputs.ticks.size() && inputs.ticks[next].tick == tick) {
      frames = inputs.ticks[next++].frames;
    }
    if (!simulation.Validate(frames).ok()) frames = {};
    simulation.Step(frames, /*observer=*/nullptr);
    if (!simulation.status().ok()) break;
    simulation.DrainEvents();
  }
}

// A search that crashes may be started again: everything that outlasts it.
class Supervision {
 public:
  Supervision(const sim::PackArchive& pack, const sim::Simulation& start,
              const FuzzSessionOptions& options, const FuzzLimits& limits,
              const FuzzSearch& search, Console& console)
      : pack_(pack),
        start_(start),
        options_(options),
        limits_(limits),
        search_(search),
        console_(console) {}

  absl::StatusOr<ExitCode> Run() {
    auto journal = SharedJournal::Create(options_.jobs, &start_.info().inputs);
    if (!journal.ok()) return journal.status();
    journal_ = *std::move(journal);
    absl::StatusOr<SharedFile> result = SharedFile::Create();
    if (!result.ok()) return result.status();
    result_ = *std::move(result);
    options_.journal = journal_.get();
    const uint64_t ticks = options_.ticks;
    while (true) {
      const absl::StatusOr<Ending> ending = RunInProcess(
          limits_, [this] { Search(); }, [this] { return journal_->ticks(); });
      if (!ending.ok()) return ending.status();
      const std::optional<absl::StatusOr<ExitCode>> returned =
          Returned(*ending);
      if (returned) return *returned;
      searched_ += journal_->ticks() -
                   std::max(ticks_before_, journal_->ticks_before_rounds());
      absl::Status status = TakeCrash(*ending);
      if (!status.ok()) return status;
      options_.ticks = ticks - std::min(ticks, searched_);
      if (crashes_ < kCrashesMax) continue;
      console_.Warning(fmt::format(
          "the game ended the search {} times; it isn't begun once more",
          crashes_));
      options_.ticks = 0;
    }
  }

 private:
  // In the other process.
  void Search() {
    const absl::StatusOr<ExitCode> exit_code = search_(options_);
    console_.out().flush();
    console_.err().flush();
    result_.Replace(
        exit_code.ok()
            ? fmt::format("0 {}", static_cast<int>(*exit_code))
            : fmt::format("{} {}", static_cast<int>(exit_code.status().code()),
                          std::string(exit_code.status().message())));
    _exit(0);
  }

  // What the search returned, if it came to that.
  std::optional<absl::StatusOr<ExitCode>> Returned(const Ending& ending) const {
    const std::string text = result_.Read();
    if (text.empty() || ending.is_hung || !WIFEXITED(ending.wait_status)) {
      return std::nullopt;
    }
    const size_t space = text.find(' ');
    const auto code =
        static_cast<absl::StatusCode>(std::stoi(text.substr(0, space)));
    const std::string rest = text.substr(space + 1);
    if (code != absl::StatusCode::kOk) return absl::Status(code, rest);
    return static_cast<ExitCode>(std::stoi(rest));
  }

  // Says and keeps what ended the search, and makes the next one go on behind
  // it.
  absl::Status TakeCrash(const Ending& ending) {
    std::optional<FoundFailure> crash;
    for (const PlayedInputs& inputs : journal_->InPlay()) {
      absl::StatusOr<FoundFailure> found = FindCrash(start_, inputs, limits_);
      if (absl::IsNotFound(found.status())) continue;
      if (!found.ok()) return found.status();
      crash = *std::move(found);
      break;
    }
    if (!crash) {
      return absl::UnavailableError(fmt::format(
          "the search ended by {}, and no inputs that it played do that again",
          ending.is_hung ? "standing still"
                         : NameOfEnding(ending.wait_status)));
    }
    ++crashes_;
    const std::optional<uint64_t> round = journal_->round();
    absl::Status status = Keep(*crash, /*is_of_corpus=*/!round);
    if (!status.ok()) return status;
    journal_->OnFailure(crash->failure);
    ++counts_[crash->failure.signature];
    options_.failures_before.clear();
    for (replays::RunFailure& failure : journal_->Failures()) {
      const auto count = counts_.find(failure.signature);
      options_.failures_before.push_back(
          {.failure = std::move(failure),
           .inputs = {},
           .count = count == counts_.end() ? 1 : count->second});
    }
    if (round) options_.first_round = *round + 1;
    ticks_before_ = journal_->ticks();
    journal_->Clear();
    return absl::OkStatus();
  }

  absl::Status Keep(const FoundFailure& crash, bool is_of_corpus) {
    std::string path;
    bool is_known = false;
    if (!options_.corpus.empty()) {
      auto corpus = replays::FuzzCorpus::Open(options_.corpus, &pack_, &start_);
      if (!corpus.ok()) return corpus.status();
      is_known = (*corpus)->known().contains(crash.failure.signature);
      absl::StatusOr<std::string> kept = (*corpus)->AddCrash(crash);
      if (!kept.ok()) return kept.status();
      path = *std::move(kept);
      if (is_of_corpus) {
        absl::Status status = (*corpus)->RemoveRunsThatBeginWith(crash.inputs);
        if (!status.ok()) return status;
      }
    }
    const bool is_told = counts_.contains(crash.failure.signature);
    if (options_.is_quiet || is_told) return absl::OkStatus();
    console_.LeaveBar();
    fmt::print(console_.out(), "{}: {}, at tick {}: {}{}\n",
               is_known ? "known failure" : "failure", crash.failure.signature,
               crash.failure.tick, crash.failure.message,
               path.empty() ? "" : "; " + path);
    console_.out().flush();
    return absl::OkStatus();
  }

  const sim::PackArchive& pack_;
  const sim::Simulation& start_;
  FuzzSessionOptions options_;
  const FuzzLimits& limits_;
  const FuzzSearch& search_;
  Console& console_;
  std::unique_ptr<SharedJournal> journal_;
  SharedFile result_;
  int crashes_ = 0;
  std::map<std::string, uint64_t> counts_;  // of crashes, by signature
  uint64_t searched_ = 0;      // ticks, without those of the corpus
  uint64_t ticks_before_ = 0;  // of the journal when the search began
};

}  // namespace

absl::StatusOr<ExitCode> SuperviseFuzzing(const sim::PackArchive& pack,
                                          const sim::Simulation& start,
                                          const FuzzSessionOptions& options,
                                          const FuzzLimits& limits,
                                          const FuzzSearch& search,
                                          Console& console) {
  // What lies in them would be printed by both processes.
  console.out().flush();
  console.err().flush();
  return Supervision(pack, start, options, limits, search, console).Run();
}

absl::StatusOr<FoundFailure> FindCrash(const sim::Simulation& start,
                                       const PlayedInputs& inputs,
                                       const FuzzLimits& limits) {
  auto journal = SharedJournal::Create(1, &start.info().inputs);
  if (!journal.ok()) return journal.status();
  const absl::StatusOr<SharedFile> printed = SharedFile::Create();
  if (!printed.ok()) return printed.status();
  const auto play = [&] {
    dup2(printed->descriptor(), STDOUT_FILENO);
    dup2(printed->descriptor(), STDERR_FILENO);
    PlayTo(*start.Fork(), inputs, **journal);
    _exit(0);
  };
  const absl::StatusOr<Ending> ending =
      RunInProcess(limits, play, [&journal] { return (*journal)->ticks(); });
  if (!ending.ok()) return ending.status();
  const int status = ending->wait_status;
  if (!ending->is_hung && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    return absl::NotFoundError("the inputs end no process");
  }
  FoundFailure found{.failure = {}, .inputs = inputs, .count = 1};
  const sim::Tick tick = (*journal)->ticks();
  found.inputs.tick_count = tick;
  std::erase_if(found.inputs.ticks, [tick](const replays::TickInputs& one) {
    return one.tick >= tick;
  });
  found.failure.tick = tick;
  const std::string text = printed->Read();
  if (ending->is_hung) {
    found.failure.signature = "hang";
    found.failure.message = fmt::format("the tick doesn't end within {} s",
                                        limits.hang_timeout.count());
  } else if (text.ends_with(kNoMemory)) {
    found.failure.signature = kNoMemory;
    found.failure.message =
        fmt::format("the tick wants more than {} MiB", limits.memory_max_mib);
  } else {
    const std::string name = NameOfEnding(status);
    const std::string promise = FailedPromise(text);
    found.failure.signature =
        fmt::format("crash {}", promise.empty() ? name : promise);
    found.failure.message =
        fmt::format("the tick ends the process by {}", name);
  }
  return found;
}

}  // namespace reprise::tools

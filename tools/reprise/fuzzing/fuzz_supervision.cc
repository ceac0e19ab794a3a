// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/fuzz_supervision.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/fuzzing/corpus/fuzz_corpus.h"
#include "tools/reprise/fuzzing/crash_search.h"
#include "tools/reprise/fuzzing/shared_file.h"
#include "tools/reprise/fuzzing/shared_journal.h"

namespace reprise::tools {
namespace {

using replays::FoundFailure;
using replays::PlayedInputs;

// More than that is told better by a person who mends the first ones.
constexpr int kCrashesMax = 100;

// A search that crashes may be started again: everything that outlasts it.
class Supervision {
 public:
  Supervision(const sim::PackArchive& pack, const sim::Simulation& start,
              const FuzzSessionOptions& options, const ProcessLimits& limits,
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
    for (const FoundFailure& before : options_.failures_before) {
      journal_->OnFailure(before.failure);
      before_[before.failure.signature] = before.count;
    }
    const uint64_t ticks = options_.ticks;
    while (true) {
      const absl::StatusOr<ProcessEnding> ending = RunIsolated(
          limits_, [this] { Search(); },
          [this] { return journal_->progress(); });
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
  std::optional<absl::StatusOr<ExitCode>> Returned(
      const ProcessEnding& ending) const {
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
  absl::Status TakeCrash(const ProcessEnding& ending) {
    std::optional<FoundFailure> crash;
    for (const PlayedInputs& inputs : journal_->InPlay()) {
      absl::StatusOr<FoundFailure> found = FindCrash(start_, inputs, limits_);
      if (absl::IsNotFound(found.status())) continue;
      if (!found.ok()) return found.status();
      crash = *std::move(found);
      break;
    }
    if (!crash) {
      absl::StatusOr<FoundFailure> found = FindPerturbed();
      if (!found.ok() && !absl::IsNotFound(found.status())) {
        return found.status();
      }
      if (found.ok()) crash = *std::move(found);
    }
    if (!crash) {
      return absl::UnavailableError(fmt::format(
          "the search ended by {}, and no inputs that it played do that again",
          ending.is_hung ? "standing still" : NameOfEnding(ending)));
    }
    ++crashes_;
    const std::optional<uint64_t> round = journal_->round();
    absl::Status status = Keep(*crash, /*is_of_corpus=*/!round);
    if (!status.ok()) return status;
    journal_->OnFailure(crash->failure);
    ++counts_[crash->failure.signature];
    options_.failures_before.clear();
    for (replays::RunFailure& failure : journal_->Failures()) {
      const uint64_t count = CountOf(failure.signature);
      options_.failures_before.push_back(
          {.failure = std::move(failure), .inputs = {}, .count = count});
    }
    if (round) options_.first_round = *round + 1;
    ticks_before_ = journal_->ticks();
    journal_->Clear();
    return absl::OkStatus();
  }

  // What ends the process only where a run is perturbed ends it at each such
  // check: from now on there are none. NOT_FOUND: nothing does.
  absl::StatusOr<FoundFailure> FindPerturbed() {
    for (const PlayedInputs& inputs : journal_->InPlay()) {
      auto found = FindPerturbedCrash(start_, inputs, limits_);
      if (absl::IsNotFound(found.status())) continue;
      if (!found.ok()) return found.status();
      options_.perturbs = false;
      console_.Warning(fmt::format(
          "{}: runs aren't perturbed from here on, so that the search goes on",
          found->found.failure.signature));
      return std::move(found->found);
    }
    return absl::NotFoundError("nothing ends the process");
  }

  uint64_t CountOf(const std::string& signature) const {
    const auto count = counts_.find(signature);
    if (count != counts_.end()) return count->second;
    const auto before = before_.find(signature);
    return before == before_.end() ? 1 : before->second;
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
    const bool is_told = counts_.contains(crash.failure.signature) ||
                         before_.contains(crash.failure.signature);
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
  const ProcessLimits& limits_;
  const FuzzSearch& search_;
  Console& console_;
  std::unique_ptr<SharedJournal> journal_;
  SharedFile result_;
  int crashes_ = 0;
  std::map<std::string, uint64_t> counts_;  // of crashes, by signature
  // Of failures that were known before, by signature; 0: of the corpus.
  std::map<std::string, uint64_t> before_;
  uint64_t searched_ = 0;      // ticks, without those of the corpus
  uint64_t ticks_before_ = 0;  // of the journal when the search began
};

}  // namespace

absl::StatusOr<ExitCode> SuperviseFuzzing(const sim::PackArchive& pack,
                                          const sim::Simulation& start,
                                          const FuzzSessionOptions& options,
                                          const ProcessLimits& limits,
                                          const FuzzSearch& search,
                                          Console& console) {
  // What lies in them would be printed by both processes.
  console.out().flush();
  console.err().flush();
  return Supervision(pack, start, options, limits, search, console).Run();
}

}  // namespace reprise::tools

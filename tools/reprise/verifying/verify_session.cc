// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_session.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/replay_metadata.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/terminal/escaped_text.h"
#include "tools/reprise/verifying/verify_failure.h"
#include "tools/reprise/verifying/verify_process.h"

namespace reprise::tools {
namespace {

// A path as it is from the working folder, if it lies there: another checkout
// has it in the same place.
std::string FromHere(const std::string& path) {
  const std::filesystem::path normal =
      std::filesystem::path(path).lexically_normal();
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error || !normal.is_absolute()) return path;
  const std::string relative = normal.lexically_relative(here).string();
  return relative.empty() || relative.starts_with("..") ? path : relative;
}

class Verification {
 public:
  Verification(const VerifySessionOptions& options,
               std::vector<std::string> paths, const VerifySource& source,
               Console& console)
      : options_(options),
        paths_(std::move(paths)),
        is_all_(source.is_all),
        cache_(source.cache),
        console_(console),
        keys_(paths_.size()),
        results_(paths_.size()),
        notes_told_(paths_.size()),
        warnings_told_(paths_.size()),
        ticks_done_(paths_.size()),
        tick_counts_(paths_.size()),
        progress_(console,
                  paths_.size() == 1 ? paths_.front()
                                     : fmt::format("{} replays", paths_.size()),
                  0) {}

  // The results in the order of their paths. UNAVAILABLE: no processes.
  absl::StatusOr<std::vector<VerifyResult>> Run() {
    TakeCachedResults();
    absl::Status status;
    if (options_.is_isolated()) {
      status = RunInProcesses();
    } else {
      for (const size_t i : wanted_) RunHere(i);
    }
    if (!status.ok()) return status;
    return std::move(results_);
  }

 private:
  void TakeCachedResults() {
    for (size_t i = 0; i < paths_.size(); ++i) {
      if (cache_ != nullptr) keys_[i] = cache_->KeyOf(paths_[i]);
      std::optional<VerifyResult> known;
      if (keys_[i].has_value()) known = cache_->Find(*keys_[i], paths_[i]);
      if (known.has_value()) {
        OnRemarks(i, known->remarks);
        results_[i] = *std::move(known);
      } else {
        wanted_.push_back(i);
      }
    }
  }

  absl::Status RunInProcesses() {
    VerifyProcessOptions options;
    options.jobs = options_.jobs.value_or(std::max<uint64_t>(
        1, std::thread::hardware_concurrency() / options_.file.threads));
    options.memory_max_mib = options_.memory_max_mib;
    options.hang_timeout = std::chrono::seconds(options_.hang_timeout_seconds);
    options.reuses_processes = options_.isolation == "worker";
    options.flags = options_.file.flags();
    std::vector<std::string> paths;
    for (const size_t i : wanted_) paths.push_back(paths_[i]);
    return VerifyInProcesses(
        paths, options,
        {.on_remarks =
             [this](size_t i, const replays::ReplayRemarks& remarks) {
               OnRemarks(wanted_[i], remarks);
             },
         .on_progress =
             [this](size_t i, uint64_t ticks_done, uint64_t tick_count) {
               OnProgress(wanted_[i], ticks_done, tick_count);
             },
         .on_result =
             [this](size_t i, VerifyResult result) {
               OnResult(wanted_[i], std::move(result));
             }});
  }

  void RunHere(size_t i) {
    OnResult(
        i, VerifyFile(paths_[i], options_.file,
                      {.on_remarks =
                           [this, i](const replays::ReplayRemarks& remarks) {
                             OnRemarks(i, remarks);
                           },
                       .on_progress =
                           [this, i](uint64_t ticks_done, uint64_t tick_count) {
                             OnProgress(i, ticks_done, tick_count);
                           }}));
  }

  // Tells what it hasn't told yet: those known before the run come first.
  void OnRemarks(size_t i, const replays::ReplayRemarks& remarks) {
    console_.LeaveBar();
    for (size_t& k = notes_told_[i]; k < remarks.notes.size(); ++k) {
      console_.Note(
          fmt::format("{}: {}", EscapeLine(paths_[i]), remarks.notes[k]));
    }
    for (size_t& k = warnings_told_[i]; k < remarks.warnings.size(); ++k) {
      console_.Warning(
          fmt::format("{}: {}", EscapeLine(paths_[i]), remarks.warnings[k]));
    }
  }

  void OnProgress(size_t i, uint64_t ticks_done, uint64_t tick_count) {
    total_done_ += ticks_done - std::exchange(ticks_done_[i], ticks_done);
    if (tick_counts_[i] == 0 && tick_count > 0) ++known_count_;
    total_count_ += tick_count - std::exchange(tick_counts_[i], tick_count);
    // Those that haven't begun are about as long as those that have.
    if (known_count_ > 0) {
      progress_.set_tick_count(total_count_ / known_count_ * wanted_.size());
    }
    progress_.Update(total_done_);
  }

  void OnResult(size_t i, VerifyResult result) {
    OnRemarks(i, result.remarks);
    OnProgress(i, tick_counts_[i], tick_counts_[i]);
    if (!result.passed()) Complain(result);
    if (result.passed() && keys_[i].has_value()) {
      const absl::Status status = cache_->Keep(*keys_[i], result);
      if (!status.ok()) console_.Warning(std::string(status.message()));
    }
    results_[i] = std::move(result);
  }

  void Complain(const VerifyResult& result) {
    console_.LeaveBar();
    if (!result.has_run()) {
      console_.Error(
          fmt::format("{}: {}", EscapeLine(result.path), result.summary));
      console_.err() << result.report;
    }
    const std::string diff = DiffCommand(result);
    if (!diff.empty() && !options_.file.pack.empty()) {
      console_.Note(fmt::format(
          "`{}` compares both packs, to the tick and the field", diff));
    }
    // Of a single replay that was named it is the command itself.
    if (paths_.size() > 1 || !is_all_) {
      console_.Reproduce(VerifyReproduction(options_, result.path));
    }
  }

  const VerifySessionOptions& options_;
  const std::vector<std::string> paths_;
  const bool is_all_;
  const VerifyCache* const cache_;
  Console& console_;
  std::vector<size_t> wanted_;  // those that the cache doesn't know
  std::vector<std::optional<std::string>> keys_;
  std::vector<VerifyResult> results_;
  std::vector<size_t> notes_told_;
  std::vector<size_t> warnings_told_;
  std::vector<uint64_t> ticks_done_;
  std::vector<uint64_t> tick_counts_;
  uint64_t total_done_ = 0;
  uint64_t total_count_ = 0;
  uint64_t known_count_ = 0;
  ProgressBar progress_;
};

}  // namespace

std::string VerifyReproduction(const VerifySessionOptions& options,
                               const std::string& path) {
  std::vector<std::string> words = {"verify", FromHere(path)};
  VerifyFileOptions file = options.file;
  file.capsules.clear();
  file.views.clear();
  if (!file.pack.empty()) file.pack = FromHere(PathOfPack(file.pack));
  for (std::string& folder : file.packs) folder = FromHere(folder);
  const std::vector<std::string> flags = file.flags();
  words.insert(words.end(), flags.begin(), flags.end());
  const auto add = [&words](const char* name, uint64_t value, uint64_t unset) {
    if (value == unset) return;
    words.push_back(name);
    words.push_back(std::to_string(value));
  };
  add("--memory-max-mib", options.memory_max_mib, kVerifyMemoryMaxMib);
  add("--hang-timeout-seconds", options.hang_timeout_seconds,
      kVerifyHangTimeoutSeconds);
  return FormatCommandLine(words);
}

absl::StatusOr<std::vector<VerifyResult>> VerifyPaths(
    const VerifySessionOptions& options, std::vector<std::string> paths,
    const VerifySource& source, Console& console) {
  return Verification(options, std::move(paths), source, console).Run();
}

}  // namespace reprise::tools

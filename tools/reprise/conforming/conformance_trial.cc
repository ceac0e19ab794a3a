// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/conforming/conformance_trial.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/conforming/conformance.h"
#include "tools/reprise/conforming/comma_language.h"
#include "tools/reprise/conforming/hidden_change.h"
#include "tools/reprise/conforming/surroundings.h"
#include "tools/reprise/conforming/trial_process.h"
#include "tools/reprise/terminal/child_program.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

// Of one length, so that two processes ask for the same memory.
constexpr std::string_view kDigests = "digests_1";
constexpr std::string_view kOtherDigests = "digests_2";

constexpr std::string_view kPluginFlag = "--plugin";
constexpr std::string_view kPluginsName = "REPRISE_PLUGINS=";

// A folder that is gone when its owner is.
class TemporaryFolder {
 public:
  static absl::StatusOr<std::unique_ptr<TemporaryFolder>> Make() {
    std::error_code error;
    std::string path =
        fs::temp_directory_path(error) / "reprise_conform_XXXXXX";
    if (error || mkdtemp(path.data()) == nullptr) {
      return absl::UnavailableError(
          fmt::format("{}: {}", path, std::generic_category().message(errno)));
    }
    return std::unique_ptr<TemporaryFolder>(new TemporaryFolder(path));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string PathOf(std::string_view name) const { return path_ / name; }

 private:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {}

  const fs::path path_;
};

class Trial {
 public:
  Trial(const TrialOptions& options, const TemporaryFolder& folder,
        const std::function<void(size_t)>& progress)
      : options_(options), folder_(folder), progress_(progress) {}

  absl::StatusOr<std::vector<TrialResult>> Make() {
    TrialResult run{.check = "runs",
                    .claim = "a run from the first tick to the last",
                    .failure = {},
                    .missing = {},
                    .evidence = {}};
    absl::Status status = StartReference(&run);
    if (!status.ok()) return status;
    const bool has_failed = run.failure.has_value();
    Keep(std::move(run));
    if (!has_failed) {
      status = TryChecks();
      if (!status.ok()) return status;
    }
    NameKinds();
    return std::move(results_);
  }

 private:
  absl::Status TryChecks() {
    const auto of_any = replays::ConformanceChecks();
    std::vector<replays::ConformanceCheck> checks(of_any.begin(), of_any.end());
    checks.push_back(kHiddenChangeCheck);
    for (const replays::ConformanceCheck& check : checks) {
      TrialResult result = ResultOf(check);
      absl::Status status =
          AskReference({{"make", "check"}, {"name", check.name}}, result);
      if (!status.ok()) return status;
      Keep(std::move(result));
    }
    for (const replays::ConformanceCheck& check : SurroundingsChecks()) {
      TrialResult result = ResultOf(check);
      absl::Status status = Follow(kThisProgram, options_.words, result);
      if (!status.ok()) return status;
      Keep(std::move(result));
    }
    for (const std::string& build : options_.builds) {
      TrialResult result{
          .check = fmt::format("build {}", fs::path(build).filename().string()),
          .claim = "another build",
          .failure = {},
          .missing = {},
          .evidence = {}};
      const bool is_library = build.find(".so") != std::string::npos;
      absl::Status status = Follow(
          is_library ? kThisProgram : build,
          is_library ? WordsWith(build) : options_.words, result, is_library);
      if (!status.ok()) return status;
      Keep(std::move(result));
    }
    return absl::OkStatus();
  }

  static TrialResult ResultOf(const replays::ConformanceCheck& check) {
    return {.check = std::string(check.name),
            .claim = std::string(check.claim),
            .failure = {},
            .missing = {},
            .evidence = {}};
  }

  // The words with another library in the place of the plug-in's.
  std::vector<std::string> WordsWith(const std::string& library) const {
    std::vector<std::string> words = {std::string(kPluginFlag), library};
    for (size_t i = 0; i < options_.words.size(); ++i) {
      if (options_.words[i] == kPluginFlag) {
        ++i;
        continue;
      }
      words.push_back(options_.words[i]);
    }
    return words;
  }

  void Keep(TrialResult result) {
    results_.push_back(std::move(result));
    if (progress_) progress_(results_.size());
  }

  // Starts the process that has the reference and makes it there. What the run
  // itself does wrong is `run`'s failure; where that is null, it has run
  // before.
  absl::Status StartReference(TrialResult* run) {
    absl::StatusOr<std::unique_ptr<TrialProcess>> process =
        TrialProcess::Start(kThisProgram, options_.words, PresentSurroundings(),
                            options_.hang_timeout);
    if (!process.ok()) return process.status();
    reference_ = *std::move(process);
    const TrialAnswer answer =
        reference_->Ask({{"make", "run"},
                         {"name", "present"},
                         {"digests", folder_.PathOf(kDigests)}});
    // It refuses the pack or the library as any verb does.
    if (answer.exit_code == static_cast<int>(ExitCode::kBadInput)) {
      return absl::InvalidArgumentError(answer.reason);
    }
    if (answer.exit_code == static_cast<int>(ExitCode::kMissing)) {
      return absl::NotFoundError(answer.reason);
    }
    if (run != nullptr) return Take(answer, *run);
    TrialResult again;
    absl::Status status = Take(answer, again);
    if (status.ok() && again.failure.has_value()) {
      status = absl::InternalError(
          fmt::format("the run can't be made a second time: tick {}: {}",
                      again.failure->tick, again.failure->difference));
    }
    return status;
  }

  // A crash is this check's; the next has a new process.
  absl::Status AskReference(const Json& question, TrialResult& result) {
    if (reference_->has_ended()) {
      absl::Status status = StartReference(nullptr);
      if (!status.ok()) return status;
    }
    return Take(reference_->Ask(question), result);
  }

  // A run in another process, with the surroundings of the check or by another
  // build.
  absl::Status Follow(const std::string& program,
                      const std::vector<std::string>& words,
                      TrialResult& result, bool has_other_plugin = false) {
    const std::string folder = folder_.PathOf("empty");
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    fs::create_directory(folder, ignored);
    if (result.check == "language") {
      absl::Status status = WriteCommaLanguage(folder);
      if (!status.ok()) return status;
    }
    Surroundings surroundings = SurroundingsOf(result.check, folder);
    if (has_other_plugin) {
      std::erase_if(surroundings.environment, [](const std::string& variable) {
        return variable.starts_with(kPluginsName);
      });
    }
    const absl::StatusOr<std::unique_ptr<TrialProcess>> process =
        TrialProcess::Start(program, words, surroundings,
                            options_.hang_timeout);
    if (!process.ok()) return process.status();
    const TrialAnswer answer =
        (*process)->Ask({{"make", "run"},
                         {"name", result.check},
                         {"digests", folder_.PathOf(kOtherDigests)}});
    absl::Status status = Take(answer, result);
    if (!status.ok()) {
      // What the simulation says there and doesn't say here.
      result.failure = {.tick = 0, .difference = std::string(status.message())};
      return absl::OkStatus();
    }
    if (result.failure.has_value() || !result.was_tried()) return status;
    const std::optional<sim::Tick> tick = FirstDifference();
    if (!tick.has_value()) return status;
    result.failure = {.tick = *tick, .difference = "the digests differ"};
    // Both have kept their states; the reference knows the fields.
    const std::string state = folder_.PathOf("state");
    TrialResult ignored_answer;
    status = Take(
        (*process)->Ask({{"make", "state"}, {"tick", *tick}, {"state", state}}),
        ignored_answer);
    if (!status.ok()) return status;
    TrialResult compared = result;
    compared.failure.reset();
    status = AskReference(
        {{"make", "compare"}, {"tick", *tick}, {"state", state}}, compared);
    if (compared.failure.has_value()) result = std::move(compared);
    return status;
  }

  // Where the digests of the other run part from the reference's.
  std::optional<sim::Tick> FirstDifference() const {
    const std::vector<uint64_t> expected = ReadDigests(kDigests);
    const std::vector<uint64_t> actual = ReadDigests(kOtherDigests);
    const auto [first, other] = std::ranges::mismatch(expected, actual);
    if (first == expected.end() && other == actual.end()) return std::nullopt;
    return static_cast<sim::Tick>(first - expected.begin());
  }

  std::vector<uint64_t> ReadDigests(std::string_view name) const {
    std::ifstream file(folder_.PathOf(name), std::ios::binary);
    std::vector<uint64_t> digests;
    uint64_t digest = 0;
    while (file.read(reinterpret_cast<char*>(&digest), sizeof(digest))) {
      digests.push_back(digest);
    }
    return digests;
  }

  static absl::Status Take(const TrialAnswer& answer, TrialResult& result) {
    if (!answer.ending.empty()) {
      result.failure = {.tick = answer.tick, .difference = answer.reason};
      result.evidence = answer.ending;
      return absl::OkStatus();
    }
    const Json& json = answer.json;
    if (json.contains("error")) {
      return absl::Status(static_cast<absl::StatusCode>(json.value("code", 2)),
                          json.value("error", ""));
    }
    result.missing = json.value("missing", "");
    if (!json.contains("failure")) return absl::OkStatus();
    const Json& failure = json["failure"];
    result.failure = {.tick = failure.value("tick", sim::Tick{}),
                      .difference = failure.value("difference", "")};
    const std::string evidence = failure.value("evidence", "");
    if (!evidence.empty()) result.evidence = KindOf(evidence).name;
    return absl::OkStatus();
  }

  void NameKinds() {
    std::vector<CheckFinding> findings;
    for (const TrialResult& result : results_) {
      findings.push_back({.check = result.check,
                          .has_failed = result.failure.has_value(),
                          .evidence = result.evidence});
    }
    for (size_t i = 0; i < results_.size(); ++i) {
      if (!results_[i].failure.has_value()) continue;
      results_[i].failure->kind =
          results_[i].check == "runs" && results_[i].evidence.empty()
              ? &KindOf("interface")
              : &KindBehind(findings[i], findings);
    }
  }

  const TrialOptions& options_;
  const TemporaryFolder& folder_;
  const std::function<void(size_t)>& progress_;
  std::unique_ptr<TrialProcess> reference_;
  std::vector<TrialResult> results_;
};

}  // namespace

size_t TrialCheckCount(size_t build_count) {
  // The run itself, and what a plug-in says of it.
  return 2 + replays::ConformanceChecks().size() + SurroundingsChecks().size() +
         build_count;
}

absl::StatusOr<std::vector<TrialResult>> TryConformance(
    const TrialOptions& options, const std::function<void(size_t)>& progress) {
  const absl::StatusOr<std::unique_ptr<TemporaryFolder>> folder =
      TemporaryFolder::Make();
  if (!folder.ok()) return folder.status();
  return Trial(options, **folder, progress).Make();
}

}  // namespace reprise::tools

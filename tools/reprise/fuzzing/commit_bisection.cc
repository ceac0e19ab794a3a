// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/commit_bisection.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "sim/base/content_digest.h"
#include "tools/reprise/terminal/child_program.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

enum class Verdict { kGood, kBad, kSkipped };

constexpr std::pair<Verdict, std::string_view> kVerdictNames[] = {
    {Verdict::kGood, "good"},
    {Verdict::kBad, "bad"},
    {Verdict::kSkipped, "skipped"}};

std::string_view NameOf(Verdict verdict) {
  return kVerdictNames[static_cast<size_t>(verdict)].second;
}

constexpr char kShell[] = "/bin/sh";
// Of a process that a signal ended.
constexpr int kSignalled = 128;

std::string WithoutLineEnd(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

// What git prints. INVALID_ARGUMENT: what it says it can't do.
absl::StatusOr<std::string> Git(const std::string& command) {
  const auto result = RunProgram(kShell, {"-c", "git " + command});
  if (!result.ok()) return result.status();
  if (result->exit_code != 0) {
    return absl::InvalidArgumentError(
        fmt::format("git {}: {}", command, WithoutLineEnd(result->err)));
  }
  return WithoutLineEnd(result->out);
}

class CommitBisection {
 public:
  explicit CommitBisection(const CommitBisectionOptions& options)
      : options_(options),
        tree_(options.cache + "/tree"),
        good_tree_(options.cache + "/good_tree"),
        results_path_(options.cache + "/results.txt") {}

  ~CommitBisection() {
    for (const std::string& tree : trees_) {
      Git(fmt::format("worktree remove --force {}", ShellQuote(tree)))
          .IgnoreError();
    }
  }

  absl::StatusOr<CommitCulprit> Find() {
    absl::Status status = ListCommits();
    if (status.ok()) status = PrepareCache();
    if (!status.ok()) return status;
    for (const auto& [place, wanted, word] :
         {std::tuple(size_t{0}, Verdict::kGood, "good"),
          std::tuple(commits_.size() - 1, Verdict::kBad, "bad")}) {
      const absl::StatusOr<Verdict> verdict = VerdictOf(place);
      if (!verdict.ok()) return verdict.status();
      if (*verdict == wanted) continue;
      return absl::FailedPreconditionError(
          fmt::format("{}, which should be {}, is {}", commits_[place], word,
                      NameOf(*verdict)));
    }
    status = Narrow();
    if (!status.ok()) return status;
    for (size_t place = good_ + 1; place <= bad_; ++place) {
      culprit_.commits.push_back(commits_[place]);
    }
    const auto description =
        Git("show --stat --format=medium " + culprit_.commits.back());
    if (description.ok()) culprit_.description = *description;
    if (culprit_.commits.size() == 1 && options_.describe != nullptr) {
      const absl::StatusOr<std::string> cause = CauseOf(good_, bad_);
      if (cause.ok()) {
        culprit_.cause = *cause;
      } else if (options_.on_line != nullptr) {
        options_.on_line(fmt::format("what it changed isn't known: {}",
                                     std::string(cause.status().message())));
      }
    }
    return std::move(culprit_);
  }

 private:
  absl::Status ListCommits() {
    const auto good =
        Git("rev-parse --verify " + ShellQuote(options_.good + "^{commit}"));
    if (!good.ok()) return good.status();
    const auto bad =
        Git("rev-parse --verify " + ShellQuote(options_.bad + "^{commit}"));
    if (!bad.ok()) return bad.status();
    const auto list = Git(
        fmt::format("rev-list --reverse --first-parent {}..{}", *good, *bad));
    if (!list.ok()) return list.status();
    commits_ = {*good};
    std::string_view rest = *list;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      commits_.emplace_back(line);
    }
    if (commits_.size() < 2) {
      return absl::InvalidArgumentError(
          fmt::format("{} doesn't come after {}", options_.bad, options_.good));
    }
    bad_ = commits_.size() - 1;
    return absl::OkStatus();
  }

  absl::Status PrepareCache() {
    std::error_code error;
    fs::create_directories(options_.cache, error);
    if (error) {
      return absl::UnavailableError(
          fmt::format("{}: {}", options_.cache, error.message()));
    }
    // Two searches would take each other's work tree away.
    auto lock = replays::FileSink::Create(options_.cache + "/.lock");
    if (!lock.ok()) return lock.status();
    lock_ = *std::move(lock);
    std::ifstream file(results_path_);
    std::string key;
    for (std::string word; file >> key >> word;) {
      for (const auto& [verdict, name] : kVerdictNames) {
        if (word == name) results_[key] = verdict;
      }
    }
    const absl::Status status = RemoveStaleTree(tree_);
    return status.ok() ? RemoveStaleTree(good_tree_) : status;
  }

  // A work tree that a killed search has left, locked while it was made
  // perhaps.
  static absl::Status RemoveStaleTree(const std::string& tree) {
    std::error_code ignored;  // What can't be looked at git will tell of.
    if (fs::exists(tree, ignored)) {
      const bool is_ours = fs::is_regular_file(tree + "/.git", ignored) ||
                           fs::is_empty(tree, ignored);
      if (!is_ours) {
        return absl::AlreadyExistsError(fmt::format(
            "{} is there, and no work tree of git: take it away", tree));
      }
      Git(fmt::format("worktree remove --force --force {}", ShellQuote(tree)))
          .IgnoreError();
      fs::remove_all(tree, ignored);
    }
    Git("worktree prune").IgnoreError();
    return absl::OkStatus();
  }

  // Halves what lies between good and bad; around what can't be tested, it
  // tries the neighbours, the nearer ones first.
  absl::Status Narrow() {
    while (bad_ - good_ > 1) {
      const size_t middle = good_ + (bad_ - good_) / 2;
      std::optional<size_t> tested;
      for (size_t distance = 0; distance < bad_ - good_ && !tested;
           ++distance) {
        for (const size_t place : {middle - distance, middle + distance}) {
          if (place <= good_ || place >= bad_) continue;
          const absl::StatusOr<Verdict> verdict = VerdictOf(place);
          if (!verdict.ok()) return verdict.status();
          if (*verdict == Verdict::kSkipped) continue;
          (*verdict == Verdict::kGood ? good_ : bad_) = place;
          tested = place;
          break;
        }
      }
      if (!tested) return absl::OkStatus();  // nothing in between can be
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Verdict> VerdictOf(size_t place) {
    const std::string& commit = commits_[place];
    const auto tree = Git(fmt::format("rev-parse {}^{{tree}}", commit));
    if (!tree.ok()) return tree.status();
    const std::string key = KeyOf(*tree);
    const auto known = results_.find(key);
    if (known != results_.end()) {
      if (told_.insert({key, true}).second) ++culprit_.from_cache;
      Tell(commit, known->second, ", known");
      return known->second;
    }
    const absl::StatusOr<Verdict> verdict = Test(commit);
    if (!verdict.ok()) return verdict.status();
    ++culprit_.tested;
    results_[key] = *verdict;
    told_[key] = true;
    std::ofstream(results_path_, std::ios::app)
        << key << ' ' << NameOf(*verdict) << '\n';
    Tell(commit, *verdict, "");
    return *verdict;
  }

  absl::StatusOr<Verdict> Test(const std::string& commit) {
    const absl::StatusOr<bool> is_built = Build(commit, tree_);
    if (!is_built.ok()) return is_built.status();
    if (!*is_built || options_.test.empty()) return Verdict::kSkipped;
    const auto result = RunIn(tree_, options_.test);
    if (!result.ok()) return result.status();
    const int code = result->exit_code;
    if (code == static_cast<int>(ExitCode::kUntestable) || code > kSignalled) {
      return Verdict::kSkipped;
    }
    return code == 0 ? Verdict::kGood : Verdict::kBad;
  }

  // Whether the commit, which the work tree `tree` has then, can be built.
  absl::StatusOr<bool> Build(const std::string& commit,
                             const std::string& tree) {
    const auto checkout =
        trees_.contains(tree)
            ? Git(fmt::format("-C {} checkout --quiet --force --detach {}",
                              ShellQuote(tree), commit))
            : Git(fmt::format("worktree add --quiet --force --detach {} {}",
                              ShellQuote(tree), commit));
    if (!checkout.ok()) return checkout.status();
    trees_.insert(tree);
    if (options_.build.empty()) return true;
    const auto result = RunIn(tree, options_.build);
    if (!result.ok()) return result.status();
    return result->exit_code == 0;
  }

  static absl::StatusOr<ProgramResult> RunIn(const std::string& tree,
                                             const std::string& command) {
    return RunProgram(kShell, {"-c", fmt::format("cd {} && {{ {}\n}}",
                                                 ShellQuote(tree), command)});
  }

  // What the commit at `bad` changed, which was said before perhaps.
  absl::StatusOr<std::string> CauseOf(size_t good, size_t bad) {
    std::string trees;
    for (const size_t place : {good, bad}) {
      const auto tree =
          Git(fmt::format("rev-parse {}^{{tree}}", commits_[place]));
      if (!tree.ok()) return tree.status();
      trees += *tree + " ";
    }
    std::string name = KeyOf(trees);
    std::ranges::replace(name, ':', '-');
    const std::string path =
        fmt::format("{}/cause-{}.txt", options_.cache, name);
    if (std::ifstream known(path, std::ios::binary); known) {
      return std::string(std::istreambuf_iterator<char>(known), {});
    }
    for (const auto& [place, tree] :
         {std::pair(bad, tree_), std::pair(good, good_tree_)}) {
      const absl::StatusOr<bool> is_built = Build(commits_[place], tree);
      if (!is_built.ok()) return is_built.status();
      if (!*is_built) {
        return absl::UnavailableError(
            fmt::format("{} can't be built once more", commits_[place]));
      }
    }
    absl::StatusOr<std::string> cause = options_.describe(good_tree_, tree_);
    if (cause.ok()) std::ofstream(path, std::ios::binary) << *cause;
    return cause;
  }

  std::string KeyOf(const std::string& tree) const {
    const std::string text = fmt::format("{}\n{}\n{}\n{}", tree, options_.key,
                                         options_.build, options_.test);
    return sim::FormatDigest(
        sim::ContentDigestOf(std::as_bytes(std::span(text))));
  }

  void Tell(const std::string& commit, Verdict verdict, std::string_view how) {
    if (options_.on_line == nullptr) return;
    const auto subject = Git(fmt::format("log -1 --format='%h %s' {}", commit));
    options_.on_line(fmt::format("{}: {}{}", NameOf(verdict),
                                 subject.value_or(commit), how));
  }

  const CommitBisectionOptions& options_;
  const std::string tree_;
  const std::string good_tree_;
  const std::string results_path_;
  std::unique_ptr<replays::FileSink> lock_;
  std::set<std::string> trees_;       // that are there
  std::vector<std::string> commits_;  // from good to bad
  size_t good_ = 0;
  size_t bad_ = 0;
  std::map<std::string, Verdict> results_;  // by key
  std::map<std::string, bool> told_;
  CommitCulprit culprit_;
};

}  // namespace

absl::StatusOr<CommitCulprit> BisectCommits(
    const CommitBisectionOptions& options) {
  return CommitBisection(options).Find();
}

}  // namespace reprise::tools

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One sitting of a campaign: takes up the corpus, searches for so many ticks,
// tells what is new, and keeps it.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_FUZZ_SESSION_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_FUZZ_SESSION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/fuzz_coverage.h"
#include "replays/fuzzing/fuzz_journal.h"
#include "replays/fuzzing/goals/soft_locks.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/fuzzing/stop_signals.h"
#include "tools/reprise/reports/ci_report.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

struct FuzzSessionOptions {
  uint64_t ticks = 0;
  std::string corpus;  // a folder; empty: nothing is kept
  uint64_t seed = 0;
  uint32_t jobs = 1;
  uint64_t memory_bytes_max = uint64_t{512} << 20;
  bool merges = false;  // keeps the fewest runs that go through everything
  // A condition; soft locks are states from which none comes to it (see
  // FindSoftLocks). Empty: they aren't looked for.
  std::string goal;
  uint64_t goal_ticks = 100'000;
  bool is_quiet = false;
  bool perturbs = true;  // runs are made again in ways that must not matter
  replays::FuzzJournal* journal = nullptr;  // may be null
  // Ends the search behind the round under way; what was found is kept and told
  // as at its end. May be null.
  const StopSignals* stop = nullptr;
  // Of a search that goes on with one that ended in the midst: the round to
  // begin with, if the corpus isn't further.
  uint64_t first_round = 0;
  // What was found and told before, of which no inputs are needed; a count of 0
  // is that of a failure of the corpus.
  std::vector<replays::FoundFailure> failures_before;
};

// What is said of a failure whose count is 0.
inline constexpr std::string_view kMetBefore = "met before, and still there";

struct FuzzSessionFailure {
  replays::FoundFailure found;
  std::string path;          // of its replay; empty where nothing is kept
  std::string capsule;       // the same; empty where it has none
  std::string known_reason;  // empty: it is news
};

struct FuzzSessionResult {
  replays::FuzzProgress progress;
  uint64_t ticks_loaded = 0;  // that the corpus cost
  uint64_t total_ticks = 0;   // of all sittings
  uint64_t runs_loaded = 0;
  uint64_t runs_added = 0;
  uint64_t files_skipped = 0;
  std::vector<replays::FuzzNews> news;
  std::vector<FuzzSessionFailure> failures;  // by signature
  std::vector<std::string> never_came;
  replays::FuzzCoverage coverage;
  replays::SoftLocks soft_locks;  // its failure is among the others
  std::vector<uint64_t> set_counts;
  std::vector<std::optional<double>> best_scores;
  double seconds = 0.0;

  uint64_t news_failure_count() const;
};

// `start` is at tick 0 and of `pack`. Errors are those of the corpus.
absl::StatusOr<FuzzSessionResult> RunFuzzSession(
    const sim::PackArchive& pack, const sim::Simulation& start,
    const replays::FuzzRules& rules, const FuzzSessionOptions& options,
    Console& console);

// A case for each thing that was looked for. Failures that are known, and what
// never came, are skipped ones; of the others the file is the replay.
// `check_flags` is what `reprise minimize FILE --check` needs to see a failure,
// such as " --always 'x > 0'"; may be empty.
CiReport MakeFuzzReport(const std::string& pack,
                        const replays::FuzzRules& rules,
                        const FuzzSessionResult& result,
                        const std::string& check_flags);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_FUZZ_SESSION_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which commit made something fail, as `git bisect run` finds it, in a work
// tree of its own and with results that are kept.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_COMMIT_BISECTION_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_COMMIT_BISECTION_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace reprise::tools {

struct CommitBisectionOptions {
  std::string good;
  std::string bad;
  std::string build;  // a command of the shell, in the work tree
  // The same: exit code 0 is good, 125 and what a signal ended says nothing,
  // and all else is bad.
  std::string test;
  // A folder for the work tree and results; results with the same key, tree,
  // build and test are taken from there.
  std::string cache;
  std::string key;
  // Of where one commit did it: says what that changed, by the folders of the
  // commit before and of its own, both built. It is kept as results are. May be
  // null.
  std::function<absl::StatusOr<std::string>(const std::string& good_tree,
                                            const std::string& bad_tree)>
      describe = nullptr;
  // Told of each commit and what became of it; may be null.
  std::function<void(const std::string& line)> on_line = nullptr;
};

struct CommitCulprit {
  // One, or those between which nothing could be tested, the oldest first.
  std::vector<std::string> commits;
  std::string description;  // of the last one, as `git show --stat` has it
  // What `describe` says; empty where there are several commits, or it can't
  // be said, which `on_line` was told.
  std::string cause;
  uint64_t tested = 0;
  uint64_t from_cache = 0;
};

// Looks along the first parents from `bad` to `good`, in the repository of the
// working folder, whose files stay as they are. INVALID_ARGUMENT: git knows no
// such revision, or bad doesn't come after good; FAILED_PRECONDITION: good is
// bad, or bad is good; other errors are of processes and the disk. REQUIRES:
// this process has one thread.
absl::StatusOr<CommitCulprit> BisectCommits(
    const CommitBisectionOptions& options);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_COMMIT_BISECTION_H_

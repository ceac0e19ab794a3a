// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the first bad commit changed of a run: the first field that is another
// one, and, where the commit changed the data of the pack, which change did it.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_CULPRIT_DESCRIPTION_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_CULPRIT_DESCRIPTION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/reprise/fuzzing/pack_bisection.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

struct CulpritTrees {
  std::string run;  // a replay or an input track
  // Folders of the commit before and of the bad one, both built.
  std::string good_tree;
  std::string bad_tree;
  std::string program;  // that they build, in their folders
  // Of each, in its folder; empty: the run has its pack inside.
  std::string pack;
  std::vector<std::string> always;  // conditions beside the pack's own
};

// Lines for a person, as `reprise bisect` has them: "cause     1 of 3 changes"
// with data paths where data did it, which this program finds out; and
// "differs   tick 5, ...", of the run on both packs, or by both programs where
// the packs say the same. Errors are those of the run, the packs and the
// programs. REQUIRES: this process has one thread.
absl::StatusOr<std::string> DescribeCulprit(const CulpritTrees& trees,
                                            Console& console);

// "cause     1 of 3 changes", and each change on a line.
std::string FormatPackCulprits(const PackCulprits& culprits);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_CULPRIT_DESCRIPTION_H_

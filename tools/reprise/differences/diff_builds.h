// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compares what two builds of this program make of one replay. Each runs in
// processes of its own and is asked through its command line alone:
//
//   run --inputs REPLAY --record FILE   plays and records it, with the digest
//   of
//                                       every tick
//   inspect FILE --tick N --changes     what a tick changes, and who does
//   inspect FILE --tick N               the state, to see how the difference
//                                       grows, and for a build without the last
//
// all with --format json. Values travel as text that gives every bit back, and
// fields by name, so the builds need not agree on anything else.

#ifndef REPRISE_TOOLS_REPRISE_DIFFERENCES_DIFF_BUILDS_H_
#define REPRISE_TOOLS_REPRISE_DIFFERENCES_DIFF_BUILDS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tools/reprise/differences/diff_report.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tools {

struct DiffBuildsOptions {
  std::string replay;
  // The build that is A; empty: this one.
  std::string expected_program = {};
  std::string program;  // the other build
  std::string capsule;  // where to keep a failure; empty: nowhere
  uint64_t fields_max = 0;
  uint64_t growth_ticks = 0;  // for how long to follow a difference
};

// Costs one run of the replay by each build, and, where they differ, up to
// sixty ticks more by each; following a difference costs as much for each look
// at it. Where the builds' states consist of different things, these
// are named, and what both have is looked at some 64 times up to where it
// differs. FAILED_PRECONDITION: the builds have no room in common; other errors
// are the files', or what a build says of the replay.
absl::StatusOr<DiffReport> DiffBuilds(const DiffBuildsOptions& options,
                                      Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_DIFFERENCES_DIFF_BUILDS_H_

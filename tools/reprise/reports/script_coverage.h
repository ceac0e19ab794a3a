// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which lines and branches of scripts ran, and how often, summed over runs, as
// a tracefile of lcov: what genhtml, editors and CI services read.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_SCRIPT_COVERAGE_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_SCRIPT_COVERAGE_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "sim/script/script_machine.h"

namespace reprise::tools {

class ScriptCoverage {
 public:
  // Adds what a machine counted. `folder` is where its files are, so that
  // "pong" has "pong/ball.lua"; files of the same path are the same.
  void Add(const std::string& folder, const sim::ScriptMachine& machine);

  // True until a script was added.
  bool empty() const { return files_.empty(); }

  // The tracefile, as geninfo(1) describes it: files in the order of their
  // paths, lines ascending. Lines that could have run and didn't have 0.
  std::string ToLcov() const;

  // What ran, the most instructions first: of each line how many, their share
  // of all, and how often it began. The same for the same run.
  std::string ToProfile() const;

 private:
  struct Line {
    int64_t runs = 0;
    int64_t instructions = 0;
    // How often each branch of the line went each way, in the code's order.
    std::vector<std::array<int64_t, 2>> branches;
  };
  // Lines with code, by number.
  using File = std::map<int, Line>;

  std::map<std::string, File> files_;  // by path
};

// UNAVAILABLE of both: the file can't be written.
absl::Status WriteScriptCoverage(const ScriptCoverage& coverage,
                                 const std::string& path);
absl::Status WriteScriptProfile(const ScriptCoverage& coverage,
                                const std::string& path);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_SCRIPT_COVERAGE_H_

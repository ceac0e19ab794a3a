// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The flags with which a verb says what it tried to CI systems and code hosts.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_CI_REPORT_FLAGS_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_CI_REPORT_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/reprise/reports/ci_report.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/flags.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

class CiReportFlags {
 public:
  // --junit, --sarif, --markdown and --github. `this` has to outlive them.
  std::vector<Flag> flags();

  // Asked before anything is tried: hours of results have to end up somewhere.
  // INVALID_ARGUMENT: --github beside a document; UNAVAILABLE names a file that
  // can't be written.
  absl::Status Check(const OutputFormat& format) const;

  // Writes the files, and prints the annotations. UNAVAILABLE names the file
  // that can't be written.
  absl::Status Write(const CiReport& report, Console& console) const;

 private:
  std::string junit_;
  std::string sarif_;
  std::string markdown_;
  bool github_ = false;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_CI_REPORT_FLAGS_H_

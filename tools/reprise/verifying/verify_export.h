// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise verify --export FILE`: whether an export shows what its replay
// plays.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_EXPORT_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_EXPORT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

struct VerifyExportOptions {
  std::string file;                  // the export
  std::vector<std::string> replays;  // those it may be of
  std::string pack;                  // to play them on; empty: their own
};

// Prints a line for each run that the export shows, or a JSON document.
// kDifferent: a state isn't what the export says, or it is of none of the
// replays. Errors are those of reading and of playing, with the name of the
// file that they are about.
absl::StatusOr<ExitCode> VerifyExport(const VerifyExportOptions& options,
                                      const OutputFormat& format,
                                      Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_EXPORT_H_

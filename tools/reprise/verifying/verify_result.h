// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What came of the verification of one replay: for the table that people read,
// for JSON and JUnit, and from the process that verified to the one that asked.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_RESULT_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_RESULT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "replays/format/replay_metadata.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

enum class Verdict {
  kVerified,
  kDiverged,    // another run than the recorded one
  kUnexpected,  // the same run, with another outcome than was asked for
  kPartial,     // right as far as it could be compared, which isn't all
  kUnproven,    // nothing to compare: no tick was verified
  kRefused,     // the file is no replay of this format, or damaged
  kMissing,     // the file, its pack or its simulation isn't there
  kCrashed,     // the simulation ended the process
  kHung,        // the simulation made no progress
  kFailed,      // the machine's fault: disk, permission, processes
};

// "verified", "diverged" and so on.
std::string_view VerdictName(Verdict verdict);

// The code that a verification with this verdict ends with.
ExitCode ExitCodeOf(Verdict verdict);

struct VerifyResult {
  std::string path;
  std::string pack;  // its name, as recorded; empty where it isn't known
  Verdict verdict = Verdict::kFailed;
  // One line: "verified 240 of 240 ticks, digest 2f00a4b31c9d5e77".
  std::string summary;
  // The lines that explain it, each with its end; empty for what passed.
  std::string report;
  uint64_t ticks_verified = 0;
  uint64_t tick_count = 0;
  std::string digest;  // of the last state that was run; empty without a run
  replays::ReplayRemarks remarks;
  // The rest of a run that came to its end, by the keys of JSON; else empty.
  Json run = Json::object();
  double seconds = 0;  // of wall time
  bool is_cached = false;

  bool passed() const { return verdict == Verdict::kVerified; }
  // Whether there was a run at all, right or wrong.
  bool has_run() const { return !run.empty(); }
};

// As an object of JSON, and back. INVALID_ARGUMENT: not what ToJson gives
// (of remarks, that of json_output.h).
Json ToJson(const VerifyResult& result);
absl::StatusOr<VerifyResult> ParseVerifyResult(const Json& json);
absl::StatusOr<replays::ReplayRemarks> ParseRemarks(const Json& json);

// A table, a row a result; then, indented, the reports of those that failed;
// then how many of them there are of which kind.
std::string FormatVerifyResults(std::span<const VerifyResult> results);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_RESULT_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_report.h"

#include <string>
#include <string_view>
#include <utility>

namespace reprise::tools {
namespace {

// What all that have a verdict have in common.
std::string_view Explain(Verdict verdict) {
  switch (verdict) {
    case Verdict::kVerified:
      return "The run is the recorded one.";
    case Verdict::kDiverged:
      return "The run differs from the recorded one.";
    case Verdict::kUnexpected:
      return "The run ends in another outcome than was asked for.";
    case Verdict::kPartial:
      return "The run is right as far as it could be compared, which is not "
             "all.";
    case Verdict::kUnproven:
      return "There was nothing to compare.";
    case Verdict::kRefused:
      return "The file, or the pack to run it on, is not right.";
    case Verdict::kMissing:
      return "The file, its pack or its simulation is not there.";
    case Verdict::kCrashed:
      return "The simulation ended its process.";
    case Verdict::kHung:
      return "The simulation made no progress.";
    case Verdict::kFailed:
      return "The machine could not do it.";
  }
  return "";
}

CiCase ToCase(const VerifyResult& result, const Reproducer& reproduction) {
  CiCase each{.class_name = "reprise.verify",
              .name = result.path,
              .pack = result.pack,
              .kind = std::string(VerdictName(result.verdict)),
              .kind_explained = std::string(Explain(result.verdict)),
              .message = result.summary,
              .file = result.path,
              .seconds = result.seconds};
  if (!result.pack.empty()) each.class_name += "." + result.pack;
  if (result.passed()) {
    if (result.is_cached) each.message += ", known from an earlier run";
    return each;
  }
  each.outcome = ExitCodeOf(result.verdict) == ExitCode::kDifferent
                     ? CiCase::Outcome::kFailed
                     : CiCase::Outcome::kError;
  each.text = FormatFailure(result, reproduction);
  return each;
}

}  // namespace

CiReport MakeVerifyReport(std::span<const VerifyResult> results,
                          const Reproducer& reproduction) {
  CiReport report{.tool = "reprise verify",
                  .subject = "replay",
                  .passed = "verified",
                  .cases = {}};
  for (const VerifyResult& result : results) {
    report.cases.push_back(ToCase(result, reproduction));
  }
  return report;
}

}  // namespace reprise::tools

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The results of verifications for CI systems and code hosts: one case a
// replay.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_REPORT_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_REPORT_H_

#include <span>

#include "tools/reprise/reports/ci_report.h"
#include "tools/reprise/verifying/verify_failure.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {

// The class of a case is its pack; a failure's text is that of FormatFailure.
// What differs, or proved nothing, is a failure; what could not be run to its
// end is an error.
CiReport MakeVerifyReport(std::span<const VerifyResult> results,
                          const Reproducer& reproduction);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_REPORT_H_

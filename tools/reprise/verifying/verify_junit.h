// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The results of verifications as JUnit XML, the form in which CI systems take
// tests from any program: one test case a replay.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_JUNIT_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_JUNIT_H_

#include <span>
#include <string>
#include <string_view>

#include "tools/reprise/verifying/verify_failure.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {

// A document of XML 1.0 in UTF-8. The class of a case is its pack; a failure's
// text is that of FormatFailure. What differs, or proved
// nothing, is a failure; what could not be run to its end is an error.
std::string FormatJunit(std::span<const VerifyResult> results,
                        const Reproducer& reproduction);

// `text` between tags or quotes: what XML can't hold becomes U+FFFD.
std::string EscapeXml(std::string_view text);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_JUNIT_H_

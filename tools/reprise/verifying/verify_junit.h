// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The results of verifications as JUnit XML, the form in which CI systems take
// tests from any program: one test case a replay.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_JUNIT_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_JUNIT_H_

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {

// A document of XML 1.0 in UTF-8. A failure's text is the result's report and
// the command that `reproduction` gives for it. What differs, or proved
// nothing, is a failure; what could not be run to its end is an error.
std::string FormatJunit(
    std::span<const VerifyResult> results,
    const std::function<std::string(const VerifyResult&)>& reproduction);

// `text` between tags or quotes: what XML can't hold becomes U+FFFD.
std::string EscapeXml(std::string_view text);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_JUNIT_H_

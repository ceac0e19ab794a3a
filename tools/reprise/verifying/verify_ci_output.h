// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The results of verifications in the forms that code hosts show beside a
// change: SARIF, a Markdown summary, and GitHub's annotations.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_CI_OUTPUT_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_CI_OUTPUT_H_

#include <span>
#include <string>
#include <string_view>

#include "tools/reprise/verifying/verify_failure.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {

// A log of SARIF 2.1.0 with a rule for each verdict that there is, and a result
// for each replay that failed, at its file.
std::string FormatSarif(std::span<const VerifyResult> results,
                        const Reproducer& reproduction);

// How many there are of which kind, a table of those that failed, and what each
// of them says, folded.
std::string FormatMarkdown(std::span<const VerifyResult> results,
                           const Reproducer& reproduction);

// A workflow command ("::error file=...::...") a line for each that failed.
std::string FormatGithub(std::span<const VerifyResult> results,
                         const Reproducer& reproduction);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_CI_OUTPUT_H_

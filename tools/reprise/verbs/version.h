// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What this program is, for bug reports.

#ifndef REPRISE_TOOLS_REPRISE_VERBS_VERSION_H_
#define REPRISE_TOOLS_REPRISE_VERBS_VERSION_H_

#include <string>
#include <string_view>

namespace reprise::tools {

// Semantic: the newest version that CHANGELOG.md describes.
inline constexpr std::string_view kVersion = "0.1.0";

// The version, how and for what it was built, the revision of the replay format
// and the simulations that are linked in: a line each.
std::string DescribeVersion();

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERBS_VERSION_H_

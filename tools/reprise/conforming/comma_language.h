// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A language for programs in which one and a half is 1,5. A bare system has no
// such; this makes one.

#ifndef REPRISE_TOOLS_REPRISE_CONFORMING_COMMA_LANGUAGE_H_
#define REPRISE_TOOLS_REPRISE_CONFORMING_COMMA_LANGUAGE_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace reprise::tools {

// What LC_NUMERIC has to say for it, while LOCPATH is the folder.
inline constexpr std::string_view kCommaLanguage = "xx_COMMA";

// Puts it into `folder`, for glibc. UNAVAILABLE: it can't be written.
absl::Status WriteCommaLanguage(const std::string& folder);

// Whether this process reads numbers so by now.
bool HasCommaLanguage();

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_CONFORMING_COMMA_LANGUAGE_H_

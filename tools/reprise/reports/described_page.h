// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A game's description as a page of documents.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_DESCRIBED_PAGE_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_DESCRIBED_PAGE_H_

#include <string>

#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

// Markdown of what DescribedGameToJson says, of which `pack` is the name; what
// is built in where that is empty. Kinds of which there are none are left out.
std::string MakeDescribedPage(const Json& game, const std::string& pack);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_DESCRIBED_PAGE_H_

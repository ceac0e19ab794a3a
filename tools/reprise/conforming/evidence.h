// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What values that differ show by themselves: an address, the time.

#ifndef REPRISE_TOOLS_REPRISE_CONFORMING_EVIDENCE_H_
#define REPRISE_TOOLS_REPRISE_CONFORMING_EVIDENCE_H_

#include <string_view>

#include "replays/conforming/conformance.h"

namespace reprise::tools {

struct Evidence {
  std::string_view kind;  // of mistake_kind.h; empty: none
  // The field that shows it.
  const replays::ConformanceField* field = nullptr;
};

// What the first field shows that shows anything, as soon as a run was made in
// this process: an address is one of something that is mapped here.
Evidence EvidenceOf(const replays::ConformanceFailure& failure);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_CONFORMING_EVIDENCE_H_

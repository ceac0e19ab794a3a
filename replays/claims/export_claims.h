// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an export says of itself. Every format of `reprise export`, and the page
// of `reprise view`, names the replay it was made of and digests of the states
// that it shows; here they are read back, whoever had the file since.

#ifndef REPRISE_REPLAYS_CLAIMS_EXPORT_CLAIMS_H_
#define REPRISE_REPLAYS_CLAIMS_EXPORT_CLAIMS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/content_digest.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"

namespace reprise::replays {

struct ExportClaims {
  sim::ContentDigest replay;                // of the replay's bytes
  std::map<sim::Tick, sim::Digest> states;  // roots, by tick; never empty
};

// The claims of an export, one for each run that it shows (a page may show
// two). INVALID_ARGUMENT: no format that is known. DATA_LOSS, with a place: it
// is one, but cut off or changed, so that no claim can be read, or two claims
// contradict each other.
absl::StatusOr<std::vector<ExportClaims>> ReadExportClaims(
    std::string_view file);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CLAIMS_EXPORT_CLAIMS_H_

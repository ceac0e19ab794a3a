// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Two packs compared as data: what was set, added and removed between them, by
// path. Order among files, types and objects is no difference, and neither are
// comments.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_PACK_DIFFERENCE_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_PACK_DIFFERENCE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/manifest_comparison.h"

namespace reprise::tools {

// More changes are counted, not printed, where a run's difference is the topic.
inline constexpr size_t kPackChangesShownMax = 20;

// What changed, in order of the manifest's fields, then of other files. Lists
// whose elements have names are compared by them. What only a manifest's text
// says otherwise (comments, order, another spelling) is one change of that
// file, if there is no other. A manifest that isn't this program's is compared
// as text. Of a text each place where it differs is a change, by its line in
// `after`.
std::vector<PackChange> ComparePacksAsData(const sim::PackArchive& before,
                                           const sim::PackArchive& after);

// The pack `before` with the `index`-th of these changes alone. OUT_OF_RANGE:
// there are not as many. INVALID_ARGUMENT: it can't be made.
absl::StatusOr<sim::PackArchive> ApplyPackChange(const sim::PackArchive& before,
                                                 const sim::PackArchive& after,
                                                 size_t index);

// "types.marble.body.friction: 0.8 -> 0.7"; "types.crate: added, { ... }".
std::string FormatPackChange(const PackChange& change);

// A line each, at most `lines_max`, then how many more.
std::string FormatPackChanges(std::span<const PackChange> changes,
                              size_t lines_max = kPackChangesShownMax);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_PACK_DIFFERENCE_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Puts a manifest together from pack.txtpb and the files that it includes.

#ifndef REPRISE_SIM_COMPILER_READING_MANIFEST_FILES_H_
#define REPRISE_SIM_COMPILER_READING_MANIFEST_FILES_H_

#include <cstddef>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/manifest_places.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/pack_archive.h"

namespace reprise::sim {

// Files of a manifest, and how deep they include each other.
inline constexpr size_t kManifestFilesMax = 1000;
inline constexpr size_t kIncludesDeepMax = 16;

// What is wrong with a pack without pack.txtpb.
PackProblem MissingManifest();

// Reads the manifest of `archive` into `pack` and `places`, which are empty:
// pack.txtpb, then each included file where it is first named, with those that
// it includes behind it. False after adding to `report` what is wrong with the
// syntax of any, or with what they include: a file that isn't there or no path
// within the pack, rings, too many, too deep, 64 MiB in all, a field that two
// of them set and that can be there once.
bool ReadManifestFiles(const PackArchive& archive, v1::Pack& pack,
                       ManifestPlaces& places, PackReport& report);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_READING_MANIFEST_FILES_H_

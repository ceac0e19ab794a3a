// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads a pack's manifest, with the files that it includes and its tables.

#ifndef REPRISE_SIM_COMPILER_MANIFEST_H_
#define REPRISE_SIM_COMPILER_MANIFEST_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/manifest_places.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/pack_archive.h"

namespace reprise::sim {

struct Manifest {
  // With all values as messages, those of components.
  v1::Pack pack;
  // Where each field of `pack` stands.
  ManifestPlaces places;
};

// The manifest of `archive`; nullptr after what is wrong with its syntax, or
// with the files that it includes, was added to `report`: it is missing, too
// large, has an unknown field or a value of another type. What is wrong with
// tables and with values as text is added, too, but there is a manifest then.
std::unique_ptr<const Manifest> ParseManifest(const PackArchive& archive,
                                              PackReport& report);

// What each pack says in pack.txtpb itself, whatever simulation it is of.
struct PackHead {
  std::string name;        // empty where it says none
  std::string simulation;  // the one that it asks for
};

// A pack of another simulation may have fields of its own in its manifest,
// which are passed over. INVALID_ARGUMENT: it isn't there or its syntax is
// wrong.
absl::StatusOr<PackHead> ReadPackHead(const PackArchive& archive);
absl::StatusOr<std::string> SimulationOf(const PackArchive& archive);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_MANIFEST_H_

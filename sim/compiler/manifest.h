// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads the text of a pack's manifest.

#ifndef REPRISE_SIM_COMPILER_MANIFEST_H_
#define REPRISE_SIM_COMPILER_MANIFEST_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "google/protobuf/text_format.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/pack_archive.h"

namespace reprise::sim {

struct Manifest {
  v1::Pack pack;
  // Where each field of `pack` stands in the text.
  google::protobuf::TextFormat::ParseInfoTree locations;
};

// The manifest of `archive`; nullptr after what is wrong with its syntax was
// added to `report`: it is missing, too large, has an unknown field or a value
// of another type.
std::unique_ptr<const Manifest> ParseManifest(const PackArchive& archive,
                                              PackReport& report);

// The simulation that the pack asks for. A pack of another simulation may have
// fields of its own in its manifest, which are passed over. INVALID_ARGUMENT as
// above.
absl::StatusOr<std::string> SimulationOf(const PackArchive& archive);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_MANIFEST_H_

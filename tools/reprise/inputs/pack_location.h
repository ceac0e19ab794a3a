// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds packs as people name them: by a path, or by the bare name of one that
// ships with the project.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_PACK_LOCATION_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_PACK_LOCATION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::tools {

// The environment variable that names the folder in which bare names are looked
// up.
inline constexpr char kPacksVariable[] = "REPRISE_PACKS";

// $REPRISE_PACKS; or sim/packs beneath the working folder, or else the packs
// that lie beside the program, in a build or installed (share/reprise/packs).
std::string PacksFolder();

// Reads the pack at the path `name` or, where nothing lies there and it is a
// bare name, the one of that name in PacksFolder(). NOT_FOUND: neither is
// there. Other errors are those of replays::ReadPackFolder.
absl::StatusOr<sim::PackArchive> OpenPack(const std::string& name);

// The path at which OpenPack finds the pack, without looking into it.
std::string PathOfPack(const std::string& name);

// The same as OpenPack, or nothing where `name` is empty.
absl::StatusOr<std::optional<sim::PackArchive>> OpenPackIfNamed(
    const std::string& name);

// The pack in the simulation `simulation` or, where that is empty, in the one
// that its manifest asks for: a manifest that isn't a v1::Pack can't ask.
// INVALID_ARGUMENT: mistakes in the pack, one a line. NOT_FOUND: this program
// has no such simulation.
absl::StatusOr<std::unique_ptr<sim::Simulation>> CreatePackSimulation(
    const sim::PackArchive& pack, uint64_t seed, const std::string& simulation);

// `status` of CreatePackSimulation, where each line that begins with a file of
// `pack` says which pack's it is: "marble/pack.txtpb:12:3: ...", as `pack check
// marble` does. `name` is what OpenPack was asked for.
absl::Status WithPackName(const absl::Status& status, std::string_view name,
                          const sim::PackArchive& pack);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_PACK_LOCATION_H_

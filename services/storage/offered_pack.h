// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A pack as clients see it: all that they need to play it and none of its
// bytes.

#ifndef REPRISE_SERVICES_STORAGE_OFFERED_PACK_H_
#define REPRISE_SERVICES_STORAGE_OFFERED_PACK_H_

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "reprise/v1/catalog_service.pb.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::services {

// What a list says of the pack `name`.
v1::OfferedPack SummarizePack(std::string_view name,
                              const sim::PackArchive& pack);

// Adds to `message`, which is a summary, what `simulation`, which is of `pack`,
// says of its game, the pack's files and, if wanted, as many meshes as fit.
// RESOURCE_EXHAUSTED: the rest doesn't fit in `bytes_max`.
absl::Status DescribePack(const sim::PackArchive& pack,
                          const sim::Simulation& simulation, bool want_meshes,
                          size_t bytes_max, v1::OfferedPack& message);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_OFFERED_PACK_H_

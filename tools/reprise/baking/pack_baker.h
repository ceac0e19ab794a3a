// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bakes what packs keep in files that are made of the rest of them.

#ifndef REPRISE_TOOLS_REPRISE_BAKING_PACK_BAKER_H_
#define REPRISE_TOOLS_REPRISE_BAKING_PACK_BAKER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/pack_archive.h"

namespace reprise::tools {

struct BakedFile {
  std::string path;  // within the pack
  std::string contents;
  size_t polygon_count = 0;
  bool is_changed = false;  // another one, or none, is in the pack
};

// The navigation meshes of a pack, ascending by their paths. INVALID_ARGUMENT:
// mistakes in the pack, one a line, or as BakeMesh, whose other errors may be
// here, too.
absl::StatusOr<std::vector<BakedFile>> BakePack(const sim::PackArchive& pack);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BAKING_PACK_BAKER_H_

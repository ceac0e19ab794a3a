// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what reads the files of navigation meshes, for crashes and for work
// without bound. An input is what stands behind the digest of a file's
// contents, which is made to fit, or a whole file. What is taken has to be
// written as the same bytes again, and to be a mesh that places are found on.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/navigation/mesh_file.h"
#include "sim/navigation/navigation_mesh.h"

namespace reprise::sim {
namespace {

void Decode(std::string_view text) {
  const absl::StatusOr<MeshFile> file = DecodeMeshFile(text);
  if (!file.ok()) return;
  CHECK(EncodeMeshFile(*file) == text);
  const NavigationMesh mesh(file->data, {});
  const MeshReach reach = {.radius_m = 2.0, .below_m = 1e6, .above_m = 1e6};
  for (uint32_t edge = 0; edge < mesh.edge_count() && edge < 64; ++edge) {
    // The middle of an edge is on the mesh, whatever it is the edge of.
    const std::optional<MeshPlace> found =
        mesh.Find(mesh.middle_of_edge(edge), reach);
    CHECK(found.has_value());
    CHECK(UnpackMeshPlace(PackMeshPlace(*found)) == *found);
    CHECK(mesh.IsPlace(PackMeshPlace(*found)));
  }
}

}  // namespace
}  // namespace reprise::sim

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using reprise::sim::Decode;
  using reprise::sim::DigestOf;
  using reprise::sim::FormatDigest;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Decode(text);
  Decode(fmt::format(
      "reprise navigation mesh 1\nmade_of {:016x}\ncontents "
      "{}\n{}",
      0, FormatDigest(DigestOf(std::as_bytes(std::span(text)))), text));
  return 0;
}

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads the triangles of a Wavefront .obj file.

#ifndef REPRISE_SIM_COMPILER_BODIES_OBJ_FILE_H_
#define REPRISE_SIM_COMPILER_BODIES_OBJ_FILE_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

// A mesh, and the line from 1 on that each of its parts stands in.
struct ObjMesh {
  MeshShape mesh;
  std::vector<uint32_t> vertex_lines;
  std::vector<uint32_t> triangle_lines;
};

// The vertices (lines v) and faces (lines f) of `text`; all other lines are
// passed over. A face of more than three corners becomes a fan around its
// first. INVALID_ARGUMENT names the line that can't be read, or whose corner
// isn't one of the vertices before it; RESOURCE_EXHAUSTED the first that is
// past kMeshVerticesMax or kMeshTrianglesMax.
absl::StatusOr<ObjMesh> ParseObj(std::string_view text);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_BODIES_OBJ_FILE_H_

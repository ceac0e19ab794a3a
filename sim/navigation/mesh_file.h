// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The file of a navigation mesh: lines of whole numbers, so that it is the same
// on every machine and a change of a level shows in a diff. It says what it was
// made of, and nothing that was damaged is ever taken for a mesh.
//
//   reprise navigation mesh 1
//   made_of 0123456789abcdef     what the level was, as its maker saw it
//   contents 0123456789abcdef    the digest of all bytes behind this line
//   origin -40 0 -40             voxels, x y z
//   vertices 3
//   0 0 0                        voxels from the origin, x y z
//   ...
//   polygons 1
//   0 0 1 2                      the area, then the corners
//
// Where there is ground that polygons don't say, the first line ends in 2, and
// behind the polygons stand
//
//   points 1
//   0 200 3 170                  the polygon, x y z: voxels, x and z in 256ths
//   triangles 3
//   0 0 1 3                      the polygon, its corners, then its points
//   ...

#ifndef REPRISE_SIM_NAVIGATION_MESH_FILE_H_
#define REPRISE_SIM_NAVIGATION_MESH_FILE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "sim/base/digest.h"
#include "sim/navigation/navigation_mesh.h"

namespace reprise::sim {

struct MeshFile {
  Digest made_of;
  NavigationMeshData data;

  friend bool operator==(const MeshFile&, const MeshFile&) = default;
};

std::string EncodeMeshFile(const MeshFile& file);

// Reads what EncodeMeshFile wrote. INVALID_ARGUMENT names the line and what is
// wrong with it; what is accepted is a mesh: ProblemOf has nothing to say of
// the data.
absl::StatusOr<MeshFile> DecodeMeshFile(std::string_view text);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_MESH_FILE_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles navigation meshes.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_MESH_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_MESH_COMPILER_H_

#include <set>
#include <string>

#include "reprise/v1/navigation.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/pack_archive.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/navigation/navigation_definition.h"

namespace reprise::sim {

// The mesh without its polygons; what is wrong is reported. `checker` is the
// message's own. Names of areas are added to `words`.
MeshDefinition CompileMesh(const v1::NavigationMesh& message,
                           const MessageChecker& checker,
                           std::set<std::string>& words);

// Reads the polygons from the file of the pack and adds the links. A file that
// isn't there, is damaged or was made of another level is reported: it is never
// made anew here. REQUIRES: `mesh` is of CompileMesh, which reported nothing.
void LoadMesh(const v1::NavigationMesh& message, const MessageChecker& checker,
              const PackArchive& archive, const PhysicsDefinition& physics,
              MeshDefinition& mesh);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_MESH_COMPILER_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Packs with navigation meshes that a test has written by hand.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_TESTING_MESH_PACKS_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_TESTING_MESH_PACKS_H_

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"
#include "sim/navigation/mesh_file.h"
#include "sim/navigation/navigation_mesh.h"
#include "sim/systems/navigation/mesh_source.h"
#include "sim/systems/navigation/navigation_definition.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

// What the file of the only mesh of a pack would be, if baking it had made
// these polygons.
inline std::string BakedAs(const std::string& manifest,
                           const NavigationMeshData& data) {
  PackReport report({.is_baking = true});
  const std::shared_ptr<const WorldDefinition> world =
      CompilePack(PackOf(manifest), 1, report);
  EXPECT_TRUE(report.ok()) << report.ToStatus();
  if (world == nullptr) return "";
  for (const SpaceDefinition& space :
       FindSystem<NavigationDefinition>(*world)->spaces) {
    if (!space.mesh.has_value()) continue;
    const absl::StatusOr<MeshSource> source =
        MakeMeshSource(space.mesh->settings, world->physics);
    EXPECT_TRUE(source.ok()) << source.status();
    return EncodeMeshFile({.made_of = source->digest, .data = data});
  }
  ADD_FAILURE() << "there is no mesh in the pack";
  return "";
}

inline PackArchive PackOf(const std::string& manifest, const std::string& file,
                          const std::string& contents) {
  PackArchive pack = PackOf(manifest);
  EXPECT_TRUE(pack.Add(file, contents).ok());
  return pack;
}

// Two rooms of 10 by 10 voxels, the first at the origin, with a door of 2 by 2
// between them that is area 1; and an island behind the second room.
inline NavigationMeshData TwoRooms() {
  return {.vertices = {{0, 0, 0},
                       {10, 0, 0},
                       {10, 0, 4},
                       {10, 0, 6},
                       {10, 0, 10},
                       {0, 0, 10},
                       {12, 0, 4},
                       {12, 0, 6},
                       {12, 0, 0},
                       {22, 0, 0},
                       {22, 0, 10},
                       {12, 0, 10},
                       {30, 0, 4},
                       {36, 0, 4},
                       {36, 0, 8},
                       {30, 0, 8}},
          .polygons = {{{0, 1, 2, 3, 4, 5}, 6, 0},
                       {{2, 6, 7, 3}, 4, 1},
                       {{8, 9, 10, 11, 7, 6}, 6, 0},
                       {{12, 13, 14, 15}, 4, 0}}};
}

// Of two rooms whose voxels are half a metre wide.
inline constexpr char kRoomsMesh[] = R"(
meshes {
  name: "house" file: "house.mesh"
  cell_size: 0.5 cell_height: 0.1
  minimum { y: -1 } maximum { x: 20 y: 3 z: 6 }
  areas { name: "door" minimum { x: 5 y: -1 z: 2 } maximum { x: 6 y: 2 z: 3 } weight: 1 }
)";

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_TESTING_MESH_PACKS_H_

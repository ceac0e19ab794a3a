// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What slides or rolls over a surface must not stumble over the edges within
// it: seen alone, each triangle has edges that push sideways.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_SURFACE_EDGES_H_
#define REPRISE_SIM_PHYSICS_SHAPES_SURFACE_EDGES_H_

#include <cstdint>
#include <vector>

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "sim/physics/shapes/triangle_surface.h"

namespace reprise::sim {

// Takes points away that do not look out of the ground, of a triangle of `body`
// into which something else of the same solid is buried.
void KeepUpright(const TriangleSurface& surface, uint32_t triangle,
                 const btCollisionObject& body, btPersistentManifold& manifold);

// Takes contact points on the edges of a triangle of `body`, whose shape is
// `surface`, away, and gives those that are deep in it the triangle's normal:
// unless nothing joins it there, or the normal is one that the ridge between it
// and its neighbour can have. What is round, a ball, is not turned: of it the
// neighbour's face has the point. Neighbours are known by the
// places of their corners. What is solid below is touched from above alone.
// `found` is memory to work with.
void SmoothInnerEdges(const TriangleSurface& surface, uint32_t triangle,
                      const btCollisionObject& body, bool is_round,
                      btPersistentManifold& manifold,
                      std::vector<uint32_t>& found);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_SURFACE_EDGES_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Navigation meshes: convex polygons that an agent can walk on, with corners in
// whole voxels. Which polygon a place is in, and which polygons are beside each
// other, is decided by integers alone, so it is the same on every machine.

#ifndef REPRISE_SIM_NAVIGATION_NAVIGATION_MESH_H_
#define REPRISE_SIM_NAVIGATION_NAVIGATION_MESH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/geometry/vector3.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/navigation_mesh_data.h"

namespace reprise::sim {

struct MeshScale {
  double cell_size_m = 1.0;    // the width of a voxel
  double cell_height_m = 1.0;  // its height
};

// A point of a polygon.
struct MeshPlace {
  uint32_t polygon = 0;
  MeshPoint point;

  friend bool operator==(const MeshPlace&, const MeshPlace&) = default;
};

// As one number: 16 bits of the polygon, 24 each of x and z. None is kNoNode.
uint64_t PackMeshPlace(const MeshPlace& place);
MeshPlace UnpackMeshPlace(uint64_t packed);

// A way that leads off the polygons, in this direction alone.
struct MeshWay {
  MeshPlace from;
  MeshPlace to;
  uint64_t cost = 0;
  uint32_t link = 0;  // which of the mesh's links it is a direction of
};

// What is taken for a place on the mesh.
struct MeshReach {
  double radius_m = 0.0;  // outside of all polygons
  double below_m = 0.0;   // so far below the place there may be a polygon
  double above_m = 0.0;   // so far above it
};

// Immutable once its ways are added.
class NavigationMesh {
 public:
  // REQUIRES: nothing is wrong with the data; sizes are above 0.
  NavigationMesh(NavigationMeshData data, const MeshScale& scale);

  // REQUIRES: it leads from polygons to polygons of the mesh at a cost above 0;
  // fewer than 2 * kMeshLinksMax are there.
  void AddWay(const MeshWay& way);

  uint32_t polygon_count() const {
    return static_cast<uint32_t>(data_.polygons.size());
  }
  const NavigationPolygon& polygon(uint32_t index) const {
    return data_.polygons[index];
  }
  const MeshScale& scale() const { return scale_; }

  // Whether it lies in the bounds of the mesh, on a polygon that is there.
  bool IsPlace(uint64_t packed) const;

  // The point of the mesh's bounds that is closest to a position in plan: exact
  // for what PositionOf says.
  MeshPoint PointAt(Vector3 position) const;
  // Where a place is, m.
  Vector3 PositionOf(const MeshPlace& place) const;
  // How high the ground of a polygon is at a point; at one outside, as at the
  // closest of its triangles.
  double HeightAt(uint32_t polygon, MeshPoint point) const;

  // The polygon that a position is above or below, of several the closest one;
  // where there is none the closest point of a polygon around it. Of equally
  // close ones the polygon with the lower number. nullopt out of reach.
  std::optional<MeshPlace> Find(Vector3 position, const MeshReach& reach) const;

  // The edges of polygon p are those from first_edge(p) to first_edge(p + 1);
  // edge first_edge(p) + i goes from its corner i to the next.
  uint32_t edge_count() const { return first_edge_.back(); }
  uint32_t first_edge(uint32_t polygon) const { return first_edge_[polygon]; }
  uint32_t polygon_of_edge(uint32_t edge) const {
    return polygon_of_edge_[edge];
  }
  // The same edge of the polygon beside it; kNoNode where there is none.
  uint32_t twin(uint32_t edge) const { return twin_[edge]; }
  MeshPoint edge_from(uint32_t edge) const;
  MeshPoint edge_to(uint32_t edge) const;
  // How high the two are, m.
  double edge_from_height(uint32_t edge) const;
  double edge_to_height(uint32_t edge) const;
  // The middle of an edge, m.
  Vector3 middle_of_edge(uint32_t edge) const { return middle_[edge]; }

  std::span<const MeshWay> ways() const { return ways_; }
  // Those that begin on a polygon, as indexes.
  std::span<const uint32_t> ways_from(uint32_t polygon) const;

 private:
  uint32_t VertexOfEdge(uint32_t edge, uint32_t next) const;
  MeshPoint PointOf(uint32_t vertex) const;
  double HeightOf(uint32_t vertex) const;
  double HeightOfLayer(uint16_t y) const;
  bool Contains(uint32_t polygon, MeshPoint point) const;
  MeshPoint ClosestOn(uint32_t polygon, MeshPoint point) const;
  void JoinEdges();
  void MakeBuckets();
  void FindSurfaces();

  // A corner of a triangle of the ground.
  struct SurfaceCorner {
    MeshPoint point;
    double height_m = 0.0;
  };
  SurfaceCorner CornerOf(uint32_t polygon, uint32_t index) const;

  // The buckets that a range along one axis meets.
  struct BucketRange {
    uint32_t first = 0;
    uint32_t last = 0;
  };
  BucketRange BucketsOf(int64_t least, int64_t most, uint32_t count) const;

  NavigationMeshData data_;
  MeshScale scale_;
  std::vector<uint32_t> first_edge_;  // of each polygon, and the end
  // Of each polygon, and the end; empty where no polygon has any.
  std::vector<uint32_t> first_point_;
  std::vector<uint32_t> first_triangle_;
  std::vector<uint32_t> polygon_of_edge_;
  std::vector<uint32_t> twin_;
  std::vector<Vector3> middle_;
  std::vector<MeshWay> ways_;
  // Of each polygon that has some, ascending: where its ways are in
  // way_indexes_.
  std::vector<uint32_t> first_way_;
  std::vector<uint32_t> way_indexes_;

  // Squares over the mesh, along x first, each with the polygons whose bounds
  // meet it.
  MeshPoint extent_;  // the greatest corners
  int32_t bucket_steps_ = 1;
  uint32_t bucket_columns_ = 1;
  uint32_t bucket_rows_ = 1;
  std::vector<uint32_t> first_in_bucket_;
  std::vector<uint32_t> in_bucket_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_NAVIGATION_MESH_H_

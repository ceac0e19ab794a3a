// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Navigation meshes: convex polygons that an agent can walk on, with corners in
// whole voxels. Which polygon a place is in, and which polygons are beside each
// other, is decided by integers alone, so it is the same on every machine.

#ifndef REPRISE_SIM_NAVIGATION_NAVIGATION_MESH_H_
#define REPRISE_SIM_NAVIGATION_NAVIGATION_MESH_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/geometry/vector3.h"
#include "sim/navigation/best_first_search.h"

namespace reprise::sim {

inline constexpr uint32_t kNavigationPolygonsMax = 65'535;
inline constexpr uint32_t kNavigationVerticesMax = 65'535;
inline constexpr uint32_t kSurfacePointsMax = 1u << 20;
inline constexpr uint32_t kSurfaceTrianglesMax = 1u << 21;
inline constexpr uint32_t kPolygonCornersMin = 3;
inline constexpr uint32_t kPolygonCornersMax = 6;
// Areas are numbered from 1; 0 is what is in none.
inline constexpr uint32_t kMeshAreasMax = 62;
inline constexpr uint16_t kMeshAreaWeightMax = 1000;
inline constexpr uint32_t kMeshLinksMax = 1024;
inline constexpr double kMeshLinkWeightMax = 1000.0;
// Of the origin, along each axis.
inline constexpr int32_t kMeshOriginMaxVoxels = 1 << 30;

// A voxel has so many steps along x and z: a place is known to 0.4 mm where
// voxels are 10 cm wide, and 24 bits hold what a mesh can be wide.
inline constexpr int32_t kStepsPerVoxel = 256;

// A corner of polygons, in voxels from the mesh's origin.
struct NavigationVertex {
  uint16_t x = 0;
  uint16_t y = 0;
  uint16_t z = 0;

  friend bool operator==(const NavigationVertex&,
                         const NavigationVertex&) = default;
};

struct NavigationPolygon {
  // Indexes of vertices, the interior to the left with x to the right and z up.
  std::array<uint16_t, kPolygonCornersMax> corners = {};
  uint8_t corner_count = 0;
  uint8_t area = 0;

  friend bool operator==(const NavigationPolygon&,
                         const NavigationPolygon&) = default;
};

// A point of the ground within a polygon, or on its edge.
struct SurfacePoint {
  uint32_t polygon = 0;
  int32_t x = 0;   // steps (kStepsPerVoxel) from the mesh's origin
  uint16_t y = 0;  // voxels
  int32_t z = 0;   // steps

  friend bool operator==(const SurfacePoint&, const SurfacePoint&) = default;
};

// A part of the ground of a polygon, flat. Corners are those of the polygon,
// then its points.
struct SurfaceTriangle {
  uint32_t polygon = 0;
  std::array<uint16_t, 3> corners = {};

  friend bool operator==(const SurfaceTriangle&,
                         const SurfaceTriangle&) = default;
};

struct NavigationMeshData {
  std::array<int32_t, 3> origin = {};  // voxels, from the world's
  std::vector<NavigationVertex> vertices;
  std::vector<NavigationPolygon> polygons;
  // Where the ground of a polygon isn't what its corners say. Both ascending by
  // polygon; one without triangles has none.
  std::vector<SurfacePoint> points;
  std::vector<SurfaceTriangle> triangles;

  friend bool operator==(const NavigationMeshData&,
                         const NavigationMeshData&) = default;
};

// What keeps the data from being a mesh: a number that is out of its range, a
// polygon that isn't convex or has no area, an edge that more than two polygons
// have. Empty when nothing does.
std::string ProblemOf(const NavigationMeshData& data);

struct MeshScale {
  double cell_size_m = 1.0;    // the width of a voxel
  double cell_height_m = 1.0;  // its height
};

// In steps from the mesh's origin.
struct MeshPoint {
  int32_t x = 0;
  int32_t z = 0;

  friend bool operator==(const MeshPoint&, const MeshPoint&) = default;
};

// Twice the area of the triangle, in steps squared: above 0 where c is to the
// left of the way from a to b, with x to the right and z up.
constexpr int64_t TurnOf(MeshPoint a, MeshPoint b, MeshPoint c) {
  return int64_t{b.x - a.x} * (c.z - a.z) - int64_t{b.z - a.z} * (c.x - a.x);
}

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

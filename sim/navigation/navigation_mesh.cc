// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/navigation/navigation_mesh.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kBucketSideMax = 256;
constexpr uint32_t kPlaceBits = 24;
constexpr uint64_t kPlaceMask = (uint64_t{1} << kPlaceBits) - 1;
static_assert(std::numeric_limits<uint16_t>::max() * kStepsPerVoxel <=
              kPlaceMask);
// Bounds of polygons in buckets, for each polygon: as many as squares of the
// size of its bounds would have.
constexpr uint64_t kBucketEntriesPerPolygon = 9;

// Rounds to the nearest; of two the greater.
int32_t RoundedToStep(double value) {
  return static_cast<int32_t>(ToInt64Saturated(Floor(value + 0.5)));
}

uint64_t SquaredDistance(MeshPoint a, MeshPoint b) {
  const int64_t x = int64_t{a.x} - b.x;
  const int64_t z = int64_t{a.z} - b.z;
  return static_cast<uint64_t>(x * x + z * z);
}

}  // namespace

uint64_t PackMeshPlace(const MeshPlace& place) {
  return uint64_t{place.polygon} << (2 * kPlaceBits) |
         static_cast<uint64_t>(place.point.x) << kPlaceBits |
         static_cast<uint64_t>(place.point.z);
}

MeshPlace UnpackMeshPlace(uint64_t packed) {
  return {.polygon = static_cast<uint32_t>(packed >> (2 * kPlaceBits)),
          .point = {static_cast<int32_t>(packed >> kPlaceBits & kPlaceMask),
                    static_cast<int32_t>(packed & kPlaceMask)}};
}

NavigationMesh::NavigationMesh(NavigationMeshData data, const MeshScale& scale)
    : data_(std::move(data)), scale_(scale) {
  const std::string problem = ProblemOf(data_);
  CHECK(problem.empty(), "{}", problem);
  CHECK(scale.cell_size_m > 0.0 && scale.cell_height_m > 0.0);
  first_edge_.push_back(0);
  for (uint32_t i = 0; i < polygon_count(); ++i) {
    for (uint32_t k = 0; k < polygon(i).corner_count; ++k) {
      polygon_of_edge_.push_back(i);
    }
    first_edge_.push_back(static_cast<uint32_t>(polygon_of_edge_.size()));
  }
  FindSurfaces();
  JoinEdges();
  for (uint32_t edge = 0; edge < edge_count(); ++edge) {
    const MeshPoint from = edge_from(edge);
    const MeshPoint to = edge_to(edge);
    // Corners are at whole voxels, so the sums are even.
    const MeshPoint middle = {(from.x + to.x) / 2, (from.z + to.z) / 2};
    Vector3 place = PositionOf({polygon_of_edge_[edge], middle});
    place.y = (edge_from_height(edge) + edge_to_height(edge)) / 2.0;
    middle_.push_back(place);
  }
  first_way_.assign(polygon_count() + 1, 0);
  MakeBuckets();
}

void NavigationMesh::JoinEdges() {
  const std::vector<DirectedEdge> edges = SortedEdges(data_);
  twin_.assign(edges.size(), kNoNode);
  for (const DirectedEdge& edge : edges) {
    const auto found = std::ranges::lower_bound(
        edges, std::pair(edge.to, edge.from), {}, &DirectedEdge::key);
    if (found == edges.end() || found->key() != std::pair(edge.to, edge.from)) {
      continue;
    }
    twin_[edge.edge] = found->edge;
  }
}

void NavigationMesh::FindSurfaces() {
  if (data_.triangles.empty()) return;
  const auto find = [&](const auto& parts, std::vector<uint32_t>& first) {
    first.assign(polygon_count() + 1, 0);
    for (const auto& part : parts) ++first[part.polygon + 1];
    for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  };
  find(data_.points, first_point_);
  find(data_.triangles, first_triangle_);
}

void NavigationMesh::AddWay(const MeshWay& way) {
  CHECK(way.from.polygon < polygon_count() && way.to.polygon < polygon_count());
  CHECK(way.cost > 0 && ways_.size() < 2 * kMeshLinksMax);
  ways_.push_back(way);
  const auto first = way_indexes_.begin() + first_way_[way.from.polygon + 1];
  way_indexes_.insert(first, static_cast<uint32_t>(ways_.size() - 1));
  for (uint32_t i = way.from.polygon + 1; i < first_way_.size(); ++i) {
    ++first_way_[i];
  }
}

std::span<const uint32_t> NavigationMesh::ways_from(uint32_t polygon) const {
  return std::span(way_indexes_)
      .subspan(first_way_[polygon],
               first_way_[polygon + 1] - first_way_[polygon]);
}

bool NavigationMesh::IsPlace(uint64_t packed) const {
  const MeshPlace place = UnpackMeshPlace(packed);
  return place.polygon < polygon_count() && place.point.x <= extent_.x &&
         place.point.z <= extent_.z;
}

MeshPoint NavigationMesh::PointAt(Vector3 position) const {
  const auto steps = [&](double along, int32_t origin, int32_t most) {
    const double from_origin = along * (kStepsPerVoxel / scale_.cell_size_m) -
                               double{kStepsPerVoxel} * origin;
    // What is no number is the origin.
    if (!(from_origin > 0.0)) return 0;
    return RoundedToStep(std::min(from_origin, static_cast<double>(most)));
  };
  return {steps(position.x, data_.origin[0], extent_.x),
          steps(position.z, data_.origin[2], extent_.z)};
}

Vector3 NavigationMesh::PositionOf(const MeshPlace& place) const {
  const auto along = [&](int32_t steps, int32_t origin) {
    return (origin + static_cast<double>(steps) / kStepsPerVoxel) *
           scale_.cell_size_m;
  };
  return {along(place.point.x, data_.origin[0]),
          HeightAt(place.polygon, place.point),
          along(place.point.z, data_.origin[2])};
}

NavigationMesh::SurfaceCorner NavigationMesh::CornerOf(uint32_t polygon,
                                                       uint32_t index) const {
  const NavigationPolygon& shape = data_.polygons[polygon];
  if (index < shape.corner_count) {
    const uint32_t vertex = shape.corners[index];
    return {.point = PointOf(vertex), .height_m = HeightOf(vertex)};
  }
  const SurfacePoint& point =
      data_.points[first_point_[polygon] + index - shape.corner_count];
  return {.point = {point.x, point.z}, .height_m = HeightOfLayer(point.y)};
}

double NavigationMesh::HeightAt(uint32_t polygon, MeshPoint point) const {
  const NavigationPolygon& shape = data_.polygons[polygon];
  double height = HeightOf(shape.corners[0]);
  // Of the triangle that the point is least outside of, in shares of it.
  double best = -std::numeric_limits<double>::infinity();
  const auto consider = [&](uint32_t first, uint32_t second, uint32_t third) {
    const SurfaceCorner a = CornerOf(polygon, first);
    const SurfaceCorner b = CornerOf(polygon, second);
    const SurfaceCorner c = CornerOf(polygon, third);
    const auto area = static_cast<double>(TurnOf(a.point, b.point, c.point));
    if (area <= 0.0) return;
    const double of_a =
        static_cast<double>(TurnOf(point, b.point, c.point)) / area;
    const double of_b =
        static_cast<double>(TurnOf(a.point, point, c.point)) / area;
    const double of_c =
        static_cast<double>(TurnOf(a.point, b.point, point)) / area;
    const double inside = std::min({of_a, of_b, of_c});
    if (inside <= best) return;
    best = inside;
    const double share_a = std::max(of_a, 0.0);
    const double share_b = std::max(of_b, 0.0);
    const double share_c = std::max(of_c, 0.0);
    height =
        ((share_a * a.height_m + share_b * b.height_m) + share_c * c.height_m) /
        ((share_a + share_b) + share_c);
  };
  const bool has_surface =
      !first_triangle_.empty() &&
      first_triangle_[polygon] < first_triangle_[polygon + 1];
  if (has_surface) {
    for (uint32_t i = first_triangle_[polygon];
         i < first_triangle_[polygon + 1]; ++i) {
      const SurfaceTriangle& triangle = data_.triangles[i];
      consider(triangle.corners[0], triangle.corners[1], triangle.corners[2]);
    }
  } else {
    for (uint32_t i = 1; i + 1 < shape.corner_count; ++i) consider(0, i, i + 1);
  }
  return height;
}

std::optional<MeshPlace> NavigationMesh::Find(Vector3 position,
                                              const MeshReach& reach) const {
  const double per_m = kStepsPerVoxel / scale_.cell_size_m;
  const double x =
      position.x * per_m - double{kStepsPerVoxel} * data_.origin[0];
  const double z =
      position.z * per_m - double{kStepsPerVoxel} * data_.origin[2];
  const double reach_steps = reach.radius_m * per_m;
  // Far enough outside nothing is in reach; what isn't finite isn't inside.
  const bool is_near = x >= -reach_steps - 1.0 && z >= -reach_steps - 1.0 &&
                       x <= extent_.x + reach_steps + 1.0 &&
                       z <= extent_.z + reach_steps + 1.0 &&
                       IsFinite(position.y);
  if (!is_near || polygon_count() == 0) return std::nullopt;
  const MeshPoint point = {RoundedToStep(x), RoundedToStep(z)};
  // How far a polygon is from the height of the position; nothing out of reach.
  const auto away_of = [&](uint32_t polygon,
                           MeshPoint at) -> std::optional<double> {
    const double above = HeightAt(polygon, at) - position.y;
    if (above > reach.above_m || -above > reach.below_m) return std::nullopt;
    return Abs(above);
  };

  std::optional<MeshPlace> found;
  uint64_t least = std::numeric_limits<uint64_t>::max();
  double least_away = 0.0;
  const auto consider = [&](uint32_t polygon, MeshPoint at, uint64_t squared) {
    if (squared > least) return;
    const std::optional<double> away = away_of(polygon, at);
    if (!away.has_value()) return;
    const bool is_closer = squared < least || *away < least_away ||
                           (*away == least_away && polygon < found->polygon);
    if (found.has_value() && !is_closer) return;
    found = MeshPlace{.polygon = polygon, .point = at};
    least = squared;
    least_away = *away;
  };
  const auto for_each_around = [&](int64_t radius, const auto& take) {
    const BucketRange columns =
        BucketsOf(point.x - radius, point.x + radius, bucket_columns_);
    const BucketRange rows =
        BucketsOf(point.z - radius, point.z + radius, bucket_rows_);
    for (uint32_t row = rows.first; row <= rows.last; ++row) {
      for (uint32_t column = columns.first; column <= columns.last; ++column) {
        const uint32_t bucket = row * bucket_columns_ + column;
        for (uint32_t i = first_in_bucket_[bucket];
             i < first_in_bucket_[bucket + 1]; ++i) {
          take(in_bucket_[i]);
        }
      }
    }
  };
  for_each_around(0, [&](uint32_t polygon) {
    if (Contains(polygon, point)) consider(polygon, point, 0);
  });
  if (found.has_value()) return found;
  const int64_t radius = RoundedToStep(reach_steps);
  const auto radius_squared = static_cast<uint64_t>(radius * radius);
  for_each_around(radius, [&](uint32_t polygon) {
    const MeshPoint at = ClosestOn(polygon, point);
    const uint64_t squared = SquaredDistance(at, point);
    if (squared <= radius_squared) consider(polygon, at, squared);
  });
  return found;
}

MeshPoint NavigationMesh::edge_from(uint32_t edge) const {
  return PointOf(VertexOfEdge(edge, 0));
}

MeshPoint NavigationMesh::edge_to(uint32_t edge) const {
  return PointOf(VertexOfEdge(edge, 1));
}

double NavigationMesh::edge_from_height(uint32_t edge) const {
  return HeightOf(VertexOfEdge(edge, 0));
}

double NavigationMesh::edge_to_height(uint32_t edge) const {
  return HeightOf(VertexOfEdge(edge, 1));
}

uint32_t NavigationMesh::VertexOfEdge(uint32_t edge, uint32_t next) const {
  const uint32_t index = polygon_of_edge_[edge];
  const NavigationPolygon& shape = data_.polygons[index];
  return shape.corners[(edge - first_edge_[index] + next) % shape.corner_count];
}

MeshPoint NavigationMesh::PointOf(uint32_t vertex) const {
  return sim::PointOf(data_.vertices[vertex]);
}

double NavigationMesh::HeightOf(uint32_t vertex) const {
  return HeightOfLayer(data_.vertices[vertex].y);
}

double NavigationMesh::HeightOfLayer(uint16_t y) const {
  return (data_.origin[1] + static_cast<double>(y)) * scale_.cell_height_m;
}

bool NavigationMesh::Contains(uint32_t polygon, MeshPoint point) const {
  for (uint32_t edge = first_edge_[polygon]; edge < first_edge_[polygon + 1];
       ++edge) {
    if (TurnOf(edge_from(edge), edge_to(edge), point) < 0) return false;
  }
  return true;
}

// Of whole steps, in the polygon; a step farther than the very closest at most.
MeshPoint NavigationMesh::ClosestOn(uint32_t polygon, MeshPoint point) const {
  if (Contains(polygon, point)) return point;
  MeshPoint closest;
  uint64_t least = std::numeric_limits<uint64_t>::max();
  const auto consider = [&](MeshPoint at) {
    const uint64_t squared = SquaredDistance(at, point);
    if (squared >= least || !Contains(polygon, at)) return;
    least = squared;
    closest = at;
  };
  for (uint32_t edge = first_edge_[polygon]; edge < first_edge_[polygon + 1];
       ++edge) {
    const MeshPoint from = edge_from(edge);
    const MeshPoint to = edge_to(edge);
    consider(from);
    const double x = to.x - from.x;
    const double z = to.z - from.z;
    const double along =
        ((point.x - from.x) * x + (point.z - from.z) * z) / (x * x + z * z);
    if (!(along > 0.0 && along < 1.0)) continue;
    const MeshPoint near = {RoundedToStep(from.x + along * x),
                            RoundedToStep(from.z + along * z)};
    // Rounding may lead out of the polygon, and a step back in again.
    for (const int32_t dz : {-1, 0, 1}) {
      for (const int32_t dx : {-1, 0, 1}) {
        consider({near.x + dx, near.z + dz});
      }
    }
  }
  return closest;
}

NavigationMesh::BucketRange NavigationMesh::BucketsOf(int64_t least,
                                                      int64_t most,
                                                      uint32_t count) const {
  const auto bucket_of = [&](int64_t steps) {
    return static_cast<uint32_t>(
        std::clamp<int64_t>(steps / bucket_steps_, 0, count - 1));
  };
  return {bucket_of(least), bucket_of(most)};
}

void NavigationMesh::MakeBuckets() {
  for (const NavigationVertex& vertex : data_.vertices) {
    extent_.x = std::max(extent_.x, sim::PointOf(vertex).x);
    extent_.z = std::max(extent_.z, sim::PointOf(vertex).z);
  }
  struct Bounds {
    MeshPoint least;
    MeshPoint most;
  };
  std::vector<Bounds> bounds;
  for (uint32_t i = 0; i < polygon_count(); ++i) {
    Bounds of = {edge_from(first_edge_[i]), edge_from(first_edge_[i])};
    for (uint32_t edge = first_edge_[i]; edge < first_edge_[i + 1]; ++edge) {
      const MeshPoint corner = edge_from(edge);
      of.least = {std::min(of.least.x, corner.x),
                  std::min(of.least.z, corner.z)};
      of.most = {std::max(of.most.x, corner.x), std::max(of.most.z, corner.z)};
    }
    bounds.push_back(of);
  }
  const auto for_each_bucket = [&](const auto& take) {
    for (uint32_t i = 0; i < polygon_count(); ++i) {
      const BucketRange columns =
          BucketsOf(bounds[i].least.x, bounds[i].most.x, bucket_columns_);
      const BucketRange rows =
          BucketsOf(bounds[i].least.z, bounds[i].most.z, bucket_rows_);
      for (uint32_t row = rows.first; row <= rows.last; ++row) {
        for (uint32_t column = columns.first; column <= columns.last;
             ++column) {
          take(row * bucket_columns_ + column, i);
        }
      }
    }
  };
  // Coarser until large polygons are in few.
  const int32_t longest = std::max({extent_.x, extent_.z, 1});
  for (uint32_t side = kBucketSideMax; side > 0; side /= 2) {
    bucket_steps_ = longest / static_cast<int32_t>(side) + 1;
    bucket_columns_ = static_cast<uint32_t>(extent_.x / bucket_steps_) + 1;
    bucket_rows_ = static_cast<uint32_t>(extent_.z / bucket_steps_) + 1;
    uint64_t entries = uint64_t{bucket_columns_} * bucket_rows_;
    const uint64_t most = kBucketEntriesPerPolygon * polygon_count() + 1;
    for (const Bounds& of : bounds) {
      const BucketRange columns =
          BucketsOf(of.least.x, of.most.x, bucket_columns_);
      const BucketRange rows = BucketsOf(of.least.z, of.most.z, bucket_rows_);
      entries += uint64_t{columns.last - columns.first + 1} *
                 (rows.last - rows.first + 1);
    }
    if (entries <= most) break;
  }
  first_in_bucket_.assign(bucket_columns_ * bucket_rows_ + 1, 0);
  for_each_bucket(
      [&](uint32_t bucket, uint32_t) { ++first_in_bucket_[bucket + 1]; });
  for (size_t i = 1; i < first_in_bucket_.size(); ++i) {
    first_in_bucket_[i] += first_in_bucket_[i - 1];
  }
  in_bucket_.resize(first_in_bucket_.back());
  std::vector<uint32_t> next(first_in_bucket_.begin(),
                             first_in_bucket_.end() - 1);
  for_each_bucket([&](uint32_t bucket, uint32_t polygon) {
    in_bucket_[next[bucket]++] = polygon;
  });
}

}  // namespace reprise::sim

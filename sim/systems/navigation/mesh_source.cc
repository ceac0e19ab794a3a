// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/mesh_source.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/geometry/transform.h"

namespace reprise::sim {
namespace {

// The shape of a body that stands still and is solid; null of others.
const ShapeDefinition* SourceShape(const PhysicsDefinition& physics,
                                   const BodyPlacement& body) {
  const BodyKind& kind = physics.kinds[body.kind];
  if (kind.motion != Motion::kFixed || kind.is_trigger) return nullptr;
  return &physics.shapes[kind.shape];
}

constexpr double kMost = std::numeric_limits<double>::infinity();
constexpr Aabb kNoBox = {{kMost, kMost, kMost}, {-kMost, -kMost, -kMost}};

void Include(const ShapePart& part, Aabb& box) {
  for (const Triangle& triangle : part.triangles) {
    const Aabb of = BoundsOf(triangle);
    box = {Minimum(box.minimum, of.minimum), Maximum(box.maximum, of.maximum)};
  }
}

// Leaves what is in the bounds: a solid as a whole, or nothing of it.
void Clip(const Aabb& bounds, std::vector<ShapePart>& parts) {
  for (ShapePart& part : parts) {
    if (part.is_solid) {
      Aabb box = kNoBox;
      Include(part, box);
      if (!Overlaps(box, bounds)) part.triangles.clear();
    } else {
      std::erase_if(part.triangles, [&](const Triangle& triangle) {
        return !Overlaps(BoundsOf(triangle), bounds);
      });
    }
  }
  std::erase_if(parts,
                [](const ShapePart& part) { return part.triangles.empty(); });
}

// The box around all bodies but planes; nullopt where there are none.
std::optional<Aabb> BoundsOfBodies(const PhysicsDefinition& physics) {
  Aabb box = kNoBox;
  std::vector<ShapePart> parts;
  for (const BodyPlacement& body : physics.bodies) {
    const ShapeDefinition* const shape = SourceShape(physics, body);
    if (shape == nullptr || std::holds_alternative<PlaneShape>(*shape)) {
      continue;
    }
    parts.clear();
    AddShapeParts(*shape, {body.position, body.rotation}, {}, parts);
    for (const ShapePart& part : parts) Include(part, box);
  }
  if (!IsValid(box)) return std::nullopt;
  return box;
}

// Numbers as bytes, to be digested.
class NumberBytes {
 public:
  void Add(double value) {
    // -0 is 0 to whoever looks at a level.
    numbers_.push_back(value == 0.0 ? 0.0 : value);
  }
  void Add(Vector3 value) {
    Add(value.x);
    Add(value.y);
    Add(value.z);
  }
  void Add(const Aabb& box) {
    Add(box.minimum);
    Add(box.maximum);
  }
  Digest Take() {
    const Digest digest = DigestOf(std::as_bytes(std::span(numbers_)));
    numbers_.clear();
    return digest;
  }

 private:
  std::vector<double> numbers_;
};

Digest DigestOfSettings(const MeshSettings& settings, const Aabb& bounds) {
  NumberBytes bytes;
  bytes.Add(settings.agent_radius_m);
  bytes.Add(settings.agent_height_m);
  bytes.Add(settings.agent_slope_degrees);
  bytes.Add(settings.agent_step_m);
  bytes.Add(settings.scale.cell_size_m);
  bytes.Add(settings.scale.cell_height_m);
  bytes.Add(bounds);
  for (const Aabb& area : settings.areas) bytes.Add(area);
  return bytes.Take();
}

absl::Status SetVoxels(const Aabb& bounds, MeshSource& source) {
  const MeshScale& scale = source.settings.scale;
  struct Axis {
    double minimum;
    double maximum;
    double voxel;
    int32_t most;
    const char* name;
  };
  const std::array<Axis, 3> axes = {
      {{bounds.minimum.x, bounds.maximum.x, scale.cell_size_m, kMeshColumnsMax,
        "x"},
       {bounds.minimum.y, bounds.maximum.y, scale.cell_height_m, kMeshLayersMax,
        "y"},
       {bounds.minimum.z, bounds.maximum.z, scale.cell_size_m, kMeshColumnsMax,
        "z"}}};
  for (size_t i = 0; i < axes.size(); ++i) {
    const Axis& axis = axes[i];
    const double first = Floor(axis.minimum / axis.voxel);
    const double count = std::max(Ceil(axis.maximum / axis.voxel) - first, 1.0);
    if (count > axis.most || Abs(first) > kMeshOriginMaxVoxels) {
      return absl::InvalidArgumentError(fmt::format(
          "from {:g} to {:g} m along {} are {:g} voxels of {:g} m; there can "
          "be {}, within {} of the world's origin",
          axis.minimum, axis.maximum, axis.name, count, axis.voxel, axis.most,
          kMeshOriginMaxVoxels));
    }
    source.origin[i] = static_cast<int32_t>(ToInt64Saturated(first));
    source.size[i] = static_cast<int32_t>(ToInt64Saturated(count));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MeshSource> MakeMeshSource(const MeshSettings& settings,
                                          const PhysicsDefinition& physics) {
  uint64_t count = 0;
  for (const BodyPlacement& body : physics.bodies) {
    const ShapeDefinition* const shape = SourceShape(physics, body);
    if (shape != nullptr) count += ShapeTriangleCount(*shape);
  }
  if (count > kMeshSourceTrianglesMax) {
    return absl::InvalidArgumentError(
        fmt::format("the fixed bodies have {} triangles, more than {}", count,
                    kMeshSourceTrianglesMax));
  }
  const std::optional<Aabb> bounds =
      settings.bounds.has_value() ? settings.bounds : BoundsOfBodies(physics);
  if (!bounds.has_value()) {
    return absl::InvalidArgumentError(
        "there is no fixed body but planes, so minimum and maximum have to say "
        "what is looked at");
  }
  MeshSource source = {.settings = settings};
  if (const absl::Status status = SetVoxels(*bounds, source); !status.ok()) {
    return status;
  }
  std::vector<Digest> digests;
  for (const BodyPlacement& body : physics.bodies) {
    const ShapeDefinition* const shape = SourceShape(physics, body);
    if (shape == nullptr) continue;
    std::vector<ShapePart> parts;
    AddShapeParts(*shape, {body.position, body.rotation}, *bounds, parts);
    Clip(*bounds, parts);
    if (parts.empty()) continue;
    NumberBytes bytes;
    for (ShapePart& part : parts) {
      bytes.Add(part.is_solid ? 1.0 : 0.0);
      for (const Triangle& triangle : part.triangles) {
        bytes.Add(triangle.a);
        bytes.Add(triangle.b);
        bytes.Add(triangle.c);
      }
      source.parts.push_back(std::move(part));
    }
    digests.push_back(bytes.Take());
  }
  // A total order: equal digests are the same.
  std::ranges::sort(digests);
  digests.push_back(DigestOfSettings(settings, *bounds));
  source.digest = CombineDigests(digests);
  return source;
}

}  // namespace reprise::sim

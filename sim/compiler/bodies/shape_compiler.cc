// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/bodies/shape_compiler.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/compiler/bodies/obj_file.h"
#include "sim/compiler/checking/point_checker.h"
#include "sim/physics/definition/closed_mesh.h"
#include "sim/physics/definition/convex_hull.h"
#include "sim/physics/definition/solid_mass.h"

namespace reprise::sim {
namespace {

double Size(std::string_view field, double value_m,
            const MessageChecker& checker) {
  return checker.Number(field, value_m, kSizeMinM, kSizeMaxM);
}

Vector3 HalfExtents(const v1::Box& box, const MessageChecker& checker) {
  const MessageChecker place = checker.In(box.half_extents(), "half_extents");
  return {Size("x", box.half_extents().x(), place),
          Size("y", box.half_extents().y(), place),
          Size("z", box.half_extents().z(), place)};
}

// Whether a shape has an end and an inside.
bool IsSolid(const v1::Shape& shape) {
  return !shape.has_plane() && !shape.has_mesh() && !shape.has_height_field();
}

HullPrimitive CompileHull(const v1::Hull& message,
                          const MessageChecker& checker) {
  if (message.points_size() <= static_cast<int>(kHullPointsMax) &&
      !CheckPoints("points", message.points(), kSizeMaxM, checker)) {
    return {};
  }
  std::vector<Vector3> points;
  for (int i = 0; i < message.points_size(); ++i) {
    const v1::Vector3& point = message.points(i);
    points.push_back({point.x(), point.y(), point.z()});
  }
  absl::StatusOr<HullPrimitive> hull = MakeHull(points);
  if (!hull.ok()) {
    checker.Problem("points", std::string(hull.status().message()));
    return {};
  }
  if (message.centred()) {
    const Vector3 centre = CentreOf(*hull);
    for (Vector3& vertex : hull->vertices) vertex = vertex - centre;
  }
  return *std::move(hull);
}

Primitive CompilePrimitive(const v1::Shape& shape,
                           const MessageChecker& checker) {
  Primitive primitive;
  primitive.position = checker.Vector("position", shape.position(), kSizeMaxM);
  primitive.rotation =
      checker.Rotation("rotation_degrees", shape.rotation_degrees());
  switch (shape.kind_case()) {
    case v1::Shape::kSphere: {
      const MessageChecker place = checker.In(shape.sphere(), "sphere");
      primitive.solid = SpherePrimitive{
          .radius_m = Size("radius", shape.sphere().radius(), place)};
      break;
    }
    case v1::Shape::kBox:
      primitive.solid =
          BoxPrimitive{.half_extents_m = HalfExtents(
                           shape.box(), checker.In(shape.box(), "box"))};
      break;
    case v1::Shape::kCapsule: {
      const v1::Capsule& capsule = shape.capsule();
      const MessageChecker place = checker.In(capsule, "capsule");
      primitive.solid = CapsulePrimitive{
          .radius_m = Size("radius", capsule.radius(), place),
          .height_m = 2.0 * Size("half_length", capsule.half_length(), place)};
      break;
    }
    case v1::Shape::kCylinder: {
      const v1::Cylinder& cylinder = shape.cylinder();
      const MessageChecker place = checker.In(cylinder, "cylinder");
      primitive.solid = CylinderPrimitive{
          .radius_m = Size("radius", cylinder.radius(), place),
          .height_m = 2.0 * Size("half_length", cylinder.half_length(), place)};
      break;
    }
    case v1::Shape::kCone: {
      const v1::Cone& cone = shape.cone();
      const MessageChecker place = checker.In(cone, "cone");
      primitive.solid =
          ConePrimitive{.radius_m = Size("radius", cone.radius(), place),
                        .height_m = Size("height", cone.height(), place)};
      break;
    }
    case v1::Shape::kHull:
      primitive.solid =
          CompileHull(shape.hull(), checker.In(shape.hull(), "hull"));
      break;
    case v1::Shape::kPlane:
      checker.Problem("plane", "a plane stands alone in its body");
      break;
    case v1::Shape::kMesh:
      checker.Problem("mesh", "a mesh stands alone in its body");
      break;
    case v1::Shape::kHeightField:
      checker.Problem("height_field",
                      "a height field stands alone in its body");
      break;
    case v1::Shape::KIND_NOT_SET:
      checker.Problem("sphere",
                      "one of sphere, box, capsule, cylinder, plane, cone, "
                      "hull, mesh, height_field is needed");
      break;
  }
  return primitive;
}

// The vertices and triangles that a mesh itself says.
MeshShape ReadInlineMesh(const v1::Mesh& message,
                         const MessageChecker& checker) {
  MeshShape mesh;
  for (int i = 0; i < message.vertices_size(); ++i) {
    const v1::Vector3& vertex = message.vertices(i);
    mesh.vertices.push_back({vertex.x(), vertex.y(), vertex.z()});
  }
  if (message.indices_size() % 3 != 0) {
    checker.Problem("indices", fmt::format("{} indexes are no triangles",
                                           message.indices_size()));
  }
  for (int i = 0; i + 2 < message.indices_size(); i += 3) {
    mesh.triangles.push_back(
        {message.indices(i), message.indices(i + 1), message.indices(i + 2)});
  }
  return mesh;
}

// nullopt after reporting that there is none.
std::optional<ObjMesh> ReadMesh(const v1::Mesh& message,
                                const MessageChecker& checker,
                                const PackArchive& archive) {
  if (message.file().empty()) {
    return ObjMesh{.mesh = ReadInlineMesh(message, checker),
                   .vertex_lines = {},
                   .triangle_lines = {}};
  }
  if (message.vertices_size() != 0 || message.indices_size() != 0) {
    checker.Problem("file", "vertices and indices stand there, too");
  }
  const std::optional<std::string_view> text = archive.Find(message.file());
  if (!text.has_value()) {
    std::vector<std::string> files;
    for (const auto& [path, contents] : archive.files()) files.push_back(path);
    checker.NoSuch("file", "file", message.file(), files);
    return std::nullopt;
  }
  absl::StatusOr<ObjMesh> obj = ParseObj(*text);
  if (!obj.ok()) {
    checker.Problem("file", fmt::format("{}: {}", message.file(),
                                        std::string(obj.status().message())));
    return std::nullopt;
  }
  return *std::move(obj);
}

// The line of the first part of `obj` that no mesh may have; nullopt when the
// problem is the whole.
std::optional<uint32_t> FindBadLine(const ObjMesh& obj) {
  if (obj.mesh.triangles.empty()) return std::nullopt;  // its counts are wrong
  for (size_t i = 0; i < obj.mesh.vertices.size(); ++i) {
    const Vector3& vertex = obj.mesh.vertices[i];
    for (const double value : {vertex.x, vertex.y, vertex.z}) {
      if (!(Abs(value) <= kSizeMaxM)) return obj.vertex_lines[i];
    }
  }
  MeshShape alone{.vertices = {{}, {}, {}}, .triangles = {{0, 1, 2}}};
  for (size_t i = 0; i < obj.mesh.triangles.size(); ++i) {
    for (size_t corner = 0; corner < alone.vertices.size(); ++corner) {
      alone.vertices[corner] = obj.mesh.vertices[obj.mesh.triangles[i][corner]];
    }
    if (!MeshProblem(alone).empty()) return obj.triangle_lines[i];
  }
  return std::nullopt;
}

// Reports what keeps the mesh from being closed; of a file with the lines of
// the edge's vertices.
void CheckClosed(const ObjMesh& read, const v1::Mesh& message,
                 const MessageChecker& checker) {
  const OpenMesh opening = FindOpening(read.mesh);
  if (opening.problem.empty()) return;
  if (message.file().empty()) {
    checker.Problem("closed", opening.problem);
  } else if (opening.has_edge) {
    checker.Problem(
        "closed", fmt::format("{}: lines {} and {}: {}", message.file(),
                              read.vertex_lines[opening.from],
                              read.vertex_lines[opening.to], opening.problem));
  } else {
    checker.Problem("closed",
                    fmt::format("{}: {}", message.file(), opening.problem));
  }
}

// Reports what is wrong with a mesh that stands in the manifest, at the vertex
// or with the triangles that it is of. `mesh` has them where they come to be.
void ReportInline(const MeshShape& mesh, const v1::Mesh& message,
                  const std::string& problem, const MessageChecker& checker) {
  if (mesh.vertices.size() > kMeshVerticesMax || mesh.triangles.empty() ||
      mesh.triangles.size() > kMeshTrianglesMax) {
    checker.Problem("vertices", problem);
    return;
  }
  for (int i = 0; i < message.vertices_size(); ++i) {
    const Vector3& vertex = mesh.vertices[static_cast<size_t>(i)];
    for (const auto& [name, value] :
         {std::pair("x", vertex.x), std::pair("y", vertex.y),
          std::pair("z", vertex.z)}) {
      if (Abs(value) <= kSizeMaxM) continue;
      checker.In(message.vertices(i), "vertices", i).Problem(name, problem);
      return;
    }
  }
  checker.Problem("indices", problem);
}

MeshShape CompileMesh(const v1::Shape& shape, const MessageChecker& checker,
                      const PackArchive& archive) {
  const MessageChecker place = checker.In(shape.mesh(), "mesh");
  std::optional<ObjMesh> read = ReadMesh(shape.mesh(), place, archive);
  if (!read.has_value()) return {};
  MeshShape& mesh = read->mesh;
  const Vector3 position = checker.Vector("position", shape.position());
  const Quaternion rotation =
      checker.Rotation("rotation_degrees", shape.rotation_degrees());
  // As they stand, where nothing is turned: turning by nothing would round.
  const bool is_turned = rotation != Quaternion{};
  for (Vector3& vertex : mesh.vertices) {
    vertex = position + (is_turned ? Rotate(rotation, vertex) : vertex);
  }
  mesh.is_closed = shape.mesh().closed();
  const std::string problem = MeshProblem(mesh);
  if (problem.empty()) {
    if (mesh.is_closed) CheckClosed(*read, shape.mesh(), place);
    return std::move(mesh);
  }
  if (shape.mesh().file().empty()) {
    ReportInline(mesh, shape.mesh(), problem, place);
  } else if (const auto line = FindBadLine(*read)) {
    place.Problem("file", fmt::format("{}: line {}: {}", shape.mesh().file(),
                                      *line, problem));
  } else {
    place.Problem("file", fmt::format("{}: {}", shape.mesh().file(), problem));
  }
  return {};
}

HeightFieldShape CompileHeightField(const v1::Shape& shape,
                                    const MessageChecker& checker) {
  const v1::HeightField& message = shape.height_field();
  const MessageChecker place = checker.In(message, "height_field");
  HeightFieldShape field;
  field.columns =
      place.Count("columns", message.columns(), 2, kHeightFieldSideMax);
  field.rows = place.Count("rows", message.rows(), 2, kHeightFieldSideMax);
  field.cell_size_m = Size("cell_size", message.cell_size(), place);
  field.heights_m.assign(message.heights().begin(), message.heights().end());
  field.position = checker.Vector("position", shape.position(), kSizeMaxM);
  if (shape.has_rotation_degrees()) {
    checker.Problem("rotation_degrees", "a height field isn't turned");
  }
  const uint64_t count = uint64_t{field.columns} * field.rows;
  if (field.heights_m.size() != count) {
    place.Problem("heights", fmt::format("{} heights, not columns x rows = {}",
                                         field.heights_m.size(), count));
  }
  for (size_t i = 0; i < field.heights_m.size(); ++i) {
    if (Abs(field.heights_m[i]) <= kSizeMaxM) continue;
    place.Problem("heights", fmt::format("height {}: {} is not within +-{}", i,
                                         field.heights_m[i], kSizeMaxM));
    break;
  }
  return field;
}

PlaneShape CompilePlane(const v1::Shape& shape, const MessageChecker& checker) {
  const MessageChecker place = checker.In(shape.plane(), "plane");
  PlaneShape plane;
  plane.normal =
      Rotate(checker.Rotation("rotation_degrees", shape.rotation_degrees()),
             place.Direction("normal", shape.plane().normal()));
  plane.offset_m =
      Dot(plane.normal, checker.Vector("position", shape.position()));
  if (Abs(plane.offset_m) > kPositionMaxM) {
    checker.Problem("position",
                    fmt::format("the plane is {} m from the body's origin, not "
                                "within {}",
                                Abs(plane.offset_m), kPositionMaxM));
  }
  return plane;
}

}  // namespace

ShapeDefinition CompileShape(const v1::Body& body,
                             const MessageChecker& checker,
                             const CollisionLayers& layers,
                             const PackArchive& archive) {
  if (body.shapes_size() == 0 ||
      static_cast<uint32_t>(body.shapes_size()) > kPrimitivesMax) {
    checker.Problem("shapes", fmt::format("{} shapes; 1 to {} are possible",
                                          body.shapes_size(), kPrimitivesMax));
    return SolidShape{};
  }
  if (body.shapes_size() == 1 && !IsSolid(body.shapes(0))) {
    const v1::Shape& shape = body.shapes(0);
    const MessageChecker place = checker.In(shape, "shapes", 0);
    if (shape.layers_size() != 0) {
      place.Problem("layers", "of a shape that stands alone its body has them");
    }
    if (shape.has_plane()) return CompilePlane(shape, place);
    if (shape.has_mesh()) return CompileMesh(shape, place, archive);
    return CompileHeightField(shape, place);
  }
  SolidShape solid;
  for (int i = 0; i < body.shapes_size(); ++i) {
    const v1::Shape& shape = body.shapes(i);
    const MessageChecker place = checker.In(shape, "shapes", i);
    solid.primitives.push_back(CompilePrimitive(shape, place));
    if (shape.layers_size() == 0) continue;
    solid.primitives.back().filter = layers.FilterOf(shape.layers(), place);
  }
  return solid;
}

}  // namespace reprise::sim

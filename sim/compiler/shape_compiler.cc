// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/shape_compiler.h"

#include <utility>

#include "fmt/format.h"

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

Primitive CompilePrimitive(const v1::Shape& shape,
                           const MessageChecker& checker) {
  Primitive primitive;
  primitive.position = checker.Vector("position", shape.position());
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
    case v1::Shape::kPlane:
      checker.Problem("plane", "a plane stands alone in its body");
      break;
    case v1::Shape::KIND_NOT_SET:
      checker.Problem("sphere",
                      "one of sphere, box, capsule, cylinder, plane is needed");
      break;
  }
  return primitive;
}

PlaneShape CompilePlane(const v1::Shape& shape, const MessageChecker& checker) {
  const MessageChecker place = checker.In(shape.plane(), "plane");
  PlaneShape plane;
  plane.normal =
      Rotate(checker.Rotation("rotation_degrees", shape.rotation_degrees()),
             place.Direction("normal", shape.plane().normal()));
  plane.offset_m =
      Dot(plane.normal, checker.Vector("position", shape.position()));
  return plane;
}

}  // namespace

ShapeDefinition CompileShape(const v1::Body& body,
                             const MessageChecker& checker) {
  if (body.shapes_size() == 0 ||
      static_cast<uint32_t>(body.shapes_size()) > kPrimitivesMax) {
    checker.Problem("shapes", fmt::format("{} shapes; 1 to {} are possible",
                                          body.shapes_size(), kPrimitivesMax));
    return SolidShape{};
  }
  if (body.shapes_size() == 1 && body.shapes(0).has_plane()) {
    return CompilePlane(body.shapes(0),
                        checker.In(body.shapes(0), "shapes", 0));
  }
  SolidShape solid;
  for (int i = 0; i < body.shapes_size(); ++i) {
    solid.primitives.push_back(CompilePrimitive(
        body.shapes(i), checker.In(body.shapes(i), "shapes", i)));
  }
  return solid;
}

}  // namespace reprise::sim

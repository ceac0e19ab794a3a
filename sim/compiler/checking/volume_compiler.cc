// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/volume_compiler.h"

#include <string>

#include "fmt/format.h"
#include "sim/compiler/checking/point_checker.h"

namespace reprise::sim {
namespace {

double Size(std::string_view field, double value,
            const MessageChecker& checker) {
  return checker.Number(field, value, kVolumeSizeMinM, kVolumeCoordinateMaxM);
}

double Coordinate(std::string_view field, double value,
                  const MessageChecker& checker) {
  return checker.Number(field, value, -kVolumeCoordinateMaxM,
                        kVolumeCoordinateMaxM);
}

SphereVolume CompileSphere(const v1::SphereVolume& message,
                           const MessageChecker& checker) {
  return {.centre = checker.Vector("centre", message.centre()),
          .radius_m = Size("radius", message.radius(), checker)};
}

OrientedBoxVolume CompileBox(const v1::BoxVolume& message,
                             const MessageChecker& checker) {
  const v1::Vector3& half = message.half_extents();
  const MessageChecker sizes = checker.In(half, "half_extents");
  Size("x", half.x(), sizes);
  Size("y", half.y(), sizes);
  Size("z", half.z(), sizes);
  return {.centre = checker.Vector("centre", message.centre()),
          .rotation =
              checker.Rotation("rotation_degrees", message.rotation_degrees()),
          .half_extents_m = {half.x(), half.y(), half.z()}};
}

ConvexPrismVolume CompilePrism(const v1::PrismVolume& message,
                               const MessageChecker& checker) {
  ConvexPrismVolume prism{
      .bottom_m = Coordinate("bottom", message.bottom(), checker),
      .top_m = Coordinate("top", message.top(), checker)};
  if (!(prism.top_m - prism.bottom_m >= kVolumeSizeMinM)) {
    checker.Problem("top", fmt::format("{} is not above the bottom, {}",
                                       prism.top_m, prism.bottom_m));
  }
  for (const v1::Vector2& corner : message.corners()) {
    prism.corners.push_back({.x = corner.x(), .z = corner.y()});
  }
  if (!CheckPoints("corners", message.corners(), kVolumeCoordinateMaxM,
                   checker)) {
    return prism;
  }
  // What is left to be wrong is the polygon.
  const absl::Status status = ValidateVolume(ConvexPrismVolume{
      .corners = prism.corners, .bottom_m = 0.0, .top_m = 1.0});
  if (!status.ok()) {
    checker.Problem("corners", std::string(status.message()));
  }
  return prism;
}

}  // namespace

Volume CompileVolume(const v1::Volume& message, const MessageChecker& checker) {
  switch (message.kind_case()) {
    case v1::Volume::kSphere:
      return CompileSphere(message.sphere(),
                           checker.In(message.sphere(), "sphere"));
    case v1::Volume::kBox:
      return CompileBox(message.box(), checker.In(message.box(), "box"));
    case v1::Volume::kPrism:
      return CompilePrism(message.prism(),
                          checker.In(message.prism(), "prism"));
    case v1::Volume::KIND_NOT_SET:
      break;
  }
  checker.Problem("sphere", "one of sphere, box, prism is needed");
  return SphereVolume{.centre = {}, .radius_m = 1.0};
}

}  // namespace reprise::sim

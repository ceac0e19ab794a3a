// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/scene_renderer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/math.h"

namespace reprise::replays {
namespace {

using Kind = sim::FrameShape::Kind;
using sim::Vector3;

// The sky's colour behind everything: it is in no shadow.
constexpr ShownColour kBackground = {0.80, 0.85, 0.90};

// What is thinner isn't seen: its normals, divided by it, would leave doubles
// long before it is 0, and a few atoms are this thick.
constexpr double kThinnestM = 1e-9;

// Into how many what the sun sees is parted, to be drawn in their order.
constexpr double kDepthSteps = 65535;

// Nothing of what is this far away is seen at all.
bool IsOutOfSight(const Projection& projection, const Vector3& middle,
                  double reach) {
  const CameraLens& lens = projection.camera().lens;
  if (middle.z + reach < lens.near_m || middle.z - reach > lens.far_m) {
    return true;
  }
  const double wide = 0.5 * projection.width() / projection.scale();
  const double high = 0.5 * projection.height() / projection.scale();
  if (!projection.is_perspective()) {
    return sim::Abs(middle.x) - reach > wide ||
           sim::Abs(middle.y) - reach > high;
  }
  // Distances from the planes through the eye.
  return sim::Abs(middle.x) - wide * middle.z >
             reach * sim::Sqrt(1 + wide * wide) ||
         sim::Abs(middle.y) - high * middle.z >
             reach * sim::Sqrt(1 + high * high);
}

Vector3 ToViewDirection(const CameraView& view, const Vector3& way) {
  return {-sim::Dot(way, view.left), sim::Dot(way, view.up),
          sim::Dot(way, view.forward)};
}

Vector3 Widened(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

}  // namespace

struct SceneRenderer::SeenAxes {
  Vector3 origin;
  Vector3 x;
  Vector3 y;
  Vector3 z;

  Vector3 Turned(const Vector3& v) const { return x * v.x + y * v.y + z * v.z; }
};

SceneRenderer::SceneRenderer(std::span<const sim::FrameMesh> meshes,
                             const RenderOptions& options)
    : meshes_(meshes),
      options_(options),
      geometries_(meshes),
      raster_(options.width, options.height, options.samples),
      picture_(options.width, options.height) {}

const SceneRenderer::Model& SceneRenderer::ModelOf(uint32_t index,
                                                   const ShownObject& object) {
  const auto [known, is_new] = models_.try_emplace(index);
  Model& model = known->second;
  if (!is_new) return model;
  model.colour = LightOf(ColourOfType(object.type));
  for (const sim::FrameShape& shape : object.shapes) AddParts(shape, model);
  return model;
}

// A capsule is a tube with a ball at each end.
void SceneRenderer::AddParts(const sim::FrameShape& shape, Model& model) {
  const auto ball = [&](double y) {
    const Vector3 end = sim::Rotate(shape.rotation, Vector3{0, y, 0});
    const double radius = shape.size.x;
    if (radius < kThinnestM) return;
    model.parts.push_back({.placed = {.position = shape.position + end,
                                      .rotation = shape.rotation},
                           .radius = radius,
                           .reach_m = radius});
  };
  if (shape.kind == Kind::kSphere) {
    ball(0);
    return;
  }
  sim::FrameShape solid = shape;
  if (shape.kind == Kind::kCapsule) {
    ball(shape.size.y);
    ball(-shape.size.y);
    solid.kind = Kind::kCylinder;
  }
  const std::optional<ShapeReach> reach = ReachOf(solid, meshes_);
  const bool is_surface =
      shape.kind == Kind::kPlane || shape.kind == Kind::kMesh;
  model.parts.push_back(
      {.placed = geometries_.Place(solid),
       .reach_m = reach ? sim::Length(reach->middle) + sim::Length(reach->half)
                        : 2 * kPlaneReachM,
       .sides = is_surface ? RasterSides::kBoth : RasterSides::kFront,
       .is_ground = IsGround(shape)});
}

void SceneRenderer::DrawPart(const Part& part, const Light& colour,
                             const ShownPose& pose, const Pass& pass) {
  const Projection& projection = pass.raster.projection();
  const CameraView& view = projection.camera().view;
  const Vector3 world =
      pose.position + sim::Rotate(pose.rotation, part.placed.position);
  SeenAxes axes = {.origin = projection.ToView(world)};
  if (IsOutOfSight(projection, axes.origin, part.reach_m)) return;
  const sim::Quaternion turn = pose.rotation * part.placed.rotation;
  axes.x = ToViewDirection(view, sim::Rotate(turn, Vector3{1, 0, 0}));
  axes.y = ToViewDirection(view, sim::Rotate(turn, Vector3{0, 1, 0}));
  axes.z = ToViewDirection(view, sim::Rotate(turn, Vector3{0, 0, 1}));
  if (part.radius == 0) {
    DrawGeometry(part, colour, axes, pass);
    return;
  }
  if (!pass.is_shaded) {
    const Vector3 reach = {part.radius, part.radius, part.radius};
    if (pass.raster.IsHidden(axes.origin - reach, axes.origin + reach)) return;
    pass.raster.DrawBall(axes.origin, part.radius,
                         [](const Vector3&) { return PackedShade{0}; });
    return;
  }
  const Vector3 to_eye = projection.is_perspective()
                             ? sim::Normalized(-axes.origin)
                             : pass.light_to_eye;
  const Vector3 halfway = HalfwayOf(to_eye, pass.lamp);
  const Light dark = colour * 0.72;
  pass.raster.DrawBall(axes.origin, part.radius, [&](const Vector3& normal) {
    // Eighths in turn a little darker, so that one sees it roll.
    const bool is_dark =
        (sim::Dot(normal, axes.x) > 0) !=
        ((sim::Dot(normal, axes.y) > 0) != (sim::Dot(normal, axes.z) > 0));
    Shade shade = ShadeOf(is_dark ? dark : colour, normal, pass.lamp);
    AddHighlight(normal, halfway, shade);
    return Pack(shade, false);
  });
}

void SceneRenderer::DrawGeometry(const Part& part, const Light& colour,
                                 const SeenAxes& axes, const Pass& pass) {
  const ShapeGeometry& geometry =
      geometries_.geometries()[part.placed.geometry];
  const Vector3& scale = part.placed.scale;
  if (scale.x < kThinnestM || scale.y < kThinnestM || scale.z < kThinnestM) {
    return;
  }
  const SeenAxes places = {axes.origin, axes.x * scale.x, axes.y * scale.y,
                           axes.z * scale.z};
  if (!pass.is_shaded) {
    DrawDepths(geometry, places, part.sides, pass.raster);
    return;
  }
  const SeenAxes normals = {
      {}, axes.x / scale.x, axes.y / scale.y, axes.z / scale.z};
  const bool is_perspective = pass.raster.projection().is_perspective();
  std::array<RasterCorner, 3> corners;
  for (size_t first = 0; first < geometry.positions.size(); first += 3) {
    for (size_t i = 0; i < 3; ++i) {
      corners[i].view =
          axes.origin + places.Turned(Widened(geometry.positions[first + i]));
    }
    // What is seen from behind isn't shaded, where that isn't seen.
    const Vector3 facing = sim::Cross(corners[1].view - corners[0].view,
                                      corners[2].view - corners[0].view);
    // A view has its third axis forward, which turns products around.
    const double side =
        is_perspective ? sim::Dot(facing, corners[0].view) : facing.z;
    if (side <= 0 && part.sides == RasterSides::kFront) continue;
    const double turned = side <= 0 ? -1 : 1;
    const bool is_flat =
        geometry.normals[first] == geometry.normals[first + 1] &&
        geometry.normals[first] == geometry.normals[first + 2];
    for (size_t i = 0; i < 3; ++i) {
      if (is_flat && i > 0) {
        corners[i].shade = corners[0].shade;
        continue;
      }
      const Vector3 normal = sim::Normalized(
          normals.Turned(Widened(geometry.normals[first + i])) * turned);
      if (is_flat) {
        corners[i].shade = ShadeOf(colour, normal, pass.lamp);
        continue;
      }
      const Vector3 to_eye = is_perspective ? sim::Normalized(-corners[i].view)
                                            : pass.light_to_eye;
      corners[i].shade = ShadeOf(colour, normal, to_eye, pass.lamp);
    }
    pass.raster.DrawTriangle(corners, part.sides, part.is_ground);
  }
}

void SceneRenderer::DrawDepths(const ShapeGeometry& geometry,
                               const SeenAxes& places, RasterSides sides,
                               Rasterizer& raster) {
  if (geometry.positions.empty()) return;
  corners_.clear();
  for (const std::array<float, 3>& position : geometry.positions) {
    corners_.push_back(places.origin + places.Turned(Widened(position)));
  }
  Vector3 least = corners_[0];
  Vector3 most = corners_[0];
  for (const Vector3& corner : corners_) {
    least = {std::min(least.x, corner.x), std::min(least.y, corner.y),
             std::min(least.z, corner.z)};
    most = {std::max(most.x, corner.x), std::max(most.y, corner.y),
            std::max(most.z, corner.z)};
  }
  if (raster.IsHidden(least, most)) return;
  for (size_t i = 0; i < corners_.size(); i += 3) {
    raster.DrawTriangle(
        {RasterCorner{corners_[i]}, {corners_[i + 1]}, {corners_[i + 2]}},
        sides);
  }
}

void SceneRenderer::DrawObject(const DrawnFrame& drawn, const ShownPose& pose,
                               const Pass& pass) {
  if (std::ranges::binary_search(drawn.outlined, pose.object)) return;
  const Model& model = ModelOf(pose.object, drawn.objects[pose.object]);
  for (const Part& part : model.parts) {
    // The ground throws no shadow on what is.
    if (!pass.is_shaded && part.is_ground) continue;
    DrawPart(part, model.colour, pose, pass);
  }
}

// What is nearest to the sun comes first: what lies behind it is then left
// early. Depths are the same in any order.
void SceneRenderer::DrawShadows(const DrawnFrame& drawn) {
  shadows_.Begin(BoundsOf(drawn.frame, drawn.objects, meshes_));
  const Projection& projection = shadows_.raster().projection();
  const double scale = kDepthSteps / projection.camera().lens.far_m;
  const std::vector<ShownPose>& poses = drawn.frame.poses;
  from_sun_.clear();
  for (size_t i = 0; i < poses.size(); ++i) {
    const double depth = projection.ToView(poses[i].position).z * scale;
    uint64_t step = 0;  // of no number, too
    if (depth > 0) step = static_cast<uint64_t>(std::min(depth, kDepthSteps));
    from_sun_.push_back(step << 32 | i);
  }
  std::ranges::sort(from_sun_);
  const Pass pass = {.raster = shadows_.raster(), .is_shaded = false};
  for (const uint64_t one : from_sun_) {
    DrawObject(drawn, poses[static_cast<uint32_t>(one)], pass);
  }
}

const Picture& SceneRenderer::Draw(const DrawnFrame& drawn,
                                   const Camera& camera) {
  const Projection projection(camera, options_.width, options_.height);
  raster_.Begin(projection, Pack({LightOf(kBackground), 1}, false));
  const Lamp lamp = WorldLamp();
  const Pass pass = {.raster = raster_,
                     .lamp = {ToViewDirection(camera.view, lamp.sun),
                              ToViewDirection(camera.view, lamp.up)},
                     .light_to_eye = {0, 0, -1}};
  for (const ShownPose& pose : drawn.frame.poses) {
    DrawObject(drawn, pose, pass);
  }
  for (const DrawnLine& line : drawn.lines) {
    raster_.DrawLine(projection.ToView(line.start), projection.ToView(line.end),
                     line.width_px, Pack({LightOf(line.colour), 1}, false));
  }
  if (options_.has_shadows) DrawShadows(drawn);
  resolver_.Resolve(raster_, options_.has_shadows ? &shadows_ : nullptr,
                    picture_);
  return picture_;
}

}  // namespace reprise::replays

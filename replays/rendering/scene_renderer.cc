// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/scene_renderer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "replays/rendering/sample_places.h"
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

// Where lines a metre apart are, from 0 to 1, smoothed over `width` metres.
double LineAt(double place, double width) {
  const double apart = sim::Abs(place - sim::Floor(place + 0.5));
  return std::clamp((0.012 - apart) / width + 0.5, 0.0, 1.0);
}

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
      picture_(options.width, options.height) {
  // The flatter the sun shines on something, the further apart neighbours on
  // the map are in depth. How flat it is follows from what shadow leaves of it.
  for (size_t i = 0; i < slack_.size(); ++i) {
    const double left = static_cast<double>(i) / 127.0;
    const double facing =
        std::clamp(0.35 * (1.0 - left) / std::max(left, 0.01), 0.1, 1.0);
    const double slope = sim::Sqrt(1.0 / (facing * facing) - 1.0);
    slack_[i] = 0.6 + 1.5 * slope;
  }
}

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
    pass.raster.DrawBall(axes.origin, part.radius,
                         [](const Vector3&) { return PackedShade{0}; });
    return;
  }
  const Vector3 to_eye = projection.is_perspective()
                             ? sim::Normalized(-axes.origin)
                             : pass.light_to_eye;
  pass.raster.DrawBall(axes.origin, part.radius, [&](const Vector3& normal) {
    // Eighths in turn a little darker, so that one sees it roll.
    const bool is_dark =
        (sim::Dot(normal, axes.x) > 0) !=
        ((sim::Dot(normal, axes.y) > 0) != (sim::Dot(normal, axes.z) > 0));
    return Pack(
        ShadeOf(is_dark ? colour * 0.72 : colour, normal, to_eye, pass.lamp),
        false);
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
  const SeenAxes normals = {
      {}, axes.x / scale.x, axes.y / scale.y, axes.z / scale.z};
  const bool is_perspective = pass.raster.projection().is_perspective();
  const auto widen = [](const std::array<float, 3>& v) {
    return Vector3{v[0], v[1], v[2]};
  };
  std::array<RasterCorner, 3> corners;
  for (size_t first = 0; first < geometry.positions.size(); first += 3) {
    for (size_t i = 0; i < 3; ++i) {
      corners[i].view =
          axes.origin + places.Turned(widen(geometry.positions[first + i]));
    }
    if (!pass.is_shaded) {
      pass.raster.DrawTriangle(corners, part.sides);
      continue;
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
          normals.Turned(widen(geometry.normals[first + i])) * turned);
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

void SceneRenderer::DrawObjects(const DrawnFrame& drawn, const Pass& pass) {
  for (const ShownPose& pose : drawn.frame.poses) {
    if (std::ranges::binary_search(drawn.outlined, pose.object)) continue;
    const Model& model = ModelOf(pose.object, drawn.objects[pose.object]);
    for (const Part& part : model.parts) {
      // The ground throws no shadow on what is.
      if (!pass.is_shaded && part.is_ground) continue;
      DrawPart(part, model.colour, pose, pass);
    }
  }
}

const Picture& SceneRenderer::Draw(const DrawnFrame& drawn,
                                   const Camera& camera) {
  const Projection projection(camera, options_.width, options_.height);
  raster_.Begin(projection, Pack({LightOf(kBackground), 1}, false));
  const Lamp lamp = WorldLamp();
  DrawObjects(drawn, {.raster = raster_,
                      .lamp = {ToViewDirection(camera.view, lamp.sun),
                               ToViewDirection(camera.view, lamp.up)},
                      .light_to_eye = {0, 0, -1}});
  for (const DrawnLine& line : drawn.lines) {
    raster_.DrawLine(projection.ToView(line.start), projection.ToView(line.end),
                     line.width_px, Pack({LightOf(line.colour), 1}, false));
  }
  if (options_.has_shadows) {
    shadows_.Begin(BoundsOf(drawn.frame, drawn.objects, meshes_));
    DrawObjects(drawn, {.raster = shadows_.raster(), .is_shaded = false});
  }
  Resolve();
  return picture_;
}

void SceneRenderer::Resolve() {
  const Projection& projection = raster_.projection();
  const CameraView& view = projection.camera().view;
  const double metres = 1.0 / projection.scale();
  const Vector3 corner = view.left * (0.5 * options_.width * metres) +
                         view.up * (0.5 * options_.height * metres);
  const Vector3 right = view.left * -metres;
  const Vector3 down = view.up * -metres;
  const bool is_perspective = projection.is_perspective();
  if (is_perspective) {
    to_world_ = {view.eye, corner + view.forward, right, down};
  } else {
    to_world_ = {view.forward, view.eye + corner, right, down};
  }
  if (options_.has_shadows) {
    to_sun_.right = shadows_.WayOf(right);
    to_sun_.down = shadows_.WayOf(down);
    if (is_perspective) {
      to_sun_.start = shadows_.PlaceOf(to_world_.start);
      to_sun_.corner = shadows_.WayOf(to_world_.corner);
    } else {
      to_sun_.start = shadows_.WayOf(to_world_.start);
      to_sun_.corner = shadows_.PlaceOf(to_world_.corner);
    }
  }
  size_t first_sample = 0;
  for (uint32_t y = 0; y < options_.height; ++y) {
    for (uint32_t x = 0; x < options_.width; ++x) {
      picture_.Set(x, y, PixelAt(first_sample, x, y));
      first_sample += raster_.samples();
    }
  }
}

// One look where all samples are of one thing.
PixelColour SceneRenderer::PixelAt(size_t first_sample, uint32_t x,
                                   uint32_t y) const {
  const size_t count = raster_.samples();
  const PackedShade* const shades = raster_.shades().data() + first_sample;
  bool is_even = true;
  for (size_t i = 1; i < count; ++i) is_even &= shades[i] == shades[0];
  const std::span<const SamplePlace> places = raster_.places();
  if (is_even) {
    if (!IsLightChanged(first_sample)) return PixelOf(shades[0]);
    return tables_.ToPixel(
        LightOfSample(first_sample, x + places[0].x, y + places[0].y));
  }
  Light sum;
  for (size_t i = 0; i < count; ++i) {
    sum =
        sum + LightOfSample(first_sample + i, x + places[i].x, y + places[i].y);
  }
  return tables_.ToPixel(sum / static_cast<double>(count));
}

// Whether a sample may send anything else than what was packed.
bool SceneRenderer::IsLightChanged(size_t sample) const {
  const PackedShade shade = raster_.shades()[sample];
  const bool may_be_in_shadow = options_.has_shadows && LeftInShadow(shade) < 1;
  return (may_be_in_shadow || IsGround(shade)) &&
         raster_.nearness()[sample] > raster_.nothing();
}

Light SceneRenderer::LightOfSample(size_t sample, double x, double y) const {
  const PackedShade shade = raster_.shades()[sample];
  const float nearness = raster_.nearness()[sample];
  Light light = tables_.LitOf(shade);
  if (nearness <= raster_.nothing()) return light;
  const bool is_perspective = raster_.projection().is_perspective();
  const double left = LeftInShadow(shade);
  if (options_.has_shadows && left < 1) {
    const double sun = shadows_.LightAt(
        to_sun_.At(x, y, nearness, is_perspective), slack_[shade >> 25]);
    light = light * (left + (1 - left) * sun);
  }
  if (!IsGround(shade)) return light;
  const Vector3 point = to_world_.At(x, y, nearness, is_perspective);
  const Vector3 way = point - raster_.projection().camera().view.eye;
  // How many metres of the ground a pixel shows, along it.
  double width = 1.0 / raster_.projection().scale();
  if (is_perspective) {
    const double steep = std::max(0.02, sim::Abs(way.y)) / sim::Length(way);
    width = width / nearness / steep;
  }
  const double line = std::max(LineAt(point.x, width), LineAt(point.z, width));
  const double shown = std::clamp(1.2 - 2 * width, 0.0, 1.0);
  return light * (1 - 0.35 * line * shown);
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Draws frames of a run: solids in one sun that throws shadows, in the colours
// of their types. The picture follows from frame, camera and options alone, and
// has the same bits wherever it is made.

#ifndef REPRISE_REPLAYS_RENDERING_SCENE_RENDERER_H_
#define REPRISE_REPLAYS_RENDERING_SCENE_RENDERER_H_

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "replays/rendering/picture.h"
#include "replays/rendering/pixel_resolver.h"
#include "replays/rendering/projection.h"
#include "replays/rendering/rasterizer.h"
#include "replays/rendering/scene_bounds.h"
#include "replays/rendering/shading.h"
#include "replays/rendering/shadow_map.h"
#include "replays/showing/shape_models.h"
#include "replays/showing/shown_scene.h"
#include "sim/frame.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

struct RenderOptions {
  uint32_t width = 640;
  uint32_t height = 360;
  uint32_t samples = 4;  // a pixel: 1, 4 or 16
  bool has_shadows = true;
};

// What is drawn at a tick.
struct DrawnFrame {
  const ShownFrame& frame;
  std::span<const ShownObject> objects;  // those of the stream, all so far
  std::span<const DrawnLine> lines;
  // Objects that are drawn by lines alone, ascending.
  std::span<const uint32_t> outlined = {};
};

// Used by one thread at a time.
class SceneRenderer {
 public:
  // `meshes`, which shapes refer to, must remain live. REQUIRES: the options
  // are of sizes and samples that there are.
  SceneRenderer(std::span<const sim::FrameMesh> meshes,
                const RenderOptions& options);

  const Picture& Draw(const DrawnFrame& drawn, const Camera& camera);

 private:
  // A geometry or a ball of an object, ready to be placed.
  struct Part {
    PlacedGeometry placed;
    double radius = 0;   // of a ball, which has no geometry
    double reach_m = 0;  // of all of it, around where it is placed
    RasterSides sides = RasterSides::kFront;
    bool is_ground = false;
  };
  struct Model {
    Light colour;
    std::vector<Part> parts;
  };
  // Where what is drawn stands, as a camera sees it, and its light.
  struct Pass {
    Rasterizer& raster;
    Lamp lamp;
    sim::Vector3 light_to_eye;  // of a camera without perspective
    bool is_shaded = true;
  };
  // The axes of something turned, as a camera sees them.
  struct SeenAxes;

  const Model& ModelOf(uint32_t index, const ShownObject& object);
  void AddParts(const sim::FrameShape& shape, Model& model);
  void DrawObject(const DrawnFrame& drawn, const ShownPose& pose,
                  const Pass& pass);
  void DrawShadows(const DrawnFrame& drawn);
  void DrawPart(const Part& part, const Light& colour, const ShownPose& pose,
                const Pass& pass);
  void DrawGeometry(const Part& part, const Light& colour, const SeenAxes& axes,
                    const Pass& pass);
  void DrawDepths(const ShapeGeometry& geometry, const SeenAxes& places,
                  RasterSides sides, Rasterizer& raster);

  const std::span<const sim::FrameMesh> meshes_;
  const RenderOptions options_;
  ShapeModels geometries_;
  std::map<uint32_t, Model> models_;
  Rasterizer raster_;
  ShadowMap shadows_;
  // By the distance from the sun, then by where in the frame it is: that.
  std::vector<uint64_t> from_sun_;
  std::vector<sim::Vector3> corners_;  // of one geometry, as the sun sees them
  PixelResolver resolver_;
  Picture picture_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_SCENE_RENDERER_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/foreign_frame.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/math.h"
#include "sim/plugins/foreign_call.h"
#include "sim/plugins/plugin_text.h"

namespace reprise::sim {
namespace {

bool IsFinite(std::span<const double> numbers) {
  return std::ranges::all_of(
      numbers, [](double number) { return sim::IsFinite(number); });
}

Vector3 VectorOf(std::span<const double, 3> numbers) {
  return {.x = numbers[0], .y = numbers[1], .z = numbers[2]};
}

Quaternion RotationOf(std::span<const double, 4> numbers) {
  return {.x = numbers[0], .y = numbers[1], .z = numbers[2], .w = numbers[3]};
}

// The objects of a frame as they come. One without a name that can be is shown
// by its number; those that are nowhere are left out.
struct FrameSink {
  Frame frame;

  static void Add(void* sink, const reprise_frame_object* object) {
    if (sink == nullptr || object == nullptr) return;
    std::vector<FrameObject>& objects =
        static_cast<FrameSink*>(sink)->frame.objects;
    const ObjectId id{object->object};
    if (!objects.empty() && objects.back().object >= id) return;
    if (!IsFinite(object->position) || !IsFinite(object->rotation)) return;
    const absl::Status named = CheckName(object->name);
    const absl::Status typed = CheckName(object->type);
    FrameObject result = {
        .object = id,
        .name = named.ok() ? object->name : NamelessObject(id, named),
        .type = typed.ok() ? object->type : "unknown",
        .position = VectorOf(object->position),
        .rotation = RotationOf(object->rotation),
        .shapes = {}};
    const auto shapes = ReadList<reprise_shape>(object->shapes);
    if (!shapes.ok()) return;
    for (const reprise_shape& shape : *shapes) {
      if (shape.kind > REPRISE_PLANE || !IsFinite(shape.position) ||
          !IsFinite(shape.rotation) || !IsFinite(shape.size)) {
        continue;
      }
      result.shapes.push_back(
          {.kind = static_cast<FrameShape::Kind>(shape.kind),
           .position = VectorOf(shape.position),
           .rotation = RotationOf(shape.rotation),
           .size = VectorOf(shape.size)});
    }
    objects.push_back(std::move(result));
  }
};

}  // namespace

Frame TakeForeignFrame(const reprise_plugin& calls,
                       const reprise_simulation* foreign, Tick tick) {
  FrameSink sink;
  sink.frame.tick = tick;
  if (calls.frame == nullptr) return std::move(sink.frame);
  const reprise_frame_arguments arguments = {
      .struct_size = sizeof(arguments), .add = &FrameSink::Add, .sink = &sink};
  const ForeignFloatControl float_control;
  // What was drawn until then is there to see; a step tells of it, too.
  CallForeign("frame", [&] { calls.frame(foreign, &arguments); }).IgnoreError();
  return std::move(sink.frame);
}

}  // namespace reprise::sim

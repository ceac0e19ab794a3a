// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/foreign_frame.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/plugins/foreign_call.h"
#include "sim/plugins/plugin_text.h"
#include "sim/plugins/shown_items.h"

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
struct ObjectSink {
  Frame frame;
  absl::Status wrong;  // the first thing that can't be drawn

  static void Add(void* sink, const reprise_frame_object* given) {
    if (sink == nullptr || given == nullptr) return;
    const OwnCodeScope own;
    ObjectSink& self = *static_cast<ObjectSink*>(sink);
    std::vector<FrameObject>& objects = self.frame.objects;
    const auto object = ReadStruct(given, "reprise_frame_object");
    if (!object.ok()) return self.wrong.Update(object.status());
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

  static void Ignore(void* /*sink*/, const reprise_picture* /*given*/) {}

  // What can't be drawn is there to see by its name, behind all that can. Of
  // which object it is isn't known.
  void AddWrong() {
    const uint64_t last =
        frame.objects.empty() ? 0 : frame.objects.back().object.serial;
    if (wrong.ok() || last == std::numeric_limits<uint64_t>::max()) return;
    const ObjectId next{last + 1};
    frame.objects.push_back({.object = next,
                             .name = NamelessObject(next, wrong),
                             .type = "unknown",
                             .position = {},
                             .rotation = {},
                             .shapes = {}});
  }
};

struct PictureSink {
  std::optional<FramePicture> picture;  // the last one
  absl::Status wrong;                   // the first one that can't be

  static void Show(void* sink, const reprise_picture* given) {
    if (sink == nullptr || given == nullptr) return;
    const OwnCodeScope own;
    PictureSink& self = *static_cast<PictureSink*>(sink);
    const auto picture = ReadStruct(given, "reprise_picture");
    if (!picture.ok()) return self.wrong.Update(picture.status());
    constexpr uint32_t kSizeMax = FramePicture::kSizeMax;
    const auto is_size = [](uint32_t pixels) {
      return pixels >= 1 && pixels <= kSizeMax;
    };
    if (picture->pixels == nullptr || !is_size(picture->width) ||
        !is_size(picture->height)) {
      return self.wrong.Update(absl::InvalidArgumentError(fmt::format(
          "a picture of {} by {} pixels{} can't be: at most {} by {}",
          picture->width, picture->height,
          picture->pixels == nullptr ? " at null" : "", kSizeMax, kSizeMax)));
    }
    const size_t bytes = size_t{3} * picture->width * picture->height;
    self.picture =
        FramePicture{.width = picture->width,
                     .height = picture->height,
                     .pixels = {picture->pixels, picture->pixels + bytes}};
  }

  static void Ignore(void* /*sink*/, const reprise_frame_object* /*given*/) {}
};

absl::Status CallFrame(const reprise_plugin& calls,
                       const reprise_simulation* foreign,
                       const reprise_frame_arguments& given) {
  const ShownStruct<reprise_frame_arguments> arguments(given);
  const ForeignFloatControl float_control;
  absl::Status status =
      CallForeign("frame", [&] { calls.frame(foreign, arguments.get()); });
  if (!status.ok()) return status;
  return At("frame", arguments.Check("reprise_frame_arguments"));
}

}  // namespace

ForeignFrame TakeForeignFrame(const reprise_plugin& calls,
                              const reprise_simulation* foreign, Tick tick) {
  ObjectSink sink;
  sink.frame.tick = tick;
  if (calls.frame == nullptr)
    return {.frame = std::move(sink.frame), .status = {}};
  absl::Status status =
      CallFrame(calls, foreign,
                {.struct_size = sizeof(reprise_frame_arguments),
                 .add = &ObjectSink::Add,
                 .sink = &sink,
                 .show = &ObjectSink::Ignore,
                 .wants_objects = 1,
                 .wants_picture = 0});
  // What was drawn until then is there to see.
  sink.AddWrong();
  return {.frame = std::move(sink.frame), .status = std::move(status)};
}

absl::StatusOr<std::optional<FramePicture>> TakeForeignPicture(
    const reprise_plugin& calls, const reprise_simulation* foreign) {
  if (calls.frame == nullptr) return std::nullopt;
  PictureSink sink;
  const absl::Status status =
      CallFrame(calls, foreign,
                {.struct_size = sizeof(reprise_frame_arguments),
                 .add = &PictureSink::Ignore,
                 .sink = &sink,
                 .show = &PictureSink::Show,
                 .wants_objects = 0,
                 .wants_picture = 1});
  if (!status.ok()) return status;
  if (!sink.wrong.ok()) return At("frame", sink.wrong);
  return std::move(sink.picture);
}

}  // namespace reprise::sim

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/formats/json_lines_export.h"

#include <cstddef>

#include "fmt/format.h"
#include "google/protobuf/util/json_util.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/frame.pb.h"
#include "sim/base/digest.h"

namespace reprise::replays {
namespace {

void SetSource(const ShownSource& source, v1::FrameSource& message) {
  message.set_replay_digest(sim::FormatDigest(source.replay_digest));
  message.set_simulation(source.simulation);
  message.set_pack(source.pack);
  message.set_pack_digest(sim::FormatDigest(source.pack_digest));
  message.set_is_recorded_pack(source.is_recorded_pack);
  message.set_seed(source.seed);
  message.set_tick_rate(source.tick_rate.ticks_per_second);
}

}  // namespace

absl::StatusOr<std::string> JsonLinesExport::FormatFrame() {
  const ShownFrame& shown = stream_.frame();
  sim::Frame frame = {.tick = shown.tick, .objects = {}};
  for (const auto& [index, position, rotation] : shown.poses) {
    const ShownObject& object = stream_.objects()[index];
    const bool is_new = index >= stream_.first_new_object();
    frame.objects.push_back(
        {object.object, object.name, object.type, position, rotation,
         is_new ? object.shapes : std::vector<sim::FrameShape>{}});
  }
  v1::Frame message = ToProto(frame, stream_.source().tick_rate);
  for (size_t i = 0; i < shown.poses.size(); ++i) {
    const bool is_new = shown.poses[i].object >= stream_.first_new_object();
    message.mutable_objects(static_cast<int>(i))->set_has_same_shapes(!is_new);
  }
  message.set_time_ns(TimeNsOf(shown, stream_.source().tick_rate));
  message.set_state_digest(sim::FormatDigest(shown.state));
  if (frame_count_++ == 0) {
    AddMeshes(stream_.meshes(), message);
    SetSource(stream_.source(), *message.mutable_source());
  }
  // Zeros are written out: readers need no schema to know that they are there.
  google::protobuf::util::JsonPrintOptions print_options;
  print_options.preserve_proto_field_names = true;
  print_options.always_print_primitive_fields = true;
  std::string json;
  const auto status = google::protobuf::util::MessageToJsonString(
      message, &json, print_options);
  if (!status.ok()) {
    return absl::InternalError(fmt::format("frame of tick {}: {}", shown.tick,
                                           std::string(status.message())));
  }
  return json;
}

}  // namespace reprise::replays

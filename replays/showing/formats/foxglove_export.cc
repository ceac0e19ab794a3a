// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/formats/foxglove_export.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <variant>

#include "fmt/format.h"
#include "replays/showing/formats/foxglove_lines.h"
#include "replays/showing/source_json.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/expression/value.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/state/field_value.h"

namespace reprise::replays {
namespace {

using Json = nlohmann::json;
using Kind = sim::FrameShape::Kind;

// Values of Foxglove's enumerations.
constexpr int kDeleteAll = 1;
constexpr int kLogInfo = 2;

constexpr char kSceneSchema[] = "foxglove.SceneUpdate";
constexpr char kTransformsSchema[] = "foxglove.FrameTransforms";

// What a transform takes beside its frame: seven numbers of 24 characters, a
// time and words.
constexpr uint64_t kTransformBytes = 400;
// By how much two times of an entity may grow.
constexpr uint64_t kTimesBytes = 64;

constexpr std::string_view kWorldFrame = "world";
constexpr std::string_view kRunFrame = "run";

// Quarter turns about x: y becomes z, and z becomes y.
constexpr double kHalfRoot = 0.70710678118654757;
constexpr sim::Quaternion kYToZ = {
    .x = kHalfRoot, .y = 0, .z = 0, .w = kHalfRoot};
constexpr sim::Quaternion kZToY = {
    .x = -kHalfRoot, .y = 0, .z = 0, .w = kHalfRoot};

Json Array() { return {{"type", "array"}, {"items", {{"type", "object"}}}}; }

Json Time() {
  return {{"type", "object"},
          {"title", "time"},
          {"properties",
           {{"sec", {{"type", "integer"}}}, {"nsec", {{"type", "integer"}}}}}};
}

// What viewers know by the name of a schema is not said again in full.
Json PropertiesOf(std::string_view schema) {
  const Json text = {{"type", "string"}};
  const Json integer = {{"type", "integer"}};
  const Json any = {{"type", {"number", "string", "boolean", "null"}}};
  if (schema == "foxglove.SceneUpdate") {
    return {{"deletions", Array()}, {"entities", Array()}};
  }
  if (schema == "foxglove.FrameTransforms") return {{"transforms", Array()}};
  if (schema == "foxglove.Log") {
    return {{"timestamp", Time()}, {"level", integer}, {"message", text},
            {"name", text},        {"file", text},     {"line", integer}};
  }
  if (schema == "reprise.ShownState") {
    return {{"tick", integer}, {"digest", text}};
  }
  if (schema == "reprise.ShownValue") return {{"value", any}};
  return {{"values",
           {{"type", "array"},
            {"items",
             {{"type", "object"},
              {"properties", {{"object", text}, {"value", any}}}}}}}};
}

Json ToJson(const sim::Vector3& v) {
  return {{"x", v.x}, {"y", v.y}, {"z", v.z}};
}

Json ToJson(const sim::Quaternion& q) {
  return {{"x", q.x}, {"y", q.y}, {"z", q.z}, {"w", q.w}};
}

Json PoseOf(const sim::Vector3& position, const sim::Quaternion& rotation) {
  return {{"position", ToJson(position)}, {"orientation", ToJson(rotation)}};
}

Json TimeOf(uint64_t time_ns) {
  return {{"sec", time_ns / 1'000'000'000}, {"nsec", time_ns % 1'000'000'000}};
}

// Numbers that JSON lacks are told as nothing.
Json ToJson(const sim::ExpressionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<double>(&value)) {
    return std::isfinite(*number) ? Json(*number) : Json(nullptr);
  }
  if (const auto* integer = std::get_if<sim::ExpressionInteger>(&value)) {
    return *integer < 0 ? Json(static_cast<int64_t>(*integer))
                        : Json(static_cast<uint64_t>(*integer));
  }
  return nullptr;
}

// A name may have any bytes.
std::string Dump(const Json& message) {
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

uint64_t DumpedSize(const Json& message) { return Dump(message).size(); }

// The frame of an object, and what it is called among the entities: the same
// however it looks.
std::string FrameOf(const ShownObject& object) {
  return fmt::format("{}#{}", object.name.empty() ? object.type : object.name,
                     object.object.serial);
}

bool HasSurface(const ShownObject& object) {
  return std::ranges::any_of(object.shapes, [](const sim::FrameShape& shape) {
    return shape.kind == Kind::kPlane || shape.kind == Kind::kHull ||
           shape.kind == Kind::kMesh;
  });
}

Json TransformOf(std::string_view parent, std::string_view child,
                 const sim::Vector3& position, const sim::Quaternion& rotation,
                 uint64_t time_ns) {
  return {{"timestamp", TimeOf(time_ns)},
          {"parent_frame_id", parent},
          {"child_frame_id", child},
          {"translation", ToJson(position)},
          {"rotation", ToJson(rotation)}};
}

std::string TextOf(const sim::Event& event, const sim::Simulation& simulation) {
  const sim::NameResolver names = sim::NamesOf(simulation);
  std::string text = names.id_name(event.type);
  if (event.object != sim::kNoObject) {
    text += " " + names.object_name(event.object);
  }
  for (const sim::EventArgument& argument : event.arguments) {
    text += fmt::format(" {}={}", names.id_name(argument.name),
                        sim::FormatFieldValue(argument.value, names));
  }
  return text;
}

}  // namespace

FoxgloveExport::FoxgloveExport(const FrameStream* stream,
                               std::unique_ptr<ShownExpressions> expressions)
    : stream_(*stream),
      expressions_(std::move(expressions)),
      models_(stream->meshes()) {}

absl::StatusOr<std::unique_ptr<FoxgloveExport>> FoxgloveExport::Create(
    const FrameStream* stream, const std::vector<std::string>& expressions,
    ByteSink* sink) {
  if (expressions.size() > kFieldsMax) {
    return absl::ResourceExhaustedError(fmt::format(
        "an mcap takes {} fields, not {}", kFieldsMax, expressions.size()));
  }
  absl::StatusOr<std::unique_ptr<ShownExpressions>> shown =
      ShownExpressions::Create(stream, expressions);
  if (!shown.ok()) return shown.status();
  std::unique_ptr<FoxgloveExport> made(
      new FoxgloveExport(stream, *std::move(shown)));
  const absl::Status status = made->Begin(sink);
  if (!status.ok()) return status;
  return made;
}

absl::Status FoxgloveExport::Begin(ByteSink* sink) {
  absl::StatusOr<std::unique_ptr<McapWriter>> writer =
      McapWriter::Create({.profile = "", .library = "reprise"}, sink);
  if (!writer.ok()) return writer.status();
  writer_ = *std::move(writer);
  McapMetadata metadata = {.name = "reprise.frames", .entries = {}};
  const Json source = DescribeSource(stream_.source());
  for (const auto& [key, value] : source.items()) {
    metadata.entries.emplace(
        key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  absl::Status status = writer_->AddMetadata(metadata);
  if (!status.ok()) return status;

  struct Topic {
    std::string name;
    std::string schema;
    uint16_t& channel;
  };
  fields_.resize(expressions_->size());
  uint16_t transforms = 0;
  uint16_t solids = 0;
  uint16_t surfaces = 0;
  std::vector<Topic> topics = {{"/tf", kTransformsSchema, transforms},
                               {"/scene", kSceneSchema, solids},
                               {"/scene/surfaces", kSceneSchema, surfaces},
                               {"/events", "foxglove.Log", events_},
                               {"/state", "reprise.ShownState", states_}};
  for (size_t i = 0; i < fields_.size(); ++i) {
    topics.push_back({"/fields/" + expressions_->text(i),
                      expressions_->IsOfObjects(i) ? "reprise.ShownValues"
                                                   : "reprise.ShownValue",
                      fields_[i]});
  }
  for (const Topic& topic : topics) {
    const absl::StatusOr<uint16_t> channel =
        AddChannel(topic.name, topic.schema);
    if (!channel.ok()) return channel.status();
    topic.channel = *channel;
  }
  transforms_.Begin("/tf", transforms);
  solids_.Begin("/scene", solids);
  surfaces_.Begin("/scene/surfaces", surfaces);
  return absl::OkStatus();
}

absl::StatusOr<uint16_t> FoxgloveExport::AddChannel(const std::string& topic,
                                                    const std::string& schema) {
  if (!schemas_.contains(schema)) {
    const std::string text = Json({{"title", schema},
                                   {"type", "object"},
                                   {"properties", PropertiesOf(schema)}})
                                 .dump();
    const absl::StatusOr<uint16_t> id = writer_->AddSchema(
        schema, "jsonschema", std::as_bytes(std::span(text)));
    if (!id.ok()) return id.status();
    schemas_.emplace(schema, *id);
  }
  return writer_->AddChannel(topic, "json", schemas_.at(schema));
}

absl::Status FoxgloveExport::Write(uint16_t channel, const Json& message,
                                   uint64_t time_ns) {
  const std::string text = Dump(message);
  return writer_->AddMessage(channel, time_ns, std::as_bytes(std::span(text)));
}

absl::Status FoxgloveExport::AddFrame() {
  absl::Status status = AddEvents();
  if (status.ok()) status = AddTransforms();
  if (status.ok()) status = AddScenes();
  if (status.ok()) status = AddFields();
  if (!status.ok()) return status;
  const ShownFrame& frame = stream_.frame();
  return Write(
      states_,
      {{"tick", frame.tick}, {"digest", sim::FormatDigest(frame.state)}},
      TimeNsOf(frame, stream_.source().tick_rate));
}

// What happened in a step is there from the state on that it led to.
absl::Status FoxgloveExport::AddEvents() {
  for (const sim::Event& event : stream_.frame().events) {
    const uint64_t time_ns =
        sim::LogTimeNs(event.tick + 1, stream_.source().tick_rate);
    const absl::Status status =
        Write(events_,
              {{"timestamp", TimeOf(time_ns)},
               {"level", kLogInfo},
               {"message", TextOf(event, stream_.simulation())},
               {"name", stream_.simulation().IdName(event.type)},
               {"file", ""},
               {"line", 0}},
              time_ns);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status FoxgloveExport::Share(
    const std::set<uint32_t>& there, std::string_view schema,
    const std::function<uint64_t(uint32_t object)>& bytes_of,
    SharedTopic& topic) {
  absl::Status status =
      topic.Update(there, bytes_of, [&](const std::string& name) {
        return AddChannel(name, std::string(schema));
      });
  if (!absl::IsResourceExhausted(status)) return status;
  return absl::ResourceExhaustedError(fmt::format(
      "{} objects at tick {} are more than the topics of a file take beside {} "
      "fields: fewer --fields make room, --objects chooses, and other formats "
      "have no such limit",
      there.size(), stream_.frame().tick, fields_.size()));
}

absl::Status FoxgloveExport::AddTransforms() {
  const ShownFrame& frame = stream_.frame();
  const uint64_t time_ns = TimeNsOf(frame, stream_.source().tick_rate);
  std::map<uint32_t, const ShownPose*> poses;
  std::set<uint32_t> there;
  for (const ShownPose& pose : frame.poses) {
    poses.emplace(pose.object, &pose);
    there.insert(pose.object);
  }
  const auto bytes_of = [&](uint32_t object) {
    return kTransformBytes + DumpedSize(FrameOf(stream_.objects()[object]));
  };
  absl::Status status = Share(there, kTransformsSchema, bytes_of, transforms_);
  if (!status.ok()) return status;
  bool is_first = true;
  for (const SharedTopic::Share& share : transforms_.shares()) {
    Json transforms = Json::array();
    if (std::exchange(is_first, false)) {
      transforms.push_back(
          TransformOf(kWorldFrame, kRunFrame, {}, kYToZ, time_ns));
    } else if (share.members.empty() && !share.has_changed) {
      continue;
    }
    for (const auto& [object, bytes] : share.members) {
      const ShownPose& pose = *poses.at(object);
      transforms.push_back(TransformOf(kRunFrame,
                                       FrameOf(stream_.objects()[object]),
                                       pose.position, pose.rotation, time_ns));
    }
    status =
        Write(share.channel, {{"transforms", std::move(transforms)}}, time_ns);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status FoxgloveExport::AddScenes() {
  std::set<uint32_t> solids;
  std::set<uint32_t> surfaces;
  for (const ShownPose& pose : stream_.frame().poses) {
    const bool has_surface = HasSurface(stream_.objects()[pose.object]);
    (has_surface ? surfaces : solids).insert(pose.object);
  }
  const absl::Status status = AddScene(solids, solids_);
  return status.ok() ? AddScene(surfaces, surfaces_) : status;
}

absl::Status FoxgloveExport::AddScene(const std::set<uint32_t>& there,
                                      SharedTopic& topic) {
  const uint64_t time_ns =
      TimeNsOf(stream_.frame(), stream_.source().tick_rate);
  const auto bytes_of = [&](uint32_t object) {
    return kTimesBytes + DumpedSize(EntityOf(stream_.objects()[object], 0));
  };
  absl::Status status = Share(there, kSceneSchema, bytes_of, topic);
  if (!status.ok()) return status;
  for (const SharedTopic::Share& share : topic.shares()) {
    if (!share.has_changed) continue;
    Json entities = Json::array();
    for (const auto& [object, bytes] : share.members) {
      entities.push_back(EntityOf(stream_.objects()[object], time_ns));
    }
    status = Write(
        share.channel,
        {{"deletions",
          {{{"timestamp", TimeOf(time_ns)}, {"type", kDeleteAll}, {"id", ""}}}},
         {"entities", std::move(entities)}},
        time_ns);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

Json FoxgloveExport::EntityOf(const ShownObject& object, uint64_t time_ns) {
  const ShownColour rgb = ColourOfType(object.type);
  const Json colour = {{"r", rgb[0]}, {"g", rgb[1]}, {"b", rgb[2]}, {"a", 1}};
  Json entity = {{"timestamp", TimeOf(time_ns)},
                 {"frame_id", FrameOf(object)},
                 {"id", FrameOf(object)},
                 {"lifetime", TimeOf(0)},
                 {"frame_locked", true},
                 {"metadata",
                  {{{"key", "name"}, {"value", object.name}},
                   {{"key", "type"}, {"value", object.type}}}}};
  for (const char* const kind : {"arrows", "cubes", "spheres", "cylinders",
                                 "lines", "triangles", "texts", "models"}) {
    entity[kind] = Json::array();
  }
  for (const sim::FrameShape& shape : object.shapes) {
    AddShape(shape, colour, entity);
  }
  return entity;
}

void FoxgloveExport::AddShape(const sim::FrameShape& shape, const Json& colour,
                              Json& entity) {
  switch (shape.kind) {
    case Kind::kSphere:
      entity["spheres"].push_back(
          {{"pose", PoseOf(shape.position, shape.rotation)},
           {"size", ToJson(sim::Vector3{2 * shape.size.x, 2 * shape.size.x,
                                        2 * shape.size.x})},
           {"color", colour}});
      return;
    case Kind::kBox:
      entity["cubes"].push_back(
          {{"pose", PoseOf(shape.position, shape.rotation)},
           {"size", ToJson(2.0 * shape.size)},
           {"color", colour}});
      return;
    case Kind::kCylinder:
    case Kind::kCone: {
      // Theirs stand along z, with their middle at the origin.
      const bool is_cone = shape.kind == Kind::kCone;
      const sim::Vector3 middle = {0, is_cone ? 0.5 * shape.size.y : 0, 0};
      entity["cylinders"].push_back(
          {{"pose", PoseOf(shape.position + sim::Rotate(shape.rotation, middle),
                           shape.rotation * kZToY)},
           {"size", ToJson(sim::Vector3{2 * shape.size.x, 2 * shape.size.x,
                                        2 * shape.size.y})},
           {"bottom_scale", 1},
           {"top_scale", is_cone ? 0 : 1},
           {"color", colour}});
      return;
    }
    case Kind::kCapsule:
    case Kind::kPlane:
    case Kind::kHull:
    case Kind::kMesh:
      break;
  }
  const PlacedGeometry placed = models_.Place(shape);
  Json points = Json::array();
  for (const auto& [x, y, z] :
       models_.geometries()[placed.geometry].positions) {
    points.push_back(ToJson(sim::Vector3{x * placed.scale.x, y * placed.scale.y,
                                         z * placed.scale.z}));
  }
  entity["triangles"].push_back(
      {{"pose", PoseOf(placed.position, placed.rotation)},
       {"points", std::move(points)},
       {"color", colour},
       {"colors", Json::array()},
       {"indices", Json::array()}});
}

absl::Status FoxgloveExport::AddFields() {
  const uint64_t time_ns =
      TimeNsOf(stream_.frame(), stream_.source().tick_rate);
  std::vector<Json> messages(fields_.size());
  for (size_t i = 0; i < fields_.size(); ++i) {
    messages[i] = expressions_->IsOfObjects(i)
                      ? Json({{"values", Json::array()}})
                      : Json({{"value", nullptr}});
  }
  expressions_->Visit([&](size_t index, const sim::StateSubject& subject,
                          const sim::ExpressionValue& value) {
    if (!expressions_->IsOfObjects(index)) {
      messages[index]["value"] = ToJson(value);
      return;
    }
    messages[index]["values"].push_back(
        {{"object", expressions_->NameOf(index, subject)},
         {"value", ToJson(value)}});
  });
  for (size_t i = 0; i < fields_.size(); ++i) {
    const absl::Status status = Write(fields_[i], messages[i], time_ns);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status FoxgloveExport::AddLines(std::span<const DrawnLine> lines) {
  const uint64_t time_ns =
      TimeNsOf(stream_.frame(), stream_.source().tick_rate);
  const absl::StatusOr<Json> message =
      FoxgloveLinesOf(lines, kRunFrame, time_ns);
  if (!message.ok()) return message.status();
  if (!layers_.has_value()) {
    const absl::StatusOr<uint16_t> channel =
        AddChannel("/layers", kSceneSchema);
    if (!channel.ok()) return channel.status();
    layers_ = *channel;
  }
  return Write(*layers_, *message, time_ns);
}

absl::Status FoxgloveExport::Finish() { return writer_->Finish(); }

}  // namespace reprise::replays

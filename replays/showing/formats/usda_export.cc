// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/formats/usda_export.h"

#include <set>
#include <utility>

#include "fmt/format.h"
#include "fmt/ostream.h"
#include "fmt/ranges.h"
#include "nlohmann/json.hpp"
#include "replays/showing/shape_models.h"
#include "replays/showing/source_json.h"

namespace reprise::replays {
namespace {

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A text as USD and JSON both write it.
std::string Quote(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true,
                                   nlohmann::json::error_handler_t::replace);
}

std::string Format(const sim::Vector3& v) {
  return fmt::format("({}, {}, {})", v.x, v.y, v.z);
}

// The real part comes first.
std::string Format(const sim::Quaternion& q) {
  return fmt::format("({}, {}, {}, {})", q.w, q.x, q.y, q.z);
}

class LayerWriter {
 public:
  LayerWriter(const FrameStream& stream, std::ostream& out)
      : stream_(stream), out_(out) {}

  void WriteHeader(const ObjectTracks& tracks);
  void WriteObject(const ShownObject& object, const ObjectTrack& track);
  void WriteEnd() { out_ << "}\n"; }

 private:
  template <typename... Arguments>
  void Line(int depth, fmt::format_string<Arguments...> format,
            Arguments&&... arguments) {
    out_ << std::string(static_cast<size_t>(4 * depth), ' ')
         << fmt::format(format, std::forward<Arguments>(arguments)...) << '\n';
  }

  template <typename Keys>
  void WriteKeys(std::string_view attribute, const Keys& keys);
  void WriteShape(const sim::FrameShape& shape, size_t number,
                  const ShownColour& colour);
  void WriteSize(const sim::FrameShape& shape);
  void WriteMesh(const sim::FrameMesh& mesh);
  std::string UniqueName(const ShownObject& object);

  const FrameStream& stream_;
  std::ostream& out_;
  std::set<std::string> names_;
};

void LayerWriter::WriteHeader(const ObjectTracks& tracks) {
  const ShownSource& source = stream_.source();
  out_ << "#usda 1.0\n(\n";
  Line(1, "customLayerData = {{");
  const nlohmann::json data = DescribeTracks(stream_, tracks);
  for (const auto& [key, value] : data.items()) {
    if (value.is_string()) {
      Line(2, "string {} = {}", key, Quote(value.get<std::string>()));
    } else if (value.is_number_float()) {
      Line(2, "double {} = {}", key, value.get<double>());
    } else if (value.is_array()) {
      std::vector<std::string> texts;
      for (const auto& text : value) {
        texts.push_back(Quote(text.get<std::string>()));
      }
      Line(2, "string[] {} = [{}]", key, fmt::join(texts, ", "));
    } else if (value.is_boolean()) {
      Line(2, "bool {} = {}", key, value.get<bool>() ? 1 : 0);
    } else {
      Line(2, "uint64 {} = {}", key, value.get<uint64_t>());
    }
  }
  Line(1, "}}");
  Line(1, "defaultPrim = \"run\"");
  Line(1, "endTimeCode = {}",
       source.rate.has_value() ? tracks.last_time()
                               : static_cast<double>(source.last));
  Line(1, "metersPerUnit = 1");
  Line(1, "startTimeCode = {}", source.first);
  Line(1, "timeCodesPerSecond = {}", source.tick_rate.ticks_per_second);
  Line(1, "upAxis = \"Y\"");
  out_ << ")\n\ndef Xform \"run\"\n{\n";
}

std::string LayerWriter::UniqueName(const ShownObject& object) {
  std::string name = UsdName(object.name, object.object.serial);
  // An object whose shapes have changed has its name already.
  const std::string first = name;
  for (int look = 2; !names_.insert(name).second; ++look) {
    name = fmt::format("{}_look_{}", first, look);
  }
  return name;
}

template <typename Keys>
void LayerWriter::WriteKeys(std::string_view attribute, const Keys& keys) {
  if (keys.size() == 1) {
    Line(2, "{} = {}", attribute, Format(keys.front().value));
    return;
  }
  Line(2, "{}.timeSamples = {{", attribute);
  for (const auto& key : keys) {
    Line(3, "{}: {},", key.time, Format(key.value));
  }
  Line(2, "}}");
}

void LayerWriter::WriteObject(const ShownObject& object,
                              const ObjectTrack& track) {
  Line(1, "def Xform \"{}\" (", UniqueName(object));
  Line(2, "customData = {{");
  Line(3, "string name = {}", Quote(object.name));
  Line(3, "uint64 object = {}", object.object.serial);
  Line(3, "string type = {}", Quote(object.type));
  Line(2, "}}");
  Line(1, ")");
  Line(1, "{{");
  if (track.presence.size() > 1 || !track.presence.front().is_present) {
    Line(2, "token visibility.timeSamples = {{");
    for (const PresenceKey& key : track.presence) {
      Line(3, "{}: \"{}\",", key.time,
           key.is_present ? "inherited" : "invisible");
    }
    Line(2, "}}");
  }
  WriteKeys("quatd xformOp:orient", track.rotations.keys());
  WriteKeys("double3 xformOp:translate", track.positions.keys());
  Line(2,
       "uniform token[] xformOpOrder = [\"xformOp:translate\", "
       "\"xformOp:orient\"]");
  const ShownColour colour = ColourOfType(object.type);
  for (size_t i = 0; i < object.shapes.size(); ++i) {
    WriteShape(object.shapes[i], i, colour);
  }
  Line(1, "}}");
}

std::string_view PrimOf(sim::FrameShape::Kind kind) {
  using Kind = sim::FrameShape::Kind;
  switch (kind) {
    case Kind::kSphere:
      return "Sphere";
    case Kind::kBox:
      return "Cube";
    case Kind::kCapsule:
      return "Capsule";
    case Kind::kCylinder:
      return "Cylinder";
    case Kind::kCone:
      return "Cone";
    case Kind::kPlane:
    case Kind::kHull:
    case Kind::kMesh:
      return "Mesh";
  }
  return "Mesh";
}

void LayerWriter::WriteShape(const sim::FrameShape& shape, size_t number,
                             const ShownColour& colour) {
  using Kind = sim::FrameShape::Kind;
  sim::Vector3 position = shape.position;
  sim::Quaternion rotation = shape.rotation;
  if (shape.kind == Kind::kCone) {
    // USD's cones have their middle at the origin.
    position = position + sim::Rotate(rotation, {0, 0.5 * shape.size.y, 0});
  } else if (shape.kind == Kind::kPlane) {
    rotation = ShapeModels({}).Place(shape).rotation;
  }
  Line(2, "def {} \"shape_{}\"", PrimOf(shape.kind), number);
  Line(2, "{{");
  Line(3, "color3f[] primvars:displayColor = [({}, {}, {})]", colour[0],
       colour[1], colour[2]);
  Line(3, "quatd xformOp:orient = {}", Format(rotation));
  Line(3, "double3 xformOp:translate = {}", Format(position));
  if (shape.kind == Kind::kBox) {
    Line(3, "double3 xformOp:scale = {}", Format(shape.size));
  }
  Line(3,
       "uniform token[] xformOpOrder = [\"xformOp:translate\", "
       "\"xformOp:orient\"{}]",
       shape.kind == Kind::kBox ? ", \"xformOp:scale\"" : "");
  WriteSize(shape);
  Line(2, "}}");
}

void LayerWriter::WriteSize(const sim::FrameShape& shape) {
  using Kind = sim::FrameShape::Kind;
  switch (shape.kind) {
    case Kind::kSphere:
      Line(3, "double radius = {}", shape.size.x);
      return;
    case Kind::kBox:
      Line(3, "double size = 2");
      return;
    case Kind::kCapsule:
    case Kind::kCylinder:
    case Kind::kCone:
      Line(3, "uniform token axis = \"Y\"");
      Line(3, "double height = {}", 2 * shape.size.y);
      Line(3, "double radius = {}", shape.size.x);
      return;
    case Kind::kPlane: {
      const double reach = kPlaneReachM;
      WriteMesh({.vertices = {{-reach, 0, -reach},
                              {-reach, 0, reach},
                              {reach, 0, reach},
                              {reach, 0, -reach}},
                 .triangles = {{0, 1, 2}, {0, 2, 3}}});
      return;
    }
    case Kind::kHull:
    case Kind::kMesh:
      if (shape.mesh < stream_.meshes().size()) {
        WriteMesh(stream_.meshes()[shape.mesh]);
      }
      return;
  }
}

void LayerWriter::WriteMesh(const sim::FrameMesh& mesh) {
  std::string points;
  for (const sim::Vector3& vertex : mesh.vertices) {
    points += (points.empty() ? "" : ", ") + Format(vertex);
  }
  std::string counts;
  std::string indices;
  for (const auto& [a, b, c] : mesh.triangles) {
    counts += counts.empty() ? "3" : ", 3";
    indices +=
        fmt::format("{}{}, {}, {}", indices.empty() ? "" : ", ", a, b, c);
  }
  Line(3, "uniform bool doubleSided = 1");
  Line(3, "int[] faceVertexCounts = [{}]", counts);
  Line(3, "int[] faceVertexIndices = [{}]", indices);
  Line(3, "point3f[] points = [{}]", points);
  Line(3, "uniform token subdivisionScheme = \"none\"");
}

}  // namespace

std::string UsdName(std::string_view name, uint64_t serial) {
  std::string word;
  for (const char c : name) word += IsLetter(c) || IsDigit(c) ? c : '_';
  if (word.empty() || IsDigit(word.front())) word.insert(0, "_");
  return word == name ? word : fmt::format("{}_{}", word, serial);
}

void UsdaExport::Finish(std::ostream& out) {
  tracks_.Finish();
  LayerWriter writer(stream_, out);
  writer.WriteHeader(tracks_);
  for (size_t i = 0; i < tracks_.tracks().size(); ++i) {
    writer.WriteObject(stream_.objects()[i], tracks_.tracks()[i]);
  }
  writer.WriteEnd();
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/formats/gltf_export.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "replays/showing/shape_models.h"
#include "replays/showing/source_json.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

using Json = nlohmann::json;

// The constants of the format, from its specification.
constexpr uint32_t kMagic = 0x46546c67;  // "glTF"
constexpr uint32_t kVersion = 2;
constexpr uint32_t kJsonChunk = 0x4e4f534a;  // "JSON"
constexpr uint32_t kBinaryChunk = 0x004e4942;
constexpr int kFloat = 5126;
constexpr int kArrayBuffer = 34962;

void AppendWord(uint32_t word, std::string& bytes) {
  for (int shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<char>(word >> shift & 0xff));
  }
}

void AppendFloat(double value, std::string& bytes) {
  AppendWord(std::bit_cast<uint32_t>(static_cast<float>(value)), bytes);
}

// A component of a colour as glTF wants it: linear, not sRGB.
double Linear(double component) {
  return component <= 0.04045 ? component / 12.92
                              : sim::Pow((component + 0.055) / 1.055, 2.4);
}

Json ToJson(const sim::Vector3& v) { return {v.x, v.y, v.z}; }
Json ToJson(const sim::Quaternion& q) { return {q.x, q.y, q.z, q.w}; }

void AppendTo(std::string& bytes, const sim::Vector3& v) {
  for (const double value : {v.x, v.y, v.z}) AppendFloat(value, bytes);
}
void AppendTo(std::string& bytes, const sim::Quaternion& q) {
  for (const double value : {q.x, q.y, q.z, q.w}) AppendFloat(value, bytes);
}

// Gathers the parts of a document that refer to each other by number.
class Document {
 public:
  explicit Document(const FrameStream& stream)
      : stream_(stream), models_(stream.meshes()) {}

  void AddObject(const ShownObject& object, const ObjectTrack& track);

  // The whole file. `extras` says what it is of.
  absl::StatusOr<std::string> Finish(Json extras);

 private:
  int AddView(int target);
  int AddAccessor(int view, size_t count, std::string_view type);
  int AddVertices(const std::vector<std::array<float, 3>>& vertices,
                  bool has_bounds);
  int AddTimes(const std::vector<double>& times);
  const Json& PrimitiveOf(uint32_t geometry);
  int MaterialOf(const std::string& type);
  int MeshOf(uint32_t geometry, const std::string& type);
  template <typename Value>
  void AddTrack(int node, std::string_view path, std::string_view type,
                const std::vector<typename KeyReducer<Value>::Key>& keys);
  void AddPresence(int node, const std::vector<PresenceKey>& presence);
  void AddChannel(int node, std::string_view path, int input, int output,
                  std::string_view interpolation);

  const FrameStream& stream_;
  ShapeModels models_;
  std::string binary_;
  int open_view_ = -1;
  Json accessors_ = Json::array();
  Json views_ = Json::array();
  Json nodes_ = Json::array();
  Json meshes_ = Json::array();
  Json materials_ = Json::array();
  Json scene_nodes_ = Json::array();
  Json samplers_ = Json::array();
  Json channels_ = Json::array();
  std::map<uint32_t, Json> primitives_;
  std::map<std::string, int> material_of_;
  std::map<std::pair<uint32_t, std::string>, int> mesh_of_;
  std::map<std::vector<double>, int> times_;
};

// A view of what is appended to the buffer from here on; -1 for no target.
int Document::AddView(int target) {
  Json view = {{"buffer", 0}, {"byteOffset", binary_.size()}};
  if (target >= 0) view["target"] = target;
  views_.push_back(std::move(view));
  return static_cast<int>(views_.size()) - 1;
}

// Of what was appended since AddView.
int Document::AddAccessor(int view, size_t count, std::string_view type) {
  Json& of = views_[view];
  of["byteLength"] = binary_.size() - of["byteOffset"].get<size_t>();
  accessors_.push_back({{"bufferView", view},
                        {"componentType", kFloat},
                        {"count", count},
                        {"type", type}});
  return static_cast<int>(accessors_.size()) - 1;
}

int Document::AddVertices(const std::vector<std::array<float, 3>>& vertices,
                          bool has_bounds) {
  const int view = AddView(kArrayBuffer);
  std::array<float, 3> low = vertices.front();
  std::array<float, 3> high = low;
  for (const std::array<float, 3>& vertex : vertices) {
    for (size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], vertex[i]);
      high[i] = std::max(high[i], vertex[i]);
      AppendFloat(vertex[i], binary_);
    }
  }
  const int accessor = AddAccessor(view, vertices.size(), "VEC3");
  if (has_bounds) {
    accessors_[accessor]["min"] = low;
    accessors_[accessor]["max"] = high;
  }
  return accessor;
}

// Tracks with the same times share them.
int Document::AddTimes(const std::vector<double>& times) {
  const auto known = times_.find(times);
  if (known != times_.end()) return known->second;
  const int view = AddView(-1);
  for (const double time : times) AppendFloat(time, binary_);
  const int accessor = AddAccessor(view, times.size(), "SCALAR");
  accessors_[accessor]["min"] = {times.front()};
  accessors_[accessor]["max"] = {times.back()};
  return times_[times] = accessor;
}

const Json& Document::PrimitiveOf(uint32_t geometry) {
  const auto [known, is_new] = primitives_.try_emplace(geometry);
  if (is_new) {
    const ShapeGeometry& shape = models_.geometries()[geometry];
    const int positions = AddVertices(shape.positions, /*has_bounds=*/true);
    const int normals = AddVertices(shape.normals, /*has_bounds=*/false);
    known->second = {{"POSITION", positions}, {"NORMAL", normals}};
  }
  return known->second;
}

int Document::MaterialOf(const std::string& type) {
  const auto [known, is_new] =
      material_of_.try_emplace(type, static_cast<int>(materials_.size()));
  if (is_new) {
    const ShownColour colour = ColourOfType(type);
    materials_.push_back(
        {{"name", type},
         {"pbrMetallicRoughness",
          {{"baseColorFactor",
            {Linear(colour[0]), Linear(colour[1]), Linear(colour[2]), 1.0}},
           {"metallicFactor", 0.0},
           {"roughnessFactor", 0.8}}}});
  }
  return known->second;
}

int Document::MeshOf(uint32_t geometry, const std::string& type) {
  const auto [known, is_new] =
      mesh_of_.try_emplace({geometry, type}, static_cast<int>(meshes_.size()));
  if (is_new) {
    meshes_.push_back({{"name", models_.geometries()[geometry].name},
                       {"primitives",
                        {{{"attributes", PrimitiveOf(geometry)},
                          {"material", MaterialOf(type)}}}}});
  }
  return known->second;
}

void Document::AddChannel(int node, std::string_view path, int input,
                          int output, std::string_view interpolation) {
  channels_.push_back({{"sampler", samplers_.size()},
                       {"target", {{"node", node}, {"path", path}}}});
  samplers_.push_back(
      {{"input", input}, {"output", output}, {"interpolation", interpolation}});
}

template <typename Value>
void Document::AddTrack(
    int node, std::string_view path, std::string_view type,
    const std::vector<typename KeyReducer<Value>::Key>& keys) {
  nodes_[node][path] = ToJson(keys.front().value);
  if (keys.size() == 1) return;
  std::vector<double> times;
  for (const auto& key : keys) times.push_back(key.time);
  const int input = AddTimes(times);
  const int view = AddView(-1);
  for (const auto& key : keys) AppendTo(binary_, key.value);
  const int output = AddAccessor(view, keys.size(), type);
  AddChannel(node, path, input, output, "LINEAR");
}

// What isn't there has no size: the format has no other way to hide it.
void Document::AddPresence(int node, const std::vector<PresenceKey>& presence) {
  if (presence.size() == 1) return;
  std::vector<double> times;
  for (const PresenceKey& key : presence) times.push_back(key.time);
  const int input = AddTimes(times);
  const int view = AddView(-1);
  for (const PresenceKey& key : presence) {
    const double size = key.is_present ? 1 : 0;
    AppendTo(binary_, sim::Vector3{size, size, size});
  }
  const int output = AddAccessor(view, presence.size(), "VEC3");
  AddChannel(node, "scale", input, output, "STEP");
}

void Document::AddObject(const ShownObject& object, const ObjectTrack& track) {
  const int node = static_cast<int>(nodes_.size());
  nodes_.push_back(
      {{"name", object.name},
       {"extras", {{"object", object.object.serial}, {"type", object.type}}}});
  scene_nodes_.push_back(node);
  AddTrack<sim::Vector3>(node, "translation", "VEC3", track.positions.keys());
  AddTrack<sim::Quaternion>(node, "rotation", "VEC4", track.rotations.keys());
  AddPresence(node, track.presence);
  Json children = Json::array();
  for (const sim::FrameShape& shape : object.shapes) {
    const PlacedGeometry placed = models_.Place(shape);
    if (models_.geometries()[placed.geometry].positions.empty()) continue;
    children.push_back(nodes_.size());
    nodes_.push_back({{"mesh", MeshOf(placed.geometry, object.type)},
                      {"translation", ToJson(placed.position)},
                      {"rotation", ToJson(placed.rotation)},
                      {"scale", ToJson(placed.scale)}});
  }
  if (!children.empty()) nodes_[node]["children"] = std::move(children);
}

absl::StatusOr<std::string> Document::Finish(Json extras) {
  Json document = {{"asset",
                    {{"version", "2.0"},
                     {"generator", "reprise export"},
                     {"extras", std::move(extras)}}},
                   {"scene", 0},
                   {"scenes", {{{"name", stream_.source().pack}}}}};
  const auto add = [&document](std::string_view name, Json& part) {
    if (!part.empty()) document[name] = std::move(part);
  };
  if (!scene_nodes_.empty()) {
    document["scenes"][0]["nodes"] = std::move(scene_nodes_);
  }
  add("nodes", nodes_);
  add("meshes", meshes_);
  add("materials", materials_);
  add("accessors", accessors_);
  add("bufferViews", views_);
  if (!binary_.empty()) {
    document["buffers"] = {{{"byteLength", binary_.size()}}};
  }
  if (!channels_.empty()) {
    document["animations"] = {{{"name", "run"},
                               {"samplers", std::move(samplers_)},
                               {"channels", std::move(channels_)}}};
  }
  // Names of packs are UTF-8; what isn't becomes U+FFFD.
  std::string json =
      document.dump(-1, ' ', false, Json::error_handler_t::replace);
  json.append((4 - json.size() % 4) % 4, ' ');
  const size_t binary_chunk = binary_.empty() ? 0 : 8 + binary_.size();
  const size_t size = 12 + 8 + json.size() + binary_chunk;
  if (size > std::numeric_limits<uint32_t>::max()) {
    return absl::ResourceExhaustedError(
        "it would take more than the 4 GiB that a glTF file can have: export "
        "fewer ticks (--from, --to) or allow larger errors (--error)");
  }
  std::string file;
  file.reserve(size);
  for (const uint32_t word : {kMagic, kVersion, static_cast<uint32_t>(size),
                              static_cast<uint32_t>(json.size()), kJsonChunk}) {
    AppendWord(word, file);
  }
  file += json;
  if (!binary_.empty()) {
    AppendWord(static_cast<uint32_t>(binary_.size()), file);
    AppendWord(kBinaryChunk, file);
    file += binary_;
  }
  return file;
}

}  // namespace

absl::StatusOr<std::string> GltfExport::Finish() {
  tracks_.Finish();
  Document document(stream_);
  for (size_t i = 0; i < tracks_.tracks().size(); ++i) {
    document.AddObject(stream_.objects()[i], tracks_.tracks()[i]);
  }
  return document.Finish(DescribeTracks(stream_, tracks_));
}

}  // namespace reprise::replays

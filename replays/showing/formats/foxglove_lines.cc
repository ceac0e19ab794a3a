// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/formats/foxglove_lines.h"

#include <map>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {
namespace {

using Json = nlohmann::json;

// Values of Foxglove's enumerations.
constexpr int kDeleteAll = 1;
constexpr int kLineList = 2;

constexpr uint64_t kNsPerSecond = 1'000'000'000;

Json TimeOf(uint64_t time_ns) {
  return {{"sec", time_ns / kNsPerSecond}, {"nsec", time_ns % kNsPerSecond}};
}

Json ToJson(const sim::Vector3& v) {
  return {{"x", v.x}, {"y", v.y}, {"z", v.z}};
}

Json EmptyLines(double width_px) {
  return {{"type", kLineList},
          {"pose",
           {{"position", ToJson({})},
            {"orientation", {{"x", 0}, {"y", 0}, {"z", 0}, {"w", 1}}}}},
          {"thickness", width_px},
          {"scale_invariant", true},
          {"points", Json::array()},
          {"color", {{"r", 1}, {"g", 1}, {"b", 1}, {"a", 1}}},
          {"colors", Json::array()},
          {"indices", Json::array()}};
}

}  // namespace

absl::StatusOr<Json> FoxgloveLinesOf(std::span<const DrawnLine> lines,
                                     std::string_view frame_id,
                                     uint64_t time_ns) {
  if (lines.size() > kFoxgloveLinesMax) {
    return absl::ResourceExhaustedError(
        fmt::format("{} lines of layers are more than the {} that a message "
                    "holds: --layers and --from choose",
                    lines.size(), kFoxgloveLinesMax));
  }
  // Lines of one width are one thing.
  std::map<double, Json> by_width;
  for (const auto& [start, end, rgb, width_px] : lines) {
    Json& list =
        by_width.try_emplace(width_px, EmptyLines(width_px)).first->second;
    const Json colour = {{"r", rgb[0]}, {"g", rgb[1]}, {"b", rgb[2]}, {"a", 1}};
    for (const sim::Vector3& point : {start, end}) {
      list["points"].push_back(ToJson(point));
      list["colors"].push_back(colour);
    }
  }
  Json entity = {{"timestamp", TimeOf(time_ns)},
                 {"frame_id", frame_id},
                 {"id", "layers"},
                 {"lifetime", TimeOf(0)},
                 {"frame_locked", true},
                 {"metadata", Json::array()}};
  for (const char* const kind : {"arrows", "cubes", "spheres", "cylinders",
                                 "lines", "triangles", "texts", "models"}) {
    entity[kind] = Json::array();
  }
  for (auto& [width_px, list] : by_width) {
    entity["lines"].push_back(std::move(list));
  }
  const Json all = {
      {"timestamp", TimeOf(time_ns)}, {"type", kDeleteAll}, {"id", ""}};
  return Json{{"deletions", Json::array({all})},
              {"entities", Json::array({std::move(entity)})}};
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/debug_layers.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/debug_frame.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

constexpr ShownColour kRed = {0.85, 0.10, 0.10};
constexpr ShownColour kGreen = {0.10, 0.60, 0.15};
constexpr ShownColour kBlue = {0.15, 0.25, 0.85};
constexpr ShownColour kYellow = {0.95, 0.80, 0.10};
constexpr ShownColour kViolet = {0.55, 0.15, 0.75};
constexpr ShownColour kSky = {0.10, 0.50, 0.90};
constexpr ShownColour kPink = {0.85, 0.20, 0.75};
constexpr ShownColour kOrange = {0.95, 0.50, 0.05};
constexpr ShownColour kTeal = {0.05, 0.55, 0.55};
constexpr ShownColour kGrey = {0.45, 0.45, 0.45};

constexpr auto kLayerNames =
    std::to_array<std::pair<std::string_view, DebugLayer>>(
        {{"contacts", DebugLayer::kContacts},
         {"joints", DebugLayer::kJoints},
         {"triggers", DebugLayer::kTriggers},
         {"regions", DebugLayer::kRegions},
         {"paths", DebugLayer::kPaths},
         {"spaces", DebugLayer::kSpaces},
         {"axes", DebugLayer::kAxes},
         {"velocities", DebugLayer::kVelocities}});

constexpr double kNormalM = 0.3;
constexpr double kImpulseM = 0.1;  // for each doubling of:
constexpr double kImpulseLeastNS = 0.01;
constexpr double kAxisM = 0.5;
constexpr double kAheadS = 0.2;

// A table of the physics, read by the names of its fields.
class NamedTable {
 public:
  NamedTable(const sim::State& state, std::string_view name) {
    const std::optional<sim::TableIndex> index = state.Find("physics", name);
    if (!index) return;
    table_ = &state.table(*index);
    const auto fields = table_->schema().fields();
    for (uint32_t i = 0; i < fields.size(); ++i) {
      field_of_.emplace(fields[i].name, i);
    }
  }

  uint32_t row_count() const {
    return table_ == nullptr ? 0 : table_->row_count();
  }

  sim::FieldValue Read(uint32_t row, std::string_view field,
                       uint32_t scalar = 0) const {
    const auto known = field_of_.find(field);
    if (known == field_of_.end()) return {};
    return sim::ReadScalar(table_->schema(), table_->Row(row),
                           {known->second, scalar});
  }

  Vector3 ReadVector(uint32_t row, std::string_view field,
                     uint32_t first = 0) const {
    return {Read(row, field, first).AsNumber(),
            Read(row, field, first + 1).AsNumber(),
            Read(row, field, first + 2).AsNumber()};
  }

 private:
  const sim::Table* table_ = nullptr;
  std::map<std::string_view, uint32_t> field_of_;
};

void AddContacts(std::span<const sim::DebugContact> contacts,
                 std::vector<DrawnLine>& lines) {
  for (const sim::DebugContact& contact : contacts) {
    const auto add = [&](double length, const ShownColour& colour,
                         double width) {
      lines.push_back({.start = contact.point,
                       .end = contact.point + contact.normal * length,
                       .colour = colour,
                       .width_px = width});
    };
    add(kNormalM, kYellow, 1.5);
    if (!(contact.impulse_n_s > 0)) continue;
    add(kImpulseM * sim::Log2(1 + contact.impulse_n_s / kImpulseLeastNS), kRed,
        3);
  }
}

const ShownColour& ColourOf(const sim::DebugGuide& guide, sim::DebugRole role) {
  if (!guide.is_active) return kGrey;
  if (role == sim::DebugRole::kAxis) return kPink;
  if (role == sim::DebugRole::kLimit) return kOrange;
  switch (guide.kind) {
    case sim::DebugGuide::Kind::kJoint:
      return kSky;
    case sim::DebugGuide::Kind::kTrigger:
      return kGreen;
    case sim::DebugGuide::Kind::kRegion:
      return kViolet;
    case sim::DebugGuide::Kind::kPath:
      return kYellow;
    case sim::DebugGuide::Kind::kSpace:
      return kTeal;
  }
  return kGrey;
}

// Of an end that an object carries which isn't in the frame there is no line.
void AddGuides(std::span<const sim::DebugGuide> guides,
               sim::DebugGuide::Kind kind, const FrameStream& stream,
               DrawnLayers& drawn) {
  std::map<uint32_t, const ShownPose*> poses;
  for (const ShownPose& pose : stream.frame().poses) {
    poses.emplace(pose.object, &pose);
  }
  const auto place = [&](sim::ObjectId object,
                         const Vector3& at) -> std::optional<Vector3> {
    if (object == sim::kNoObject) return at;
    const std::optional<uint32_t> index = stream.IndexOf(object);
    const auto pose = index ? poses.find(*index) : poses.end();
    if (pose == poses.end()) return std::nullopt;
    return pose->second->position + sim::Rotate(pose->second->rotation, at);
  };
  for (const sim::DebugGuide& guide : guides) {
    if (guide.kind != kind) continue;
    for (const sim::DebugLine& line : guide.lines) {
      const std::optional<Vector3> start = place(line.start_object, line.start);
      const std::optional<Vector3> end = place(line.end_object, line.end);
      if (!start || !end) continue;
      drawn.lines.push_back({*start, *end, ColourOf(guide, line.role), 2});
    }
    const std::optional<uint32_t> owner = stream.IndexOf(guide.owner);
    if (owner) drawn.outlined.push_back(*owner);
  }
}

void AddVelocities(const sim::State& state, std::vector<DrawnLine>& lines) {
  const NamedTable bodies(state, "bodies");
  for (uint32_t row = 0; row < bodies.row_count(); ++row) {
    const Vector3 velocity = bodies.ReadVector(row, "linear_velocity");
    if (velocity == Vector3{}) continue;
    const Vector3 start = bodies.ReadVector(row, "position");
    lines.push_back({start, start + velocity * kAheadS, kViolet, 2});
  }
}

void AddAxes(const ShownFrame& frame, std::vector<DrawnLine>& lines) {
  for (const auto& [index, position, rotation] : frame.poses) {
    for (const auto& [axis, colour] :
         {std::pair(Vector3{kAxisM, 0, 0}, kRed),
          std::pair(Vector3{0, kAxisM, 0}, kGreen),
          std::pair(Vector3{0, 0, kAxisM}, kBlue)}) {
      lines.push_back(
          {position, position + sim::Rotate(rotation, axis), colour, 2});
    }
  }
}

}  // namespace

absl::StatusOr<std::vector<DebugLayer>> ParseDebugLayers(
    std::span<const std::string> lists) {
  std::vector<DebugLayer> layers;
  for (const std::string& list : lists) {
    const std::vector<std::string> names = absl::StrSplit(list, ',');
    for (const std::string& name : names) {
      const auto known = std::ranges::find(
          kLayerNames, name, &std::pair<std::string_view, DebugLayer>::first);
      if (known == kLayerNames.end()) {
        return absl::InvalidArgumentError(fmt::format(
            "there is no layer '{}': contacts, joints, triggers, regions, "
            "paths, spaces, axes and velocities are there",
            name));
      }
      layers.push_back(known->second);
    }
  }
  return layers;
}

DrawnLayers DrawLayers(std::span<const DebugLayer> layers,
                       const FrameStream& stream) {
  DrawnLayers drawn;
  if (layers.empty()) return drawn;
  const sim::DebugFrame debug = stream.simulation().ProduceDebugFrame();
  const auto add_guides = [&](sim::DebugGuide::Kind kind) {
    AddGuides(debug.guides, kind, stream, drawn);
  };
  for (const DebugLayer layer : layers) {
    switch (layer) {
      case DebugLayer::kContacts:
        AddContacts(debug.contacts, drawn.lines);
        break;
      case DebugLayer::kJoints:
        add_guides(sim::DebugGuide::Kind::kJoint);
        break;
      case DebugLayer::kTriggers:
        add_guides(sim::DebugGuide::Kind::kTrigger);
        break;
      case DebugLayer::kRegions:
        add_guides(sim::DebugGuide::Kind::kRegion);
        break;
      case DebugLayer::kPaths:
        add_guides(sim::DebugGuide::Kind::kPath);
        break;
      case DebugLayer::kSpaces:
        add_guides(sim::DebugGuide::Kind::kSpace);
        break;
      case DebugLayer::kAxes:
        AddAxes(stream.frame(), drawn.lines);
        break;
      case DebugLayer::kVelocities:
        AddVelocities(stream.simulation().state(), drawn.lines);
        break;
    }
  }
  std::ranges::sort(drawn.outlined);
  return drawn;
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/debug_layers.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "sim/base/field_value.h"
#include "sim/base/row_schema.h"
#include "sim/base/state.h"
#include "sim/base/table.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

constexpr ShownColour kRed = {0.85, 0.10, 0.10};
constexpr ShownColour kGreen = {0.10, 0.60, 0.15};
constexpr ShownColour kBlue = {0.15, 0.25, 0.85};
constexpr ShownColour kYellow = {0.95, 0.80, 0.10};
constexpr ShownColour kViolet = {0.55, 0.15, 0.75};

constexpr double kNormalM = 0.4;
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

// A point of a body in the world: the rows of its matrix times it.
Vector3 OfBody(const NamedTable& bodies, uint32_t row, const Vector3& local) {
  return bodies.ReadVector(row, "position") +
         Vector3{sim::Dot(bodies.ReadVector(row, "basis", 0), local),
                 sim::Dot(bodies.ReadVector(row, "basis", 3), local),
                 sim::Dot(bodies.ReadVector(row, "basis", 6), local)};
}

void AddContacts(const sim::State& state, std::vector<DrawnLine>& lines) {
  const NamedTable bodies(state, "bodies");
  const NamedTable points(state, "contact_points");
  std::map<uint64_t, uint32_t> row_of;
  for (uint32_t row = 0; row < bodies.row_count(); ++row) {
    row_of.emplace(bodies.Read(row, "object").bits, row);
  }
  for (uint32_t row = 0; row < points.row_count(); ++row) {
    const auto body = row_of.find(points.Read(row, "object_b").bits);
    if (body == row_of.end()) continue;
    const Vector3 start =
        OfBody(bodies, body->second, points.ReadVector(row, "local_b"));
    const bool bears = points.Read(row, "impulse").AsNumber() > 0;
    lines.push_back({.start = start,
                     .end = start + points.ReadVector(row, "normal") * kNormalM,
                     .colour = bears ? kRed : kYellow,
                     .width_px = 2});
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
      if (name == "contacts") {
        layers.push_back(DebugLayer::kContacts);
      } else if (name == "axes") {
        layers.push_back(DebugLayer::kAxes);
      } else if (name == "velocities") {
        layers.push_back(DebugLayer::kVelocities);
      } else {
        return absl::InvalidArgumentError(fmt::format(
            "there is no layer '{}': contacts, axes and velocities are there",
            name));
      }
    }
  }
  return layers;
}

std::vector<DrawnLine> LinesOf(std::span<const DebugLayer> layers,
                               const FrameStream& stream) {
  std::vector<DrawnLine> lines;
  const sim::State& state = stream.simulation().state();
  for (const DebugLayer layer : layers) {
    switch (layer) {
      case DebugLayer::kContacts:
        AddContacts(state, lines);
        break;
      case DebugLayer::kAxes:
        AddAxes(stream.frame(), lines);
        break;
      case DebugLayer::kVelocities:
        AddVelocities(state, lines);
        break;
    }
  }
  return lines;
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/page/recorded_layers.h"

#include <optional>
#include <utility>

#include "sim/base/math.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

using Json = nlohmann::json;

// A tenth of a millimetre: less than a line is wide.
constexpr double kPlacesPerM = 1e4;

Json PlaceJson(double metres) {
  if (!sim::IsFinite(metres)) return 0;
  return sim::Floor(metres * kPlacesPerM + 0.5) / kPlacesPerM;
}

const char* NameOf(sim::DebugGuide::Kind kind) {
  switch (kind) {
    case sim::DebugGuide::Kind::kJoint:
      return "joint";
    case sim::DebugGuide::Kind::kTrigger:
      return "trigger";
    case sim::DebugGuide::Kind::kRegion:
      return "region";
    case sim::DebugGuide::Kind::kPath:
      return "path";
    case sim::DebugGuide::Kind::kSpace:
      return "space";
  }
  return "";
}

}  // namespace

int64_t RecordedLayers::IndexOf(sim::ObjectId object) const {
  const std::optional<uint32_t> index = stream_.IndexOf(object);
  return index ? int64_t{*index} : ShownContact::kNotShown;
}

void RecordedLayers::AddFrame() {
  sim::DebugFrame frame = stream_.simulation().ProduceDebugFrame();
  std::vector<ShownContact> contacts;
  for (const sim::DebugContact& contact : frame.contacts) {
    contacts.push_back({.object_a = IndexOf(contact.object_a),
                        .object_b = IndexOf(contact.object_b),
                        .point = contact.point,
                        .normal = contact.normal,
                        .impulse_n_s = contact.impulse_n_s});
  }
  contacts_.AddFrame(contacts);
  has_contacts_ = has_contacts_ || !contacts.empty();
  // An object that looks another way has another index, though the guide is
  // the same.
  const bool is_same = frame.guides == shown_ &&
                       stream_.first_new_object() == stream_.objects().size();
  if (!is_same) {
    std::vector<uint32_t> numbers;
    for (const sim::DebugGuide& guide : frame.guides) {
      if (const auto number = NumberOf(guide)) numbers.push_back(*number);
    }
    shown_ = std::move(frame.guides);
    if (numbers != shown_numbers_ && chunk_frames_ > 0) {
      changes_.push_back({chunk_frames_, numbers});
    }
    shown_numbers_ = std::move(numbers);
  }
  if (chunk_frames_ == 0) changes_.push_back({0, shown_numbers_});
  ++chunk_frames_;
}

std::optional<uint32_t> RecordedLayers::NumberOf(const sim::DebugGuide& guide) {
  Json json = GuideJson(guide);
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto known = number_of_.find(text);
  if (known != number_of_.end()) return known->second;
  if (guides_.size() >= kGuidesMax ||
      line_count_ + guide.lines.size() > kGuideLinesMax) {
    return std::nullopt;
  }
  const auto number = static_cast<uint32_t>(guides_.size());
  number_of_.emplace(std::move(text), number);
  guides_.push_back(std::move(json));
  line_count_ += guide.lines.size();
  return number;
}

Json RecordedLayers::TakeGuides() {
  chunk_frames_ = 0;
  return std::exchange(changes_, Json::array());
}

Json RecordedLayers::GuideJson(const sim::DebugGuide& guide) const {
  Json lines = Json::array();
  for (const sim::DebugLine& line : guide.lines) {
    lines.push_back(IndexOf(line.start_object));
    lines.push_back(PlaceJson(line.start.x));
    lines.push_back(PlaceJson(line.start.y));
    lines.push_back(PlaceJson(line.start.z));
    lines.push_back(IndexOf(line.end_object));
    lines.push_back(PlaceJson(line.end.x));
    lines.push_back(PlaceJson(line.end.y));
    lines.push_back(PlaceJson(line.end.z));
    lines.push_back(static_cast<int>(line.role));
  }
  return {{"kind", NameOf(guide.kind)},
          {"name", guide.name},
          {"object", IndexOf(guide.owner)},
          {"is_active", guide.is_active},
          {"lines", std::move(lines)}};
}

}  // namespace reprise::replays

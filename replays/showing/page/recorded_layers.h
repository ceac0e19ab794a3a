// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a page has of a run beside objects, in the chunks of its poses:
// contacts, and the lines of joints, triggers, regions, paths and of where one
// can walk, told once and by when they are there.

#ifndef REPRISE_REPLAYS_SHOWING_PAGE_RECORDED_LAYERS_H_
#define REPRISE_REPLAYS_SHOWING_PAGE_RECORDED_LAYERS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "replays/showing/frame_stream.h"
#include "replays/showing/page/contact_codec.h"
#include "sim/debug_frame.h"

namespace reprise::replays {

class RecordedLayers {
 public:
  // `stream` must remain live.
  explicit RecordedLayers(const FrameStream* stream) : stream_(*stream) {}

  // Takes over the frame that the stream is at.
  void AddFrame();

  // Since the last chunk; the next frame begins a new one. Guides are [[frame,
  // [guide, ...]], ...] where others are there than in the frame before.
  std::string TakeContacts() { return contacts_.TakeChunk(); }
  nlohmann::json TakeGuides();

  // Whether any frame had one.
  bool has_contacts() const { return has_contacts_; }

  // All guides so far: kind, name, the object that a trigger is or -1, whether
  // it is active, and its lines, flat: of each end the object that carries it,
  // -1 for the world, and its place, then what the line stands for.
  const nlohmann::json& guides() const { return guides_; }

 private:
  // As many as a person can tell apart, and a browser draw.
  static constexpr size_t kGuidesMax = 20'000;
  // Of all guides together: 10 MB of a page. Later ones aren't there.
  static constexpr size_t kGuideLinesMax = 200'000;

  int64_t IndexOf(sim::ObjectId object) const;
  nlohmann::json GuideJson(const sim::DebugGuide& guide) const;
  // Its index among guides_, which may be new; nullopt where there are too
  // many.
  std::optional<uint32_t> NumberOf(const sim::DebugGuide& guide);

  const FrameStream& stream_;
  ContactEncoder contacts_;
  bool has_contacts_ = false;
  std::vector<sim::DebugGuide> shown_;  // those of the frame before
  std::vector<uint32_t> shown_numbers_;
  std::map<std::string, uint32_t> number_of_;  // by all that it says
  nlohmann::json guides_ = nlohmann::json::array();
  size_t line_count_ = 0;
  nlohmann::json changes_ = nlohmann::json::array();
  uint32_t chunk_frames_ = 0;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_PAGE_RECORDED_LAYERS_H_

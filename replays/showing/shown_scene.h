// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a replay looks like: objects with their shapes, which are told once, and
// where they are at a tick. All exports are made of these.

#ifndef REPRISE_REPLAYS_SHOWING_SHOWN_SCENE_H_
#define REPRISE_REPLAYS_SHOWING_SHOWN_SCENE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/content_digest.h"
#include "sim/base/digest.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/frame.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

// Frames a second, as a fraction; frame_rate.h reads and divides it.
struct FrameRate {
  uint32_t frames = 60;
  uint32_t seconds = 1;

  friend bool operator==(const FrameRate&, const FrameRate&) = default;
};

inline constexpr uint32_t kFrameRateSideMax = 1'000'000;

// Which run is shown, and which part of it.
struct ShownSource {
  sim::ContentDigest replay_digest;  // of the file's bytes
  std::string simulation;
  std::string pack;
  sim::ContentDigest pack_digest;  // of the pack that is played
  bool is_recorded_pack = true;    // and not one that was named instead
  uint64_t seed = 0;
  sim::TickRate tick_rate;
  // The ticks of the frames: first, first + every, ... up to last.
  sim::Tick first = 0;
  sim::Tick last = 0;
  uint64_t every = 1;
  // Where set, frames are at this rate, and lie between those ticks.
  std::optional<FrameRate> rate = {};
  // Names and types that were chosen, or patterns of them; empty: all.
  std::vector<std::string> objects = {};
};

// Red, green, blue from 0 to 1, as sRGB.
using ShownColour = std::array<double, 3>;

// A line in the world, above what it lies on.
struct DrawnLine {
  sim::Vector3 start;
  sim::Vector3 end;
  ShownColour colour = {};
  double width_px = 1.5;
};

// What all objects of a type are drawn in; follows from its name alone.
ShownColour ColourOfType(std::string_view type);

// An object as it looks. One whose shapes change while it is shown is another
// one of these from then on, with the same serial.
struct ShownObject {
  sim::ObjectId object;
  std::string name;
  std::string type;
  std::vector<sim::FrameShape> shapes;
};

// Where an object is.
struct ShownPose {
  uint32_t object = 0;       // index into the objects shown so far
  sim::Vector3 position;     // m
  sim::Quaternion rotation;  // unit

  friend bool operator==(const ShownPose&, const ShownPose&) = default;
};

struct ShownFrame {
  sim::Tick tick = 0;
  // How many ticks before that it lies. 0 unless frames have a rate of their
  // own: then poses lie between those of the frame before and those of `tick`,
  // and all else, digest, values and events, is that of `tick`.
  double ticks_before = 0;
  sim::Digest state;             // the root digest of the state it shows
  std::vector<ShownPose> poses;  // of what is there, in object order
  // What happened since the frame before, or in the step that led to this one
  // where those between weren't made.
  std::vector<sim::Event> events;

  // Its time in ticks since the run began.
  double time_ticks() const { return static_cast<double>(tick) - ticks_before; }
};

// The same in nanoseconds, rounded down; of a whole tick as sim::LogTimeNs has
// it.
uint64_t TimeNsOf(const ShownFrame& frame, sim::TickRate rate);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_SHOWN_SCENE_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the players give at the frames of a page, by its changes: what is held
// of devices, what happens to them at a tick, and commands.

#ifndef REPRISE_REPLAYS_SHOWING_PAGE_RECORDED_INPUTS_H_
#define REPRISE_REPLAYS_SHOWING_PAGE_RECORDED_INPUTS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "nlohmann/json.hpp"
#include "replays/format/input_source.h"
#include "replays/showing/frame_stream.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"

namespace reprise::replays {

// What a game takes: {"player_count", "controls": [{"name", "kind", "index"}]},
// in the order of its declaration, without what players don't hold or do by a
// device.
nlohmann::json DescribeControls(const sim::InputGrammar& grammar);

class RecordedInputs {
 public:
  // `stream` must remain live; `inputs` are those of its replay, from tick 0.
  RecordedInputs(const FrameStream* stream,
                 std::unique_ptr<InputSource> inputs);

  // Takes over the inputs of the frame that the stream is at: those of its own
  // tick, and the commands since the frame before. REQUIRES: frames go forward.
  // Errors are the source's.
  absl::Status AddFrame();

  // Since the last chunk, [[frame, player, given], ...] where it is other than
  // in the frame before; `given` leaves out what is at rest. The next frame
  // begins a new chunk.
  nlohmann::json TakeChunk();

  // The frames in which a player presses or releases something, or commands,
  // for a timeline; of so many no more.
  const nlohmann::json& marks() const { return marks_; }

 private:
  static constexpr size_t kMarksMax = 20'000;

  struct Player {
    sim::DeviceState device;
    nlohmann::json given = nlohmann::json::object();
  };

  absl::Status GoTo(sim::Tick tick);
  nlohmann::json GivenBy(uint32_t player) const;

  const FrameStream& stream_;
  const std::unique_ptr<InputSource> inputs_;
  std::vector<Player> players_;
  // Of the tick that was read last.
  std::vector<sim::InputFrame> frames_;
  std::vector<nlohmann::json> commands_;  // by player, since the frame before
  bool is_pressed_ = false;
  sim::Tick next_tick_ = 0;
  uint64_t frame_count_ = 0;
  uint32_t chunk_frames_ = 0;
  nlohmann::json changes_ = nlohmann::json::array();
  nlohmann::json marks_ = nlohmann::json::array();
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_PAGE_RECORDED_INPUTS_H_

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What recovery keeps of the messages of a damaged replay: those that a reader
// takes, up to the last tick that something stands for. Recovery's own.

#ifndef REPRISE_REPLAYS_RECORDING_RECOVERED_MESSAGES_H_
#define REPRISE_REPLAYS_RECORDING_RECOVERED_MESSAGES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "replays/container/mcap_records.h"
#include "replays/format/replay_metadata.h"
#include "reprise/v1/keyframe.pb.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"

namespace reprise::replays {

// OK if a run can be played over a message of `topic`, all of it: the inputs
// are such as a player can give, in order, at the time they say. DATA_LOSS says
// why not.
absl::Status CheckPlayable(std::string_view topic, const McapMessage& message,
                           const ReplayMetadata& metadata);

class RecoveredMessages {
 public:
  // Keeps the ticks below `end`. What is left out is added to `losses`. Both
  // remain live.
  RecoveredMessages(const ReplayMetadata* metadata, sim::Tick end,
                    std::vector<std::string>* losses)
      : metadata_(*metadata), end_(end), losses_(*losses) {}

  // What stands in the place of the next message of a file, at the same time;
  // none: nothing. What can stay is the same bytes. The parts of a state come
  // all together in the place of its last one.
  std::vector<std::string> Take(std::string_view topic,
                                const McapMessage& message);

  // What began and didn't end is lost. No other call of Take follows.
  void End();

  // Up to which tick all events were kept, where some were lost; 0 where
  // nothing says which.
  std::optional<sim::Tick> whole_events_end() const {
    return whole_events_end_;
  }

 private:
  std::optional<std::string> TakeInputs(const std::string& data) const;
  std::optional<std::string> TakeDigests(const std::string& data) const;
  std::optional<std::string> TakeEvents(const McapMessage& message,
                                        const std::string& data);
  std::optional<std::string> TakeEnd(const McapMessage& message,
                                     const std::string& data);
  std::vector<std::string> TakeKeyframe(const McapMessage& message,
                                        const std::string& data);
  // Adds a part to keyframe_. DATA_LOSS: it isn't the next one.
  absl::Status TakeStatePart(v1::Keyframe part);
  absl::Status CheckKeyframe(const McapMessage& message,
                             const v1::Keyframe& keyframe);
  void Lose(std::string_view topic, const McapMessage& message,
            const absl::Status& reason);

  const ReplayMetadata& metadata_;
  const sim::Tick end_;
  std::vector<std::string>& losses_;
  sim::Tick events_end_ = 0;
  uint64_t event_count_ = 0;  // of those that were kept
  std::optional<sim::Tick> whole_events_end_;
  v1::Keyframe keyframe_;           // what there is of one in several messages
  std::vector<std::string> parts_;  // the messages of it
  std::optional<sim::Tick> keyframe_tick_;  // of the last one that was kept
  std::string schema_;                      // of the first one
  std::shared_ptr<const sim::State> shape_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RECORDING_RECOVERED_MESSAGES_H_

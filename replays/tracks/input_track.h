// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// An input track: the inputs of a run as a person writes and reviews them, in
// the text form of the InputTrack message. With the description of its run it
// is a whole replay as text.

#ifndef REPRISE_REPLAYS_TRACKS_INPUT_TRACK_H_
#define REPRISE_REPLAYS_TRACKS_INPUT_TRACK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_writer.h"
#include "reprise/v1/input.pb.h"
#include "sim/base/content_digest.h"
#include "sim/base/tick.h"
#include "sim/input/input_grammar.h"

namespace reprise::replays {

// A longer text is refused before it is parsed: an hour of a person's inputs
// takes a few MiB.
inline constexpr uint64_t kInputTrackBytesMax = uint64_t{64} << 20;

// How the run of a track was made and recorded.
struct RunDescription {
  std::string simulation;  // empty: the one that the pack asks for
  std::optional<sim::ContentDigest> pack_digest;
  uint64_t seed = 0;
  ReplayWriterOptions writer;

  friend bool operator==(const RunDescription&,
                         const RunDescription&) = default;
};

struct InputTrack {
  std::string pack;  // the name of the pack it was made for; may be empty
  sim::Tick tick_count = 0;
  std::optional<RunDescription> run;
  std::vector<TickInputs> ticks;  // ascending, each below tick_count

  friend bool operator==(const InputTrack&, const InputTrack&) = default;
};

// Parses text protobuf. INVALID_ARGUMENT names `file_name`, line and column of
// what isn't an InputTrack, or the tick of what contradicts itself (not
// ascending, past the end, a frame that FromProto refuses, a text that isn't
// UTF-8).
absl::StatusOr<InputTrack> ParseInputTrack(std::string_view text,
                                           std::string_view file_name);

// The same as the message that stands there, commands by their names.
absl::StatusOr<v1::InputTrack> ParseTrackMessage(std::string_view text,
                                                 std::string_view file_name);

// A track of `message`, which `file_name` names in errors: as above, but that
// they have no line.
absl::StatusOr<InputTrack> ToInputTrack(const v1::InputTrack& message,
                                        std::string_view file_name);

// The text of a file of inputs. INVALID_ARGUMENT: it has no byte, or
// more than kInputTrackBytesMax. NOT_FOUND and the like as the system says.
absl::StatusOr<std::string> ReadInputText(const std::string& path);

// Reads and parses a file. NOT_FOUND and the like as the system says.
absl::StatusOr<InputTrack> ReadInputTrack(const std::string& path);

// The text that ParseInputTrack reads back to the same track. REQUIRES: every
// frame passes ValidateInputs with `grammar`.
std::string FormatInputTrack(const InputTrack& track,
                             const sim::InputGrammar& grammar);

// The text that ParseTrackMessage reads back to the same message.
std::string FormatTrackMessage(const v1::InputTrack& track);

// The same line by line, so that one change is one line of a diff: what the
// track is of, its length, and one tick.
std::string FormatTrackHead(const InputTrack& track);
std::string FormatTrackLength(sim::Tick tick_count);
std::string FormatTrackTick(const v1::TickInputs& inputs);

// Plays a track, which must remain live and unchanged meanwhile.
class TrackInputSource final : public InputSource {
 public:
  explicit TrackInputSource(const InputTrack* track) : track_(*track) {}

  absl::StatusOr<std::span<const sim::InputFrame>> FramesAt(
      sim::Tick tick) override;
  std::optional<sim::Tick> tick_count() const override {
    return track_.tick_count;
  }

 private:
  const InputTrack& track_;
  size_t next_ = 0;  // the first entry of the track that wasn't passed yet
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TRACKS_INPUT_TRACK_H_

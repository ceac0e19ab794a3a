// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/input_selection.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "replays/container/byte_file.h"
#include "replays/tracks/track_folder.h"
#include "sim/base/check.h"
#include "sim/input/input_frame.h"
#include "sim/input/random_input_source.h"
#include "tools/reprise/inputs/input_form.h"

namespace reprise::tools {
namespace {

// The first byte of every MCAP file. No text begins with it: in UTF-8 it only
// occurs within a character.
constexpr std::byte kMcapFirstByte{0x89};

class RandomInputs final : public replays::InputSource {
 public:
  RandomInputs(const sim::InputGrammar& grammar, uint64_t seed)
      : source_(grammar, seed) {}

  // The frames of a tick don't depend on which ticks were asked for: those in
  // between are drawn as well.
  absl::StatusOr<std::span<const sim::InputFrame>> FramesAt(
      sim::Tick tick) override {
    CHECK(tick >= next_tick_);
    for (; next_tick_ <= tick; ++next_tick_) frames_ = source_.Next();
    return frames_;
  }

  std::optional<sim::Tick> tick_count() const override { return std::nullopt; }

 private:
  sim::RandomInputSource source_;
  sim::Tick next_tick_ = 0;
  std::vector<sim::InputFrame> frames_;
};

absl::StatusOr<replays::InputTrack> ReadTrack(const std::string& path) {
  const InputForm form = InputFormOf(path);
  if (form == InputForm::kTrack) return replays::ReadWholeTrack(path);
  const absl::StatusOr<v1::InputTrack> track = ReadInputs(path, form);
  if (!track.ok()) return track.status();
  return replays::ToInputTrack(*track, path);
}

}  // namespace

absl::StatusOr<bool> IsReplay(const std::string& path) {
  const absl::StatusOr<std::unique_ptr<replays::FileSource>> file =
      replays::FileSource::Open(path);
  if (!file.ok()) return file.status();
  if ((*file)->size() == 0) return false;
  std::array<std::byte, 1> first;
  const absl::Status status = (*file)->ReadAt(0, first);
  if (!status.ok()) return status;
  return first[0] == kMcapFirstByte;
}

absl::StatusOr<InputFile> InputFile::Open(const std::string& path) {
  InputFile file;
  const absl::StatusOr<bool> is_replay = IsReplay(path);
  if (!is_replay.ok()) return is_replay.status();
  if (*is_replay) {
    absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
        replays::ReplayReader::OpenFile(path);
    if (!replay.ok()) return replay.status();
    file.replay_ = *std::move(replay);
  } else {
    absl::StatusOr<replays::InputTrack> track = ReadTrack(path);
    if (!track.ok()) return track.status();
    file.track_ = *std::move(track);
  }
  return file;
}

std::unique_ptr<replays::InputSource> InputFile::Read() const {
  if (replay_ != nullptr) return replay_->ReadInputs();
  return std::make_unique<replays::TrackInputSource>(&track_);
}

const std::string& InputFile::pack() const {
  return replay_ != nullptr ? replay_->metadata().pack : track_.pack;
}

std::unique_ptr<replays::InputSource> MakeRandomInputs(
    const sim::InputGrammar& grammar, uint64_t seed) {
  return std::make_unique<RandomInputs>(grammar, seed);
}

}  // namespace reprise::tools

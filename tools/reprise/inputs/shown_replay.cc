// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/shown_replay.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "replays/showing/frame_rate.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"

namespace reprise::tools {

std::vector<std::string> SplitNames(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (const std::string& some : given) {
    for (const absl::string_view name :
         absl::StrSplit(some, ',', absl::SkipEmpty())) {
      names.emplace_back(absl::StripAsciiWhitespace(name));
    }
  }
  return names;
}

std::vector<Flag> FrameFlags::flags() {
  return {
      {"from", "TICK", "The first frame. 0 if unset.", &first},
      {"to", "TICK", "The last frame. The end of the replay if unset.", &last},
      {"every", "N", "Only every Nth tick, from the first on. 1 if unset.",
       &every},
      {"pack", "PACK", "The pack of a replay that doesn't hold it.", &pack},
  };
}

Flag FrameFlags::objects_flag() {
  return {"objects", "NAME,...",
          "Only objects that are called so, or are of a type that is; * stands "
          "for any characters. All if unset.",
          &objects};
}

Flag FrameFlags::rate_flag() {
  return {"rate", "FRAMES",
          "So many frames a second, as 60, 29.97 or 30000/1001: what lies "
          "between two ticks is between their poses. A frame each --every "
          "ticks if unset.",
          &rate};
}

absl::StatusOr<std::optional<replays::FrameRate>> FrameFlags::ParseRate()
    const {
  if (!rate.has_value()) return std::nullopt;
  const absl::StatusOr<replays::FrameRate> parsed =
      replays::ParseFrameRate(*rate);
  if (parsed.ok()) return *parsed;
  return absl::InvalidArgumentError(
      fmt::format("--rate: {}", std::string(parsed.status().message())));
}

absl::Status FrameFlags::Check() const {
  if (every == 0) {
    return absl::InvalidArgumentError("--every takes 1 or more");
  }
  if (last.has_value() && *last < first) {
    return absl::InvalidArgumentError("--to lies before --from");
  }
  return ParseRate().status();
}

absl::StatusOr<ShownReplay> ShownReplay::Open(const std::string& path,
                                              const FrameFlags& frames,
                                              Wishes wishes, Console& console) {
  absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      OpenReplayFile(path, console);
  if (!replay.ok()) return replay.status();
  absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(frames.pack);
  if (!pack.ok()) return pack.status();
  ShownReplay shown(*std::move(replay), *std::move(pack));
  const absl::Status status = shown.Start(frames, wishes);
  if (!status.ok()) return status;
  NoteOtherPack(path, *shown.replay_, shown.stream_->simulation(), console);
  return shown;
}

absl::Status ShownReplay::Start(const FrameFlags& frames, Wishes wishes) {
  const absl::StatusOr<std::optional<replays::FrameRate>> rate =
      frames.ParseRate();
  if (!rate.ok()) return rate.status();
  absl::StatusOr<std::unique_ptr<replays::FrameStream>> stream =
      replays::FrameStream::Open(replay_.get(),
                                 {.first = frames.first,
                                  .last = frames.last,
                                  .every = frames.every,
                                  .rate = *rate,
                                  .reverse = wishes.reverse,
                                  .keeps_events = wishes.keeps_events,
                                  .objects = SplitNames(frames.objects),
                                  .pack = pack_ ? &*pack_ : nullptr});
  if (!stream.ok()) return stream.status();
  stream_ = *std::move(stream);
  return absl::OkStatus();
}

}  // namespace reprise::tools

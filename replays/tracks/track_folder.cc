// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/tracks/track_folder.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/input_source.h"
#include "sim/base/digest.h"

namespace reprise::replays {
namespace {

constexpr std::string_view kOpening = "goes_on_from: \"";
constexpr std::string_view kMiddle = "\" at_tick: ";
constexpr std::string_view kTrackEnd = ".txtpb";

// A file of the same folder, and none that leads out of it.
bool IsTrackName(std::string_view name) {
  return name.size() > kTrackEnd.size() && name.ends_with(kTrackEnd) &&
         std::ranges::all_of(name, [](char letter) {
           return (letter >= 'a' && letter <= 'z') ||
                  (letter >= '0' && letter <= '9') || letter == '.' ||
                  letter == '_';
         });
}

std::string_view FirstLine(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

// The same with what `track` is behind its first line, which stays one, so that
// others keep their numbers.
std::string WithoutFirstLine(std::string_view text) {
  return std::string(text.substr(FirstLine(text).size()));
}

}  // namespace

StoredTrack::~StoredTrack() {
  while (before != nullptr && before.use_count() == 1) {
    // Held twice until the one between is gone, which then ends nothing else.
    std::shared_ptr<const StoredTrack> next = before->before;
    before = std::move(next);
  }
}

InputTrack WholeTrackOf(const StoredTrack& stored) {
  // Of each, from the last to the first, its own inputs below a tick.
  std::vector<std::span<const TickInputs>> parts;
  sim::Tick end = stored.track.tick_count;
  for (const StoredTrack* one = &stored; one != nullptr;
       one = one->before.get()) {
    const std::vector<TickInputs>& ticks = one->track.ticks;
    const auto last =
        std::ranges::lower_bound(ticks, end, {}, &TickInputs::tick);
    parts.emplace_back(ticks.begin(), last);
    end = std::min(end, one->begin);
  }
  InputTrack whole = {.pack = stored.track.pack,
                      .tick_count = stored.track.tick_count,
                      .run = stored.track.run,
                      .ticks = {}};
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    whole.ticks.insert(whole.ticks.end(), part->begin(), part->end());
  }
  return whole;
}

std::string FormatStoredTrack(const std::optional<TrackBeginning>& beginning,
                              const InputTrack& track,
                              const sim::InputGrammar& grammar) {
  std::string text = FormatInputTrack(track, grammar);
  if (!beginning) return text;
  return fmt::format("{}{}{}{}\n{}", kOpening, beginning->file, kMiddle,
                     beginning->tick, text);
}

std::string TrackFileNameOf(std::string_view text) {
  return sim::FormatDigest(sim::DigestOf(std::as_bytes(std::span(text)))) +
         std::string(kTrackEnd);
}

absl::StatusOr<std::optional<TrackBeginning>> ParseTrackBeginning(
    std::string_view text, std::string_view file_name) {
  std::string_view line = FirstLine(text);
  if (!line.starts_with("goes_on_from")) return std::nullopt;
  const absl::Status refused = absl::InvalidArgumentError(
      fmt::format("{}:1:1: it is to be: {}NAME{}{}TICK", file_name, kOpening,
                  kTrackEnd, kMiddle));
  if (!line.starts_with(kOpening)) return refused;
  line.remove_prefix(kOpening.size());
  const size_t middle = line.find(kMiddle);
  if (middle == std::string_view::npos) return refused;
  TrackBeginning beginning{.file = std::string(line.substr(0, middle)),
                           .tick = 0};
  line.remove_prefix(middle + kMiddle.size());
  const auto [end, error] =
      std::from_chars(line.data(), line.data() + line.size(), beginning.tick);
  if (error != std::errc() || end != line.data() + line.size() ||
      beginning.tick > sim::kTickMax || !IsTrackName(beginning.file)) {
    return refused;
  }
  return beginning;
}

// A file that was read, whose beginning wasn't.
struct TrackFolder::Entry {
  std::string name;
  std::optional<TrackBeginning> beginning;
  std::shared_ptr<StoredTrack> stored;
};

absl::StatusOr<TrackFolder::Entry> TrackFolder::Open(
    const std::string& name) const {
  const std::string path = folder_ + "/" + name;
  const absl::StatusOr<std::string> text = ReadInputText(path);
  if (!text.ok()) return text.status();
  auto beginning = ParseTrackBeginning(*text, path);
  if (!beginning.ok()) return beginning.status();
  absl::StatusOr<InputTrack> track =
      beginning->has_value() ? ParseInputTrack(WithoutFirstLine(*text), path)
                             : ParseInputTrack(*text, path);
  if (!track.ok()) return track.status();
  Entry entry{.name = name,
              .beginning = *std::move(beginning),
              .stored = std::make_shared<StoredTrack>()};
  StoredTrack& stored = *entry.stored;
  stored.track = *std::move(track);
  stored.is_named_by_digest = name == TrackFileNameOf(*text);
  if (!entry.beginning) return entry;
  stored.begin = entry.beginning->tick;
  stored.before_file = entry.beginning->file;
  if (stored.track.tick_count < stored.begin ||
      (!stored.track.ticks.empty() &&
       stored.track.ticks.front().tick < stored.begin)) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: it goes on from tick {}, and has inputs or ends before", path,
        stored.begin));
  }
  return entry;
}

// With what it goes on from, which was read.
absl::StatusOr<std::shared_ptr<const StoredTrack>> TrackFolder::Join(
    Entry entry) const {
  if (!entry.beginning) return entry.stored;
  const auto refuse = [this, &entry](std::string_view reason) {
    return absl::FailedPreconditionError(
        fmt::format("{}/{}: it goes on from {}, {}", folder_, entry.name,
                    entry.beginning->file, reason));
  };
  const auto& before = tracks_.find(entry.beginning->file)->second;
  if (absl::IsNotFound(before.status())) return refuse("which isn't there");
  if (!before.ok()) return refuse("which can't be read");
  if (!(*before)->is_named_by_digest) return refuse("which was changed");
  if ((*before)->track.tick_count < entry.stored->begin) {
    return refuse("which is shorter");
  }
  entry.stored->before = *before;
  return entry.stored;
}

absl::StatusOr<std::shared_ptr<const StoredTrack>> TrackFolder::Read(
    const std::string& name) {
  // From the last to the first that is known, or has no beginning.
  std::vector<Entry> entries;
  std::set<std::string, std::less<>> names;
  for (std::string next = name; !tracks_.contains(next);) {
    absl::StatusOr<Entry> entry = Open(next);
    if (entry.ok() && !names.insert(next).second) {
      entry = absl::FailedPreconditionError(
          fmt::format("{}/{}: it goes on from itself", folder_, next));
    }
    if (!entry.ok()) {
      tracks_.emplace(next, entry.status());
      break;
    }
    const bool is_whole = !entry->beginning.has_value();
    std::string before = is_whole ? "" : entry->beginning->file;
    entries.push_back(*std::move(entry));
    if (is_whole) break;
    next = std::move(before);
  }
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const std::string of = entry->name;
    // One that goes on from itself has been told.
    if (!tracks_.contains(of)) tracks_.emplace(of, Join(std::move(*entry)));
  }
  return tracks_.find(name)->second;
}

absl::StatusOr<InputTrack> ReadWholeTrack(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "." : path.substr(0, slash);
  const std::string name =
      slash == std::string::npos ? path : path.substr(slash + 1);
  const absl::StatusOr<std::string> text = ReadInputText(path);
  if (!text.ok()) return text.status();
  const auto beginning = ParseTrackBeginning(*text, path);
  if (!beginning.ok()) return beginning.status();
  // As it always was, its path in errors as it was given.
  if (!beginning->has_value()) return ParseInputTrack(*text, path);
  const auto stored = TrackFolder(folder).Read(name);
  if (!stored.ok()) return stored.status();
  return WholeTrackOf(**stored);
}

}  // namespace reprise::replays

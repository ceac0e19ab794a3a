// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/frame_stream.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "replays/store/hash_content.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

bool IsSameShape(const sim::FrameShape& a, const sim::FrameShape& b) {
  return a.kind == b.kind && a.position == b.position &&
         a.rotation == b.rotation && a.size == b.size && a.mesh == b.mesh;
}

bool IsFinite(const ShownPose& pose) {
  const auto& [index, position, rotation] = pose;
  return sim::IsFinite(position.x) && sim::IsFinite(position.y) &&
         sim::IsFinite(position.z) && sim::IsFinite(rotation.x) &&
         sim::IsFinite(rotation.y) && sim::IsFinite(rotation.z) &&
         sim::IsFinite(rotation.w);
}

// Whether `text` is what `pattern` says, in which * is any characters.
bool Matches(std::string_view pattern, std::string_view text) {
  size_t star = std::string_view::npos;  // the last one that was passed
  size_t retry = 0;  // what of the text comes behind it if this try fails
  size_t at = 0;
  for (size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      retry = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

absl::Status CheckRange(const ReplayReader& replay,
                        const FrameStreamOptions& options) {
  const sim::Tick end = replay.tick_count();
  const sim::Tick last = options.last.value_or(end);
  if (last > end || options.first > last) {
    return absl::InvalidArgumentError(fmt::format(
        "it has the ticks 0 to {}, not {} to {}", end, options.first, last));
  }
  if (options.every == 0) {
    return absl::InvalidArgumentError(
        "of every 0th tick there are no frames: 1 or more is wanted");
  }
  constexpr uint64_t kTicksMax = FrameSchedule::kTicksMax;
  if (options.rate.has_value() &&
      (last - options.first > kTicksMax || options.every > kTicksMax)) {
    return absl::InvalidArgumentError(
        fmt::format("frames have a rate in at most {} ticks, and between every "
                    "{}th at most",
                    kTicksMax, kTicksMax));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<FrameStream>> FrameStream::Open(
    const ReplayReader* replay, const FrameStreamOptions& options) {
  absl::Status status = CheckRange(*replay, options);
  if (!status.ok()) return replay->file().Named(status);
  const absl::StatusOr<sim::ContentDigest> digest =
      HashContent(replay->file().source());
  if (!digest.ok()) return replay->file().Named(digest.status());
  absl::StatusOr<std::unique_ptr<ReplayPlayer>> player =
      ReplayPlayer::Create(replay, options.pack);
  if (!player.ok()) return player.status();

  const sim::Simulation& simulation = (*player)->simulation();
  const sim::SimulationInfo& info = simulation.info();
  ShownSource source = {
      .replay_digest = *digest,
      .simulation = info.simulation,
      .pack = info.pack,
      .pack_digest = info.pack_digest,
      .is_recorded_pack = PlaysRecordedPack(*replay, simulation),
      .seed = info.seed,
      .tick_rate = info.tick_rate,
      .first = options.first,
      .last = options.last.value_or(replay->tick_count()),
      .every = options.every,
      .rate = options.rate,
      .objects = options.objects,
  };
  return std::unique_ptr<FrameStream>(
      new FrameStream(options, std::move(source), *std::move(player)));
}

FrameStream::FrameStream(const FrameStreamOptions& options, ShownSource source,
                         std::unique_ptr<ReplayPlayer> player)
    : options_(options),
      source_(std::move(source)),
      player_(std::move(player)),
      meshes_(player_->simulation().FrameMeshes()),
      schedule_(source_.rate
                    ? std::optional<FrameSchedule>(
                          std::in_place, *source_.rate, source_.tick_rate,
                          source_.every, stride_count() - 1)
                    : std::nullopt) {}

uint64_t FrameStream::frame_count() const {
  return schedule_ ? schedule_->frame_count() : stride_count();
}

uint64_t FrameStream::stride_count() const {
  return (source_.last - source_.first) / source_.every + 1;
}

sim::Tick FrameStream::StrideTick(uint64_t index) const {
  return options_.reverse ? source_.last - index * source_.every
                          : source_.first + index * source_.every;
}

sim::Tick FrameStream::TickOf(uint64_t index) const {
  DCHECK(index < frame_count());
  if (!schedule_) return StrideTick(index);
  const auto [frame, part] = schedule_->PlaceOf(index);
  return StrideTick(part > 0 ? frame + 1 : frame);
}

absl::StatusOr<bool> FrameStream::Next() {
  if (next_ == frame_count()) return false;
  absl::Status status = GoToPlace(schedule_ ? schedule_->PlaceOf(next_)
                                            : FrameSchedule::Place{next_, 0});
  if (!status.ok()) return status;
  ++next_;
  return true;
}

// The events of the last step are always those of the frame: what a query asks
// of a tick is the same at any stride.
absl::Status FrameStream::GoTo(sim::Tick tick) {
  sim::Simulation& simulation = player_->simulation();
  const sim::Tick near = tick == 0 ? 0 : tick - 1;
  const bool steps_all = options_.keeps_events && visited_.has_value();
  if (!steps_all) {
    absl::Status status = player_->SeekTo(near);
    if (!status.ok()) return status;
    simulation.DrainEvents();
    events_.clear();
  }
  while (simulation.tick() < tick) {
    absl::Status status = player_->Step();
    if (!status.ok()) return status;
    std::ranges::move(simulation.DrainEvents(), std::back_inserter(events_));
  }
  return absl::OkStatus();
}

// Produces a frame at `every`, if it isn't the one that was produced last.
absl::Status FrameStream::Visit(uint64_t index) {
  if (visited_ == index) return absl::OkStatus();
  absl::Status status = GoTo(StrideTick(index));
  if (!status.ok()) return status;
  visited_ = index;
  const sim::Simulation& simulation = player_->simulation();
  there_before_ = std::exchange(there_, simulation.ProduceFrame().objects);
  frame_.tick = simulation.tick();
  frame_.state = simulation.state().ComputeRootDigest();
  return absl::OkStatus();
}

// Both ends of the way, where it lies on one; they may be there already.
absl::Status FrameStream::GoToPlace(const FrameSchedule::Place& place) {
  const bool is_between = place.part > 0;
  if (!is_between || visited_ != place.frame + 1) {
    absl::Status status = Visit(place.frame);
    if (status.ok() && is_between) status = Visit(place.frame + 1);
    if (!status.ok()) return status;
  }
  frame_.ticks_before = 0;
  if (!is_between) {
    TakeEvents(is_between);
    return Show(schedule_ ? there_ : std::move(there_));
  }
  const auto way = static_cast<double>(source_.every);
  frame_.ticks_before = (1.0 - place.part) * (options_.reverse ? -way : way);
  TakeEvents(is_between);
  std::vector<sim::FrameObject> between = there_before_;
  MoveTowards(there_, place.part, between);
  return Show(std::move(between));
}

// Where each is told once, it is when its time has come; otherwise what is
// asked of a frame is answered by those of its tick.
void FrameStream::TakeEvents(bool is_between) {
  if (!options_.keeps_events && schedule_) {
    frame_.events = events_;
    return;
  }
  if (!is_between) {
    frame_.events = std::exchange(events_, {});
    return;
  }
  const auto tick = static_cast<sim::Tick>(frame_.time_ticks());
  const auto later = std::ranges::find_if(
      events_, [&](const sim::Event& event) { return event.tick >= tick; });
  frame_.events.assign(std::make_move_iterator(events_.begin()),
                       std::make_move_iterator(later));
  events_.erase(events_.begin(), later);
}

absl::Status FrameStream::Show(std::vector<sim::FrameObject> objects) {
  frame_.poses.clear();
  first_new_object_ = objects_.size();
  for (sim::FrameObject& object : objects) {
    if (!IsChosen(object.name, object.type)) continue;
    const ShownPose pose = {ShownIndexOf(object), object.position,
                            object.rotation};
    if (!IsFinite(pose)) {
      return absl::DataLossError(
          fmt::format("tick {}: {} is at no place: its position or rotation "
                      "isn't finite",
                      frame_.tick, objects_[pose.object].name));
    }
    frame_.poses.push_back(pose);
  }
  return absl::OkStatus();
}

bool FrameStream::IsChosen(std::string_view name, std::string_view type) const {
  const std::vector<std::string>& patterns = source_.objects;
  return patterns.empty() ||
         std::ranges::any_of(patterns, [&](const std::string& pattern) {
           return Matches(pattern, name) || Matches(pattern, type);
         });
}

std::optional<uint32_t> FrameStream::IndexOf(sim::ObjectId object) const {
  const auto known = index_of_.find(object.serial);
  if (known == index_of_.end()) return std::nullopt;
  return known->second;
}

uint32_t FrameStream::ShownIndexOf(sim::FrameObject& object) {
  const auto next = static_cast<uint32_t>(objects_.size());
  const auto [known, is_new] =
      index_of_.try_emplace(object.object.serial, next);
  if (!is_new && std::ranges::equal(objects_[known->second].shapes,
                                    object.shapes, IsSameShape)) {
    return known->second;
  }
  known->second = next;
  objects_.push_back({object.object, std::move(object.name),
                      std::move(object.type), std::move(object.shapes)});
  return next;
}

}  // namespace reprise::replays

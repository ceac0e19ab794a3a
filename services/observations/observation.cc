// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/observations/observation.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/state/state.h"

namespace reprise::services {
namespace {

// A digest and its tick.
constexpr uint64_t kDigestBytes = 18;

}  // namespace

absl::StatusOr<Observation> Observation::Parse(
    const v1::Observe& declaration, const sim::Simulation& simulation,
    uint64_t bytes_max, const PlayerView* view) {
  Observation observation(bytes_max);
  observation.digest_every_ticks_ = declaration.digest_every_ticks();
  if (view != nullptr && !declaration.groups().empty()) {
    return ObservationError(
        "groups", "this player sees frames and events, as its view says");
  }
  absl::Status parsed = observation.ParseGroups(declaration, simulation);
  if (!parsed.ok()) return parsed;
  if (declaration.has_events()) {
    parsed = observation.ParseEvents(declaration.events(), simulation);
    if (!parsed.ok()) return parsed;
  }
  if (view != nullptr) view->Narrow(observation.events_);
  if (!declaration.has_frames()) return observation;
  auto frames = ShownFrames::Parse(declaration.frames(), "frames",
                                   view == nullptr ? nullptr : &view->interest,
                                   simulation, bytes_max);
  if (!frames.ok()) return frames.status();
  observation.frames_ = *std::move(frames);
  return observation;
}

absl::Status Observation::ParseGroups(const v1::Observe& declaration,
                                      const sim::Simulation& simulation) {
  if (declaration.groups_size() > kObservedGroupsMax) {
    return ObservationTooLargeError(
        "groups", fmt::format("{} groups, more than {}",
                              declaration.groups_size(), kObservedGroupsMax));
  }
  uint32_t field_count = 0;
  uint64_t text_bytes = 0;
  for (int i = 0; i < declaration.groups_size(); ++i) {
    const std::string path = fmt::format("groups[{}]", i);
    auto group = ObservedGroup::Parse(declaration.groups(i), path, simulation);
    if (!group.ok()) return group.status();
    field_count += group->field_count();
    text_bytes += group->text_bytes();
    if (field_count > kObservedFieldsMax) {
      return ObservationTooLargeError(
          path + ".fields", fmt::format("with this group {} fields, more than "
                                        "{}",
                                        field_count, kObservedFieldsMax));
    }
    if (text_bytes > kObservedTextBytesMax) {
      return ObservationTooLargeError(
          path, fmt::format("with this group expressions of {} bytes are "
                            "computed, more than {}",
                            text_bytes, kObservedTextBytesMax));
    }
    groups_.push_back(*std::move(group));
  }
  return absl::OkStatus();
}

absl::Status Observation::ParseEvents(const v1::EventFilter& filter,
                                      const sim::Simulation& simulation) {
  const auto& types = filter.types();
  if (types.size() > kEventTypesMax) {
    return ObservationTooLargeError(
        "events.types",
        fmt::format("{} types, more than {}", types.size(), kEventTypesMax));
  }
  std::set<sim::Id>& heard = events_.emplace();
  for (int i = 0; i < types.size(); ++i) {
    const sim::Id type = sim::IdOf(types[i]);
    if (simulation.IdName(type) != types[i]) {
      return ObservationError(fmt::format("events.types[{}]", i),
                              fmt::format("no event '{}'", types[i]));
    }
    heard.insert(type);
  }
  return absl::OkStatus();
}

void Observation::CountInto(std::shared_ptr<TenantMemory> memory) {
  if (frames_.has_value()) frames_->CountInto(std::move(memory));
}

v1::ObservationLayout Observation::Describe() const {
  v1::ObservationLayout layout;
  for (const ObservedGroup& group : groups_) {
    *layout.add_groups() = group.Describe();
  }
  return layout;
}

bool Observation::Hears(sim::Id event_type) const {
  return !events_.has_value() || events_->contains(event_type);
}

void Observation::Begin() {
  bytes_ = 0;
  for (ObservedGroup& group : groups_) group.Begin();
}

void Observation::Acknowledge(uint64_t frame) {
  if (frames_.has_value()) frames_->Acknowledge(frame);
}

void Observation::ObserveTick(const ObservedTick& tick,
                              v1::Observations& observations) {
  const auto is_due = [&](uint32_t every_ticks) {
    return every_ticks > 0 && tick.simulation.tick() % every_ticks == 0;
  };
  Observe(
      tick,
      [&](const ObservedGroup& group) { return is_due(group.every_ticks()); },
      frames_.has_value() && frames_->IsDue(tick.simulation.tick()),
      observations);
  if (!is_due(digest_every_ticks_)) return;
  AddDigest(tick, observations);
  bytes_ += kDigestBytes;
}

void Observation::ObserveEnd(const ObservedTick& tick,
                             v1::Observations& observations) {
  Observe(
      tick, [](const ObservedGroup& group) { return group.every_ticks() == 0; },
      frames_.has_value() && frames_->every_ticks() == 0, observations);
}

void Observation::ObserveAll(const ObservedTick& tick,
                             v1::Observations& observations) {
  Observe(
      tick, [](const ObservedGroup&) { return true; }, frames_.has_value(),
      observations);
  if (digest_every_ticks_ > 0) AddDigest(tick, observations);
}

template <typename IsDue>
void Observation::Observe(const ObservedTick& tick, IsDue is_due,
                          bool shows_frame, v1::Observations& observations) {
  uint64_t bytes_left = bytes_max_;
  for (size_t i = 0; i < groups_.size(); ++i) {
    if (!is_due(groups_[i])) continue;
    groups_[i].Observe(tick, static_cast<uint32_t>(i), bytes_left,
                       observations);
  }
  if (shows_frame) frames_->Show(tick, bytes_left, observations);
  bytes_ += bytes_max_ - bytes_left;
}

void Observation::AddDigest(const ObservedTick& tick,
                            v1::Observations& observations) {
  observations.add_digest_ticks(tick.simulation.tick());
  observations.add_digests(tick.simulation.state().ComputeRootDigest().value);
}

}  // namespace reprise::services

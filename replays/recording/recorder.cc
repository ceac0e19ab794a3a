// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/recording/recorder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/tick.h"

namespace reprise::replays {

Recorder::Recorder(sim::Simulation* simulation, ReplayWriter* writer)
    : simulation_(*simulation),
      writer_(*writer),
      held_(simulation->info().inputs.player_count) {
  CHECK(simulation_.tick() == 0, "tick {}", simulation_.tick());
  RecordState();
}

Recorder::Recorder(sim::Simulation* simulation, ReplayWriter* writer,
                   RecordedPast past)
    : simulation_(*simulation),
      writer_(*writer),
      root_(simulation->state().ComputeRootDigest()),
      chain_(past.chain),
      held_(std::move(past.held)) {
  CHECK(simulation_.tick() > 0);
  CHECK(held_.size() == simulation_.info().inputs.player_count,
        "{} devices of {} players", held_.size(),
        simulation_.info().inputs.player_count);
}

absl::Status Recorder::Step(std::span<const sim::InputFrame> frames,
                            sim::PhaseObserver* observer) {
  if (!recording_status_.ok()) return recording_status_;
  absl::Status status = simulation_.Validate(frames);
  if (!status.ok()) return status;
  changed_.clear();
  for (const sim::InputFrame& frame : frames) {
    sim::DeviceState& held = held_[frame.player];
    if (frame.Repeats(held)) continue;
    held = frame.device;
    changed_.push_back(frame);
  }
  std::ranges::sort(changed_, {}, &sim::InputFrame::player);

  const sim::Tick tick = simulation_.tick();
  simulation_.Step(frames, observer);
  if (!simulation_.status().ok()) return simulation_.status();
  std::vector<sim::Event> events = simulation_.DrainEvents();
  recording_status_ = writer_.AddTick(tick, changed_, events);
  std::ranges::move(events, std::back_inserter(events_));
  RecordState();
  return recording_status_;
}

void Recorder::RecordState() {
  root_ = simulation_.state().ComputeRootDigest();
  chain_ = sim::ExtendChain(chain_, root_);
  if (!recording_status_.ok()) return;
  recording_status_ =
      writer_.AddState(simulation_.tick(), simulation_.state(), root_, chain_);
}

std::vector<sim::Event> Recorder::DrainEvents() {
  return std::exchange(events_, {});
}

absl::Status Recorder::Flush() {
  if (!recording_status_.ok()) return recording_status_;
  recording_status_ = writer_.Flush();
  return recording_status_;
}

absl::Status Recorder::FlushEarly() {
  if (!recording_status_.ok()) return recording_status_;
  recording_status_ = writer_.FlushEarly();
  return recording_status_;
}

absl::Status Recorder::Finish() {
  if (!recording_status_.ok()) return recording_status_;
  recording_status_ = writer_.Finish({.tick_count = simulation_.tick(),
                                      .outcome = simulation_.outcome(),
                                      .root = root_,
                                      .chain = chain_});
  return recording_status_;
}

}  // namespace reprise::replays

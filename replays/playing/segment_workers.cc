// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/playing/segment_workers.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "replays/playing/replay_player.h"

namespace reprise::replays {
namespace {

// Soon for a progress bar, and long before anybody takes it for a hang.
constexpr std::chrono::milliseconds kLookInterval(100);

}  // namespace

absl::StatusOr<std::vector<sim::Tick>> CutAtKeyframes(
    const ReplayReader& replay, uint64_t count) {
  const sim::Tick ticks = replay.tick_count();
  std::vector<sim::Tick> begins = {0};
  for (uint64_t i = 1; i < count; ++i) {
    // ticks * i / count, which could overflow.
    const absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
        replay.FindKeyframe(ticks / count * i + ticks % count * i / count);
    if (!keyframe.ok()) return keyframe.status();
    if (!keyframe->has_value()) continue;
    const sim::Tick tick = (*keyframe)->tick;
    if (tick > begins.back() && tick + 1 < ticks) {
      begins.push_back(tick);
    }
  }
  return begins;
}

absl::Status SegmentWorkers::Run(const ReplayReader& replay,
                                 const sim::PackArchive* pack, uint32_t threads,
                                 sim::Simulation& simulation, Work work,
                                 OnWaiting on_waiting) {
  std::vector<std::unique_ptr<sim::Simulation>> simulations;
  const size_t count = std::min<size_t>(threads, segment_count_);
  while (simulations.size() + 1 < count) {
    absl::StatusOr<std::unique_ptr<sim::Simulation>> created =
        CreateRecordedSimulation(replay, pack);
    if (!created.ok()) return created.status();
    simulations.push_back(*std::move(created));
  }
  std::vector<std::thread> others;
  others.reserve(simulations.size());
  others_at_work_ = simulations.size();
  for (const std::unique_ptr<sim::Simulation>& other : simulations) {
    others.emplace_back([this, &other, work] {
      WorkOff(*other, /*is_callers_thread=*/false, work);
      const std::scoped_lock lock(mutex_);
      --others_at_work_;
      has_ended_.notify_one();
    });
  }
  WorkOff(simulation, /*is_callers_thread=*/true, work);
  WaitForOthers(on_waiting);
  for (std::thread& other : others) other.join();
  return absl::OkStatus();
}

void SegmentWorkers::WaitForOthers(OnWaiting on_waiting) {
  sim::Tick ticks_told = ticks_done_;
  std::unique_lock lock(mutex_);
  while (others_at_work_ > 0) {
    has_ended_.wait_for(lock, kLookInterval);
    const sim::Tick ticks_done = ticks_done_;
    if (others_at_work_ == 0 || ticks_done == ticks_told) continue;
    ticks_told = ticks_done;
    lock.unlock();
    on_waiting(ticks_done);
    lock.lock();
  }
}

void SegmentWorkers::EndBehind(size_t segment) {
  size_t last = last_wanted_;
  while (segment < last && !last_wanted_.compare_exchange_weak(last, segment)) {
  }
}

void SegmentWorkers::WorkOff(sim::Simulation& simulation,
                             bool is_callers_thread, Work work) {
  while (true) {
    const size_t segment = next_.fetch_add(1);
    if (segment >= segment_count_ || !IsWanted(segment)) return;
    work(segment, simulation, is_callers_thread);
  }
}

}  // namespace reprise::replays

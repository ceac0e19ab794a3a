// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/verifier.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/replay_player.h"
#include "replays/verification_segment.h"
#include "sim/base/check.h"
#include "sim/base/state.h"

namespace reprise::replays {
namespace {

// Short enough that the last segments end together: one thread waits for
// another for a thirtieth of the time, on average. A start costs a few ticks,
// and segments are seldom shorter than recorders' 600.
constexpr uint32_t kSegmentsPerThread = 16;

// How far a segment came.
struct SegmentSlot {
  sim::Tick begin = 0;
  sim::Tick end = 0;
  std::optional<absl::StatusOr<SegmentResult>> result;  // unset: not run

  bool is_right() const {
    return result.has_value() && result->ok() && (*result)->divergences.empty();
  }
};

// The segments of one replay, run by as many threads as were asked for.
class SegmentRuns {
 public:
  SegmentRuns(const ReplayReader& replay, const VerifyOptions& options,
              std::vector<SegmentSlot> segments)
      : replay_(replay), options_(options), segments_(std::move(segments)) {}

  // This thread is one of them, and works on `simulation`, at tick 0. NOT_FOUND
  // and so on where another one can't be created.
  absl::Status Run(sim::Simulation& simulation) {
    // The others may be done before this thread gets a segment.
    if (options_.progress) {
      absl::Status status = options_.progress(0, replay_.tick_count());
      if (!status.ok()) return status;
    }
    std::vector<std::unique_ptr<sim::Simulation>> simulations;
    const size_t count = std::min<size_t>(options_.threads, segments_.size());
    while (simulations.size() + 1 < count) {
      absl::StatusOr<std::unique_ptr<sim::Simulation>> created =
          CreateRecordedSimulation(replay_, options_.pack);
      if (!created.ok()) return created.status();
      simulations.push_back(*std::move(created));
    }
    std::vector<std::thread> threads;
    threads.reserve(simulations.size());
    for (const std::unique_ptr<sim::Simulation>& other : simulations) {
      threads.emplace_back(
          [this, &other] { WorkOff(*other, /*reports_progress=*/false); });
    }
    WorkOff(simulation, /*reports_progress=*/true);
    for (std::thread& thread : threads) thread.join();
    return progress_status_;
  }

  std::vector<SegmentSlot>& segments() { return segments_; }

 private:
  void WorkOff(sim::Simulation& simulation, bool reports_progress) {
    const sim::State start = simulation.state();
    while (true) {
      const size_t i = next_.fetch_add(1);
      if (i >= segments_.size() || i > last_wanted_) return;
      SegmentSlot& segment = segments_[i];
      segment.result.emplace(
          RunSegment(i, start, simulation, reports_progress));
      const bool ends_all = options_.on_divergence != OnDivergence::kResync ||
                            !segment.result->ok();
      if (ends_all && !segment.is_right()) NotWantedBehind(i);
    }
  }

  absl::StatusOr<SegmentResult> RunSegment(size_t i, const sim::State& start,
                                           sim::Simulation& simulation,
                                           bool reports_progress) {
    const SegmentSlot& segment = segments_[i];
    sim::Digest chain;
    absl::Status status;
    if (segment.begin == 0) {
      status =
          simulation.tick() == 0 ? absl::OkStatus() : simulation.Restore(start);
    } else {
      const absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
          replay_.FindKeyframe(segment.begin);
      if (!keyframe.ok()) return keyframe.status();
      CHECK(keyframe->has_value());
      chain = (*keyframe)->chain;
      status = RestoreKeyframe(**keyframe, simulation);
    }
    if (!status.ok()) return status;
    sim::Tick last_tick = segment.begin;
    const ProgressCallback progress = [&](sim::Tick tick, sim::Tick) {
      ticks_done_ += tick - std::exchange(last_tick, tick);
      return Progress(i, reports_progress);
    };
    return VerificationSegment(&replay_, &simulation, chain, segment.end,
                               options_, progress)
        .Run();
  }

  absl::Status Progress(size_t segment, bool reports_progress) {
    if (segment > last_wanted_) return absl::CancelledError("not wanted");
    if (!reports_progress || !options_.progress) return absl::OkStatus();
    absl::Status status = options_.progress(ticks_done_, replay_.tick_count());
    if (!status.ok()) {
      progress_status_ = status;
      NotWantedBehind(0);
    }
    return status;
  }

  void NotWantedBehind(size_t segment) {
    size_t last = last_wanted_;
    while (segment < last &&
           !last_wanted_.compare_exchange_weak(last, segment)) {
    }
  }

  const ReplayReader& replay_;
  const VerifyOptions& options_;
  std::vector<SegmentSlot> segments_;
  std::atomic<size_t> next_ = 0;
  std::atomic<size_t> last_wanted_ = SIZE_MAX;
  std::atomic<sim::Tick> ticks_done_ = 0;
  absl::Status progress_status_;  // of the thread that reports
};

// Cuts the replay at keyframes, into about equally many ticks each.
absl::StatusOr<std::vector<SegmentSlot>> PlanSegments(
    const ReplayReader& replay, uint32_t threads) {
  const sim::Tick tick_count = replay.tick_count();
  std::vector<SegmentSlot> segments(1);
  const uint64_t count =
      threads == 1 ? 1 : uint64_t{threads} * kSegmentsPerThread;
  for (uint64_t i = 1; i < count; ++i) {
    const absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
        replay.FindKeyframe(tick_count / count * i);
    if (!keyframe.ok()) return keyframe.status();
    if (!keyframe->has_value()) continue;
    const sim::Tick tick = (*keyframe)->tick;
    if (tick <= segments.back().begin || tick >= tick_count) continue;
    segments.back().end = tick;
    segments.push_back({.begin = tick, .end = 0, .result = std::nullopt});
  }
  segments.back().end = tick_count;
  return segments;
}

// The report that one run through all segments would have given.
absl::StatusOr<VerificationReport> Merge(OnDivergence on_divergence,
                                         std::vector<SegmentSlot>& segments) {
  VerificationReport report;
  std::vector<Divergence> divergences;
  std::string foreign_keyframe_reason;
  for (SegmentSlot& segment : segments) {
    if (!segment.result.has_value()) break;
    if (!segment.result->ok()) return segment.result->status();
    SegmentResult& result = **segment.result;
    report.ticks_verified += result.ticks_verified;
    report.digests_compared += result.digests_compared;
    report.digests_different += result.digests_different;
    report.root = result.root;
    report.chain = result.chain;
    report.outcome = result.outcome;
    if (foreign_keyframe_reason.empty()) {
      foreign_keyframe_reason = result.foreign_keyframe_reason;
    }
    std::ranges::move(result.divergences, std::back_inserter(divergences));
    if (!divergences.empty() && on_divergence != OnDivergence::kResync) break;
  }
  if (!foreign_keyframe_reason.empty()) {
    report.remarks.notes.push_back("the keyframes could not be compared: " +
                                   foreign_keyframe_reason);
  }
  if (divergences.empty()) return report;
  if (divergences.size() > kLaterDivergencesMax + 1) {
    report.remarks.notes.push_back(
        fmt::format("{} more differences were found",
                    divergences.size() - kLaterDivergencesMax - 1));
    divergences.resize(kLaterDivergencesMax + 1);
  }
  report.divergence = std::move(divergences.front());
  report.later_divergences.assign(
      std::make_move_iterator(divergences.begin() + 1),
      std::make_move_iterator(divergences.end()));
  return report;
}

void Remark(const ReplayReader& replay, const sim::Simulation& simulation,
            VerificationReport& report) {
  ReplayRemarks remarks = CompareWithRun(replay.metadata(), simulation);
  if (!replay.is_complete()) {
    remarks.warnings.push_back(
        fmt::format("the recording was cut off; {} ticks of it are left",
                    replay.tick_count()));
  }
  if (!report.divergence.has_value() &&
      report.ticks_verified < report.tick_count) {
    remarks.notes.push_back(
        fmt::format("no digest was recorded of the ticks from {} to {}",
                    report.ticks_verified + 1, report.tick_count));
  }
  std::ranges::move(report.remarks.notes, std::back_inserter(remarks.notes));
  report.remarks = std::move(remarks);
}

absl::StatusOr<VerificationReport> VerifyOn(const ReplayReader& replay,
                                            const VerifyOptions& options,
                                            sim::Simulation& simulation) {
  absl::StatusOr<std::vector<SegmentSlot>> segments =
      PlanSegments(replay, options.threads);
  if (!segments.ok()) return segments.status();
  SegmentRuns runs(replay, options, *std::move(segments));
  const absl::Status status = runs.Run(simulation);
  if (!status.ok()) return status;
  return Merge(options.on_divergence, runs.segments());
}

}  // namespace

absl::StatusOr<VerificationReport> VerifyReplay(const ReplayReader& replay,
                                                const VerifyOptions& options) {
  CHECK(options.threads >= 1 && options.threads <= kVerifyThreadsMax,
        "{} threads", options.threads);
  const absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreateRecordedSimulation(replay, options.pack);
  if (!simulation.ok()) return simulation.status();
  const sim::State start = (*simulation)->state();
  if (options.on_remarks) {
    options.on_remarks(CompareWithRun(replay.metadata(), **simulation));
  }

  VerifyOptions side_by_side = options;
  if (options.pack != nullptr) side_by_side.threads = 1;
  if (options.threads > 1 && options.on_divergence == OnDivergence::kContinue) {
    side_by_side.on_divergence = OnDivergence::kStop;
  }
  absl::StatusOr<VerificationReport> report =
      VerifyOn(replay, side_by_side, **simulation);
  // Keyframes of other tables start no segment; and behind a difference there
  // is one way to continue.
  const bool is_foreign = absl::IsFailedPrecondition(report.status());
  const bool is_left_off = report.ok() && report->divergence.has_value() &&
                           side_by_side.on_divergence != options.on_divergence;
  if (side_by_side.threads > 1 && (is_foreign || is_left_off)) {
    VerifyOptions in_a_row = options;
    in_a_row.threads = 1;
    const absl::Status status = (*simulation)->Restore(start);
    if (!status.ok()) return status;
    report = VerifyOn(replay, in_a_row, **simulation);
  }
  if (!report.ok()) return report.status();
  report->tick_count = replay.tick_count();
  Remark(replay, **simulation, *report);
  return report;
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/verifying/verifier.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/event_flood.h"
#include "replays/format/replay_damage.h"
#include "replays/format/whole_replay.h"
#include "replays/playing/kept_simulations.h"
#include "replays/playing/replay_player.h"
#include "replays/playing/segment_workers.h"
#include "replays/verifying/room_verification.h"
#include "replays/verifying/verification_segment.h"
#include "sim/base/check.h"
#include "sim/state/state.h"

namespace reprise::replays {
namespace {

// Short enough that the last segments end together: one thread waits for
// another for a thirtieth of the time, on average. A start costs a few ticks,
// and segments are seldom shorter than recorders' 600.
constexpr uint32_t kSegmentsPerThread = 16;

// Some ticks of a replay in a row, and how they went.
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
      : replay_(replay),
        options_(options),
        segments_(std::move(segments)),
        workers_(segments_.size()) {}

  // This thread is one of them, and works on `simulation`, at tick 0. NOT_FOUND
  // and so on where another one can't be created.
  absl::Status Run(sim::Simulation& simulation) {
    // The others may be done before this thread gets a segment.
    if (options_.progress) {
      absl::Status status = options_.progress(0, replay_.tick_count());
      if (!status.ok()) return status;
    }
    absl::Status status = workers_.Run(
        replay_, options_.pack, options_.threads, simulation,
        [this](size_t i, sim::Simulation& own, bool reports_progress) {
          RunSegment(i, own, reports_progress);
        },
        [this](sim::Tick ticks_done) {
          const absl::Status ignored = Report(ticks_done);  // it is kept
        });
    return status.ok() ? progress_status_ : status;
  }

  std::vector<SegmentSlot>& segments() { return segments_; }

 private:
  void RunSegment(size_t i, sim::Simulation& simulation,
                  bool reports_progress) {
    SegmentSlot& segment = segments_[i];
    segment.result.emplace(Verify(i, simulation, reports_progress));
    const bool ends_all = options_.on_divergence != OnDivergence::kResync ||
                          !segment.result->ok();
    if (ends_all && !segment.is_right()) workers_.EndBehind(i);
  }

  absl::StatusOr<SegmentResult> Verify(size_t i, sim::Simulation& simulation,
                                       bool reports_progress) {
    const SegmentSlot& segment = segments_[i];
    sim::Digest chain;
    if (segment.begin > 0) {
      const absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
          replay_.FindKeyframe(segment.begin);
      if (!keyframe.ok()) return keyframe.status();
      CHECK(keyframe->has_value());
      chain = (*keyframe)->chain;
      absl::Status status = RestoreKeyframe(**keyframe, simulation);
      if (!status.ok()) return status;
    }
    sim::Tick last_tick = segment.begin;
    const ProgressCallback progress = [&](sim::Tick tick, sim::Tick) {
      const sim::Tick ticks_done =
          workers_.AddTicks(tick - std::exchange(last_tick, tick));
      if (!workers_.IsWanted(i)) return absl::CancelledError("not wanted");
      return reports_progress ? Report(ticks_done) : absl::OkStatus();
    };
    return VerificationSegment(&replay_, &simulation, chain, segment.end,
                               options_, progress)
        .Run();
  }

  // Of the thread that asked for all this.
  absl::Status Report(sim::Tick ticks_done) {
    if (!options_.progress || !progress_status_.ok()) return progress_status_;
    progress_status_ = options_.progress(ticks_done, replay_.tick_count());
    if (!progress_status_.ok()) workers_.EndBehind(0);
    return progress_status_;
  }

  const ReplayReader& replay_;
  const VerifyOptions& options_;
  std::vector<SegmentSlot> segments_;
  SegmentWorkers workers_;
  absl::Status progress_status_;
};

absl::StatusOr<std::vector<SegmentSlot>> PlanSegments(
    const ReplayReader& replay, uint32_t threads) {
  const absl::StatusOr<std::vector<sim::Tick>> begins = CutAtKeyframes(
      replay, threads == 1 ? 1 : uint64_t{threads} * kSegmentsPerThread);
  if (!begins.ok()) return begins.status();
  std::vector<SegmentSlot> segments;
  for (const sim::Tick begin : *begins) {
    if (!segments.empty()) segments.back().end = begin;
    segments.push_back(
        {.begin = begin, .end = replay.tick_count(), .result = std::nullopt});
  }
  return segments;
}

// Whether `divergence` is a claim of which the first stands for all behind it.
bool IsToldOnce(const Divergence& divergence) {
  return divergence.kind == Divergence::Kind::kEvents ||
         divergence.kind == Divergence::Kind::kBranch;
}

// Adds those of another segment behind the ones before.
void AddDivergences(std::vector<Divergence>& added,
                    std::vector<Divergence>& divergences) {
  for (Divergence& divergence : added) {
    const bool is_told =
        IsToldOnce(divergence) &&
        std::ranges::any_of(divergences, [&](const Divergence& before) {
          return before.kind == divergence.kind;
        });
    if (!is_told) divergences.push_back(std::move(divergence));
  }
}

// The report that one run through all segments would have given.
absl::StatusOr<VerificationReport> Merge(OnDivergence on_divergence,
                                         std::vector<SegmentSlot>& segments) {
  VerificationReport report;
  std::vector<Divergence> divergences;
  std::string foreign_keyframe_reason;
  std::string foreign_event_reason;
  std::optional<sim::Tick> events_lacking_from;
  EventFlood flood;
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
    flood.Add(result.flood);
    report.stepping_seconds +=
        std::chrono::duration<double>(result.stepping_time).count();
    if (foreign_keyframe_reason.empty()) {
      foreign_keyframe_reason = result.foreign_keyframe_reason;
    }
    if (foreign_event_reason.empty()) {
      foreign_event_reason = result.foreign_event_reason;
    }
    if (!events_lacking_from.has_value()) {
      events_lacking_from = result.events_lacking_from;
    }
    AddDivergences(result.divergences, divergences);
    if (!divergences.empty() && on_divergence != OnDivergence::kResync) break;
  }
  if (!foreign_event_reason.empty()) {
    report.remarks.notes.push_back("other rules make other events: " +
                                   foreign_event_reason);
  }
  if (events_lacking_from.has_value()) {
    report.remarks.notes.push_back(
        fmt::format("events are compared up to tick {} only: behind it the "
                    "replay lacks some",
                    *events_lacking_from));
  }
  if (flood.is_found()) report.remarks.warnings.push_back(flood.Format());
  if (divergences.empty()) {
    if (!foreign_keyframe_reason.empty()) {
      report.not_covered.push_back("keyframes that can't be compared: " +
                                   foreign_keyframe_reason);
    }
    return report;
  }
  if (!foreign_keyframe_reason.empty()) {
    report.remarks.notes.push_back("the keyframes could not be compared: " +
                                   foreign_keyframe_reason);
  }
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

// What the run couldn't be held against. What `recover` saved was cut off, too,
// but is a whole file: nobody takes it for more than it is.
void NoteNotCovered(const ReplayReader& replay, VerificationReport& report) {
  if (report.divergence.has_value() || report.rooms.has_value()) {
    report.not_covered.clear();
    return;
  }
  if (report.ticks_verified > 0 && report.ticks_verified < report.tick_count) {
    report.not_covered.insert(
        report.not_covered.begin(),
        fmt::format("the ticks from {} to {}, of which no digest was recorded",
                    report.ticks_verified + 1, report.tick_count));
  }
  if (!replay.is_complete() && replay.file().recovery().has_value()) {
    report.not_covered.push_back(
        fmt::format("what stood behind tick {}: {}", report.tick_count,
                    replay.is_being_written() ? "it is still being written"
                                              : "the file ends too early"));
  }
}

void Remark(const ReplayReader& replay, const sim::Simulation& simulation,
            VerificationReport& report) {
  ReplayRemarks remarks = CompareWithRun(replay.metadata(), simulation);
  if (const std::optional<ReplayDamage> damage = FindDamage(replay)) {
    remarks.warnings.push_back(damage->Format());
  }
  NoteNotCovered(replay, report);
  std::ranges::move(report.remarks.notes, std::back_inserter(remarks.notes));
  std::ranges::move(report.remarks.warnings,
                    std::back_inserter(remarks.warnings));
  report.remarks = std::move(remarks);
}

// What the file says of itself and isn't so, whatever the run does. A
// difference that was found says more.
void CheckEventCount(const ReplayReader& replay, const WholeReplay& whole,
                     VerificationReport& report) {
  std::optional<std::string> wrong = FindWrongEventCount(replay, whole);
  if (!wrong.has_value() || report.divergence.has_value()) return;
  Divergence& claim = report.divergence.emplace();
  claim.kind = Divergence::Kind::kEvents;
  claim.last_equal_tick = replay.tick_count();
  claim.first_different_tick = replay.tick_count();
  claim.remark = *std::move(wrong);
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
      options.simulations != nullptr
          ? options.simulations->Create(replay, options.pack)
          : CreateRecordedSimulation(replay, options.pack);
  if (!simulation.ok()) return simulation.status();
  const sim::State start = (*simulation)->state();
  if (options.on_remarks) {
    options.on_remarks(CompareWithRun(replay.metadata(), **simulation));
  }

  const absl::StatusOr<WholeReplay> whole =
      CheckWholeReplay(replay, [&options, &replay] {
        return options.progress ? options.progress(0, replay.tick_count())
                                : absl::OkStatus();
      });
  if (!whole.ok()) return whole.status();
  const absl::StatusOr<std::shared_ptr<const sim::State>> recorded =
      replay.ReadShape();
  if (!recorded.ok()) return recorded.status();
  if (*recorded != nullptr && PlaysRecordedPack(replay, **simulation) &&
      !(*recorded)->CheckSameShape(start).ok()) {
    absl::StatusOr<VerificationReport> report =
        VerifyRooms(replay, **recorded, **simulation, options);
    if (!report.ok()) return report.status();
    report->tick_count = replay.tick_count();
    CheckEventCount(replay, *whole, *report);
    Remark(replay, **simulation, *report);
    return report;
  }

  VerifyOptions side_by_side = options;
  if (!PlaysRecordedPack(replay, **simulation)) side_by_side.threads = 1;
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
  CheckEventCount(replay, *whole, *report);
  Remark(replay, **simulation, *report);
  return report;
}

}  // namespace reprise::replays

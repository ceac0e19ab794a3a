// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/replay_query.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/input_source.h"
#include "replays/playing/recorded_run.h"
#include "replays/playing/replay_player.h"
#include "replays/playing/segment_workers.h"
#include "replays/query/query.h"
#include "replays/query/query_writers.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/event.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {
namespace {

// Short enough that the last parts end together, long enough that their starts
// cost nothing.
constexpr uint64_t kPartsPerThread = 4;

// Tells how far it has come; false: nobody wants the rest any more.
using GoesOn = std::function<bool()>;

// Some ticks of a replay in a row. One that doesn't begin at tick 0 starts from
// a keyframe and only takes note of the tick behind that; the part before looks
// at it, as it knows what changed there. So a part looks at one tick more than
// the next one begins with.
struct Part {
  sim::Tick begin = 0;                 // the tick of its first state
  std::optional<sim::Tick> next;       // where the next part begins
  sim::Tick end = 0;                   // the last tick it looks at
  std::optional<QueryFindings> found;  // unset: it wasn't played to its end
  absl::Status status;                 // of playing it
  bool is_started = false;
  sim::Digest begin_root;
  sim::Digest next_root;  // of the state at tick `next`
  bool is_done = false;   // nothing later could add to what it found
};

// Plays one part on a simulation that is at its first state.
class PartRun {
 public:
  PartRun(const ReplayReader& replay, const Query& query,
          const ReplayQueryOptions& options, sim::Simulation& simulation,
          Part& part, const GoesOn& goes_on)
      : query_(query),
        options_(options),
        simulation_(simulation),
        part_(part),
        goes_on_(goes_on),
        inputs_(replay.ReadInputs(part.begin)),
        search_(&query, options.aim, options.limit) {}

  void Run() {
    const std::vector<sim::Event> events = simulation_.DrainEvents();
    if (part_.begin == 0) {
      part_.is_done = !search_.Look(simulation_, events);
    } else {
      part_.begin_root = simulation_.state().ComputeRootDigest();
    }
    while (!part_.is_done && simulation_.tick() < part_.end) {
      if (!goes_on_()) return;
      part_.status = MakeTick();
      if (!part_.status.ok()) return;
    }
    part_.found = search_.findings();
  }

 private:
  absl::Status MakeTick() {
    const sim::Tick tick = simulation_.tick();
    const absl::StatusOr<std::span<const sim::InputFrame>> frames =
        inputs_->FramesAt(tick);
    if (!frames.ok()) return frames.status();
    const absl::Status status = simulation_.Validate(*frames);
    if (!status.ok()) {
      return absl::DataLossError(
          fmt::format("the recorded inputs of tick {}: {}", tick,
                      std::string(status.message())));
    }
    const bool wants_writers =
        options_.aim == QueryAim::kChanges &&
        search_.findings().changes.size() < options_.limit;
    if (wants_writers) before_ = simulation_.state();
    simulation_.Step(*frames, /*observer=*/nullptr);
    if (!simulation_.status().ok()) return simulation_.status();
    const std::vector<sim::Event> events = simulation_.DrainEvents();
    if (part_.next == tick + 1) {
      part_.next_root = simulation_.state().ComputeRootDigest();
    }
    if (part_.begin > 0 && part_.begin == tick) {
      search_.Start(simulation_, events);
      return absl::OkStatus();
    }
    part_.is_done = !search_.Look(simulation_, events);
    return wants_writers ? NameWriters(*frames) : absl::OkStatus();
  }

  // Makes the tick once more, where it changed something, and watches who does.
  absl::Status NameWriters(std::span<const sim::InputFrame> frames) {
    if (search_.last_changes().empty()) return absl::OkStatus();
    const absl::Status status = simulation_.Restore(before_);
    if (!status.ok()) return status;
    QueryWriters writers(&query_, &simulation_);
    simulation_.Step(frames, &writers);
    if (!simulation_.status().ok()) return simulation_.status();
    simulation_.DrainEvents();
    for (QueryChange& change : search_.last_changes()) {
      change.writer = writers.WriterOf(change.key);
    }
    return absl::OkStatus();
  }

  const Query& query_;
  const ReplayQueryOptions& options_;
  sim::Simulation& simulation_;
  Part& part_;
  const GoesOn& goes_on_;
  const std::unique_ptr<InputSource> inputs_;
  QuerySearch search_;
  sim::State before_;  // the last tick, where somebody asks for it
};

// The parts of one replay, played by as many threads as were asked for.
class PartRuns {
 public:
  PartRuns(const ReplayReader& replay, const Query& query,
           const ReplayQueryOptions& options, std::vector<Part> parts)
      : replay_(replay),
        query_(query),
        options_(options),
        parts_(std::move(parts)),
        workers_(parts_.size()) {}

  // This thread is one of them, and works on `simulation`, at tick 0.
  absl::Status Run(sim::Simulation& simulation) {
    return workers_.Run(
        replay_, options_.pack, options_.threads, simulation,
        [this](size_t i, sim::Simulation& own, bool reports_progress) {
          RunPart(i, own, reports_progress);
        },
        [](sim::Tick) {});
  }

  // What one run through all parts would have found; nullopt where they don't
  // lead from one to the next.
  absl::StatusOr<std::optional<QueryFindings>> Merge() {
    QueryFindings findings;
    const Part* before = nullptr;
    for (Part& part : parts_) {
      const bool is_linked =
          before == nullptr || before->next_root == part.begin_root;
      if (!part.is_started || !is_linked) return std::nullopt;
      if (!part.status.ok()) return part.status;
      CHECK(part.found.has_value());
      AppendFindings(options_.aim, options_.limit, *std::move(part.found),
                     findings);
      if (part.is_done) break;
      before = &part;
    }
    return findings;
  }

 private:
  void RunPart(size_t i, sim::Simulation& simulation, bool reports_progress) {
    Part& part = parts_[i];
    part.is_started = part.begin == 0 || StartAt(part.begin, simulation);
    if (part.is_started) {
      const GoesOn goes_on = [&] {
        const sim::Tick ticks_done = workers_.AddTicks(1);
        if (reports_progress && options_.progress) {
          options_.progress(ticks_done);
        }
        return workers_.IsWanted(i);
      };
      PartRun(replay_, query_, options_, simulation, part, goes_on).Run();
    }
    if (!part.is_started || !part.status.ok() || part.is_done) {
      workers_.EndBehind(i);
    }
  }

  // A keyframe that is damaged or of other tables is none: nobody needs it.
  bool StartAt(sim::Tick tick, sim::Simulation& simulation) {
    const absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
        replay_.FindKeyframe(tick);
    return keyframe.ok() && keyframe->has_value() &&
           (*keyframe)->tick == tick &&
           RestoreKeyframe(**keyframe, simulation).ok();
  }

  const ReplayReader& replay_;
  const Query& query_;
  const ReplayQueryOptions& options_;
  std::vector<Part> parts_;
  SegmentWorkers workers_;
};

// One part where the keyframes can't be read.
std::vector<Part> PlanParts(const ReplayReader& replay, uint32_t threads) {
  const std::vector<sim::Tick> begins =
      CutAtKeyframes(replay,
                     threads == 1 ? 1 : uint64_t{threads} * kPartsPerThread)
          .value_or(std::vector<sim::Tick>{0});
  std::vector<Part> parts;
  for (const sim::Tick begin : begins) {
    if (!parts.empty()) {
      parts.back().next = begin;
      parts.back().end = begin + 1;
    }
    Part& part = parts.emplace_back();
    part.begin = begin;
    part.end = replay.tick_count();
  }
  return parts;
}

}  // namespace

absl::StatusOr<QueryFindings> QueryReplay(const ReplayReader& replay,
                                          std::string_view expression,
                                          const ReplayQueryOptions& options) {
  CHECK(options.threads >= 1 && options.threads <= kQueryThreadsMax,
        "{} threads", options.threads);
  const absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreateRecordedOrShown(&replay, options.pack);
  if (!simulation.ok()) return simulation.status();
  const absl::StatusOr<Query> query = Query::Parse(expression, **simulation);
  if (!query.ok()) return query.status();
  absl::Status status = QuerySearch::CheckAim(*query, options.aim);
  if (!status.ok()) return status;

  const sim::State start = (*simulation)->state();
  const bool has_parts =
      PlaysRecordedPack(replay, **simulation) && !IsRecordingAlone(replay);
  const uint32_t threads = has_parts ? options.threads : 1;
  PartRuns side_by_side(replay, *query, options, PlanParts(replay, threads));
  status = side_by_side.Run(**simulation);
  if (!status.ok()) return status;
  absl::StatusOr<std::optional<QueryFindings>> findings = side_by_side.Merge();
  if (!findings.ok()) return findings.status();
  if (findings->has_value()) return **std::move(findings);

  status = (*simulation)->Restore(start);
  if (!status.ok()) return status;
  PartRuns in_a_row(replay, *query, options, PlanParts(replay, /*threads=*/1));
  status = in_a_row.Run(**simulation);
  if (!status.ok()) return status;
  findings = in_a_row.Merge();
  if (!findings.ok()) return findings.status();
  CHECK(findings->has_value());
  return **std::move(findings);
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/replay_query.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/input_source.h"
#include "replays/query/query.h"
#include "replays/query/query_writers.h"
#include "replays/replay_player.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/base/state.h"
#include "sim/event.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"

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
        parts_(std::move(parts)) {}

  // This thread is one of them, and works on `simulation`, at tick 0.
  absl::Status Run(sim::Simulation& simulation) {
    std::vector<std::unique_ptr<sim::Simulation>> simulations;
    const size_t count = std::min<size_t>(options_.threads, parts_.size());
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
    return absl::OkStatus();
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
  void WorkOff(sim::Simulation& simulation, bool reports_progress) {
    while (true) {
      const size_t i = next_.fetch_add(1);
      if (i >= parts_.size() || i > last_wanted_) return;
      Part& part = parts_[i];
      // The first part is the first that anybody takes, at tick 0.
      part.is_started = part.begin == 0 || StartAt(part.begin, simulation);
      if (part.is_started) {
        const GoesOn goes_on = [&] { return GoOn(i, reports_progress); };
        PartRun(replay_, query_, options_, simulation, part, goes_on).Run();
      }
      if (!part.is_started || !part.status.ok() || part.is_done) {
        NotWantedBehind(i);
      }
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

  bool GoOn(size_t part, bool reports_progress) {
    const sim::Tick ticks_done = ++ticks_done_;
    if (reports_progress && options_.progress) options_.progress(ticks_done);
    return part <= last_wanted_;
  }

  void NotWantedBehind(size_t part) {
    size_t last = last_wanted_;
    while (part < last && !last_wanted_.compare_exchange_weak(last, part)) {
    }
  }

  const ReplayReader& replay_;
  const Query& query_;
  const ReplayQueryOptions& options_;
  std::vector<Part> parts_;
  std::atomic<size_t> next_ = 0;
  std::atomic<size_t> last_wanted_ = SIZE_MAX;
  std::atomic<sim::Tick> ticks_done_ = 0;
};

// Cuts the replay at keyframes, into about equally many ticks each. Where they
// can't be read there is one part.
std::vector<Part> PlanParts(const ReplayReader& replay, uint32_t threads) {
  const sim::Tick tick_count = replay.tick_count();
  std::vector<Part> parts(1);
  const uint64_t count = threads == 1 ? 1 : uint64_t{threads} * kPartsPerThread;
  for (uint64_t i = 1; i < count; ++i) {
    const absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
        replay.FindKeyframe(tick_count / count * i);
    if (!keyframe.ok() || !keyframe->has_value()) continue;
    const sim::Tick tick = (*keyframe)->tick;
    if (tick <= parts.back().begin || tick + 1 >= tick_count) continue;
    parts.back().next = tick;
    parts.back().end = tick + 1;
    parts.emplace_back().begin = tick;
  }
  parts.back().end = tick_count;
  return parts;
}

}  // namespace

absl::StatusOr<QueryFindings> QueryReplay(const ReplayReader& replay,
                                          std::string_view expression,
                                          const ReplayQueryOptions& options) {
  CHECK(options.threads >= 1 && options.threads <= kQueryThreadsMax,
        "{} threads", options.threads);
  const absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreateRecordedSimulation(replay, options.pack);
  if (!simulation.ok()) return simulation.status();
  const absl::StatusOr<Query> query = Query::Parse(expression, **simulation);
  if (!query.ok()) return query.status();
  absl::Status status = QuerySearch::CheckAim(*query, options.aim);
  if (!status.ok()) return status;

  const sim::State start = (*simulation)->state();
  // The keyframes are of the recorded pack.
  const uint32_t threads = options.pack == nullptr ? options.threads : 1;
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

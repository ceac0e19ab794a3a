// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/differences/diff_builds.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "replays/comparing/capsule.h"
#include "replays/comparing/divergence_growth.h"
#include "replays/comparing/keyframe_search.h"
#include "replays/comparing/replay_comparison.h"
#include "replays/format/replay_reader.h"
#include "replays/verifying/divergence.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "tools/reprise/differences/capsule_file.h"
#include "tools/reprise/differences/state_json_comparison.h"
#include "tools/reprise/terminal/child_program.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/terminal/scratch_folder.h"

namespace reprise::tools {
namespace {

// Ticks between the keyframes of both recordings: what is made again to look
// closer is at most a second of play. Digests are of every tick.
constexpr sim::Tick kKeyframeTicks = 60;

// What the states of every tick of a run may come to, before compression, to be
// recorded: some seconds of work, and a tenth of it on the disk.
constexpr uint64_t kAllStatesBytesMax = uint64_t{1} << 30;

// Looks at states that have no digest in common, each of two processes that
// take some hundredths of a second to start.
constexpr sim::Tick kLooksMax = 64;

// One of the two builds, and what it made of the replay.
class Build {
 public:
  Build(std::string name, std::string program, std::string recording)
      : name_(std::move(name)),
        program_(std::move(program)),
        recording_(std::move(recording)) {}

  const std::string& name() const { return name_; }
  const replays::ReplayReader& replay() const { return *replay_; }

  absl::Status Record(const std::string& replay) {
    absl::StatusOr<std::unique_ptr<replays::ReplayReader>> opened =
        RecordAs(recording_, replay, kKeyframeTicks);
    if (!opened.ok()) return opened.status();
    replay_ = *std::move(opened);
    return absl::OkStatus();
  }

  // The same run once more, with the state of every tick. RESOURCE_EXHAUSTED:
  // that would be too much.
  absl::StatusOr<std::unique_ptr<replays::ReplayReader>> RecordAllStates() {
    const auto first = replay_->FindKeyframe(0);
    if (!first.ok()) return first.status();
    const sim::Tick ticks = std::max<sim::Tick>(1, replay_->tick_count());
    if (!first->has_value() ||
        (*first)->state.size() > kAllStatesBytesMax / ticks) {
      return absl::ResourceExhaustedError("the states are too large");
    }
    return RecordAs(recording_ + ".states.mcap", recording_, 1);
  }

  // All ticks that this build has made, in whichever process.
  sim::Tick ticks_stepped() const { return ticks_stepped_; }

  // The recorded roots of the ticks from `begin` to `end`.
  absl::StatusOr<std::vector<sim::Digest>> RootsWithin(sim::Tick begin,
                                                       sim::Tick end) const {
    const auto digests = replay_->ReadDigests(begin);
    std::vector<sim::Digest> roots;
    for (sim::Tick tick = begin; tick <= end; ++tick) {
      const auto entry = digests->Next();
      if (!entry.ok()) return entry.status();
      if (!entry->has_value() || (*entry)->tick != tick) {
        return absl::InvalidArgumentError(
            fmt::format("{}: the digest of tick {} is missing", name_, tick));
      }
      roots.push_back((*entry)->root);
    }
    return roots;
  }

  // Of this tick, `key` of what `reprise inspect` says.
  absl::StatusOr<Json> Inspect(sim::Tick tick, bool changes) {
    CountTicks(tick, changes ? tick + 1 : tick);
    std::vector<std::string> words = {"inspect", recording_, "--tick",
                                      std::to_string(tick)};
    if (changes) words.emplace_back("--changes");
    absl::StatusOr<Json> answer = Ask(std::move(words));
    if (!answer.ok()) return answer.status();
    return (*answer)[changes ? "phases" : "rooms"];
  }

 private:
  absl::StatusOr<std::unique_ptr<replays::ReplayReader>> RecordAs(
      const std::string& recording, const std::string& replay,
      sim::Tick keyframe_ticks) {
    const absl::StatusOr<Json> answer =
        Ask({"run", "--inputs", replay, "--record", recording,
             "--digest-stride", "1", "--keyframe-stride",
             std::to_string(keyframe_ticks), "--keyframe-bytes-per-tick", "0"});
    if (!answer.ok()) return answer.status();
    absl::StatusOr<std::unique_ptr<replays::ReplayReader>> opened =
        replays::ReplayReader::OpenFile(recording);
    if (opened.ok()) ticks_stepped_ += (*opened)->tick_count();
    return opened;
  }

  absl::StatusOr<Json> Ask(std::vector<std::string> words) const {
    words.insert(words.end(), {"--format", "json"});
    const absl::StatusOr<ProgramResult> result = RunProgram(program_, words);
    if (!result.ok()) return result.status();
    if (result->exit_code != 0) {
      return absl::Status(
          CodeOf(result->exit_code),
          fmt::format("{} {}: exit code {}: {}", name_, words.front(),
                      result->exit_code, result->err));
    }
    Json answer = Json::parse(result->out, nullptr, /*allow_exceptions=*/false);
    if (answer.is_object()) return answer;
    return absl::InvalidArgumentError(
        fmt::format("{} {}: no JSON", name_, words.front()));
  }

  static absl::StatusCode CodeOf(int exit_code) {
    switch (exit_code) {
      case static_cast<int>(ExitCode::kBadInput):
        return absl::StatusCode::kInvalidArgument;
      case static_cast<int>(ExitCode::kMissing):
        return absl::StatusCode::kNotFound;
      case static_cast<int>(ExitCode::kInfrastructure):
        return absl::StatusCode::kUnavailable;
      default:
        return absl::StatusCode::kInternal;
    }
  }

  // A process starts at the last keyframe before the tick it is asked about.
  void CountTicks(sim::Tick from, sim::Tick to) {
    const auto keyframe = replay_->FindKeyframe(from);
    const bool is_found = keyframe.ok() && keyframe->has_value();
    ticks_stepped_ += to - (is_found ? (*keyframe)->tick : 0);
  }

  const std::string name_;
  const std::string program_;
  const std::string recording_;
  std::unique_ptr<replays::ReplayReader> replay_;
  sim::Tick ticks_stepped_ = 0;
};

DiffSide DescribeSide(const Build& build, const std::string& path) {
  const replays::ReplayMetadata& metadata = build.replay().metadata();
  return {
      .name = fmt::format("{} by {} ({})", path, build.name(), metadata.build),
      .pack = metadata.pack,
      .pack_digest = metadata.pack_digest,
      .seed = metadata.seed,
      .tick_count = build.replay().tick_count()};
}

class BuildComparison {
 public:
  BuildComparison(Build* expected, Build* actual, size_t fields_max,
                  sim::Tick growth_ticks)
      : expected_(*expected),
        actual_(*actual),
        fields_max_(fields_max),
        growth_ticks_(growth_ticks) {}

  absl::StatusOr<replays::RunComparison> Compare() {
    const replays::ReplayReader& left = expected_.replay();
    const replays::ReplayReader& right = actual_.replay();
    result_.expected_tick_count = left.tick_count();
    result_.actual_tick_count = right.tick_count();
    result_.ticks_compared = std::min(left.tick_count(), right.tick_count());
    if (left.end().has_value()) result_.expected_outcome = left.end()->outcome;
    if (right.end().has_value()) result_.actual_outcome = right.end()->outcome;
    if (std::ranges::find_first_of(left.metadata().rooms,
                                   right.metadata().rooms) ==
        left.metadata().rooms.end()) {
      return absl::FailedPreconditionError(fmt::format(
          "the builds have no common state to compare: rooms {} | {}",
          absl::StrJoin(left.metadata().rooms, ","),
          absl::StrJoin(right.metadata().rooms, ",")));
    }
    absl::Status status = CompareSchemas();
    if (!status.ok()) return status;
    if (left.end() == right.end()) return std::move(result_);
    const absl::StatusOr<replays::DigestBracket> bracket =
        replays::FindDigestBracket(left, right);
    if (!bracket.ok()) return bracket.status();
    if (!bracket->last_equal.has_value()) {
      status = DescribeStates(0);
    } else if (bracket->first_different.has_value()) {
      // By every tick's digest, this is the one behind.
      status = DescribeTick(*bracket->last_equal);
    }
    if (status.ok() && !result_.schema_differences.empty() &&
        result_.divergence.has_value() && result_.divergence->fields.empty() &&
        !result_.divergence->has_more_fields) {
      status = FindTickByStates();
    }
    if (status.ok() && growth_ticks_ > 0 && result_.divergence.has_value() &&
        result_.divergence->last_equal_tick.has_value()) {
      status = FollowDifference(*result_.divergence->last_equal_tick);
    }
    if (!status.ok()) return status;
    return std::move(result_);
  }

 private:
  // A field that is only renamed leaves all digests as they are. It is found in
  // tables that have rows at the start.
  absl::Status CompareSchemas() {
    absl::StatusOr<StateJsonComparison> comparison =
        CompareStates(0, /*fields_max=*/0);
    if (!comparison.ok()) return comparison.status();
    result_.schema_differences = std::move(comparison->schema_differences);
    return absl::OkStatus();
  }

  // What the step from `tick` on changes.
  absl::Status DescribeTick(sim::Tick tick) {
    const auto expected_root = expected_.RootsWithin(tick + 1, tick + 1);
    if (!expected_root.ok()) return expected_root.status();
    const auto actual_root = actual_.RootsWithin(tick + 1, tick + 1);
    if (!actual_root.ok()) return actual_root.status();
    replays::Divergence& divergence = result_.divergence.emplace();
    divergence.last_equal_tick = tick;
    divergence.first_different_tick = tick + 1;
    result_.ticks_compared = tick + 1;
    divergence.expected_root = expected_root->front();
    divergence.actual_root = actual_root->front();
    const absl::StatusOr<Json> left = expected_.Inspect(tick, /*changes=*/true);
    if (!left.ok()) return left.status();
    const absl::StatusOr<Json> right = actual_.Inspect(tick, /*changes=*/true);
    if (absl::IsInvalidArgument(right.status())) {
      divergence.remark = fmt::format(
          "{} can't say in which phase: it has no `inspect --changes`",
          actual_.name());
      return DescribeStates(tick + 1);
    }
    if (!right.ok()) return right.status();
    return Take(CompareChanges(*left, *right, fields_max_));
  }

  absl::Status DescribeStates(sim::Tick tick) {
    if (!result_.divergence.has_value()) {
      result_.divergence.emplace().remark =
          "the builds load the pack as different states";
      result_.ticks_compared = 0;
    }
    result_.divergence->fields_tick = tick;
    return Take(CompareStates(tick, fields_max_));
  }

  absl::StatusOr<StateJsonComparison> CompareStates(sim::Tick tick,
                                                    size_t fields_max) {
    const absl::StatusOr<Json> left =
        expected_.Inspect(tick, /*changes=*/false);
    if (!left.ok()) return left.status();
    const absl::StatusOr<Json> right = actual_.Inspect(tick, /*changes=*/false);
    if (!right.ok()) return right.status();
    return CompareStateTrees(*left, *right, fields_max);
  }

  // Where the states consist of different things, all digests differ: compares
  // what both have at every tick, or, where that is too much or a build is too
  // old for it, every so many ticks.
  absl::Status FindTickByStates() {
    const auto left = expected_.RecordAllStates();
    const auto right = left.ok() ? actual_.RecordAllStates() : left.status();
    const absl::StatusOr<std::optional<sim::Tick>> different =
        right.ok() ? replays::FindDifferentKeyframe(**left, **right)
                   : right.status();
    if (!different.ok()) return FindTickByLooks();
    result_.divergence.reset();
    result_.ticks_compared = std::min(expected_.replay().tick_count(),
                                      actual_.replay().tick_count());
    if (!different->has_value()) return absl::OkStatus();
    replays::Divergence& divergence = result_.divergence.emplace();
    divergence.first_different_tick = result_.ticks_compared = **different;
    if (**different > 0) divergence.last_equal_tick = **different - 1;
    return DescribeStates(**different);
  }

  // Looks at the states every so many ticks, and closer where they differ.
  absl::Status FindTickByLooks() {
    result_.divergence.reset();
    const sim::Tick end = std::min(expected_.replay().tick_count(),
                                   actual_.replay().tick_count());
    result_.ticks_compared = end;
    const sim::Tick stride =
        (end / kLooksMax / kKeyframeTicks + 1) * kKeyframeTicks;
    sim::Tick equal = 0;
    sim::Tick different = 0;
    while (different == 0 && equal < end) {
      const sim::Tick tick = std::min(equal + stride, end);
      const absl::StatusOr<bool> is_equal = AreCommonFieldsEqual(tick);
      if (!is_equal.ok()) return is_equal.status();
      (*is_equal ? equal : different) = tick;
    }
    if (different == 0) return absl::OkStatus();
    while (different - equal > 1) {
      const sim::Tick middle = equal + (different - equal) / 2;
      const absl::StatusOr<bool> is_equal = AreCommonFieldsEqual(middle);
      if (!is_equal.ok()) return is_equal.status();
      (*is_equal ? equal : different) = middle;
    }
    replays::Divergence& divergence = result_.divergence.emplace();
    divergence.last_equal_tick = equal;
    divergence.first_different_tick = result_.ticks_compared = different;
    divergence.remark = fmt::format(
        "the states were looked at every {} ticks: a difference that died out "
        "in between isn't seen",
        stride);
    return DescribeStates(different);
  }

  absl::StatusOr<bool> AreCommonFieldsEqual(sim::Tick tick) {
    const absl::StatusOr<StateJsonComparison> comparison =
        CompareStates(tick, /*fields_max=*/1);
    if (!comparison.ok()) return comparison.status();
    return comparison->fields.empty();
  }

  // Looks at the same ticks as CompareRuns does of two runs in one process.
  absl::Status FollowDifference(sim::Tick begin) {
    const sim::Tick end =
        std::min({begin + growth_ticks_, expected_.replay().tick_count(),
                  actual_.replay().tick_count()});
    const auto left = expected_.RootsWithin(begin, end);
    if (!left.ok()) return left.status();
    const auto right = actual_.RootsWithin(begin, end);
    if (!right.ok()) return right.status();
    replays::DivergenceGrowth& growth = result_.growth.emplace();
    const auto is_equal = [&](sim::Tick tick) {
      return (*left)[tick - begin] == (*right)[tick - begin];
    };
    for (sim::Tick tick = end; tick > begin && is_equal(tick); --tick) {
      growth.equal_from = tick;
    }
    for (sim::Tick ticks = 1; begin < end; ticks *= 2) {
      const sim::Tick tick = std::min(begin + ticks, end);
      replays::GrowthSample& sample = growth.samples.emplace_back();
      sample.tick = tick;
      if (!is_equal(tick)) {
        absl::StatusOr<replays::StateDistance> distance = MeasureAt(tick);
        if (!distance.ok()) return distance.status();
        sample.distance = *std::move(distance);
      }
      if (tick == end) break;
    }
    // Without digests in common, as far as anybody looked.
    for (auto sample = growth.samples.rbegin();
         !result_.schema_differences.empty() &&
         sample != growth.samples.rend() &&
         sample->distance == replays::StateDistance();
         ++sample) {
      growth.equal_from = sample->tick;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<replays::StateDistance> MeasureAt(sim::Tick tick) {
    const absl::StatusOr<Json> left =
        expected_.Inspect(tick, /*changes=*/false);
    if (!left.ok()) return left.status();
    const absl::StatusOr<Json> right = actual_.Inspect(tick, /*changes=*/false);
    if (!right.ok()) return right.status();
    return MeasureStateTrees(*left, *right);
  }

  absl::Status Take(absl::StatusOr<StateJsonComparison> comparison) {
    if (!comparison.ok()) return comparison.status();
    replays::Divergence& divergence = *result_.divergence;
    divergence.phase = comparison->phase;
    divergence.fields = std::move(comparison->fields);
    divergence.has_more_fields = comparison->has_more_fields;
    if (!comparison->schema_differences.empty()) {
      result_.schema_differences = std::move(comparison->schema_differences);
    }
    for (const replays::FieldDivergence& field : divergence.fields) {
      if (std::ranges::find(divergence.rooms, field.room) ==
          divergence.rooms.end()) {
        divergence.rooms.push_back(field.room);
      }
    }
    return absl::OkStatus();
  }

  Build& expected_;
  Build& actual_;
  const size_t fields_max_;
  const sim::Tick growth_ticks_;
  replays::RunComparison result_;
};

// The other build's run, and what this build makes of it: whoever has only one
// of the two sees the failure.
absl::Status KeepCapsule(const Build& other, const DiffReport& report,
                         const std::string& path) {
  const replays::ReplayReader& replay = other.replay();
  const sim::Tick different =
      report.comparison.divergence->first_different_tick;
  if (different == 0) {
    return absl::FailedPreconditionError("the builds differ from tick 0 on");
  }
  const replays::ReplayMetadata& metadata = replay.metadata();
  replays::Divergence divergence;
  const sim::Tick last = different - 1;
  divergence.last_equal_tick = last - last % metadata.digest_stride;
  // The next keyframe has the fields.
  const sim::Tick keyframe = (different + metadata.keyframe_stride - 1) /
                             metadata.keyframe_stride *
                             metadata.keyframe_stride;
  divergence.first_different_tick = std::min(keyframe, replay.tick_count());
  const absl::StatusOr<replays::Capsule> capsule =
      replays::MakeCapsule(replay, /*pack=*/nullptr, divergence);
  if (!capsule.ok()) return capsule.status();
  return WriteCapsuleFile(*capsule, ToJson(report), path);
}

}  // namespace

absl::StatusOr<DiffReport> DiffBuilds(const DiffBuildsOptions& options,
                                      Console& console) {
  const ScratchFolder scratch;
  if (scratch.path().empty()) {
    return absl::UnavailableError("no folder for temporary files");
  }
  const bool is_this = options.expected_program.empty();
  Build expected(is_this ? "this build" : options.expected_program,
                 is_this ? kThisProgram : options.expected_program,
                 scratch.path() + "/expected.mcap");
  Build actual(options.program, options.program,
               scratch.path() + "/actual.mcap");
  absl::Status status = expected.Record(options.replay);
  if (status.ok()) status = actual.Record(options.replay);
  if (!status.ok()) return status;
  absl::StatusOr<replays::RunComparison> comparison =
      BuildComparison(&expected, &actual, options.fields_max,
                      options.growth_ticks)
          .Compare();
  if (!comparison.ok()) return comparison.status();
  DiffReport report;
  report.expected = DescribeSide(expected, options.replay);
  report.actual = DescribeSide(actual, options.replay);
  report.comparison = *std::move(comparison);
  report.comparison.ticks_stepped =
      expected.ticks_stepped() + actual.ticks_stepped();
  if (report.comparison.divergence.has_value() && !options.capsule.empty()) {
    status = KeepCapsule(actual, report, options.capsule);
    if (status.ok()) {
      console.Note(fmt::format("the failure is kept in {}", options.capsule));
    } else {
      console.Warning(fmt::format("no capsule was written: {}",
                                  std::string(status.message())));
    }
  }
  return report;
}

}  // namespace reprise::tools

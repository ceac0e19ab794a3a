// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/comparing/replay_comparison.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/comparing/recording_agreement.h"
#include "replays/format/input_source.h"
#include "replays/format/keyframe_state.h"
#include "replays/format/replay_metadata.h"
#include "replays/playing/held_inputs.h"
#include "replays/playing/replay_player.h"
#include "replays/verifying/divergence.h"
#include "sim/base/check.h"
#include "sim/state/state.h"

namespace reprise::replays {
namespace {

// A recording with fewer digests than this leads nowhere: the ticks between two
// of them are made up to three times.
constexpr uint64_t kStridesMin = 4;

absl::StatusOr<DigestEntry> ReadDigestAt(const ReplayReader& replay,
                                         sim::Tick tick) {
  const absl::StatusOr<std::optional<DigestEntry>> entry =
      replay.ReadDigests(tick)->Next();
  if (!entry.ok()) return entry.status();
  if (!entry->has_value() || (*entry)->tick != tick) {
    return absl::DataLossError(
        fmt::format("the digest of tick {} is missing", tick));
  }
  return **entry;
}

// The digest of a batch's end is written with the batch, so the last tick has
// one where the stride asks for it.
sim::Tick LastDigestTick(const ReplayReader& replay) {
  const sim::Tick tick_count = replay.tick_count();
  return tick_count - tick_count % replay.metadata().digest_stride;
}

bool PlaysItsOwnPack(const ReplaySide& side) {
  return PlaysRecordedPack(*side.replay, *side.simulation);
}

class ReplayComparison {
 public:
  ReplayComparison(const ReplaySide& expected, const ReplaySide& actual,
                   const CompareOptions& options)
      : expected_(expected), actual_(actual), options_(options) {}

  absl::StatusOr<RunComparison> Compare() {
    const sim::Tick tick_count =
        std::min(expected_.replay->tick_count(), actual_.replay->tick_count());
    const absl::StatusOr<std::optional<sim::Tick>> input_difference =
        FindInputDifference(*expected_.replay->ReadInputs(),
                            *actual_.replay->ReadInputs(), tick_count);
    if (!input_difference.ok()) return input_difference.status();

    absl::Status status;
    if (HaveTheSameShape() && PlaysItsOwnPack(expected_)) {
      status = PlaysItsOwnPack(actual_) ? UseDigests() : UseRecording();
    }
    if (!status.ok()) return status;
    absl::StatusOr<RunComparison> result =
        is_all_equal_ ? DescribeEqual(tick_count) : StepSideBySide();
    if (!result.ok()) return result.status();
    result->first_input_difference = *input_difference;
    result->ticks_stepped += agreement_.ticks_stepped;
    status = ExplainByRecordings(*result);
    if (!status.ok()) return status;
    return result;
  }

 private:
  // Otherwise no digest or keyframe of one is worth anything to the other.
  bool HaveTheSameShape() const {
    return expected_.simulation->state()
        .CheckSameShape(actual_.simulation->state())
        .ok();
  }

  absl::Status UseDigests() {
    const std::optional<ReplayEnd>& left = expected_.replay->end();
    const std::optional<ReplayEnd>& right = actual_.replay->end();
    if (left && right && left->tick_count == right->tick_count &&
        left->chain == right->chain && left->root == right->root) {
      is_all_equal_ = true;
      return absl::OkStatus();
    }
    absl::StatusOr<DigestBracket> bracket =
        FindDigestBracket(*expected_.replay, *actual_.replay);
    if (!bracket.ok()) return bracket.status();
    bracket_ = *std::move(bracket);
    if (!bracket_.first_different && left && right &&
        left->tick_count == right->tick_count) {
      bracket_.first_different = left->tick_count;
    }
    if (!bracket_.last_equal.has_value()) return absl::OkStatus();
    const absl::Status status = NarrowByKeyframes();
    return status.ok() ? JumpTo(*bracket_.last_equal) : status;
  }

  // Keyframes have chains, too, and may stand between digests.
  absl::Status NarrowByKeyframes() {
    const sim::Tick begin = *bracket_.last_equal + 1;
    const sim::Tick end = bracket_.first_different.value_or(
        std::min(expected_.replay->tick_count(), actual_.replay->tick_count()));
    const auto cursor = expected_.replay->ReadKeyframes(begin);
    while (true) {
      const absl::StatusOr<std::optional<ReplayKeyframe>> left = cursor->Next();
      if (!left.ok()) return left.status();
      if (!left->has_value() || (*left)->tick >= end) return absl::OkStatus();
      const absl::StatusOr<std::optional<ReplayKeyframe>> right =
          actual_.replay->FindKeyframe((*left)->tick);
      if (!right.ok()) return right.status();
      if (right->has_value() && (*right)->tick == (*left)->tick &&
          (*right)->chain == (*left)->chain) {
        bracket_.last_equal = (*left)->tick;
      }
    }
  }

  // Of a changed pack nothing is recorded, but of the run that it is held
  // against: only the changed one is made up to where they part, and from the
  // last state that both had, both.
  absl::Status UseRecording() {
    const ReplayReader& recording = *expected_.replay;
    if (recording.metadata().digest_stride >
        recording.tick_count() / kStridesMin) {
      return absl::OkStatus();
    }
    const sim::State start = actual_.simulation->state();
    const std::unique_ptr<InputSource> inputs = actual_.replay->ReadInputs();
    absl::StatusOr<RecordingAgreement> agreement = FollowRecording(
        recording, {actual_.simulation, inputs.get()}, options_.progress);
    if (!agreement.ok()) return agreement.status();
    agreement_ = *std::move(agreement);
    if (!agreement_.last_equal) return actual_.simulation->Restore(start);
    const sim::State& common = agreement_.last_equal->state;
    absl::Status status = expected_.simulation->Restore(common);
    if (absl::IsFailedPrecondition(status)) {
      agreement_.last_equal.reset();
      return actual_.simulation->Restore(start);
    }
    if (!status.ok()) return status;
    start_chain_ = agreement_.last_equal->chain;
    return actual_.simulation->Restore(common);
  }

  // Brings both to the last keyframe at or before `tick` that either has. Up to
  // `tick` both have the same states, so one keyframe serves both. A state that
  // a simulation doesn't take leaves them at tick 0.
  absl::Status JumpTo(sim::Tick tick) {
    absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
        expected_.replay->FindKeyframe(tick);
    if (!keyframe.ok()) return keyframe.status();
    absl::StatusOr<std::optional<ReplayKeyframe>> other =
        actual_.replay->FindKeyframe(tick);
    if (!other.ok()) return other.status();
    if (other->has_value() &&
        (!keyframe->has_value() || (*keyframe)->tick < (*other)->tick)) {
      keyframe = std::move(other);
    }
    if (!keyframe->has_value()) return absl::OkStatus();
    const sim::State start = expected_.simulation->state();
    absl::Status status = RestoreKeyframe(**keyframe, *expected_.simulation);
    if (status.ok()) {
      status = RestoreKeyframe(**keyframe, *actual_.simulation);
      if (status.ok()) {
        start_chain_ = (*keyframe)->chain;
        return absl::OkStatus();
      }
      const absl::Status restored = expected_.simulation->Restore(start);
      if (!restored.ok()) return restored;
    }
    return absl::IsFailedPrecondition(status) ? absl::OkStatus() : status;
  }

  RunComparison DescribeEqual(sim::Tick tick_count) const {
    RunComparison result;
    result.ticks_compared = tick_count;
    result.expected_tick_count = expected_.replay->tick_count();
    result.actual_tick_count = actual_.replay->tick_count();
    result.expected_outcome = expected_.replay->end()->outcome;
    result.actual_outcome = actual_.replay->end()->outcome;
    return result;
  }

  absl::StatusOr<RunComparison> StepSideBySide() {
    const sim::Tick tick = expected_.simulation->tick();
    const std::unique_ptr<InputSource> left =
        expected_.replay->ReadInputs(tick);
    const std::unique_ptr<InputSource> right = actual_.replay->ReadInputs(tick);
    CompareOptions options = options_;
    options.chain = start_chain_;
    if (PlaysItsOwnPack(expected_) && !PlaysItsOwnPack(actual_)) {
      options.recording = expected_.replay;
    }
    if (bracket_.first_different.has_value()) {
      options.tick_count = *bracket_.first_different;
    }
    return CompareRuns({expected_.simulation, left.get()},
                       {actual_.simulation, right.get()}, options);
  }

  // Where what was recorded and what this build makes of it don't go together.
  absl::Status ExplainByRecordings(RunComparison& result) {
    if (agreement_.last_equal) {
      ExplainByAgreement(result);
      return absl::OkStatus();
    }
    if (result.first_unlike_recording) {
      const RecordedState& recorded = *result.first_unlike_recording;
      BlameThisBuild(recorded.tick, recorded.root, result);
      return absl::OkStatus();
    }
    if (result.divergence.has_value()) {
      if (bracket_.last_equal.has_value() &&
          result.divergence->first_different_tick <= *bracket_.last_equal) {
        result.divergence->remark = fmt::format(
            "the recordings are equal up to tick {}: this build doesn't play "
            "them as they were recorded",
            *bracket_.last_equal);
      }
      return absl::OkStatus();
    }
    if (!bracket_.first_different.has_value()) return absl::OkStatus();
    Divergence& divergence = result.divergence.emplace();
    divergence.last_equal_tick = bracket_.last_equal;
    divergence.first_different_tick = *bracket_.first_different;
    divergence.remark = fmt::format(
        "only the recordings differ (by {} | {}): this build plays both alike",
        expected_.replay->metadata().build, actual_.replay->metadata().build);
    absl::Status status = CompareRecordedDigests(divergence);
    return status.ok() ? CompareKeyframes(divergence) : status;
  }

  // What this build makes of the recorded run has to part from the changed one
  // where the recording does, or it is no more the recorded run.
  void ExplainByAgreement(RunComparison& result) {
    if (!agreement_.first_different) return;
    const sim::Tick different = *agreement_.first_different;
    if (result.divergence &&
        result.divergence->first_different_tick <= different) {
      return;
    }
    BlameThisBuild(different, agreement_.expected_root, result);
  }

  // Says of the difference, or in place of one, that this build doesn't make
  // the recorded root of `tick`.
  void BlameThisBuild(sim::Tick tick, sim::Digest recorded_root,
                      RunComparison& result) const {
    const std::string explanation = fmt::format(
        "by tick {} this build doesn't play the replay as it was recorded (by "
        "{})",
        tick, expected_.replay->metadata().build);
    if (result.divergence) {
      std::string& remark = result.divergence->remark;
      remark = remark.empty() ? explanation : remark + "; " + explanation;
      return;
    }
    Divergence& divergence = result.divergence.emplace();
    if (agreement_.last_equal) {
      divergence.last_equal_tick = agreement_.last_equal->tick;
    }
    divergence.first_different_tick = tick;
    divergence.expected_root = recorded_root;
    divergence.remark = explanation + "; on both packs it plays it alike";
  }

  absl::Status CompareRecordedDigests(Divergence& divergence) {
    const sim::Tick tick = divergence.first_different_tick;
    if (tick > LastDigestTick(*expected_.replay)) {
      divergence.expected_root = expected_.replay->end()->root;
      divergence.actual_root = actual_.replay->end()->root;
      return absl::OkStatus();
    }
    const absl::StatusOr<DigestEntry> left =
        ReadDigestAt(*expected_.replay, tick);
    if (!left.ok()) return left.status();
    const absl::StatusOr<DigestEntry> right =
        ReadDigestAt(*actual_.replay, tick);
    if (!right.ok()) return right.status();
    divergence.expected_root = left->root;
    divergence.actual_root = right->root;
    if (left->root == right->root) {
      divergence.kind = Divergence::Kind::kHistory;
    }
    const std::vector<std::string>& rooms = expected_.replay->metadata().rooms;
    for (size_t i = 0; i < rooms.size(); ++i) {
      if (left->rooms[i] != right->rooms[i]) {
        divergence.rooms.push_back(rooms[i]);
      }
    }
    return absl::OkStatus();
  }

  // The fields of the first keyframes from the difference on that both have.
  absl::Status CompareKeyframes(Divergence& divergence) {
    const auto lefts =
        expected_.replay->ReadKeyframes(divergence.first_different_tick);
    const auto rights =
        actual_.replay->ReadKeyframes(divergence.first_different_tick);
    auto left = lefts->Next();
    auto right = rights->Next();
    while (left.ok() && right.ok() && *left && *right &&
           (*left)->tick != (*right)->tick) {
      if ((*left)->tick < (*right)->tick) {
        left = lefts->Next();
      } else {
        right = rights->Next();
      }
    }
    if (!left.ok()) return left.status();
    if (!right.ok()) return right.status();
    if (!left->has_value() || !right->has_value()) return absl::OkStatus();
    const sim::State& shape = expected_.simulation->state();
    const auto expected = DecodeKeyframe(**left, shape);
    const auto actual = DecodeKeyframe(**right, shape);
    if (!expected.ok()) return expected.status();
    if (!actual.ok()) return actual.status();
    divergence.fields_tick = (*left)->tick;
    DescribeFields(*expected, *actual, options_.fields_max,
                   *expected_.simulation, divergence);
    return absl::OkStatus();
  }

  const ReplaySide expected_;
  const ReplaySide actual_;
  const CompareOptions& options_;
  DigestBracket bracket_;
  RecordingAgreement agreement_;
  std::optional<sim::Digest> start_chain_;
  bool is_all_equal_ = false;
};

}  // namespace

absl::StatusOr<DigestBracket> FindDigestBracket(const ReplayReader& expected,
                                                const ReplayReader& actual) {
  DigestBracket bracket;
  if (expected.metadata().rooms != actual.metadata().rooms ||
      std::min(expected.tick_count(), actual.tick_count()) == 0) {
    return bracket;
  }
  // Entries i * stride are in both.
  const uint64_t stride = std::lcm(uint64_t{expected.metadata().digest_stride},
                                   uint64_t{actual.metadata().digest_stride});
  const uint64_t count =
      std::min(LastDigestTick(expected), LastDigestTick(actual)) / stride + 1;
  // All below `equal` are, and from `different` on none is.
  uint64_t equal = 0;
  uint64_t different = count;
  while (equal < different) {
    const uint64_t middle = equal + (different - equal) / 2;
    const absl::StatusOr<DigestEntry> left =
        ReadDigestAt(expected, middle * stride);
    if (!left.ok()) return left.status();
    const absl::StatusOr<DigestEntry> right =
        ReadDigestAt(actual, middle * stride);
    if (!right.ok()) return right.status();
    if (left->chain == right->chain) {
      equal = middle + 1;
    } else {
      different = middle;
    }
  }
  if (equal > 0) bracket.last_equal = (equal - 1) * stride;
  if (different < count) bracket.first_different = different * stride;
  return bracket;
}

absl::StatusOr<RunComparison> CompareReplays(const ReplaySide& expected,
                                             const ReplaySide& actual,
                                             const CompareOptions& options) {
  CHECK(expected.simulation->tick() == 0);
  CHECK(actual.simulation->tick() == 0);
  return ReplayComparison(expected, actual, options).Compare();
}

}  // namespace reprise::replays

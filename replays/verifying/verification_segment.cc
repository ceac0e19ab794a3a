// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/verifying/verification_segment.h"

#include <algorithm>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "replays/format/keyframe_state.h"
#include "replays/format/whole_events.h"
#include "replays/playing/named_refusal.h"
#include "replays/playing/replay_player.h"
#include "sim/base/check.h"
#include "sim/event.h"
#include "sim/input/input_frame.h"
#include "sim/state/state.h"

namespace reprise::replays {
namespace {

std::string TextOf(const absl::Status& status) {
  return std::string(status.message());
}

std::string FormatOutcome(const sim::Outcome& outcome) {
  switch (outcome.status) {
    case sim::Outcome::Status::kRunning:
      return "running";
    case sim::Outcome::Status::kWon:
      return "won: " + outcome.reason;
    case sim::Outcome::Status::kLost:
      return "lost: " + outcome.reason;
  }
  return "";
}

// What was recorded from here on: of tick 0 too, but of a keyframe's tick the
// segment before has compared all.
sim::Tick FirstCompared(sim::Tick begin) { return begin == 0 ? 0 : begin + 1; }

}  // namespace

VerificationSegment::VerificationSegment(const ReplayReader* replay,
                                         sim::Simulation* simulation,
                                         sim::Digest start_chain, sim::Tick end,
                                         const VerifyOptions& options,
                                         const ProgressCallback& progress)
    : replay_(*replay),
      simulation_(*simulation),
      begin_(simulation->tick()),
      end_(end),
      options_(options),
      progress_(progress),
      inputs_(replay->ReadInputs(begin_)),
      digests_(replay->ReadDigests(FirstCompared(begin_))),
      keyframes_(replay->ReadKeyframes(FirstCompared(begin_))),
      events_(std::in_place, replay, begin_) {
  CHECK(begin_ <= end, "ticks {} to {}", begin_, end);
  result_.chain = start_chain;
  if (begin_ > 0) {
    last_equal_tick_ = begin_;
    is_at_keyframe_ = true;
  }
}

absl::StatusOr<SegmentResult> VerificationSegment::Run() {
  absl::Status status = ReadNextDigest();
  if (status.ok()) status = ReadNextKeyframe();
  if (status.ok()) status = ReadBranches();
  while (status.ok() && !is_done_) {
    if (!std::exchange(is_at_keyframe_, false)) status = CheckTick();
    if (status.ok() && !is_done_) status = StepTick();
  }
  if (!status.ok()) return status;
  if (!is_diverged()) ReportNoted();
  result_.outcome = simulation_.outcome();
  return std::move(result_);
}

absl::Status VerificationSegment::ReadNextDigest() {
  absl::StatusOr<std::optional<DigestEntry>> next = digests_->Next();
  if (!next.ok()) return next.status();
  digest_ = *std::move(next);
  return absl::OkStatus();
}

absl::Status VerificationSegment::ReadNextKeyframe() {
  absl::StatusOr<std::optional<ReplayKeyframe>> next = keyframes_->Next();
  if (!next.ok()) return next.status();
  keyframe_ = *std::move(next);
  return absl::OkStatus();
}

absl::Status VerificationSegment::ReadBranches() {
  absl::StatusOr<std::vector<ReplayBranch>> branches = replay_.ReadBranches();
  if (!branches.ok()) return branches.status();
  branches_ = *std::move(branches);
  std::ranges::stable_sort(branches_, {}, &ReplayBranch::tick);
  return absl::OkStatus();
}

// Compares the state as it is with all that was recorded of this tick.
absl::Status VerificationSegment::CheckTick() {
  const sim::Tick tick = simulation_.tick();
  result_.root = simulation_.state().ComputeRootDigest();
  result_.chain = sim::ExtendChain(result_.chain, result_.root);
  if (step_start_.has_value()) {
    result_.stepping_time += std::chrono::steady_clock::now() - *step_start_;
    step_start_.reset();
  }
  CheckBranches();
  absl::Status status;
  if (digest_.has_value() && digest_->tick == tick) {
    status = CheckDigest(*digest_);
    if (status.ok()) status = ReadNextDigest();
  }
  if (status.ok() && keyframe_.has_value() && keyframe_->tick == tick) {
    status = CheckKeyframe(*keyframe_);
    if (status.ok() && is_diverged() && is_resyncing()) {
      return ResyncAtKeyframe();
    }
    if (status.ok()) status = ReadNextKeyframe();
  }
  if (!status.ok()) return status;
  if (tick == replay_.tick_count()) CheckEnd();
  const bool is_left_off =
      is_diverged() ? !awaits_keyframe()
                    : !result_.divergences.empty() &&
                          options_.on_divergence == OnDivergence::kStop;
  if (tick >= end_ || is_left_off) is_done_ = true;
  return absl::OkStatus();
}

bool VerificationSegment::awaits_keyframe() const {
  switch (options_.on_divergence) {
    case OnDivergence::kStop:
      // A difference is explained by the next keyframe, if there is one.
      return result_.divergences.back().kind == Divergence::Kind::kState &&
             !is_explained_ && keyframe_.has_value();
    case OnDivergence::kContinue:
      return true;
    case OnDivergence::kResync:
      return keyframe_.has_value();
  }
  return false;
}

absl::Status VerificationSegment::CheckDigest(const DigestEntry& entry) {
  ++result_.digests_compared;
  if (entry.root != result_.root) ++result_.digests_different;
  if (is_diverged()) return absl::OkStatus();
  CompareWith(entry.root, entry.chain);
  if (!is_diverged()) return absl::OkStatus();
  Divergence& divergence = result_.divergences.back();
  const sim::State& state = simulation_.state();
  const std::vector<std::string>& names = replay_.metadata().rooms;
  for (const sim::State::Room& room : state.rooms()) {
    const auto found = std::ranges::find(names, room.name);
    if (found == names.end() ||
        entry.rooms[found - names.begin()] != state.ComputeRoomDigest(room)) {
      divergence.rooms.push_back(room.name);
    }
  }
  if (divergence.kind == Divergence::Kind::kHistory && is_resyncing()) {
    // The states are equal again: nothing needs to be restored.
    result_.chain = entry.chain;
    last_equal_tick_ = simulation_.tick();
    is_diverged_ = false;
  }
  return absl::OkStatus();
}

// Holds the run so far against a recorded root and chain of this tick.
void VerificationSegment::CompareWith(sim::Digest root, sim::Digest chain) {
  const sim::Tick tick = simulation_.tick();
  if (root == result_.root && chain == result_.chain) {
    result_.ticks_verified += tick - last_equal_tick_.value_or(0);
    last_equal_tick_ = tick;
    ReportNoted();
    return;
  }
  Divergence& divergence =
      AddDivergence(root == result_.root ? Divergence::Kind::kHistory
                                         : Divergence::Kind::kState);
  divergence.expected_root = root;
  divergence.actual_root = result_.root;
}

absl::Status VerificationSegment::CheckKeyframe(
    const ReplayKeyframe& keyframe) {
  const sim::State& state = simulation_.state();
  const absl::StatusOr<sim::State> recorded = DecodeKeyframe(keyframe, state);
  if (absl::IsFailedPrecondition(recorded.status())) {
    result_.foreign_keyframe_reason = TextOf(recorded.status());
    return absl::OkStatus();
  }
  if (!recorded.ok()) {
    return absl::Status(recorded.status().code(),
                        fmt::format("the keyframe of tick {}: {}",
                                    keyframe.tick, TextOf(recorded.status())));
  }
  if (!is_diverged()) {
    CompareWith(recorded->ComputeRootDigest(), keyframe.chain);
  }
  if (!is_diverged() || is_explained_) return absl::OkStatus();
  Divergence& divergence = result_.divergences.back();
  DescribeFields(*recorded, state, options_.fields_max, simulation_,
                 divergence);
  divergence.fields_tick = keyframe.tick;
  if (divergence.fields.empty() &&
      divergence.kind == Divergence::Kind::kState) {
    divergence.remark = fmt::format(
        "the states are equal again at the keyframe of tick {}", keyframe.tick);
    divergence.fields_tick.reset();
  }
  is_explained_ = true;
  return absl::OkStatus();
}

void VerificationSegment::CheckEnd() {
  const std::optional<ReplayEnd>& end = replay_.end();
  if (!end.has_value() || is_diverged()) return;
  CompareWith(end->root, end->chain);
  const sim::Outcome outcome = simulation_.outcome();
  if (is_diverged() || outcome == end->outcome) return;
  Divergence& divergence = AddDivergence(Divergence::Kind::kOutcome);
  divergence.expected_root = end->root;
  divergence.actual_root = result_.root;
  divergence.remark =
      fmt::format("the recorded run ended as \"{}\", this one as \"{}\"",
                  FormatOutcome(end->outcome), FormatOutcome(outcome));
}

absl::Status VerificationSegment::StepTick() {
  const sim::Tick tick = simulation_.tick();
  const absl::Status told = progress_.Tell(tick, replay_.tick_count());
  if (!told.ok()) return told;
  const absl::StatusOr<std::span<const sim::InputFrame>> frames =
      inputs_->FramesAt(tick);
  if (!frames.ok()) return frames.status();
  step_start_ = std::chrono::steady_clock::now();
  const absl::Status accepted = simulation_.Validate(*frames);
  if (!accepted.ok()) {
    return RefuseInputs(NameRecordedRefusal(TextOf(accepted), replay_));
  }
  simulation_.Step(*frames, /*observer=*/nullptr);
  if (!simulation_.status().ok()) return simulation_.status();
  return CheckEvents(tick);
}

absl::Status VerificationSegment::CheckEvents(sim::Tick tick) {
  const std::vector<sim::Event> events = simulation_.DrainEvents();
  result_.flood.Count(tick, events.size());
  if (is_diverged() || !events_.has_value()) return absl::OkStatus();
  absl::StatusOr<std::optional<std::string>> difference =
      events_->Check(tick, events, simulation_);
  if (!difference.ok()) return difference.status();
  if (events_->lacking_from().has_value()) {
    result_.events_lacking_from = events_->lacking_from();
  }
  if (!difference->has_value()) return absl::OkStatus();
  const uint32_t rules = simulation_.info().rules_revision;
  if (replay_.metadata().rules_revision != rules) {
    result_.foreign_event_reason =
        fmt::format("tick {}, {}", tick, **difference);
    events_.reset();
    return absl::OkStatus();
  }
  Divergence claim;
  claim.kind = Divergence::Kind::kEvents;
  claim.last_equal_tick = tick;
  claim.first_different_tick = tick + 1;
  claim.remark = **std::move(difference);
  Note(std::move(claim));
  return absl::OkStatus();
}

// Each is compared behind the step that leads to it, or at tick 0. One behind
// the end of a run that is all there is of no past that the run has; of a part
// the past may lie behind it.
void VerificationSegment::CheckBranches() {
  const sim::Tick tick = simulation_.tick();
  while (next_branch_ < branches_.size() &&
         branches_[next_branch_].tick < tick) {
    ++next_branch_;
  }
  // A resync may come back to this tick: what is of it isn't passed yet.
  const bool is_end = tick == replay_.tick_count() && replay_.is_complete() &&
                      !IsPartOfRun(replay_);
  for (size_t i = next_branch_;
       i < branches_.size() && (is_end || branches_[i].tick == tick); ++i) {
    const ReplayBranch& branch = branches_[i];
    const bool is_behind = branch.tick > tick;
    if (is_diverged() || (!is_behind && branch.chain == result_.chain)) {
      continue;
    }
    Divergence claim;
    claim.kind = Divergence::Kind::kBranch;
    claim.last_equal_tick = tick;
    claim.first_different_tick = tick;
    claim.remark =
        is_behind
            ? fmt::format(
                  "the branch of \"{}\" claims tick {}, behind the end "
                  "of this run",
                  branch.parent, branch.tick)
            : fmt::format(
                  "the branch of \"{}\" claims the chain {}, this run's is {}",
                  branch.parent, sim::FormatDigest(branch.chain),
                  sim::FormatDigest(result_.chain));
    Note(std::move(claim));
  }
}

void VerificationSegment::Note(Divergence claim) {
  if (!noted_.has_value()) noted_ = std::move(claim);
}

void VerificationSegment::ReportNoted() {
  if (!noted_.has_value()) return;
  // One of each kind says enough; behind a difference there are many.
  if (noted_->kind == Divergence::Kind::kEvents) events_.reset();
  if (noted_->kind == Divergence::Kind::kBranch) branches_.clear();
  result_.divergences.push_back(*std::exchange(noted_, std::nullopt));
}

absl::Status VerificationSegment::RefuseInputs(const std::string& reason) {
  if (!is_diverged()) {
    AddDivergence(Divergence::Kind::kRefusedInputs).remark = reason;
  }
  if (is_resyncing() && keyframe_.has_value() && keyframe_->tick <= end_) {
    is_at_keyframe_ = true;
    return ResyncAtKeyframe();
  }
  is_done_ = true;
  return absl::OkStatus();
}

absl::Status VerificationSegment::ResyncAtKeyframe() {
  const sim::Tick tick = keyframe_->tick;
  absl::Status status = RestoreKeyframe(*keyframe_, simulation_);
  if (absl::IsFailedPrecondition(status)) {
    result_.foreign_keyframe_reason = TextOf(status);
    is_done_ = true;
    return absl::OkStatus();
  }
  if (!status.ok()) return status;
  result_.root = simulation_.state().ComputeRootDigest();
  result_.chain = keyframe_->chain;
  last_equal_tick_ = tick;
  is_diverged_ = false;
  while (status.ok() && digest_.has_value() && digest_->tick <= tick) {
    status = ReadNextDigest();
  }
  if (status.ok()) status = ReadNextKeyframe();
  if (!status.ok()) return status;
  if (tick == replay_.tick_count()) CheckEnd();
  if (tick >= end_) is_done_ = true;
  return absl::OkStatus();
}

Divergence& VerificationSegment::AddDivergence(Divergence::Kind kind) {
  is_diverged_ = true;
  is_explained_ = false;
  noted_.reset();  // whatever it was, the state had a hand in it
  Divergence& divergence = result_.divergences.emplace_back();
  divergence.kind = kind;
  divergence.last_equal_tick = last_equal_tick_;
  divergence.first_different_tick = simulation_.tick();
  return divergence;
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/comparing/keyframe_search.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "replays/format/common_shape.h"
#include "replays/format/keyframe_state.h"
#include "sim/state/state.h"

namespace reprise::replays {
namespace {

using Side = CommonShape::Side;

// The keyframes of one recording, one after another, as what is common.
class CommonKeyframes {
 public:
  CommonKeyframes(const ReplayReader& replay, const CommonShape& shape,
                  Side side)
      : shape_(shape),
        side_(side),
        keyframes_(replay.ReadKeyframes()),
        state_(shape.empty_state()) {}

  // False: there is none left.
  absl::StatusOr<bool> Next() {
    absl::StatusOr<std::optional<ReplayKeyframe>> next = keyframes_->Next();
    if (!next.ok()) return next.status();
    if (!next->has_value()) return false;
    const absl::StatusOr<sim::State> state = DecodeRecordedState(**next);
    if (!state.ok()) return state.status();
    shape_.Update(side_, *state, state_);
    tick_ = (*next)->tick;
    return true;
  }

  sim::Tick tick() const { return tick_; }
  sim::Digest root() const { return state_.ComputeRootDigest(); }

 private:
  const CommonShape& shape_;
  const Side side_;
  const std::unique_ptr<ReplayCursor<ReplayKeyframe>> keyframes_;
  sim::State state_;
  sim::Tick tick_ = 0;
};

}  // namespace

absl::StatusOr<std::optional<sim::Tick>> FindDifferentKeyframe(
    const ReplayReader& expected, const ReplayReader& actual) {
  const auto left_shape = expected.ReadShape();
  if (!left_shape.ok()) return left_shape.status();
  const auto right_shape = actual.ReadShape();
  if (!right_shape.ok()) return right_shape.status();
  if (*left_shape == nullptr || *right_shape == nullptr) {
    return absl::FailedPreconditionError(
        "a recording doesn't say what its tables are");
  }
  const CommonShape shape(**left_shape, **right_shape);
  CommonKeyframes left(expected, shape, Side::kExpected);
  CommonKeyframes right(actual, shape, Side::kActual);
  absl::StatusOr<bool> has_left = left.Next();
  absl::StatusOr<bool> has_right = right.Next();
  while (has_left.ok() && has_right.ok() && *has_left && *has_right) {
    const sim::Tick tick = left.tick();
    if (tick == right.tick() && left.root() != right.root()) {
      return std::optional<sim::Tick>(tick);
    }
    const bool is_right_due = right.tick() <= tick;
    if (tick <= right.tick()) has_left = left.Next();
    if (is_right_due) has_right = right.Next();
  }
  if (!has_left.ok()) return has_left.status();
  if (!has_right.ok()) return has_right.status();
  return std::optional<sim::Tick>();
}

}  // namespace reprise::replays

// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the verifier passes nothing that it couldn't compare: recordings
// that are right as far as they go lose digests, keyframes, their end, and the
// sense of what no run needs.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/format/replay_topics.h"
#include "replays/testing/edited_replay.h"
#include "replays/testing/tiny_recording.h"
#include "replays/verifying/verifier.h"
#include "reprise/v1/keyframe.pb.h"

namespace reprise::replays {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<VerificationReport> Verify(const Bytes& file) {
  const absl::StatusOr<std::unique_ptr<ReplayReader>> replay = OpenReplay(file);
  if (!replay.ok()) return replay.status();
  return VerifyReplay(**replay, {});
}

TEST(NotCoveredTest, TicksBehindTheLastDigestAreNotPassed) {
  int batches = 0;
  const Bytes file = EditReplay(
      RecordTiny({.tick_count = 95, .is_finished = false}),
      [&batches](std::string_view topic,
                 const std::string& data) -> std::optional<std::string> {
        const bool is_left_out = topic == kKeyframesTopic ||
                                 (topic == kDigestsTopic && ++batches > 2);
        if (is_left_out) return std::nullopt;
        return data;
      });

  const VerificationReport report = *Verify(file);

  EXPECT_TRUE(report.is_right());
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(report.not_covered,
              ElementsAre(fmt::format(
                  "the ticks from {} to 80, of which no digest was recorded",
                  report.ticks_verified + 1)));
  EXPECT_EQ(report.tick_count, 80u);
  EXPECT_LT(report.ticks_verified, 80u);
}

TEST(NotCoveredTest, KeyframesThatCantBeComparedAreNotPassed) {
  // Without a schema nobody knows what these are.
  const Bytes file =
      EditReplay(RecordTiny(),
                 [](std::string_view topic,
                    const std::string& data) -> std::optional<std::string> {
                   if (topic != kKeyframesTopic) return data;
                   v1::Keyframe keyframe;
                   EXPECT_TRUE(keyframe.ParseFromString(data));
                   keyframe.clear_schema();
                   keyframe.mutable_state()->replace(8, 8, "tangible");
                   return keyframe.SerializeAsString();
                 });

  const VerificationReport report = *Verify(file);

  EXPECT_EQ(report.ticks_verified, 100u);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(report.not_covered,
              ElementsAre(HasSubstr("keyframes that can't be compared: ")));
}

TEST(NotCoveredTest, WhatDamageTookIsNotPassed) {
  Bytes file = RecordTiny({.is_finished = false});
  file.resize(file.size() - 20);

  const VerificationReport report = *Verify(file);

  EXPECT_TRUE(report.is_right());
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(report.not_covered,
              ElementsAre(HasSubstr("the file ends too early")));
}

TEST(NotCoveredTest, WhatNoRunNeedsIsReadAllTheSame) {
  const Bytes file = EditReplay(
      RecordTiny(),
      [](std::string_view topic,
         const std::string& data) -> std::optional<std::string> {
        return topic == kEventsTopic ? "not a batch of events" : data;
      });

  const absl::StatusOr<VerificationReport> report = Verify(file);

  EXPECT_TRUE(absl::IsDataLoss(report.status())) << report.status();
  EXPECT_THAT(std::string(report.status().message()),
              HasSubstr("/events, message 0"));
}

}  // namespace
}  // namespace reprise::replays

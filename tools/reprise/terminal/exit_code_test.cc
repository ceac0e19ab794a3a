// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the numbers scripts rely on stay as documented, and that each
// kind of failure has its own, by comparing every status code with its exit
// code.

#include "tools/reprise/terminal/exit_code.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

int NumberFor(absl::StatusCode code) {
  return static_cast<int>(ExitCodeOf(absl::Status(code, "reason")));
}

TEST(ExitCodeTest, SuccessIsZero) {
  EXPECT_EQ(static_cast<int>(ExitCodeOf(absl::OkStatus())), 0);
}

TEST(ExitCodeTest, DifferenceIsOne) {
  EXPECT_EQ(static_cast<int>(ExitCode::kDifferent), 1);
}

TEST(ExitCodeTest, MalformedInputIsTwo) {
  EXPECT_EQ(NumberFor(absl::StatusCode::kInvalidArgument), 2);
  EXPECT_EQ(NumberFor(absl::StatusCode::kOutOfRange), 2);
  EXPECT_EQ(NumberFor(absl::StatusCode::kDataLoss), 2);
  EXPECT_EQ(NumberFor(absl::StatusCode::kFailedPrecondition), 2);
  EXPECT_EQ(NumberFor(absl::StatusCode::kAlreadyExists), 2);
  EXPECT_EQ(NumberFor(absl::StatusCode::kUnimplemented), 2);
  EXPECT_EQ(NumberFor(absl::StatusCode::kResourceExhausted), 2);
}

TEST(ExitCodeTest, MissingThingsAreThree) {
  EXPECT_EQ(NumberFor(absl::StatusCode::kNotFound), 3);
}

TEST(ExitCodeTest, BrokenSimulationsAreFour) {
  EXPECT_EQ(NumberFor(absl::StatusCode::kInternal), 4);
}

TEST(ExitCodeTest, FailuresOfTheMachineAreFive) {
  EXPECT_EQ(NumberFor(absl::StatusCode::kPermissionDenied), 5);
  EXPECT_EQ(NumberFor(absl::StatusCode::kUnauthenticated), 5);
  EXPECT_EQ(NumberFor(absl::StatusCode::kUnavailable), 5);
  EXPECT_EQ(NumberFor(absl::StatusCode::kDeadlineExceeded), 5);
  EXPECT_EQ(NumberFor(absl::StatusCode::kAborted), 5);
  EXPECT_EQ(NumberFor(absl::StatusCode::kCancelled), 5);
  EXPECT_EQ(NumberFor(absl::StatusCode::kUnknown), 5);
}

TEST(ExitCodeTest, UntestableIsWhatGitBisectSkips) {
  EXPECT_EQ(static_cast<int>(ExitCode::kUntestable), 125);
}

}  // namespace
}  // namespace reprise::tools

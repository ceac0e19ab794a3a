// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every error leaves the server with its code, one ErrorInfo and a
// message that gRPC can carry, by reading back the bytes that clients get.

#include "services/base/status.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "gtest/gtest.h"
#include "services/base/reason.h"

namespace reprise::services {
namespace {

using ::testing::EndsWith;
using ::testing::SizeIs;

google::rpc::Status DetailsOf(const grpc::Status& status) {
  google::rpc::Status details;
  EXPECT_TRUE(details.ParseFromString(status.error_details()));
  return details;
}

template <typename Detail>
Detail Unpack(const google::rpc::Status& status, int index) {
  Detail detail;
  EXPECT_TRUE(status.details(index).UnpackTo(&detail));
  return detail;
}

TEST(StatusTest, OkHasNoDetails) {
  const grpc::Status status = ToGrpcStatus(absl::OkStatus());

  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.error_details(), "");
}

TEST(StatusTest, ReasonAndMetadataArriveAsErrorInfo) {
  const grpc::Status status =
      ToGrpcStatus(WithReason(absl::NotFoundError("no such pack"),
                              "PACK_NOT_FOUND", {{"pack", "golf"}}));

  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(status.error_message(), "no such pack");
  const google::rpc::Status details = DetailsOf(status);
  EXPECT_EQ(details.code(), grpc::StatusCode::NOT_FOUND);
  ASSERT_THAT(details.details(), SizeIs(1));
  const auto info = Unpack<google::rpc::ErrorInfo>(details, 0);
  EXPECT_EQ(info.reason(), "PACK_NOT_FOUND");
  EXPECT_EQ(info.domain(), "reprise");
  EXPECT_EQ(info.metadata().at("pack"), "golf");
}

TEST(StatusTest, AnErrorWithoutReasonIsNamedAfterItsCode) {
  const grpc::Status status = ToGrpcStatus(absl::DataLossError("torn"));

  const auto info = Unpack<google::rpc::ErrorInfo>(DetailsOf(status), 0);
  EXPECT_EQ(info.reason(), "DATA_LOSS");
  EXPECT_EQ(info.domain(), "reprise");
}

TEST(StatusTest, WhatIsSentSaysAllThatIsToldAgain) {
  const google::rpc::Status sent = ToRpcStatus(
      WithRetryDelay(WithReason(absl::DataLossError("torn"), "RECORDING_FAILED",
                                {{"session", "sessions/a"}}),
                     absl::Seconds(2)));
  EXPECT_EQ(ToRpcStatus(FromRpcStatus(sent)).SerializeAsString(),
            sent.SerializeAsString());
}

TEST(StatusTest, ALaterReasonReplacesAnEarlierOne) {
  const absl::Status status = WithReason(
      WithReason(absl::InternalError(""), "PACK_INVALID"), "PACK_NOT_FOUND");

  EXPECT_EQ(ReasonOf(status), "PACK_NOT_FOUND");
  EXPECT_THAT(DetailsOf(ToGrpcStatus(status)).details(), SizeIs(1));
}

TEST(StatusTest, RetryDelayArrivesAsRetryInfo) {
  const grpc::Status status = ToGrpcStatus(WithRetryDelay(
      absl::UnavailableError("later"), absl::Milliseconds(1500)));

  const google::rpc::Status details = DetailsOf(status);
  ASSERT_THAT(details.details(), SizeIs(2));
  const auto retry = Unpack<google::rpc::RetryInfo>(details, 1);
  EXPECT_EQ(retry.retry_delay().seconds(), 1);
  EXPECT_EQ(retry.retry_delay().nanos(), 500'000'000);
}

TEST(StatusTest, ALongMessageIsCutBetweenTwoCharacters) {
  std::string message;
  while (message.size() <= kErrorMessageBytesMax) message += "\u00e9";

  const std::string sent =
      ToGrpcStatus(absl::InternalError(message)).error_message();

  EXPECT_LE(sent.size(), kErrorMessageBytesMax);
  EXPECT_THAT(sent, EndsWith("\u00e9 ..."));
}

TEST(StatusTest, BytesThatAreNoTextAreReplaced) {
  // A lone continuation, a cut character, an overlong zero, a surrogate.
  const grpc::Status status = ToGrpcStatus(
      absl::InternalError("a\x80 b\xe2\x82 c\xc0\x80 d\xed\xa0\x80 \u20ac"));

  EXPECT_EQ(status.error_message(), "a? b?? c?? d??? \u20ac");
}

TEST(StatusTest, AStreamsItemHasCodeReasonAndMessage) {
  const v1::StepError error = ToStepError(
      WithReason(absl::FailedPreconditionError("late"), "TICK_MISMATCH"));

  EXPECT_EQ(error.code(), 9);
  EXPECT_EQ(error.reason(), "TICK_MISMATCH");
  EXPECT_EQ(error.message(), "late");
}

TEST(StatusTest, TheStatusOfAnItemIsThatOfACall) {
  const absl::Status status = WithRetryDelay(
      WithReason(absl::ResourceExhaustedError("full"), "STORE_FULL"),
      absl::Seconds(2));

  EXPECT_EQ(ToRpcStatus(status).SerializeAsString(),
            ToGrpcStatus(status).error_details());
}

TEST(StatusTest, ReasonsAreListedOnceInOrder) {
  EXPECT_TRUE(std::ranges::is_sorted(kReasons, std::ranges::less_equal()));
  for (const std::string_view reason : kReasons) EXPECT_LE(reason.size(), 63u);
}

TEST(StatusDeathTest, ReasonOfNoErrorIsRefused) {
  EXPECT_DEATH(static_cast<void>(WithReason(absl::OkStatus(), "STORE_FULL")),
               "status.ok");
}

}  // namespace
}  // namespace reprise::services

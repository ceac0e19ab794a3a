// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what protobuf complains of, as of a client's text that isn't
// UTF-8, and what gRPC tells become entries of the server's log, and that they
// are never more than one a second.

#include "services/base/library_log.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "grpc/support/log.h"
#include "gtest/gtest.h"
#include "reprise/v1/simulation_service.pb.h"

namespace reprise::services {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST(LibraryLogTest, BothLibrariesSpeakToTheLog) {
  std::vector<LogEntry> told;
  TakeLibraryLogs([&told](const LogEntry& entry) { told.push_back(entry); });

  // As the library does when it begins.
  gpr_log_verbosity_init();
  // Its name, field 1, is one byte that is no UTF-8.
  v1::GetSessionRequest request;
  testing::internal::CaptureStderr();
  EXPECT_FALSE(request.ParseFromString(std::string("\x0a\x01\xff", 3)));
  gpr_log("a.cc", 1, GPR_LOG_SEVERITY_ERROR, "a socket\nis %s", "unwell");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");

  ASSERT_THAT(told, SizeIs(2));
  EXPECT_THAT(told[0].message, StartsWith("protobuf: "));
  EXPECT_THAT(told[0].message, HasSubstr("reprise.v1.GetSessionRequest.name"));
  EXPECT_EQ(told[0].severity, LogEntry::Severity::kError);
  EXPECT_EQ(told[1].message, "grpc: a socket\nis unwell");
  EXPECT_EQ(FormatTextLine(told[1]), "reprise: grpc: a socket is unwell");
  TakeLibraryLogs(LogText);
}

TEST(LibraryLogTest, OneASecondIsTold) {
  LimitedLog log("protobuf");
  const absl::Time start = absl::UnixEpoch();
  const auto limit = [&](absl::Duration after) {
    const auto entry =
        log.Limit(LogEntry::Severity::kError, "x", start + after);
    return entry.has_value() ? entry->message : "";
  };

  EXPECT_EQ(limit(absl::ZeroDuration()), "protobuf: x");
  EXPECT_EQ(limit(absl::Milliseconds(1)), "");
  EXPECT_EQ(limit(absl::Milliseconds(999)), "");
  EXPECT_EQ(limit(absl::Seconds(1)), "protobuf: x (2 before it weren't told)");
  EXPECT_EQ(limit(absl::Seconds(3)), "protobuf: x");
}

TEST(LibraryLogTest, ASentenceHasAnEnd) {
  LimitedLog log("grpc");
  const auto entry = log.Limit(LogEntry::Severity::kInfo,
                               std::string(10'000, 'x'), absl::UnixEpoch());
  EXPECT_LT(entry->message.size(), 500u);
}

}  // namespace
}  // namespace reprise::services

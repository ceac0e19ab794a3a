// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that lines are added to what there is, one a record whatever its
// texts are; that a file which was moved away is begun again; and that a full
// disk is told once, loses what it has to and nothing else.

#include "services/monitoring/audit_log.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "services/base/status.h"
#include "services/testing/full_disk.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AuditLogTest : public testing::Test {
 protected:
  AuditLogTest()
      : path_(fmt::format(
            "{}audit-{}", testing::TempDir(),
            testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove(path_);
  }

  void Open() {
    auto log = AuditLog::Open(path_, [this](const LogEntry& entry) {
      told_.push_back(entry.message);
    });
    ASSERT_TRUE(log.ok()) << log.status();
    log_ = *std::move(log);
  }

  void Add(const std::string& call) { log_->Add({.call = call}); }

  // The calls of the file's lines that are JSON, and "?" for others.
  static std::vector<std::string> CallsOf(const std::string& path) {
    std::ifstream file(path);
    std::vector<std::string> calls;
    for (std::string line; std::getline(file, line);) {
      const auto json = nlohmann::json::parse(line, nullptr, false);
      calls.push_back(json.is_discarded() ? "?" : json.value("call", ""));
    }
    return calls;
  }

  const std::string path_;
  std::vector<std::string> told_;
  std::unique_ptr<AuditLog> log_;
};

TEST_F(AuditLogTest, ALineSaysWhoDidWhatToWhichWithWhatResult) {
  const std::string line = FormatAuditLine(
      {.token = "ci",
       .tenant = {.name = "red"},
       .peer = "ipv4:127.0.0.1:1",
       .call = "DeleteSession",
       .resource = "sessions/a",
       .result = WithReason(absl::NotFoundError("there is no session 'a'"),
                            "SESSION_NOT_FOUND"),
       .trace_id = "4bf92f3577b34da6a3ce929d0e0e4736"},
      absl::FromUnixMicros(1'000'001));

  EXPECT_EQ(line, R"({"time":"1970-01-01T00:00:01.000001Z","token":"ci",)"
                  R"("tenant":"red","peer":"ipv4:127.0.0.1:1",)"
                  R"("call":"DeleteSession","resource":"sessions/a",)"
                  R"("result":"NOT_FOUND","reason":"SESSION_NOT_FOUND",)"
                  R"("message":"there is no session 'a'",)"
                  R"("trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"})");
}

TEST_F(AuditLogTest, NoTextMakesALineOfItsOwn) {
  const std::string hostile = "a\"}\n{\"call\":\"Forged\"}\x7f\xff\xc2\x9b";
  const auto json = nlohmann::json::parse(
      FormatAuditLine({.call = "Call", .resource = hostile}, absl::Now()),
      nullptr, false);

  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json.value("call", ""), "Call");
  EXPECT_EQ(json.value("resource", ""),
            "a\"}\n{\"call\":\"Forged\"}\x7f\xEF\xBF\xBD\xc2\x9b");
}

TEST_F(AuditLogTest, LinesAreAddedToThoseThatThereAre) {
  Open();
  Add("First");
  log_.reset();
  Open();
  Add("Second");

  EXPECT_THAT(CallsOf(path_), ElementsAre("First", "Second"));
  struct stat file = {};
  ASSERT_EQ(stat(path_.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0007, 0u) << "others can read it";
}

TEST_F(AuditLogTest, AFileThatWasMovedAwayIsBegunAgain) {
  Open();
  Add("First");
  log_->Reopen();
  Add("Second");
  std::filesystem::rename(path_, path_ + ".1");
  Add("Third");
  log_->Reopen();
  Add("Fourth");

  EXPECT_THAT(CallsOf(path_ + ".1"), ElementsAre("First", "Second", "Third"));
  EXPECT_THAT(CallsOf(path_), ElementsAre("Fourth"));
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(AuditLogTest, AFullDiskIsToldOnceAndTheRestIsWritten) {
  Open();
  Add("First");
  const auto full = std::filesystem::file_size(path_) + 10;
  {
    const FullDisk disk(full);
    Add("Cut");
    Add("Lost");
  }
  EXPECT_EQ(log_->lines_lost(), 2u);
  EXPECT_THAT(told_, ElementsAre(HasSubstr("the audit log can't be written")));
  Add("Fourth");

  EXPECT_THAT(CallsOf(path_), ElementsAre("First", "?", "Fourth"));
  EXPECT_THAT(told_, ElementsAre(HasSubstr("can't be written"),
                                 HasSubstr("2 lines were lost")));
}

TEST_F(AuditLogTest, WhatCannotBeOpenedIsNamed) {
  const auto log = AuditLog::Open("nowhere/audit", [](const LogEntry&) {});

  EXPECT_EQ(log.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(log.status().message()), HasSubstr("nowhere/audit:"));
}

}  // namespace
}  // namespace reprise::services

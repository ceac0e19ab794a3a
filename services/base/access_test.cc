// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves who is let in by a file of tokens, for what, and what a changed file
// changes for those who are in already.

#include "services/base/access.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

using ::testing::HasSubstr;

std::string Line(const std::string& name, Scope scope,
                 const std::string& tenant = "") {
  return FormatTokenLine({.name = name,
                          .digest = DigestOf(name + "-token"),
                          .scope = scope,
                          .tenant = {.name = tenant}}) +
         "\n";
}

class AccessTest : public testing::Test {
 protected:
  AccessTest() {
    Write(Line("eye", Scope::kObserve) + Line("hand", Scope::kPlay, "red"));
    access_ = *Access::Open(path_);
  }

  void Write(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
  }

  std::string ReasonFor(std::optional<std::string_view> authorization,
                        Scope scope = Scope::kObserve) const {
    return ReasonOf(access_->Authorize(authorization, scope).status());
  }

  const std::string path_ = testing::TempDir() + "access_test_tokens";
  std::unique_ptr<Access> access_;
};

TEST_F(AccessTest, ATokenLetsInAsItsTenantUpToItsScope) {
  const auto caller = access_->Authorize("Bearer hand-token", Scope::kPlay);

  ASSERT_TRUE(caller.ok()) << caller.status();
  EXPECT_EQ(caller->tenant.name, "red");
  EXPECT_EQ(ReasonFor("Bearer hand-token"), "");
  EXPECT_EQ(ReasonFor("bearer hand-token"), "");
  EXPECT_EQ(ReasonFor("Bearer hand-token", Scope::kManage), "SCOPE_MISSING");
  EXPECT_EQ(ReasonFor("Bearer eye-token", Scope::kPlay), "SCOPE_MISSING");
}

TEST_F(AccessTest, NobodyElseIsLetIn) {
  EXPECT_EQ(ReasonFor(std::nullopt), "TOKEN_MISSING");
  for (const char* none : {"", "hand-token", "Basic hand-token", "Bearer"}) {
    EXPECT_EQ(ReasonFor(none), "TOKEN_MISSING") << none;
  }
  for (const char* unknown :
       {"Bearer ", "Bearer hand", "Bearer hand-token2", "Bearer Hand-token"}) {
    EXPECT_EQ(ReasonFor(unknown), "TOKEN_UNKNOWN") << unknown;
  }
}

// Who has the file has no token.
TEST_F(AccessTest, ADigestIsNoToken) {
  const std::string line = Line("hand", Scope::kPlay);
  EXPECT_EQ(ReasonFor("Bearer " + line.substr(5, 64)), "TOKEN_UNKNOWN");
}

TEST_F(AccessTest, AChangedFileCountsForThoseWhoAreIn) {
  Caller caller = *access_->Authorize("Bearer hand-token", Scope::kPlay);
  EXPECT_FALSE(*access_->Reload());
  EXPECT_EQ(access_->Confirm(Scope::kPlay, caller), absl::OkStatus());

  Write(Line("hand", Scope::kPlay, "red"));
  EXPECT_TRUE(*access_->Reload());
  EXPECT_EQ(access_->Confirm(Scope::kPlay, caller), absl::OkStatus());
  EXPECT_EQ(ReasonFor("Bearer eye-token"), "TOKEN_UNKNOWN");

  Write(Line("hand", Scope::kObserve, "red"));
  EXPECT_TRUE(*access_->Reload());
  EXPECT_EQ(ReasonOf(access_->Confirm(Scope::kPlay, caller)), "SCOPE_MISSING");
  Write(Line("hand", Scope::kPlay, "blue"));
  EXPECT_TRUE(*access_->Reload());
  EXPECT_EQ(ReasonOf(access_->Confirm(Scope::kPlay, caller)), "TOKEN_UNKNOWN");
}

TEST_F(AccessTest, AFileWithAMistakeChangesNothing) {
  Write("nonsense");
  EXPECT_EQ(access_->Reload().status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReasonFor("Bearer hand-token"), "");

  std::filesystem::remove(path_);
  const absl::Status gone = access_->Reload().status();
  EXPECT_EQ(gone.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(gone.message()), HasSubstr(path_));
  EXPECT_EQ(ReasonFor("Bearer hand-token"), "");
}

TEST_F(AccessTest, WithoutAFileEverybodyIsOneTenant) {
  Access access;

  EXPECT_EQ(access.Authorize(std::nullopt, Scope::kManage)->tenant, Tenant());
  EXPECT_FALSE(*access.Reload());
}

}  // namespace
}  // namespace reprise::services
